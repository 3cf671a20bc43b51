-- expect: holds
-- states: 15
-- rules: 15
-- Division truncates toward zero and modulo has the sign of the dividend, as in C.
var x : -7..7;
startstate begin x := -7; end;
rule "up" begin if x = 7 then x := -7; else x := x + 1; end; end;
invariant "quotient" x / 2 * 2 + x % 2 = x;
invariant "minus seven" x = -7 -> x / 2 = -3 & x % 2 = -1 & -x / 2 = 3;
