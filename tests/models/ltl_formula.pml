// expect: violated "p3"
// states: 2
// Formulas are checked one after the other: p1 holds, p2 as well, p3 does not.
byte x;

active proctype a() { do :: x = 1 - x od }
ltl p1 { [] (x < 2) }
ltl p2 { [] <> (x == 1) }
ltl p3 { <> [] (x == 1) }
