-- expect: holds
-- states: 24276
-- rules: 122254
-- with: BUG=1 expect: violated "Atomicity" trace: 10
-- with: BUG=2 expect: violated "Atomicity" trace: 6
--
-- Two-phase commit with crashes.
--
-- A coordinator asks N participants to prepare a transaction.  A participant
-- votes yes, after which it may neither commit nor abort on its own account,
-- or votes no and aborts.  The coordinator commits if all votes are yes,
-- aborts if one is no or missing for too long, and tells the participants.
--
-- Every site may crash and recover.  A crash loses the messages on the way to
-- the site and what it has not logged; phases are logged.  A participant that
-- had not voted aborts when it recovers, one that had voted yes has to ask for
-- the outcome.  A recovered coordinator aborts what it had not decided, and
-- tells everyone the outcome again.
--
-- Once the outcome is known everywhere, the next transaction begins.
--
-- Constants
--   N        number of participants
--   CRASHES  how many crashes may happen during one transaction
--   BUG      1 lets a participant that has voted yes abort when it recovers;
--            2 lets the coordinator take a missing vote for a yes.

const
  N : 3;
  CRASHES : 2;
  BUG : 0;

type
  PARTICIPANT : scalarset(N);

  PHASE : enum { Working, Prepared, Committed, Aborted };

  VOTE : enum { NoVote, Yes, No };

  OUTCOME : enum { Unknown, Commit, Abort };

  SITE : record
    phase : PHASE;  -- survives a crash
    up : boolean;
  end;

var
  -- The coordinator is Prepared while it collects votes.
  coord : SITE;
  part : array [PARTICIPANT] of SITE;

  yes : array [PARTICIPANT] of boolean;  -- votes counted; lost in a crash

  -- Messages on their way.
  prepare : array [PARTICIPANT] of boolean;
  vote : array [PARTICIPANT] of VOTE;
  outcome : array [PARTICIPANT] of OUTCOME;
  inquiry : array [PARTICIPANT] of boolean;

  crashes : 0..CRASHES;


function Decided(ph : PHASE) : boolean;
begin
  return ph = Committed | ph = Aborted;
end;

procedure Tell(p : PARTICIPANT);
begin
  switch coord.phase
  case Committed:
    outcome[p] := Commit;
  case Aborted:
    outcome[p] := Abort;
  case Working, Prepared:
    error "no outcome to tell yet";
  end;
end;

procedure Conclude(ph : PHASE);
begin
  coord.phase := ph;
  for p : PARTICIPANT do
    yes[p] := false;
    Tell(p);
  end;
end;

procedure NewTransaction();
begin
  coord.phase := Working;
  coord.up := true;
  for p : PARTICIPANT do
    part[p].phase := Working;
    part[p].up := true;
    yes[p] := false;
    prepare[p] := false;
    vote[p] := NoVote;
    outcome[p] := Unknown;
    inquiry[p] := false;
  end;
  crashes := 0;
end;

procedure Crash(var s : SITE);
begin
  s.up := false;
  crashes := crashes + 1;
end;


startstate "Init"
  NewTransaction();
end;


-- The coordinator.

rule "Prepare"
  coord.up & coord.phase = Working
==>
begin
  coord.phase := Prepared;
  for p : PARTICIPANT do
    prepare[p] := true;
  end;
end;

ruleset p : PARTICIPANT do
  rule "RecvVote"
    coord.up & vote[p] != NoVote
  ==>
  begin
    -- A vote that comes in after the decision has no weight any more.
    if coord.phase = Prepared then
      if vote[p] = No then
        Conclude(Aborted);
      else
        yes[p] := true;
        if forall q : PARTICIPANT do yes[q] end then
          Conclude(Committed);
        end;
      end;
    end;
    vote[p] := NoVote;
  end;
end;

rule "TimeOut"
  coord.up & coord.phase = Prepared
==>
begin
  if BUG = 2 & exists p : PARTICIPANT do yes[p] end then
    Conclude(Committed);
  else
    Conclude(Aborted);
  end;
end;

ruleset p : PARTICIPANT do
  rule "Answer"
    coord.up & inquiry[p] & Decided(coord.phase)
  ==>
  begin
    inquiry[p] := false;
    Tell(p);
  end;
end;

rule "CrashCoord"
  coord.up & coord.phase != Working & crashes < CRASHES
==>
begin
  Crash(coord);
  for p : PARTICIPANT do
    yes[p] := false;
    vote[p] := NoVote;
    inquiry[p] := false;
  end;
end;

rule "RecoverCoord"
  !coord.up
==>
begin
  coord.up := true;
  if Decided(coord.phase) then
    Conclude(coord.phase);
  else
    Conclude(Aborted);
  end;
end;


-- The participants.

ruleset p : PARTICIPANT do
  alias
    me : part[p]
  do

    rule "VoteYes"
      me.up & prepare[p] & me.phase = Working
    ==>
    begin
      prepare[p] := false;
      me.phase := Prepared;
      vote[p] := Yes;
    end;

    rule "VoteNo"
      me.up & prepare[p] & me.phase = Working
    ==>
    begin
      prepare[p] := false;
      me.phase := Aborted;
      vote[p] := No;
    end;

    -- An outcome may come in before the request to prepare is read.
    rule "RecvOutcome"
      me.up & outcome[p] != Unknown
    ==>
    begin
      if !Decided(me.phase) then
        if outcome[p] = Commit then
          me.phase := Committed;
        else
          me.phase := Aborted;
        end;
      end;
      prepare[p] := false;
      outcome[p] := Unknown;
    end;

    rule "CrashPart"
      me.up & coord.phase != Working & crashes < CRASHES
    ==>
    begin
      Crash(me);
      prepare[p] := false;
      outcome[p] := Unknown;
    end;

    rule "RecoverPart"
      !me.up
    ==>
    begin
      me.up := true;
      prepare[p] := false;
      switch me.phase
      case Working:
        me.phase := Aborted;
        vote[p] := No;
      case Prepared:
        if BUG = 1 then
          me.phase := Aborted;
        else
          inquiry[p] := true;
        end;
      end;
    end;

  end;
end;

rule "NextTransaction"
  coord.up & Decided(coord.phase) &
  forall p : PARTICIPANT do
    part[p].up & Decided(part[p].phase) & vote[p] = NoVote &
    outcome[p] = Unknown & !inquiry[p]
  end
==>
begin
  NewTransaction();
end;


-- No two participants conclude the transaction differently.

invariant "Atomicity"
  forall p : PARTICIPANT do
    forall q : PARTICIPANT do
      !(part[p].phase = Committed & part[q].phase = Aborted)
    end
  end;

-- Nothing is committed unless the coordinator says so.

invariant "CommitIsDecided"
  (exists p : PARTICIPANT do part[p].phase = Committed end) ->
    coord.phase = Committed;
