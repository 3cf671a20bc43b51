-- error: 3:12
-- A number that does not fit into 64 bits.
var x : 0..99999999999999999999;
startstate begin end;
rule "r" begin end;
