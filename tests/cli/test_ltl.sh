#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Properties of infinite runs: formulas on the command line and in models of every language, cycles as they are
# shown, saved and replayed, fairness, non-progress, what is refused.
. "$SRC/tests/cli/lib.sh"

# Two processes that enter as they like, or by turns (-D FREE=0).
cat >turns.m <<'END'
const FREE : 1;
type P : 0..1;
var turn : P; at : array [P] of enum {Away, Wants, Inside};
startstate "begin" begin turn := 0; for p : P do at[p] := Away; end; end;
ruleset p : P do
  rule "want" at[p] = Away ==> begin at[p] := Wants; end;
  rule "enter" at[p] = Wants & (turn = p | FREE = 1) & at[1 - p] != Inside ==> begin at[p] := Inside; end;
  rule "leave" at[p] = Inside ==> begin at[p] := Away; turn := 1 - p; end;
end;
invariant "one" !(at[0] = Inside & at[1] = Inside);
END
served='G (at[0] = Wants -> F at[0] = Inside)'

# --- formulas of Murphi, in both notations ---
run 10 check --ltl "$served" turns.m
has out "then 1 property of infinite runs: ndfs search, exact store"
has out "violated: LTL property \"$served\" (--ltl:1:1)"
has out "from here on, again and again"; has out "(automaton: "
has out "the formula is false of this run"; has out "in the cycle never"
has out "holds     invariant  one"; has out "states with an automaton of"
run 10 check --ltl '[] (at[0] = Wants -> <> (at[0] = Inside))' turns.m
run 0 check -D FREE=0 --ltl "$served" turns.m
run 0 check --ltl 'G !(at[0] = Inside & at[1] = Inside)' --ltl '(at[0] = Away) U (at[0] = Wants) | G at[0] = Away' turns.m
run 0 check --ltl 'G (forall p : P do at[p] = Inside -> at[1 - p] != Inside end)' turns.m
run 0 check --ltl 'G (at[0] = Away -> X (at[0] != Inside))' turns.m
run 10 check --ltl 'X X at[0] = Wants' turns.m
run 10 check --native on --ltl "$served" turns.m;  has out "native code"
run 10 check --native off --ltl "$served" turns.m
run 10 check --threads 2 --ltl "$served" turns.m
run 10 check --store tree --ltl "$served" turns.m; has out "ndfs search, tree store"

# --- a step that fails while the automaton moves ---
cat >fails.m <<'END'
type N : 1..3;
var c : array [N] of 0..1; pc : array [N] of 0..2; m : multiset [2] of 0..1;
startstate begin for i : N do pc[i] := 0; c[i] := 0; end; end;
ruleset i : N do rule "go" pc[i] = 0 ==> pc[i] := 1; if MultiSetCount(e : m, true) < 2 then MultiSetAdd(1, m); end; end; end;
ruleset i : N do rule "un" pc[i] = 1 ==> pc[i] := 2; undefine c[i]; end; end;
ruleset i : N do rule "rd" pc[i] = 2 & c[(i % 3) + 1] = 0 ==> pc[i] := 0; end; end;
END
run 10 check fails.m --search ndfs --native off --threads 1 --ltl '(G (pc[2] = 0) U (pc[1] = 1)) U (pc[1] = 2)'
has out "read of undefined value"

# --- mistakes are told where they are ---
run 1 check --ltl 'G (at[0] = Wants -> F at[0] = Outside)' turns.m; has err "--ltl:1:31: error:"; has err "Outside"
run 1 check --ltl 'G (at[0] = Wants' turns.m;       has err "--ltl:1:3: error:"; has err "partner"
run 1 check --ltl '' turns.m;                       has err "formula"
run 1 check --ltl 'G turn' turns.m;                 has err "--ltl:1:3: error:"
run 1 check --ltl 'G' turns.m;                      has err "--ltl:1"
run 1 check --ltl 'G (turn = 0' --ltl 'F' turns.m;  has err "error:"

