-- SPDX-License-Identifier: Apache-2.0
-- A Bluetooth driver that is stopped while requests are under way, after the well-known example of
-- Qadeer and Wu; here with the correct order, and requests that copy a packet byte by byte.
--
-- A request counts itself in before it looks whether the driver is stopping; the driver itself counts as
-- one. Who counts down to zero lets the stopping thread go on. A packet is copied in bytes, or in words
-- where there is credit for one; packets are checked together, and sent again when a check fails. The
-- link breaks and is closed step by step. The device's buffers are part of the state.
--
-- As it stands: 207,404 states, depth 1,577, states of 1,045 bytes.
--
-- Constants
--   WORKERS  threads with requests
--   PACKET   bytes of a packet: the depth is about three times this
--   WORD     bytes of a word
--   CREDIT   words that may be copied in a row before a byte must be
--   LEAD     bytes that one worker may be ahead of another: their channels are kept in step
--   CLOSING  steps in which a broken link is closed, with all packets under way

const
  WORKERS : 2;
  PACKET : 520;
  WORD : 4;
  CREDIT : 0;
  LEAD : 2;
  CLOSING : 10;

type
  Worker : 0..WORKERS - 1;
  Byte : 0..255;
  Offset : 0..PACKET - 1;
  Place : enum { Out, Enter, Check, Copy, Verify, Leave, Wake };
  Stopper : enum { Running, Flag, Drop, Signal, Wait, Free, Stopped, Restart };

var
  pending : 0..WORKERS + 1; -- requests under way, and one for the driver
  stopping : boolean;
  drained : boolean; -- the event the stopping thread waits for
  released : boolean; -- the driver's memory has been given back
  stopper : Stopper;
  place : array [Worker] of Place;
  copied : array [Worker] of 0..PACKET;
  closing : 0..CLOSING; -- steps until the broken link is closed; 0: it stands
  credit : array [Worker] of 0..CREDIT;
  buffer : array [Worker] of array [Offset] of Byte;

function content(w : Worker; o : Offset) : Byte;
begin
  return (o * 17 + w * 101) % 255 + 1;
end;

-- May it copy so much? The last bytes of a packet go alone.
function in_step(w : Worker; bytes : 1..WORD) : boolean;
begin
  return copied[w] + bytes <= PACKET &
    (copied[w] + LEAD >= PACKET | forall v : Worker do v = w | copied[w] + bytes <= copied[v] + LEAD end);
end;

function all_copied() : boolean;
begin
  return forall w : Worker do place[w] != Copy | copied[w] = PACKET end;
end;

procedure copy_byte(w : Worker);
begin
  assert "the driver's memory is there" !released;
  buffer[w][copied[w]] := content(w, copied[w]);
  copied[w] := copied[w] + 1;
end;

procedure begin_again(w : Worker);
begin
  copied[w] := 0;
  credit[w] := CREDIT;
  clear buffer[w];
end;

ruleset w : Worker do
  rule "copy a byte"
    place[w] = Copy & closing = 0 & in_step(w, 1)
  ==>
  begin
    copy_byte(w);
    credit[w] := CREDIT;
  end;

  rule "copy a word"
    place[w] = Copy & closing = 0 & credit[w] > 0 & in_step(w, WORD)
  ==>
  begin
    for i := 1 to WORD do copy_byte(w); end;
    credit[w] := credit[w] - 1;
  end;

  rule "the packet is complete"
    place[w] = Copy & closing = 0 & copied[w] = PACKET
  ==>
  begin
    place[w] := Verify;
  end;

  rule "its check fails"
    place[w] = Verify & all_copied()
  ==>
  begin
    begin_again(w);
    place[w] := Copy;
  end;

  rule "its check succeeds"
    place[w] = Verify & all_copied()
  ==>
  begin
    begin_again(w);
    place[w] := Leave;
  end;

  rule "a request arrives"
    place[w] = Out & stopper != Stopped
  ==>
  begin
    place[w] := Enter;
  end;

  rule "it counts itself in"
    place[w] = Enter
  ==>
  begin
    if pending = 0 then
      place[w] := Out;
    else
      pending := pending + 1;
      place[w] := Check;
    end;
  end;

  rule "it looks whether the driver stops"
    place[w] = Check
  ==>
  begin
    if stopping then place[w] := Leave; else place[w] := Copy; end;
  end;

  rule "it counts itself out"
    place[w] = Leave
  ==>
  begin
    pending := pending - 1;
    if pending = 0 then place[w] := Wake; else place[w] := Out; end;
  end;

  rule "the last one wakes the stopper"
    place[w] = Wake
  ==>
  begin
    drained := true;
    place[w] := Out;
  end;
end;

rule "the link breaks"
  closing = 0 & exists w : Worker do place[w] = Copy end
==>
begin
  closing := CLOSING;
end;

rule "the link is closed step by step"
  closing > 0
==>
begin
  closing := closing - 1;
  if closing = 0 then
    for w : Worker do
      if place[w] = Copy then
        begin_again(w);
        place[w] := Leave;
      end;
    end;
  end;
end;

rule "the driver is to stop"
  stopper = Running
==>
begin
  stopper := Flag;
end;

rule "stopper sets the flag"
  stopper = Flag
==>
begin
  stopping := true;
  stopper := Drop;
end;

rule "stopper counts the driver out"
  stopper = Drop
==>
begin
  pending := pending - 1;
  if pending = 0 then stopper := Signal; else stopper := Wait; end;
end;

rule "stopper was the last"
  stopper = Signal
==>
begin
  drained := true;
  stopper := Wait;
end;

rule "stopper goes on"
  stopper = Wait & drained
==>
begin
  stopper := Free;
end;

rule "the driver's memory is given back"
  stopper = Free
==>
begin
  released := true;
  stopper := Stopped;
end;

rule "the driver is loaded again"
  stopper = Stopped & forall w : Worker do place[w] = Out end
==>
begin
  stopper := Restart;
  released := false;
  drained := false;
  stopping := false;
end;

rule "and runs"
  stopper = Restart
==>
begin
  pending := 1;
  stopper := Running;
end;

startstate
begin
  pending := 1;
  stopping := false;
  drained := false;
  released := false;
  closing := 0;
  stopper := Running;
  for w : Worker do
    place[w] := Out;
    begin_again(w);
  end;
end;

invariant "nobody copies into a released driver"
  released -> forall w : Worker do place[w] != Copy & place[w] != Check end;

invariant "copies are right"
  forall w : Worker do copied[w] = 0 | buffer[w][copied[w] - 1] = content(w, copied[w] - 1) end;
