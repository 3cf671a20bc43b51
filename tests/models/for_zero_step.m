-- expect: violated "assertions and errors"
-- trace: 3
-- A step that turns out to be zero is an error, in the third step.
var n : 0..4; c : 0..9;
startstate begin n := 2; c := 0; end;
rule "count" begin c := 0; for i := 1 to 4 by n do c := c + 1; end; n := n - 1; end;
