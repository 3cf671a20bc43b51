-- expect: violated "mutex"
-- trace: 4
-- with: FIXED=1 expect: holds states: 4 rules: 6
-- Test and set in two steps; FIXED makes it one.
const FIXED : 0; N : 3;
type P : 0..N-1;
var pc : array [P] of enum { Idle, Tested, In }; lock : boolean;
startstate begin lock := false; for p : P do pc[p] := Idle; end; end;
ruleset p : P do
  rule "test" pc[p] = Idle & !lock ==> begin pc[p] := Tested; if FIXED = 1 then lock := true; pc[p] := In; end; end;
  rule "set" pc[p] = Tested ==> begin lock := true; pc[p] := In; end;
  rule "leave" pc[p] = In ==> begin lock := false; pc[p] := Idle; end;
end;
invariant "mutex" forall p : P do forall q : P do p != q -> !(pc[p] = In & pc[q] = In) end end;
