// expect: violated "never_0"
// states: 8
// A claim that comes to its end, which is where a step can be seen that breaks it.
byte x;

active proctype a() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never { do :: x == 3 -> break :: else od }
