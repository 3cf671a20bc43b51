// expect: holds
// states: 43
// A rendezvous inside the sender's atomic sequence hands control to the receiver.
chan c = [0] of { byte };
byte x;

active proctype s() { atomic { x = 1; c!5; x = 2 } }
active proctype r() { byte v; c?v; assert(x == 1 || x == 2); x = 3 }
active proctype w() { byte seen; seen = x }
