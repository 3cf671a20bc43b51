#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fathom compare: the table, the common verdict, what cannot be run, and that it reads and writes what it should. That
# contradictions are found, unit.report.compare shows on results that are made up.
. "$(dirname "$0")/lib.sh"

counter 7 >holds.m
counter 3 >bad.m

# --- all agree ---
run 0 compare holds.m
has out "engine"
has out "explicit  bfs"
has out "explicit  dfs"
has out "explicit  bounded"
has out "holds: no two runs disagree"
grep -q "explicit  bfs .* tree .* holds " out || fail "no line for the tree"
grep -Eq "invariant +below: holds [0-9]+$" out || fail "no line for the property"
empty err

run 10 compare bad.m
has out "violated in 3"
has out "violated: no two runs disagree"

# --- all violations are looked for, whatever comes first ---
cat >two.m <<'END'
var x : 0..9;
startstate begin x := 0; end;
rule x = 0 ==> begin x := 2; end;
rule x = 0 ==> begin x := 4; end;
rule x = 4 ==> begin x := 5; end;
invariant "a" x != 2;
invariant "b" x != 5;
END
run 10 compare two.m
grep -Eq "invariant +b: violated" out || fail "the second violation is not found"

# --- symmetry and reduction are runs of their own ---
run 0 compare --time 2 "$SRC/examples/murphi/german.m" -D NODE_NUM=2
has out "exact, symmetry"
run 10 compare --time 2 "$SRC/tests/models/ltl_formula.pml"
has out "ndfs"

# --- a budget that is too small leaves it open ---
run 5 compare --time 0.000001 "$SRC/examples/murphi/flash.m" -D NODE_NUM=3
has out "unknown (time)"
has out "unknown: no two runs disagree"

# --- options that are for all runs ---
run 0 compare --property small bad.m
lacks out "below: violated"
run 0 compare --deadlock off --quiet holds.m
lacks out "property:"

# --- JSON ---
run 0 compare --json r.json holds.m
has r.json '"schema": "fathom-comparison/1"'
has r.json '"disagreements": []'
has r.json '"states": "12"'
run 10 compare --json - bad.m
has out '"verdict": "violated"'
lacks out "no two runs"

# --- mistakes ---
run 2 compare missing.m;             has err "missing.m"
run 1 compare -;                     has err "several times"
run 1 compare;                       has err "wants a file"
run 1 compare --search dfs holds.m;  has err "compare has no option --search"
run 1 compare --json holds.m holds.m; has err "would overwrite"
echo "nonsense" >nonsense.m
run 2 compare nonsense.m;            has err "error"

# --- help ---
run 0 compare --help
has out "usage: fathom compare MODEL"
has out "--time SECONDS"

finish
