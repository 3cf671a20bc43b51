// expect: holds
// states: 19
// select inside atomic.
byte i;

active [2] proctype p() { atomic { select (i : 1 .. 3); assert(i >= 1 && i <= 3) } }
