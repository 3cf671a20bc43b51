-- error: 6:18
-- A var parameter wants a place.
var x : 0..3;
procedure p(var a : 0..3); begin a := 0; end;
startstate begin x := 0; end;
rule "r" begin p(x + 1); end;
