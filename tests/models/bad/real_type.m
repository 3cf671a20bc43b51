-- error: 3:9 real
-- Reals are refused with a sentence.
var x : real(4, 4);
startstate begin end;
rule "r" begin end;
