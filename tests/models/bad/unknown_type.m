-- error: 3:9 T
-- A type that nothing declares.
var x : T;
startstate begin end;
rule "r" begin end;
