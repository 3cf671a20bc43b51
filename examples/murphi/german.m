-- expect: holds
-- states: 1149660
-- rules: 6182784
-- with: BUG=1 expect: violated "CntrlProp" trace: 8
-- with: BUG=2 expect: violated "CntrlProp" trace: 12
-- with: BUG=3 expect: violated "CntrlProp" trace: 15
-- with: BUG=4 expect: violated "CntrlProp" trace: 18
--
-- German's cache coherence protocol, with data.
--
-- One memory line is shared by NODE_NUM caches through a home directory.
-- Every cache has three private one-place channels to the directory:
--
--   channel 1, Req:  cache -> home, a request for a shared or exclusive copy;
--   channel 2, Dir:  home -> cache, a grant or an invalidation;
--   channel 3, Ack:  cache -> home, the answer to an invalidation.
--
-- Grants and invalidations share channel 2 on purpose: an invalidation can
-- therefore never overtake the grant it is meant to revoke.
--
-- The home serves one request at a time.  It invalidates what stands in the
-- way (every copy for an exclusive request, only an exclusive copy for a
-- shared one), gathers the acknowledgements and then grants.
--
-- Constants
--   NODE_NUM  number of caches
--   DATA_NUM  number of distinct data values
--   BUG       0 is the correct protocol, 1..4 seed one error each:
--
--     1  Missing guard.  The home grants an exclusive copy without waiting
--        for the sharers to go away.
--     2  Cache controller.  A cache that is waiting for its own upgrade
--        acknowledges an invalidation but holds on to its shared copy.
--     3  Bookkeeping.  The first acknowledgement to come in empties the whole
--        sharer set, as if it stood for all the sharers.
--     4  Duplicated message.  The home forgets that an invalidation has been
--        sent, may send it twice, and the surplus acknowledgement is later
--        taken for that of the exclusive owner.

const
  NODE_NUM : 4;
  DATA_NUM : 2;
  BUG : 0;

type
  NODE : scalarset(NODE_NUM);
  DATA : 1..DATA_NUM;

  LINE_STATE : enum { Invalid, Shared, Exclusive };

  -- WbAck is an InvAck that brings home the data of an exclusive copy.
  MESSAGE : enum { None, ReqS, ReqE, Inv, InvAck, WbAck, GntS, GntE };

  LINE : record
    State : LINE_STATE;
    Data : DATA;
  end;

  PACKET : record
    Cmd : MESSAGE;
    Data : DATA;
  end;

var
  Cache : array [NODE] of LINE;

  Req : array [NODE] of MESSAGE;  -- channel 1, never carries data
  Dir : array [NODE] of PACKET;   -- channel 2
  Ack : array [NODE] of PACKET;   -- channel 3

  Sharers : array [NODE] of boolean;   -- who may hold a copy
  ToInv : array [NODE] of boolean;     -- who is still to be sent an Inv
  ExGranted : boolean;                 -- the one sharer holds it exclusively
  CurCmd : MESSAGE;                    -- request being served, None if idle
  CurNode : NODE;                      -- its sender; stale while idle

  MemData : DATA;

  AuxData : DATA;  -- ghost: the value of the latest store, read by DataProp


-- An unused data field always holds 1, so that it cannot tell states apart.

procedure Send(var p : PACKET; cmd : MESSAGE; d : DATA);
begin
  p.Cmd := cmd;
  p.Data := d;
end;

procedure Consume(var p : PACKET);
begin
  p.Cmd := None;
  p.Data := 1;
end;

procedure Drop(i : NODE);
begin
  Cache[i].State := Invalid;
  Cache[i].Data := 1;
end;

procedure StartRequest(cmd : MESSAGE; i : NODE);
begin
  CurCmd := cmd;
  CurNode := i;
  Req[i] := None;
  for j : NODE do
    ToInv[j] := Sharers[j];
  end;
end;


-- CurNode has no neutral value: start from each of them, which keeps the
-- model symmetric in NODE.

ruleset h : NODE do
  startstate "Init"
    for i : NODE do
      Drop(i);
      Req[i] := None;
      Consume(Dir[i]);
      Consume(Ack[i]);
      Sharers[i] := false;
      ToInv[i] := false;
    end;
    ExGranted := false;
    CurCmd := None;
    CurNode := h;
    MemData := 1;
    AuxData := 1;
  end;
