#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Searches that follow hints: marks, flows and heuristics change the order and never the verdict;
# what is wrong with them is said; traces are shortened; races are won by someone.
. "$(dirname "$0")/lib.sh"
german=$SRC/examples/murphi/german.m
flows=$SRC/examples/murphi/german.flows
hinted="biased-bfs biased-dfs context astar greedy random"
counts() { sed -n 's/^  \([0-9,]* states\{0,1\}, [0-9,]* rules\{0,1\} fired\).*/\1/p' out; }
steps() { sed -n 's/^  after \([0-9]*\) step.*/\1/p' out; }
found() { sed -n 's/^  after .*(found with \([0-9]*\) step.*/\1/p' out; }

# --- every search is complete: the states and steps of bfs, whatever is marked ---
for symmetry in on off; do
  run 0 check -D NODE_NUM=2 --symmetry $symmetry "$german"; counts >bfs
  for search in $hinted; do
    run 0 check --search $search -D NODE_NUM=2 --symmetry $symmetry "$german"
    [ "$(counts)" = "$(cat bfs)" ] || fail "$search, symmetry $symmetry: $(counts) instead of $(cat bfs)"
  done
  for search in biased-bfs biased-dfs astar greedy; do
    for mark in '*' 'Recv*' 'RecvGntE(NODE_1), SndReqE(*)' 'RecvReqE when ExGranted' 'SndInv when Sharers[i] & CurCmd = ReqE'; do
      run 0 check --search $search --mark "$mark" -D NODE_NUM=2 --symmetry $symmetry --store tree "$german"
      [ "$(counts)" = "$(cat bfs)" ] || fail "$search, $mark, symmetry $symmetry: $(counts) instead of $(cat bfs)"
      has out "marked: "
    done
  done
done
for bug in 1 2 3 4; do
  run 10 check -D BUG=$bug --trace off "$german"; shortest=$(steps)
  for search in $hinted dfs race; do
    hints=()
    case $search in biased-*|astar|greedy|race) hints=(--flows "$flows" --flow ReqExcl) ;; esac
    run 10 check --search $search "${hints[@]}" -D BUG=$bug --json r.json --trace off "$german"
    [ "$(steps)" -ge "$shortest" ] || fail "$search finds BUG=$bug after $(steps) steps, bfs after $shortest"
    run 10 replay --quiet --trace off r.json
  done
done

# --- biased-dfs: a tenth of the states of bfs at most, and as many whatever the order of the rules ---
states() { sed -n 's/^  \([0-9,]*\) states\{0,1\},.*/\1/p' out | tr -d ,; }
awk '/^(ruleset|rule )/ { inside = 1; block = "" }
  inside { block = block $0 "\n"; if (/^end;/) { inside = 0; if (block ~ /startstate/) printf "%s", block; else blocks[++n] = block } next }
  /^invariant/ && !done { for (i = n; i > 0; i--) printf "%s\n", blocks[i]; done = 1 }
  { print }' "$german" >reversed.m
for bug in 1 2 3 4; do
  hints=(--search biased-dfs --flows "$flows" --flow '*' --trace off -D BUG=$bug)
  run 10 check -D BUG=$bug --trace off --threads 1 "$german"; bfs=$(states)
  run 10 check "${hints[@]}" "$german"; few=$(states)
  run 10 check "${hints[@]}" reversed.m
  [ $((10 * few)) -le "$bfs" ] || fail "biased-dfs finds BUG=$bug after $few states, bfs after $bfs"
  [ "$few" = "$(states)" ] || fail "biased-dfs finds BUG=$bug after $few states, with the rules reversed after $(states)"
done

# --- the plan says what is marked, and when nothing is ---
run 0 check --search biased-bfs --mark 'Recv*' --bias-limit 3 -D NODE_NUM=2 "$german"
has out "marked: RecvReqS (2 instances), RecvReqE (2)"; has out "marked steps go ahead from 3 states of each level"
run 0 check --search biased-dfs --mark RecvReqE --agents 1 -D NODE_NUM=2 "$german"
has out "until 1 can take a marked step"
run 0 check --search biased-bfs -D NODE_NUM=2 "$german"; has out "nothing is marked (--mark, --flow): goes breadth first"
run 0 check --search biased-dfs -D NODE_NUM=2 "$german"; has out "like context"
run 0 check --search astar --mark RecvReqE -D NODE_NUM=2 "$german"; has out "most marked steps"
run 0 check --search greedy -D NODE_NUM=2 "$german";                has out "an error is nearest"
run 0 check --search greedy --heuristic 'MemData + 1' -D NODE_NUM=2 --json r.json "$german"
has out "least: MemData + 1"; has r.json '"heuristic": "MemData + 1"'
run 0 check --search random --seed 7 -D NODE_NUM=2 "$german"; has out "seed 7"; counts >a
run 10 check --search random --seed 7 -D BUG=3 --shrink 0 --json a.json "$german"
run 10 check --search random --seed 7 -D BUG=3 --shrink 0 --json b.json "$german"
[ "$(grep '"states"' a.json)" = "$(grep '"states"' b.json)" ] || fail "the same seed, other states"

