-- error: 5:38 y
-- A name that nothing declares.
var x : 0..3;
startstate begin x := 0; end;
rule "r" x < 3 ==> begin x := x + 1; y := 0; end;
