// expect: holds
// states: 159
// An array of channels with an index that is only known when it runs.
chan q[3] = [1] of { byte };

active proctype s() { byte i; do :: i < 3 -> q[i]!i; i++ :: else -> break od }
active [3] proctype r() { byte x; q[_pid - 1]?x; assert(x == _pid - 1) }
