#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints what the grid runs, one setting a line: the arguments of `fathom check`.
#   settings.sh models|examples|wide|full|shared|few|repeat|race
# models: tests/models; examples: examples/*, as small as they are still interesting; wide: those
# and public ones of which several threads get something to do; full: the examples as they are;
# shared: the public models; few: some of all, for the sanitizers; repeat: what is run again and again;
# race: where threads meet most.
set -u
src=${SRC:?the checkout}
shared=$src/../shared/models/murphi

# The runs that a model's leading comments name: as it is, and with other constants. Reduction is the grid's own business.
runs_of() { # MODEL [MORE...]
  local model=$1
  shift
  awk -v start="$model $*" '
    !/^(--|\/\/) [a-z]+:/ { exit }
    $2 == "options:" { for (i = 3; i <= NF; i++) if ($i == "--por") i++; else options = options " " $i }
    $2 == "with:" { line = ""; for (i = 3; i <= NF && $i ~ /=/; i++) line = line " -D " $i; runs[++n] = line }
    END { for (i = 0; i <= n; i++) print start options runs[i] }' "$model"
}

models() {
  local model
  for model in "$src"/tests/models/*.m "$src"/tests/models/*.ir "$src"/tests/models/{atomic,d_step,death,rendezvous,run,unless}_*.pml \
    "$src"/tests/models/{accept,else,enabled,fair,ltl,pc_value,por,priority,progress,remote}_*.pml; do
    runs_of "$model"
  done
  smv_of "$src/tests/models"
}

# SMV models that the explicit engine can check to the end: those that say so, or do not say otherwise.
smv_of() { # FOLDER
  local model
  for model in "$1"/*.smv; do
    [ -e "$model" ] && ! grep -q '^-- engines: bdd' "$model" && runs_of "$model"
  done
  return 0
}

small_examples() {
  local dir=$src/examples/murphi promela=$src/examples/promela model
  for model in alternating_bit dekker mcs_lock philosophers peterson token_ring two_phase_commit; do
    runs_of "$dir/$model.m"
  done
  runs_of "$dir/german.m" -D NODE_NUM=3
  runs_of "$dir/flash.m" -D NODE_NUM=2
  runs_of "$dir/mesi_bus.m" -D PROCS=2
  for model in bounded_retransmission crossing mutex_zoo printer scheduler; do runs_of "$promela/$model.pml"; done
  runs_of "$promela/leader_election.pml" -D N=3
  smv_of "$src/examples/smv"
}

wide() {
  local dir=$src/examples/murphi
  runs_of "$dir/peterson.m"
  runs_of "$dir/token_ring.m"
  runs_of "$dir/two_phase_commit.m"
  runs_of "$dir/mesi_bus.m"
  runs_of "$dir/german.m" -D NODE_NUM=3
  runs_of "$dir/flash.m" -D NODE_NUM=2
  runs_of "$src/examples/promela/sliding_window.pml"
  runs_of "$src/examples/promela/peterson_n.pml"
  [ -d "$shared" ] || { echo "without the public models (../shared/models/murphi): 4 settings fewer" >&2; return 0; }
  echo "$shared/adash.m"
  echo "$shared/sci.m"
  echo "$shared/mcslock2.m -D N=3"
  echo "$shared/n_peterson.m -D N=5"
}

full_examples() {
  local model
  for model in "$src"/examples/murphi/*.m "$src"/examples/promela/*.pml; do
    case $model in *_c.pml) continue ;; esac # embedded C: one thread only
    runs_of "$model"
  done
}

# Those of tests/oracle/tables.sh that end within a second, unions and multisets among them.
shared_models() {
  local row
  if [ ! -d "$shared" ]; then
    echo "SKIPPED: the public models are not here (../shared/models/murphi beside the checkout): 24 settings" >&2
    exit 77
  fi
  while read -r row; do
    if [ -n "$row" ]; then echo "$shared/$row"; fi
  done <<<"$public_rows"
}
public_rows='
2_peterson.m
abp.m
adash.m
adashbug.m
arbiter.m --deadlock off
cache3.m
dek.m
down.m
dp4.m
dpnew.m
lin.m
mcslock1.m -D N=3
mcslock2.m -D N=2
n_g2k.m -D NODE_NUM=2
n_german.m -D NODE_NUM=2
n_mesi.m
n_mutualEx.m
n_peterson.m -D N=4
ns-old.m --deadlock off
ns.m
pingpong.m
scierr.m
sets.m
sort5.m
'

# Holding and violated, with faults, deadlocks, scalarsets, multisets; a few hundred states each.
few() {
  local model
  for model in counter diamond deadlock_stuck error_statement scalarset multiset_basic cover_unreached; do
    runs_of "$src/tests/models/$model.m"
  done
  for model in atomic_choice rendezvous_choice run_nondeterministic chan_passed_buffered unless_nested ltl_formula \
    por_cycle_nested fair_two; do
    runs_of "$src/tests/models/$model.pml"
  done
  echo "$src/examples/murphi/mcs_lock.m"
  echo "$src/examples/murphi/german.m -D NODE_NUM=2"
  echo "$src/examples/murphi/german.m -D NODE_NUM=2 -D BUG=1"
  echo "$src/examples/murphi/mesi_bus.m -D PROCS=2 -D LINES=1 -D BUG=1 --max-errors 0"
  echo "$src/examples/murphi/flash.m -D NODE_NUM=1 -D BUG=1 --max-errors 0"
  echo "$src/examples/murphi/german.m -D NODE_NUM=2 --depth 9"
  echo "$src/examples/murphi/philosophers.m -D LEFT_HANDED=0"
}

# Narrow levels and wide ones, one that holds and one with several violations to choose from.
repeated() {
  echo "$src/examples/murphi/mcs_lock.m"
  echo "$src/examples/murphi/german.m -D NODE_NUM=2 -D BUG=1"
}

case ${1:?a group} in
models) models ;;
examples) small_examples ;;
wide) wide ;;
full) full_examples ;;
shared) shared_models ;;
few) few ;;
repeat) repeated ;;
race) echo "$src/tests/models/torus.m" ;;
*) echo "settings.sh: no group $1" >&2; exit 1 ;;
esac
