-- expect: holds
-- states: 4
-- rules: 4
-- ?: with another in brackets, -> binds weaker than |, comparisons of booleans.
var x : 0..5;
startstate begin x := 0; end;
rule "next" begin x := x < 2 ? x + 1 : (x < 4 ? x + 2 : 0); end;
invariant "implies" x = 1 -> x > 0 | x = 9;
invariant "equal truth" (x = 1) = (x != 0 & x < 2);
