// expect: holds
// states: 3
// spin: no, X wants another compilation
// Operators of both kinds, implication and equivalence, inside and around conditions.
byte x;

active proctype a() { do :: x = (x + 1) % 3 od }
ltl p1 { [] ((x == 0) -> <> (x == 2)) }
ltl p2 { [] (x == 1 -> !(x == 2)) }
ltl p3 { (x == 0) U (x == 1) }
ltl p4 { [] ((x == 0) <-> !(x > 0)) }
ltl p5 { [] ((x == 0) -> X (x == 1)) }
ltl p6 { (x < 2) W (x == 2) }
ltl p7 { (x == 2) V (x <= 2) }
ltl p8 { ! <> [] (x == 1) && (<> (x == 2) || [] (x == 0)) }
