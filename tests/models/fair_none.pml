// expect: violated "ends"
// Without fairness it may wait for ever.
byte x;

active proctype a() { do :: x == 5 -> break :: else -> skip od }
active proctype b() { x = 5 }
ltl ends { <> (x == 5) }
