// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
int x, y; chan c = [1] of { byte };
active proctype A() {
  { x = 1; y = 2; if :: x == 1 -> y = 1 :: x == 2 -> y = 3; x = 5 :: else fi } unless { y == 7; x = 1; y = 2 };
  { x = 1; { y = 1; x = 2 } unless { y == 3; x = 3; x = 4 }; y = 4 } unless { x == 9 -> y = 9 };
  do :: x == 1 -> y = 1 :: x == 2 -> break od unless { x == 3 };
  x = 1 unless x == 3;
  { d_step { x = 1; y = 1 }; x = 2 } unless { if :: y == 1 -> x = 1 :: y == 2 -> x = 2 :: else fi };
L: { x = 1; y = 2 } unless { x == 4 -> goto L };
  atomic { x = 1; y = 2; x = 3 } unless { c?x; y = 4 };
  { { x = 1; y = 1 } unless { x == 1; { y = 7 ; x = 8 } unless { x == 4; y = 3 } } } unless { c?[1] -> y = 3; x = 3 };
  { do :: x < 5 -> x++ :: y = 5; break od; y = 6 } unless atomic { x == 3 -> y = 1; x = 2 };
  do :: { x = 1; y = 1 } unless { y == 3; break } :: else -> break od
}
