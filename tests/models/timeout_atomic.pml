// expect: holds
// states: 9
// timeout inside an atomic sequence.
byte x;

active proctype a() { atomic { x = 1; timeout -> x = 2 }; x = 3 }
active proctype b() { x == 1; x = 1; x == 3 }
