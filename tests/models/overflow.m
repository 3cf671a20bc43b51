-- expect: violated "assertions and errors"
-- rumur: no, its value type has 32 bits here
-- trace: 2
-- Arithmetic that leaves 64 bits: 2^40 squared. Two steps: the first is fine (2^20 squared),
-- the second fails.
var x : 0..1099511627776; n : 0..3;
startstate begin x := 1048576; n := 0; end;
rule "square" begin x := (x * x) % 1099511627777; n := n + 1; end;
