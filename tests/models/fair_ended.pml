// expect: violated "one"
// options: --fairness weak
// A process that has ended waits for nothing: the other one alone makes a fair run, in which n is 1 and 2 for ever.
byte n;

active proctype a() { n = 1 }
active proctype b() { do :: n = 1 :: n = 2 od }
ltl one { <> [] (n == 1) }
