-- expect: holds
-- states: 12448
-- rules: 58320
-- with: BUG=1 expect: violated "MutualExclusion" trace: 10
--
-- Mutual exclusion on a ring: N stations pass a token around, and only the
-- station that has it may enter its critical section.
--
-- The token travels over one-place links; link s leads from station s to the
-- next one.  A station that has no wish to enter passes the token on at once,
-- the others enter first.
--
-- Constants
--   N    number of stations
--   BUG  1 makes a station send the token again if the link to its successor
--        is empty soon after it was sent ("it must have been lost"): since the
--        successor may simply have taken it, there may be two tokens then.

const
  N : 5;
  BUG : 0;

type
  STATION : 0..N-1;
  COUNT : 0..2*N;
  ACTIVITY : enum { Idle, Waiting, Critical };

var
  activity : array [STATION] of ACTIVITY;
  token : array [STATION] of boolean;  -- held by the station
  link : array [STATION] of boolean;   -- on the way to the next station
  sent : array [STATION] of boolean;   -- passed on, and the next not heard of


function Next(s : STATION) : STATION;
begin
  return (s + 1) % N;
end;

function Tokens() : COUNT;
var
  n : COUNT;
begin
  n := 0;
  for s : STATION do
    if token[s] then
      n := n + 1;
    end;
    if link[s] then
      n := n + 1;
    end;
  end;
  return n;
end;


startstate "Init"
  for s : STATION do
    activity[s] := Idle;
    token[s] := s = 0;
    link[s] := false;
    sent[s] := false;
  end;
end;

ruleset s : STATION do

  rule "Request"
    activity[s] = Idle
  ==>
  begin
    activity[s] := Waiting;
  end;

  rule "Enter"
    activity[s] = Waiting & token[s]
  ==>
  begin
    activity[s] := Critical;
  end;

  rule "Leave"
    activity[s] = Critical
  ==>
  begin
    activity[s] := Idle;
  end;

  rule "Pass"
    token[s] & activity[s] = Idle & !link[s]
  ==>
  begin
    token[s] := false;
    link[s] := true;
    sent[s] := true;
  end;

  rule "Accept"
    link[s] & !token[Next(s)]
  ==>
  begin
    link[s] := false;
    token[Next(s)] := true;
  end;

  -- The successor passing the token on shows that it has arrived.
  rule "Heard"
    sent[s] & sent[Next(s)]
  ==>
  begin
    sent[s] := false;
  end;

  rule "Resend"
    BUG = 1 & sent[s] & !link[s]
  ==>
  begin
    link[s] := true;
  end;

end;

invariant "MutualExclusion"
  forall s : STATION do
    forall t : STATION do
      s != t -> !(activity[s] = Critical & activity[t] = Critical)
    end
  end;

-- A second token is what the bug is about: judge it by its consequence only.

invariant "OneToken"
  BUG = 0 -> Tokens() = 1;
