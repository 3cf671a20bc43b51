#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the programs of tests/programs/c by Fathom: verdict and line of the error are as the program says (lib.sh), and the test that
# `--test` writes, compiled with the program, makes it fail for real.
#   run.sh [--long | --all] [--limit SECONDS] [--options "OPTIONS"] [PROGRAM...]
# Programs with a key `long` are left out; --long: only those; --all: all. Options are handed to fathom check. No answer within the limit
# (default 20 s) counts as failed, unless OPTIONS are given: then only a wrong answer does.
# Environment: FATHOM (default build/fathom); TIMES: not empty: user and system seconds of each are printed.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fathom=${FATHOM:-$here/../../build/fathom}
which=short limit=20 options=''
while [ $# -gt 0 ]; do
  case $1 in
  --long) which=long ;;
  --all) which=all ;;
  --limit) limit=${2:?seconds}; shift ;;
  --options) options=${2:?options of fathom check}; shift ;;
  -*) sed -n '5s/^#  /usage:/p' "$0" >&2; exit 1 ;;
  *) break ;;
  esac
  shift
done
if [ $# -gt 0 ]; then which=all; else set -- "$here"/c/*.c; fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 unknown=0 TIMEFORMAT='%U %S'

# shellcheck source=tests/programs/lib.sh
. "$here/lib.sh"

complain() { # PROGRAM SENTENCE
  echo "$(basename "$1"): $2"
  return 1
}

# check PROGRAM: runs Fathom; its output is in $work/out, the inputs of an error in $work/test.c.
check() {
  local checks
  local -a args=(--time "$limit" --quiet --json "$work/json" --test "$work/test.c")
  checks=$(key check "$1")
  [ -z "$checks" ] || args+=(--check "$checks")
  # shellcheck disable=SC2206 # options are words
  args+=($options)
  rm -f "$work/json" "$work/test.c"
  timeout $((limit + 20)) "$fathom" check "$1" "${args[@]}" >"$work/out" 2>"$work/error"
}

verdict() { sed -n 's/^  "verdict": "\([a-z]*\)".*/\1/p' "$work/json" 2>/dev/null | head -1; }
reason() { sed -n 's/^  "reason": "\(.*\)",*$/\1/p' "$work/json" | head -1; }
# Of the last place that the trace names as the reason: where the step failed.
error_line() { sed -n 's/^violated: .*(.*:\([0-9]*\):[0-9]*).*/\1/p' "$work/out" | head -1; }

# What a run that fails says: reach_error of the test, assert of the C library, the sanitizers. Or it ends
# by SIGFPE or SIGSEGV.
reports='^reach_error$|Assertion .* failed|runtime error:|ERROR: (Address|Leak)Sanitizer: |WARNING: MemorySanitizer: '

# The test says itself how it is compiled.
fails_for_real() { # PROGRAM
  local command status
  [ -s "$work/test.c" ] || { complain "$1" "no test was written"; return 1; }
  command=$(sed -n 's|^//   \(.*\) && ./failing$|\1|p' "$work/test.c")
  bash -c "${command/-o failing/-o \"\$0\"}" "$work/failing" >"$work/cc" 2>&1 ||
    { complain "$1" "its test does not compile: $(head -3 "$work/cc")"; return 1; }
  bash -c 'timeout 20 "$0"; exit $?' "$work/failing" >"$work/native" 2>&1
  status=$?
  [ $status = $((128 + 8)) ] || [ $status = $((128 + 11)) ] || grep -Eq "$reports" "$work/native" || complain "$1" "its test does not fail (ends with $status): $(head -1 "$work/native")"
}

judge() { # PROGRAM STATUS WANTED_VERDICT WANTED_LINES
  local said line
  said=$(verdict)
  if [ "$2" -ge 124 ] || [ "$2" = 6 ] || [ -z "$said" ]; then
    complain "$1" "ended with $2: $(head -2 "$work/error" "$work/out" 2>/dev/null | grep -v '^==' | head -2 | tr '\n' ' ')"
    return 1
  fi
  if [ "$said" = unknown ]; then
    unknown=$((unknown + 1))
    [ -n "$options" ] || complain "$1" "unknown ($(reason)), expected $3"
    return
  fi
  [ "$said" = "$3" ] || { complain "$1" "WRONG VERDICT: $said, expected $3"; return 1; }
  [ "$said" = violated ] || return 0
  line=$(error_line)
  [ -z "$4" ] || [[ " $4 " == *" $line "* ]] || { complain "$1" "the error is in line ${line:-?}, expected $4"; return 1; }
  fails_for_real "$1"
}

wanted() { # PROGRAM
  case $which in
  short) [ -z "$(key long "$1")" ] ;;
  long) [ -n "$(key long "$1")" ] ;;
  esac
}

[ -x "$fathom" ] || command -v "$fathom" >/dev/null || { echo "run.sh: $fathom is missing" >&2; exit 1; }
for program; do
  wanted "$program" || continue
  { time check "$program"; } 2>"$work/times"
  status=$?
  read -r wanted_verdict wanted_lines <<<"$(key expect "$program")"
  if judge "$program" "$status" "$wanted_verdict" "$wanted_lines"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  [ -z "${TIMES:-}" ] || echo "$(basename "$program"): $(cat "$work/times") s"
done
[ $((passed + failed)) -gt 0 ] || { echo "there is no such program: skipped"; exit 77; }
echo "$passed passed, $failed failed"
[ $unknown = 0 ] || echo "without an answer: $unknown"
[ $passed -gt $unknown ] || { echo "nothing was answered"; failed=1; }
[ $failed = 0 ]
