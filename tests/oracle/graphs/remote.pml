// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
int x;
active proctype A() { x = 1; L: goto M; x = 2; M: x = 3; if :: x == 1 -> N: goto L :: x == 2 -> O: break2: goto N fi }
active proctype B() { A@L; A@N; atomic { A[0]@M -> x = 5; x = 6 }; K: atomic { x = 1; J: goto K } }
active proctype C() { B@J; B[1]@K }
