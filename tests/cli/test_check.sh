#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fathom check: verdicts, exit codes, what the text report says.
. "$(dirname "$0")/lib.sh"
counter 7 >good.m
counter 3 >bad.m

run 0 check good.m
has out "good.m: explicit engine, bfs search, exact store"
has out "holds: every reachable state was checked"
has out "rules fired"
empty err

run 10 check bad.m
has out 'violated: invariant "below" (bad.m:6:'
has out "after 3 steps"
has out "x: 2 -> 3"
has out "up  bad.m:4"
has out "a[*] = false"
lacks out $'\033'

# The same with dfs, native code, and without the compiler.
run 10 check --search dfs bad.m;  has out "dfs search"
run 10 check --native on bad.m;   has out "x: 2 -> 3"
run 10 check --native off bad.m;  has out "interpreted"
CC=/nonexistent/cc run 10 check --native on bad.m
has out 'violated: invariant "below"'

# The time budget covers the wait for a slow compiler.
printf '#!/bin/sh\nexec sleep 50\n' >slowcc && chmod +x slowcc
SECONDS=0
CC=$PWD/slowcc run 5 check --native on --no-cache --time 0.3 good.m; has out "unknown (time)"
[ "$SECONDS" -lt 20 ] || fail "the compiler was waited for, whatever --time said"

# What is shown.
run 10 check --trace off bad.m;   lacks out "x: 2 -> 3"
run 10 check --trace full bad.m;  has out "a[0] = false"
run 10 check --quiet bad.m;       lacks out "states/s"; has out "x: 2 -> 3"
run 0 check --quiet good.m
[ "$(wc -l <out)" -le 2 ] || fail "--quiet prints more than the verdict"

# Why, in the words of the model, with the values of its constants; never a text that says the
# contrary, half a parenthesis, or what stands between an alias and its use.
cat >why.m <<'END'
const LIMIT : 2;
type T : 0..2;
var x : 0..5; m : multiset [3] of 0..3; a : array [T] of 0..3;
startstate begin x := 3; undefine m; multisetadd(1, m); clear a; end;
rule begin x := 3; end;
invariant "count" multisetcount(i : m, m[i] > 0) = 2;
invariant "const" (x < LIMIT+1);
invariant "not" !(x != LIMIT);
invariant "half" ((x=1) | (x=2)) | (x=LIMIT);
alias b : x=1; c : x=2 do invariant "alias" b | c; end;
invariant "skipped" (x > 2 ? 0 : a[x]) = 2;
invariant "lines" x =
  LIMIT;
ruleset i : T do invariant "each" a[i]=i; end;
END
run 10 check --deadlock off --max-errors 0 why.m
has out "this is false: multisetcount(i : m, m[i] > 0) = 2"
has out "this is false: x < LIMIT+1"
has out "where x = 3, LIMIT+1 = 3"
has out "this is true: x != LIMIT"
has out "where x = 3, LIMIT = 2"
has out "this is false: x = 1 | (x = 2 | x = 2)"
has out "this is false: x = 1 | x = 2"
has out "this is false: (x > 2 ? 0 : a[x]) = 2"
lacks out "index out of range"
has out "this is false: x = 2"
has out "for i = 1:"; has out "this is false: a[i]=i"
run 10 check --deadlock off --max-errors 0 --trace off why.m
[ "$(grep -c '^violated: inv' out)" -eq 8 ] || fail "--trace off does not name each of 8 violations"
lacks out "  start "

# A long trace is printed and read back without delay.
cat >long.m <<'END'
var x : 0..60000; a : array [0..9] of 0..9;
startstate begin x := 0; clear a; end;
rule "up" x < 60000 ==> begin x := x + 1; a[x % 10] := x / 10 % 10; end;
invariant "short" x < 50000;
END
SECONDS=0
run 10 check --json long.json --html long.html long.m; has out "after 50000 steps"
run 10 replay long.json;                               has out "  50000 up"
[ "$SECONDS" -le 60 ] || fail "a trace of 50,000 steps takes $SECONDS seconds"

# What is checked.
run 1 check --property belov bad.m; has err 'no property "belov"; did you mean "below"?'; empty out
run 1 check --property other bad.m; has err 'it has: "below", "small"'; empty out
run 1 check --property "" bad.m;    has err "no property"
run 0 check --property small bad.m
run 10 check --property small --property below bad.m
run 0 check -D LIMIT=9 bad.m
run 10 check -DLIMIT=2 good.m;    has out "after 2 steps"
run 2 check -D LIMITS=2 good.m
cat >dead.m <<'END'
var x : 0..2;
startstate begin x := 0; end;
rule x < 2 ==> begin x := x + 1; end;
END
run 10 check --deadlock stuck dead.m;      has out "violated: deadlock"
run 10 check --deadlock stuttering dead.m; has out "violated: deadlock"
run 0 check --deadlock off dead.m

