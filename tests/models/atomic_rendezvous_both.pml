// expect: holds
// states: 53
// Both sides are inside atomic sequences.
chan c = [0] of { byte };
byte x, y;

active proctype s() { atomic { x = 1; c!5; x = 2; x = 3 } }
active proctype r() { byte v; atomic { y = 1; c?v; y = 2; y = 3 } }
active proctype w() { byte seen; seen = x * 10 + y; assert(seen != 2) }
