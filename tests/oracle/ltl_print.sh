#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is printed of automata is what spin and dot read: never claims beside a process that touches
# their atoms (spin -a), and graphs.
set -u
program=${LTL_AUTOMATON:?the program that turns formulas into automata}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v spin >/dev/null || { echo "SKIPPED: spin is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
grep -v '^#' "$here/ltl_formulas.txt" >formulas

status=0 count=0
while IFS= read -r formula; do
  count=$((count + 1))
  {
    echo 'bool p, q, r, s, t, u, v, w, z, request, grant, acknowledge, critical, other, ready, taken;'
    echo 'bool e1, e2, t1, t2; bool try;'
    echo 'active proctype P() { do :: p = !p :: q = !q od }'
    "$program" never <<<"$formula"
  } >model.pml
  rm -f pan.c
  if ! spin -a model.pml >said 2>&1 || [ ! -s pan.c ] || grep -qi error said; then
    echo "FAIL: spin refuses the claim of $formula: $(head -3 said)"
    status=1
  fi
  if command -v dot >/dev/null && ! "$program" dot <<<"$formula" | dot -Tcanon >/dev/null 2>said; then
    echo "FAIL: dot refuses the graph of $formula: $(head -3 said)"
    status=1
  fi
done <formulas
echo "$count formulas"
[ $count -ge 60 ] && exit $status
