-- error: 5:16
-- A scalar has no elements.
var x : 0..3;
startstate begin x := 0; end;
rule "r" begin x[1] := 0; end;
