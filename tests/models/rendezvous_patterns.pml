// expect: holds
// states: 4
// Only a receiver whose pattern fits can meet.
mtype = { a, b };
chan c = [0] of { mtype, byte };
byte k = 4;

active proctype s() { c!a, 4; c!b, 5 }
active proctype r1() { c?a, eval(k) }
active proctype r2() { byte x; c?b, x; assert(x == 5) }
active proctype r3() { end: c?a, 9 -> assert(false) }
