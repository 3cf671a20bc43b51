#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Properties of infinite runs against Debian's spin: ltl formulas, never claims, accept and progress labels, with and
# without partial order reduction, with and without weak fairness: the same verdicts.
#   ltl.sh quick|full
# The rows are in ltl_tables.sh, exceptions and their reasons too. SPIN's own two verdicts (with and without its
# reduction) must agree as well (quick: only that without), but for those with -f, of which the one without reduction
# counts. Models of ours: those of tests/models and examples/promela that have such properties.
# Environment: FATHOM (program), SRC (checkout), SUMMARY (tests/oracle/summary), CACHE (folder for what SPIN said).
# Exit 77: skipped, and it says why.
set -u

effort=${1:?quick or full}
# shellcheck source=tests/oracle/spin.sh
. "$SRC/tests/oracle/spin.sh"
# shellcheck source=tests/oracle/ltl_tables.sh
. "$SRC/tests/oracle/ltl_tables.sh"
shared=$SRC/../shared/models/promela
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
compared=0 failed=0 skipped=0 excepted=0
seconds=20 optimise=-O0
[ "$effort" = quick ] && spin_table=-w18
[ "$effort" = full ] && seconds=60 optimise=-O2

failure() {
  failed=$((failed + 1))
  echo "FAILED $*"
}

# SPIN's optimisations stay on: only verdicts are compared. -E: invalid end states are others' business. (Not -A: SPIN
# checks what must always hold by assertions in its claim.)
translate='' reductions='off on' memory='-DVECTORSZ=4096 -DNFAIR=4 -DMEMLIM=4000'

# What SPIN says of a model, kept in $CACHE: a line "REDUCTION FAIRNESS VERDICT" for each of the four combinations.
# REDUCTION: on, off. FAIRNESS: none, weak. VERDICT: holds, violated, unfinished, refused.
spin_verdicts() { # MODEL PROPERTY
  local model=$1 property=$2 key dir compile run=-a reduction fairness
  case $property in
  progress) compile=-DNP run=-l ;;
  accept) compile='' ;;
  *) compile='' run="-a -N $property" ;;
  esac
  mkdir -p "$CACHE"
  key=$({ spin -V; echo "$reductions $translate $memory $compile $run $seconds"; cat "$model"; } 2>&1 | sha256sum | cut -c1-32)
  if [ ! -s "$CACHE/ltl-$key" ]; then
    dir=$(mktemp -d) || return 1
    for reduction in $reductions; do
      local spin_translate=$translate spin_compile="$memory $compile" flags=$optimise
      [ "$reduction" = off ] && flags+=' -DNOREDUCE'
      spin_build "$dir" "$model" "$flags" || { mv "$dir/log" "$CACHE/last-error.$$"; rm -rf "$dir"; return 1; }
      for fairness in none weak; do
        # shellcheck disable=SC2046,SC2086 # flags are words
        echo "$reduction $fairness $(spin_verdict "$dir" $run $([ $fairness = weak ] && echo -f))"
      done
    done >"$dir/all" && mv "$dir/all" "$CACHE/ltl-$key"
    rm -rf "$dir"
  fi
  cat "$CACHE/ltl-$key"
}

spin_verdict() { # DIR PAN_FLAGS...
  local dir=$1 verdict
  shift
  read -r verdict _ < <(spin_run "$dir" "$seconds" -E "$@" | spin_summary)
  # It refuses reduction and fairness together where there is a rendezvous.
  [ "$verdict" = unfinished ] && grep -q 'rendez-vous' "$dir/said" && verdict=refused
  echo "$verdict"
}

# Ours: the verdict of the property; "refused" if the combination is, "unfinished" after four times what SPIN may take;
# "exit-N ..." otherwise.
ours() { # MODEL NAME REDUCTION FAIRNESS OPTIONS...
  local model=$1 name=$2 reduction=$3 fairness=$4 status verdict
  shift 4
  timeout 300 "$FATHOM" check "$model" --search ndfs --property "$name" --por "$reduction" --fairness "$fairness" \
    --time $((4 * seconds)) "$@" --quiet --trace off --json "$work/ours.json" >/dev/null 2>"$work/ours.error"
  status=$?
  case $status in
  0 | 5 | 10)
    read -r verdict _ < <("$SUMMARY" "$work/ours.json" "$name")
    [ "$verdict" = unknown ] && grep -qE '"reason": "(time|memory)"' "$work/ours.json" && verdict=unfinished
    [ "$verdict" = unknown ] && verdict="unknown ($(sed -n 's/.*"reason": "\(.*\)".*/\1/p' "$work/ours.json" | head -n 1))"
    echo "$verdict"
    ;;
  1) if grep -q 'do not go together' "$work/ours.error"; then echo refused; else echo "exit-1 $(head -n 1 "$work/ours.error")"; fi ;;
  *) echo "exit-$status $(head -n 1 "$work/ours.error")" ;;
  esac
}

