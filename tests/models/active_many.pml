// expect: holds
// states: 121
// `active [n]`: n processes, with pids in the order of the text; init is the last here.
byte seen[4];

active [2] proctype a() { assert(_pid < 2); seen[_pid] = 1 }
active proctype b() { assert(_pid == 2); seen[_pid] = 1 }
init { assert(_pid == 3 && _nr_pr >= 1); seen[_pid] = 1 }
