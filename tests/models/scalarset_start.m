-- expect: holds
-- states: 16
-- rules: 48
-- A start state for each value of a scalarset.
type P : scalarset(4);
var x, y : P;
ruleset p : P do startstate begin x := p; y := p; end; end;
ruleset p : P do rule "move" p != x ==> begin y := x; x := p; end; end;
