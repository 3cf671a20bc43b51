// expect: holds
// states: 13
// Where an atomic sequence blocks, others go on, and the state in between is one of the states.
byte x;

active proctype a() { atomic { x = 1; x == 2; x = 3 }; assert(x == 3 || x == 4) }
active proctype b() { x == 1; x = 2; x == 3 -> x = 4 }
