-- expect: holds
-- states: 13
-- rules: 13
-- forall and exists over ranges with a step.
var a : array [0..6] of boolean; k : 0..6;
startstate begin for i := 0 to 6 do a[i] := false; end; k := 0; end;
rule "even" exists i := 0 to 6 by 2 do !a[i] end ==> begin a[k] := true; k := (k + 2) % 7; end;
rule "again" forall i := 0 to 6 by 2 do a[i] end ==> begin clear a; end;
invariant "some" forall i := 0 to 6 do a[i] -> exists j := 0 to i do a[j] end end;
