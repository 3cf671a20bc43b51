-- expect: holds
-- states: 64
-- rules: 256
-- Whole arrays and records are copied leaf by leaf into locals.
type A : array [0..2] of boolean;
var a, b : A;
startstate begin for i := 0 to 2 do a[i] := false; b[i] := false; end; end;
ruleset i : 0..2 do rule "flip" begin a[i] := !a[i]; end; end;
rule "copy" var c : A; begin c := a; a := b; b := c; end;
