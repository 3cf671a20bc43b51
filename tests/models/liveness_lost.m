-- expect: violated "home"
-- states: 12
-- rules: 24
-- trace: 3
-- says: for p = 1
-- One obligation per instance: process 0 can always go home, process 1 can get lost.
const N : 2;
type P : 0..N-1;
var pc : array [P] of 0..3;
startstate begin for p : P do pc[p] := 0; end; end;
ruleset p : P do
  rule "go" pc[p] < 2 ==> begin pc[p] := pc[p] + 1; end;
  rule "back" pc[p] = 2 ==> begin pc[p] := 0; end;
  rule "lose" pc[p] = 2 & p = 1 ==> begin pc[p] := 3; end;
  liveness "home" pc[p] = 0;
end;
liveness "somebody at two" exists p : P do pc[p] = 2 end;
