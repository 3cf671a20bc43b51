// expect: violated "assertions and errors"
// trace: 8
// What a local variable starts with may differ from one life of its process to the next.
chan v = [0] of { byte };
byte n = 1;

proctype Q() { byte k = n; endq: v!k }
init { run Q(); v?1; _nr_pr == 1; n = 2; run Q(); endi: v?2; assert(false) }
