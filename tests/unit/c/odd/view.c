// SPDX-License-Identifier: Apache-2.0
// Memory used as of another type, at places that are not known.
// 3: 4602 151390476 151456012 6237 768 6 9 3852 14709843 0 3 77 589175060 589175060 3
// -5: 94673 167112940 167178476 16248 64256 246 241 4294961132 14719854 0 3 -65459 589175060 589175060 255251
// 0: 0 9 10 6156 0 0 0 0 14709762 2 3 0 589175060 252314880 0
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void out(long long);
union u {
  unsigned v;
  unsigned char b[4];
  short s[2];
};
struct h {
  unsigned short len;
  unsigned char type, flags;
  unsigned crc;
};
static unsigned sum(const unsigned char *p, int n) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) s = s * 3 + p[i];
  return s;
}
static void fill(unsigned char *p, int n, int k) {
  for (int i = 0; i < n; i++) p[i] = i * k;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  union u u;
  u.v = n * 0x01020304;
  int s = 0;
  for (int i = 0; i < 4; i++) s = s * 7 + u.b[i];
  out(s);
  u.b[n & 3] = 9;
  out(u.v);
  u.s[n & 1]++;
  out(u.v);
  struct h h = {0x102, 3, 4, n};
  out(sum((unsigned char *)&h, sizeof h));
  fill((unsigned char *)&h, 6, n);
  out(h.len);
  out(h.type);
  out(h.flags);
  out(h.crc);
  int a[4] = {1, 2, 3, n};
  out(sum((unsigned char *)a, 16));
  unsigned short *p = (unsigned short *)&a[1];
  out(p[n & 1]);
  p[(n & 3) + 1] = 77;
  out(a[2]);
  out(a[3]);
  unsigned char buf[8];
  fill(buf, 8, 5);
  unsigned w = *(unsigned *)(buf + 4);
  out(w);
  out(((unsigned *)buf)[n & 1]);
  *(unsigned short *)&buf[2] = n;
  out(buf[2] + buf[3] * 1000);
  return 0;
}
