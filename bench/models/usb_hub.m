-- SPDX-License-Identifier: Apache-2.0
-- The driver of a USB hub: devices come and go on its ports, are debounced, reset and given an address,
-- then loaded with firmware, and run or sleep.
--
-- A change on a port sets its change bit; the hub's interrupt puts the port into the driver's queue of
-- events. Devices come and go between two services; that which is served, also at the end of a frame.
-- The driver serves one port at a time, until its device runs or all that belonged to it has been given
-- back. Firmware goes block by block, or in bursts at the start of a frame while no other device works;
-- transfers fail, are tried again, and at last the port is cleaned up and reset. The memories of the
-- devices are part of the state.
--
-- As it stands: 486,105 states, depth 1,073, states of 1,046 bytes.
--
-- Constants
--   PORTS     ports of the hub
--   FIRMWARE  blocks of a device's firmware: 8 bits each of every port; the depth is about PORTS times this
--   DEBOUNCE  polls until a connection counts as stable
--   RETRIES   failed transfers in a row until the port is reset
--   BURST     blocks in a burst
--   PIPE      blocks of a frame
--   CLEANUP   steps in which what belongs to a device is given back

const
  PORTS : 2;
  FIRMWARE : 520;
  DEBOUNCE : 10;
  RETRIES : 1;
  BURST : 4;
  PIPE : 104;
  CLEANUP : 8;
  WAIT : DEBOUNCE + CLEANUP; -- enough for either

type
  Port : 0..PORTS - 1;
  PortOrNone : 0..PORTS; -- PORTS: none
  Byte : 0..255;
  Place : 0..FIRMWARE - 1;
  Condition : enum { Empty, Debouncing, Resetting, Addressed, Loading, Running, Sleeping, Cleaning };
  Slot : record
    plugged : boolean; -- a device is there
    changed : boolean; -- the change bit, not yet in the queue
    state : Condition; -- what the driver makes of it
    loaded : 0..FIRMWARE;
    memory : array [Place] of Byte;
  end;

var
  ports : array [Port] of Slot;
  serving : PortOrNone; -- the port that the driver is busy with
  timer : 0..WAIT; -- of that port, as are the tries
  tries : 0..RETRIES;
  queue : array [Port] of PortOrNone;
  queued : 0..PORTS;

function firmware(b : Place) : Byte;
begin
  return (b * 91) % 255 + 1;
end;

function waits(p : Port) : boolean;
begin
  return exists i : Port do queue[i] = p end;
end;

-- Nobody else uses the bus.
function alone(p : Port) : boolean;
begin
  return forall q : Port do q = p | ports[q].state != Running end;
end;

-- Devices come and go between services, and at the end of a frame that which is served.
function may_change(p : Port) : boolean;
begin
  if serving = PORTS then return true; end;
  return serving = p & timer = 0 & ports[p].state = Loading & ports[p].loaded % PIPE = 0;
end;

procedure load(p : Port);
begin
  ports[p].memory[ports[p].loaded] := firmware(ports[p].loaded);
  ports[p].loaded := ports[p].loaded + 1;
end;

procedure clean_up(p : Port);
begin
  ports[p].state := Cleaning;
  timer := CLEANUP;
  tries := 0;
end;

procedure debounce(p : Port);
begin
  ports[p].state := Debouncing;
  timer := DEBOUNCE;
end;

ruleset p : Port do
  alias port : ports[p] do
    rule "load a block"
      port.state = Loading & port.plugged & port.loaded < FIRMWARE
    ==>
    begin
      load(p);
      tries := 0;
    end;

    rule "load a burst"
      port.state = Loading & port.plugged & port.loaded % PIPE = 0 & port.loaded + BURST <= FIRMWARE &
      tries = 0 & alone(p)
    ==>
    begin
      for i := 1 to BURST do load(p); end;
    end;

    rule "a transfer fails"
      port.state = Loading & port.loaded < FIRMWARE
    ==>
    begin
      if tries < RETRIES then tries := tries + 1; else clean_up(p); end;
    end;

    rule "the firmware starts"
      port.state = Loading & port.loaded = FIRMWARE
    ==>
    begin
      port.state := Running;
      tries := 0;
      serving := PORTS;
    end;

    rule "suspend"
      serving = PORTS & port.state = Running
    ==>
    begin
      port.state := Sleeping;
    end;

    rule "resume"
      serving = PORTS & port.state = Sleeping
    ==>
    begin
      port.state := Running;
    end;

    rule "a poll while it bounces"
      port.state = Debouncing & timer > 0
    ==>
    begin
      timer := timer - 1;
    end;

    rule "the connection is stable"
      port.state = Debouncing & timer = 0
    ==>
    begin
      port.state := Resetting;
    end;

    rule "the device answers and gets an address"
      port.state = Resetting & port.plugged
    ==>
    begin
      port.state := Addressed;
    end;

    rule "no device answers"
      (port.state = Resetting | port.state = Addressed) & !port.plugged
    ==>
    begin
      clean_up(p);
    end;

    rule "begin to load"
      port.state = Addressed & port.plugged
    ==>
    begin
      port.state := Loading;
    end;

    rule "clean up"
      port.state = Cleaning & timer > 0
    ==>
    begin
      timer := timer - 1;
    end;

    rule "all is given back"
      port.state = Cleaning & timer = 0
    ==>
    begin
      clear port.memory;
      port.loaded := 0;
      if port.plugged then
        debounce(p);
      else
        port.state := Empty;
        serving := PORTS;
      end;
    end;

    rule "plug"
      may_change(p) & !port.plugged
    ==>
    begin
      port.plugged := true;
      port.changed := true;
    end;

    rule "unplug"
      may_change(p) & port.plugged
    ==>
    begin
      port.plugged := false;
      port.changed := true;
    end;

    rule "interrupt"
      serving = PORTS & port.changed & !waits(p)
    ==>
    begin
      port.changed := false;
      queue[queued] := p;
      queued := queued + 1;
    end;
  end;
end;

rule "the driver takes an event"
  queued > 0 & serving = PORTS
==>
  var p : Port;
begin
  p := queue[0];
  for i := 1 to PORTS - 1 do queue[i - 1] := queue[i]; end;
  queue[PORTS - 1] := PORTS;
  queued := queued - 1;
  if ports[p].state != Empty then
    serving := p;
    clean_up(p);
  elsif ports[p].plugged then
    serving := p;
    debounce(p);
  end;
end;

startstate
begin
  for p : Port do
    clear ports[p];
    queue[p] := PORTS;
  end;
  serving := PORTS;
  timer := 0;
  tries := 0;
  queued := 0;
end;

invariant "one port is served"
  forall p : Port do
    (serving = p) = (ports[p].state != Empty & ports[p].state != Running & ports[p].state != Sleeping)
  end;

invariant "what runs is loaded"
  forall p : Port do
    ports[p].state = Running | ports[p].state = Sleeping ->
      ports[p].loaded = FIRMWARE & ports[p].memory[FIRMWARE - 1] = firmware(FIRMWARE - 1)
  end;

invariant "an absent device is noticed"
  forall p : Port do
    ports[p].state != Empty & ports[p].state != Cleaning & !ports[p].plugged -> ports[p].changed | waits(p)
  end;
