-- expect: holds
-- states: 4
-- rules: 4
-- An undefined value may be passed by value; only reading the parameter would be an error.
var x : 0..3; y : 0..3;
procedure p(v : 0..3; w : 0..3); begin x := w; end;
startstate begin x := 0; end;
rule "r" x < 3 ==> begin p(y, x + 1); end;
rule "b" x = 3 ==> begin x := 0; end;
