-- expect: violated "assertions and errors"
-- trace: 3
-- A function that ends without a value, in the third step.
var x : 0..5;
function f(v : 0..5) : 0..5; begin if v < 2 then return v + 1; end; end;
startstate begin x := 0; end;
rule "go" begin x := f(x); end;
