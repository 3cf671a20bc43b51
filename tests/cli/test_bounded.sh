#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --search bounded: its options and refusals, what it says when something ends it, and searches in
# pieces: saved, gone on with, refused when they are not what they were.
. "$(dirname "$0")/lib.sh"
german=$SRC/examples/murphi/german.m
bounded() { # CODE ARGS...
  local code=$1
  shift
  run "$code" check --search bounded "$@"
}
# States and rules of the last run; the depth depends on the way it went.
counts() { sed -n 's/^  \([0-9,]* states\{0,1\}, [0-9,]* rules\{0,1\} fired\).*/\1/p' "${1:-out}"; }
same_counts() { # FILE WHAT
  [ -n "$(counts)" ] && [ "$(counts)" = "$(cat "$1")" ] || fail "$2: $(counts) instead of $(cat "$1")"
}

# --- the same states as breadth first, to every depth ---
for depth in 1 7 1000; do
  code=5; [ $depth = 1000 ] && code=0
  run $code check --depth $depth -D NODE_NUM=2 --symmetry off "$german"; counts >bfs
  for increment in 1 5 100; do
    for frontier in tree traces states; do
      for bounding in threshold depth; do
        bounded $code --depth $depth --increment $increment --frontier $frontier --bounding $bounding --native off \
          -D NODE_NUM=2 --symmetry off "$german"
        same_counts bfs "depth $depth by $increment, $frontier, $bounding"
        [ $code = 0 ] || has out "unknown (depth): complete to depth $depth, no violation"
      done
    done
  done
done
bounded 0 -D NODE_NUM=2 "$german";                     has out "holds: every reachable state"; has out "symmetry on"
bounded 5 --store fingerprint -D NODE_NUM=2 "$german"; has out "unknown (lossy, p <= "
bounded 0 --store tree --threads 4 -D NODE_NUM=2 "$german"; has out "tree store"
bounded 0 --increment 7 --json r.json -D NODE_NUM=2 "$german"
for key in reexplored iterations getstate_calls getstate_steps getstate_seconds frontier_nodes frontier_bytes stack_bytes; do
  has r.json "\"$key\": "
done
has r.json '"increment": 7'; has r.json '"bounding": "threshold"'; has r.json '"saved": null'
has out "deepens by 7 until no state is left"; has out "known state"; has out "frontier up to"

# --- violations: within the bound, with a trace that replays ---
for frontier in tree traces states; do
  for increment in 1 3 100; do
    for threads in 1 2; do
      bounded 10 --frontier $frontier --increment $increment --threads $threads -D BUG=1 --json r.json "$german"
      run 10 replay r.json
      [ $increment -gt 1 ] || has out "after 8 steps"
    done
  done
done
bounded 5 --depth 7 --increment 3 -D BUG=1 "$german";  has out "complete to depth 7"
bounded 10 --depth 8 --increment 3 -D BUG=1 "$german"; has out "after 8 steps"
counter 3 >bad.m
bounded 10 bad.m;           has out "after 3 steps"
bounded 5 --depth 2 bad.m;  has out "unknown (depth)"

# --- refusals, each with what to do instead ---
bounded 1 --store bitstate "$german";                has err "take --store exact, tree or fingerprint"; empty out
bounded 1 --deterministic --threads 2 "$german";     has err "one thread only with --search bounded"; empty out
bounded 0 --deterministic --threads 1 -D NODE_NUM=2 "$german"; has out "deterministic"
bounded 1 --depth 2000000001 "$german";              has err "--depth"; empty out
bounded 1 --increment 0 "$german";                   has err "whole number from 1"
bounded 1 --increment 2000000001 "$german";          has err "whole number from 1"
bounded 1 --bounding deph "$german";                 has err 'did you mean "depth"?'
bounded 1 --frontier trees "$german";                has err 'did you mean "tree"?'
for option in "--increment 3" "--bounding depth" "--frontier tree" "--save-frontier f" "--resume f"; do
  run 1 check $option "$german";              has err "${option%% *} is for --search bounded"; empty out
  run 1 check --search dfs $option "$german"; has err "${option%% *} is for --search bounded"
