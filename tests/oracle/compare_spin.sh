#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fathom against Debian's spin: the verdict, and the number of states stored without SPIN's
# optimisations (spin -o1 -o2 -o3, pan with -DNOREDUCE -DSAFETY). Where an assertion fails SPIN goes on
# behind it and we do not: there only verdict and kind of error are compared. Invalid end states are
# no obstacle: both sides count on to the end.
#   compare_spin.sh shared|examples|models quick|full
# The exceptions, with their reasons, are the table in docs/promela.md.
# Environment: FATHOM (program), SRC (checkout), SUMMARY (tests/oracle/summary), CACHE (folder for what
# SPIN said). Exit 77: skipped, and it says why.
set -u

group=${1:?which models}
effort=${2:?quick or full}
# shellcheck source=tests/oracle/spin.sh
. "$SRC/tests/oracle/spin.sh"
. "$SRC/tests/oracle/spin_tables.sh"
. "$SRC/tests/oracle/headers.sh"
shared=$SRC/../shared/models/promela
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
compared=0 failed=0 skipped=0 excepted=0
# Small models spend their time in the compiler, large ones in the search.
seconds=20 flags=-O0
[ "$group" = shared ] && flags=-O1
[ "$effort" = quick ] && spin_table=-w18
[ "$effort" = full ] && seconds=60 flags=-O2

failure() {
  failed=$((failed + 1))
  echo "FAILED $*"
}

# The table in docs/promela.md below "Exceptions": | `model` | what is compared | reason |
exception_of() { # MODEL
  awk -F' *[|] *' -v model="\`$(basename "$1")\`" '
    /^#+ /{ inside = /Exceptions/ }
    inside && $2 == model { print $3; exit }' "$SRC/docs/promela.md"
}

# Our result: VERDICT STATES PROPERTY. A claim that nobody checks yet is no obstacle for the rest.
ours() { # MODEL MAX_ERRORS [NAME=VALUE...]
  local model=$1 errors=$2 define status verdict states property
  local -a defines=()
  shift 2
  for define in "$@"; do defines+=(-D "$define"); done
  timeout 300 "$FATHOM" check "$model" --property deadlock --search bfs --threads 1 --max-errors "$errors" "${defines[@]}" --quiet \
    --json "$work/ours.json" >/dev/null 2>"$work/ours.error"
  status=$?
  case $status in
  0 | 5 | 10)
    read -r verdict states _ _ _ _ property < <("$SUMMARY" "$work/ours.json")
    if [ "$verdict" = unknown ] && grep -q '"reason": "not checked' "$work/ours.json"; then verdict=holds; fi
    echo "$verdict $states $property"
    ;;
  *) echo "exit-$status 0 $(head -n 1 "$work/ours.error")" ;;
  esac
}

# The kind of error that one of our properties stands for: a word of spin_summary's KINDS.
same_kind() { # PROPERTY KINDS
  case $1 in
  deadlock) [[ ,$2, == *,end,* ]] ;;
  *) [[ $2 == *assertion* || $2 == *error* ]] ;;
  esac
}

compare() { # MODEL [NAME=VALUE...]
  local model=$1 label theirs verdict states kinds mine property counted except errors=1
  shift
  label=$(basename "$model")${*:+ $*}
  theirs=$(spin_result "$model" "$seconds" "$flags" "$@") ||
    { failure "$label: refused by spin: $(head -n 1 "$CACHE/last-error.$$")"; rm -f "$CACHE/last-error.$$"; return; }
  read -r verdict states _ _ _ kinds <<<"$theirs"
  if [ "$verdict" = unfinished ]; then
    skipped=$((skipped + 1))
    echo "not finished by spin within $seconds s: $label"
    return
  fi
  except=$(exception_of "$model")
  if [ "$except" = nothing ]; then
    excepted=$((excepted + 1))
    echo "excepted (docs/promela.md): $label"
    return
  fi
  [ "$verdict" = violated ] && [ "$kinds" = end ] && errors=0
  read -r mine counted property < <(ours "$model" "$errors" "$@")
  compared=$((compared + 1))
  if [ "$mine" != "$verdict" ]; then
    failure "$label: spin: $verdict ($kinds), $states states; fathom: $mine ($property), $counted states"
  elif [ "$verdict" = violated ] && ! same_kind "$property" "$kinds"; then
    failure "$label: spin: violated ($kinds); fathom: violated ($property)"
  elif [ "$except" = verdict ] || { [ "$verdict" = violated ] && [ "$errors" -ne 0 ]; }; then
    echo "same: $label: $verdict ($kinds)${except:+, states excepted (docs/promela.md)}"
  elif [ "$counted" != "$states" ]; then
    failure "$label: spin: $states states; fathom: $counted ($verdict)"
  else
    echo "same: $label: $verdict, $states states"
  fi
}

run_shared() {
  if [ ! -d "$shared" ]; then
    echo "SKIPPED: the public models are not here (../shared/models/promela beside the checkout): 42 models not compared"
    exit 77
  fi
  local model
  for model in "$shared"/*.pml; do
    if [ "$effort" = quick ] && grep -qw -- "$(basename "$model")" <<<"$spin_slow"; then
      skipped=$((skipped + 1))
      echo "left to the long test: $(basename "$model")"
    else
      compare "$model"
    fi
  done
}

run_headed() { # FOLDER
  local model defines states number=0
  for model in "$1"/*.pml; do
    if header "$model" spin | grep -q '^no'; then
      skipped=$((skipped + 1))
      echo "not for spin: $(basename "$model"): $(header "$model" spin)"
      continue
    fi
    number=$((number + 1))
    if [ "$effort" = quick ] && [ "$group" = models ] && [ $((number % 4)) -ne 1 ]; then # SPIN's verifiers take the compiler long
      skipped=$((skipped + 1))
      echo "left to the long test: $(basename "$model") (one in four is compared)"
      continue
    fi
    states=$(header "$model" states)
    while read -r defines; do
      if [ "$effort" = quick ] && [ -z "$defines" ] && [ "${states:-0}" -gt "$spin_quick_states" ]; then
        skipped=$((skipped + 1))
        echo "left to the long test: $(basename "$model") ($states states)"
        continue
      fi
      # shellcheck disable=SC2086 # the defines are words on purpose
      compare "$model" $defines
    done < <(runs_of "$model")
  done
}

if ! command -v spin >/dev/null; then
  echo "SKIPPED: spin is not installed (scripts/setup test): nothing compared"
  exit 77
fi
case $group in
shared) run_shared ;;
examples) run_headed "$SRC/examples/promela" ;;
models) run_headed "$SRC/tests/models" ;;
esac
echo "oracle spin $group ($effort): $compared compared, $failed failed, $excepted excepted, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt 0 ]
