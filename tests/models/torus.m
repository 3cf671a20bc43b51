-- expect: holds
-- states: 8000
-- rules: 48000
-- with: LIMIT=15 expect: violated "below" trace: 5
--
-- Three counters that go round, one step up or down at a time: every state has six neighbours that
-- lead to it, mostly at the same time. A store that takes a state in twice, or loses one, when two
-- threads come with it at once shows it here.

const
  SIZE : 20;
  LIMIT : 20;

type
  COUNT : 0..SIZE-1;

var
  x : array [0..2] of COUNT;

startstate "middle"
begin
  for i : 0..2 do x[i] := SIZE / 2; end;
end;

ruleset i : 0..2 do
  rule "up"
  begin
    x[i] := (x[i] + 1) % SIZE;
  end;

  rule "down"
  begin
    x[i] := (x[i] + SIZE - 1) % SIZE;
  end;
end;

invariant "below" forall i : 0..2 do x[i] < LIMIT end;
