// expect: holds
// states: 21
// A rendezvous that begins or continues the receiver's atomic sequence: it goes on alone.
chan c = [0] of { byte };
byte x;

active proctype s() { c!5; x = 9 }
active proctype r() { byte v; atomic { c?v; assert(x == 0); x = 1; x = 2; assert(x == 2) } }
active proctype w() { byte seen; seen = x; assert(seen != 1) }
