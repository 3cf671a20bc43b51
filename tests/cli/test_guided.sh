#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Searches by an abstraction: bdd's ida, astar, wastar, and astar and greedy of the explicit engine; cones of
# influence; what is wrong with their options and files is said.
. "$(dirname "$0")/lib.sh"
counter 7 >good.m
counter 3 >bad.m

run 0 help
if ! grep -q "explicit, bdd" out; then
  run 1 check --search ida good.m;                      has err "not in this build"
  run 0 check --search astar good.m;                    has out "no pattern database (built without the BuDDy library)"
  finish
fi

# --- the same answers, shortest traces ---
steps() { sed -n 's/^  after \([0-9]*\) step.*/\1/p' out | tr '\n' ' '; }
for search in ida astar wastar; do
  run 0 check --engine bdd --search $search good.m
  has out "bdd engine, $search search, reordering auto"
  has out "pattern database built backward"
  grep -qE "^holds: (nothing wrong can be reached|proved without a search)" out || fail "$search does not say how it holds"
  lacks out " states"
  run 10 check --engine bdd --search $search --json r.json bad.m
  has out 'violated: invariant "below"'
  has r.json "\"search\": \"$search\""
  [ $search = wastar ] || [ "$(steps)" = "3 " ] || fail "$search: after $(steps)"
  run 10 replay r.json
  for pattern in backward forward; do
    run 10 check --engine bdd --search $search --pattern $pattern --abstract-depth 1 --pattern-nodes 1000 --trace off --json r.json bad.m
    has out "pattern database built $pattern, of what is less than 1 step of dependency away, of 1,000 nodes at most"
    has r.json '"abstract_depth": 1'
    has r.json "\"pattern\": \"$pattern\""
  done
done
run 10 check --engine bdd --search wastar --weights 3,0.5 --json r.json bad.m
has out "a step that is left costs 3, one that was taken 0.5"
run 10 check --search wastar bad.m; has out "a step that is left costs 2, one that was taken 1"
for weights in "" 2 "2," ",1" 2,1,1 a,b 0,0 -1,2 inf,1 nan,1 "2, 1"; do
  run 1 check --search wastar --weights "$weights" bad.m; has err "--weights wants two numbers"
done

# --- ida and wastar are names of one engine, astar of both ---
run 10 check --search ida bad.m;                        has out "bdd engine, ida search"
run 10 check --search astar bad.m;                      has out "explicit engine, astar search"
run 10 check --search astar --engine bdd bad.m;         has out "bdd engine, astar search"
cat >toggle.smv <<'END'
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
run 10 check --search astar --trace off toggle.smv;     has out "bdd engine, astar search"
run 10 check --search astar --heuristic auto --trace off toggle.smv; has out "explicit engine, astar search"
run 1 check --engine explicit --search ida toggle.smv;  has err "--search ida is for --engine bdd"
run 1 check --engine bmc --search ida toggle.smv;       has err "leave --search ida out"

# --- what they check, and what others do ---
run 10 check --search ida --trace off toggle.smv
[ "$(steps)" = "8 10 " ] || fail "ida: invariants of toggle.smv after $(steps)"
has out "not checked: --search bfs checks it"
run 1 check --search ida --property "SPEC 3" toggle.smv
has err "is of a kind (ctl, and not AG of a condition) that ida does not check; --search bfs does"
run 1 check --search ida --ltl 'F b' --property "LTLSPEC 4" toggle.smv
has err "is of a kind (ltl) that ida does not check; --search bfs does"
run 10 check --search ida --property "SPEC 2" --trace off toggle.smv; [ "$(steps)" = "10 " ] || fail "SPEC 2 after $(steps)"

# --- cones of influence ---
run 10 check --json r.json --trace off toggle.smv
has out "cone of influence: 2 of 3 leaves"
has r.json '"cone": true'
has r.json '"cone_leaves": 2'
run 10 check --cone off --json r.json --trace off toggle.smv
has out "bdd engine, bfs search, reordering auto, whole model"
lacks out "cone of influence"
has r.json '"cone": false'
run 10 check --json r.json toggle.smv
run 10 replay r.json # the variables outside are there, too
run 1 check --cone off good.m;                          has err "--cone is for --engine bdd or bmc"
run 1 check --engine bdd --cone yes good.m;             has err '--cone does not know "yes"'

