-- SPDX-License-Identifier: Apache-2.0
-- A transaction manager: a coordinator carries a series of transfers through two-phase commit.
--
-- Every participant has a one-place mailbox in each direction. Questions and votes are lost, until the
-- coordinator's timer runs out and it aborts; decisions arrive. Participants vote no while they are busy
-- with local work, and crash when they are prepared: then they read their log. An aborted transfer is tried
-- again, so that every ledger holds the same entries in the end. The ledgers are part of the state.
--
-- As it stands: 163,009 states, depth 1,504, states of 206 bytes.
--
-- Constants
--   TRANSFERS     transfers in the series: the depth is about 15 times this
--   PARTICIPANTS  participants
--   WORK          steps of a participant's local work
--   RECOVERY      steps in which a participant that crashed reads its log

const
  TRANSFERS : 100;
  PARTICIPANTS : 2;
  WORK : 2;
  RECOVERY : 3;

type
  Number : 0..TRANSFERS;
  Transfer : 0..TRANSFERS - 1;
  Participant : 0..PARTICIPANTS - 1;
  Amount : 0..255;
  Phase : enum { Idle, Voting, Committing, Aborting };
  Local : enum { Free, Prepared };
  Question : enum { NoQuestion, Prepare, Commit, Abort };
  Reply : enum { NoReply, Yes, No, Done };

var
  current : Number; -- the transfer under way
  phase : Phase;
  heard : array [Participant] of boolean; -- who has answered in this phase
  asked : array [Participant] of boolean; -- who has been asked in this phase
  lost : boolean; -- a message was lost: the coordinator's timer runs out
  question : array [Participant] of Question; -- mailboxes to the participants
  reply : array [Participant] of Reply; -- and back
  local : array [Participant] of Local;
  work : array [Participant] of 0..WORK; -- local work left
  recovering : array [Participant] of 0..RECOVERY; -- steps left until it is up again
  entries : array [Participant] of Number; -- entries in the ledger
  ledger : array [Participant] of array [Transfer] of Amount;

function amount(p : Participant; t : Transfer) : Amount;
begin
  return (t * 29 + p * 71) % 255 + 1;
end;

procedure begin_phase(next : Phase);
begin
  phase := next;
  clear heard;
  clear asked;
  lost := false;
end;

function all_heard() : boolean;
begin
  return forall p : Participant do heard[p] end;
end;

function up(p : Participant) : boolean;
begin
  return recovering[p] = 0;
end;

ruleset p : Participant do
  rule "local work begins"
    up(p) & local[p] = Free & work[p] = 0 & phase = Idle
  ==>
  begin
    work[p] := WORK;
  end;

  rule "local work goes on"
    up(p) & work[p] > 0
  ==>
  begin
    work[p] := work[p] - 1;
  end;

  rule "coordinator asks for a vote"
    phase = Voting & !asked[p]
  ==>
  begin
    asked[p] := true;
    question[p] := Prepare;
  end;

  rule "participant votes"
    up(p) & question[p] = Prepare & reply[p] = NoReply
  ==>
  begin
    question[p] := NoQuestion;
    if local[p] = Prepared | work[p] = 0 then
      local[p] := Prepared;
      reply[p] := Yes;
    else
      reply[p] := No;
    end;
  end;

  rule "coordinator counts a vote"
    phase = Voting & (reply[p] = Yes | reply[p] = No)
  ==>
  begin
    if reply[p] = Yes then
      heard[p] := true;
    else
      begin_phase(Aborting);
    end;
    reply[p] := NoReply;
  end;

  rule "coordinator tells its decision"
    (phase = Committing | phase = Aborting) & !asked[p] & question[p] = NoQuestion & reply[p] = NoReply
  ==>
  begin
    asked[p] := true;
    if phase = Committing then question[p] := Commit; else question[p] := Abort; end;
  end;

  rule "participant obeys"
    up(p) & (question[p] = Commit | question[p] = Abort) & reply[p] = NoReply
  ==>
  begin
    if local[p] = Prepared then
      if question[p] = Commit then
        ledger[p][entries[p]] := amount(p, entries[p]);
        entries[p] := entries[p] + 1;
      end;
      local[p] := Free;
    end;
    question[p] := NoQuestion;
    reply[p] := Done;
  end;

  rule "coordinator hears that it is done"
    (phase = Committing | phase = Aborting) & reply[p] != NoReply
  ==>
  begin
    if reply[p] = Done then heard[p] := true; end;
    reply[p] := NoReply;
  end;

  rule "participant reads its log"
    !up(p)
  ==>
  begin
    recovering[p] := recovering[p] - 1;
  end;

  rule "participant crashes"
    up(p) & local[p] = Prepared & question[p] = NoQuestion & reply[p] = NoReply
  ==>
  begin
    recovering[p] := RECOVERY;
    work[p] := 0;
  end;

  rule "a question is lost"
    question[p] = Prepare
  ==>
  begin
    question[p] := NoQuestion;
    lost := true;
  end;

  rule "a reply is lost"
    reply[p] = Yes
  ==>
  begin
    reply[p] := NoReply;
    lost := true;
  end;
end;

rule "a transfer begins"
  phase = Idle & current < TRANSFERS
==>
begin
  begin_phase(Voting);
end;

rule "the timer runs out"
  phase = Voting & lost
==>
begin
  begin_phase(Aborting);
end;

rule "all are prepared"
  phase = Voting & all_heard()
==>
begin
  begin_phase(Committing);
end;

rule "all have committed"
  phase = Committing & all_heard()
==>
begin
  begin_phase(Idle);
  current := current + 1;
end;

rule "all have aborted"
  phase = Aborting & all_heard()
==>
begin
  begin_phase(Idle);
end;

procedure reset();
begin
  clear current;
  clear heard;
  clear asked;
  lost := false;
  phase := Idle;
  for p : Participant do
    question[p] := NoQuestion;
    reply[p] := NoReply;
    local[p] := Free;
  end;
  clear work;
  clear recovering;
  clear entries;
  clear ledger;
end;

rule "the ledgers are closed"
  phase = Idle & current = TRANSFERS
==>
begin
  reset();
end;

startstate
begin
  reset();
end;

invariant "ledgers differ by the transfer under way at most"
  forall p : Participant do
    entries[p] = current | (phase = Committing & entries[p] = current + 1)
  end;

invariant "a commit is decided by all"
  phase = Committing ->
    forall p : Participant do local[p] = Prepared | entries[p] = current + 1 end;

invariant "the last entry is right"
  forall p : Participant do
    entries[p] = 0 | ledger[p][entries[p] - 1] = amount(p, entries[p] - 1)
  end;
