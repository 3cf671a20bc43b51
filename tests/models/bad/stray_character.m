-- error: 5:25
-- A character that means nothing.
var x : 0..3;
startstate begin x := 0; end;
rule "r" begin x := x + $1; end;
