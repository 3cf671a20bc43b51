# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by rumur.sh and spin.sh: who compiles their verifiers. clang is the quicker one where nothing is optimised, and much the
# slower one elsewhere.
oracle_compiler() { # FLAGS
  if [[ " $1 " == *' -O0 '* ]] && command -v clang >/dev/null; then echo clang; else echo cc; fi
}
