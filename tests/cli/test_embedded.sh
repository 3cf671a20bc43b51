#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Embedded C: results replay, only one thread runs it, it is never silently left out, and what the C
# compiler has to say (or that there is none) is told at the model's lines.
. "$(dirname "$0")/lib.sh"

cat >count.pml <<'END'
c_state "int total" "Global"
byte x;
active [2] proctype p() {
  do
  :: c_expr { now.total < 4 } -> c_code { now.total++; now.x = now.total; }
  :: x == 4 -> break
  od;
  assert(x != 4)
}
END
run 10 check --json count.json count.pml
has out "violated: assertion failed: assert((x!=4))"
has out "total: 0 -> 1"
has out "[c_code { now.total++; now.x = now.total; }]"
run 10 replay count.json;                  has out "total"
run 10 check --search dfs --trace full count.pml; has out "c_code"
run 10 check --native on count.pml;        has out "native code"

# --- assert is an assertion of the model (SPIN's verifiers do not have it) ----------------------
printf 'byte x;\nactive [2] proctype p() { x++; c_code { assert(now.x != 2); } }\n' >assert.pml
run 10 check assert.pml;                   has out "assertion failed: an assertion in embedded C (assert.pml:2:"

# --- one thread ------------------------------------------------------------------------------
run 10 check --threads 1 count.pml
run 1 check --threads 2 count.pml;         has err "only one thread can run"
run 1 check --search race count.pml;       has err "only one thread can run"

# --- the text form has it, and is not read back ------------------------------------------------
run 0 show --ir count.pml;                 has out "foreign 0 "
cp out count.ir
run 2 check count.ir;                      has err "C code of its own, which cannot be read"
run 0 show --c count.pml;                  has out "fathom_native_foreign"

# --- mistakes ----------------------------------------------------------------------------------
cat >bad.pml <<'END'
byte x;
active proctype p() {
  x = 1;
  c_code {
    now.y = 1;
  }
}
END
run 2 check bad.pml
has err "bad.pml:5:8: error: embedded C: "
printf 'active proctype p() { c_code { nowhere(); } }\n' >link.pml
run 2 check link.pml;                      has err "nowhere"
CC=/nowhere/cc run 2 check count.pml;      has err "needs a C compiler"
printf 'c_track "&z" "4" "Some"\nactive proctype p() { skip }\n' >track.pml
run 2 check track.pml;                     has err "track.pml:1:1: error: c_track: expected \"Matched\""
printf 'c_decl {\n\\#include "own.h"\n}\nactive proctype p() { c_code { own(); } }\n' >own.pml
mkdir sub && mv own.pml sub && printf 'static void own(void) {}\n' >sub/own.h
run 0 check sub/own.pml
finish
