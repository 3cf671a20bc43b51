-- SPDX-License-Identifier: Apache-2.0
-- One port of a USB host: the port's state machine, the device behind it, a queue of events between
-- them, and timers that run by the bus's frames.
--
-- The device is attached, reset, addressed, and describes itself in DESCRIPTORS answers; then it works, sleeps
-- and wakes, or goes. Every frame moves the frame counter, which wraps, and the timer of what the
-- host is waiting for; a request without an answer is repeated, and after RETRIES the port is reset. A
-- device may be quick and answer at once, or ask for more time.
--
-- As it stands: 156,272 states, depth 1,026, states of 5 bytes.
--
-- Constants
--   FRAMES       the frame counter wraps after this many
--   DESCRIPTORS  answers by which a device describes itself: the depth is about twice this
--   TIMEOUT      frames that the host waits
--   RETRIES      requests without answer until the port is reset

const
  FRAMES : 4;
  DESCRIPTORS : 500;
  TIMEOUT : 2;
  RETRIES : 1;

type
  Port : enum { Off, Powered, Debouncing, Resetting, Asking, Active, Suspended, Resuming, Failed };
  Device : enum { Away, Attached, Ready, Busy, Asleep };
  Event : enum { Nothing, Connect, Disconnect, Answer, Wake };

var
  frame : 0..FRAMES - 1;
  port : Port;
  timer : 0..TIMEOUT;
  tries : 0..RETRIES;
  known : 0..DESCRIPTORS; -- descriptors that the host has
  device : Device;
  asked : boolean; -- a request is under way to the device
  sent : 0..DESCRIPTORS; -- descriptors that the device has sent since its reset
  events : array [0..1] of Event; -- from the device to the host

function room() : boolean;
begin
  return events[1] = Nothing;
end;

procedure post(e : Event);
begin
  if events[0] = Nothing then events[0] := e; else events[1] := e; end;
end;

function take() : Event;
var e : Event;
begin
  e := events[0];
  events[0] := events[1];
  events[1] := Nothing;
  return e;
end;

procedure wait_in(next : Port);
begin
  port := next;
  timer := TIMEOUT;
end;

procedure ask();
begin
  asked := true;
  timer := TIMEOUT;
end;

procedure reset_port();
begin
  known := 0;
  tries := 0;
  sent := 0;
  asked := false;
  if device != Away then device := Attached; end;
  wait_in(Resetting);
end;

procedure turn_off();
begin
  port := Off;
  timer := 0;
  tries := 0;
  known := 0;
  sent := 0;
  asked := false;
end;

rule "a frame"
  port != Off & (timer > 0 | port = Active | port = Suspended)
==>
begin
  frame := (frame + 1) % FRAMES;
  if timer > 0 then timer := timer - 1; end;
end;

rule "a frame in which nothing is due is skipped"
  port != Off & frame % 4 = 0 & timer > 1
==>
begin
  frame := (frame + 2) % FRAMES;
  timer := timer - 2;
end;

rule "the answer did not come"
  port = Asking & asked & timer = 0
==>
begin
  if tries < RETRIES then
    tries := tries + 1;
    ask();
  else
    port := Failed;
    asked := false;
  end;
end;

rule "the port is tried again"
  port = Failed
==>
begin
  reset_port();
end;

rule "power on"
  port = Off
==>
begin
  port := Powered;
end;

rule "the connection is stable"
  port = Debouncing & timer = 0
==>
begin
  reset_port();
end;

rule "the reset is over"
  port = Resetting & timer = 0
==>
begin
  port := Asking;
  if device = Attached then device := Ready; end;
  ask();
end;

rule "suspend"
  port = Active & frame % 4 = 3
==>
begin
  port := Suspended;
  if device = Ready then device := Asleep; end;
end;

rule "the host resumes"
  port = Suspended & frame % 4 = 1
==>
begin
  wait_in(Resuming);
end;

rule "resumed"
  port = Resuming & timer = 0
==>
begin
  port := Active;
  if device = Asleep then device := Ready; end;
end;

rule "the host takes an event"
  events[0] != Nothing & port != Off
==>
  var e : Event;
begin
  e := take();
  switch e
  case Connect:
    if port = Powered then wait_in(Debouncing); end;
  case Disconnect:
    turn_off();
  case Answer:
    if port = Asking & asked then
      tries := 0;
      if known < sent then known := known + 1; end;
      if known = DESCRIPTORS then
        port := Active;
        asked := false;
        timer := 0;
      else
        ask();
      end;
    end;
  case Wake:
    if port = Suspended then wait_in(Resuming); end;
  end;
end;

rule "device answers"
  device = Ready & asked & sent = known & sent < DESCRIPTORS & room()
==>
begin
  sent := sent + 1;
  post(Answer);
end;

rule "device answers again"
  device = Ready & asked & sent > known & events[0] = Nothing
==>
begin
  post(Answer);
end;

rule "device asks for time"
  device = Ready & asked & timer < TIMEOUT
==>
begin
  device := Busy;
end;

rule "device has what it needs"
  device = Busy
==>
begin
  device := Ready;
end;

rule "device wakes"
  device = Asleep & port = Suspended & events[0] = Nothing
==>
begin
  post(Wake);
end;

rule "device comes"
  device = Away & port = Powered & room()
==>
begin
  device := Attached;
  post(Connect);
end;

rule "device goes"
  device != Away & port != Off & room()
==>
begin
  device := Away;
  post(Disconnect);
end;

startstate
begin
  frame := 0;
  turn_off();
  device := Away;
  events[0] := Nothing;
  events[1] := Nothing;
end;

invariant "an active device is known"
  port = Active | port = Suspended -> known = DESCRIPTORS;

invariant "the host knows what was sent"
  known <= sent & sent <= known + 1;

invariant "a request is under way only while the host asks"
  asked -> port = Asking;
