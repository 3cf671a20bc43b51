-- expect: holds
-- states: 1223154
-- rules: 7871610
-- with: BUG=1 expect: violated "CacheStateProp" trace: 9
-- with: BUG=2 expect: violated "CacheStateProp" trace: 10
-- with: BUG=3 expect: violated "CacheStateProp" trace: 16
--
-- The cache coherence protocol of the Stanford FLASH multiprocessor, control
-- part only (no data).
--
-- One memory line lives at a home node, which keeps the directory and has a
-- processor and a cache of its own; NODE_NUM remote nodes share the line.
-- A request travels to the home.  If the home (or its memory) can serve it,
-- the home answers itself; if a remote node owns the line, the home forwards
-- the request there and the owner answers the requester straight away,
-- telling the home what became of the line:
--
--   ShWb  sharing write back: the owner kept a shared copy, memory is current;
--   FAck  forward acknowledgement: ownership went to the requester;
--   Nakc  the forward was refused, for the owner had just given up its copy.
--
-- The directory is "pending" while a forward is out or invalidations are being
-- acknowledged, and refuses (Nak) requests meanwhile; refused nodes retry.
--
-- Replies are eager: a writer gets its exclusive copy while the invalidations
-- of the sharers are still on their way.  So a shared copy may exist beside an
-- exclusive one, but only with its invalidation in flight.
--
-- Rule names: PI_ rules serve the processor interface, NI_ rules the network
-- interface; Local ones run at the home, Remote ones elsewhere; then come the
-- message treated and the answer given.  The parameter src is the requester of
-- the transaction and dst the remote owner a request was forwarded to.
--
-- Constants
--   NODE_NUM  number of remote nodes, the home comes on top
--   BUG       0 is the correct protocol, 1..3 seed one error each:
--
--     1  Race with a write back.  The home answers a GetX from the node it
--        takes for the owner with a new grant.  The old write back, still in
--        flight, then wipes out the record of the new ownership.
--     2  Cache controller.  A shared copy sent by a remote owner (rather than
--        the home) is accepted even if an invalidation has overtaken it.
--     3  Message order.  The home forwards a Get although a replacement hint
--        from the same node is yet to come in; the late hint strikes the node
--        off the list of sharers after it got its new copy.

const
  NODE_NUM : 3;
  BUG : 0;

type
  NODE : scalarset(NODE_NUM);

  LINE_STATE : enum { Invalid, Shared, Exclusive };

  WISH : enum { Idle, WantShared, WantExclusive };

  -- Requests and their replies.
  UNI_CMD : enum { NoMsg, UniGet, UniGetX, UniPut, UniPutX, UniNak };

  INV_CMD : enum { NoInv, Inv, InvAck };

  -- What a remote owner tells the home after serving a forwarded request.
  FWD_CMD : enum { NoFwd, ShWb, FAck };

  PROCESSOR : record
    Line : LINE_STATE;
    Wish : WISH;          -- request outstanding
    InvMarked : boolean;  -- the shared copy awaited is revoked already
  end;

  DIRECTORY : record
    Pending : boolean;
    Local : boolean;    -- the home has a copy
    Dirty : boolean;    -- some cache holds the line exclusively
    HeadVld : boolean;  -- Head is a sharer, or the owner if Dirty & !Local
    Head : NODE;
    Shr : array [NODE] of boolean;   -- sharers besides Head
    Wait : array [NODE] of boolean;  -- acknowledgements still missing
  end;

  -- A request and its reply use the same slot.  Peer is the remote node that
  -- a request was forwarded to; it is the requester itself while the request
  -- is still addressed to the home, and when the slot is empty.
  UNI_MSG : record
    Cmd : UNI_CMD;
    Peer : NODE;
  end;

