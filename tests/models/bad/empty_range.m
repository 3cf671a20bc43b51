-- error: 3:9
-- A range whose end lies before its beginning.
var x : 3..0;
startstate begin end;
rule "r" begin end;
