// expect: holds
// states: 11
// While the most important process is blocked, the next one may move.
byte x;

active proctype low() priority 1 { x == 1 -> x = 2 }
active proctype middle() priority 3 { x = 1; x == 2 -> x = 3 }
active proctype high() priority 9 { x == 3 -> assert(_priority == 9) }
