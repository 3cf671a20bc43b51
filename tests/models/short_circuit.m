-- expect: holds
-- states: 8
-- rules: 8
-- & | -> and ?: look at the right side only when needed: y may be undefined there.
var x : 0..3; y : 0..3;
startstate begin x := 0; end;
rule "set" x = 3 ==> begin y := x; x := 0; end;
rule "up" x < 3 & (isundefined(y) | y = 3) ==> begin x := x + 1; end;
invariant "and" !(!isundefined(y) & y != 3);
invariant "implies" !isundefined(y) -> y = 3;
invariant "choice" isundefined(y) ? true : y = 3;
