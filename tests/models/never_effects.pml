// expect: unknown "not checked: never_0"
// spin: no, it takes claims that change something
// says: does more than look
// A claim that does more than look is not checked, and it is said why.
byte x;

active proctype a() { do :: x = 1 - x od }
never { do :: x == 1 -> x = 0 :: else od }
