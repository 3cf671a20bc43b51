// SPDX-License-Identifier: Apache-2.0
// Builtin functions that count and turn bits, and that say what overflows.
// 3: 2 40 30 0 50331648 4572525250397185754 768 0 1 3 0 2147483395 0 0
// -5: 31 32 0 0 4227858431 -7524517155684272792 64511 1 1 5 0 2147483387 1 0
// 0: 0 0 31 31 0 0 0 0 0 0 0 2147483392 0 0
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void out(long long);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned long l = n * 0x9e3779b97f4a7c15ul;
  unsigned short s = n;
  out(__builtin_popcount(n));
  out(__builtin_popcountl(l));
  out(__builtin_clz(n | 1));
  out(__builtin_ctz(n | 0x80000000u));
  out(__builtin_bswap32(n));
  out(__builtin_bswap64(l));
  out(__builtin_bswap16(s));
  out(__builtin_parity(n));
  out(__builtin_ffs(n));
  out(__builtin_abs((int)n));
  int r;
  out(__builtin_add_overflow((int)n, 0x7fffff00, &r));
  out(r);
  out(__builtin_mul_overflow(n, 3u, &r));
  out(__builtin_constant_p(n));
  return n ? __builtin_ctzl(l) : 0;
}
