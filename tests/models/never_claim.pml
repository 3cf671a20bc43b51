// expect: unknown "not checked: never_0"
// states: 2
// A never claim is kept, and said to be unchecked.
byte x;

active proctype a() { do :: x = 1 - x od }
never { do :: x == 2 -> break :: else od }
