-- error: 6:21 f
-- A function called with too many arguments.
var x : 0..3;
function f(a : 0..3) : 0..3; begin return a; end;
startstate begin x := 0; end;
rule "r" begin x := f(x, 1); end;
