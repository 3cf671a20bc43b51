-- expect: holds
-- states: 117220
-- rules: 596928
-- with: BUG=1 expect: violated "Coherence" trace: 6
-- with: BUG=2 expect: violated "DataValue" trace: 9
--
-- A MESI write-back cache coherence protocol on a snooping bus, with data.
--
-- Each of PROCS processors has a cache for LINES memory lines.  An access that
-- the cache cannot serve posts a bus request; the bus serves one request at a
-- time, in any order, and every other cache snoops on it:
--
--   BusRd    read: others fall back to Shared, a Modified copy is flushed;
--   BusRdX   read to write: others are invalidated, a Modified one is flushed;
--   BusUpgr  a Shared copy is to be written: others are invalidated.
--
-- Between posting and service the world may change: an upgrade whose copy has
-- been invalidated meanwhile is served as a BusRdX.
--
-- Constants
--   PROCS   number of processors
--   LINES   number of memory lines
--   VALUES  number of distinct data values
--   BUG     1 makes the caches ignore a BusUpgr: an invalidation is forgotten;
--           2 serves an upgrade as such even if the copy is gone, and so
--           invalidates a Modified copy elsewhere without flushing it.

const
  PROCS : 3;
  LINES : 2;
  VALUES : 2;
  BUG : 0;

type
  PROC : scalarset(PROCS);
  LINE : scalarset(LINES);
  VALUE : 1..VALUES;

  STATE : enum { Modified, Exclusive, Shared, Invalid };

  KIND : enum { NoRequest, BusRd, BusRdX, BusUpgr };

  ENTRY : record
    state : STATE;
    data : VALUE;  -- undefined if Invalid
  end;

  REQUEST : record
    kind : KIND;
    line : LINE;  -- undefined if NoRequest
  end;

var
  cache : array [PROC] of array [LINE] of ENTRY;
  request : array [PROC] of REQUEST;
  memory : array [LINE] of VALUE;
  latest : array [LINE] of VALUE;  -- ghost: the value stored last


function Writable(s : STATE) : boolean;
begin
  return s = Modified | s = Exclusive;
end;

procedure Drop(var e : ENTRY);
begin
  e.state := Invalid;
  undefine e.data;
end;

procedure Flush(var e : ENTRY; a : LINE);
begin
  if e.state = Modified then
    memory[a] := e.data;
  end;
end;

-- A cache sees somebody else's request for line a.

procedure Snoop(var e : ENTRY; a : LINE; k : KIND);
begin
  if e.state != Invalid then
    switch k
    case BusRd:
      Flush(e, a);
      e.state := Shared;
    case BusRdX:
      Flush(e, a);
      Drop(e);
    case BusUpgr:
      if BUG != 1 then
        Drop(e);
      end;
    else
      error "there is nothing to snoop on";
    end;
  end;
end;

procedure Post(p : PROC; k : KIND; a : LINE);
begin
  request[p].kind := k;
  request[p].line := a;
end;


startstate "Init"
  for a : LINE do
    memory[a] := 1;
    latest[a] := 1;
    for p : PROC do
      Drop(cache[p][a]);
    end;
  end;
  for p : PROC do
    request[p].kind := NoRequest;
    undefine request[p].line;
  end;
end;


-- A processor waits for its request to be served.

ruleset p : PROC; a : LINE do
  alias
    entry : cache[p][a];
    idle : request[p].kind = NoRequest
  do

    rule "Load"
      idle & entry.state = Invalid
    ==>
    begin
      Post(p, BusRd, a);
    end;

    rule "StoreMiss"
      idle & entry.state = Invalid
    ==>
    begin
      Post(p, BusRdX, a);
    end;

    rule "StoreUpgrade"
      idle & entry.state = Shared
    ==>
    begin
      Post(p, BusUpgr, a);
    end;

    ruleset v : VALUE do
      rule "Store"
        idle & Writable(entry.state) & entry.data != v
      ==>
      begin
        entry.state := Modified;
        entry.data := v;
        latest[a] := v;
      end;
    end;

    rule "Evict"
      idle & entry.state != Invalid
    ==>
    begin
      Flush(entry, a);
      Drop(entry);
    end;

  end;
end;


-- The bus serves the request of p.

ruleset p : PROC do
  rule "Serve"
    request[p].kind != NoRequest
  ==>
  var
    kind : KIND;
    alone : boolean;
  begin
    alias
      a : request[p].line
    do
      kind := request[p].kind;
      if kind = BusUpgr & cache[p][a].state = Invalid & BUG != 2 then
        kind := BusRdX;
      end;

      alone := true;
      for q : PROC do
        if q != p & cache[q][a].state != Invalid then
          alone := false;
          Snoop(cache[q][a], a, kind);
        end;
      end;

      alias
        mine : cache[p][a]
      do
        if isundefined(mine.data) then
          mine.data := memory[a];
        end;
        switch kind
        case BusRd:
          if alone then
            mine.state := Exclusive;
          else
            mine.state := Shared;
          end;
        case BusRdX, BusUpgr:
          mine.state := Modified;
        end;
      end;
    end;

    request[p].kind := NoRequest;
    undefine request[p].line;
  end;
end;


-- A copy that may be written without asking is the only one.

invariant "Coherence"
  forall a : LINE do
    forall p : PROC do
      Writable(cache[p][a].state) ->
        forall q : PROC do
          p != q -> cache[q][a].state = Invalid
        end
    end
  end;

invariant "DataValue"
  forall a : LINE do
    (forall p : PROC do
      cache[p][a].state != Invalid -> cache[p][a].data = latest[a]
    end) &
    ((forall p : PROC do cache[p][a].state != Modified end) ->
      memory[a] = latest[a])
  end;
