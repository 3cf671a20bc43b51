-- expect: violated "assertions and errors"
-- trace: 2
-- No element is the one that an undefined variable names: reading it is an error for each of them.
type node : 0..4;
var
  at : array [node] of boolean;
  who : node;
startstate begin
  for i : node do at[i] := false; end;
  who := 3;
end;
ruleset i : node do
  rule "named" who = i & !at[i] ==> begin at[i] := true; undefine who; end;
end;
invariant "only one" forall i : node do forall j : node do at[i] & at[j] -> i = j end end;