# Errors are violations.
cat >fault.m <<'END'
var x : 0..2; y : 0..2;
startstate begin x := 0; undefine y; end;
rule "up" begin x := x + 1; end;
rule "read" x = 1 ==> begin x := y; end;
END
run 10 check fault.m;                        has out "violated: read of undefined value"
run 10 check --max-errors 0 fault.m
[ "$(grep -c '^violated: ' out)" -ge 2 ] || fail "--max-errors 0 shows one violation only"

# Budgets: never `holds`, and what was covered.
run 5 check --depth 2 good.m;     has out "unknown (depth)"; has out "to go on"
run 5 check --states 2 good.m;    has out "unknown (states)"
cat >big.m <<'END'
type n : 0..999;
var x : n; y : n; z : n;
startstate begin x := 0; y := 0; z := 0; end;
ruleset i : n do rule begin x := i; end; rule begin y := i; end; rule begin z := i; end; end;
END
run 5 check --time 0.2 big.m;     has out "unknown (time)"
run 5 check --memory 200K big.m;  has out "unknown (memory)"
for bytes in 1 2 3 4; do run 5 check --memory $bytes big.m; has out "unknown (memory)"; done
# Successors of one state alone may be more than the limit.
cat >wide.m <<'END'
var x : array [0..20000] of 0..3;
startstate begin for i := 0 to 20000 do x[i] := 0; end; end;
ruleset i : 0..20000 do rule x[i] < 3 ==> begin x[i] := x[i] + 1; end; end;
END
for options in "--store exact" "--store tree --threads 2" "--store fingerprint" "--search dfs"; do
  # shellcheck disable=SC2086 # words on purpose
  run 5 check --memory 48M $options --json wide.json wide.m; has out "unknown (memory)"
  peak=$(sed -n 's/.*"peak_bytes": \([0-9]*\).*/\1/p' wide.json)
  [ "${peak:-0}" -gt 0 ] || fail "no peak with $options"
  grep -q __asan_init "$FATHOM" || [ "$peak" -le 50331648 ] || fail "48M with $options: $peak bytes"
done
# Start states come before there are several threads: all the memory is theirs.
cat >starts.m <<'END'
var a, b : 0..511;
ruleset i : 0..511; j : 0..511 do startstate begin a := i; b := j; end; end;
rule begin a := 0; end;
invariant "bad" !(a = 3 & b = 5);
END
for options in "--threads 1" "--threads 8" "--threads 64" "--threads 8 --search dfs" "--threads 8 --search bounded"; do
  # shellcheck disable=SC2086 # words on purpose
  run 10 check --memory 80M $options starts.m
done
for signal in INT HUP; do # HUP: the terminal was closed
  "$FATHOM" check big.m --json cut.json >out 2>err </dev/null & pid=$!
  sleep 1; kill -$signal $pid; wait $pid
  [ $? -eq 5 ] || fail "a run interrupted by $signal does not end with 5"
  has out "unknown (interrupted)"; has cut.json '"reason": "interrupted"'
  rm -f cut.json
done

# Our own bugs end with a sentence and 6. (Sanitized builds keep the sanitizer's report.)
if ! grep -q __asan_init "$FATHOM"; then
  for signal in ABRT SEGV; do
    "$FATHOM" check big.m >out 2>err </dev/null & pid=$!
    sleep 0.5; kill -$signal $pid; wait $pid
    [ $? -eq 6 ] || fail "SIG$signal does not end with 6"
    has err "internal error"
  done
fi

# Cover goals and liveness.
cat >cover.m <<'END'
var x : 0..2;
startstate begin x := 0; end;
rule begin x := (x + 1) % 2; end;
cover "one" x = 1;
END
run 0 check cover.m;              has out "reached"
echo 'cover "two" x = 2;' >>cover.m
run 10 check cover.m;             has out 'cover goal "two" is never reached'
cat >live.m <<'END'
var x : 0..1;
startstate begin x := 0; end;
rule begin x := 1 - x; end;
liveness "again" x = 0;
END
run 0 check live.m;               has out "then 1 liveness property"; lacks out "not checked"

# Bad models: every error with its place, exit code 2, nothing on standard output.
printf 'var x : 0..2;\nrule y = 1 ==> begin z := 2; end;\nstartstate begin x := 0; end;\n' >wrong.m
run 2 check wrong.m;              has err "wrong.m:2:6"; has err "wrong.m:2:"; empty out
: >none.m
run 2 check none.m;               has err "none.m"
head -c 300 /dev/urandom >noise.m
run 2 check noise.m
"$FATHOM" check --language murphi - <good.m >out 2>err || fail "a model from standard input"
finish
