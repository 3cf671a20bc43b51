// expect: violated "deadlock"
// trace: 0
// A process does not meet itself.
chan c = [0] of { byte };

active proctype p() { byte x; do :: c!1 :: c?x od }
