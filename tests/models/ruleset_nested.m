-- expect: holds
-- states: 64
-- rules: 256
-- Nested rulesets, several quantifiers, an enum and a boolean.
type C : enum { A, B };
var v : array [C] of 0..4; w : array [boolean] of 0..2;
startstate begin for c : C do v[c] := 0; end; for b : boolean do w[b] := 0; end; end;
ruleset c : C; k : 0..2 do
  ruleset b : boolean do
    rule "put" w[b] = k ==> begin v[c] := 2 * k; w[b] := (w[b] + 1) % 3; end;
  end;
end;
