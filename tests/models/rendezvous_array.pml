// expect: holds
// states: 54
// Rendezvous on an array of channels with an index of the sender's.
chan c[2] = [0] of { byte };

active proctype s() { byte i; do :: c[i]!i + 5; i = 1 - i :: break od }
active [2] proctype r() { byte x; end: do :: c[_pid - 1]?x -> assert(x == _pid + 4); x = 0 od }
