-- error: 5:10
-- A guard that is a number.
var x : 0..3;
startstate begin x := 0; end;
rule "r" x + 1 ==> begin x := 0; end;
