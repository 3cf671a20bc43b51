-- expect: holds
-- states: 352
-- rules: 1632
-- with: BUG=1 expect: violated "gets the lease" trace: 3
-- with: BUG=2 expect: violated "one"
--
-- A server lends one lease to N clients over a network that may lose
-- messages.  A client asks until it is told that it has the lease, uses it and
-- gives it back.  The server takes a lease back by itself if its client does
-- not have it (a clock would tell).
--
-- What can be lost for ever is a matter of liveness: from every state that can
-- be reached each client can still get the lease.  What must happen is more
-- than that, and a formula says it:
--
--   fathom check examples/murphi/lease.m
--   fathom check examples/murphi/lease.m -D BUG=1
--   fathom check examples/murphi/lease.m --ltl 'G (client[0] = Asks -> F client[0] = Has)'
--   fathom check examples/murphi/lease.m --ltl 'G (client[0] = Has -> F client[0] != Has)' --fairness weak
--
-- The first formula is false, even of fair runs (--fairness weak): the network
-- may lose every grant.  The second holds of fair runs only.
--
-- Constants
--   N    number of clients
--   BUG  1: a lease whose grant was lost is neither granted again nor taken back
--        2: the server takes a lease back that its client still has

const
  N : 3;
  BUG : 0;

type
  CLIENT : 0..N-1;
  HOLDER : 0..N; -- N: nobody

var
  holder : HOLDER;
  client : array [CLIENT] of enum { Idle, Asks, Has };
  net : array [CLIENT] of enum { Nothing, Ask, Grant, Back };

startstate "Init"
begin
  holder := N;
  for c : CLIENT do client[c] := Idle; net[c] := Nothing; end;
end;

ruleset c : CLIENT do
  rule "ask"
    client[c] != Has & net[c] = Nothing
  ==> begin
    client[c] := Asks;
    net[c] := Ask;
  end;

  rule "grant"
    net[c] = Ask & (holder = N | holder = c & BUG != 1)
  ==> begin
    holder := c;
    net[c] := Grant;
  end;

  rule "receive the grant"
    net[c] = Grant & client[c] = Asks
  ==> begin
    net[c] := Nothing;
    client[c] := Has;
  end;

  rule "give back"
    client[c] = Has & net[c] = Nothing
  ==> begin
    client[c] := Idle;
    net[c] := Back;
  end;

  rule "receive the lease"
    net[c] = Back
  ==> begin
    net[c] := Nothing;
    if holder = c then holder := N; end;
  end;

  rule "lose a message"
    net[c] != Nothing
  ==> begin
    net[c] := Nothing;
  end;

  rule "take back"
    BUG != 1 & holder = c & net[c] != Grant & (client[c] != Has | BUG = 2)
  ==> begin
    holder := N;
  end;

  liveness "gets the lease" client[c] = Has;
end;

invariant "one"
  forall a : CLIENT do forall b : CLIENT do
    client[a] = Has & client[b] = Has -> a = b
  end end;