var
  Dir : DIRECTORY;

  Home : PROCESSOR;
  Proc : array [NODE] of PROCESSOR;

  -- Requests of the home processor go to Dir.Head, which stays put for as
  -- long as the directory is pending.
  HomeUni : UNI_CMD;
  Uni : array [NODE] of UNI_MSG;

  InvMsg : array [NODE] of INV_CMD;
  Hint : array [NODE] of boolean;  -- replacement hint, from a former sharer
  Wb : array [NODE] of boolean;    -- write back, from a former owner
  Fwd : array [NODE] of FWD_CMD;   -- indexed by the requester it is about
  Nakc : boolean;


-- May the remote node p hold a copy, as far as the directory knows?

function Listed(p : NODE) : boolean;
begin
  return Dir.Shr[p] | (Dir.HeadVld & Dir.Head = p);
end;

-- The directory can serve a request without asking a remote owner.

function HomeCanServe() : boolean;
begin
  return !Dir.Pending & (Dir.Dirty -> Dir.Local);
end;

-- The directory believes that p owns the line.

function PresumedOwner(p : NODE) : boolean;
begin
  return Dir.Dirty & !Dir.Local & Dir.Head = p;
end;

procedure Reply(src : NODE; cmd : UNI_CMD);
begin
  Uni[src].Cmd := cmd;
  Uni[src].Peer := src;
end;

procedure Forward(src : NODE);
begin
  Dir.Pending := true;
  Uni[src].Peer := Dir.Head;
end;

-- A shared copy arrives, unless it was revoked on the way.

procedure TakeShared(var p : PROCESSOR);
begin
  p.Wish := Idle;
  if p.InvMarked then
    p.InvMarked := false;
    p.Line := Invalid;
  else
    p.Line := Shared;
  end;
end;

procedure TakeExclusive(var p : PROCESSOR);
begin
  p.Wish := Idle;
  p.InvMarked := false;
  p.Line := Exclusive;
end;

-- Revoke the copy that p has, or will have once its reply comes in.

procedure Revoke(var p : PROCESSOR);
begin
  p.Line := Invalid;
  if p.Wish = WantShared then
    p.InvMarked := true;
  end;
end;

-- Strike p off the list of nodes that may hold a copy.

procedure Unlist(p : NODE);
begin
  Dir.Shr[p] := false;
  if Dir.Head = p then
    Dir.HeadVld := false;
  end;
end;

-- Send an invalidation to every listed node, leaving the list empty, and
-- stay pending for the acknowledgements if there are any to come.

procedure InvalidateListed();
begin
  for p : NODE do
    if Listed(p) then
      Dir.Pending := true;
      Dir.Wait[p] := true;
      InvMsg[p] := Inv;
    end;
    Dir.Shr[p] := false;
  end;
  Dir.HeadVld := false;
end;


ruleset h : NODE do
  startstate "Init"
    Dir.Pending := false;
    Dir.Local := false;
    Dir.Dirty := false;
    Dir.HeadVld := false;
    Dir.Head := h;  -- without meaning until HeadVld
    Home.Line := Invalid;
    Home.Wish := Idle;
    Home.InvMarked := false;
    HomeUni := NoMsg;
    Nakc := false;
    for p : NODE do
      Dir.Shr[p] := false;
      Dir.Wait[p] := false;
      Proc[p].Line := Invalid;
      Proc[p].Wish := Idle;
      Proc[p].InvMarked := false;
      Uni[p].Cmd := NoMsg;
      Uni[p].Peer := p;
      InvMsg[p] := NoInv;
      Hint[p] := false;
      Wb[p] := false;
      Fwd[p] := NoFwd;
    end;
  end;
end;


-- Processor interface: requests for a shared copy -------------------------

ruleset src : NODE do
  rule "PI_Remote_Get"
    Proc[src].Wish = Idle & Proc[src].Line = Invalid
  ==>
  begin
    Proc[src].Wish := WantShared;
    Uni[src].Cmd := UniGet;
  end;
end;

rule "PI_Local_Get_Get"
  Home.Wish = Idle & Home.Line = Invalid & !Dir.Pending & Dir.Dirty
==>
begin
  Home.Wish := WantShared;
  Dir.Pending := true;
  HomeUni := UniGet;
