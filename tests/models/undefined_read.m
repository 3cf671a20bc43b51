-- expect: violated "assertions and errors"
-- trace: 4
-- y has no value until it is set; the rule reads it too early.
var x : 0..4; y : 0..4;
startstate begin x := 0; end;
rule "up" x < 4 ==> begin x := x + 1; end;
rule "use" x = 3 ==> begin x := y; end;
rule "set" x = 4 ==> begin y := 1; end;
