-- expect: violated "assertions and errors"
-- trace: 4
-- Modulo by a variable that reaches zero.
var x : 0..9; d : 0..3;
startstate begin x := 9; d := 3; end;
rule "modulo" begin x := 9 % d; d := d - 1; end;
