-- SPDX-License-Identifier: Apache-2.0
-- A file is sent by a sliding-window protocol over two lossy FIFO channels.
--
-- The sender may be WINDOW blocks ahead of the oldest one that is not acknowledged. The receiver keeps
-- blocks that come early, and acknowledges all it has in order; one acknowledgement may stand for several
-- blocks. After a loss the sender goes back. Blocks keep their full numbers, and the receiver's copy
-- of the file is part of the state: long runs, states of over 1 KB.
--
-- As it stands: 290,869 states, depth 2,945, states of 1,111 bytes.
--
-- Constants
--   BLOCKS   blocks of the file: the depth is almost three times this, and 8 bits of each state are one block
--   WINDOW   how far the sender may run ahead
--   CHANNEL  frames (and acknowledgements) under way at a time

const
  BLOCKS : 1100;
  WINDOW : 3;
  CHANNEL : 2;

type
  Seq : 0..BLOCKS;
  Block : 0..BLOCKS - 1;
  Byte : 0..255;
  Early : 1..WINDOW;
  Place : 0..CHANNEL - 1;
  Fill : 0..CHANNEL;

var
  base : Seq; -- the sender's oldest block without acknowledgement
  next : Seq; -- the block it sends next
  expected : Seq; -- the receiver has all before this one
  early : array [Early] of boolean; -- it also has block expected + i
  owed : boolean; -- it has to acknowledge something
  frames : array [Place] of Seq;
  n_frames : Fill;
  acks : array [Place] of Seq;
  n_acks : Fill;
  copy : array [Block] of Byte; -- 0: not there yet

function content(b : Seq) : Byte;
begin
  return (b * 37) % 255 + 1;
end;

function take_frame() : Seq;
var seq : Seq;
begin
  seq := frames[0];
  for i := 1 to CHANNEL - 1 do frames[i - 1] := frames[i]; end;
  frames[CHANNEL - 1] := 0;
  n_frames := n_frames - 1;
  return seq;
end;

function take_ack() : Seq;
var seq : Seq;
begin
  seq := acks[0];
  for i := 1 to CHANNEL - 1 do acks[i - 1] := acks[i]; end;
  acks[CHANNEL - 1] := 0;
  n_acks := n_acks - 1;
  return seq;
end;

-- Moves `expected` on over block `expected` and those that came early.
procedure advance();
var more : boolean;
begin
  more := true;
  while more do
    expected := expected + 1;
    more := early[1];
    for i := 2 to WINDOW do early[i - 1] := early[i]; end;
    early[WINDOW] := false;
  end;
end;

rule "receiver takes a frame"
  n_frames > 0
==>
  var seq : Seq;
begin
  seq := take_frame();
  if seq = expected then
    copy[seq] := content(seq);
    advance();
  elsif seq > expected then
    copy[seq] := content(seq);
    early[seq - expected] := true;
  end;
  owed := true;
end;

rule "receiver acknowledges"
  owed & n_acks < CHANNEL
==>
begin
  acks[n_acks] := expected;
  n_acks := n_acks + 1;
  owed := false;
end;

rule "sender takes an acknowledgement"
  n_acks > 0
==>
  var seq : Seq;
begin
  seq := take_ack();
  if seq > base then
    base := seq;
    if next < base then next := base; end;
  end;
end;

rule "sender sends a block"
  next < BLOCKS & next < base + WINDOW & n_frames < CHANNEL
==>
begin
  frames[n_frames] := next;
  n_frames := n_frames + 1;
  next := next + 1;
end;

rule "a frame is lost"
  n_frames > 0
==>
  var seq : Seq;
begin
  seq := take_frame();
end;

rule "an acknowledgement is lost"
  n_acks > 0
==>
  var seq : Seq;
begin
  seq := take_ack();
end;

rule "the sender's timer runs out"
  base < next & !owed & n_frames = 0 & n_acks = 0
==>
begin
  next := base;
end;

-- The next file: everything from the start again.
procedure reset();
begin
  clear base;
  clear next;
  clear expected;
  clear early;
  clear owed;
  clear frames;
  clear n_frames;
  clear acks;
  clear n_acks;
  clear copy;
end;

rule "the next file"
  base = BLOCKS & !owed & n_frames = 0 & n_acks = 0
==>
begin
  reset();
end;

startstate
begin
  reset();
end;

invariant "acknowledged blocks have arrived"
  base <= expected & expected <= base + WINDOW & base <= next;

invariant "what has arrived is right"
  (expected = 0 | copy[expected - 1] = content(expected - 1)) &
  (expected = BLOCKS | (copy[expected] = 0));

invariant "early blocks lie within the window"
  forall i : Early do early[i] -> expected + i < base + WINDOW end;
