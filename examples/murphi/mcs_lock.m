-- expect: holds
-- states: 536
-- rules: 1272
-- with: BUG=1 expect: violated "deadlock" trace: 27
-- with: BUG=2 expect: violated "deadlock" trace: 17
--
-- The queue lock of Mellor-Crummey and Scott (MCS).
--
-- The waiting processes form a linked list, each of them spinning on a flag in
-- its own list node.  The lock is a pointer to the tail of the list:
--
--   acquire:  next := nil; pred := swap(tail, me);
--             if pred != nil then
--               blocked := true; pred.next := me; wait until !blocked
--   release:  if next = nil then
--               if compare_and_swap(tail, me, nil) then done
--               wait until next != nil
--             next.blocked := false
--
-- A nil pointer is an undefined one here.
--
-- Constants
--   N    number of processes
--   BUG  1 replaces the compare-and-swap of the release by a test of the tail
--        and a separate write: a process that enqueues in between is lost, as
--        nobody will ever wake it.  Mutual exclusion survives this, but in the
--        end all the processes may be lost: a deadlock.
--        2 lets a process block only after it has linked itself in, so that it
--        overwrites the signal of a quick predecessor: a deadlock as well.

const
  N : 3;
  BUG : 0;

type
  PID : scalarset(N);

  LABEL : enum {
    Away,
    Swap,      -- append oneself to the list
    Block,     -- there is a predecessor: get ready to wait
    Link,      -- tell the predecessor
    Spin,
    Critical,
    Release,   -- is there a successor?
    Detach,    -- none in sight: take oneself off the tail
    Drop,      -- BUG 1 only: the second half of Detach
    AwaitNext, -- somebody is just about to link
    Wake
  };

  QNODE : record
    next : PID;  -- undefined: nil
    blocked : boolean;
  end;

var
  pc : array [PID] of LABEL;
  node : array [PID] of QNODE;
  pred : array [PID] of PID;  -- private; undefined: nil
  tail : PID;                 -- undefined: nil, the lock is free


-- A pointer cannot simply be assigned, since it may be undefined.

procedure SwapTail(me : PID);
begin
  if isundefined(tail) then
    undefine pred[me];
  else
    pred[me] := tail;
  end;
  tail := me;
end;


startstate "Init"
  for p : PID do
    pc[p] := Away;
    undefine node[p].next;
    node[p].blocked := false;
    undefine pred[p];
  end;
  undefine tail;
end;

ruleset p : PID do
  alias
    me : node[p]
  do

    rule "Start"
      pc[p] = Away
    ==>
    begin
      undefine me.next;
      pc[p] := Swap;
    end;

    rule "Swap"
      pc[p] = Swap
    ==>
    begin
      SwapTail(p);
      if isundefined(pred[p]) then
        pc[p] := Critical;
      elsif BUG = 2 then
        pc[p] := Link;
      else
        pc[p] := Block;
      end;
    end;

    rule "Block"
      pc[p] = Block
    ==>
    begin
      me.blocked := true;
      if BUG = 2 then
        pc[p] := Spin;
      else
        pc[p] := Link;
      end;
    end;

    rule "Link"
      pc[p] = Link
    ==>
    begin
      assert !isundefined(pred[p]) "there is a predecessor to link to";
      node[pred[p]].next := p;
      undefine pred[p];
      if BUG = 2 then
        pc[p] := Block;
      else
        pc[p] := Spin;
      end;
    end;

    rule "Enter"
      pc[p] = Spin & !me.blocked
    ==>
    begin
      pc[p] := Critical;
    end;

    rule "Leave"
      pc[p] = Critical
    ==>
    begin
      pc[p] := Release;
    end;

    rule "Release"
      pc[p] = Release
    ==>
    begin
      if isundefined(me.next) then
        pc[p] := Detach;
      else
        pc[p] := Wake;
      end;
    end;

    rule "Detach"
      pc[p] = Detach
    ==>
    begin
      assert !isundefined(tail) "the list is not empty";
      if tail != p then
        pc[p] := AwaitNext;
      elsif BUG = 1 then
        pc[p] := Drop;
      else
        undefine tail;
        pc[p] := Away;
      end;
    end;

    rule "Drop"
      pc[p] = Drop
    ==>
    begin
      undefine tail;
      pc[p] := Away;
    end;

    rule "SeeNext"
      pc[p] = AwaitNext & !isundefined(me.next)
    ==>
    begin
      pc[p] := Wake;
    end;

    rule "Wake"
      pc[p] = Wake
    ==>
    begin
      node[me.next].blocked := false;
      undefine me.next;
      pc[p] := Away;
    end;

  end;
end;

invariant "MutualExclusion"
  forall p : PID do
    forall q : PID do
      pc[p] = Critical & pc[q] = Critical -> p = q
    end
  end;
