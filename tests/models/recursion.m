-- expect: holds
-- states: 7
-- rules: 7
-- Recursion.
var n : 0..6; f : 0..720;
function fact(k : 0..6) : 0..720; begin if k = 0 then return 1; end; return k * fact(k - 1); end;
startstate begin n := 0; f := 1; end;
rule "next" begin n := (n + 1) % 7; f := fact(n); end;
invariant "factorial" f = fact(n);
