// expect: holds
// states: 5
// A channel declared in a process is gone with it.
proctype p() { chan c = [1] of { byte }; c!1; c?1 }

init { do :: run p(); _nr_pr == 1 od }
