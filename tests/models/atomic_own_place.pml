// expect: holds
// states: 4
// A process in the middle of an atomic sequence sees where it is.
byte z;

active proctype P() { byte x; atomic { x = 1; z = pc_value(_pid); x = 3 }; assert(z == 2) }
