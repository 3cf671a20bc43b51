-- SPDX-License-Identifier: Apache-2.0
-- A hash table that grows while threads use it.
--
-- One thread moves the buckets of the small table into one twice as large, one by one, under a lock per
-- bucket; the others look keys up, and move the bucket themselves if that has not been done yet. Every
-- step of a thread is one read or write of shared memory. Once all has moved, everything starts again. Both
-- tables are part of the state.
--
-- As it stands: 1,362,511 states, depth 2,818, states of 1,660 bytes.
--
-- Constants
--   BUCKETS  buckets of the small table: the depth is about seven times this
--   THREADS  threads, of which the first moves buckets
--   STRIDE   the users' keys are those divisible by this
--   BACKOFF  steps that a thread waits when it finds a bucket locked
--   WALK     steps of a user through a bucket, without a lock

const
  BUCKETS : 400;
  THREADS : 2;
  STRIDE : 100;
  BACKOFF : 8;
  WALK : 8;
  PAUSE : BACKOFF + WALK; -- enough for either

type
  Thread : 0..THREADS - 1;
  User : 1..THREADS - 1;
  Bucket : 0..BUCKETS - 1;
  Wide : 0..2 * BUCKETS - 1;
  Key : 0..2 * BUCKETS - 1; -- its own hash
  Value : 0..255; -- 0: not there
  -- The mover goes from Rest to Lock; users look first.
  Place : enum { Rest, Look, Lock, Read, Copy, Wipe, Mark, Unlock };

var
  small : array [Key] of Value; -- two keys in a bucket: k and k + BUCKETS
  large : array [Wide] of Value;
  moved : array [Bucket] of boolean;
  hand : 0..BUCKETS; -- the mover's next bucket
  lock : array [Thread] of 0..BUCKETS; -- the bucket each thread holds; BUCKETS: none
  place : array [Thread] of Place;
  key : array [Thread] of Key; -- the key that it is about
  pause : array [Thread] of 0..PAUSE; -- steps until it tries the lock again, or has walked through a bucket
  seen : array [Thread] of Value; -- what it has read

function initial(k : Key) : Value;
begin
  return (k * 53) % 250 + 1;
end;

function held(b : Bucket) : boolean;
begin
  return exists t : Thread do lock[t] = b end;
end;

procedure rest(t : Thread);
begin
  place[t] := Rest;
  key[t] := 0;
  seen[t] := 0;
  pause[t] := 0;
end;

procedure set_up();
begin
  for k : Key do
    small[k] := initial(k);
    large[k] := 0;
  end;
  clear moved;
  hand := 0;
  for t : Thread do
    lock[t] := BUCKETS;
    rest(t);
  end;
end;

rule "mover takes the next bucket"
  place[0] = Rest & hand < BUCKETS
==>
begin
  if moved[hand] then
    hand := hand + 1;
  else
    key[0] := hand;
    place[0] := Lock;
  end;
end;

rule "mover passes several moved buckets"
  place[0] = Rest & hand + 1 < BUCKETS & moved[hand] & moved[hand + 1]
==>
begin
  hand := hand + 2;
end;

ruleset t : User; n : 0..2 * BUCKETS / STRIDE - 1 do
  rule "user wants a key"
    place[t] = Rest & hand < BUCKETS
  ==>
  begin
    key[t] := n * STRIDE;
    place[t] := Look;
    pause[t] := WALK;
  end;
end;

ruleset t : User do
  rule "user has walked through the bucket"
    place[t] = Look & pause[t] = 0
  ==>
  begin
    if moved[key[t] % BUCKETS] then rest(t); else place[t] := Lock; end;
  end;
end;

ruleset t : Thread do
  rule "lock the bucket"
    place[t] = Lock & pause[t] = 0 & !held(key[t] % BUCKETS)
  ==>
  begin
    lock[t] := key[t] % BUCKETS;
    place[t] := Read;
  end;

  rule "wait, since it is locked"
    place[t] = Lock & pause[t] = 0 & held(key[t] % BUCKETS)
  ==>
  begin
    pause[t] := BACKOFF;
  end;

  rule "wait on"
    pause[t] > 0
  ==>
  begin
    pause[t] := pause[t] - 1;
  end;

  rule "read the bucket"
    place[t] = Read
  ==>
  begin
    if moved[lock[t]] then
      seen[t] := large[key[t]];
      place[t] := Unlock;
    else
      seen[t] := small[lock[t]];
      place[t] := Copy;
    end;
  end;

  rule "copy both keys of the bucket"
    place[t] = Copy
  ==>
  begin
    large[lock[t]] := seen[t];
    large[lock[t] + BUCKETS] := small[lock[t] + BUCKETS];
    seen[t] := 0;
    place[t] := Wipe;
  end;

  rule "wipe the old bucket"
    place[t] = Wipe
  ==>
  begin
    small[lock[t]] := 0;
    small[lock[t] + BUCKETS] := 0;
    place[t] := Mark;
  end;

  rule "mark it as moved"
    place[t] = Mark
  ==>
  begin
    moved[lock[t]] := true;
    place[t] := Unlock;
  end;

  rule "unlock"
    place[t] = Unlock
  ==>
  begin
    lock[t] := BUCKETS;
    rest(t);
    if t = 0 then hand := hand + 1; end;
  end;
end;

rule "all has moved"
  hand = BUCKETS & forall t : Thread do place[t] = Rest end
==>
begin
  set_up();
end;

startstate
begin
  set_up();
end;

invariant "a bucket has one holder"
  forall t : Thread do
    forall u : Thread do t = u | lock[t] = BUCKETS | lock[t] != lock[u] end
  end;

invariant "a key is in one table"
  forall t : Thread do
    lock[t] != BUCKETS & place[t] != Copy & place[t] != Wipe ->
      (small[lock[t]] = 0) != (large[lock[t]] = 0)
  end;

invariant "what has moved is right"
  forall n : 0..2 * BUCKETS / STRIDE - 1 do
    moved[(n * STRIDE) % BUCKETS] -> large[n * STRIDE] = initial(n * STRIDE)
  end;
