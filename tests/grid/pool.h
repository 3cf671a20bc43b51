// SPDX-License-Identifier: Apache-2.0
// Runs many commands, some of them at the same time, and hands over what each of them said.
#pragma once

#include "base/base.h"

typedef VEC(char *) pool_arguments;

struct pool_outcome {
  int status; // of exit; 128 + N when signal N ended it
  struct text out, err;
};

struct pool {
  unsigned jobs;        // at the same time
  unsigned seconds_max; // each; then SIGALRM ends it
  void *context;
  // The arguments of command i, the program first; the strings are not freed.
  void (*arguments)(void *context, size_t i, pool_arguments *args);
  // Called once per command, in the order in which they end.
  void (*done)(void *context, size_t i, const struct pool_outcome *o);
};

// Runs commands 0 .. count - 1. False when one could not even be started.
bool pool_run(const struct pool *p, size_t count);
