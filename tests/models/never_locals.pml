// expect: unknown "not checked: never_0"
// spin: no, it takes claims with variables
// says: variables of its own
byte x;

active proctype a() { do :: x = 1 - x od }
never { byte y; do :: y == 1 -> break :: else od }
