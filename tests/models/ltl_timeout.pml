// expect: holds
// states: 10
// timeout is true where no process can do anything else.
byte x;

active proctype a() { x = 1; x == 2; x = 3 }
active proctype b() { timeout -> x = 2 }
ltl p { [] (timeout -> x == 1 || x == 3) }
ltl q { <> (x == 2) }
