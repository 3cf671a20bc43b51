-- expect: violated "assertions and errors"
-- rumur: no, it has no limit and would not end
-- trace: 3
-- A loop that never ends in the third step (x = 2) runs into the limit.
var x : 0..9;
startstate begin x := 0; end;
rule "loop" begin while x = 2 do x := 2; end; x := x + 1; end;
