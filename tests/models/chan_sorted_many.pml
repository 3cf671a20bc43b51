// expect: holds
// states: 17
// Several senders into one sorted channel: the order of sending leaves no trace.
chan q = [3] of { byte };

active [3] proctype s() { q!!_pid }
active proctype r() { byte a, b, c; full(q); q?a; q?b; q?c; assert(a == 0 && b == 1 && c == 2) }
