// expect: holds
// states: 21
// Parameters of an active proctype are 0.
active [2] proctype p(byte n; bool b) { assert(n == 0 && !b); n++; assert(n == 1) }
