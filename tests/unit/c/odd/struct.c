// SPDX-License-Identifier: Apache-2.0
// Structs, unions and bit-fields, by value and by address.
// 3: 2592 50463492 50528255 80 50528255 5 110 211 56 5 100 -3 4886718345 -2 1 3 3 3 4886718348 3 1 4 2 2 4886718349 2 3 5 30002 -128 2 3 1 10 5 5 7 9 1432778635 287454020 85 14317680523 9151314457134528395
// -5: 2592 -83754236 -83689473 80 -83689473 5 110 211 56 5 100 -3 4886718345 -2 1 3 123 -5 4886718340 -5 1 4 122 -6 4886718341 2 -5 -3 30002 -128 2 -5 1 2 -3 -3 -1 -15 1432778627 287454020 85 -20042057853 9223372016812717955
// 0: 2592 131844 196607 83 196607 5 110 211 56 5 100 -3 4886718345 -2 1 0 0 0 4886718345 0 0 1 127 -1 4886718346 2 0 2 30002 -128 2 0 1 7 2 2 4 0 1432778632 287454020 85 1432778632 9151314444249626504
int __VERIFIER_nondet_int(void);
void out(long long);
void reach_error(void);
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
struct in {
  char c;
  short s;
  long l;
};
struct s {
  int x;
  struct in i[2];
  union {
    int a;
    unsigned char b[4];
    struct {
      short lo, hi;
    } h;
  } u;
  enum { R, G = 5, B } e;
};
struct s gs = {1, {{2, 3, 4}, {5, 6, 7}}, {0x01020304}, G};
static int cnt(void) {
  static int c = 10;
  static unsigned char d;
  d += 100;
  return c++ + d;
}
struct bf {
  unsigned a : 3, b : 7;
  int c : 5;
  unsigned long d : 33;
  signed char e : 4;
  _Bool f : 1;
};
struct bf gb = {5, 100, -3, 0x123456789UL, -2, 1};
struct p2 {
  int x, y;
};
struct p3 {
  int x;
  short y;
  char z;
};
struct p1 {
  char a, b, c;
};
struct pp {
  int *p;
  int n;
};
struct pl {
  long a, b, c;
};
struct p2 sw(struct p2 p) {
  struct p2 q = {p.y, p.x};
  return q;
}
struct p3 inc(struct p3 p) {
  p.x++;
  p.y++;
  p.z++;
  return p;
}
struct p1 rot(struct p1 p) {
  struct p1 r = {p.b, p.c, p.a};
  return r;
}
struct pp mk(int *p, int n) {
  struct pp r = {p, n};
  return r;
}
struct pl add(struct pl x, struct pl y) {
  x.a += y.a;
  x.b += y.b;
  x.c += y.c;
  return x;
}
struct bf tw(struct bf b) {
  b.a++;
  b.b--;
  b.c--;
  b.d++;
  return b;
}
int sum(struct pp p) {
  int s = 0;
  for (int i = 0; i < p.n; i++) s += p.p[i];
  return s;
}
union un {
  long l;
  struct p2 p;
  unsigned char c[8];
};
union un mku(long l) {
  union un u;
  u.l = l;
  return u;
}
int main(void) {
  struct s s = gs;
  int n = __VERIFIER_nondet_int();
  out(s.x + s.i[1].l + s.u.b[0] + s.u.h.hi * 10);
  s.u.b[3] = n;
  out(s.u.a);
  s.u.h.lo = -1;
  out(s.u.a);
  s.i[n & 1].s = 77;
  out(s.i[0].s + s.i[1].s);
  gs = s;
  out(gs.u.a);
  out(s.e);
  out(cnt());
  out(cnt());
  out(cnt());
  struct bf b = gb;
  out(b.a);
  out(b.b);
  out(b.c);
  out(b.d);
  out(b.e);
  out(b.f);
  b.a = n;
  b.b = n;
  b.c = n;
  b.d += n;
  b.e = n;
  b.f = n;
  out(b.a);
  out(b.b);
  out(b.c);
  out(b.d);
  out(b.e);
  out(b.f);
  b = tw(b);
  out(b.a);
  out(b.b);
  out(b.c);
  out(b.d);
  struct p2 p = {n, 2};
  p = sw(p);
  out(p.x);
  out(p.y);
  struct p3 q = {n, 30000, 126};
  q = inc(inc(q));
  out(q.x);
  out(q.y);
  out(q.z);
  struct p1 t = {1, 2, n};
  t = rot(t);
  out(t.a);
  out(t.b);
  out(t.c);
  int a[4] = {1, 2, n, 4};
  out(sum(mk(a, 4)));
  out(sum(mk(a + 1, 2)));
  struct pl x = {1, 2, n}, y = {n, n, n};
  x = add(x, add(y, x));
  out(x.a);
  out(x.b);
  out(x.c);
  union un u = mku(0x1122334455667788L + n);
  out(u.p.x);
  out(u.p.y);
  out(u.c[3]);
  u.p.y = n;
  out(u.l);
  u.c[7] = 0x7f;
  out(u.l);
  return s.u.a;
}
