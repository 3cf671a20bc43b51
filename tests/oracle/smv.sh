#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The public SMV models (../shared/models/smv) against what NuSMV 2.6.0 says of them, as ../shared/models/README.md has it:
# verdicts of all specifications, reachable states, diameters, lengths of shortest counterexamples.
#   smv.sh quick|full [NAME...]
# NuSMV is not in Debian, so its answers stand in the table below. Every model is read; those that NuSMV does not finish
# (dme4, dme5, dme6) are not checked. Environment: FATHOM (program), SRC (checkout). Exit 77: skipped, and it says why.
set -u
effort=${1:?quick or full}
shift
shared=$SRC/../shared/models/smv

# NAME|EFFORT|TRUE|FALSE|STATES|DIAMETER|LENGTHS: how many specifications hold and do not; - : README does not say.
# STATES with an e has six digits. LENGTHS: of the traces to violated invariants, in the order of the file.
rows='
abp4|quick|all|0|-|-|
abp8|quick|all|0|8.60783e+09|19|
bmc_tutorial|quick|all|0|-|-|
brp|quick|all|0|22432|57|
counter|quick|1|1|-|-|
dme1|quick|all|0|6579|96|
dme2|quick|all|0|-|-|
gigamax|quick|all|0|3408|6|
msi_wtrans|full|all|0|3.65528e+07|20|
mutex|quick|2|1|-|-|
mutex1|quick|1|4|-|-|
periodic|quick|all|0|1000|100|
prod-cons|quick|1|6|105572|48|
puzzle15|quick|0|1|-|-|15
puzzle20|quick|0|1|-|-|20
puzzle25|full|0|1|-|-|25
puzzle31|full|0|1|-|-|31
puzzle_unsolv|full|all|0|-|-|
ring|quick|all|0|-|-|
semaphore|quick|0|1|-|-|
short|quick|all|0|-|-|
syncarb5|quick|all|0|-|-|
tcas|full|2|4|-|-|10 14 23 16
'
if [ ! -d "$shared" ]; then
  echo "SKIPPED: the public models are not here (../shared/models/smv beside the checkout): $(grep -c '|' <<<"$rows") models not compared"
  exit 77
fi
"$FATHOM" help | grep -q 'explicit, bdd' || { echo "SKIPPED: the engine bdd is not in this build"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
compared=0 failed=0 left=0 read=0

failure() {
  failed=$((failed + 1))
  echo "FAILED $*"
}

# is_wanted NAME EFFORT WANTED...: everything, or what was named.
is_wanted() {
  local name=$1 row_effort=$2
  shift 2
  if [ $# -gt 0 ]; then
    [[ " $* " == *" $name "* ]]
  else
    [ "$row_effort" = quick ] || [ "$effort" = full ]
  fi
}

# Verdict and kind of each specification, in the order of the file.
verdicts() { awk '/^  (holds|violated|unknown) +(ctl|ltl|invariant) / { print $1 }' "$work/out"; }
count() { verdicts | grep -c "^$1\$"; }

# Runs the model and holds the verdicts, and the lengths of traces to false invariants, against NuSMV's.
run() { # NAME TRUE FALSE LENGTHS OPTIONS...
  local name=$1 holds=$2 violated=$3 lengths=$4 found
  shift 4
  [ "$holds $violated" = "0 1" ] || set -- "$@" --max-errors 0 # what comes behind the only violation is of no interest
  [ ! -e "$shared/$name.ord" ] || set -- "$@" --order "$shared/$name.ord"
  "$FATHOM" check --engine bdd --time 600 --trace off "$@" "$shared/$name.smv" >"$work/out" 2>"$work/err"
  [ "$holds" = all ] && holds=$(verdicts | wc -l)
  if [ "$(count holds) $(count violated) $(count unknown)" != "$holds $violated 0" ] || [ "$((holds + violated))" -eq 0 ]; then
    failure "$name $*: $(count holds) hold, $(count violated) are violated, $(count unknown) are unknown; NuSMV: $holds true, $violated false"
    tail -12 "$work/out"
    head -5 "$work/err"
  fi
  found=$(awk '/^violated: / { invariant = $2 == "invariant" || / AG / } /^  after [0-9]+ step/ && invariant { printf "%s%s", n++ ? " " : "", $2 }' "$work/out")
  [ -z "$lengths" ] || [ "$found" = "$lengths" ] || failure "$name $*: traces of $found steps, NuSMV: $lengths"
}

# As by default, each property in its cone; where states are to be counted, also the whole.
check() { # NAME TRUE FALSE STATES DIAMETER LENGTHS
  local name=$1 holds=$2 violated=$3 states=$4 diameter=$5 lengths=$6 found depth
  compared=$((compared + 1))
  run "$name" "$holds" "$violated" "$lengths"
  [ "$states $diameter" != "- -" ] || return 0
  run "$name" "$holds" "$violated" "$lengths" --cone off
  read -r found depth < <(sed -n 's/^  \([0-9,]*\) states*, depth \([0-9,]*\)$/\1 \2/p' "$work/out" | tr -d ,)
  case $states in
  -) ;;
  *e*) [ "$(awk -v n="${found:-0}" 'BEGIN { printf "%.5e", n }')" = "$states" ] || failure "$name: ${found:-no} states, NuSMV: $states" ;;
  *) [ "${found:-}" = "$states" ] || failure "$name: ${found:-no} states, NuSMV: $states" ;;
  esac
  [ "$diameter" = - ] || [ "${depth:-}" = "$((diameter - 1))" ] || failure "$name: depth ${depth:-unknown}, NuSMV's diameter: $diameter"
}

for model in "$shared"/*.smv; do
  read=$((read + 1))
  "$FATHOM" show "$model" >/dev/null 2>"$work/err" || { failure "$(basename "$model") cannot be read"; head -3 "$work/err"; }
done
while IFS='|' read -r name row_effort holds violated states diameter lengths; do
  [ -n "$name" ] || continue
  if is_wanted "$name" "$row_effort" "$@"; then
    check "$name" "$holds" "$violated" "$states" "$diameter" "$lengths"
  else
    left=$((left + 1))
  fi
done <<<"$rows"
echo "smv: $read models read, $compared compared with NuSMV, $left left out here, $failed failures"
[ "$failed" -eq 0 ]
