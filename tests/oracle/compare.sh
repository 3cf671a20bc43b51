#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fathom against Debian's rumur: verdict, states, rules fired, length of the shortest trace. All
# states of each model; of a model with scalarsets also the representatives, beside rumur's exhaustive
# symmetry reduction.
#   compare.sh shared|examples|models quick|full
# Environment: FATHOM (program), SRC (checkout), SUMMARY (tests/oracle/summary), CACHE (folder for
# compiled verifiers). Exit 77: skipped, and it says why.
set -u

group=${1:?which models}
effort=${2:?quick or full}
# shellcheck source=tests/oracle/rumur.sh
. "$SRC/tests/oracle/rumur.sh"
. "$SRC/tests/oracle/tables.sh"
. "$SRC/tests/oracle/headers.sh"
shared=$SRC/../shared/models/murphi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
compared=0 failed=0 skipped=0 refused=0

failure() {
  failed=$((failed + 1))
  echo "FAILED $*"
}

# Our own result of a model: VERDICT STATES RULES STEPS SECONDS SECONDS PROPERTY.
# Symmetry is off, or exhaustive as rumur calls it: in all scalarsets that there are, whether fathom
# can show that the order of loops makes no difference or not.
ours() { # MODEL DEADLOCK SYMMETRY [NAME=VALUE...]
  local model=$1 deadlock=$2 symmetry=$3 define
  local -a defines=() plain=()
  shift 3
  for define in "$@"; do defines+=(-D "$define"); done
  if [ "$symmetry" = off ]; then
    plain=(--symmetry off)
  elif "$FATHOM" check "$model" --symmetry on --states 1 "${defines[@]}" >/dev/null 2>&1 || [ $? -ne 1 ]; then
    plain=(--symmetry on)
  fi
  "$FATHOM" check "$model" --search bfs --threads 1 "${plain[@]}" --deadlock "$deadlock" "${defines[@]}" --quiet \
    --json "$work/ours.json" >/dev/null 2>"$work/ours.error"
  local status=$?
  case $status in
  0 | 5 | 10) "$SUMMARY" "$work/ours.json" ;;
  *) echo "exit-$status 0 0 - 0 0 $(head -n 1 "$work/ours.error")" ;;
  esac
}

# The search was complete, but that the model is symmetric is the user's word only.
unproved() { grep -q '"reason": "symmetry not proved"' "$work/ours.json"; }

# The property that Rumur's message speaks of, in our words.
property_of() {
  case $1 in
  'invariant "'*) echo "$1" | sed 's/^invariant " *\(.*[^ ]\) *" failed$/\1/' ;; # read trims ours too
  'liveness property "'*) echo "$1" | sed 's/^liveness property " *\(.*[^ ]\) *" violated$/\1/' ;;
  'cover "'*) echo "$1" | sed 's/^cover " *\(.*[^ ]\) *" not hit$/\1/' ;;
  deadlock) echo deadlock ;;
  *) echo "" ;; # an unnamed property, or an error: numbered and worded differently
  esac
}

# Seconds that a verifier may take: a search without symmetry that does not end is a mistake of the
# table; with it, rumur tries all permutations, and what takes it long is left to the long test.
patience() { # SYMMETRY
  if [ "$1" = off ] || [ "$effort" = full ]; then echo 600; else echo 20; fi
}

compare_as() { # SYMMETRY MODEL DEADLOCK [NAME=VALUE...]
  local symmetry=$1 model=$2 deadlock=$3 label verifier
  shift 3
  label="$(basename "$model") $*"
  [ "$symmetry" = off ] || label+=" symmetry"
  set_constants "$model" "$@" >"$work/model.m" || { failure "$label: constants"; return; }
  if ! verifier=$(rumur_build "$work/model.m" "$deadlock" "$(optimisation "$model")" int32_t "$symmetry"); then
    refused=$((refused + 1))
    echo "refused by rumur: $label: $(head -n 1 "$CACHE/last-error.$$" | sed "s#^[^ ]*model.m:##")"
    rm -f "$CACHE/last-error.$$"
    return
  fi
  local verdict states rules steps message
  read -r verdict states rules steps message < <(timeout "$(patience "$symmetry")" "$verifier" | rumur_summary)
  if [ "$verdict" = unfinished ] && [ "$symmetry" != off ] && [ "$effort" = quick ]; then
    skipped=$((skipped + 1))
    echo "left to the long test: $label (over $(patience "$symmetry") s in rumur)"
    return
  fi
  local our_verdict our_states our_rules our_steps property expected
  read -r our_verdict our_states our_rules our_steps _ _ property < <(ours "$model" "$deadlock" "$symmetry" "$@")
  compared=$((compared + 1))
  expected=$(property_of "$message")
  [ "$symmetry" = off ] || expected= # the first of several in a level: another representative's
  local theirs="$verdict" mine="$our_verdict"
  if [ "$symmetry" != off ] && [ "$verdict $our_verdict" = "holds unknown" ] && unproved; then mine=holds; fi
  if [ "$verdict" = holds ] || [ "$steps" = - ]; then
    theirs+=" states $states rules $rules" mine+=" states $our_states rules $our_rules"
  elif [[ $message = liveness* ]]; then
    : # any state will do from which the goal cannot be reached; ours is the nearest
  else
    theirs+=" steps $steps" mine+=" steps $our_steps"
  fi
  [ -n "$expected" ] && [ "$verdict" = violated ] && theirs+=" property $expected" mine+=" property $property"
  if [ "$theirs" = "$mine" ]; then
    echo "same: $label: $theirs"
  else
    failure "$label: rumur: $theirs ($message); fathom: $mine ($property)"
  fi
}

