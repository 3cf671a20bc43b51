#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Mistakes on the command line: one sentence, the nearest thing that exists, exit code 1.
. "$(dirname "$0")/lib.sh"
counter 7 >m.m

run 1
has err "fathom check MODEL"
run 1 chekc m.m;                       has err 'did you mean "check"?'
run 1 m.m;                             has err "fathom check m.m"
run 1 check;                           has err "wants a file"
run 1 check m.m other.m;               has err "other.m"
run 1 check --serch bfs m.m;           has err "did you mean --search?"
run 1 check --nonsense m.m;            has err "no option --nonsense"
run 1 check -x m.m;                    has err "no option"
run 1 check --search;                  has err "a value is missing"
run 1 check --search bsf m.m;          has err 'did you mean "bfs"?'
run 1 check --engine=hybird m.m;       has err "does not know"
run 1 check --fairness strong m.m;     has err "not built yet"
run 1 check --seed 3 m.m;              has err "seed"
run 1 check --search glhh m.m;         has err "vailable: bfs, dfs, bounded"
run 1 check --store exat m.m;          has err 'did you mean "exact"?'
run 1 check --symmetry on m.m;         has err "no scalarset"
run 1 check --threads 0 m.m;           has err "whole number"
run 1 check --ltl '[] p' m.m;          has err "--ltl:1:4: error: 'p' is not declared"
run 1 check --mark up m.m;             has err "--mark is for --search biased-bfs"
run 1 check --depth 0 m.m;             has err "at least 1"
run 1 check --depth -3 m.m;            has err "whole number"
run 1 check --depth 99999999999999999999 m.m; has err "whole number"
run 1 check --time soon m.m;           has err "seconds"
run 1 check --time nan m.m;            has err "seconds"
run 1 check --memory 4Q m.m;           has err "500M or 4G"
run 1 check --memory 0 m.m;            has err "500M or 4G"
run 1 check --quiet=yes m.m;           has err "takes no value"
run 1 check --deadlock never m.m;      has err "off, stuck, stuttering"
run 1 check --property belw m.m;       has err 'did you mean "below"?'
run 1 check --property nosuch m.m;     has err '"below", "small"'
run 1 check -D LIMIT m.m;              has err "NAME=VALUE"
run 1 check -D =3 m.m;                 has err "NAME=VALUE"
run 1 check m.xyz;                     has err "--language"
run 1 check --check bounds m.m;        has err "--check is for programs in C, and this model is in murphi"
run 1 check --recursion 3 m.m;         has err "--recursion is for programs in C"
run 1 show --blocks m.m;               has err "--blocks is for programs in C"
run 1 show --heap 3 m.m;               has err "--heap is for programs in C"
run 1 check --witness w.yml m.m;       has err "--witness is for programs in C"
run 1 check --test - m.m;              has err "wants the name of a file"
run 1 check --tsize 4 m.m;             has err "--tsize is for --engine hybrid: take that"
run 1 check --reached on m.m;          has err "--reached is for --engine hybrid or st"
run 1 check --polyhedra 2 m.m;         has err "is for --"
run 1 show --ir --c m.m;               has err "one thing at a time"
run 1 help nosuch;                     has err "no command"
run 1 simulate --engine explicit m.m;  has err "no option --engine"

# What is for the bounded search is not ignored by another, and what that cannot do is said.
for option in "--increment 5" "--bounding depth" "--frontier tree" "--save-frontier f" "--resume f"; do
  run 1 check $option m.m;              has err "${option% *} is for --search bounded: add that"
  run 1 check $option --search bfs m.m; has err "${option% *} is for --search bounded: add that"
done
run 1 check --search bounded --store bitstate m.m;   has err "no room"
run 1 check --search bounded --depth 2000000001 m.m; has err "up to 2000000000"
run 1 check --search bounded --increment 0 m.m;      has err "from 1 to 2000000000"
run 1 check --search bounded --bounding dept m.m;    has err 'did you mean "depth"?'
run 1 check --search bounded --frontier trees m.m;   has err 'did you mean "tree"?'
run 1 check --search bounded --save-frontier - m.m;  has err "the name of a file"
run 1 check --search bounded --resume - m.m;         has err "the name of a file"
run 1 check --search bounded --deterministic --threads 2 m.m; has err "kept by one thread only"
[ -s out ] && fail "a mistake printed something on standard output"

# A model that is not there is a bad model.
run 2 check nosuch.m;                  has err "nosuch.m"
mkdir folder.m
run 2 check folder.m;                  has err "folder.m"

# Help of every kind goes to standard output, and each list comes from the same table.
run 0 help;             has out "simulate"; empty err
run 0 --help;           has out "simulate"
run 0 --version;        has out "fathom "
run 0 check --help;     has out "--max-errors"
run 0 help check;       has out "--max-errors"; has out "--threads N"; has out "(all cores)"
"$FATHOM" help --bash >bash.txt
"$FATHOM" help --zsh >zsh.txt
"$FATHOM" help --man | sed 's/\\-/-/g' >man.txt
for command in check simulate show replay; do
  for option in $("$FATHOM" help "$command" | grep -o '^  -[-a-zA-Z]*'); do
    for list in bash zsh man; do has $list.txt "$option"; done
  done
done
bash -n bash.txt || fail "the bash completion is no bash"
finish
