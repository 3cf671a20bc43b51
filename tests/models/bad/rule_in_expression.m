-- error: 5:21
-- A keyword where an expression belongs.
var x : 0..3;
startstate begin x := 0; end;
rule "r" begin x := rule; end;
