-- expect: holds
-- states: 10
-- rules: 10
-- Cover goals, by property and by statement, all reached.
var x : 0..9;
startstate begin x := 0; end;
rule "up" begin x := (x + 1) % 10; if x = 4 then cover "statement" true; end; end;
cover "nine" x = 9;
