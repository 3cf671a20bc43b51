// expect: violated "deadlock"
// trace: 4
// Blocked on a rendezvous after some steps (breadth-first search once lost these).
chan a = [0] of { byte };

active proctype p() { byte x; a!1; a!2; a!3 }
active proctype q() { byte x; a?x; a?x; x = 0 }
