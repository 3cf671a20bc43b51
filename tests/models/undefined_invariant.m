-- expect: violated
-- trace: 3
-- An undefined read while an invariant is evaluated.
var x : 0..4; y : 0..4;
startstate begin x := 0; y := 0; end;
rule "up" x < 4 ==> begin x := x + 1; end;
rule "lose" x = 2 ==> begin undefine y; end;
invariant "y small" y < 3;
