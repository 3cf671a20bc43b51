-- expect: violated "assertions and errors"
-- trace: 4
-- An index that leaves the array while writing.
type I : 1..4;
var a : array [I] of boolean; i : 0..7;
startstate begin i := 4; for k : I do a[k] := false; end; end;
rule "back" begin i := i - 1; a[i] := true; end;
