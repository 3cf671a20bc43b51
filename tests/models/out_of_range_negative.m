-- expect: violated "assertions and errors"
-- trace: 3
-- A range below zero, left at its lower end.
var x : -3..3;
startstate begin x := 2; end;
rule "down" begin x := x - 2; end;
