-- expect: violated "assertions and errors"
-- trace: 5
-- An index that leaves the array while reading.
type I : 1..4;
var a : array [I] of boolean; i : 0..7;
startstate begin i := 1; for k : I do a[k] := false; end; end;
rule "next" begin if !a[i] then i := i + 1; end; end;
