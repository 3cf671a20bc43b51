// expect: holds
// states: 22
// Semicolons and arrows mean the same; too many of them are no matter.
byte x;
active proctype main() { x = 1 -> x == 1 -> { x = 2; x = 3; } ; if :: x == 3; x = 4; :: else -> skip; fi; };
active proctype other() { true; };