# --- what is searched ---
run 10 check --search ndfs --ltl "$served" turns.m
has out "explicit engine, ndfs search, exact store"; lacks out "then 1"
has out "  (not selected)"; has out "unknown   invariant  one"
run 0 check --search ndfs --ltl 'G F (turn = 0 | turn = 1)' turns.m; has out "holds: no run violates what was checked"
run 1 check --search ndfs turns.m;                  has err "none is to be checked"; has err "--ltl"
run 1 check --search ndfs --property one --ltl "$served" turns.m; has err "does not check"
run 10 check --property one --ltl "$served" turns.m; has out "holds     invariant  one"
run 0 check --property one turns.m;                 lacks out "ndfs"
run 10 check --max-errors 0 --ltl "$served" --ltl 'G at[0] != Inside' turns.m; has out "2 violations found"
run 10 check --max-errors 1 --ltl "$served" --ltl 'G at[0] != Inside' turns.m; has out "(not finished)"

# --- limits ---
run 5 check --search ndfs --states 3 --ltl 'G F turn = 0 | F G turn = 0 | F G turn = 1' turns.m
has out "unknown (states)"
run 5 check --search ndfs --depth 2 --ltl 'G (turn = 0 | turn = 1)' turns.m; has out "unknown (depth)"

# --- combinations ---
run 10 check --store bitstate --ltl "$served" turns.m;       has out "bitstate store"; has out "ndfs search, exact store"
run 5 check -D FREE=0 --store fingerprint --ltl "$served" turns.m; has out "unknown (lossy"; has out "holds     ltl"
run 1 check --search ndfs --store fingerprint --ltl "$served" turns.m; has err "does not keep them"
run 1 check --search ndfs --symmetry on --ltl "$served" turns.m; has err "order of states"
run 1 check --fairness weak turns.m;                         has err "--fairness weak is about properties of infinite runs"
run 1 check --fairness weak --por on --ltl "$served" turns.m; has err "do not go together"
run 1 check --fairness strong turns.m;                       has err "not built yet"
run 1 check --por on --symmetry on turns.m;                  has err "leave one of them out"
run 1 check --non-progress turns.m;                          has err "models in murphi have none"
run 1 check --search ndfs --stats --ltl "$served" turns.m;   has err "--stats"
run 1 show --dot turns.m;                                    has err "--buchi"
run 1 show --buchi turns.m;                                  has err "no property of infinite runs"

# --- symmetry is kept for what keeps it ---
run 0 check -D NODE_NUM=2 --ltl 'G (ExGranted -> ExGranted)' "$SRC/examples/murphi/german.m"
has out "symmetry on"; has out "symmetry off"

# --- fairness ---
run 0 check --fairness weak --ltl 'F (turn = 1 | at[0] != Away)' turns.m; has out "weakly fair runs only"
cat >wait.pml <<'END'
byte x;
active proctype a() { do :: x == 5 -> break :: else od }
active proctype b() { x = 5 }
ltl ends { <> (x == 5) }
END
run 10 check wait.pml;                 has out 'violated: LTL property "ends" (wait.pml:4:1)'
run 0 check --fairness weak wait.pml
run 10 check --fairness none wait.pml

# --- Promela: names, labels, claims ---
cat >labels.pml <<'END'
byte x;
active proctype a() { do :: x = 1; accept: x = 2; progress: x = 0 od }
active proctype b() { do :: x = 3 od }
END
run 10 check labels.pml;                                       has out "violated: acceptance cycle (labels.pml:2"
has out "unknown   progress   non-progress cycles"; has out "(not selected)"
run 10 check --property "non-progress cycles" labels.pml;      has out "violated: non-progress cycle"
run 10 check --non-progress --property "non-progress cycles" labels.pml
run 0 check --property deadlock labels.pml;                    lacks out "ndfs"
run 10 check --ltl '[] (a@accept -> x == 1)' --property deadlock labels.pml
run 1 check --ltl '[] (c@accept)' labels.pml;                  has err "--ltl:1:5"
run 1 check --ltl '[] (timeout)' labels.pml;                   has err "timeout cannot stand"
cat >claim.pml <<'END'
byte x;
active proctype a() { do :: x = 1 - x od }
never { do :: x == 1 -> x = 0 :: else od }
END
run 5 check claim.pml;                 has out "(not checked: its statement [x = 0] does more than look)"

