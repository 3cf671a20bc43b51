-- SPDX-License-Identifier: Apache-2.0
-- A disk: requests are served in the order of the arm's sweep, a track at a time.
--
-- The arm moves cylinder by cylinder, or by STRIDE of them on a long way; when it settles it may be off its
-- track, and has to move again. The track is read into the drive's buffer sector by sector and goes to
-- the host while it is read, in single sectors or in groups. A sector that cannot be read is tried again; at
-- last the track is begun anew. The buffer is part of the state.
--
-- As it stands: 103,529 states, depth 2,877, states of 1,056 bytes.
--
-- Constants
--   CYLINDERS  cylinders
--   TRACKS     tracks that are asked for, evenly spread
--   QUEUE      requests waiting at a time
--   SECTORS    sectors of a track: 8 bits each, and the depth grows with them
--   STRIDE     cylinders of a long move
--   GROUP      sectors of a group
--   AHEAD      sectors read that the host does not have yet
--   RETRIES    times that a sector is tried again

const
  CYLINDERS : 200;
  TRACKS : 2;
  QUEUE : 2;
  SECTORS : 1050;
  STRIDE : 8;
  GROUP : 3;
  AHEAD : 6;
  RETRIES : 1;

type
  Cylinder : 0..CYLINDERS - 1;
  Track : 0..TRACKS - 1;
  Byte : 0..255;
  Sector : 0..SECTORS - 1;
  Phase : enum { Idle, Seeking, Settling, Reading, Finishing };

var
  phase : Phase;
  head : Cylinder;
  outward : boolean; -- the direction of the sweep
  wanted : array [Track] of boolean; -- the requests; a track is asked for once at a time
  waiting : 0..QUEUE;
  serving : 0..TRACKS; -- TRACKS: none
  filled : 0..SECTORS; -- sectors in the buffer
  sent : 0..SECTORS; -- of which the host has these
  tries : 0..RETRIES;
  buffer : array [Sector] of Byte;

function cylinder(t : Track) : Cylinder;
begin
  return t * ((CYLINDERS - 1) / (TRACKS - 1));
end;

function content(t : Track; s : Sector) : Byte;
begin
  return (s * 43 + t * 97) % 255 + 1;
end;

-- The next track of the sweep; TRACKS: none in this direction.
function next_track() : 0..TRACKS;
var best : 0..TRACKS;
begin
  best := TRACKS;
  for t : Track do
    if wanted[t] then
      if outward & cylinder(t) >= head & best = TRACKS then
        best := t;
      elsif !outward & cylinder(t) <= head then
        best := t;
      end;
    end;
  end;
  return best;
end;

function away() : Cylinder;
begin
  if cylinder(serving) > head then return cylinder(serving) - head; end;
  return head - cylinder(serving);
end;

procedure seek(far : Cylinder);
begin
  if cylinder(serving) > head then head := head + far; else head := head - far; end;
end;

procedure empty_buffer();
begin
  clear buffer;
  filled := 0;
  sent := 0;
  tries := 0;
end;

rule "send a sector"
  (phase = Reading | phase = Finishing) & sent < filled
==>
begin
  sent := sent + 1;
end;

rule "read a sector"
  phase = Reading & filled < SECTORS & filled < sent + AHEAD
==>
begin
  buffer[filled] := content(serving, filled);
  filled := filled + 1;
  tries := 0;
end;

rule "send a group"
  (phase = Reading | phase = Finishing) & sent + GROUP <= filled
==>
begin
  sent := sent + GROUP;
end;

rule "a sector cannot be read"
  phase = Reading & filled < SECTORS
==>
begin
  if tries < RETRIES then
    tries := tries + 1;
  else
    empty_buffer();
    phase := Settling;
  end;
end;

rule "the track is read"
  phase = Reading & filled = SECTORS
==>
begin
  phase := Finishing;
end;

rule "the track is sent"
  phase = Finishing & sent = filled
==>
begin
  empty_buffer();
  wanted[serving] := false;
  waiting := waiting - 1;
  serving := TRACKS;
  phase := Idle;
end;

rule "move by one cylinder"
  phase = Seeking & away() > 0
==>
begin
  seek(1);
end;

rule "move by many"
  phase = Seeking & away() >= STRIDE
==>
begin
  seek(STRIDE);
end;

rule "the arm has arrived"
  phase = Seeking & away() = 0
==>
begin
  phase := Settling;
end;

rule "the arm is off its track"
  phase = Settling & head > 0
==>
begin
  head := head - 1;
  phase := Seeking;
end;

rule "the arm has settled"
  phase = Settling & away() = 0
==>
begin
  phase := Reading;
end;

rule "serve the next request"
  phase = Idle & waiting > 0
==>
  var next : 0..TRACKS;
begin
  next := next_track();
  if next = TRACKS then
    outward := !outward;
  else
    serving := next;
    phase := Seeking;
  end;
end;

ruleset t : Track do
  rule "a request"
    !wanted[t] & waiting < QUEUE
  ==>
  begin
    wanted[t] := true;
    waiting := waiting + 1;
  end;
end;

startstate
begin
  phase := Idle;
  head := 0;
  outward := true;
  clear wanted;
  waiting := 0;
  serving := TRACKS;
  empty_buffer();
end;

invariant "the head reads on its track"
  phase = Reading -> head = cylinder(serving);

invariant "the host gets what was read"
  sent <= filled & (filled = 0 | buffer[filled - 1] = content(serving, filled - 1));

invariant "what is served is wanted"
  (phase = Idle) = (serving = TRACKS) & (phase = Idle | wanted[serving]);
