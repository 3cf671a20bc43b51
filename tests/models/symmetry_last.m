-- expect: violated "the last is marked"
-- trace: 2
-- rumur: no, its symmetry reduction takes no account of the order
-- A loop over a scalarset that depends on the order of its rounds: which element is the last one.
-- Of the two states with one mark only one leads to the violation, and symmetry would take them for
-- the same.
type P : scalarset(2);
var mark : array [P] of boolean; last : P;
startstate begin for p : P do mark[p] := false; end; undefine last; end;
ruleset p : P do
  rule "mark" forall q : P do !mark[q] end ==> begin mark[p] := true; end;
end;
rule "look" isundefined(last) & exists p : P do mark[p] end ==>
begin for p : P do last := p; end; end;
rule "again" !isundefined(last) ==> begin undefine last; end;
invariant "the last is marked" isundefined(last) | mark[last];
