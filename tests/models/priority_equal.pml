// expect: holds
// states: 19
// Among equals every order is possible.
byte x;

active [2] proctype p() priority 3 { x = _pid; x = _pid + 2 }
active proctype q() priority 2 { x < 4 -> x = 9 }
