-- expect: violated "eleven"
-- states: 10
-- rules: 10
-- A cover goal nobody reaches is a failure, found when the search is complete.
var x : 0..19;
startstate begin x := 0; end;
rule "up" begin x := (x + 1) % 10; end;
cover "nine" x = 9;
cover "eleven" x = 11;
