-- expect: violated "assertions and errors"
-- trace: 4
-- An element whose field is undefined is a candidate: its guard fails, but only where the condition
-- before it holds.
type node : 0..4;
var
  at : array [node] of 0..2;
  who : node;
  n : 0..3;
startstate begin
  for i : 0..3 do at[i] := 0; end;
  n := 0;
  undefine who;
end;
rule "count" n < 3 ==> begin n := n + 1; end;
ruleset i : node do
  rule "step" n > 2 & i != 4 & at[i] = 1 ==> begin at[i] := 2; end;
  rule "last" n = 3 & at[i] = 1 ==> begin at[i] := 2; end;
end;
