// expect: holds
// states: 42
// Several senders, several receivers: any pair may meet.
chan c = [0] of { byte };
byte got[2];

active [2] proctype s() { c!_pid + 1 }
active [2] proctype r() { byte x; if :: c?x -> got[x - 1]++ fi; assert(got[0] <= 1 && got[1] <= 1) }
