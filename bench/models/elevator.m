-- SPDX-License-Identifier: Apache-2.0
-- The controller of a lift, with its motor, door and clocks.
--
-- The cabin creeps one unit a tick or runs three; it must creep where it may have to stop. It goes on in one
-- direction while there are calls there. The door opens and closes within DOOR ticks, stays open until its
-- clock has run out, and opens again when somebody is in the way. The buttons are read while the cabin is at a
-- floor. After IDLE ticks without a call the lift goes to the ground floor.
--
-- As it stands: 127,517 states, depth 1,091, states of 4 bytes.
--
-- Constants
--   FLOORS  floors with calls
--   HEIGHT  units between two floors: the depth grows with the height of the shaft
--   DOOR    ticks of the door, open or moving
--   IDLE    ticks until an idle lift goes home

const
  FLOORS : 5;
  HEIGHT : 600;
  DOOR : 4;
  IDLE : 20;

type
  Floor : 0..FLOORS - 1;
  Unit : 0..(FLOORS - 1) * HEIGHT;
  Direction : enum { Up, Down };
  Motor : enum { Still, Creeping, Fast };
  Door : enum { Shut, Opening, Open, Closing };

var
  at : Unit;
  direction : Direction;
  motor : Motor;
  door : Door;
  clock : 0..DOOR;
  idle : 0..IDLE;
  calls : array [Floor] of boolean;

function aligned() : boolean;
begin
  return at % HEIGHT = 0;
end;

-- Is there a call further on in this direction?
function ahead(d : Direction) : boolean;
begin
  return exists f : Floor do
    calls[f] & (d = Up & f * HEIGHT > at | d = Down & f * HEIGHT < at)
  end;
end;

-- Units to the next floor in the direction of the cabin.
function distance() : Unit;
begin
  if direction = Up then
    return HEIGHT - at % HEIGHT;
  elsif aligned() then
    return HEIGHT;
  end;
  return at % HEIGHT;
end;

procedure move(units : Unit);
begin
  if direction = Up then at := at + units; else at := at - units; end;
end;

rule "run"
  motor = Fast & distance() > 6
==>
begin
  move(3);
end;

rule "speed up"
  motor = Creeping & distance() > 6 & !(aligned() & calls[at / HEIGHT]) & ahead(direction)
==>
begin
  motor := Fast;
end;

rule "creep"
  motor = Creeping & !(aligned() & calls[at / HEIGHT]) & ahead(direction)
==>
begin
  move(1);
end;

rule "slow down"
  motor = Fast
==>
begin
  motor := Creeping;
end;

rule "stop at a call"
  motor = Creeping & aligned() & calls[at / HEIGHT]
==>
begin
  motor := Still;
  door := Opening;
  clock := DOOR;
end;

rule "the door's clock ticks"
  door != Shut & clock > 0
==>
begin
  clock := clock - 1;
end;

rule "the door is open"
  door = Opening & clock = 0
==>
begin
  door := Open;
  clock := DOOR;
  calls[at / HEIGHT] := false;
end;

rule "the door closes"
  door = Open & clock = 0
==>
begin
  door := Closing;
  clock := DOOR;
end;

rule "somebody is in the way"
  door = Closing & clock > 0
==>
begin
  door := Opening;
  clock := DOOR - clock;
end;

rule "the door is shut"
  door = Closing & clock = 0
==>
begin
  door := Shut;
end;

rule "depart"
  motor = Still & door = Shut & (ahead(Up) | ahead(Down))
==>
begin
  if !ahead(direction) then
    if direction = Up then direction := Down; else direction := Up; end;
  end;
  motor := Creeping;
  idle := 0;
end;

rule "open at a call from this floor"
  motor = Still & door = Shut & calls[at / HEIGHT]
==>
begin
  door := Opening;
  clock := DOOR;
  idle := 0;
end;

rule "nothing to do"
  motor = Still & door = Shut & idle < IDLE & forall f : Floor do !calls[f] end
==>
begin
  idle := idle + 1;
end;

rule "go home"
  motor = Still & door = Shut & idle = IDLE & at > 0 & forall f : Floor do !calls[f] end
==>
begin
  idle := 0;
  calls[0] := true;
end;

ruleset f : Floor do
  rule "call"
    !calls[f] & aligned() & motor != Fast & clock = 0
  ==>
  begin
    calls[f] := true;
  end;
end;

startstate
begin
  at := 0;
  direction := Up;
  motor := Still;
  door := Shut;
  clock := 0;
  idle := 0;
  clear calls;
end;

invariant "the cabin moves with its door shut"
  motor != Still -> door = Shut;

invariant "the door opens at floors only"
  door != Shut -> aligned();

invariant "a moving cabin has somewhere to go"
  motor != Still -> calls[at / HEIGHT] & aligned() | ahead(direction);
