// SPDX-License-Identifier: Apache-2.0
// Odd ways to go: into loops, through switches, recursion.
// 3: 6 10 2 3 2 50 3 7 11 12 1 3 1 1 12 0
// -5: 0 10 2 3 2 50 3 7 3 -12 1 3 1 1 12 -6
// 0: 0 10 2 3 2 50 3 7 8 3 3 4 1 1 12 -1
int __VERIFIER_nondet_int(void);
void out(long long);
void reach_error(void);
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int g(int n) {
  int i = 0, s = 0;
  if (n > 3) goto in;
  for (i = 0; i < n; i++) {
    s += 2;
  in:
    s += i;
    if (s > 100) break;
    i++;
  }
  return s;
}
int sw(int x) {
  int r = 0;
  switch (x) {
  case 1: r = 1;
  case 2: r += 2; break;
  case 5 ... 7: r = 50; break;
  default: r = -1;
  case 9: {
    int q;
    q = 3;
    r += q;
  }
  }
  return r;
}
int duff(int n) {
  int c = 0, k = (n + 3) / 4;
  switch (n % 4) {
  case 0: do { c++;
    case 3: c++;
    case 2: c++;
    case 1: c++;
    } while (--k > 0);
  }
  return c;
}
int comma(int a) {
  int b = (a++, a * 2);
  return b, a + b;
}
int tern(int a, int b) { return a ? b ? 1 : 2 : b ? 3 : 4; }
int ev(int n);
int od(int n) { return n == 0 ? 0 : ev(n - 1); }
int ev(int n) { return n == 0 ? 1 : od(n - 1); }
int dw(int n) {
  int s = 0;
  do {
    if (n == 3) continue;
    s += n;
  } while (n-- > 0);
  return s;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  out(g(n));
  out(g(5));
  out(sw(n));
  out(sw(1));
  out(sw(2));
  out(sw(6));
  out(sw(9));
  out(duff(7));
  out(duff(n + 8));
  out(comma(n));
  out(tern(n, 1));
  out(tern(0, n));
  out(ev(6));
  out(od(7));
  out(dw(5));
l:
  n--;
  if (n > 0) goto l;
  out(n);
  return n;
}
