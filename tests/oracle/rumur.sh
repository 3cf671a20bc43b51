# SPDX-License-Identifier: Apache-2.0
# Sourced by the oracle tests and bench/murphi: builds and runs Rumur's verifiers, kept in $CACHE.
# Needs: rumur, cc, sha256sum, awk.
. "$(dirname "${BASH_SOURCE[0]}")/compiler.sh"

# A copy of a Murphi model with constants replaced: set_constants MODEL NAME=VALUE... >copy
# Fails when a constant is not there, so that a typing mistake cannot pass for a comparison.
set_constants() {
  local model=$1 define
  shift
  for define in "$@"; do
    grep -qE "(^|[^A-Za-z0-9_])${define%%=*}[[:space:]]*:[[:space:]]*[-0-9A-Za-z]+" "$model" || {
      echo "$model has no constant ${define%%=*}" >&2
      return 1
    }
  done
  awk -v defines="$*" '
    BEGIN { count = split(defines, list, " ") }
    {
      for (i = 1; i <= count; i++) {
        name = list[i]; sub(/=.*/, "", name); value = list[i]; sub(/^[^=]*=/, "", value)
        pattern = "(^|[^A-Za-z0-9_])" name "[ \t]*:[ \t]*[-0-9A-Za-z]+[ \t]*;"
        if (!(name in done) && $0 !~ /^[ \t]*--/ && match($0, pattern)) {
          before = substr($0, 1, RSTART - 1); hit = substr($0, RSTART, RLENGTH); after = substr($0, RSTART + RLENGTH)
          sub(/:[ \t]*[-0-9A-Za-z]+[ \t]*;/, ": " value ";", hit)
          $0 = before hit after
          done[name] = 1
        }
      }
      print
    }' "$model"
}

# Builds the verifier of a model (a file that set_constants wrote), or finds it: prints its path.
# Fails when Rumur refuses the model; what it said is then in $CACHE/last-error.
# rumur_build MODEL DEADLOCK [compiler flags] [value type] [symmetry: off, heuristic, exhaustive] [threads]
rumur_build() {
  local key path flags=${3:--O2} values=${4:-int32_t} symmetry=${5:-off} threads=${6:-1}
  key=$({ rumur --version; echo "$2 $flags $values $symmetry $threads"; cat "$1"; } | sha256sum | cut -c1-32)
  path=$CACHE/$key
  mkdir -p "$CACHE"
  if [ ! -x "$path" ]; then
    rumur --symmetry-reduction "$symmetry" --threads "$threads" --deadlock-detection "$2" --value-type "$values" \
      --output-format machine-readable --output "$path.c" "$1" 2>"$path.error" ||
      { mv "$path.error" "$CACHE/last-error.$$"; return 1; }
    # shellcheck disable=SC2086 # flags are words
    "$(oracle_compiler "$flags")" $flags -w -std=c11 -o "$path.new" "$path.c" -mcx16 -lpthread 2>"$path.error" ||
      { mv "$path.error" "$CACHE/last-error.$$"; return 1; }
    rm -f "$path.c" "$path.error"
    mv "$path.new" "$path"
  fi
  echo "$path"
}

# Reads a verifier's output: VERDICT STATES RULES STEPS MESSAGE. A trace of Rumur counts the start
# as a transition, and includes the step that failed; a cover that was never hit has no trace.
rumur_summary() {
  awk '
    /<transition>/ { transitions++ }
    /<message>/ { message = $0; gsub(/<[^>]*>/, "", message); gsub(/&quot;/, "\"", message) }
    /<cover_result/ && /count="0"/ { message = $0; sub(/.*message="/, "", message); sub(/".*/, "", message)
                                     message = "cover \"" message "\" not hit" }
    /<summary/ {
      states = $0; sub(/.*states="/, "", states); sub(/".*/, "", states)
      rules = $0; sub(/.*rules_fired="/, "", rules); sub(/".*/, "", rules)
      errors = $0; sub(/.*errors="/, "", errors); sub(/".*/, "", errors)
    }
    END {
      if (states == "") { print "unfinished 0 0 - -"; exit }
      print (errors > 0 ? "violated" : "holds"), states, rules, (transitions > 0 ? transitions - 1 : "-"), \
        (message == "" ? "-" : message)
    }'
}
