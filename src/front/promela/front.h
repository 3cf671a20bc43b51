// SPDX-License-Identifier: Apache-2.0
// Private to the room: what a model made of a Promela text keeps of it, in ir_model.front.
#pragma once

#include "front/promela/lower.h"

struct promela_front {
  struct arena *arena; // of the program; not the model's
  struct pml_program *prog;
  struct embed *embed; // C in it; NULL: none
  struct lower lower;  // seats, channels, variables
};

// The seats and channels of a lowering; the program stays.
void lower_clear(struct lower *w);
