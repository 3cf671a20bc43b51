-- expect: violated "assertions and errors"
-- trace: 4
-- An undefined read in a guard.
var x : 0..4; y : 0..4;
startstate begin x := 0; end;
rule "up" x < 4 ==> begin x := x + 1; end;
rule "use" x > 2 & y = 1 ==> begin x := 0; end;
