#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ways in which model checkers go wrong about infinite runs and with partial order reduction (the table in
# docs/testing.md): a search that did not finish is never a success, a condition that fails is never true,
# combinations that nobody has proved are refused, and with reduction the answers are those without.
. "$(dirname "$0")/lib.sh"

# every CODE ARGS...: the same exit code with and without reduction, native code and several threads.
every() {
  local code=$1 por
  shift
  for por in on off; do
    run "$code" check --por $por --native off --threads 1 "$@"
    run "$code" check --por $por --native off --threads 4 "$@"
    run "$code" check --por $por --native on --threads 1 "$@"
  done
}

# --- what did not finish does not hold ---
cat >ring.m <<'END'
var x : 0..999; y : 0..1;
startstate begin x := 0; y := 0; end;
rule "on" begin x := (x + 1) % 1000; end;
rule "turn" begin y := 1 - y; end;
END
holds='G F x = 0 | F G y = 0 | F G y = 1'
run 10 check --search ndfs --ltl "$holds" ring.m
holds='G (x <= 999)'
run 0 check --search ndfs --ltl "$holds" ring.m
run 5 check --search ndfs --states 1999 --ltl "$holds" ring.m; has out "unknown"
run 0 check --search ndfs --states 2000 --ltl "$holds" ring.m
run 5 check --search ndfs --time 0.000001 --ltl "$holds" ring.m
run 5 check --search ndfs --memory 1K --ltl "$holds" ring.m
run 5 check --search ndfs --depth 100 --ltl "$holds" ring.m
for threads in 1 2 4; do run 5 check --search ndfs --threads $threads --states 1000 --ltl "$holds" ring.m; done

# Breadth-first search and its threads look at states; cycles are found by a search for cycles.
run 10 check --search bfs --threads 4 --ltl 'F G y = 0' ring.m; has out "ndfs"
run 10 check --search dfs --ltl 'F G y = 0' ring.m;             has out "ndfs"

# --- a condition that cannot be evaluated ---
cat >fault.m <<'END'
var x : 0..5; a : array [0..3] of 0..1;
startstate begin x := 0; clear a; end;
rule "up" x < 5 ==> begin x := x + 1; end;
rule "stay" x = 5 ==> begin end;
END
every 10 --deadlock off --ltl 'G F (a[x] = 0 | x > 5)' fault.m; has out "index"
every 10 --deadlock off --ltl 'F (x = 6 | a[x] = 1)' fault.m;  has out "index"
every 0 --deadlock off --ltl 'F x = 5' fault.m
run 1 check --ltl 'G x = z' fault.m;   has err "z"
run 1 check --ltl 'G (x = 1 U)' fault.m

# --- a stuck model goes on in its last state; X sees that, too ---
cat >stuck.pml <<'END'
byte x;
active proctype a() { x = 1; x = 2; end: x == 3 }
ltl last { <> [] (x == 2) }
ltl next { [] (x == 2 -> X (x == 2)) }
ltl back { [] <> (x == 1) }
END
every 0 --property last stuck.pml
every 0 --property next stuck.pml
every 10 --property back stuck.pml; has out "nothing can move"
run 10 check --property back --fairness weak stuck.pml

# --- what does not go together is refused ---
run 1 check --property back --fairness weak --por on stuck.pml;          has err "do not go together"
run 1 check --property back --search ndfs --store bitstate stuck.pml;    has err "does not keep them"
run 1 check --property back --search ndfs --store fingerprint stuck.pml; has err "does not keep them"
run 1 check --por on --search bounded stuck.pml;                         has err "--por on"
cat >symmetric.m <<'END'
type P : scalarset(3);
var at : array [P] of 0..1;
startstate begin for p : P do at[p] := 0; end; end;
ruleset p : P do rule "go" at[p] = 0 ==> begin at[p] := 1; end; rule "back" at[p] = 1 ==> begin at[p] := 0; end; end;
END
run 1 check --symmetry on --search ndfs --ltl 'G F forall p : P do at[p] = 0 end' symmetric.m
run 10 check --ltl 'G F forall p : P do at[p] = 0 end' symmetric.m; has out "symmetry"

# --- with reduction: what looks at other processes in unusual ways is seen ---
for model in last_variable enabled_call pc_value_call priority_blocked priority_changes priority_fixed priority_timeout \
  remote_label remote_variable remote_gone else_channel chan_poll chan_questions timeout_statement timeout_two \
  provided_clause xr_xs nr_pr np_variable ltl_last ltl_remote ltl_next never_enabled never_timeout; do
  file=$SRC/tests/models/$model.pml
  "$FATHOM" check --native off --por off "$file" >off 2>err
  code=$?
  run $code check --native off --por on "$file"
  run $code check --native off --por on --search dfs "$file"
done

# A formula with X is checked on the whole system, and it is said.
cat >next.pml <<'END'
byte x, y;
active proctype a() { x = 1 }
active proctype b() { y = 1; y = 2 }
ltl soon { X (x == 1) }
END
every 10 --property soon next.pml
run 10 check --por on next.pml; has out "counts steps (X): it is searched without"

# A lasso is replayed, edge by edge, also from a file.
run 10 check --search ndfs --ltl 'F G y = 0' --json lasso.json ring.m
run 10 replay lasso.json; has out "again and again"
sed 's/"loop_start": [0-9]*/"loop_start": 1/' lasso.json >forged.json
if ! cmp -s lasso.json forged.json; then
  "$FATHOM" replay forged.json >out 2>err
  [ $? -ne 10 ] || fail "a lasso that begins elsewhere replays"
fi

# --- cycles without progress, without an automaton (the paper's Fig. 5) ---
for model in progress_cycle progress_holds progress_no_label progress_stuck label_progress_accept; do
  file=$SRC/tests/models/$model.pml
  "$FATHOM" check --native off --non-progress --property "non-progress cycles" --search ndfs "$file" >out 2>err
  run $? check --native off --non-progress --search progress "$file"
  lacks out "with an automaton"
done
file=$SRC/tests/models/progress_cycle.pml
run 10 check --non-progress --search progress --store tree "$file"
run 10 check --non-progress --search progress --json direct.json "$file"; run 10 replay direct.json
run 1 check --search progress "$file";                                    has err "add --non-progress"
run 1 check --non-progress --search progress --por on "$file";            has err "wrong with partial order reduction"
run 1 check --non-progress --search progress --fairness weak "$file";     has err "knows no fairness"
run 1 check --non-progress --search progress --threads 2 "$file";         has err "one thread"
run 1 check --non-progress --search progress --store bitstate "$file";    has err "does not keep them"
run 1 check --non-progress --search progress --ltl 'true' "$file";        has err "not for those of --ltl"

# --- which steps reduction took: a bit, or a number ---
run 10 check --por on --search ndfs --selection number --property again "$SRC/tests/models/ltl_remote.pml"
run 1 check --search ndfs --selection number "$file"; has err "is for --por on"
run 1 check --por on --selection number "$file";      has err "is for --search ndfs"
finish