# --- marks in the model's comments ---
counter 7 | sed '1i -- fathom: mark up when x > 1' >marked.m
counter 7 | sed '1i -- fathom: mark upp' >wrong.m
run 0 check --search biased-bfs marked.m;              has out "marked: up when x > 1"
run 0 check --search biased-bfs --mark reset marked.m; has out "up when x > 1"; has out "reset"
run 0 check marked.m;                                  lacks out "marked: "
run 2 check --search biased-bfs wrong.m;               has err 'line 1: no rule is called "upp"; did you mean up'
run 0 check wrong.m
run 0 check --search context wrong.m
"$FATHOM" show --ir marked.m >marked.ir || fail "show --ir"
sed -i '1i // fathom: mark reset' marked.ir
run 0 check --search biased-bfs --mark 'up when x < 2' marked.ir; has out "reset"; has out "up when x < 2"

# --- refusals, each with what to do ---
run 1 check --mark up marked.m;                           has err "--mark is for --search biased-bfs, biased-dfs, astar, greedy or race"
run 1 check --search context --mark up marked.m;          has err "--mark is for"; empty out
run 1 check --search random --flows f --flow a marked.m;  has err "--flow is for"
run 1 check --flows f marked.m;                           has err "--flows is for"
run 1 check --search biased-bfs --flow a marked.m;        has err "add --flows FILE"
run 1 check --search biased-dfs --bias-limit 3 marked.m;  has err "--bias-limit is for --search biased-bfs: add that"
run 1 check --search biased-bfs --agents 3 marked.m;      has err "--agents is for --search biased-dfs: add that"
run 1 check --search biased-bfs --heuristic x marked.m;   has err "--heuristic is for --search astar or greedy"
run 1 check --search greedy --seed 1 marked.m;            has err "--seed is for --search random"
run 1 check --search biased-bfs --mark '' marked.m;       has err "name of a rule is missing"
run 1 check --search biased-bfs --mark uq marked.m;       has err "did you mean up"
run 1 check --search biased-bfs --mark 'up(1)' marked.m;  has err "--mark 'up(1)'"
run 1 check --search biased-bfs --mark 'up when y' marked.m; has err "'y' is not declared"
counter 7 >plain.m
run 1 check --search greedy --heuristic marked plain.m;   has err "nothing is marked"
run 1 check --search greedy --heuristic 'x <' plain.m;    has err "--heuristic:1:"
run 1 check --search greedy --heuristic 'x < 2' plain.m;  has err "expected an integer"
run 1 check --search greedy --heuristic auto --mark up marked.m; has err "does not look at marks"
run 0 check --search astar --heuristic 9223372036854775807 -D NODE_NUM=2 "$german"
for search in $hinted; do
  run 1 check --search $search --threads 2 plain.m;         has err "the work of one thread"
  run 1 check --search $search --store bitstate plain.m;    has err "take --store exact or tree"
  run 1 check --search $search --store fingerprint plain.m; has err "take --store exact or tree"
  run 1 check --search $search --depth 3 plain.m;           has err "--depth is for --search bfs, dfs, bounded"
  run 0 check --search $search --threads 1 --deterministic plain.m
done

