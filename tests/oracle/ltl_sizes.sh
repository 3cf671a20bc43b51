#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sizes of automata beside those of spin -f and lbt, on the formulas of ltl_formulas.txt and their
# negations, and on random ones. Fails if ours has more states than spin's. Prints a table: states and
# edges; states and edges with acceptance on edges; spin's states; lbt's (generalised acceptance).
# "-": the tool takes longer than a second, or (spin) does not know X.
set -u
program=${LTL_AUTOMATON:?the program that turns formulas into automata}
here=$(dirname "${BASH_SOURCE[0]}")
random=${1:-20}
for tool in spin lbt; do
  command -v $tool >/dev/null || { echo "SKIPPED: $tool is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
  grep -v '^#' "$here/ltl_formulas.txt"
  grep -v '^#' "$here/ltl_formulas.txt" | sed 's/.*/!(&)/'
  "$program" random 1 "$random" 8
  "$program" random 2 "$random" 12
} >"$work/formulas"
for form in sizes spin lbt; do
  "$program" $form <"$work/formulas" >"$work/$form" || { echo "our program failed on $form"; exit 1; }
done

# States of a never claim: labels, where several at one place are one.
spin_states() {
  local claim
  claim=$(timeout 1 spin -f "$1" 2>/dev/null) && [[ $claim == never* ]] || { echo -; return; }
  awk '/^[A-Za-z_0-9]+:/ { if (!label) n++; label = 1; next } { label = 0 } END { print n + 0 }' <<<"$claim"
}
lbt_states() {
  local automaton
  automaton=$(timeout 1 lbt <<<"$1" 2>/dev/null) || { echo -; return; }
  read -r states _ <<<"$automaton"
  echo "$states"
}

printf '%8s %8s %8s %6s %6s  %s\n' states/edges on-edges ms spin lbt formula
larger=0 compared=0 ours=0 theirs=0 lbt_sum=0 lbt_ours=0
while IFS=$'\t' read -r states edges states2 edges2 ms spin_text lbt_text formula; do
  spin=$(spin_states "$spin_text")
  lbt=$(lbt_states "$lbt_text")
  printf '%8s %8s %8s %6s %6s  %s\n' "$states/$edges" "$states2/$edges2" "$ms" "$spin" "$lbt" "$formula"
  if [ "$states" = - ]; then
    echo "no automaton for $formula"
    larger=$((larger + 1))
    continue
  fi
  [ "$lbt" = - ] || { lbt_sum=$((lbt_sum + lbt)) lbt_ours=$((lbt_ours + states)); }
  [ "$spin" = - ] && continue
  compared=$((compared + 1)) ours=$((ours + states)) theirs=$((theirs + spin))
  if [ "$states" -gt "$spin" ]; then
    echo "LARGER than spin's: $formula"
    larger=$((larger + 1))
  fi
done < <(paste <(tr ' ' '\t' <"$work/sizes") "$work/spin" "$work/lbt" "$work/formulas")
echo "$compared formulas compared with spin: $ours states, spin's $theirs; with lbt: $lbt_ours, lbt's $lbt_sum"
echo "$larger are larger than spin's, or missing"
[ $larger -eq 0 ] && [ $compared -ge 60 ]
