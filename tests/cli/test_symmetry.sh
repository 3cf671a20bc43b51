#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Symmetry, on by default: fewer states, the same verdicts, traces that are real executions.
. "$(dirname "$0")/lib.sh"
german=$SRC/examples/murphi/german.m

# On where the model allows it, and the counts are those of rumur --symmetry-reduction exhaustive.
run 0 check "$SRC/examples/murphi/two_phase_commit.m"
has out "exact store, symmetry on"; has out "4,687 states, 23,744 rules fired"
run 0 check --symmetry on "$SRC/examples/murphi/two_phase_commit.m"
has out "exact store, symmetry on"; has out "4,687 states, 23,744 rules fired"
run 0 check --search dfs "$SRC/examples/murphi/mcs_lock.m"
has out "96 states, 232 rules fired"
run 0 check --symmetry off -D NODE_NUM=2 "$german"
lacks out "symmetry"; has out "3,462 states, 9,480 rules fired"

# The trace is as short as without, and replays by itself.
run 10 check -D BUG=1 --json s.json "$german"
has out "after 8 steps"; has s.json '"symmetry": "on"'
run 10 replay s.json
run 10 check --symmetry off -D BUG=1 --json s.json "$german"
has out "after 8 steps"; has s.json '"symmetry": "off"'

# A long one, found depth first, does not take long to be made real, replayed and printed.
cat >far.m <<'END'
type pid : scalarset(4);
var turns : 0..50000; at : array [pid] of 0..9; last : pid;
startstate begin turns := 0; for p : pid do at[p] := 0; end; undefine last; end;
ruleset p : pid do
  rule "turn" turns < 50000 ==>
  begin turns := turns + 1; at[p] := (at[p] + turns) % 10; last := p; end;
end;
invariant "near" turns < 50000;
END
SECONDS=0
run 10 check --search dfs --trace diff far.m
has out "symmetry on"; has out "after 50000 steps"; has out "turns: 49999 -> 50000"
[ "$SECONDS" -le 10 ] || fail "a symmetric trace of 50,000 steps takes $SECONDS seconds"

# An invariant may be false for one element and fail for another. Which comes first is not the same
# in a state and in its representative: a fault and false, false and a fault, two faults.
cat >either.m <<'END'
const KIND : 0;
type P : scalarset(2);
var a, b : array [P] of 0..2; n : 0..1;
startstate n := 0; end;
ruleset p : P; q : P do rule "r" n = 0 & p != q ==> begin
  n := 1;
  switch KIND
    case 0: b[p] := 0; -- b[q] stays undefined
    case 1: b[p] := 2; b[q] := 0; for i : P do a[i] := 1; end;
    case 2: b[p] := 1; a[q] := 1;
    case 3: b[p] := 0; b[q] := 2; for i : P do a[i] := 1; end;
    case 4: b[q] := 0; for i : P do a[i] := 1; end;
  end;
end; end;
invariant "I" n = 1 -> forall p : P do a[p] = 1 & 2 / (2 - b[p]) = 2 end;
END
for kind in 0 1 2 3 4; do
  for options in "" "--search dfs" "--threads 4 --max-errors 0 --deadlock off" "--store fingerprint --deterministic"; do
    # shellcheck disable=SC2086 # words on purpose
    run 10 check -D KIND=$kind $options --json either.json either.m
    has out "symmetry on"; has out "after 1 step"
    run 10 replay either.json
  done
done

# To find representatives may take long: limits of time are looked at meanwhile.
cat >long.m <<'END'
type p : scalarset(120);
var x : array [p] of array [p] of boolean;
startstate begin for i : p do for j : p do x[i][j] := false; end; end; end;
ruleset i : p; j : p do rule begin x[i][j] := !x[i][j]; end; end;
END
SECONDS=0
run 5 check --time 1 long.m; has out "symmetry on"; has out "unknown (time)"
[ "$SECONDS" -le 15 ] || fail "one second took $SECONDS" # it took 49 before

# Where it cannot be had: off by itself, with a line that says why if there are scalarsets; refused
# when it was asked for.
counter 7 >m.m
run 0 check m.m;                lacks out "symmetry"
run 1 check --symmetry on m.m;  has err "no scalarset"
{ cat "$german"; echo 'liveness "grants" ExGranted;'; } >live.m
run 0 check -D NODE_NUM=2 --json s.json live.m
has out "symmetry on"; has out "then 1 liveness property, symmetry off"; has s.json '"symmetry": "on"'
run 1 check --symmetry on --property grants live.m;           has err "speak of the order of states"
run 0 check -D NODE_NUM=2 --property grants live.m;           lacks out "symmetry on"
run 10 check -D BUG=1 --property CntrlProp live.m;            has out "symmetry on"
run 0 check --symmetry off -D NODE_NUM=2 live.m;              lacks out "symmetry off:"

