// expect: holds
// states: 14
// An inline with a loop, used twice.
byte x;

inline climb(n) { do :: x < n -> x++ :: else -> break od }

active proctype main() { climb(2); assert(x == 2); climb(4); assert(x == 4) }
