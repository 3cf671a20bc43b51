// expect: holds
// options: --fairness weak
// Two processes, both of which move again and again in a fair run: n is 1 for ever only if one of them stops.
byte n;

active proctype a() { do :: n = 1 od }
active proctype b() { do :: n = 2 od }
ltl both { [] <> (n == 1) && [] <> (n == 2) }
