#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random Promela programs with random formulas, accept or progress labels: SPIN's verdicts, with and without its
# reduction, with and without weak fairness, and ours.   random_ltl.sh FIRST COUNT
# Needs RANDOM_PROMELA (the program of random_promela.c), FATHOM, SUMMARY, spin, cc. Programs in which SPIN finds an error
# of its own (a value out of range, a blocking d_step), has too many states or refuses something are left out. Where SPIN
# disagrees with itself its verdict without reduction counts. With -f SPIN forgets runs in which in the end nothing can
# move, if a process has ended before: such a run is fair, and ours, which was replayed, counts. The closing line says
# how often that was so.
set -u
command -v spin >/dev/null || { echo "SKIPPED: spin is not installed (scripts/setup test): nothing compared"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
same=0 left_out=0 torn=0 stuck=0 status=0

# Translates m.pml and compiles pan (reduced) and pan-whole; sets run (pan's flags), name, options.
build() {
  rm -f pan pan-whole pan.c
  local np=
  run=-a name=p options=()
  if grep -q 'progress:' m.pml; then
    np=-DNP run=-l name='non-progress cycles' options=(--non-progress)
  elif grep -q 'accept:' m.pml; then
    name='acceptance cycles'
  elif ! grep -q '^ltl' m.pml; then
    return 1
  fi
  timeout 10 spin -a m.pml >log 2>&1 || grep -q 'dubious use' log || return 1
  [ -f pan.c ] && cc -w -O0 -DMEMLIM=500 -DNFAIR=4 $np -o pan pan.c >>log 2>&1 &&
    cc -w -O0 -DMEMLIM=500 -DNFAIR=4 -DNOREDUCE $np -o pan-whole pan.c >>log 2>&1
}

# holds, violated, or nothing: it found something else, or did not finish.
theirs() { # PROGRAM FLAGS...
  timeout 10 "./$1" -m1000000 -n -E -w18 "${@:2}" >said 2>&1
  grep -qE 'too small|reached -DMEMLIM|out of memory|rendez-vous' said && return
  grep -qE '^pan:1: (acceptance cycle|non-progress cycle|end state in claim|claim violated|assertion violated !)' said && echo violated
  grep -q 'errors: 0' said && echo holds
}

ours() { # OPTIONS...
  timeout 60 "$FATHOM" check m.pml --native off --search ndfs --property "$name" "${options[@]}" "$@" --quiet \
    --json ours.json >ours.text 2>ours.error
  local status=$?
  case $status in
  0 | 5 | 10) "$SUMMARY" ours.json "$name" | cut -d ' ' -f 1 ;;
  # A label where no process can ever be is none.
  *) if grep -q 'has no property' ours.error; then echo holds; else echo "exit $status: $(tail -n 1 ours.error)"; fi ;;
  esac
}

check() { # FAIRNESS FLAGS...
  local whole reduced mine reduction fairness=$1
  shift
  whole=$(theirs pan-whole $run "$@") reduced=$(theirs pan $run "$@")
  [ -n "$whole" ] || { left_out=$((left_out + 1)); return; }
  [ -n "$reduced" ] && [ "$reduced" != "$whole" ] && torn=$((torn + 1))
  for reduction in off on; do
    [ "$reduction $fairness" = "on weak" ] && continue
    mine=$(ours --fairness "$fairness" --por $reduction)
    if [ "$mine" = "$whole" ]; then
      same=$((same + 1))
    elif [ "$fairness $mine" = "weak violated" ] && grep -q 'nothing can move any more, for ever' ours.text; then
      stuck=$((stuck + 1))
    else
      status=1
      echo "seed $seed, reduction $reduction, fairness $fairness: spin: $whole (reduced: ${reduced:-nothing}), fathom: $mine"
      cat m.pml
    fi
  done
}

for ((seed = $1; seed < $1 + $2; seed++)); do
  "$RANDOM_PROMELA" "$seed" cycles >m.pml
  if build; then
    check none
    check weak -f
  else
    left_out=$((left_out + 1))
  fi
done
echo "$same verdicts are SPIN's, $left_out were left out; SPIN disagreed with itself $torn times, forgot $stuck stuck runs"
[ "$same" -gt 0 ] || status=1
exit $status
