-- error: 3:9 scalars
-- A state that would not fit.
var a : array [0..999999] of array [0..9999] of boolean;
startstate begin end;
rule "r" begin end;
