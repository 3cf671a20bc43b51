// expect: holds
// states: 17
// Channels are numbers from 1, globals first.
chan a = [1] of { byte };
chan b = [0] of { byte };
chan copy;

active proctype p() { chan c = [1] of { byte }; assert(a == 1 && b == 2 && c == 3); copy = b; assert(copy == b && copy != a) }
active proctype q() { chan d = [1] of { byte }; assert(d > 2); d!1 }
