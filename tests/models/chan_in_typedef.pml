// expect: holds
// states: 20
// Channels inside records, in arrays of them.
typedef port { chan in = [1] of { byte }; chan out = [1] of { byte }; byte uses };
port p[2];

active [2] proctype echo() { byte x; p[_pid].in?x; p[_pid].uses++; p[_pid].out!x + 1 }
active proctype main() { byte y; p[1].in!4; p[1].out?y; assert(y == 5 && p[1].uses == 1 && p[0].uses == 0); p[0].in!1 }
