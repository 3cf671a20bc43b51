-- expect: violated "assertions and errors"
-- trace: 3
-- An assertion with its text behind the expression, reached in a procedure.
var x : 0..9;
procedure grow(); begin assert x != 2 "two is bad"; x := x + 1; end;
startstate begin x := 0; end;
rule "up" x < 9 ==> begin grow(); end;