done
[ ! -e f ] || fail "a refused command wrote a file"
bounded 1 --save-frontier nosuch/f "$german";        has err "nosuch/f"; empty out
bounded 1 --save-frontier /dev/full "$german";       has err "/dev/full"; empty out
bounded 1 --save-frontier - "$german";               has err "name of a file"
bounded 1 --resume - "$german";                      has err "name of a file"
cp bad.m kept.m
bounded 1 --save-frontier bad.m bad.m;               has err "would overwrite bad.m"; cmp -s bad.m kept.m || fail "the model was overwritten"
bounded 1 --save-frontier r.json --json r.json bad.m; has err "same file"
bounded 1 --resume nosuch "$german";                 has err "there is no such file"; empty out
bounded 1 --resume bad.m "$german";                  has err "not a saved search"; empty out
bounded 1 --resume . "$german";                      has err "--resume ."; empty out

# --- what ended it, and to which depth it is complete ---
cat >big.m <<'END'
type n : 0..199;
var x : n; y : n; z : n; w : n;
startstate begin x := 0; y := 0; z := 0; w := 0; end;
rule begin x := (x + 1) % 200; end;
rule begin y := (y + 1) % 200; end;
rule begin z := (z + 1) % 200; end;
rule begin w := (w + 1) % 200; end;
END
complete() { # AT_LEAST WHAT: and the rest is told
  local depth
  depth=$(sed -n 's/.*: complete to depth \([0-9,]*\), no violation.*/\1/p' out | tr -d ,)
  [ -n "$depth" ] && [ "$depth" -ge "$1" ] || fail "$2: complete to depth \"$depth\", not $1 or more"
  has out "stored states not expanded"
}
for threads in 1 4; do
  bounded 5 --threads $threads --increment 2 --states 5000 big.m;       has out "unknown (states)"; complete 2 states
  has out "  5,000 states"
  bounded 5 --threads $threads --increment 2 --time 0.5 big.m;          has out "unknown (time)"; complete 2 time
  bounded 5 --threads $threads --increment 2 --memory 4M big.m;         has out "unknown (memory)"; complete 2 memory
  "$FATHOM" check --search bounded --threads $threads --increment 2 --save-frontier int.f big.m >out 2>err </dev/null & pid=$!
  sleep 0.7; kill -INT $pid; wait $pid
  [ $? -eq 5 ] || fail "an interrupted run does not end with 5"
  has out "unknown (interrupted)"; complete 2 interrupt; has out "saved in int.f"; has out "--resume int.f"
  before=$(sed -n 's/^  \([0-9,]*\) states, .*/\1/p' out | tr -d ,)
  bounded 5 --threads 2 --increment 2 --resume int.f --states $((before + 1000)) big.m
  has out "goes on from int.f, which is complete to depth"; has out "unknown (states)"
  [ "$(sed -n 's/^  \([0-9,]*\) states, .*/\1/p' out | tr -d ,)" = $((before + 1000)) ] || fail "it does not go on from $before: $(counts)"
done
# A stop in the first iteration still has the starts.
bounded 5 --increment 1000 --states 100 big.m; has out "complete to depth 0"
# The search may be complete at the bound: nothing lies behind it.
counter 7 >round.m
run 0 check round.m; counts >whole
farthest=$(sed -n 's/.*, depth \([0-9]*\)$/\1/p' out)
bounded 0 --depth "$farthest" --increment 2 round.m;           same_counts whole "to the farthest state"
bounded 5 --depth $((farthest - 1)) --increment 2 round.m;     has out "complete to depth $((farthest - 1))"

