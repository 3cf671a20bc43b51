-- expect: violated "the first is not marked"
-- trace: 2
-- rumur: no, its symmetry reduction takes no account of the order
-- The same in a function that returns from a loop, and through a local variable.
type P : scalarset(2);
var mark : array [P] of boolean; up : array [P] of boolean; first : P;
function First() : P;
begin
  for p : P do if up[p] then return p; end; end;
  error "nobody is up";
end;
startstate begin for p : P do mark[p] := false; up[p] := true; end; undefine first; end;
ruleset p : P do
  rule "mark" forall q : P do !mark[q] end ==> begin mark[p] := true; end;
end;
rule "look" isundefined(first) & exists p : P do mark[p] end ==>
var found : P;
begin
  found := First();
  first := found;
end;
rule "again" !isundefined(first) ==> begin undefine first; end;
invariant "the first is not marked" isundefined(first) | !mark[first];
