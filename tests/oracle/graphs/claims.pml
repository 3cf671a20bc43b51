// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
int x; active proctype A() { l: x = 1; enabled(0) || pc_value(1) > 2; x = 2 }
active proctype B() { l2: x = 1 }
never { do :: np_ :: _last == 1 && timeout -> break od; accept: A[0]@l || B@l2 }