# --- a stuck model goes on in its last state ---
cat >stuck.pml <<'END'
byte x;
active proctype a() { x = 1; x == 3 }
ltl p { <> (x == 2) }
END
run 10 check --deadlock off stuck.pml; has out "nothing can move"
run 10 check --deadlock off --trace msc stuck.pml; has out "nothing can move"; has out "again and again"
run 10 check --max-errors 0 stuck.pml; has out "invalid end state"; has out 'LTL property "p"'

# --- the result as JSON, replayed; HTML ---
run 10 check --json r.json --html r.html --ltl "$served" turns.m
has r.json '"loop_start"'; has r.json '"automaton": 0'; has r.json '"ltl": ['; has r.json '"cycles": {'
has r.json '"automaton_states"'; has r.html "again and again"; has r.html "span class=claim"
run 10 replay r.json;                  has out "again and again"; has out "the formula is false of this run"
run 10 check --deadlock off --json s.json stuck.pml; has s.json '"stutter": true'
run 10 replay s.json
sed 's/"loop_start": [0-9]*/"loop_start": 0/' r.json >bad.json
run 1 replay bad.json;                 has err "does not replay"
sed 's/"automaton": 0/"automaton": 7/' r.json >bad.json
run 1 replay bad.json;                 has err "does not replay"
sed 's/"ltl": \[/"ltl": [ 5,/' r.json >bad.json
run 1 replay bad.json;                 has err "strings"
run 10 check --non-progress --property "non-progress cycles" --json n.json labels.pml
run 10 replay n.json

# --- automata shown; the text form reads back, with the same verdicts ---
run 0 show --buchi --ltl "$served" turns.m;       has out "never {"; has out "accept"; has out "ltl \"$served\""
run 0 show --buchi --dot --ltl "$served" turns.m; has out "digraph"
run 0 show --buchi wait.pml;                      has out "never {"
run 0 show --buchi --non-progress wait.pml;       has out "np_"
for model in wait.pml labels.pml claim.pml stuck.pml; do
  run 0 show --ir $model; mv out again.ir
  run 0 show --ir again.ir; cmp -s out again.ir || fail "$model: the text form does not read back"
  "$FATHOM" check --deadlock off --quiet --trace off $model >one 2>&1; one=$?
  "$FATHOM" check --deadlock off --quiet --trace off again.ir >two 2>&1; two=$?
  [ $one -eq $two ] || fail "$model: exit code $one, as text form $two"
done
run 0 show --ir --ltl "$served" turns.m; mv out again.ir
run 10 check --deadlock off again.ir;    has out "LTL property \"$served\""
cat >atoms.ir <<'END'
model "atoms" language "ir";
deadlock off;
var x : 0..3;
start "s" { x := 0; }
rule "r" { x := (x + 1) % 4; }
atom "zero" : x = 0;
ltl "often" : "[] <> zero";
ltl "always" : "[] ! zero";
never "three" automaton { state { 1 -> 1; -> 0; } state "end" final { } }
atom "three" : x = 3;
END
run 10 check --max-errors 0 atoms.ir
has out "holds     ltl        often"; has out "violated  ltl        always"; has out "violated  never      three"
run 10 check --ltl 'G x < 3' --property often atoms.ir
sed 's/1 -> 1;/9 -> 1;/' atoms.ir >wrong.ir;       run 2 check wrong.ir; has err "atom that there is not"
sed 's/1 -> 1;/1 -> 5;/' atoms.ir >wrong.ir;       run 2 check wrong.ir; has err "wrong.ir:9"
sed 's/<> zero/<> zro/' atoms.ir >wrong.ir;        run 2 check wrong.ir; has err 'ltl "often":1:7: error:'

# Threads that there is no memory for do not search.
cat >ring.m <<'END'
var x : 0..3000;
startstate begin x := 0; end;
rule "a" begin x := (x + 1) % 3001; end;
rule "b" begin x := (x + 7) % 3001; end;
END
for options in "--threads 2 --memory 3M" "--threads 8 --memory 12M" "--threads 64 --memory 24M"; do
  # shellcheck disable=SC2086 # words on purpose
  run 0 check --ltl 'G F x != 5' $options ring.m
done
finish
