#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Promela on the command line: macros, traces as SPIN writes them, charts, models that are laid out
# anew for processes that were not foreseen, and results that replay.
. "$(dirname "$0")/lib.sh"

# --- a buffered channel, a macro, an assertion -----------------------------------------------
cat >buffer.pml <<'END'
#ifndef LAST
#define LAST 3
#endif
mtype = { data, stop };
chan q = [2] of { mtype, byte };
byte sum;

active proctype sender() {
  byte i;
  do
  :: i < LAST -> i++; q!data(i)
  :: else -> break
  od;
  q!stop(0)
}

active proctype receiver() {
  byte x;
end:
  do
  :: q?data(x) ->
     sum = sum + x;
     printf("sum is %d\n", sum);
     assert(sum < 6)
  :: q?stop(_) -> break
  od
}
END
run 0 check -D LAST=2 buffer.pml;          has out "holds"
run 0 check -DLAST=2 --language promela buffer.pml
run 10 check buffer.pml
has out "violated: assertion failed: assert("
has out "buffer.pml:"
has out "(sender:1) buffer.pml:11 (state "
has out "[q!data,i]"
grep -Eq '^ +[0-9]+ proc +1 \(receiver:1\) buffer\.pml:21 \(state [0-9]+\) \[q\?data,x\]' out ||
  fail "a step does not read like SPIN's"
has out "sum: 3 -> 6"
has out "prints sum is 6"
lacks out "._p"

# As a chart: numbered sends, arrows where they are received.
run 10 check --trace msc buffer.pml
has out "sender:0"; has out "receiver:1"
has out "#1 q!data,1"
grep -Eq '\|\.+#3 q\?data,3\.+>\||#3 q\?data,3' out || fail "no arrow of the third message"
grep -Eq '\.+>\|' out || fail "no arrow"
has out "prints sum is 6"

# --- what -D takes ---------------------------------------------------------------------------
cat >macro.pml <<'END'
byte x;
active proctype p() {
#ifdef BAD
  assert(x == BAD)
#else
  skip
#endif
}
END
run 0 check macro.pml
run 10 check -D BAD macro.pml;             has out "assert("
run 0 check -D BAD=0 macro.pml
run 1 check -D =3 macro.pml;               has err "NAME=VALUE or NAME"

# --- rendezvous and invalid end states -------------------------------------------------------
cat >stuck.pml <<'END'
chan c = [0] of { byte };
chan d = [0] of { byte };
active proctype a() { byte x; c!7; d?x }
active proctype b() { byte y; c?y; c?y }
active proctype waiter() { end: d?[3] -> skip }
END
run 10 check stuck.pml
has out "violated: invalid end state (deadlock)"
has out "after 1 step"
grep -Eq 'proc  0 \(a:1\) stuck\.pml:3 \(state [0-9]+\) waits for \[d\?x\]' out || fail "a waits for d?x"
grep -Eq 'proc  1 \(b:1\) stuck\.pml:4 \(state [0-9]+\) waits for \[c\?y\]' out || fail "b waits for c?y"
grep -Eq 'proc  2 \(waiter:1\) .* may end here' out || fail "waiter may end"
has out "[c!7]"; has out "[c?y]"
run 10 check --trace msc stuck.pml
grep -Eq '\|-+c!7-+>\|' out || fail "a rendezvous is one arrow"
run 0 check --deadlock off stuck.pml

# --- processes that nobody foresaw -----------------------------------------------------------
# Which processes run, and with which arguments, depends on what happens after many steps.
cat >late.pml <<'END'
#ifndef N
#define N 4
#endif
int n = 0;
byte done;
proctype child(byte me) { atomic { done++; assert(done < N || me == 0) } }
init {
  do
  :: n < 4000 -> n++
  :: n == 4000 -> break
  od;
  byte k;
  do
  :: k < N -> run child(k); k++
  :: k == N -> break
  od
}
END
run 10 check late.pml --json late.json
lacks out "plan"; lacks err "plan"
has out "violated: assertion failed"
run 10 replay late.json;                   has out "violated: assertion failed"; has out "(child:1)"
run 10 check --search dfs --shrink 0 late.pml
run 10 check --max-errors 0 late.pml;      has out "violations found"
run 0 simulate --depth 8005 --trace off late.pml
for seed in 1 2 3 4 5 6; do
  "$FATHOM" simulate --depth 9000 --seed $seed --trace off late.pml >out 2>err
  case $? in
  0) has out "no violation (no rule can be fired)" ;;
  10) has out "violated: assertion failed" ;;
  *) fail "simulate, seed $seed"; cat out err ;;
  esac
done
# A search that was laid out anew goes on from its file.
run 5 check --search bounded --depth 8016 --save-frontier late.bin late.pml
run 10 check --search bounded --resume late.bin --trace off late.pml
run 5 check --search bounded --depth 7000 --save-frontier late.bin late.pml
run 1 check --search bounded --resume late.bin --trace off late.pml
has err "more processes than were foreseen"

# The text of a model that was laid out for fewer is not enough.
run 0 show --ir late.pml
cp out late.ir
run 2 check late.ir;                       has err "check that model itself"
run 2 simulate --depth 9000 late.ir;      has err "check that model itself"

