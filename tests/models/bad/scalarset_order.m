-- error: 5:27
-- Scalarset values have no order.
type P : scalarset(3); var p : P;
startstate begin undefine p; end;
ruleset q : P do rule "r" p < q ==> begin p := q; end; end;