end;

rule "PI_Local_Get_Put"
  Home.Wish = Idle & Home.Line = Invalid & !Dir.Pending & !Dir.Dirty
==>
begin
  Dir.Local := true;
  TakeShared(Home);
end;


-- Processor interface: requests for an exclusive copy ---------------------

ruleset src : NODE do
  rule "PI_Remote_GetX"
    Proc[src].Wish = Idle & Proc[src].Line = Invalid
  ==>
  begin
    Proc[src].Wish := WantExclusive;
    Uni[src].Cmd := UniGetX;
  end;
end;

rule "PI_Local_GetX_GetX"
  Home.Wish = Idle & Home.Line != Exclusive & !Dir.Pending & Dir.Dirty
==>
begin
  Home.Wish := WantExclusive;
  Dir.Pending := true;
  HomeUni := UniGetX;
end;

rule "PI_Local_GetX_PutX"
  Home.Wish = Idle & Home.Line != Exclusive & !Dir.Pending & !Dir.Dirty
==>
begin
  InvalidateListed();
  Dir.Local := true;
  Dir.Dirty := true;
  TakeExclusive(Home);
end;


-- Processor interface: giving up a copy -----------------------------------

ruleset src : NODE do
  rule "PI_Remote_PutX"
    Proc[src].Wish = Idle & Proc[src].Line = Exclusive
  ==>
  begin
    Proc[src].Line := Invalid;
    Wb[src] := true;
  end;
end;

rule "PI_Local_PutX"
  Home.Wish = Idle & Home.Line = Exclusive
==>
begin
  Home.Line := Invalid;
  Dir.Dirty := false;
  -- While acknowledgements are missing, the last of them clears Local.
  if !Dir.Pending then
    Dir.Local := false;
  end;
end;

ruleset src : NODE do
  rule "PI_Remote_Replace"
    Proc[src].Wish = Idle & Proc[src].Line = Shared
  ==>
  begin
    Proc[src].Line := Invalid;
    Hint[src] := true;
  end;
end;

rule "PI_Local_Replace"
  Home.Wish = Idle & Home.Line = Shared
==>
begin
  Home.Line := Invalid;
  Dir.Local := false;
end;


-- Network interface: refusals ---------------------------------------------

ruleset src : NODE do
  rule "NI_Remote_Nak"
    Uni[src].Cmd = UniNak
  ==>
  begin
    Reply(src, NoMsg);
    Proc[src].Wish := Idle;
    Proc[src].InvMarked := false;
  end;
end;

rule "NI_Local_Nak"
  HomeUni = UniNak
==>
begin
  HomeUni := NoMsg;
  Home.Wish := Idle;
  Home.InvMarked := false;
end;

rule "NI_Nak_Clear"
  Nakc
==>
begin
  Nakc := false;
  Dir.Pending := false;
end;


-- Network interface: Get at the home --------------------------------------

-- A Get waits for the sender's replacement hint, if there is one: coming in
-- later, the hint would strike the sender off the list after its new copy was
-- entered there.

ruleset src : NODE do
  rule "NI_Local_Get_Nak"
    Uni[src].Cmd = UniGet & Uni[src].Peer = src & !Hint[src] &
    (Dir.Pending | PresumedOwner(src))
  ==>
  begin
    Reply(src, UniNak);
  end;
end;

ruleset src : NODE do
  rule "NI_Local_Get_Get"
    Uni[src].Cmd = UniGet & Uni[src].Peer = src & (!Hint[src] | BUG = 3) &
    !Dir.Pending & Dir.Dirty & !Dir.Local & Dir.Head != src
  ==>
  begin
    Forward(src);
  end;
end;

ruleset src : NODE do
  rule "NI_Local_Get_Put"
    Uni[src].Cmd = UniGet & Uni[src].Peer = src & !Hint[src] & HomeCanServe()
  ==>
  begin
    if Dir.Dirty then
      Dir.Dirty := false;
      Home.Line := Shared;
    end;
    if Dir.HeadVld then
      Dir.Shr[src] := true;
    else
      Dir.HeadVld := true;
      Dir.Head := src;
    end;
    Reply(src, UniPut);
  end;
