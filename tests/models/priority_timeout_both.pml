// expect: violated "deadlock"
// trace: 3
byte y;

active proctype low() priority 1 { timeout; skip; y == 1 }
active proctype high() priority 3 { timeout; y == 1 }
