-- expect: holds
-- states: 4374
-- rules: 13122
-- for over a range with steps up and down; the bounds are taken once on entry.
var a : array [0..5] of 0..2; n : 0..5;
startstate begin for i := 0 to 5 do a[i] := 0; end; n := 5; end;
rule "evens" begin for i := 0 to n by 2 do a[i] := (a[i] + 1) % 3; n := 5; end; end;
rule "down" begin for i := n to 0 by -3 do a[i] := (a[i] + 1) % 3; end; end;
rule "shrink" begin n := (n + 5) % 6; end;
