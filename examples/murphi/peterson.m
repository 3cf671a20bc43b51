-- expect: holds
-- states: 18165
-- rules: 54064
-- with: BUG=1 expect: violated "MutualExclusion" trace: 20
--
-- Peterson's mutual exclusion algorithm for N processes (the filter lock).
--
-- A process climbs N - 1 rungs.  On each it announces the rung, lets itself be
-- the last to have arrived there, and waits until no other process is on this
-- rung or above, or until somebody else has arrived after it.  Each rung holds
-- back at least one process, so that at most one gets through the last.
--
-- Announcing, signing in and passing are separate atomic steps.
--
-- Constants
--   N    number of processes
--   BUG  1 lets a process sign in as the last one before it announces the
--        rung, which is the classic mistake with this algorithm.

const
  N : 4;
  BUG : 0;

type
  PID : scalarset(N);
  LEVEL : 0..N-1;  -- 0: not interested
  RUNG : 1..N-1;
  LABEL : enum { Resting, First, Second, Waiting, Critical };

var
  pc : array [PID] of LABEL;
  rung : array [PID] of LEVEL;   -- private: the rung being climbed
  level : array [PID] of LEVEL;  -- shared: the rung announced
  last : array [RUNG] of PID;    -- shared: who came last; undefined at first


-- Nobody else is on rung r or above.

function Alone(i : PID; r : RUNG) : boolean;
begin
  return forall j : PID do j != i -> level[j] < r end;
end;

-- The two steps of arriving at a rung, in the right or the wrong order.

procedure Arrive(i : PID; announce : boolean);
begin
  if announce then
    level[i] := rung[i];
  else
    last[rung[i]] := i;
  end;
end;


startstate "Init"
  for i : PID do
    pc[i] := Resting;
    rung[i] := 0;
    level[i] := 0;
  end;
  for r : RUNG do
    undefine last[r];
  end;
end;

ruleset i : PID do

  rule "Request"
    pc[i] = Resting
  ==>
  begin
    rung[i] := 1;
    pc[i] := First;
  end;

  rule "ArriveFirst"
    pc[i] = First
  ==>
  begin
    Arrive(i, BUG != 1);
    pc[i] := Second;
  end;

  rule "ArriveSecond"
    pc[i] = Second
  ==>
  begin
    Arrive(i, BUG = 1);
    pc[i] := Waiting;
  end;

  -- last[rung[i]] is defined here: the process itself has set it.
  rule "Pass"
    pc[i] = Waiting & (Alone(i, rung[i]) | last[rung[i]] != i)
  ==>
  begin
    if rung[i] = N - 1 then
      pc[i] := Critical;
    else
      rung[i] := rung[i] + 1;
      pc[i] := First;
    end;
  end;

  rule "Leave"
    pc[i] = Critical
  ==>
  begin
    rung[i] := 0;
    level[i] := 0;
    pc[i] := Resting;
  end;

end;

invariant "MutualExclusion"
  forall i : PID do
    forall j : PID do
      pc[i] = Critical & pc[j] = Critical -> i = j
    end
  end;

invariant "SignedIn"
  forall r : RUNG do
    (exists i : PID do pc[i] = Waiting & rung[i] = r end) ->
      !isundefined(last[r])
  end;
