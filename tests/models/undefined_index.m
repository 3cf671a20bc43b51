-- expect: violated "assertions and errors"
-- trace: 4
-- An undefined index.
var a : array [0..2] of boolean; i : 0..2; n : 0..3;
startstate begin n := 0; for k := 0 to 2 do a[k] := true; end; end;
rule "count" n < 3 ==> begin n := n + 1; end;
rule "look" n = 3 ==> begin if a[i] then n := 0; end; end;
