-- expect: holds
-- states: 32780
-- rules: 65560
-- with: BUG=1 expect: violated "Durable" trace: 1026
--
-- A journal in flash memory whose record numbers wrap round.
--
-- The device keeps one value.  Each new value goes, with the next number, into
-- the next slot of a ring: the slot is erased first, then written, and from
-- then on the value counts as stored.  The power may fail at any moment, and
-- takes everything but the slots; a slot that was erased but not written yet
-- is then seen to be bad.  When the power is back, the device looks through
-- all slots for the newest good record and goes on from there.
--
-- Numbers run from 0 to NUMBERS - 1 and then begin again, so "newer" means less
-- than half a round ahead.
--
-- The states lie deep: it takes two steps to store a value, and NUMBERS values
-- to get round once.  That makes it a model for --search bounded
-- (docs/bounded.md).
--
-- Constants
--   SLOTS    slots of the ring
--   NUMBERS  different numbers, at least twice as many as slots
--   BUG      1 takes the record with the greatest number for the newest one,
--            which is right until the numbers wrap round.

const
  SLOTS : 4;
  NUMBERS : 512;
  BUG : 0;

type
  SLOT : 0..SLOTS-1;

  NUMBER : 0..NUMBERS-1;

  VALUE : 0..1;

  PHASE : enum { Ready, Writing, Off };

  ENTRY : record
    good : boolean;
    number : NUMBER;
    value : VALUE;
  end;

var
  -- In flash.
  ring : array [SLOT] of ENTRY;

  -- In memory, lost when the power fails.
  phase : PHASE;
  newest : SLOT;  -- of the last record written
  value : VALUE;
  wanted : VALUE;  -- while Writing: to be stored

  -- What the host was told is stored.
  stored : VALUE;


function Next(s : SLOT) : SLOT;
begin
  return (s + 1) % SLOTS;
end;

function Newer(a, b : NUMBER) : boolean;
begin
  if BUG = 1 then
    return a > b;
  else
    return a != b & (a + NUMBERS - b) % NUMBERS < NUMBERS / 2;
  end;
end;

procedure Erase(s : SLOT);
begin
  ring[s].good := false;
  ring[s].number := 0;
  ring[s].value := 0;
end;

procedure Write(s : SLOT; n : NUMBER; v : VALUE);
begin
  ring[s].good := true;
  ring[s].number := n;
  ring[s].value := v;
end;

procedure Forget();
begin
  newest := 0;
  value := 0;
  wanted := 0;
end;


startstate "Init"
  for s : SLOT do
    Erase(s);
  end;
  Write(0, 0, 0);
  Forget();
  phase := Ready;
  stored := 0;
end;


ruleset v : VALUE do
  rule "Store"
    phase = Ready
  ==>
  begin
    Erase(Next(newest));
    wanted := v;
    phase := Writing;
  end;
end;

rule "Stored"
  phase = Writing
==>
var
  n : NUMBER;
begin
  n := (ring[newest].number + 1) % NUMBERS;
  newest := Next(newest);
  Write(newest, n, wanted);
  value := wanted;
  stored := wanted;
  wanted := 0;
  phase := Ready;
end;

rule "PowerFails"
  phase != Off
==>
begin
  Forget();
  phase := Off;
end;

rule "PowerIsBack"
  phase = Off
==>
var
  found : boolean;
begin
  found := false;
  for s : SLOT do
    if ring[s].good & (!found | Newer(ring[s].number, ring[newest].number)) then
      newest := s;
      found := true;
    end;
  end;
  if !found then
    error "no good record";
  end;
  value := ring[newest].value;
  phase := Ready;
end;


invariant "Durable"
  phase = Ready -> value = stored;
