#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --engine bmc: verdicts and shortest traces as from other engines, proofs, depths, lassos, and what it refuses.
. "$(dirname "$0")/lib.sh"
counter 7 >good.m
counter 3 >bad.m
steps() { sed -n 's/^  after \([0-9]*\) step.*/\1/p' out | tr '\n' ' '; }

run 0 help
if ! grep -q "explicit.*bmc" out; then
  has out "the engine bmc: built without the CaDiCaL library"
  run 1 check --engine bmc good.m; has err "not in this build"
  finish
fi

# --- violations ---
run 10 check --engine bmc --json r.json bad.m
has out "bmc engine, proofs: auto"
has out 'violated: invariant "below"'
has out "this is false: x < LIMIT"
has out " clauses at most"
[ "$(steps)" = "3 " ] || fail "after $(steps)"
has r.json '"engine": "bmc"'
has r.json '"store": null'
has r.json '"proof": "auto"'
grep -q '"sat_clauses": [1-9]' r.json || fail "no clauses are counted"
run 10 replay r.json
has out "after 3 steps"
run 10 check --engine bmc --html r.html bad.m
grep -q "bmc engine" r.html || fail "the page does not name the engine"

# --- proofs ---
for proof in auto induction pdr; do
  run 0 check --engine bmc --proof $proof --deadlock off --json r.json good.m
  has out "proofs: $proof"
  has out "holds: proved"
  has r.json "\"proof\": \"$proof\""
done
run 5 check --engine bmc --proof none --depth 7 good.m
has out "proofs: none, to depth 7"
has out "unknown (depth)"
run 5 check --engine bmc --proof none --depth 2 bad.m
has out "unknown (depth)"
run 10 check --engine bmc --proof none --depth 3 bad.m
run 5 check --engine bmc --proof none --time 0.0000001 good.m
has out "unknown (time)"

# --- deadlock, errors of steps, formulas about infinite runs ---
cat >stuck.m <<'END'
var x : 0..3;
startstate begin x := 0; end;
rule x < 3 ==> begin x := x + 1; end;
END
run 10 check --engine bmc stuck.m
has out "violated: deadlock"
[ "$(steps)" = "3 " ] || fail "a deadlock after $(steps)"
cat >fault.m <<'END'
var x : 0..3;
startstate begin x := 0; end;
rule begin x := x + 1; end;
END
run 10 check --engine bmc fault.m
[ "$(steps)" = "4 " ] || fail "a fault after $(steps)"
run 10 check --engine bmc --depth 30 --ltl 'F G x = 5' --property 'F G x = 5' --json r.json good.m
has out "a cycle of 12 steps"
run 10 replay r.json
cat >cone.smv <<'END'
MODULE main
VAR b : boolean; n : 0..9; idle : 0..20;
ASSIGN
  init(b) := FALSE; next(b) := !b;
  init(n) := 0; next(n) := case b & n < 9 : n + 1; TRUE : n; esac;
  init(idle) := 0; next(idle) := case idle < 20 : idle + 1; TRUE : 0; esac;
INVARSPEC n < 4
SPEC AG n < 5
SPEC EF n = 9
LTLSPEC G n < 6
END
run 10 check --engine bmc --trace off cone.smv
has out "not checked: --engine bdd checks it"
run 10 check --engine bmc --property "INVARSPEC 1" --trace off --json r.json cone.smv
has out "cone of influence: 2 of 3 leaves"
has r.json '"cone": true'
run 10 check --engine bmc --cone off --trace off --json r.json cone.smv
has out "whole model"
lacks out "cone of influence"
run 10 check --engine bmc --property "LTLSPEC 4" cone.smv; has out "violated: LTL property"
run 1 check --engine bmc --property "SPEC 3" cone.smv
has err "is of a kind (ctl, and not AG of a condition) that --engine bmc does not check; --engine bdd does"

# --- what it does not know is refused, and nothing is ignored ---
for option in "--store exact" "--threads 2" "--symmetry on" "--por on" "--native on" "--no-cache" "--fairness weak" "--shrink 1" "--stats" "--mark up"; do
  # shellcheck disable=SC2086 # an option and its value
  run 1 check --engine bmc $option good.m; has err "${option% *} is for --engine explicit"
done
for option in "--order f" "--reorder on" "--write-order f" "--weights 2,1"; do
  # shellcheck disable=SC2086
  run 1 check --engine bmc $option good.m; has err "${option% *} is for --engine bdd"
done
for option in "--states 3" "--abstract-depth 2" "--strength f" "--pattern forward"; do
  # shellcheck disable=SC2086
  run 1 check --engine bmc $option good.m; has err "${option% *} is for --engine explicit or bdd"
done
for search in bfs dfs ida race; do
  run 1 check --engine bmc --search $search good.m; has err "--engine bmc looks ever deeper"
done
run 1 check --proof pdr good.m;              has err "--proof is for --engine bmc"
run 1 check --engine bdd --proof pdr good.m; has err "--proof is for --engine bmc"
run 1 check --engine bmc --proof pd good.m;  has err 'did you mean "pdr"?'
run 1 check --engine bmc --depth 0 good.m;   has err "--depth wants a whole number"

# --- what the engine cannot carry ---
cat >while.m <<'END'
var x : 0..3;
startstate begin x := 0; end;
rule begin while x >= 0 do x := (x + 1) % 4; end; end;
END
run 5 check --engine bmc while.m
has out "unknown (cannot: "
has out "nothing was searched"

finish
