#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random Promela programs: as many states as SPIN stores.   random_spin.sh FIRST COUNT
# Needs RANDOM_PROMELA (the program of random_promela.c), FATHOM, spin, cc. Programs in which SPIN finds an error of
# its own (a value out of range, a blocking d_step) or has too many states are left out.
set -u
command -v spin >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
same=0 left_out=0 status=0
for ((seed = $1; seed < $1 + $2; seed++)); do
  "$RANDOM_PROMELA" "$seed" >m.pml
  rm -f pan pan.c
  if ! timeout 10 spin -a -o1 -o2 -o3 m.pml >log 2>&1 && ! grep -q 'dubious use' log || [ ! -f pan.c ] ||
    ! cc -w -O0 -DSAFETY -DNOREDUCE -DMEMLIM=500 -o pan pan.c >>log 2>&1 ||
    ! timeout 5 ./pan -m1000000 -n -E -A -w18 >theirs 2>&1 || ! grep -q 'errors: 0' theirs ||
    grep -qE 'too small|reached -DMEMLIM' theirs; then
    left_out=$((left_out + 1))
    continue
  fi
  wanted=$(awk '/states, stored/ { print $1 }' theirs)
  timeout 60 "$FATHOM" check --native off --deadlock off m.pml >ours 2>&1
  got=$(awk '/ states?, / { gsub(",", "", $1); print $1 }' ours)
  if [ "$got" = "$wanted" ]; then
    same=$((same + 1))
  else
    status=1
    echo "seed $seed: spin has $wanted states, we ${got:-none}"
    cat m.pml
    grep -m3 -E 'error|violated|unknown' ours
  fi
done
echo "$same programs have as many states as in spin, $left_out were left out"
[ "$same" -gt 0 ] || status=1
exit $status
