// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
c_decl { int foo; };
c_state "int bar" "Global"
int x;
active proctype A() { c_code { now.x = 3; }; c_expr { now.x == 3 }; if :: c_expr { now.x > 2 } -> x = 1 :: else -> c_code { now.x = 1; } fi; d_step { c_code { now.x++; }; x = 2 } }