# --- flows: counted, marked, and refused ---
run 0 check --search context --flows "$flows" -D NODE_NUM=2 --json r.json "$german"
has out "flows of german.flows"; has out "ReqShar "; has out "completed"; lacks out "never"
has r.json '"completed": '; has r.json '"steps_lost": 0'
cat >few.flows <<'END'
flow Often { up }
flow Never { reset -> reset as again; again -> reset as third }
flow Half { up -> reset -> up as second }
END
sed 's/x = 5 ==>/x = 5 \& a[0] \& !a[0] ==>/' plain.m >stuck.m
run 10 check --search biased-bfs --flows few.flows --flow Half stuck.m
has out "never began"; has out "never completed"; has out "never in this order: reset"
run 0 check --search biased-dfs --flows few.flows --flow Half --flow Never plain.m; has out "marked: reset"
run 0 check --search biased-dfs --flows "$flows" --flow '*' -D NODE_NUM=2 "$german"; has out "RecvInvAck (2"
run 1 check --search biased-dfs --flows few.flows --flow Hal plain.m;   has err 'no flow is called "Hal"; did you mean Half'
run 1 check --search biased-dfs --flows few.flows --flow Often plain.m; has err "--flow Often: "
echo 'flow F(i) { SndReqX(i) }' >unknown.flows
run 2 check --search biased-dfs --flows unknown.flows "$german"
has err "unknown.flows:1:"; has err "SndReq"
run 2 check --search biased-dfs --flows missing.flows plain.m; has err "--flows missing.flows: "
run 1 check --search biased-dfs --flows few.flows --json few.flows plain.m; has err "would overwrite few.flows"
run 1 check --search biased-dfs --flows - -;                   has err "both be read from standard input"

# --- shrinking ---
run 10 check -D BUG=3 --trace off "$german"; shortest=$(steps); lacks out "shortened"
run 10 check --search dfs -D BUG=3 --trace off --shrink 0 --threads 1 "$german"; long=$(steps); lacks out "shortened"
[ "$long" -gt "$shortest" ] || fail "a depth-first trace of $long steps shows nothing"
run 10 check --search dfs -D BUG=3 --trace off --threads 1 --shrink 600 --json r.json --html r.html "$german"
[ "$(steps) $(found)" = "$shortest $long" ] || fail "shortened from $(found) to $(steps), not $long to $shortest"
has r.json "\"found_steps\": $long"; has r.html "Found with $long steps, shortened to $shortest."
run 10 check --search dfs -D BUG=3 --deterministic --threads 1 --json a.json "$german"
run 10 check --search dfs -D BUG=3 --deterministic --threads 1 --json b.json "$german"
sed -i '/seconds\|peak_bytes\|native/d' a.json b.json
cmp -s a.json b.json || fail "shortened otherwise under --deterministic"
run 10 check --search dfs -D BUG=3 --symmetry off --trace off --threads 1 --shrink 600 "$german"
[ "$(steps)" = "$shortest" ] || fail "without symmetry shortened to $(steps)"
run 1 check --shrink 1 plain.m;                               has err "finds shortest traces"
run 1 check --search dfs --shrink 1 --deterministic plain.m;  has err "goes by the clock"
run 1 check --search dfs --shrink x plain.m;                  has err "a number of seconds"
run 10 check --search bfs -D BUG=3 --json r.json "$german";   has r.json "\"found_steps\": $shortest"

# --- races ---
run 0 check --search race -D NODE_NUM=2 "$german"; has out "race of bfs and context"; has out " won the race"
run 0 check --search race --threads 3 -D NODE_NUM=2 --json r.json "$german"; has out "race of bfs, context and greedy"
has r.json '"searches": ['; has r.json '"search": "race"'; lacks r.json '"winner": null'
run 0 check --search race --threads 100 -D NODE_NUM=2 --mark 'Recv*' "$german"
has out "race of bfs, biased-dfs, greedy, dfs, biased-bfs, astar and random"
run 5 check --search race --states 100 -D NODE_NUM=2 "$german"; has out "unknown (states)"; has out "nobody won the race"
run 10 check --search race --flows "$flows" --flow ReqExcl -D BUG=3 "$german"; has out " won the race"; has out "marked: "
run 1 check --search race --threads 1 plain.m;       has err "two searches at least"
run 1 check --search race --deterministic plain.m;   has err "leave --deterministic out"
run 1 check --search race --store bitstate plain.m;  has err "take --store exact or tree"
run 1 check --search race --depth 4 plain.m;         has err "--depth is for"
run 1 check --search race --flows few.flows plain.m; has err "counts no flows"
run 1 check --search race --agents 2 plain.m;        has err "--agents is for"

# Where one state has many successors, all of which are looked behind, limits are looked at meanwhile.
cat >fan.m <<'END'
var x : 0..60000; y : 0..1;
startstate begin x := 0; y := 0; end;
ruleset i : 0..60000 do rule "go" y = 0 ==> begin x := i; y := 1; end; end;
rule "back" y = 1 ==> begin y := 0; end;
END
SECONDS=0
for search in "biased-dfs --mark *" "greedy --mark *"; do
  set -f
  # shellcheck disable=SC2086 # words on purpose
  run 5 check --search $search --time 1 --native off fan.m; has out "unknown (time)"
  set +f
done
[ "$SECONDS" -le 15 ] || fail "two seconds took $SECONDS"
finish
