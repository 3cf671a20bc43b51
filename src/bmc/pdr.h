// SPDX-License-Identifier: Apache-2.0
// IC3, property directed reachability (Bradley; Een, Mishchenko, Brayton): an inductive invariant
// grown clause by clause from states that would lead to a bad one. Private to the room.
#pragma once

#include "bmc/cube.h"
#include "bmc/prove.h"

struct pdr;
struct pdr *pdr_new(const struct prove_config *c, struct text *why);
void pdr_free(struct pdr *p);
// Until about so much work (sat_work) is done.
enum prove_answer pdr_step(struct pdr *p, uint64_t effort);

uint64_t pdr_depth_min(const struct pdr *p); // no bad state is within fewer steps
uint64_t pdr_depth_max(const struct pdr *p); // after VIOLATED: one is within so many
// After HOLDS: no state in these is reachable, and none that is not bad leads into them.
const struct cubes *pdr_invariant(const struct pdr *p);
uint64_t pdr_work(const struct pdr *p);
const struct sat *pdr_sat(const struct pdr *p);
