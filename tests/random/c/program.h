// SPDX-License-Identifier: Apache-2.0
// Random C programs, for tests that run them: small, always ending, defined on every input, with
// integers of all widths, arrays, structures, pointers, calls, loops, switches, inputs.
#pragma once

#include "base/base.h"

// What a program asks for: 1: arithmetic only; 2: arrays and structures; 3: pointers; 4: the heap;
// 5: as 3, and it may do what is undefined: leave arrays, divide by 0, overflow, follow null.
enum { C_RUN_LEVELS = 5, C_RUN_UNSAFE = 5 };
// The text of a program. It calls reach_error() here and there, and keeps a `checksum`.
void c_run_program(struct text *out, uint64_t seed, int level);
// The n-th input that a run is given, the same here and in the compiled program.
uint64_t c_run_input(uint64_t seed, uint64_t n);
// C code that gives the compiled program these inputs, and prints how it ended.
void c_run_harness(struct text *out, uint64_t seed);
