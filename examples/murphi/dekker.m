-- expect: holds
-- states: 1152
-- rules: 2304
-- with: BUG=1 expect: violated "MutualExclusion" trace: 6
--
-- Dekker's algorithm: mutual exclusion of two processes with single reads and
-- writes of shared variables only, the first solution known.
--
-- A process raises its flag.  If the flag of the other is up too, the turn
-- decides: whoever does not have it takes the flag down, waits for the turn
-- and tries again.  The turn is handed over on leaving.
--
-- While in its critical section a process also counts up a shared counter by
-- an unprotected read and write, so that a lost update would show.
--
-- Constants
--   BUG  1 lets a process look at the flag of the other before it raises its
--        own; both may then find the way clear.

const
  BUG : 0;
  COUNT : 8;  -- the counter counts modulo this

type
  SIDE : 0..1;
  VALUE : 0..COUNT-1;
  LABEL : enum {
    Away,      -- not interested
    Raise,     -- about to raise the flag
    Look,      -- about to look at the other flag
    AskTurn,   -- both flags are up: whose turn is it?
    Lower,     -- not ours: about to take the flag down
    AwaitTurn,
    Read,      -- critical section: read the counter
    Write,     -- critical section: write it back
    GiveTurn,  -- about to leave: hand over the turn
    Retreat    -- about to take the flag down
  };

var
  pc : array [SIDE] of LABEL;
  flag : array [SIDE] of boolean;
  turn : SIDE;
  counter : VALUE;
  copy : array [SIDE] of VALUE;  -- private; undefined outside Write


function Other(s : SIDE) : SIDE;
begin
  return 1 - s;
end;

function Inside(s : SIDE) : boolean;
begin
  return pc[s] = Read | pc[s] = Write;
end;

-- One atomic step of a process.

procedure Step(s : SIDE);
begin
  switch pc[s]
  case Away:
    if BUG = 1 then
      pc[s] := Look;
    else
      pc[s] := Raise;
    end;
  case Raise:
    flag[s] := true;
    if BUG = 1 then
      pc[s] := Read;
    else
      pc[s] := Look;
    end;
  case Look:
    if flag[Other(s)] then
      pc[s] := AskTurn;
    elsif BUG = 1 then
      pc[s] := Raise;
    else
      pc[s] := Read;
    end;
  case AskTurn:
    if turn = s then
      pc[s] := Look;
    else
      pc[s] := Lower;
    end;
  case Lower:
    flag[s] := false;
    pc[s] := AwaitTurn;
  case AwaitTurn:
    -- Waiting is a step that changes nothing.
    if turn = s then
      if BUG = 1 then
        pc[s] := Look;
      else
        pc[s] := Raise;
      end;
    end;
  case Read:
    copy[s] := counter;
    pc[s] := Write;
  case Write:
    counter := (copy[s] + 1) % COUNT;
    undefine copy[s];
    pc[s] := GiveTurn;
  case GiveTurn:
    turn := Other(s);
    pc[s] := Retreat;
  case Retreat:
    flag[s] := false;
    pc[s] := Away;
  else
    error "a process has lost its way";
  end;
end;


startstate "Init"
  for s : SIDE do
    pc[s] := Away;
    flag[s] := false;
    undefine copy[s];
  end;
  turn := 0;
  counter := 0;
end;

ruleset s : SIDE do
  rule "Step"
    true
  ==>
  begin
    Step(s);
  end;
end;

invariant "MutualExclusion"
  !(Inside(0) & Inside(1));

invariant "NoLostUpdate"
  forall s : SIDE do
    pc[s] = Write -> copy[s] = counter
  end;
