-- expect: holds
-- states: 18
-- rules: 18
-- A var parameter m[i] names the element of the call, although the callee changes i.
var m : array [0..2] of 0..5; i : 0..2;
procedure set(var p : 0..5); begin i := (i + 1) % 3; p := (p + 1) % 6; end;
startstate begin for k := 0 to 2 do m[k] := 0; end; i := 0; end;
rule "set" begin set(m[i]); end;
invariant "in turn" m[0] = m[1] | m[0] = (m[1] + 1) % 6;
