#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The engines hybrid, st and smt on models of other languages, their options, and what they do not check.
. "$(dirname "$0")/lib.sh"
"$FATHOM" help | grep -q '^  engines .*hybrid' || exit 77
counter 4 >bad.m
counter 7 >good.m

# --- invariants and errors: the answers of other engines; traces replay ---
for engine in hybrid st smt; do
  run 10 check --engine $engine bad.m --deadlock off --json r.json; has out 'violated: invariant "below"'; has out "after 4 steps"
  has r.json "\"engine\": \"$engine\""; has r.json '"path_depth": 30'; has r.json '"store": null'
  run 10 replay r.json --quiet; has out "x: 3 -> 4"
done
for engine in hybrid st; do
  run 0 check --engine $engine good.m --deadlock off; has out "holds: no way leads to an error"
done
run 10 check --search glh bad.m --deadlock off; has out "hybrid engine, glh search"
run 10 check --engine hybrid --partition off --reached off bad.m --deadlock off; has out "no partitioning"; has out "not kept"
run 10 check --engine hybrid --tsize 3 --isize 4 --fsize 5 --path-depth 6 --path-time 7.5 bad.m --deadlock off --json r.json
has out "sets of more than 3 are cut, parts put together up to 4"; has out "frontier is of 5, 6 steps or 7.5 s on"; has r.json '"fsize": 5'
run 10 check --search glh --glh-time 2 --polyhedra 3 bad.m --deadlock off; has out "by 3 polyhedra, in 2 s at most"
run 5 check --engine smt --depth 3 bad.m --deadlock off; has out "unknown (depth)"
run 10 check --engine hybrid --threads 1 bad.m --deadlock off
run 10 check --engine hybrid --deterministic bad.m --deadlock off

# --- what is not checked is said, with who does ---
run 5 check --engine hybrid good.m; has out "not checked: --engine explicit or bdd checks it"; has out "unknown (not checked"
cat >goal.m <<'END'
var x : 0..5;
startstate begin x := 0; end;
rule x < 5 ==> begin x := x + 1; end;
cover "five" x = 5;
invariant "small" x <= 5;
END
run 5 check --engine hybrid goal.m --deadlock off; has out "not checked: --engine bdd checks it"
run 1 check --engine hybrid goal.m --property five; has err "does not check; --engine bdd does"
run 0 check --engine hybrid goal.m --deadlock off --property small

# --- what would mean nothing is refused ---
run 1 check --engine st --deadlock stuck bad.m; has err "--deadlock is for --engine explicit, bdd or bmc"
run 1 check --engine smt --ltl 'G x < 9' bad.m; has err "--ltl is for --engine explicit, bdd or bmc"
run 1 check --engine hybrid --store exact bad.m; has err "--store is for --engine explicit"
run 1 check --engine hybrid --search astar bad.m; has err "goes by --search dfs or glh"
run 1 check --engine explicit --search glh bad.m; has err "--search glh is for --engine hybrid"
run 1 check --engine st --search dfs bad.m; has err "has no other search"
run 1 check --engine smt --threads 2 bad.m; has err "--threads is for --engine explicit or hybrid"
run 1 check --engine hybrid --cone off bad.m; has err "--cone is for --engine bdd or bmc"
run 1 check --engine hybrid --states 5 bad.m; has err "--states is for"
run 1 check --engine hybrid --stats bad.m; has err "--stats is for"
run 1 check --engine bmc --partition on bad.m; has err "--partition is for --engine hybrid"

# --- the machine ---
run 0 show --efsm bad.m; has out "error: "; has out "x := "
run 1 show --efsm --ir bad.m; has err "one thing at a time"
finish
