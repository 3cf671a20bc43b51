// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
mtype = { A1, B1 }; typedef T { byte a; int b };
int g;
proctype P(byte p; chan c; T t) {
  int a = p; xr c;
  byte b;
  g = 1; int d; byte e = g + 1; bool f, h = true;
  if :: int z; z = 1 :: byte k = 3; k = 4; T u; u.a = 1 fi;
  { int z2; int z3 = 4; g = z3; { int z4; z4 = 1 } }
  { int z2 = 7; g = z2 }
  atomic { int w = 3; g = w; int v; v = 2 };
  do :: g == 1 -> skip; skip; printf("a"); skip; g = 2; skip :: g == 2 -> skip; skip od
}
inline inc(n, v) { int loc; loc = v; n = n + loc; if :: n > 3 -> n = 0 :: else fi }
inline lab(n) { skip; M: n = 1; goto M }
init { chan cc = [2] of { byte }; T tt; run P(1, cc, tt); inc(g, 2); inc(g, A1); atomic { run P(2, cc, tt); run P(3, cc, tt) }; (_nr_pr == 1); lab(g); lab(g) ; timeout -> g = 3; cc?<g>; cc??1; cc!!g; (cc??[2]); (len(cc) > 0 && nfull(cc)) ; assert(g == 1); g++; g--; (g == 1 -> 2 : 3) > 1 }
