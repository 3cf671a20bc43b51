// expect: violated "never_0"
// Several conditions in a row: each is about another state, one step further.
byte x;

active proctype a() { do :: x == 0 -> x = 1 :: x == 1 -> x = 2 :: x == 2 -> x = 0 od }
never { do :: x == 0 -> x == 1 -> x == 1 -> x == 2 -> break :: true od }
