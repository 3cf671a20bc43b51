#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A search that needs far more memory than it may have ends by itself, says so and what it covered,
# and its process never grew past the limit: memory.sh MIB quick|full
# The model, FLASH with five remotes, has about 4 G states of 14 bytes (22,216 with two, 1,223,154
# with three, 69,749,352 with four: 55 and 57 times as many with each), over 50 GiB; no limit
# here comes near. Every store, one thread and two; quick leaves depth-first to two threads.
# Environment: FATHOM, MEASURE (bench/measure.c), SRC.
set -u
mib=${1:?the limit in MiB}
effort=${2:?quick or full}
seconds=300
[ "$effort" = quick ] && seconds=60
model=$SRC/examples/murphi/flash.m
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
limit=$((mib * 1048576)) failed=0 runs=0

# The first value of a key in the result: those of `stats` and of the whole come before all others.
value() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$work/json" | head -n 1; }

fail() {
  echo "FAILED $*"
  failed=$((failed + 1))
}

check() { # STORE THREADS SEARCH
  local label="$1, $2 threads, $3" seconds_run peak status own states
  "$MEASURE" "$work/report" "$FATHOM" check "$model" -D NODE_NUM=5 --symmetry off --native on --quiet \
    --store "$1" --threads "$2" --search "$3" --memory "${mib}M" --time "$seconds" --json "$work/json" \
    >"$work/out" 2>&1
  read -r seconds_run peak status <"$work/report"
  runs=$((runs + 1))
  [ "$status" -eq 5 ] || { fail "$label: exit status $status"; cat "$work/out"; return; }
  own=$(value peak_bytes) states=$(value states)
  [ "$own" -gt "$peak" ] && peak=$own
  echo "$label: $(value verdict) ($(value reason)), $states states, depth complete $(value depth_complete)," \
    "frontier $(value frontier), peak $((peak / 1024)) KiB of $((mib * 1024)), $seconds_run s"
  [ "$(value reason)" = memory ] || fail "$label: $(value reason), not memory"
  [ "$peak" -le "$limit" ] || fail "$label: peak of $peak bytes, the limit is $limit"
  # A limit that is kept by giving up early would be no use.
  [ "$peak" -ge $((limit / 2)) ] || fail "$label: gave up at $peak of $limit bytes"
  [ "$states" -gt 10000 ] || fail "$label: $states states"
  # Depth-first, no depth is complete, and what waits on the stack is not stored.
  [ "$3" = dfs ] || { [ "$(value frontier)" -gt 0 ] && [ "$(value depth_complete)" -gt 5 ]; } || fail "$label: no coverage"
}

for store in exact tree fingerprint bitstate; do
  for threads in 1 2; do
    check "$store" "$threads" bfs
    { [ "$effort" = quick ] && [ "$threads" -eq 1 ]; } || check "$store" "$threads" dfs
  done
done
echo "memory: $runs runs, $failed failures"
[ "$failed" -eq 0 ]
