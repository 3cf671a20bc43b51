-- expect: holds
-- states: 5
-- rules: 5
-- A range without a step runs downward when its end lies below its beginning, as in Rumur: from
-- 1 to n takes n rounds for n >= 1, and two for n = 0.
var n : 0..4; c : 0..9;
startstate begin n := 0; c := 4; end;
rule "count" begin c := 0; for i := 1 to n do c := c + 1; end; n := (n + 1) % 5; end;
invariant "rounds" n = 0 ? c = 4 : (n = 1 ? c = 2 : c = n - 1);
