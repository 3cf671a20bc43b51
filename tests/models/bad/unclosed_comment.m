-- error: 5:1
-- A comment that never ends.
var x : 0..3;
startstate begin x := 0; end;
/* rule "r" begin x := 0; end;
