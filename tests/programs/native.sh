#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Confirms what the programs of tests/programs/c say about themselves, without Fathom: each compiles without a warning; one with an error
# fails natively, at its line, on the inputs that it names; one without survives INPUTS (default 20,000) random ones.
#   native.sh [INPUTS] [PROGRAM...]
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
inputs=20000
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
  inputs=$1
  shift
fi
[ $# -gt 0 ] || set -- "$here"/c/*.c
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# shellcheck source=tests/programs/lib.sh
. "$here/lib.sh"

renamed='-Dmain=program -Dexit=native_exit -Dabort=native_abort -Dmalloc=native_malloc -Dfree=native_free'
# The program, compiled to $work/native.
build() {
  local compiler flags
  read -r compiler flags <<<"$(compiler_of "$1")"
  [[ $(key check "$1") == *leak* ]] && flags+=' -DLEAK'
  # shellcheck disable=SC2086 # flags are words
  $compiler -std=gnu11 -g -Wall -Wextra -Werror -fsanitize-coverage=trace-pc,trace-cmp $flags $renamed -c -o "$work/program.o" "$1" &&
    $compiler -std=gnu11 -g -O1 -no-pie $flags -o "$work/native" "$here/native.c" "$work/program.o"
}

# The line that a run's messages name: of an assertion, of a sanitizer, or of the address that called reach_error.
line_of() { # PROGRAM MESSAGES
  local name address
  name=$(basename "$1")
  address=$(sed -n 's/^reach_error called from //p' "$2")
  if [ -n "$address" ]; then
    addr2line -e "$work/native" "$address" | sed 's/.*:\([0-9]*\).*/\1/'
  else
    sed -n "s/.*$name:\([0-9]*\).*/\1/p" "$2" | head -1
  fi
}

check_violated() { # PROGRAM LINES
  local line
  # shellcheck disable=SC2046 # inputs are words
  if ASAN_OPTIONS=detect_leaks=0 timeout 20 "$work/native" input $(key input "$1") >"$work/out" 2>"$work/error"; then
    echo "$1: does not fail on its inputs"
    return 1
  fi
  line=$(line_of "$1" "$work/error")
  [[ $(key check "$1") == *leak* ]] && [ -z "$line" ] && return 0
  [[ " $2 " == *" $line "* ]] || { echo "$1: fails at line ${line:-?}, not at $2"; head -3 "$work/error"; return 1; }
}

check_holds() { # PROGRAM
  ASAN_OPTIONS=detect_leaks=0 timeout 1500 "$work/native" random "${SEED:-1}" "$inputs" >"$work/out" 2>"$work/error" && return
  echo "$1: fails on random inputs"
  head -5 "$work/error"
  return 1
}

for program; do
  read -r verdict lines <<<"$(key expect "$program")"
  if build "$program" && "check_$verdict" "$program" "$lines"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
