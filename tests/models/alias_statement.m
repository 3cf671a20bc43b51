-- expect: holds
-- states: 15
-- rules: 15
-- An alias names the object of the moment it was made, although its index changes.
var a : array [0..2] of 0..4; i : 0..2;
startstate begin for k := 0 to 2 do a[k] := 0; end; i := 0; end;
rule "alias" begin
  alias e : a[i]; do i := (i + 1) % 3; e := (e + 1) % 5; end;
end;
invariant "behind" a[i] = (a[(i + 1) % 3] + 0) % 5 | true;
