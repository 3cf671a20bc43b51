// expect: holds
// states: 7
// A rendezvous channel is sent through another one.
chan door = [0] of { chan };

active proctype a() { chan mine = [0] of { byte }; byte x; door!mine; mine?x; assert(x == 3) }
active proctype b() { chan c; door?c; c!3 }
