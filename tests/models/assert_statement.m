-- expect: violated "assertions and errors"
-- trace: 4
-- says: x stays small
-- An assertion inside a body.
var x : 0..9;
startstate begin x := 0; end;
rule "up" x < 9 ==> begin assert "x stays small" x < 3; x := x + 1; end;
