#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --stats: growth, rules and values, in text, JSON and HTML.
. "$(dirname "$0")/lib.sh"
cat >m.m <<'END'
type R : record on : boolean; n : 0..9; end;
var x : 0..5; a : array [0..3] of boolean; r : array [0..2] of R; fixed : 0..3; wide : 0..1000000;
startstate "zero" begin x := 0; clear a; clear r; fixed := 2; wide := 0; end;
rule "up" x < 5 ==> begin x := x + 1; a[x % 2] := true; r[1].n := x; wide := 200000 * x; end;
rule "back" x = 5 ==> begin x := 0; clear a; clear r; wide := 0; end;
rule "stay" x = 3 ==> begin x := 3; end;
rule "never" x = 3 & fixed = 1 ==> begin x := 0; end;
invariant "small" x <= 5;
END

run 0 check m.m;           lacks out "growth"
run 0 check --stats m.m
has out "growth: new states by depth"
grep -qE '^ +0 +1  #+$' out || fail "no line for depth 0"
has out "rules by cost (interpreted, in 6 states)"
grep -qE '% +5 +5  up  m.m:4$' out || fail "rule up is not counted right"
grep -qE '% +1 +0  stay  m.m:6$' out || fail "rule stay is not counted right"
has out "never enabled: never (m.m:7)"
has out "fired, but never led to a new state: back (m.m:5), stay (m.m:6)"
has out "values of variables, in all 6 states"
grep -qE '^ +6  wide$' out || fail "wide takes six values"
grep -qE '^ +1\.\.6  r\[\*\]\.n$' out || fail "one of r[*].n takes six values, the others one"
grep -qE '^ +1\.\.2  a\[\*\]$' out || fail "two of a[*] take two values"
has out "one value only: fixed, r[*].on"

# What a search that was cut short can say.
run 5 check --stats --depth 2 m.m
has out "not enabled so far: back (m.m:5), stay (m.m:6), never (m.m:7)"
lacks out "never enabled"

# Depth first, with threads, with native code.
for options in "--search dfs" "--threads 2" "--threads 4 --search dfs" "--native on" "--native off"; do
  # shellcheck disable=SC2086 # words
  run 0 check --stats $options m.m
  has out "never enabled: never (m.m:7)"; has out "values of variables, in all 6 states"
  grep -qE '% +5 +5  up  m.m:4$' out || fail "$options: rule up is not counted right"
done
run 0 check --stats --search dfs m.m; lacks out "growth"

# A store without states can tell less, and says so.
run 5 check --stats --store fingerprint m.m
has out "keeps no states"; has out "rules by number"; lacks out "values of variables,"

# Under symmetry the names of elements tell nothing.
run 0 check --stats "$SRC/examples/murphi/german.m"
has out "names of scalarset elements left out"; lacks out "CurNode"
run 0 check --stats --symmetry off -D NODE_NUM=2 "$SRC/examples/murphi/german.m"; has out "CurNode"

# Programs and pages get the same.
run 0 check --stats --json r.json --html r.html m.m
for key in levels rules fired fresh time_share states_timed leaf_values states_sampled; do
  has r.json "\"$key\""
done
has r.json '"r[1].n": 6'; has r.json '"fixed": 1'
for text in "<h2>Growth</h2>" "<h2>Rules</h2>" "never enabled" "<h2>Values</h2>" "r[*].n"; do
  has r.html "$text"
done
run 0 check --json r.json m.m; has r.json '"survey": null'

# --quiet would hide it all.
# What was only looked at behind the depth limit is not counted as fired.
for threads in 1 2 3; do
  run 5 check --stats --depth 5 --deterministic --threads $threads --json r.json "$SRC/examples/murphi/mesi_bus.m"
  fired=$(sed -n '/"survey"/,$s/^ *"fired": \([0-9]*\).*/\1/p' r.json | awk '{ n += $1 } END { print n }')
  transitions=$(sed -n 's/^ *"transitions": \([0-9]*\).*/\1/p' r.json | head -n 1)
  [ -n "$fired" ] && [ "$fired" = "$transitions" ] || fail "$threads threads: the rules fired $fired times, not $transitions"
done

run 1 check --stats --quiet m.m;               has err "--quiet hides what --stats shows"; empty out
run 0 check --stats --quiet --json r.json m.m; has r.json '"levels"'; lacks out "growth"
finish
