// SPDX-License-Identifier: Apache-2.0
// For tests/oracle/graphs.sh: our control graphs are SPIN's.
int x;
active proctype A() {
end0: do
 :: x == 1 -> progress1: x = 2
 :: x == 2 -> end1: goto A1
 :: x == 3 -> accept3: goto A1
 :: x == 4 -> e: end4: goto A1
 :: x == 5 -> accept4: break
 :: x == 6 -> end9:
 od;
A1: end: if :: x == 4 -> x = 5 :: x == 6 -> skip fi;
progress: atomic { x = 1; x = 2 };
accept: d_step { x = 3; x = 4 };
B1: B2: x = 9;
accept5: { x = 1; x = 2 };
endx: 
}
active proctype B() { goto L; x = 1; L: goto M; x = 2; M: goto N; N: skip; if :: x == 1 :: x == 2 -> goto N :: x == 3 -> end: fi; do :: break od; do :: x = 1 :: goto Q od; Q: }
active proctype C() { B@M; (B@N && A@B1); x = 1; P: goto P2; P2: x = 3 }
