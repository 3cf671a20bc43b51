#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --engine bdd: verdicts, traces and counts as from the explicit engine, orders of variables, and what it refuses.
. "$(dirname "$0")/lib.sh"
counter 7 >good.m
counter 3 >bad.m

run 0 help
if ! grep -q "explicit, bdd" out; then
  has out "left out"
  run 1 check --engine bdd good.m; has err "not in this build"
  finish
fi

# --- the same answers ---
run 0 check --engine bdd good.m
has out "bdd engine, bfs search, reordering auto"
has out "holds: every reachable state was checked"
has out "  12 states, depth 11"
lacks out "store"
run 10 check --engine bdd bad.m
has out "after 3 steps"
has out 'violated: invariant "below"'
has out "this is false: x < LIMIT"
run 10 check --engine bdd --quiet --json r.json bad.m
has r.json '"engine": "bdd"'
has r.json '"store": null'
has r.json '"states_exact": null'
run 10 replay r.json
has out "after 3 steps"
run 10 check --engine bdd --html r.html bad.m
grep -q "bdd engine" r.html || fail "the page does not name the engine"

# --- more states than 2^64 ---
cat >wide.m <<'END'
var a : array [0..79] of boolean;
startstate begin for i : 0..79 do a[i] := false end; end;
ruleset i : 0..79 do rule "flip" begin a[i] := !a[i]; end; end;
END
run 0 check --engine bdd --deadlock off --json r.json wide.m
has out "1.20893e+24 states (1,208,925,819,614,629,174,706,176), depth 80"
has r.json '"states_exact": "1208925819614629174706176"'
has r.json '"states": 9223372036854775807'

# --- limits ---
run 5 check --engine bdd --depth 4 good.m
has out "unknown (depth): complete to depth 4"
ASAN_OPTIONS=detect_leaks=0 run 5 check --engine bdd --time 0.0000001 wide.m # docs/warts.md: what a limit cuts short is not given back
has out "unknown (time)"

# --- orders of variables ---
run 0 check --engine bdd --write-order o.ord good.m
grep -q "^x" o.ord || fail "the order lacks x"
run 0 check --engine bdd --order o.ord good.m
has out "order of variables from o.ord"
lacks out "not in the model"
printf 'nobody\na[2]\n\n-- a comment\nx\n_process_selector_\n' >other.ord
run 0 check --engine bdd --order other.ord --write-order o2.ord --json r.json good.m
has out "order of variables from other.ord: 2 of its 4 names are not in the model"
has r.json '"order_unknown": 2'
has out "  12 states, depth 11"
[ "$(head -1 o2.ord | cut -c1-4)" = "a[2]" ] || [ "$(grep -n '^a\[2\]' o2.ord | cut -d: -f1)" ] || fail "the order was not taken"
run 1 check --engine bdd --order missing.ord good.m;              has err "--order missing.ord: "
run 1 check --engine bdd --order . good.m;                        has err "--order .: "
run 1 check --engine bdd --write-order no/such.ord good.m;        has err "--write-order no/such.ord: "
run 1 check --engine bdd --write-order good.m good.m;             has err "would overwrite"
run 1 check --engine bdd --write-order - good.m;                  has err "name of a file"
for mode in auto on off; do
  run 0 check --engine bdd --reorder $mode good.m
  has out "reordering $mode"
  has out "  12 states, depth 11"
done
run 0 check --engine bdd --reorder-every 1 good.m
has out "reordering after every 1 operation"
has out "  12 states, depth 11"
run 1 check --engine bdd --reorder off --reorder-every 3 good.m;  has err "contradict"

# --- what it does not know is refused, and nothing is ignored ---
for option in "--store exact" "--threads 2" "--symmetry on" "--por on" "--native on" "--no-cache" "--fairness weak" "--shrink 1" "--stats"; do
  # shellcheck disable=SC2086 # an option and its value
  run 1 check --engine bdd $option good.m; has err "${option% *} is for --engine explicit"
done
run 0 check --engine bdd --threads 1 --symmetry off --por off --native off --fairness none --deterministic good.m
for search in dfs bounded ndfs race biased-bfs; do
  run 1 check --engine bdd --search $search good.m; has err "goes breadth first"
