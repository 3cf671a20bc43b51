-- expect: violated "assertions and errors"
-- trace: 1
-- An undefined value passed by value is an error when the parameter is read.
var x : 0..3; y : 0..3;
procedure p(v : 0..3; w : 0..3); begin x := w; y := v; end;
startstate begin x := 0; end;
rule "r" x < 3 ==> begin p(y, x + 1); end;
rule "b" x = 3 ==> begin x := 0; end;
