-- expect: violated "assertions and errors"
-- trace: 4
-- Division by a variable that reaches zero.
var x : 0..9; d : 0..3;
startstate begin x := 9; d := 3; end;
rule "divide" begin x := 9 / d; d := d - 1; end;