end;


-- The processor writes the next data value into its exclusive copy.

ruleset i : NODE do
  rule "Store"
    Cache[i].State = Exclusive
  ==>
  begin
    Cache[i].Data := (Cache[i].Data % DATA_NUM) + 1;
    AuxData := Cache[i].Data;
  end;
end;


-- Requests.

ruleset i : NODE do
  rule "SndReqS"
    Req[i] = None & Cache[i].State = Invalid
  ==>
  begin
    Req[i] := ReqS;
  end;
end;

ruleset i : NODE do
  rule "SndReqE"
    Req[i] = None & Cache[i].State != Exclusive
  ==>
  begin
    Req[i] := ReqE;
  end;
end;

ruleset i : NODE do
  rule "RecvReqS"
    CurCmd = None & Req[i] = ReqS
  ==>
  begin
    StartRequest(ReqS, i);
  end;
end;

ruleset i : NODE do
  rule "RecvReqE"
    CurCmd = None & Req[i] = ReqE
  ==>
  begin
    StartRequest(ReqE, i);
  end;
end;


-- Invalidation.

ruleset i : NODE do
  rule "SndInv"
    Dir[i].Cmd = None & ToInv[i] &
    (CurCmd = ReqE | (CurCmd = ReqS & ExGranted))
  ==>
  begin
    Send(Dir[i], Inv, 1);
    if BUG != 4 then
      ToInv[i] := false;
    end;
  end;
end;

ruleset i : NODE do
  rule "RecvInv"
    Dir[i].Cmd = Inv & Ack[i].Cmd = None
  ==>
  begin
    Consume(Dir[i]);
    if Cache[i].State = Exclusive then
      Send(Ack[i], WbAck, Cache[i].Data);
    else
      Send(Ack[i], InvAck, 1);
    end;
    if !(BUG = 2 & Cache[i].State = Shared & Req[i] = ReqE) then
      Drop(i);
    end;
  end;
end;

ruleset i : NODE do
  rule "RecvInvAck"
    Ack[i].Cmd != None & CurCmd != None
  ==>
  begin
    Sharers[i] := false;
    if BUG = 3 then
      for j : NODE do
        Sharers[j] := false;
      end;
    end;
    ExGranted := false;
    if Ack[i].Cmd = WbAck then
      MemData := Ack[i].Data;
    end;
    Consume(Ack[i]);
  end;
end;


-- Grants.

ruleset i : NODE do
  rule "SndGntS"
    CurCmd = ReqS & CurNode = i & Dir[i].Cmd = None & !ExGranted
  ==>
  begin
    Send(Dir[i], GntS, MemData);
    Sharers[i] := true;
    CurCmd := None;
  end;
end;

ruleset i : NODE do
  rule "SndGntE"
    CurCmd = ReqE & CurNode = i & Dir[i].Cmd = None & !ExGranted &
    (BUG = 1 | forall j : NODE do !Sharers[j] end)
  ==>
  begin
    Send(Dir[i], GntE, MemData);
    Sharers[i] := true;
    ExGranted := true;
    CurCmd := None;
  end;
end;

ruleset i : NODE do
  rule "RecvGntS"
    Dir[i].Cmd = GntS
  ==>
  begin
    Cache[i].State := Shared;
    Cache[i].Data := Dir[i].Data;
    Consume(Dir[i]);
  end;
end;

ruleset i : NODE do
  rule "RecvGntE"
    Dir[i].Cmd = GntE
  ==>
  begin
    Cache[i].State := Exclusive;
    Cache[i].Data := Dir[i].Data;
    Consume(Dir[i]);
  end;
end;


-- At most one exclusive copy, and no shared copy beside it.

invariant "CntrlProp"
  forall i : NODE do
    Cache[i].State = Exclusive ->
      forall j : NODE do
        i != j -> Cache[j].State = Invalid
      end
  end;

-- Every valid copy holds the latest value, and so does the memory unless
-- exclusive ownership is recorded, held or on its way.

invariant "DataProp"
  (forall i : NODE do
    Cache[i].State != Invalid -> Cache[i].Data = AuxData
  end) &
  (!ExGranted & (forall i : NODE do
    Cache[i].State != Exclusive & Dir[i].Cmd != GntE
  end) -> MemData = AuxData);
