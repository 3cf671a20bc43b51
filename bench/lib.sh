# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by bench/murphi, bench/scale, bench/bounded and bench/biased: the models, and how Fathom and Rumur are run and measured.
# Environment: FATHOM (default build/fathom), SUMMARY, CACHE, RUNS (of a short run; the median counts).
src=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
fathom=${FATHOM:-$src/build/fathom}
summary=${SUMMARY:-$src/build/tests/summary}
CACHE=${CACHE:-$src/build/oracle-cache}
runs=${RUNS:-3}
shared=$src/../shared/models/murphi
promela=$src/../shared/models/promela
figures=$src/bench/rumur.tsv
# shellcheck source=tests/oracle/rumur.sh
. "$src/tests/oracle/rumur.sh"

# A run of more seconds than this is not repeated.
short_seconds=5

# NAME|MODEL|CONSTANTS|STATES|RULES; the counts are checked. German and FLASH are our own models.
bench_models="
n_peterson|$shared/n_peterson.m|N=6|17704917|106229502
mcslock1|$shared/mcslock1.m|N=4|554221|2216884
cache3|$shared/cache3.m|ProcCount=4 ValueCount=2|2125443|11670012
german|$src/examples/murphi/german.m|NODE_NUM=4 DATA_NUM=2|1149660|6182784
flash|$src/examples/murphi/flash.m|NODE_NUM=3|1223154|7871610
"

# Makes $work, the folder for everything that is written, $work/measure and $work/cores.
bench_setup() { # [TOOLS...]: what must be there
  local tool
  [ $# -gt 0 ] || set -- "$fathom" "$summary" rumur cc
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { echo "bench: $tool is missing (make build-tests; scripts/setup test)" >&2; exit 1; }
  done
  work=$(mktemp -d) || exit 1
  trap 'rm -rf "$work"' EXIT
  cc -O2 -o "$work/measure" "$src/bench/measure.c" || exit 1
  cc -O2 -pthread -o "$work/cores" "$src/bench/cores.c" || exit 1
}

calc() { awk "BEGIN { printf \"${2:-%.3f}\", ($1) }"; } # EXPRESSION [FORMAT]
rate() { awk -v s="$1" -v t="$2" 'BEGIN { printf "%.3f", (t > 0 ? s / t / 1e6 : 0) }'; }     # STATES SECONDS: M/s
per_state() { awk -v b="$1" -v s="$2" 'BEGIN { printf "%.1f", (s > 0 ? b / s : 0) }'; } # BYTES STATES

# Runs a function up to $runs times while its runs are short; prints the line of the median of
# field 4, the seconds of search. Every line is: STATES RULES COMPILE SEARCH PEAK WALL VERDICT (and, of
# Fathom, the BITS of a state).
median_of() { # FUNCTION ARGUMENTS...
  local i line lines=
  for ((i = 0; i < runs; i++)); do
    line=$("$@") || return 1
    lines+=$line$'\n'
    [ "$(awk -v l="$line" -v s="$short_seconds" 'BEGIN { split(l, f, " "); print (f[4] > s) }')" = 1 ] && break
  done
  printf '%s' "$lines" | sort -g -k 4,4 | awk '{ line[NR] = $0 } END { print line[int((NR + 1) / 2)] }'
}

# run_fathom MODEL CONSTANTS OPTIONS...: CONSTANTS in one word.
run_fathom() {
  local model=$1 define wall peak verdict states rules search compile bits
  local -a defines=()
  for define in $2; do defines+=(-D "$define"); done
  shift 2
  XDG_CACHE_HOME=$work/cache "$work/measure" "$work/report" "$fathom" check "$model" "${defines[@]}" "$@" \
    --quiet --trace off --json "$work/json" >/dev/null 2>"$work/error"
  [ -s "$work/json" ] || { cat "$work/error" >&2; return 1; }
  read -r wall peak _ <"$work/report"
  read -r verdict states rules _ search compile _ < <("$summary" "$work/json")
  bits=$(sed -n 's/^ *"state_bits": \([0-9]*\).*/\1/p' "$work/json")
  rm -f "$work/json"
  echo "$states $rules $compile $search $peak $wall $verdict $bits"
}

# The same with the compiled model in the cache: a run of one state puts it there.
run_fathom_warm() {
  run_fathom "$@" --native on --states 1 >/dev/null && run_fathom "$@"
}

# run_rumur MODEL CONSTANTS [THREADS]
run_rumur() {
  local start compile wall peak verdict states rules verifier
  # shellcheck disable=SC2086 # constants are words on purpose
  set_constants "$1" $2 >"$work/model.m" || return 1
  rm -rf "$work/fresh"
  start=$(date +%s.%N)
  verifier=$(CACHE=$work/fresh rumur_build "$work/model.m" stuttering "-O3 -march=native" auto off "${3:-1}") || return 1
  compile=$(calc "$(date +%s.%N) - $start")
  "$work/measure" "$work/report" "$verifier" >"$work/out"
  read -r wall peak _ <"$work/report"
  read -r verdict states rules _ < <(rumur_summary <"$work/out")
  echo "$states $rules $compile $wall $peak $(calc "$compile + $wall") $verdict"
}

# Rumur's figures that were measured once: recorded NAME THREADS, in the form of run_rumur.
recorded() {
  awk -F'\t' -v name="$1" -v threads="$2" '
    $1 == name && $2 == threads { print $3, $4, $5, $6, $7, $5 + $6, "holds"; found = 1 }
    END { exit !found }' "$figures"
}

# check_counts NAME TOOL STATES RULES WANTED_STATES WANTED_RULES
check_counts() {
  [ "$3 $4" = "$5 $6" ] || { echo "$1: WRONG COUNT: $2: $3 $4, expected $5 $6"; failed=1; }
}
