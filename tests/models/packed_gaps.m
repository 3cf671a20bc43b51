-- expect: holds
-- states: 64
-- rules: 192
--
-- Two fields of 34 bits and three of 30: two of the three lie beside a wide
-- one, the third has a word of its own, so that the place of h[i] is not the
-- same distance from one i to the next.  Each h[i] turns through four values.

type W : 0..10000000000; H : 0..1000000000;
var p : W; q : W; h : array [0..2] of H;
startstate begin p := 9999999999; q := 9999999998; for i : 0..2 do h[i] := 999999997; end; end;
ruleset i : 0..2 do
  rule "turn" begin h[i] := h[i] = 1000000000 ? 999999997 : h[i] + 1; end;
end;
invariant "kept" p = 9999999999 & q = 9999999998 & forall i : 0..2 do h[i] >= 999999997 end;
