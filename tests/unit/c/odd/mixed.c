// SPDX-License-Identifier: Apache-2.0
// Pointers, tables of functions, strings, integers of all widths.
// 3: 3 5 101 2 10 -1 21 13 3 120 8 3 1 203 150 103 1 1 900 9 4294967199 1 1 3000000021 3 24 -3 1 0 -4 0 86 0 1 4 630 4 3 1 2 3 3 5 5 4 3 9 1 16 3 3 9 0 3 5 3 3 4464
// -5: 3 5 101 2 10 -9 21 42 2 120 8 -5 1 195 134 95 1 1 -1500 25 4294967191 1 0 -5000000035 11 39 -3 -1 -2 4 0 -82 536870911 -3 -4 -1050 -4 3 -5 1 2 3 5 -3 -4 3 1 1 16 -5 -5 25 0 3 5 3 -5 4464
// 0: 3 5 101 2 10 -4 4 42 2 120 8 0 1 200 144 100 0 1 0 0 4294967196 1 1 0 0 0 -3 0 0 -1 1 85 0 0 1 0 1 3 0 1 2 3 5 2 1 3 6 1 16 0 5 0 0 3 5 3 0 4464
int __VERIFIER_nondet_int(void);
void out(long long);
void reach_error(void);
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
static const char *names[] = {"zero", "one", "two", 0};
const char txt[] = "hello";
char buf[8] = "ab";
int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int mul(int a, int b) { return a * b; }
static int (*ops[3])(int, int) = {add, sub, mul};
struct op {
  int (*f)(int, int);
  int n;
} tab[] = {{add, 1}, {mul, 7}};
int len(const char *s) {
  int n = 0;
  while (*s++) n++;
  return n;
}
int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
struct node {
  int v;
  struct node *next;
};
volatile int vol;
long long ll(long long x) { return x << 3 ^ x >> 60; }
int vla(int n, ...) { return n; }
void sort(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (a[j] < a[i]) swap(&a[i], &a[j]);
}
int m[3][4];
int main(void) {
  int n = __VERIFIER_nondet_int();
  unsigned char uc = n;
  char c = n;
  _Bool b = n;
  short sh = n;
  unsigned short us = n;
  unsigned u = n;
  long l = n;
  unsigned long ul = n;
  out(len(names[n & 3 ? 1 : 2]));
  out(len(txt));
  out(txt[1]);
  buf[n & 7] = 'x';
  out(len(buf));
  out(ops[n % 3 < 0 ? 0 : n % 3](7, 3));
  out(apply(sub, n, 4));
  out(tab[n & 1].f(3, tab[n & 1].n));
  int (*fp)(int, int) = n > 2 ? add : mul;
  out(fp(6, 7));
  out((*fp)(1, 2));
  out(fact(5));
  out(fib(6));
  int x = 1, y = n;
  swap(&x, &y);
  out(x);
  out(y);
  uc += 200;
  out(uc);
  uc <<= 1;
  out(uc);
  out((char)(c + 100));
  out(b);
  b += 3;
  out(b);
  sh *= 300;
  out(sh);
  us = us * us;
  out(us);
  u -= 100;
  out(u);
  out(u > 5);
  out(n > -1 && u / 2 > 1000000);
  out(l * 1000000007L);
  out(ul % 13);
  out(ll(l));
  out(-7 / 2);
  out(n / 3);
  out(n % 3);
  out(~n);
  out(!n);
  out(n ^ 0x55);
  out((unsigned)n >> 3);
  out(n >> 1);
  struct node a = {1, 0}, *h = &a;
  struct node bb = {n, h};
  h = &bb;
  int s = 0;
  for (struct node *p = h; p; p = p->next) s += p->v;
  out(s);
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    struct node *q = malloc(sizeof *q);
    q->v = i * n;
    q->next = head;
    head = q;
  }
  for (s = 0; head; head = head->next) s = s * 10 + head->v;
  out(s);
  vol = n;
  vol++;
  out(vol);
  out(vla(3, 4, 5));
  int arr[5] = {5, n, 3, 1, 2};
  sort(arr, 5);
  for (int i = 0; i < 5; i++) out(arr[i]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) m[i][j] = i * j + n;
  int *p = &m[1][2];
  out(*(p + 3));
  out(p[-1]);
  out(&m[2][1] - p);
  int(*row)[4] = m + 1;
  out(row[1][3]);
  out(p > &m[0][0]);
  out(sizeof(struct node));
  out(__builtin_expect(n, 1));
  out(n ?: 5);
  out(({
    int z = n;
    z *z;
  }));
  memset(m, 0, sizeof m);
  out(m[2][3]);
  memcpy(arr, &arr[3], 2 * sizeof(int));
  out(arr[0]);
  out(arr[1]);
  char *cp = (char *)arr;
  out(cp[0]);
  long big = 1L << 40;
  out((int)(big + n));
  out((short)70000);
  if (n == 12345) reach_error();
  return (signed char)n;
}
