// expect: holds
// states: 42
// Processes that are started inside an atomic sequence wait for its end.
byte n;

proctype p() { n++; assert(n <= 3) }

init { atomic { run p(); assert(n == 0); run p(); assert(n == 0); run p() } }
