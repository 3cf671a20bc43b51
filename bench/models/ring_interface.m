-- SPDX-License-Identifier: Apache-2.0
-- A core and its two caches at the ring of a multiprocessor, in the spirit of the model of Table 3 in "Biased
-- model checking using flows", which is not public.
--
-- The first-level cache asks the second (Miss); the second answers (Fill) or asks the uncore over the ring
-- (Req, Rsp). It holds at most WAYS lines: where a line has come and there is no room, another is evicted.
-- Inclusion: what the first level holds is in the second as well. So a line that leaves the second level is
-- revoked in the first (Inv), and does not leave while it is on its way there (Fill).
--
-- Constants
--   ADDR_NUM  number of addresses
--   WAYS      lines of the second level
--   BUG       1: eviction heeds a line on its way to the first level only if that holds nothing of it, "for
--             otherwise it is revoked there anyway". An upgrade on its way then survives the revocation.

const
  ADDR_NUM : 3;
  WAYS : 2;
  BUG : 0;

type
  ADDR : scalarset(ADDR_NUM);
  LINE : enum { Invalid, Shared, Modified };

var
  L1 : array [ADDR] of LINE;
  L2 : array [ADDR] of LINE;
  Miss : array [ADDR] of LINE;  -- what the core waits for; Invalid is nothing, here and in channels
  Fill : array [ADDR] of LINE;  -- second to first level
  Inv : array [ADDR] of boolean;
  Req : array [ADDR] of LINE;   -- to the ring
  Rsp : array [ADDR] of LINE;   -- from the ring
  Snoop : array [ADDR] of boolean;
  Wb : array [ADDR] of boolean;

function Full() : boolean;
var lines : 0..ADDR_NUM;
begin
  lines := 0;
  for a : ADDR do
    if L2[a] != Invalid then
      lines := lines + 1;
    end;
  end;
  return lines >= WAYS;
end;

-- The second level gives a line up.

procedure Leave(a : ADDR);
begin
  if L1[a] != Invalid then
    Inv[a] := true;
  end;
  if L2[a] = Modified then
    Wb[a] := true;
  end;
  L2[a] := Invalid;
end;

startstate "Init"
  for a : ADDR do
    L1[a] := Invalid;
    L2[a] := Invalid;
    Miss[a] := Invalid;
    Fill[a] := Invalid;
    Inv[a] := false;
    Req[a] := Invalid;
    Rsp[a] := Invalid;
    Snoop[a] := false;
    Wb[a] := false;
  end;
end;


-- The core and the first level.

ruleset a : ADDR do
  rule "CoreLoad"
    L1[a] = Invalid & Miss[a] = Invalid & Fill[a] = Invalid
  ==>
  begin
    Miss[a] := Shared;
  end;
end;

ruleset a : ADDR do
  rule "CoreStore"
    L1[a] != Modified & Miss[a] = Invalid & Fill[a] = Invalid
  ==>
  begin
    Miss[a] := Modified;
  end;
end;

ruleset a : ADDR do
  rule "L1Evict"
    L1[a] = Shared & Miss[a] = Invalid & Fill[a] = Invalid
  ==>
  begin
    L1[a] := Invalid;
  end;
end;

ruleset a : ADDR do
  rule "L1Fill"
    Fill[a] != Invalid
  ==>
  begin
    L1[a] := Fill[a];
    Fill[a] := Invalid;
  end;
end;

ruleset a : ADDR do
  rule "L1Revoke"
    Inv[a]
  ==>
  begin
    L1[a] := Invalid;
    Inv[a] := false;
  end;
end;


-- The second level.

ruleset a : ADDR do
  rule "L2Hit"
    Miss[a] != Invalid & !Inv[a] & (L2[a] = Modified | L2[a] = Miss[a])
  ==>
  begin
    Fill[a] := Miss[a];
    Miss[a] := Invalid;
  end;
end;

ruleset a : ADDR do
  rule "L2Miss"
    Miss[a] != Invalid & L2[a] != Modified & L2[a] != Miss[a] & Req[a] = Invalid & Rsp[a] = Invalid & !Wb[a]
  ==>
  begin
    Req[a] := Miss[a];
  end;
end;

ruleset a : ADDR do
  rule "L2Fill"
    Rsp[a] != Invalid & (L2[a] != Invalid | !Full())
  ==>
  begin
    L2[a] := Rsp[a];
    Rsp[a] := Invalid;
  end;
end;

ruleset a : ADDR do
  rule "L2Evict"
    L2[a] != Invalid & Rsp[a] = Invalid & !Inv[a] & !Snoop[a] & Full() &
    (Fill[a] = Invalid | (BUG = 1 & L1[a] != Invalid)) &
    exists b : ADDR do Rsp[b] != Invalid & L2[b] = Invalid end
  ==>
  begin
    Leave(a);
  end;
end;


-- The ring: answers, write backs, and snoops for other cores.

ruleset a : ADDR do
  rule "RingAnswer"
    Req[a] != Invalid & !Snoop[a]
  ==>
  begin
    Rsp[a] := Req[a];
    Req[a] := Invalid;
  end;
end;

ruleset a : ADDR do
  rule "RingSnoop"
    L2[a] != Invalid & !Snoop[a] & Rsp[a] = Invalid
  ==>
  begin
    Snoop[a] := true;
  end;
end;

ruleset a : ADDR do
  rule "L2Snoop"
    Snoop[a] & Fill[a] = Invalid & !Inv[a]
  ==>
  begin
    Snoop[a] := false;
    if L2[a] != Invalid then
      Leave(a);
    end;
  end;
end;

ruleset a : ADDR do
  rule "RingWriteBack"
    Wb[a]
  ==>
  begin
    Wb[a] := false;
  end;
end;


invariant "Inclusion"
  forall a : ADDR do
    L1[a] != Invalid -> L2[a] != Invalid | Inv[a]
  end;
