// SPDX-License-Identifier: Apache-2.0
// HMC (paper 003, Algorithm 1): path-based reasoning and state traversal by turns, until an error
// is found or the frontier set F is empty. Beside the paper: PR also goes on from the starts, a
// turn of ST ends after some time, too, and what was reached is kept, so that loops end.
#include "hybrid/hmc.h"

// F = I. PR begins with the starts themselves: that is looking from I.
static void begin(struct hmc *h, struct disjunct *I) {
  traverse_add(h, I);
  for (size_t i = 0; i < h->F.count; i++) h->F.data[i].looked = UINT64_MAX;
}

void hmc_run(struct hmc *h, struct disjunct *I) {
  if (h->config->search == HYBRID_GLH) priority_lighthouses(h);
  begin(h, I);
  while (!hmc_over(h) && h->F.count > 0 && !h->proved) {
    paths_turn(h);
    if (!h->proved) traverse_turn(h);
  }
}
