-- expect: holds
-- rumur: no, it crashes on a ruleset over a range with steps
-- states: 64
-- rules: 256
-- The model ruleset_nested.m with its range written with a step: the same numbers.
type C : enum { A, B };
var v : array [C] of 0..4; w : array [boolean] of 0..2;
startstate begin for c : C do v[c] := 0; end; for b : boolean do w[b] := 0; end; end;
ruleset c : C; k := 0 to 4 by 2 do
  ruleset b : boolean do
    rule "put" w[b] = k / 2 ==> begin v[c] := k; w[b] := (w[b] + 1) % 3; end;
  end;
end;