done
run 1 check --engine bdd --mark up good.m;      has err "--mark is for --engine explicit"
for option in "--order o.ord" "--reorder on" "--reorder-every 4" "--write-order f"; do
  # shellcheck disable=SC2086
  run 1 check $option good.m;                   has err "${option% *} is for --engine bdd"
  # shellcheck disable=SC2086
  run 1 check --engine explicit $option good.m; has err "${option% *} is for --engine bdd"
done

# --- what the engine cannot carry ---
cat >while.m <<'END'
var x : 0..3;
startstate begin x := 0; end;
rule begin while x >= 0 do x := (x + 1) % 4; end; end;
END
run 5 check --engine bdd while.m
has out "unknown (cannot: "
has out "nothing was searched"
has out "to go on: --engine explicit can check it"

# --- formulas, deadlock, faults, liveness ---
run 10 check --engine bdd --ltl 'F G x = 5' good.m
has out "a cycle of 12 steps"
run 0 check --engine bdd --ltl 'G F x = 5' good.m
cat >stuck.m <<'END'
var x : 0..3;
startstate begin x := 0; end;
rule x < 3 ==> begin x := x + 1; end;
END
run 10 check --engine bdd stuck.m
has out "violated: deadlock"
has out "after 3 steps"
run 0 check --engine bdd --deadlock off stuck.m
cat >fault.m <<'END'
var x : 0..3;
startstate begin x := 0; end;
rule begin x := x + 1; end;
END
run 10 check --engine bdd fault.m
has out "after 4 steps"

# --- what is done to save work takes none: milliseconds without it ---
{ # a pipeline: words that are cleared one by one
  echo "MODULE main VAR inp : 0..3;"
  for i in {0..11}; do echo "VAR s$i : boolean; d$i : 0..3;"; done
  echo "IVAR go : 0..12;"
  for i in {0..11}; do
    if [ "$i" = 0 ]; then come="go = 0 & !s0" from=inp; else come="go = $i & !s$i & s$((i - 1))" from=d$((i - 1)); fi
    if [ "$i" = 11 ]; then goes="go = 12 & s11"; else goes="go = $((i + 1)) & s$i & !s$((i + 1))"; fi
    echo "ASSIGN init(s$i) := FALSE; next(s$i) := case $come : TRUE; $goes : FALSE; TRUE : s$i; esac;"
    echo "init(d$i) := 0; next(d$i) := case $come : $from; $goes : 0; TRUE : d$i; esac;"
  done
  echo "INVARSPEC !s11 -> d11 = 0"
} >pipe.smv
run 0 check --engine bdd --time 60 pipe.smv
{ # three banks of words, of which one is shifted: few kinds of steps, and many states that cannot be
  echo "MODULE main VAR ok : boolean; IVAR inp : 0..7; sel : 0..3;"
  for b in 0 1 2; do
    from=inp
    for i in {0..5}; do
      echo "VAR w${b}_$i : 0..7; ASSIGN init(w${b}_$i) := 0; next(w${b}_$i) := case sel = $b : $from; TRUE : w${b}_$i; esac;"
      from=w${b}_$i
    done
  done
  echo "ASSIGN init(ok) := TRUE; next(ok) := ok & !(w0_5 = w1_5 & w0_5 != w0_0 & w1_5 = w2_5 & w1_5 != w1_0 & w2_5 != w2_0);"
  echo "INVARSPEC ok"
} >bank.smv
run 10 check --engine bdd --time 60 bank.smv
{ # words that all move at once, and sums beside them
  echo "MODULE main VAR ok : boolean; IVAR rot : boolean; p : 0..15; sel : 0..6;"
  for i in {0..19}; do
    echo "VAR w$i : 0..7; ASSIGN init(w$i) := $((i % 8)); next(w$i) := case rot : w$(((i + 19) % 20)); TRUE : w$i; esac;"
  done
  for i in {0..5}; do
    echo "VAR x$i : 0..15; ASSIGN init(x$i) := 0;"
    echo "next(x$i) := case sel = $i : (x$i + x$(((i + 2) % 6)) + p) mod 16; TRUE : x$i; esac;"
  done
  echo "ASSIGN init(ok) := TRUE; next(ok) := ok & !(w0 = w1 & x0 = 3) & !(x0 > x3 & x1 > x4 & x2 > x5);"
  echo "INVARSPEC ok"
} >rotate.smv
for search in bfs ida; do
  run 10 check --engine bdd --search $search --time 60 rotate.smv
  has out "after 4 steps"
done

finish
