// expect: holds
// states: 7
// Only the process of highest priority that can move does.
byte x;

active proctype low() priority 1 { assert(x == 2); x = 3 }
active proctype high() priority 5 { x = 1; x = 2 }
