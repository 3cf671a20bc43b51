-- expect: violated "assertions and errors"
-- rumur: no, its verifier would overflow its stack
-- trace: 2
-- Endless recursion ends at the limit on nested calls, in the second step.
var n : 0..6;
function deep(k : 0..6) : 0..6; begin if n = 0 then return k; end; return deep(k); end;
startstate begin n := 0; end;
rule "next" begin n := deep(n) + 1; end;