# --- distances of the user's own ---
printf 'x 0 -- a comment\n\n  a[1]   3\n-- another\na 2\n' >s.str
run 10 check --search ida --strength s.str --json r.json bad.m
has out "distances of 4 leaves from s.str"
has r.json '"strength_leaves": 4'
printf 'x 1\ny 2\na[3] 2\nx\n3\nx -1\nx 12345678901\n' >wrong.str
run 1 check --search ida --strength wrong.str bad.m
has err 'wrong.str:2:1: error: the model has no variable "y"'
has err 'wrong.str:3:1: error: the model has no variable "a[3]"; did you mean "a['
for line in 4 5 6 7; do has err "wrong.str:$line:1: error: expected a name and a whole number"; done
printf 'x 1\n\0' >binary.str
run 1 check --search ida --strength binary.str bad.m;   has err "binary.str"
: >empty.str
run 1 check --search ida --strength empty.str bad.m;    has err "empty.str"
run 1 check --search ida --strength missing.str bad.m;  has err "--strength missing.str: "
run 1 check --search ida --strength . bad.m;            has err "--strength .: "
run 1 check --search ida --strength s.str --json s.str bad.m;        has err "would overwrite s.str"
run 1 check --search ida --strength s.str --write-order s.str bad.m; has err "would overwrite s.str"

# --- what would have no effect is refused ---
for option in "--abstract-depth 2" "--strength s.str" "--pattern forward" "--pattern-nodes 100"; do
  # shellcheck disable=SC2086 # an option and its value
  run 1 check $option good.m;                           has err "${option% *} is for --search ida, astar, wastar or greedy"
  # shellcheck disable=SC2086
  run 1 check --engine bdd $option good.m;              has err "${option% *} is for --search"
  # shellcheck disable=SC2086
  run 1 check --search astar --heuristic x $option good.m; has err "--heuristic auto goes by"
done
run 1 check --search ida --weights 1,1 good.m;          has err "--weights is for --search wastar"
run 1 check --search ida --depth 3 good.m;              has err "--depth is for --search"
run 1 check --search ida --heuristic auto good.m;       has err "--heuristic is for --engine explicit"
run 1 check --search ida --mark up good.m;              has err "--mark is for --engine explicit"
run 1 check --search ida --store exact good.m;          has err "--store is for --engine explicit"
run 1 check --search ida --abstract-depth 0 good.m;     has err "--abstract-depth wants a whole number from 1"
run 1 check --search idea good.m;                       has err 'did you mean "ida"?'

# --- the explicit engine goes by the same distances: a proof, or a shortest trace first ---
run 0 check --search astar --json r.json good.m
has out "first where an abstraction of the model says that an error is nearest"
has out "pattern database: "
for bug in 2 4; do
  german=$SRC/examples/murphi/german.m
  run 10 check -D NODE_NUM=2 -D BUG=$bug --trace off --threads 1 "$german"; shortest=$(steps)
  for symmetry in on off; do
    run 10 check -D NODE_NUM=2 -D BUG=$bug --search astar --symmetry $symmetry --trace off --json r.json "$german"
    has out "the first trace is a shortest one"
    has r.json '"shortest": true'
    [ "$(steps)" = "$shortest" ] || fail "astar finds BUG=$bug after $(steps), bfs after $shortest"
  done
  run 10 check -D NODE_NUM=2 -D BUG=$bug --search greedy --trace off "$german"
  lacks out "is a shortest one"
