// expect: holds
// states: 31
// _pid in indices and expressions, of processes with different pids.
byte a[5];

active [4] proctype p() { a[(_pid + 1) % 4] = _pid * 2 + a[_pid] % 2 }
