// expect: holds
// states: 9
// The last statement of an atomic sequence is the last of its process.
byte x;

active proctype a() { atomic { x = 1; x = 0 } }
active proctype b() { atomic { skip; assert(x == 0) }; atomic { x = 0 } }
