// expect: holds
// options: --fairness weak
// A process that can always go on does so one day.
byte x;

active proctype a() { do :: x == 5 -> break :: else -> skip od }
active proctype b() { x = 5 }
ltl ends { <> (x == 5) }
