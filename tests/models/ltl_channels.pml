// expect: holds
// spin: no, its formulas have no full and empty
// Channels in formulas: polls, lengths.
chan c = [2] of { byte };

active proctype s() { do :: c!1 :: c!2 od }
active proctype r() { byte x; do :: c?x od }
ltl p1 { [] (full(c) -> len(c) == 2) }
ltl p2 { [] (c?[1] -> nempty(c)) }
ltl p3 { [] (empty(c) -> !c?[2]) }
