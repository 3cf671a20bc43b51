// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
int x, y;
active proctype A() { do :: x = 1; y = 2 :: x = 2 od }
never { T0: do :: x == 1 -> skip; skip; goto accept :: true od; accept: do :: x == 2 :: else od }
