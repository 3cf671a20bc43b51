// expect: holds
// states: 22
// Two processes share one channel variable that changes.
chan a = [1] of { byte };
chan b = [1] of { byte };
chan here;

active proctype switch() { here = a; here = b; here = a }
active proctype use() { byte x; here != 0; here!3; if :: a?x :: b?x fi; assert(x == 3) }
