-- expect: holds
-- states: 32
-- rules: 130
-- Bitwise operators and shifts on numbers; & and | on booleans are logic.
var x : 0..15; b : boolean;
startstate begin x := 1; b := false; end;
rule "shift left" begin x := (x << 1) & 15; end;
rule "or" begin x := x | 1; b := b | x = 3; end;
rule "xor" begin x := x ^ 6; end;
rule "right" x >> 2 > 0 ==> begin x := x >> 2; end;
rule "not" (~x & 3) = 0 ==> begin x := ~x & 15; end;
rule "reset" x = 0 ==> begin x := 1; end;
invariant "negative shift" 8 >> -1 = 16 & 8 << -2 = 2;
