-- expect: holds
-- states: 7
-- rules: 15
-- Scalarsets: equality, arrays over them, assignment; no order, no arithmetic.
type P : scalarset(3);
var at : array [P] of boolean; last : P;
startstate begin for p : P do at[p] := false; end; undefine last; end;
ruleset p : P do
  rule "enter" !at[p] & (forall q : P do !at[q] end) ==> begin at[p] := true; last := p; end;
  rule "leave" at[p] & last = p ==> begin at[p] := false; end;
end;
invariant "one" forall p : P do forall q : P do at[p] & at[q] -> p = q end end;
