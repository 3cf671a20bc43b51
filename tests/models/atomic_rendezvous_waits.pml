// expect: holds
// states: 12
// A rendezvous in an atomic sequence that waits for its partner.
chan c = [0] of { byte };
byte x;

active proctype s() { x = 1; x = 2; c!1 }
active proctype r() { byte v; atomic { x = 3; c?v; x = 4 }; assert(x == 4) }
