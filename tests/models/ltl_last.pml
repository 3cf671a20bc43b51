// expect: violated "q"
// _last is the process that made the last step.
byte x;

active proctype a() { do :: x = 0 od }
active proctype b() { do :: x = 1 od }
ltl p { [] (x == 1 -> _last == 1) }
ltl q { [] <> (_last == 1) }