end;


-- Network interface: GetX at the home -------------------------------------

-- The presumed owner would not ask if it still had the line: its write back
-- must be on the way, and has to come in first.

ruleset src : NODE do
  rule "NI_Local_GetX_Nak"
    Uni[src].Cmd = UniGetX & Uni[src].Peer = src &
    (Dir.Pending | (PresumedOwner(src) & BUG != 1))
  ==>
  begin
    Reply(src, UniNak);
  end;
end;

ruleset src : NODE do
  rule "NI_Local_GetX_GetX"
    Uni[src].Cmd = UniGetX & Uni[src].Peer = src &
    !Dir.Pending & Dir.Dirty & !Dir.Local & Dir.Head != src
  ==>
  begin
    Forward(src);
  end;
end;

ruleset src : NODE do
  rule "NI_Local_GetX_PutX"
    Uni[src].Cmd = UniGetX & Uni[src].Peer = src &
    (HomeCanServe() | (BUG = 1 & !Dir.Pending & PresumedOwner(src)))
  ==>
  begin
    Unlist(src);
    InvalidateListed();
    if Dir.Local then
      Revoke(Home);
    end;
    Dir.Local := false;
    Dir.Dirty := true;
    Dir.HeadVld := true;
    Dir.Head := src;
    Reply(src, UniPutX);
  end;
end;


-- Network interface: forwarded requests at the owner ----------------------

ruleset src : NODE; dst : NODE do
  rule "NI_Remote_Get_Nak"
    src != dst & Uni[src].Cmd = UniGet & Uni[src].Peer = dst &
    Proc[dst].Line != Exclusive
  ==>
  begin
    Reply(src, UniNak);
    Nakc := true;
  end;
end;

-- Peer keeps telling where this reply comes from.

ruleset src : NODE; dst : NODE do
  rule "NI_Remote_Get_Put"
    src != dst & Uni[src].Cmd = UniGet & Uni[src].Peer = dst &
    Proc[dst].Line = Exclusive
  ==>
  begin
    Proc[dst].Line := Shared;
    Uni[src].Cmd := UniPut;
    Fwd[src] := ShWb;
  end;
end;

ruleset src : NODE; dst : NODE do
  rule "NI_Remote_GetX_Nak"
    src != dst & Uni[src].Cmd = UniGetX & Uni[src].Peer = dst &
    Proc[dst].Line != Exclusive
  ==>
  begin
    Reply(src, UniNak);
    Nakc := true;
  end;
end;

ruleset src : NODE; dst : NODE do
  rule "NI_Remote_GetX_PutX"
    src != dst & Uni[src].Cmd = UniGetX & Uni[src].Peer = dst &
    Proc[dst].Line = Exclusive
  ==>
  begin
    Proc[dst].Line := Invalid;
    Reply(src, UniPutX);
    Fwd[src] := FAck;
  end;
end;

-- The same for requests of the home, which needs no ShWb or FAck: the reply
-- itself reaches the directory.

ruleset dst : NODE do
  rule "NI_Home_Get_Nak"
    HomeUni = UniGet & Dir.Head = dst & Proc[dst].Line != Exclusive
  ==>
  begin
    HomeUni := UniNak;
    Nakc := true;
  end;
end;

ruleset dst : NODE do
  rule "NI_Home_Get_Put"
    HomeUni = UniGet & Dir.Head = dst & Proc[dst].Line = Exclusive
  ==>
  begin
    Proc[dst].Line := Shared;
    HomeUni := UniPut;
  end;
end;

ruleset dst : NODE do
  rule "NI_Home_GetX_Nak"
    HomeUni = UniGetX & Dir.Head = dst & Proc[dst].Line != Exclusive
  ==>
  begin
    HomeUni := UniNak;
    Nakc := true;
  end;
end;

