// expect: holds
// options: --fairness weak
// Who waits while another is inside an atomic sequence could have moved before and after: that is no way to starve it.
byte x;

active proctype a() { byte n; do :: atomic { n = 1; n = 2; n = 0 } od }
active proctype b() { x = 1 }
ltl comes { <> (x == 1) }
