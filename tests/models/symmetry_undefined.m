-- expect: violated "assertions and errors"
-- trace: 2
-- rumur: no, its symmetry reduction takes no account of the order
-- "exists" stops at the first element that decides; the other one's value cannot be read. Which of
-- the two comes first depends on the names: the one state fails, the one symmetric to it does not.
type P : scalarset(2);
var value : array [P] of 0..1; free : array [P] of boolean; done : boolean;
startstate begin undefine value; for p : P do free[p] := true; end; done := false; end;
ruleset p : P do
  rule "set" forall q : P do free[q] end ==> begin value[p] := 1; free[p] := false; end;
end;
rule "look" !done & exists p : P do !free[p] end ==>
begin done := exists p : P do value[p] = 1 end; end;
rule "again" done ==> begin done := false; end;
