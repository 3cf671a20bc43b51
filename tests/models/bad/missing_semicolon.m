-- error: 5:37
-- Two statements with nothing between them.
var x : 0..3;
startstate begin x := 0; end;
rule "r" x < 3 ==> begin x := x + 1 x := 0; end;