# --- in pieces: the same in the end ---
cat >maze.m <<'END'
const N : 120; M : 12;
var x : 0..N-1; y : 0..M-1; back : boolean;
startstate begin x := 0; y := 0; back := false; end;
rule "on" x < N-1 ==> begin x := x + 1; end;
rule "aside" begin y := (y + 5) % M; end;
rule "jump" x % 4 = 1 & x + 9 < N ==> begin x := x + 9; back := !back; end;
rule "down" back & x > 2 ==> begin x := x - 3; end;
cover "the end" x = N-1 & y = M-1 & back;
invariant "inside" x < N;
END
run 0 check --native off maze.m; counts >whole
pieces() { # FIRST STEP ARGS...: cut by --states
  local most=$1 step=$2 code n=0
  shift 2
  rm -f p.f
  while :; do
    "$FATHOM" check --search bounded --native off --states "$most" --save-frontier p.f $([ $n -eq 0 ] || echo --resume p.f) "$@" maze.m \
      >out 2>err </dev/null
    code=$?
    grep -qF "unknown (states)" out || break
    [ $code -eq 5 ] && [ -s p.f ] || { fail "piece $n of $*: exit code $code"; cat err; return; }
    n=$((n + 1)) most=$((most + step))
    [ $n -lt 100 ] || { fail "$*: does not come to an end"; return; }
  done
  [ $n -ge 3 ] || fail "$*: in $n pieces only"
  same_counts whole "pieces, $*"
}
for store in exact tree fingerprint; do
  for frontier in tree traces states; do
    for threads in 1 2; do
      pieces 300 400 --store $store --frontier $frontier --threads $threads --increment 13
      want="holds: every"; [ $store = fingerprint ] && want="unknown (lossy"
      has out "$want"; has out "reached   cover      the end"
    done
  done
  pieces 300 600 --store $store --bounding depth --increment 1000
  pieces 300 700 --store $store --increment 2 --threads 4
done
# By depths; with another increment and other threads each time. No file is left when nothing is left.
rm -f p.f
bounded 5 --depth 5 --increment 3 --native off --save-frontier p.f maze.m;                       has out "complete to depth 5"
bounded 5 --depth 11 --increment 2 --threads 3 --native off --resume p.f --save-frontier p.f maze.m; has out "complete to depth 11"
bounded 5 --depth 11 --native off --resume p.f --save-frontier q.f maze.m;                       has out "complete to depth 11"
run 5 check --depth 11 --native off maze.m; counts >eleven
bounded 5 --depth 11 --native off --resume q.f maze.m;                                           same_counts eleven "resumed at its depth"
bounded 0 --increment 50 --native off --resume q.f --save-frontier left.f maze.m;                same_counts whole "by depths"
[ ! -e left.f ] || fail "a complete search left a file"
# By time: more of it with each piece, so that it ends on slow machines as well.
rm -f p.f
for ((n = 0; n < 60; n++)); do
  "$FATHOM" check --search bounded --native off --threads $((1 + n % 2)) --time "0.0$((n + 3))" --save-frontier p.f \
    $([ -e p.f ] && echo --resume p.f) maze.m >out 2>err </dev/null
  code=$?
  grep -qF "unknown (time)" out || break
  [ $code -eq 5 ] || fail "cut by time: exit code $code"
done
[ $code -eq 0 ] && same_counts whole "by time"

# --- a file that is not what it was ---
bounded 5 --depth 9 --native off --save-frontier good.f maze.m
refused() { # SENTENCE ARGS...
  local sentence=$1
  shift
  bounded 1 "$@" maze.m; has err "$sentence"; empty out
}
refused "the model has changed" --resume good.f -D M=11
refused "the model has changed" --resume good.f -D N=121
bounded 1 --resume good.f big.m;                      has err "the model has changed"; empty out
sed 's/x + 9/x + 8/' maze.m >changed.m
bounded 1 --resume good.f changed.m;                  has err "the model has changed"
refused "--store exact" --resume good.f --store tree
refused "--frontier tree" --resume good.f --frontier states
refused "--bounding threshold" --resume good.f --bounding depth
refused "deadlock" --resume good.f --deadlock off
refused 'properties "inside"' --resume good.f --property inside
bounded 5 --depth 4 --store fingerprint --save-frontier print.f maze.m
refused "--hash-bits 64" --resume print.f --store fingerprint --hash-bits 96
size=$(stat -c %s good.f)
for cut in 0 1 7 8 9 50 100 $((size / 2)) $((size - 8)) $((size - 1)); do
  head -c "$cut" good.f >cut.f
  bounded 1 --resume cut.f maze.m; empty out
