// expect: violated "p2"
// states: 4
// Where everything has ended the last state goes on for ever (SPIN's stutter extension).
byte x;

active proctype a() { x = 1; x = 2 }
ltl p1 { <> [] (x == 2) }
ltl p2 { [] <> (x < 2) }
