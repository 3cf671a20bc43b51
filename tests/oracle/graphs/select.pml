// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
int x, y; byte a[4];
inline sel(v) { select (v : 1 .. 3); select (v : 1 .. 60) }
active proctype B() { int i;
  select (i : 1 .. 40); select (i : x .. y); select (i : 1..2); sel(i);
  L: select (i : 1..50); M: select (i : 1..4); N: select (i : x .. 3); if :: select (i : 1..3) :: select (x : 1 .. 99) :: y = 2 fi;
  goto L; goto M; goto N; select( i : 2 .. 34); select(i:0..33)
}
