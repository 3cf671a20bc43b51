-- expect: holds
-- states: 1396
-- rules: 5940
-- with: BUG=1 expect: violated "InOrder" trace: 11
-- with: BUG=2 expect: violated "InOrder" trace: 4
--
-- The alternating bit protocol over lossy channels.
--
-- The sender repeats a message, tagged with a bit, until an acknowledgement
-- with the same bit comes back; then it flips the bit and goes on to the next
-- message.  The receiver delivers a message if its bit is the one expected,
-- and acknowledges every message with the bit it came with.  Both channels are
-- queues that keep the order but may lose what is in them.
--
-- The messages are numbered (modulo VALUES), so that the receiver can tell
-- whether it delivers them in order, each once.
--
-- Constants
--   CAPACITY  places in each of the two channels
--   VALUES    number of distinct messages
--   BUG       1 lets the sender take any acknowledgement for the one it awaits;
--             2 lets the receiver deliver without looking at the bit.

const
  CAPACITY : 6;
  VALUES : 4;
  BUG : 0;

type
  BIT : 0..1;
  VALUE : 0..VALUES-1;
  COUNT : 0..CAPACITY;
  PLACE : 0..CAPACITY-1;

  PACKET : record
    tag : BIT;
    value : VALUE;  -- undefined in an acknowledgement
  end;

  -- Places from size on are undefined.
  QUEUE : record
    size : COUNT;
    item : array [PLACE] of PACKET;
  end;

  PARTY : record
    tag : BIT;      -- sender: of the current message; receiver: expected
    value : VALUE;  -- likewise
  end;

var
  sender : PARTY;
  receiver : PARTY;
  data : QUEUE;
  acks : QUEUE;
  delivered : VALUE;   -- ghost: the latest message delivered
  disorder : boolean;  -- ghost: a message was repeated or left out


-- Append a packet without a value; the caller adds one if there is any.

procedure Append(var q : QUEUE; b : BIT);
begin
  assert q.size < CAPACITY "only a channel with room is written";
  q.item[q.size].tag := b;
  undefine q.item[q.size].value;
  q.size := q.size + 1;
end;

-- Remove the oldest packet.

procedure Remove(var q : QUEUE);
var
  k : COUNT;
begin
  k := 1;
  while k < q.size do
    q.item[k - 1].tag := q.item[k].tag;
    if isundefined(q.item[k].value) then
      undefine q.item[k - 1].value;
    else
      q.item[k - 1].value := q.item[k].value;
    end;
    k := k + 1;
  end;
  q.size := q.size - 1;
  undefine q.item[q.size];
end;

procedure Advance(var p : PARTY);
begin
  p.tag := 1 - p.tag;
  p.value := (p.value + 1) % VALUES;
end;


startstate "Init"
  sender.tag := 0;
  sender.value := 0;
  receiver.tag := 0;
  receiver.value := 0;
  undefine data;
  data.size := 0;
  undefine acks;
  acks.size := 0;
  delivered := VALUES - 1;
  disorder := false;
end;

rule "Send"
  data.size < CAPACITY
==>
begin
  Append(data, sender.tag);
  data.item[data.size - 1].value := sender.value;
end;

rule "ReceiveAck"
  acks.size > 0
==>
begin
  if acks.item[0].tag = sender.tag | BUG = 1 then
    Advance(sender);
  end;
  Remove(acks);
end;

rule "Receive"
  data.size > 0 & acks.size < CAPACITY
==>
begin
  alias
    head : data.item[0]
  do
    if head.tag = receiver.tag | BUG = 2 then
      if head.value != (delivered + 1) % VALUES then
        disorder := true;
      end;
      delivered := head.value;
      Advance(receiver);
    end;
    Append(acks, head.tag);
  end;
  Remove(data);
end;

rule "LoseData"
  data.size > 0
==>
begin
  Remove(data);
end;

rule "LoseAck"
  acks.size > 0
==>
begin
  Remove(acks);
end;

invariant "InOrder"
  !disorder;

-- The parties never drift apart by more than the message in hand.  That they
-- do is what the bugs are about, so it is not held against them.

invariant "InStep"
  BUG = 0 ->
    receiver.value = sender.value |
    receiver.value = (sender.value + 1) % VALUES;