has_scalarset() { grep -qi '^[^-]*scalarset *(' "$1"; } # MODEL

compare_symmetry() { # MODEL DEADLOCK [NAME=VALUE...]
  if has_scalarset "$1"; then compare_as exhaustive "$@"; fi
}

# Rumur's verifiers take the compiler long: of models with constants replaced the long test looks at symmetry.
compare() { # MODEL DEADLOCK [NAME=VALUE...]
  compare_as off "$@"
  if [ "$effort" = full ] || [ "$group" = shared ] || [ $# -eq 2 ]; then compare_symmetry "$@"; fi
}

# Small models spend their time in the compiler, large ones in the search.
optimisation() { # MODEL
  local states
  [ "$effort" = full ] && { echo -O2; return; }
  [ "$group" = shared ] && { echo -O1; return; }
  states=$(header "$1" states)
  if [ "${states:-0}" -gt "$unoptimised_states" ]; then echo -O1; else echo -O0; fi
}

# What stands in the table, where Rumur refuses the model.
compare_table() { # SYMMETRY MODEL DEADLOCK EXPECTED ORIGIN
  local symmetry=$1 model=$2 deadlock=$3 want=$4 origin=$5 verdict states rules steps mine
  read -r verdict states rules steps _ < <(ours "$model" "$deadlock" "$symmetry")
  compared=$((compared + 1))
  if [ "$symmetry" != off ] && [ "$verdict" = unknown ] && unproved; then verdict=holds; fi
  mine="$verdict states $states rules $rules"
  case $want in
  *steps*) mine="$verdict steps $steps" ;;
  *states*) ;;
  *) mine=$verdict ;;
  esac
  if [ "$mine" = "$want" ]; then
    echo "same: $(basename "$model") (deadlock $deadlock, symmetry $symmetry): $want [$origin]"
  else
    failure "$(basename "$model") (deadlock $deadlock, symmetry $symmetry): expected $want [$origin]; fathom: $mine"
  fi
}

run_shared() {
  if [ ! -d "$shared" ]; then
    echo "SKIPPED: the public models are not here (../shared/models/murphi beside the checkout): 27 models not compared"
    exit 77
  fi
  local rows=$shared_quick symmetric=$shared_symmetric model deadlock defines want origin
  [ "$effort" = full ] && rows=$shared_full symmetric=$shared_symmetric_full
  while read -r model deadlock defines; do
    # shellcheck disable=SC2086 # the defines are words on purpose
    [ -n "$model" ] && compare "$shared/$model" "$deadlock" $defines
  done <<<"$rows"
  while read -r model deadlock defines; do
    # shellcheck disable=SC2086
    [ -n "$model" ] && compare_symmetry "$shared/$model" "$deadlock" $defines
  done <<<"$symmetric"
  while IFS='|' read -r model deadlock want origin; do
    [ -n "$model" ] && compare_table off "$shared/$model" "$deadlock" "$want" "$origin"
  done <<<"$shared_refused"
  while IFS='|' read -r model deadlock want origin; do
    [ -n "$model" ] && compare_table exhaustive "$shared/$model" "$deadlock" "$want" "$origin"
  done <<<"$shared_refused_symmetric"
}

run_headed() { # FOLDER
  local model deadlock defines states
  for model in "$1"/*.m; do
    if header "$model" rumur | grep -q '^no'; then
      skipped=$((skipped + 1))
      echo "not for rumur: $(basename "$model"): $(header "$model" rumur)"
      continue
    fi
    deadlock=$(header "$model" options | sed -n 's/.*--deadlock \([a-z]*\).*/\1/p')
    states=$(header "$model" states)
    while read -r defines; do
      if [ "$effort" = quick ] && [ -z "$defines" ] && [ "${states:-0}" -gt "$quick_states" ]; then
        skipped=$((skipped + 1))
        echo "left to the long test: $(basename "$model") ($states states)"
        continue
      fi
      # shellcheck disable=SC2086
      compare "$model" "${deadlock:-stuttering}" $defines
    done < <(runs_of "$model")
  done
}

if ! command -v rumur >/dev/null; then
  echo "SKIPPED: rumur is not installed (scripts/setup test): nothing compared"
  exit 77
fi
case $group in
shared) run_shared ;;
examples) run_headed "$SRC/examples/murphi" ;;
models) run_headed "$SRC/tests/models" ;;
esac
echo "oracle $group ($effort): $compared compared, $failed failed, $refused refused by rumur, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$compared" -gt 0 ]
