-- expect: violated "assertions and errors"
-- trace: 4
-- Assigning 4 to a variable of 0..3.
var x : 0..3; n : 0..7;
startstate begin x := 0; n := 0; end;
rule "up" begin x := x + 1; n := n + 1; end;
