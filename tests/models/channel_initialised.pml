// expect: holds
// states: 5
chan a = [1] of { byte };
chan b = a;

active proctype P() { byte x; b!3; a?x; assert(x == 3) }
