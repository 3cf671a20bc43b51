-- expect: holds
-- states: 8
-- rules: 32
--
-- What is undefined in a gets to c over b, though the copy to c stands first.

type T : array [0..1] of boolean;
var a : T; b : T; c : T;
startstate begin clear a; clear b; clear c; end;
rule "second" begin c := b; end;
rule "first" begin b := a; end;
rule "lose" begin undefine a[0]; end;
rule "find" begin a[0] := false; end;
invariant "other" !a[1] & !b[1] & !c[1];
