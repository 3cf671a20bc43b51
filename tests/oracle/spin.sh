# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the oracle tests and bench/promela: builds and runs SPIN's verifiers.
# Needs: spin, cc, sha256sum, awk, timeout.
# shellcheck source=tests/oracle/compiler.sh
. "$(dirname "${BASH_SOURCE[0]}")/compiler.sh"

# SPIN without its optimisations that change what is stored: dataflow (1), dead variables (2), merged
# statements (3); the verifier without partial order reduction, for safety alone, claims left out.
spin_translate="-o1 -o2 -o3"
spin_compile="-DSAFETY -DNOREDUCE -DNOCLAIM -DMEMLIM=8000"
# Flags of every verifier: for small models -w18, since to clear SPIN's own table of 128 MB takes longer than the search.
spin_table=''

spin_defines() { printf -- '-D%s ' "$@" | sed 's/-D \+//'; } # [NAME=VALUE...]

# Trace assertions are left out like claims: the states of their automaton would be counted.
spin_without_trace() { # MODEL
  awk '/^(no)?trace[ \t]*{/ { skipping = 1 }
       skipping { depth += gsub(/{/, "{") - gsub(/}/, "}"); if (depth == 0) skipping = 0; print ""; next }
       { print }' "$1"
}

# Translates a model and compiles its verifier in the folder DIR, as DIR/pan; what was said is in DIR/log.
spin_build() { # DIR MODEL CC_FLAGS [NAME=VALUE...]
  local dir=$1 model flags="$spin_compile $3"
  model=$(realpath "$2")
  shift 3
  mkdir -p "$dir"
  if grep -qE '^(no)?trace[[:space:]]*\{' "$model"; then
    spin_without_trace "$model" >"$dir/model.pml"
    model=model.pml
  fi
  (
    cd "$dir" || exit 1
    # shellcheck disable=SC2046,SC2086 # flags are words
    timeout 20 spin -a $spin_translate $(spin_defines "$@") "$model" >log 2>&1 && [ -f pan.c ] || exit 1
    # shellcheck disable=SC2086
    timeout 120 "$(oracle_compiler "$flags")" -w $flags -o pan pan.c >>log 2>&1
  ) </dev/null
}

# Runs DIR/pan for at most SECONDS, with a deeper stack as long as that is in the way; prints what it said.
spin_run() { # DIR SECONDS PAN_FLAGS...
  local dir=$1 seconds=$2 depth
  shift 2
  for depth in 100000 1000000 10000000; do
    # shellcheck disable=SC2086 # flags are words
    (cd "$dir" && timeout "$seconds" ./pan "-m$depth" -n $spin_table "$@" 2>&1) >"$dir/said" </dev/null
    grep -q 'max search depth too small' "$dir/said" || break
  done
  cat "$dir/said"
}

# Reads what a verifier said: VERDICT STATES TRANSITIONS SECONDS BYTES KINDS
# VERDICT: holds, violated, unfinished. BYTES: of all states, by SPIN's own account, without its hash table and
# stack. KINDS of errors, by commas: assertion, end (invalid end state), error.
spin_summary() {
  awk '
    /^pan:[0-9]+: / {
      kind = / assertion violated/ ? "assertion" : / invalid end state/ ? "end" : "error"
      if (!seen[kind]++) kinds = kinds (kinds == "" ? "" : ",") kind
    }
    /max search depth too small|out of memory|reached -DMEMLIM|VECTORSZ is too small/ { cut = 1 }
    /^State-vector .* errors: / { errors = $NF; ended = 1 }
    / states, stored/ { states = $1 }
    / transitions \(/ { transitions = $1 }
    /pan: elapsed time/ { seconds = $4 }
    /actual memory usage for states/ || (/equivalent memory usage/ && !bytes) { bytes = $1 * 1048576 }
    END {
      verdict = !ended || cut ? "unfinished" : errors > 0 ? "violated" : "holds"
      printf "%s %d %d %s %.0f %s\n", verdict, states, transitions, seconds + 0, bytes, kinds == "" ? "-" : kinds
    }'
}

# The summary of a model, all errors counted (pan -c0). It is kept in $CACHE, so that a model is verified
# again only when it, its constants or SPIN have changed. Fails when SPIN refuses the model; what it
# said is then in $CACHE/last-error.$$.
spin_result() { # MODEL SECONDS CC_FLAGS [NAME=VALUE...]
  local model=$1 seconds=$2 flags="-DVECTORSZ=4096 $3" key dir
  shift 3
  mkdir -p "$CACHE"
  # shellcheck disable=SC2046
  key=$({ spin -V; echo "$spin_translate $spin_compile $flags $seconds"
          cc -std=gnu99 -E -P -x c -w $(spin_defines "$@") "$model"; } 2>&1 | sha256sum | cut -c1-32)
  if [ ! -f "$CACHE/spin-$key" ]; then
    dir=$(mktemp -d) || return 1
    if spin_build "$dir" "$model" "$flags" "$@"; then
      spin_run "$dir" "$seconds" -c0 | spin_summary >"$dir/summary" && mv "$dir/summary" "$CACHE/spin-$key"
    else
      mv "$dir/log" "$CACHE/last-error.$$"
    fi
    rm -rf "$dir"
  fi
  cat "$CACHE/spin-$key" 2>/dev/null
}
