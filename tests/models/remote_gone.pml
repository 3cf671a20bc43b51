// expect: violated "assertions and errors"
// trace: 6
// A variable of a process that is gone is 0.
proctype P(byte k) { skip }
init { byte z; run P(4); _nr_pr == 1; z = P[1]:k; assert(z == 4) }