ruleset dst : NODE do
  rule "NI_Home_GetX_PutX"
    HomeUni = UniGetX & Dir.Head = dst & Proc[dst].Line = Exclusive
  ==>
  begin
    Proc[dst].Line := Invalid;
    HomeUni := UniPutX;
  end;
end;


-- Network interface: replies at the requester -----------------------------

rule "NI_Local_Put"
  HomeUni = UniPut
==>
begin
  HomeUni := NoMsg;
  Dir.Pending := false;
  Dir.Dirty := false;
  Dir.Local := true;
  TakeShared(Home);
end;

ruleset src : NODE do
  rule "NI_Remote_Put"
    Uni[src].Cmd = UniPut
  ==>
  begin
    if BUG = 2 & Uni[src].Peer != src then
      Proc[src].InvMarked := false;
    end;
    Reply(src, NoMsg);
    TakeShared(Proc[src]);
  end;
end;

rule "NI_Local_PutX"
  HomeUni = UniPutX
==>
begin
  HomeUni := NoMsg;
  Dir.Pending := false;
  Dir.Local := true;
  Dir.HeadVld := false;
  TakeExclusive(Home);
end;

ruleset src : NODE do
  rule "NI_Remote_PutX"
    Uni[src].Cmd = UniPutX
  ==>
  begin
    Reply(src, NoMsg);
    TakeExclusive(Proc[src]);
  end;
end;


-- Network interface: invalidation -----------------------------------------

ruleset src : NODE do
  rule "NI_Inv"
    InvMsg[src] = Inv
  ==>
  begin
    InvMsg[src] := InvAck;
    Revoke(Proc[src]);
  end;
end;

ruleset src : NODE do
  rule "NI_InvAck"
    InvMsg[src] = InvAck & Dir.Pending & Dir.Wait[src]
  ==>
  begin
    InvMsg[src] := NoInv;
    Dir.Wait[src] := false;
    if forall p : NODE do !Dir.Wait[p] end then
      Dir.Pending := false;
      -- The home gave up its exclusive copy while this was going on.
      if !Dir.Dirty then
        Dir.Local := false;
      end;
    end;
  end;
end;


-- Network interface: news of ownership at the home ------------------------

ruleset src : NODE do
  rule "NI_Wb"
    Wb[src]
  ==>
  begin
    Wb[src] := false;
    Dir.Dirty := false;
    Dir.HeadVld := false;
  end;
end;

-- The write back of the new owner may have overtaken this acknowledgement;
-- nothing is dirty then and the head stays as it is.

ruleset src : NODE do
  rule "NI_FAck"
    Fwd[src] = FAck
  ==>
  begin
    Fwd[src] := NoFwd;
    Dir.Pending := false;
    if Dir.Dirty then
      Dir.Head := src;
    end;
  end;
end;

ruleset src : NODE do
  rule "NI_ShWb"
    Fwd[src] = ShWb
  ==>
  begin
    Fwd[src] := NoFwd;
    Dir.Pending := false;
    Dir.Dirty := false;
    Dir.Shr[src] := true;
  end;
end;

-- The head is not struck off: an invalidation too many does no harm.

ruleset src : NODE do
  rule "NI_Replace"
    Hint[src]
  ==>
  begin
    Hint[src] := false;
    Dir.Shr[src] := false;
  end;
end;


-- At most one exclusive copy; beside it no shared copy, unless the copy's
-- invalidation is under way.

invariant "CacheStateProp"
  (Home.Line != Invalid -> forall p : NODE do Proc[p].Line != Exclusive end) &
  forall p : NODE do
    forall q : NODE do
      p != q & Proc[p].Line = Exclusive -> Proc[q].Line != Exclusive
    end &
    (Proc[p].Line = Shared & InvMsg[p] != Inv ->
      Home.Line != Exclusive &
      forall q : NODE do Proc[q].Line != Exclusive end)
  end;

-- A line that is dirty at the home is really there.

invariant "DirectoryProp"
  Dir.Dirty & Dir.Local -> Home.Line = Exclusive;
