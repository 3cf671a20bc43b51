-- expect: holds
-- states: 9
-- rules: 9
-- with: N=4 expect: holds states: 8 rules: 8
-- Constants made of constants, and overridden.
const N : 3; M : N * N - 1; BIG : M > 7 ? 2 : 1; TRUTH : N > 2;
type R : 0..M;
var x : R;
startstate begin x := 0; end;
rule "step" TRUTH | x = 0 ==> begin x := (x + BIG) % (M + 1); end;
