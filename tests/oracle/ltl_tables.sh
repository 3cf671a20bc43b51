# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# Sourced by ltl.sh: properties of infinite runs of the public models.

# MODEL;PROPERTY;FORMULA;EFFORT. PROPERTY: the name of an ltl formula (with a FORMULA: one that is added to the
# model), or: accept (cycles through accept labels), progress (cycles without progress labels). EFFORT quick: SPIN and we need a moment for it.
ltl_rows='
spin-ltl-ltl_always_eventually.pml;name;;quick
spin-ltl-bakery.pml;invariant;;quick
spin-ltl-bakery.pml;enters;[] <> (P@CS);full
spin-ltl-mobile1.pml;ltl_0;;full
spin-ltl-mobile1.pml;progress;;full
spin-ltl-leader.pml;p0;;full
spin-ltl-leader.pml;p1;;full
spin-ltl-leader.pml;p2;;full
spin-ltl-leader.pml;p3;;full
spin-ltl-petersonN.pml;bounded_bypass;;full
spin-loops.pml;accept;;quick
spin-loops.pml;progress;;quick
spin-hajek.pml;progress;;quick
spin-abp.pml;acknowledged;[] <> (len(sender) > 0);quick
spin-peterson.pml;one;<> (ncrit == 1);full
spin-peterson.pml;again;[] <> (ncrit == 1);quick
spin-peterson.pml;first;[] (flag[0] -> <> (turn == 0));full
spin-manna_pnueli.pml;served;[] (request == 1 -> <> (respond == 1));quick
spin-manna_pnueli.pml;progress;;full
spin-leader0.pml;elected;<> (nr_leaders == 1);quick
spin-leader0.pml;stays;<> [] (nr_leaders == 1);full
spin-pathfinder.pml;runs;[] (h_state == waiting -> <> (h_state == running));quick
spin-eratosthenes.pml;ends;<> (_nr_pr == 1);full
spin-snoopy.pml;granted;[] ((len(claim0) > 0) -> <> (len(grant0) > 0));full
spin-sort.pml;ends;<> (_nr_pr == 1);full
adding.6.pml;grows;<> (c > 5);full
at.4.pml;exclusion;[] !(P_0@CS && P_1@CS);full
at.4.pml;enters;[] (P_0@p2 -> <> P_0@CS);full
bakery.6.pml;enters;[] (P_0@wait -> <> P_0@CS);full
bakery.6.pml;again;[] <> (P_0@CS || P_1@CS || P_2@CS || P_3@CS);full
bopdp.3.pml;wakes;[] <> (sleeping == 0);full
brp.3.pml;delivered;[] <> (Consumer@ready);full
elevator.3.pml;transported;[] (Person_0@waiting -> <> Person_0@in_elevator);full
fischer.6.pml;enters;[] (P_0@try -> <> P_0@CS);full
frogs.3.pml;solved;[] !Check@done;full
iprotocol.4.pml;produces;[] <> (Producer@produce);full
lamport.6.pml;exclusion;[] !(P_0@CS && P_1@CS);full
lamport.6.pml;enters;[] (P_0@q1 -> <> P_0@CS);full
leader_filters.5.pml;elected;<> (P_0@elected || P_1@elected || P_2@elected || P_3@elected || P_4@elected);full
mcs.3.pml;enters;[] (P_0@p2 -> <> P_0@CS);full
mcs.3.pml;again;([] <> P_0@CS) -> ([] <> P_0@NCS);full
msmie.4.pml;reads;[] <> (readers == 0);full
needham.4.pml;finishes;[] (initiator_0@wait_resp -> <> initiator_0@finished);full
peterson.4.pml;exclusion;[] !(P_0@CS && P_1@CS);full
peterson.4.pml;enters;[] (P_0@wait -> <> P_0@CS);full
peterson.4.pml;again;([] <> P_0@CS) -> ([] <> P_0@NCS);full
phils.5.pml;eats;[] (phil_0@one -> <> phil_0@eat);full
protocols.5.pml;consumes;[] <> (Consumer@consume0);full
szymanski.4.pml;enters;[] (P_0@p2 -> <> P_0@CS);full
szymanski.4.pml;again;([] <> P_0@CS) -> ([] <> P_0@NCS);full
telephony.3.pml;answers;[] (User_0@calling -> <> User_0@idle);full
'

# MODEL;PROPERTY;REASON: not compared.
ltl_exceptions='
ltl_violated_anyway.pml;p;an assertion of the model fails before: SPIN counts it, we leave the formula open
ltl_atomic_loop.pml;p;SPIN goes round inside the atomic sequence for ever
never_np.pml;never_0;with -f SPIN adds stutter steps of its own, in which np_ is true; a stuck run is no non-progress cycle
never_stutters.pml;never_0;with -f SPIN forgets a run in which in the end nothing can move, if a process has ended
printer.pml;never_0;accept labels of processes count for SPIN when it checks a claim; they are a property of their own here
'