# What a property is called with us.
name_of() { # PROPERTY
  case $1 in
  accept) echo 'acceptance cycles' ;;
  progress) echo 'non-progress cycles' ;;
  *) echo "$1" ;;
  esac
}

reason_of() { sed -n "s/^$(basename "$1");$2;//p" <<<"$ltl_exceptions"; } # MODEL PROPERTY

# One verdict of ours beside SPIN's of the same fairness, its reduction on and off.
judge() { # LABEL REDUCTION FAIRNESS MINE SPIN_ON SPIN_OFF
  case "$3 $5 $6" in
  "none holds violated" | "none violated holds") failure "$1: spin disagrees with itself: reduced $5, whole $6" ;;
  esac
  if [[ $4 == exit-* ]]; then
    failure "$1, reduction $2, fairness $3: $4"
  elif [ "$4" = refused ] && [ "$2 $3" = "on weak" ]; then
    return # a reduction that cannot be had with fairness
  elif [ "$4" = unfinished ]; then
    skipped=$((skipped + 1))
    echo "not finished by fathom within $((4 * seconds)) s: $1, reduction $2, fairness $3"
  elif [ "$4" != "$6" ] && { [ "$4" != "$5" ] || [ "$6" = holds ] || [ "$6" = violated ]; }; then
    case "$5$6" in
    *holds* | *violated*) failure "$1, reduction $2, fairness $3: fathom: $4; spin: $5 reduced, $6 whole" ;;
    *) skipped=$((skipped + 1)); echo "not finished by spin within $seconds s: $1, fairness $3 (fathom, reduction $2: $4)" ;;
    esac
  else
    compared=$((compared + 1))
  fi
}

compare() { # MODEL PROPERTY [OPTIONS...]
  local model=$1 property=$2 label name reduction fairness mine before=$failed
  local -A theirs=()
  shift 2
  label="$(basename "$model") $property"
  if [ -n "$(reason_of "$model" "$property")" ]; then
    excepted=$((excepted + 1))
    echo "excepted: $label: $(reason_of "$model" "$property")"
    return
  fi
  [ "$property" = progress ] && set -- --non-progress "$@"
  name=$(name_of "$property")
  spin_verdicts "$model" "$property" >"$work/theirs" ||
    { failure "$label: refused by spin: $(head -n 1 "$CACHE/last-error.$$")"; rm -f "$CACHE/last-error.$$"; return; }
  while read -r reduction fairness mine; do theirs[$reduction.$fairness]=$mine; done <"$work/theirs"
  for fairness in none weak; do
    for reduction in off on; do
      mine=$(ours "$model" "$name" $reduction $fairness "$@")
      judge "$label" $reduction $fairness "$mine" "${theirs[on.$fairness]-}" "${theirs[off.$fairness]}"
    done
  done
  [ "$failed" -eq "$before" ] && echo "same: $label: ${theirs[off.none]}, with fairness ${theirs[off.weak]}"
}

# The rows of ltl_tables.sh: a formula that is not in the model yet is added to it, for both tools.
run_shared() {
  local model property formula when
  while IFS=';' read -r model property formula when; do
    [ -n "$model" ] || continue
    if [ ! -f "$shared/$model" ]; then
      skipped=$((skipped + 1))
      echo "not here: $model"
    elif [ "$effort" = quick ] && [ "$when" != quick ]; then
      skipped=$((skipped + 1))
    else
      cp "$shared/$model" "$work/$model"
      [ -n "$formula" ] && echo "ltl $property { $formula }" >>"$work/$model"
      compare "$work/$model" "$property"
    fi
  done <<<"$ltl_rows"
}

# Our own models: what their text says there is.
run_own() { # FOLDER
  local model property
  for model in "$1"/*.pml; do
    grep -q '^// spin: no' "$model" && continue
    for property in $(sed -n 's/^ltl \([a-z_0-9]*\).*/\1/p; s/^never {.*/never_0/p; s/^never \([a-z_0-9]*\) .*/\1/p' "$model"); do
      compare "$model" "$property"
    done
    grep -qE '^[^/]*\baccept[a-zA-Z_0-9]*:' "$model" && ! grep -qE '^never' "$model" && compare "$model" accept
    grep -qE '^[^/]*\bprogress[a-zA-Z_0-9]*:' "$model" && compare "$model" progress
  done
}

if ! command -v spin >/dev/null; then
  echo "SKIPPED: spin is not installed (scripts/setup test): nothing compared"
  exit 77
fi
if [ ! -d "$shared" ]; then
  echo "the public models are not here (../shared/models/promela beside the checkout): only our own are compared"
fi
[ "$effort" = quick ] && reductions=off # of SPIN: half the compiler's time
run_shared
run_own "$SRC/tests/models"
run_own "$SRC/examples/promela"
echo "oracle ltl ($effort): $compared verdicts compared, $failed failed, $excepted excepted, $skipped left out"
[ "$failed" -eq 0 ] && [ "$compared" -gt 0 ]
