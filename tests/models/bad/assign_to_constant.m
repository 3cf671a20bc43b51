-- error: 5:16
-- A constant is not a place to put something.
const N : 3; var x : 0..3;
startstate begin x := 0; end;
rule "r" begin N := 2; end;
