-- expect: holds
-- states: 5
-- rules: 5
-- A counter modulo N: the smallest model there is.
const N : 5;
var x : 0..N-1;
startstate begin x := 0; end;
rule "tick" begin x := (x + 1) % N; end;
invariant "in range" x >= 0 & x < N;
