-- expect: violated "assertions and errors"
-- trace: 5
-- says: gone too far
-- An error statement behind a condition.
var x : 0..9;
startstate begin x := 0; end;
rule "up" begin if x = 4 then error "gone too far"; end; x := x + 1; end;
