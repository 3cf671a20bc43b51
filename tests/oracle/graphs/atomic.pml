// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
int x, y;
active proctype A() {
  atomic { x = 1; goto L; y = 2 };
  y = 3;
L: atomic { x = 2; M: y = 4; x = 3 };
  atomic { do :: x < 3 -> x++ :: else -> break od };
  atomic { do :: x < 3 -> if :: y == 1 -> break :: else -> goto M fi :: else -> break od; y = 1 };
  do :: atomic { x == 1 -> break } :: atomic { x == 2 -> y = 1; goto L } :: atomic { else -> x = 7 } od;
  atomic { atomic { x = 1; y = 1 }; { x = 2 } };
  atomic { if :: x = 1 :: y = 2 -> x = 3 fi };
  atomic { x = 1; { y = 2; x = 3 } unless { x == 9; y = 1 } };
  { atomic { x = 1; y = 2 }; x = 9 } unless atomic { y == 5 -> x = 2; y = 1 };
  atomic { skip; skip; x = 1 };
  atomic { d_step { x = 1; y = 2 } };
  atomic { d_step { x = 1; y = 2 }; x = 4 };
  atomic { x = 1; d_step { y = 2; x = 2 } };
  atomic { printf("x"); assert(x == 1) }
}
active proctype B() {
  goto inside;
  atomic { x = 1; inside: y = 1; x = 2; goto outside };
  x = 3;
outside: skip;
end: atomic { x == 4 -> x = 1; x = 2 };
accept: do :: x == 3 -> progress: y = 1 :: x == 5 -> y = 2; x = 1; y = 1 od
}
