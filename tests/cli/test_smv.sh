#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SMV models on the command line: which engine, CTL and fairness, formulas, definitions, traces and replay.
. "$(dirname "$0")/lib.sh"

cat >turns.smv <<'END'
MODULE main
VAR
  turn : {left, right};
  n : 0..3;
DEFINE limit := 3;
ASSIGN
  init(turn) := left;
  next(turn) := {left, right};
  init(n) := 0;
  next(n) := case turn = right & n < limit : n + 1; TRUE : n; esac;
INVARSPEC n < 3
SPEC AG EF turn = right
SPEC AF n = 3
LTLSPEC G n <= 3
END

bdd=no
run 0 help
grep -q "explicit, bdd" out && bdd=yes

# --- the explicit engine: invariants and formulas, not CTL ---
run 10 check --engine explicit turns.smv
has out "explicit engine"
has out "after 4 steps"
has out "violated  invariant"
run 10 check --engine explicit --max-errors 0 turns.smv
grep -Eq "unknown +ctl .*not checked: --engine bdd checks it" out || fail "CTL is not marked as not checked"
grep -Eq "holds +ltl " out || fail "the formula is not checked"
run 5 check --engine explicit "$SRC/examples/smv/mutex.smv"
has out "unknown (not checked: served_left, served_right, no_order)"
has out "it is about fair runs only: --engine bdd checks it"
run 10 check --search dfs turns.smv;             has out "explicit engine, dfs search"
run 0 check --engine explicit -D limit=2 --property "INVARSPEC 1" turns.smv
run 1 check --engine explicit --property "SPEC 2" turns.smv; has err "--engine bdd does"

# --- by itself: decision diagrams ---
if [ $bdd = yes ]; then
  run 10 check --max-errors 0 --json r.json turns.smv
  has out "bdd engine"
  has r.json '"kind": "ctl"'
  has r.json '"formula": "'
  grep -Eq "violated +invariant" out || fail "the invariant is not violated"
  grep -Eq "holds +ctl .*AG" out || fail "AG EF does not hold"
  grep -Eq "violated +ctl .*AF" out || fail "AF is not violated"
  run 10 replay r.json
  run 0 check -D limit=2 --property "INVARSPEC 1" turns.smv
  # a step says what changes, not what was chosen
  run 10 check turns.smv
  has out "turn: left -> right"
  lacks out "step(turn="
fi

# --- more choices than can be numbered: only decision diagrams, and traces name the values ---
cat >many.smv <<'END'
MODULE main
VAR
  a : array 0..39 of boolean;
  full : boolean;
ASSIGN
  init(full) := FALSE;
  next(full) := a[0] & a[39];
INVARSPEC !full
END
run 1 check --engine explicit many.smv;  has err "more choices than can be taken one by one"
run 1 simulate many.smv;                 has err "more choices than can be taken one by one"
run 0 show many.smv;                     has out "of more than 2^32 choices"
if [ $bdd = yes ]; then
  run 10 check --json r.json many.smv
  has r.json '"values": ['
  run 10 replay r.json
  has out "full: false -> true"
  run 10 compare --time 2 many.smv
  has out "explicit cannot: the steps of"
  sed 's/"values"/"value"/' r.json >forged.json
  run 1 replay forged.json;              has err "does not tell the values of its choices"
fi

# --- formulas of the command line ---
run 10 check --engine explicit -D limit=2 --ltl 'F (n = 2 & turn = right)' turns.smv
has out "a cycle of"
run 0 check --engine explicit -D limit=2 --ltl 'G (n = 3 -> X turn = left)' --property "LTLSPEC 4" turns.smv
run 1 check --engine explicit --ltl 'G m = 3' turns.smv;  has err "--ltl:1:3"

# --- mistakes ---
run 2 check -D nosuch=3 turns.smv;      has err "nosuch"
run 1 check -D limit turns.smv;         has err "NAME=VALUE"
printf 'MODULE main\nVAR x : boolean;\nASSIGN next(y) := TRUE;\n' >bad.smv
run 2 check bad.smv;                    has err "bad.smv:3:"

# --- other commands ---
run 0 show turns.smv
has out "turns.smv: smv"
run 0 show --ir turns.smv
run 0 simulate --depth 5 turns.smv
has out "steps, no violation"
run 10 compare --time 2 turns.smv
has out "no two runs disagree"

finish
