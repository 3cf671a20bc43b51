#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ways in which model checkers give wrong answers (the table in docs/testing.md), through every cell
# of the grid: a search that did not finish is never a success, a property is never dropped.
. "$(dirname "$0")/lib.sh"

# each CODE ARGS...: the same exit code in both orders, with native code and without.
each() {
  local code=$1 search native
  shift
  for search in bfs dfs; do
    for native in on off; do run "$code" check --search $search --native $native "$@"; done
  done
}

# A ring of 1,000 states in which everything holds.
cat >ring.m <<'END'
var x : 0..999;
startstate begin x := 0; end;
rule "on" begin x := (x + 1) % 1000; end;
invariant "range" x >= 0;
END
each 0 ring.m
each 0 --states 1000 ring.m
each 5 --states 999 ring.m
each 5 --depth 998 ring.m
each 0 --depth 999 ring.m
each 5 --time 0.000001 ring.m
each 5 --memory 1K ring.m

# What lies just behind the bound, and is all there is behind it: a fault, a deadlock, a violation.
cat >edge.m <<'END'
const WHAT : 0;
var x : 0..3; y : boolean;
startstate begin x := 0; y := false; end;
rule "up" x < 3 ==> begin x := x + 1; end;
rule "fault" x = 3 & WHAT = 1 ==> begin x := x + 1; end;
rule "stay" x = 3 & WHAT != 2 ==> begin end;
rule "bad" x = 3 & WHAT = 3 ==> begin y := true; end;
invariant "not y" !y;
END
each 0 --deadlock stuck --depth 3 edge.m
for what in 1 2 3; do
  each 10 --deadlock stuck -D WHAT=$what edge.m
  each 5 --deadlock stuck --depth 3 -D WHAT=$what edge.m
  each 5 --deadlock stuck --depth 2 -D WHAT=$what edge.m
done

# An error in a property, wherever it stands: alone, behind others, in one that is not first to
# fail, in an assumption, in a quantifier behind a true disjunct of another element.
error_model() {
  echo 'var x : 0..5; y : 0..5; a : array [0..2] of 0..5;'
  echo 'startstate begin x := 0; y := 1; clear a; end;'
  echo 'rule "up" x < 5 ==> begin x := x + 1; if x = 4 then undefine y; undefine a[1]; end; end;'
  echo 'rule "stay" x = 5 ==> begin x := 5; end;'
  printf '%s\n' "$@"
}
error_model 'invariant "p" y > 0;' >error.m
each 10 --deadlock off error.m; has out "read of undefined value"
error_model 'invariant "fine" x <= 5;' 'invariant "p" y > 0;' 'invariant "also" x >= 0;' >error.m
each 10 --deadlock off error.m; has out "read of undefined value"
error_model 'invariant "p" forall i : 0..2 do a[i] = 0 end;' >error.m
each 10 --deadlock off error.m; has out "read of undefined value"
error_model 'assume "p" y > 0;' >error.m
each 10 --deadlock off error.m; has out "read of undefined value"
error_model 'cover "never" y = 0;' >error.m
each 10 --deadlock off error.m; has out "read of undefined value"
error_model 'invariant "p" 6 / (x - 4) != 100;' >error.m
each 10 --deadlock off error.m; has out "division"
error_model 'invariant "p" a[x] >= 0;' >error.m
each 10 --deadlock off error.m; has out "index"
# Only what is asked for counts, and what was left out is said.
error_model 'invariant "p" y > 0;' 'invariant "fine" x <= 5;' >error.m
each 0 --deadlock off --property fine error.m; has out "not selected"

# What cannot be checked is unknown, under a bound too, and beside what holds; a violation still counts.
cat >live.m <<'END'
var x : 0..1;
startstate begin x := 0; end;
rule begin x := 1 - x; end;
invariant "range" x <= 1;
liveness "again" x = 0;
END
cat >big.m <<'END'
var x : 0..9;
startstate begin x := 0; end;
rule begin x := (x + 1) % 10; end;
liveness "again" x = 0;
END
each 0 live.m;                           has out "liveness   again"
each 0 --depth 50 live.m
each 5 --depth 1 big.m;                  has out "unknown (depth)"
each 5 --depth 1 --property again big.m; has out "unknown (depth)"
each 0 --property again live.m
each 0 --property range live.m
echo 'invariant "false" x = 0;' >>live.m
each 10 live.m
cat >formula.ir <<'END'
model "formula" language "ir";
deadlock off;
var x : 0..3;
start "s" { x := 0; }
rule "r" { x := (x + 1) % 4; }
invariant "fine" : x <= 3;
atom "zero" : x = 0;
ltl "often" : "[] <> zero";
ctl "can" : "AG EF zero";
END
each 5 formula.ir;                       has out "not checked: can"; has out "holds     ltl        often"
run 1 check --property nothing ring.m;   has err "nothing"

# Every state that is left out by an assumption at the start: nothing was checked, so nothing holds.
cat >none.m <<'END'
var x : 0..3;
startstate begin x := 0; end;
rule begin x := (x + 1) % 4; end;
assume "never" x = 2;
invariant "false" false;
END
each 5 none.m;                           has out "no start state"

# A trace of check is run again by the interpreter before it is shown, and can be once more.
counter 3 >bad.m
for search in bfs dfs; do
  run 10 check --search $search --native on --json trace.json bad.m
  run 10 replay trace.json
done
finish
