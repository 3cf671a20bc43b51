#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --threads and --deterministic: the same answers however many search, and refusals.
. "$(dirname "$0")/lib.sh"
german=$SRC/examples/murphi/german.m

# What was counted: the line of states, rules and depth.
counts() { grep -E '^  [0-9,]+ states?, ' out; }

# A complete search counts the same (depth first: but for the depth).
run 0 check --threads 1 -D NODE_NUM=3 --symmetry off "$german"
lacks out "threads"; counts >one
for n in 2 4; do
  for symmetry in on off; do
    run 0 check --threads $n -D NODE_NUM=3 --symmetry $symmetry "$german"; has out "up to $n threads"; has out "), $n threads"
  done
  counts | cmp -s - one || fail "$n threads count otherwise: $(counts) instead of $(cat one)"
  run 0 check --threads $n --search dfs -D NODE_NUM=3 --symmetry off "$german"
  [ "$(counts | sed 's/, depth.*//')" = "$(sed 's/, depth.*//' one)" ] || fail "dfs with $n threads: $(counts)"
done

# Breadth first the trace is a shortest one; every trace replays.
for n in 1 2 4; do
  run 10 check --threads $n -D BUG=1 --json r.json "$german"; has out "after 8 steps"
  run 10 replay r.json
  run 10 check --threads $n --search dfs -D BUG=1 --json r.json "$german"
  run 10 replay r.json
done

# --deterministic: the same trace and the same counts, run for run.
cat >walls.m <<'END'
type n : 0..19;
var x : n; y : n; z : n;
startstate begin x := 10; y := 10; z := 10; end;
ruleset d : 0..1 do
  rule begin x := (x + 19 * d + 1 - d) % 20; end;
  rule begin y := (y + 19 * d + 1 - d) % 20; end;
  rule begin z := (z + 19 * d + 1 - d) % 20; end;
end;
rule x = 5 & y = 5 ==> begin z := 25; end;
invariant "x" x != 2;
invariant "y" y != 18 | z != 12;
invariant "z" z != 3;
END
plain() { sed '/seconds"\|_bytes"\|"load"\|"threads"\|"native"/d' "$1"; }
same() { # ARGS...
  run 10 check --threads 1 --deterministic --json one.json "$@"
  has out ", deterministic"; has one.json '"deterministic": true'
  plain one.json >one
  for n in 1 2 2 4 4 4; do
    run 10 check --threads $n --deterministic --json more.json "$@"
    plain more.json | cmp -s - one || { fail "$n threads give another result"; plain more.json | diff one - | head; }
  done
}
same -D BUG=1 "$german"
same -D BUG=1 --symmetry off "$german"
for errors in 1 2 3 0; do same --max-errors $errors walls.m; done

# A budget ends all of them, with what was covered.
cat >big.m <<'END'
type n : 0..999;
var x : n; y : n; z : n;
startstate begin x := 0; y := 0; z := 0; end;
ruleset i : n do rule begin x := i; end; rule begin y := i; end; rule begin z := i; end; end;
END
for search in bfs dfs; do
  run 5 check --threads 4 --search $search --time 0.3 big.m;     has out "unknown (time)"
  run 5 check --threads 4 --search $search --memory 3M big.m;    has out "unknown (memory)"
  run 5 check --threads 4 --search $search --states 5000 big.m;  has out "unknown (states)"
  has out "  5,000 states"
  "$FATHOM" check --threads 4 --search $search big.m >out 2>err </dev/null & pid=$!
  sleep 1; kill -INT $pid; wait $pid
  [ $? -eq 5 ] || fail "an interrupted run does not end with 5"
  has out "unknown (interrupted)"
done
run 5 check --threads 4 --depth 1 big.m; has out "unknown (depth)"

# Which states of a level fit within --states depends on the threads: that level does not count.
cat >steps.m <<END
var a : array [0..5] of 0..9;
startstate begin for i : 0..5 do a[i] := 0; end; end;
ruleset i : 0..5 do rule a[i] < 9 ==> begin a[i] := a[i] + 1; end; end;
invariant "far" !(a[0] = 4 & a[1] = 3 & a[2] = 2 & a[3] = 1 & a[4] = 2 & a[5] = 3);
END
for threads in 1 2 4 4 4; do
  run 5 check --deterministic --states 43000 --threads $threads steps.m
  has out "complete to depth 14"; has out "  37,500 states, 159,012 rules fired, depth 14"
done

# What cannot be kept is refused, with what to do instead.
run 1 check --search dfs --deterministic --threads 2 "$german"
has err "one thread only with --search dfs: take --threads 1; or --search bfs"; empty out
run 1 check --store fingerprint --deterministic --threads 2 "$german"; has err "with --store fingerprint"
run 5 check --store fingerprint --deterministic -D NODE_NUM=2 "$german"; lacks out "threads"
run 0 check --search dfs --deterministic -D NODE_NUM=2 "$german";             lacks out "threads"
run 0 check --search dfs --deterministic --threads 1 -D NODE_NUM=2 "$german"; has out "deterministic"
run 1 check --threads 1025 "$german";  has err "from 1 to 1024"
run 1 check --threads two "$german";   has err "whole number"

# Unless said, as many as there are cores to run on.
if command -v taskset >/dev/null; then
  taskset -c "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')" "$FATHOM" check "$german" -D NODE_NUM=2 >out
  lacks out "threads"
fi
finish