# One scalarset of two is not used symmetrically: the other is reduced, and a line says so.
cat >part.m <<'END'
type p : scalarset(3); q : scalarset(2);
var x : array [p] of boolean; y : q;
startstate begin for i : p do x[i] := false; end; undefine y; end;
ruleset i : p do rule "flip" begin x[i] := !x[i]; end; end;
rule "first" begin clear y; end;
END
run 0 check part.m
has out "symmetry on"; has out "symmetry in part: scalarset q is not symmetric: part.m:5"
has out "  8 states"

# A loop that depends on the order of its rounds: its scalarset stays out and a line says so, unless
# symmetry was asked for. A trace may then show that the model is not symmetric.
cat >broken.m <<'END'
type p : scalarset(3);
var x : array [p] of 0..3; k : 0..3; last : p;
startstate begin k := 3; for i : p do x[i] := k; k := k - 1; end; undefine last; end;
rule "look" isundefined(last) ==> begin for i : p do last := i; end; end;
rule "stay" !isundefined(last) ==> begin end;
invariant "not three" isundefined(last) | x[last] != 3;
END
run 0 check --deadlock off --json s.json broken.m
has out "symmetry off: scalarset p: broken.m:4: the outcome of this loop may depend on the order"
has out "nothing is proved"; has s.json '"symmetry": "off"'
has s.json '"symmetry_aside": "scalarset p: broken.m:4'
run 2 check --deadlock off --symmetry on broken.m; has err "use --symmetry off"
run 0 check --deadlock off --symmetry off broken.m
# The same with a deadlock, which a representative has and the real state has not.
cat >round.m <<'END'
type p : scalarset(2);
var last : p;
ruleset i : p do startstate begin last := i; end; end;
rule "go round" begin for i : p do last := i; end; end;
END
for store in exact tree fingerprint; do
  run 2 check --symmetry on --store $store round.m;    has err "use --symmetry off"
done
run 2 check --symmetry on --search dfs round.m;        has err "use --symmetry off"
run 10 check round.m;                                  has out "deadlock"; has out "symmetry off"
run 0 check "$SRC/examples/murphi/mesi_bus.m"
has out "symmetry in part: scalarset PROC"; has out "58,627 states, 298,668 rules fired"
run 5 check --symmetry on --json s.json "$SRC/examples/murphi/mesi_bus.m"
has out "symmetry on: scalarset PROC"; has out "10,640 states, 54,360 rules fired"
has out "unknown (symmetry not proved)"; has s.json '"symmetry": "on"'
has s.json '"reason": "symmetry not proved"'
run 10 check --symmetry on -D BUG=1 "$SRC/examples/murphi/mesi_bus.m" # what it finds is real

# Only in some orders is there an error, a step or a cover goal. The representative may be the state
# in which there is none: for A = b, or for A = c. It is found all the same without an option.
in_some_orders() { # EXIT_CODE LOOP [FUNCTION]
  for a in b c; do
    sed "s/A\[/$a[/g" >m.m <<END
type p : scalarset(2);
var b, c : array [p] of boolean; f, r : boolean;
${3:-}
startstate begin for i : p do b[i] := false; c[i] := false; end; undefine f; r := false; end;
ruleset i : p do
  rule "b" b[i] := !b[i]; end;
  rule "c" c[i] := !c[i]; undefine f; end;
end;
rule "go" (exists i : p do b[i] & !c[i] end) & (exists i : p do c[i] & !b[i] end) ==>
var t : 0..1; begin t := 1; $2 end;
invariant "r" !r;
END
    run "$1" check m.m; has out "symmetry off: scalarset p"
  done
}
in_some_orders 10 'for i : p do f := A[i] & f; end;'
in_some_orders 10 'for i : p do if A[i] then t := 0; else t := t + 1; end; end;'
in_some_orders 10 'if exists i : p do g(i) end then r := true; end;' \
  'function g(i : p) : boolean; begin assume A[i]; return true; end;'
in_some_orders 10 'g(); r := true;' \
  'procedure g(); begin for i : p do assume A[i]; if A[i] then return; end; end; end;'
in_some_orders 0 'if exists i : p do g(i) end then t := 0; end;' \
  'function g(i : p) : boolean; begin cover "g" A[i]; return b[i] | c[i]; end;'
in_some_orders 0 'g();' \
  'procedure g(); begin for i : p do cover "g" A[i]; if b[i] | c[i] then return; end; end; end;'

# Multisets in an array are sorted in a loop when the rule ends.
cat >boxes.m <<'END'
type p : scalarset(3);
var box : array [p] of multiset [2] of p;
startstate begin undefine box; end;
ruleset i : p; k : p do
  rule "put" multisetcount(s : box[i], true) < 2 ==> begin multisetadd(k, box[i]); end;
end;
ruleset i : p do choose s : box[i] do rule "take" multisetremove(s, box[i]); end; end; end;
END
run 0 check boxes.m; has out "symmetry on"; has out "190 states"
finish