# More than there can be.
cat >many.pml <<'END'
proctype p() { do :: true od }
init { do :: run p() od }
END
run 2 check many.pml --json many.json;     has err "many.pml:2:"; has err "255"
has many.json '"verdict": "error"'

# --- replay ----------------------------------------------------------------------------------
run 10 check --json r.json buffer.pml
has r.json '"process": "sender"'; has r.json '"text": "q!data,i"'; has r.json '"plan": "'
run 10 replay r.json;                      has out "(sender:1)"; has out "sum: 3 -> 6"
run 10 replay --trace msc r.json;          has out "sender:0"
run 10 check -D LAST=4 --json r4.json buffer.pml
run 10 replay r4.json
sed 's/"plan": "[^"]*"/"plan": "nonsense"/' r.json >wild.json
run 1 replay wild.json;                    has err "plan"
run 10 check --json s.json stuck.pml
run 10 replay s.json;                      has out "waits for [d?x]"

# --- simulate, show, html --------------------------------------------------------------------
run 0 simulate --depth 5 buffer.pml;       has out "(sender:1) buffer.pml:11 (state 6) [((i<3))]"
run 0 simulate --depth 5 --trace msc buffer.pml; has out "sender:0"
run 0 show buffer.pml;                     has out "buffer.pml: promela"
run 0 show --graphs buffer.pml;            has out "proctype sender"; has out "=> q!data,i"
run 1 show --graphs --ir buffer.pml;       has err "one thing at a time"
run 0 show --ir buffer.pml
cp out buffer.ir
run 10 check buffer.ir;                    has out "(sender:1)"
run 10 check --html p.html buffer.pml;     has p.html "proc  0 (sender:1)"; has p.html "(state "

# --- hints: rules are called by process, number and statement --------------------------------
run 10 check --search biased-dfs --mark 'receiver*' --trace off buffer.pml
run 10 check --search biased-bfs --mark 'receiver:1 sum* when len(q) > 0' buffer.pml
has out "marked: receiver:1 sum = (sum+x) when len(q) > 0 (1 instance)"
run 10 check --search astar --heuristic '5 - len(q)' --trace off buffer.pml
run 1 check --search astar --heuristic 'nosuch' buffer.pml; has err "nosuch"
run 10 check --stats --trace off buffer.pml;  has out "receiver:1 q?data,x  buffer.pml:21"

# --- atomic sequences: steps of the trace are the model's, states are where they end ---------
cat >atomic.pml <<'END'
byte x, y;
active proctype a() { atomic { x = 1; (y == 0) -> x = 2; (y == 1) -> x = 3 } }
active proctype b() { y = 1; (x == 3) -> assert(false) }
END
run 10 check --deadlock off atomic.pml
has out "[x = 1]"; has out "[((y==0))]"; has out "lets others go on"; has out "x: 2 -> 3"
lacks out "_atomic"; lacks out "nothing changes"
for search in dfs bounded race; do
  run 10 check --search $search --json a.json --trace off atomic.pml
  run 10 replay a.json
done
run 10 check --threads 2 --store tree --native on --trace off atomic.pml

# --- SPIN's optimisations, each on its own ----------------------------------------------------
cat >locals.pml <<'END'
byte x;
active [2] proctype p() { byte i, j; i = 1; j = i + 1; i = j + 1; x = x + i; assert(x < 6) }
END
states() { sed -n 's/^ *"states": \([0-9]*\),/\1/p' "$1"; }
run 10 check --max-errors 0 --json plain.json --trace off locals.pml
run 10 check --max-errors 0 --json merged.json --merge on locals.pml; has out "statements merged"
run 10 replay merged.json
run 10 check --max-errors 0 --json dead.json --dead-variables on locals.pml; has out "dead variables reset"
run 10 replay dead.json
run 10 check --merge off --dead-variables off locals.pml; lacks out "merged"; lacks out "reset"
[ "$(states merged.json)" -lt "$(states plain.json)" ] || fail "merging saves no states"
[ "$(states dead.json)" -le "$(states plain.json)" ] || fail "resets of dead variables add states"
run 0 simulate --merge on --depth 2 locals.pml
run 0 show --merge on --dead-variables on locals.pml

# --- what is included counts as the model's text ---------------------------------------------
echo 'byte z = 3;' >inc.h
printf '#include "inc.h"\nactive proctype p() { assert(z == 4) }\n' >inc.pml
run 10 check --json i.json inc.pml;        has out "inc.pml:2:23"
run 10 replay i.json
echo '// changed' >>inc.h
run 1 replay i.json;                       has err "has changed"

# --- what is refused -------------------------------------------------------------------------
counter 3 >c.m
run 1 check --trace msc c.m;               has err "--trace msc"
run 1 simulate --trace msc c.m;            has err "--trace msc"
run 1 show --graphs c.m;                   has err "--graphs"
run 1 check --merge off c.m;               has err "--merge is for models in Promela"
run 1 check --dead-variables on c.m;       has err "--dead-variables is for models in Promela"
run 1 check --symmetry on buffer.pml;      has err "--symmetry on is not possible"
for name in x.promela x.prom x.spin; do
  cp macro.pml $name
  run 0 check $name
done
echo 'active proctype p() { x = 1 }' >bad.pml
run 2 check bad.pml;                       has err "bad.pml:1:23"
finish
