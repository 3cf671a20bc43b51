#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --store: the same answers from every kind, none but exact ones from those that lose states, and
# options of one kind only with that kind.
. "$(dirname "$0")/lib.sh"
german=$SRC/examples/murphi/german.m
counter 7 >m.m
offered=$("$FATHOM" check --help | sed -n 's/^  --store \([a-z|]*\).*/\1/p')
offers() { [[ "|$offered|" == *"|$1|"* ]]; } # STORE

for store in exact tree; do
  offers $store || continue
  for search in bfs dfs; do
    run 0 check --store $store --search $search -D NODE_NUM=2 --symmetry off "$german"
    has out "$search search, $store store"; has out "holds: every reachable state"
    has out "  3,462 states, 9,480 rules fired"
  done
done

# A search through a store that may lose states never says holds.
for store in fingerprint bitstate; do
  offers $store || fail "--store $store is not offered"
  for search in bfs dfs; do
    for threads in 1 2; do
      run 5 check --store $store --search $search --threads $threads --memory 64M -D NODE_NUM=2 "$german"
      has out "unknown (lossy, p <= "; has out "to go on: remember states exactly"
      has out "invariant  CntrlProp"; lacks out "holds"
    done
    run 5 check --store $store --search $search --depth 5 "$german"; lacks out "holds"
  done
  run 10 check --store $store --memory 64M -D BUG=1 --json r.json "$german"
  has out "after 8 steps"; has r.json "\"store\": \"$store\""
  run 10 replay r.json
  run 5 check --store $store --memory 64M --json r.json m.m
  has r.json '"reason": "lossy, p <= '; has r.json '"store_note": "'
  cat >cover.m <<'END'
var x : 0..2;
startstate begin x := 0; end;
rule begin x := (x + 1) % 2; end;
cover "two" x = 2;
END
  run 5 check --store $store --memory 64M cover.m; has out "unknown   cover"
done
run 5 check --store fingerprint --hash-bits 128 m.m;          has out "128 bits"
run 5 check --store bitstate --hashes 5 --memory 64M m.m;     has out "5 bits per state"

# An option that would do nothing is refused.
run 1 check --hash-bits 64 m.m;                         has err "--hash-bits is for --store fingerprint"; empty out
run 1 check --hash-bits 64 --store exact m.m;           has err "--hash-bits is for --store fingerprint"
run 1 check --hashes 3 --store fingerprint m.m;         has err "--hashes is for --store bitstate"
run 1 check --hash-bits 63 --store fingerprint m.m;     has err "from 64 to 128"
run 1 check --hash-bits 129 --store fingerprint m.m;    has err "from 64 to 128"
run 1 check --hashes 0 --store bitstate m.m;            has err "whole number"
run 1 check --store bitsate m.m;                        has err 'did you mean "bitstate"?'

# Long states are kept in a tree, short ones as they are.
long() { # BYTES
  cat <<END
var x : 0..3; a : array [1..$1] of 0..255;
startstate begin x := 0; for i : 1..$1 do a[i] := i % 256; end; end;
rule x < 3 ==> begin x := x + 1; a[x] := 255; end;
rule x = 3 ==> begin x := 0; end;
END
}
long 30 >short.m
long 32 >long.m
run 0 check short.m;                has out "exact store"
run 0 check long.m;                 has out "$(offers tree && echo tree || echo exact) store"
run 0 check --store exact long.m;   has out "exact store"

# A search tells its store what waits, unless it is to be the same on every run: the index grows by other steps then.
load() { # SIZE OPTIONS...: into $load
  cat >grid.m <<END
var a, b, c : 0..$1;
startstate begin a := 0; b := 0; c := 0; end;
rule a < $1 ==> begin a := a + 1; end;
rule b < $1 ==> begin b := b + 1; end;
rule c < $1 ==> begin c := c + 1; end;
END
  run 0 check --search bfs --threads 1 --deadlock off --json r.json "${@:2}" grid.m
  load=$(sed -n 's/.*"load": \([0-9.]*\).*/\1/p' r.json)
  [ -n "$load" ] || fail "no load in the result of $*"
}
differ=0
for size in 65 75 85; do
  load $size; told=$load
  load $size --deterministic
  [ "$told" = "$load" ] || differ=1
done
[ $differ -eq 1 ] || fail "the store is not told what waits"

# Where addresses are few, and the memory limit is not (`ulimit -v`), the store has its share of them. (A sanitized
# build takes more addresses than that to start with.)
few() { (ulimit -v 2000000 && "$FATHOM" "$@"); }
if ! grep -q __asan_init "$FATHOM"; then
  for threads in 1 2; do
    few check --native on --threads $threads --symmetry off -D NODE_NUM=4 -D DATA_NUM=2 "$german" >out 2>err || fail "few addresses: exit code $?"
    has out "  1,149,660 states"
    few check --native on --threads $threads --symmetry off -D NODE_NUM=30 --states 300000 --store tree "$german" >out 2>err
    has out "unknown (states)"
  done
  # So few that there is none for the last workers: those that there are go on.
  for kb in 22242 26736 30000 40000 50000; do
    for threads in 8 64; do
      for store in tree exact; do
        (ulimit -v $kb && "$FATHOM" check --native off --threads $threads --store $store --symmetry off -D NODE_NUM=4 "$german" >out 2>err)
        code=$?
        [ $code -eq 5 ] || [ $code -eq 0 ] || { fail "$kb KB of addresses, $threads threads, $store: exit code $code"; cat out err; }
      done
    done
  done
fi

# Threads keep to the memory limit, too; a line says so.
run 5 check --threads 64 --memory 16M --native off --store tree --symmetry off -D NODE_NUM=6 "$german"
has out "of 64 threads: more would take over a quarter of the memory limit"
finish
