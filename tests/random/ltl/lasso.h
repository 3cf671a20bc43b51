// SPDX-License-Identifier: Apache-2.0
// Lassos that searches found, held against the definition.
#pragma once

#include "base/base.h"

struct trace;
struct trial;

// Replays it; then: the formula is false of it, evaluated without any automaton; with `fair`, no
// agent waits in it for ever that always has a step. False: why not is in the trial.
bool lasso_good(struct trial *t, const struct trace *trace, bool fair);