done
cat >proof.m <<'END'
var x : 0..3; n : 0..40;
startstate begin x := 0; n := 0; end;
rule "round" begin x := (x + 1) % 3; n := (n + 1) % 41; end;
invariant "never" x != 3;
END
run 0 check --search astar --json r.json proof.m
has out "holds: proved without a search: no state of the abstraction leads from a start to an error"
has r.json '"proves": true'
grep -q '^  holds  *invariant  never' out || fail "the property does not hold"
run 0 check --search ida proof.m
has out "holds: proved without a search: no state of the abstraction leads from a start to an error"
printf "var x : 0..3;\nstartstate begin x := 0; error \"no\"; end;\nrule begin x := 1; end;\n" >start.m # a start that fails is none that the abstraction knows of
run 10 check --search astar --deadlock off start.m; has out "in a start rule"
sed 's/x != 3/x != 2/' proof.m >false.m
run 10 check --search astar --trace off false.m;        [ "$(steps)" = "2 " ] || fail "after $(steps)"
sed '$a cover "two" x = 2;' proof.m >cover.m # goals must be reached: it is searched
run 0 check --search astar cover.m;                     has out "every reachable state was checked"
run 0 check --search astar --stats proof.m;             has out "every reachable state was checked"
cat >while.m <<'END'
var x : 0..3;
startstate begin x := 0; end;
rule begin while x >= 0 & x != 3 do x := (x + 1) % 4; end; clear x; end;
END
run 0 check --search astar --deadlock off while.m
has out "no pattern database ("
has out "first where most steps are near the properties"
run 0 check --search astar --deterministic --json a.json -D NODE_NUM=2 "$german"
run 0 check --search astar --deterministic --json b.json -D NODE_NUM=2 "$german"
[ "$(grep '"transitions"' a.json)" = "$(grep '"transitions"' b.json)" ] || fail "--deterministic, and other steps"

# --- what a property depends on ---
run 0 show --dependencies toggle.smv
has out 'depends on 2 of 3 leaves'
has out "       0  n"
grep -q "^       1  b  *n$" out || fail "b does not come in through n"
grep -q "^       -  idle$" out || fail "idle is not outside"
run 0 show --dependencies --property "SPEC 3" toggle.smv
[ "$(grep -c "depends on" out)" = 1 ] || fail "more than one property"
run 0 show --dependencies --dot --property "SPEC 3" toggle.smv
has out "digraph dependencies {"; has out "property -> l"; has out '[label="b 1"]'; lacks out "idle"
run 0 show --dependencies --property "assertions and errors" good.m; has out '"assertions and errors" depends on'
run 1 show --dependencies --property nobody good.m;     has err 'the model has no property "nobody"'
run 1 show --property below good.m;                     has err "add that"
run 1 show --dot good.m;                                has err "add --buchi or --dependencies"
run 1 show --dependencies --ir good.m;                  has err "one thing at a time"
run 0 show --relation good.m;                           has out "rule up"; has out "x := "
cat >endless.m <<'END'
var x : 0..3;
startstate begin x := 0; end;
rule begin while x >= 0 do x := (x + 1) % 4; end; end;
END
for what in relation dependencies; do
  run 1 show --$what endless.m;                         has err "--$what: the model cannot be said in terms: "
done

# What leads to the goal through states that are passed is too much to be told: nothing is told then, and ways stay shortest.
cat >loops.pml <<'END'
byte p=0, w=0, a=0, b=0, c=1;
active proctype A() {
  do
  :: d_step { p==0 -> p=1 }
  :: d_step { p==1 -> p=2 }
  :: d_step { p==2 -> p=3 }
  :: d_step { p==3 && w==1 -> p=4 }
  :: d_step { p==3 -> p=10 }
  :: d_step { p==0 -> p=5 }
  :: d_step { p==5 -> p=10 }
  :: d_step { p==10 -> p=11 }
  :: d_step { p==11 -> p=12 }
  :: d_step { p==12 -> p=13 }
  :: d_step { p==13 -> p=14 }
  :: d_step { p==14 -> p=4; w=2 }
  :: d_step { p==4 -> p=0; w=w-1 }
  :: atomic { p==4 -> p=6; do :: p<9 -> p++ :: p==9 && (a*b) % 251 != c -> break od; p=20; do :: p<23 -> p++ :: p==23 -> break od; assert(p==8) }
  od
}
active proctype B() { do :: w==1 -> w=3 :: w==3 -> w=1 od }
active proctype C() { do :: a++ :: b++ :: c++ od }
END
for how in bfs "ida --abstract-depth 1" "ida --pattern forward" ida astar; do
  # shellcheck disable=SC2086
  run 10 check --engine bdd --search $how --json r.json loops.pml; has r.json '"length": 8'
done

finish
