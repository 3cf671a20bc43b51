// expect: violated "deadlock"
// trace: 0
// Two processes that both want to send first.
chan a = [0] of { byte };
chan b = [0] of { byte };

active proctype p() { byte x; a!1; b?x }
active proctype q() { byte x; b!1; a?x }
