# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by compare.sh and compare_spin.sh: what a model's leading comments say (docs/testing.md).

# The runs that they name: one line of NAME=VALUE... each, the first empty.
runs_of() { # MODEL
  awk '!/^(--|\/\/) [a-z]+:/ { exit }
       $2 == "expect:" { print "" }
       $2 == "with:" { line = ""; for (i = 3; i <= NF && $i ~ /=/; i++) line = line $i " "; print line }' "$1"
}

# The values of a key, a line each.
header() { # MODEL KEY
  awk -v key="$2:" '!/^(--|\/\/) [a-z]+:/ { exit } $2 == key { print substr($0, length(key) + 5) }' "$1"
}