done
{ cat good.f; echo; } >cut.f
bounded 1 --resume cut.f maze.m; empty out
RANDOM=4
for ((n = 0; n < 30; n++)); do
  at=$((RANDOM % size)) byte=$(printf '\\x%02x' $((RANDOM % 256)))
  cp good.f flip.f; printf "$byte" | dd of=flip.f bs=1 seek=$at conv=notrunc status=none
  cmp -s good.f flip.f && continue
  bounded 1 --resume flip.f maze.m; empty out
done
bounded 0 --native off --resume good.f maze.m; same_counts whole "the good one"

# --- what is there stays until the new one is whole ---
cp good.f old.f
bounded 10 --save-frontier old.f bad.m;               cmp -s good.f old.f || fail "a search with a violation replaced the file"
bounded 0 --native off --save-frontier old.f maze.m;  cmp -s good.f old.f || fail "a complete search replaced the file"
mkdir locked; cp good.f locked/f; chmod 0500 locked
if [ ! -w locked ]; then
  bounded 1 --depth 9 --save-frontier locked/f maze.m; has err "locked/f"; cmp -s good.f locked/f || fail "locked/f was replaced"
fi
chmod 0700 locked
# Killed while it writes, or a little before or after: an old file or a new one, whole.
bounded 5 --increment 3 --states 2000 --native off --save-frontier k.f big.m; old=$(cksum <k.f)
caught=0
for ((n = 0; n < 12 && caught < 4; n++)); do
  "$FATHOM" check --search bounded --increment 3 --states $((60000 + 20000 * n)) --native off --save-frontier k.f --resume k.f big.m \
    >/dev/null 2>&1 </dev/null & pid=$!
  while [ -d /proc/$pid ] && ! compgen -G "k.f?*" >/dev/null; do :; done
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  compgen -G "k.f?*" >/dev/null && caught=$((caught + 1))
  rm -f k.f?*
  bounded 5 --increment 3 --states 1000000 --time 0.2 --resume k.f big.m; has out "goes on from k.f"
  [ "$(cksum <k.f)" = "$old" ] || break # it was faster
done
[ $caught -gt 0 ] || [ "$(cksum <k.f)" != "$old" ] || fail "never killed while it wrote"

# --- states of kilobytes, deep down, in little memory ---
cat >deep.m <<'END'
const DEEP : 10000; CELLS : 2000;
var x : 0..DEEP; aside : boolean; a : array [0..CELLS-1] of 0..255;
startstate begin clear x; clear aside; clear a; end;
rule !aside & x < DEEP ==> begin x := x + 1; a[x % CELLS] := x % 251; end;
rule !aside ==> begin aside := true; end;
END
bounded 5 --store fingerprint --increment 100000 --memory 16M --deadlock off deep.m # the states on the stack alone: 20 MB
has out "unknown (lossy"; has out "  20,002 states, 20,001 rules fired, depth 10,001"
# What is counted for --stats: successors of starts at the first bound too; not what nobody counted.
cat >rules.m <<END
var x : 0..20;
startstate begin x := 0; end;
rule "once" x = 0 ==> begin x := 1; end;
rule "go" x > 0 & x < 5 ==> begin x := x + 1; end;
END
run 0 check --search bounded --increment 1 --stats --deadlock off rules.m; lacks out "never"
run 5 check --search bounded --increment 1 --states 3 --deadlock off --save-frontier s.f rules.m
run 1 check --search bounded --resume s.f --stats --deadlock off rules.m;  has err "saved without --stats"
run 0 check --search bounded --resume s.f --deadlock off rules.m;          has out "holds"
# The same model under another name, with a comment more, is the same model.
{ echo "-- a comment"; cat rules.m; } >copy.m
run 0 check --search bounded --resume s.f --deadlock off copy.m;           has out "holds"
sed 's/x < 5/x < 6/' rules.m >other.m
run 1 check --search bounded --resume s.f --deadlock off other.m;          has err "model has changed"
finish
