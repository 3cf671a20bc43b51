#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets with clang and runs them side by side: run.sh BUILD SECONDS. The corpus
# starts from the models of the tests and grows in BUILD/corpus; an input that crashes a parser is
# left in BUILD. Exit 77, and it says why, where there is no clang with libFuzzer.
set -u
build=$1 seconds=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
models=$here/../models

if ! echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { (void)d; (void)n; return 0; }' |
  clang -x c - -fsanitize=fuzzer -o /dev/null 2>/dev/null; then
  echo "SKIPPED: no clang with libFuzzer (scripts/setup test): the parsers were not fuzzed"
  exit 77
fi
mkdir -p "$build" && build=$(cd "$build" && pwd) || exit 1
{
  cmake -S "$here/../.." -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
    -DFATHOM_FUZZ=ON -DFATHOM_SANITIZE=ON && cmake --build "$build" --target fuzz_murphi fuzz_promela fuzz_smv fuzz_ir fuzz_expr fuzz_flows
} >"$build/build.log" 2>&1 || { tail -n 30 "$build/build.log"; exit 1; }

seed() { # TARGET FILES...: seeds, named by content so that a second run adds nothing
  local target=$1 file
  shift
  mkdir -p "$build/corpus/$target"
  for file in "$@"; do
    [ -f "$file" ] && cp "$file" "$build/corpus/$target/$(sha256sum <"$file" | cut -c1-16)"
  done
}

run() { # TARGET [DICTIONARY]
  "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 -max_len=4096 \
    -dict="$here/${2:-$1}.dict" -artifact_prefix="$build/$1-" -print_final_stats=1 \
    "$build/corpus/$1" >"$build/$1.log" 2>&1
  local status=$?
  if [ $status -eq 0 ]; then
    echo "fuzz $1: $(awk '/number_of_executed_units/ { print $2 }' "$build/$1.log") inputs in $seconds s, no crash"
  else
    echo "fuzz $1: FAILED, exit status $status; its input is in $build/$1-*"
    tail -n 40 "$build/$1.log"
  fi
  return $status
}

seed murphi "$models"/*.m "$models"/bad/*.m "$here"/../../examples/murphi/*.m
seed promela "$models"/*.pml "$models"/bad/*.pml "$here"/../../examples/promela/*.pml
seed smv "$models"/*.smv "$models"/bad/*.smv "$here"/../../examples/smv/*.smv
seed ir "$models"/*.ir "$models"/bad/*.ir "$here"/../golden/*.ir
printf '@forall p: proc do a[p].k = A & a[p].n = f(x) end' >"$build/expression"
printf 'Dmultisetcount(y: net[i], net[i][y] = net[i][m]) > 1' >"$build/expression-slot"
printf 'Cif b then x else countof p : proc { a[p].k = A }' >"$build/expression-ir"
seed expr "$build"/expression*
seed flows "$here"/../../examples/murphi/*.flows
status=0
run murphi &
first=$!
run expr murphi &
second=$!
run flows &
third=$!
run promela &
fourth=$!
run smv &
fifth=$!
run ir || status=1
wait $first || status=1
wait $second || status=1
wait $third || status=1
wait $fourth || status=1
wait $fifth || status=1
exit $status
