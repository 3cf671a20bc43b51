-- error: 3:26
-- A range whose bound is a variable.
var x : 0..3; var y : 0..x;
startstate begin x := 0; y := 0; end;
rule "r" begin x := 0; end;
