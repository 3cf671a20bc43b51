// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
int x, y; byte a[4]; chan q = [3] of { byte };
active proctype A() {
  d_step { if :: x == 1 -> x = 2 :: y == 2 -> y = 3; x = 1 :: else -> skip fi; y = 5 };
  d_step { do :: x < 3 -> x++; if :: y == 1 -> break :: else -> y = 1 fi :: else -> break od };
  do :: d_step { x == 1 -> x = 2; y = 1 } :: d_step { q?x -> x++ } :: d_step { q!x; y = 2 } :: d_step { else -> x = 1 } od
}
active proctype B() { int i;
  d_step { for (i : 0 .. 3) { a[i] = i }; i = 0; L: i = i + 1; if :: i < 3 -> goto L :: else fi };
  if :: d_step { x == 1; { y = 1; x = 2 }; atomic { y = 3 } } :: x == 3 -> d_step { y = 2; x = 1 } fi;
  select (i : 1 .. 40); select (i : x .. y); select (i : 1..2)
}
