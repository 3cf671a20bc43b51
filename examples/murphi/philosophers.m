-- expect: holds
-- states: 320
-- rules: 1060
-- with: LEFT_HANDED=0 expect: violated "deadlock" trace: 8
--
-- The dining philosophers.
--
-- N philosophers sit around a table with one fork between any two neighbours.
-- A hungry philosopher takes the two adjacent forks one after the other, eats,
-- and puts them back one after the other.  If all of them take the fork on the
-- same side first, each may hold one fork and wait for ever for the other one.
-- A single philosopher who starts at the other side breaks the circle.
--
-- Constants
--   N            number of philosophers
--   LEFT_HANDED  how many philosophers (the ones numbered from 0) take the
--                left fork first, the others begin with the right one.
--                0 gives the classic deadlock.

const
  N : 4;
  LEFT_HANDED : 1;

type
  SEAT : 0..N-1;

  -- Fork s lies to the right of philosopher s, fork s + 1 to the left.
  FORK : record
    taken : boolean;
    owner : SEAT;  -- undefined while on the table
  end;

  MOOD : enum { Thinking, Hungry, HasOne, Eating, Sated };

var
  mood : array [SEAT] of MOOD;
  fork : array [SEAT] of FORK;


function FirstFork(s : SEAT) : SEAT;
begin
  if s < LEFT_HANDED then
    return (s + 1) % N;
  else
    return s;
  end;
end;

function SecondFork(s : SEAT) : SEAT;
begin
  if s < LEFT_HANDED then
    return s;
  else
    return (s + 1) % N;
  end;
end;

procedure Take(var f : FORK; s : SEAT);
begin
  assert !f.taken "a fork is taken from the table only";
  f.taken := true;
  f.owner := s;
end;

procedure PutBack(var f : FORK);
begin
  f.taken := false;
  undefine f.owner;
end;


startstate "Init"
  for s : SEAT do
    mood[s] := Thinking;
    PutBack(fork[s]);
  end;
end;

ruleset s : SEAT do

  rule "GetHungry"
    mood[s] = Thinking
  ==>
  begin
    mood[s] := Hungry;
  end;

  rule "TakeFirst"
    mood[s] = Hungry & !fork[FirstFork(s)].taken
  ==>
  begin
    Take(fork[FirstFork(s)], s);
    mood[s] := HasOne;
  end;

  rule "TakeSecond"
    mood[s] = HasOne & !fork[SecondFork(s)].taken
  ==>
  begin
    Take(fork[SecondFork(s)], s);
    mood[s] := Eating;
  end;

  rule "PutSecond"
    mood[s] = Eating
  ==>
  begin
    PutBack(fork[SecondFork(s)]);
    mood[s] := Sated;
  end;

  rule "PutFirst"
    mood[s] = Sated
  ==>
  begin
    PutBack(fork[FirstFork(s)]);
    mood[s] := Thinking;
  end;

end;

invariant "EatersHoldBothForks"
  forall s : SEAT do
    mood[s] = Eating -> fork[s].owner = s & fork[(s + 1) % N].owner = s
  end;

invariant "NeighboursDoNotEat"
  forall s : SEAT do
    !(mood[s] = Eating & mood[(s + 1) % N] = Eating)
  end;
