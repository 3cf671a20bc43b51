// expect: holds
// states: 2
// A claim that never gets to its end.
byte x;

active proctype a() { do :: x = 1 - x od }
never { do :: x == 2 -> break :: else od }
