// SPDX-License-Identifier: Apache-2.0
// Which variables of its own process a statement reads and sets, and whether it looks at or changes
// anything outside.
#pragma once

#include "front/promela/program.h"

struct uses {
  const struct pml_proc *proc;
  bool outside; // globals, channels, other processes, new processes
  bool *reads;  // of each local, by its id
  bool *sets;   // of each local that is a plain variable and has a new value afterwards
  bool is_sure; // those are set in any case: not so in a d_step
};

void uses_clear(struct uses *u); // for the next statement
void uses_of_edge(struct uses *u, const struct pml_edge *e);
// Always executable by itself, and nobody else notices when it happens.
bool uses_is_private(struct uses *u, const struct pml_edge *e);
