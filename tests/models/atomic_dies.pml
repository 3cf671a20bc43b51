// expect: holds
// states: 11
// The end of a process inside its atomic sequence: the last move of dying is a step of its own.
byte x;

proctype p() { atomic { x++; x++ } }

init { atomic { run p(); run p() }; _nr_pr == 1; assert(x == 4) }
