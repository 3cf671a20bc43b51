// SPDX-License-Identifier: Apache-2.0
// How much a state promises: less is more. Private to the room.
#pragma once

#include "search/common.h"
#include "sys/sys.h"

struct heuristic {
  enum search_heuristic kind;
  struct sys_out out; // successors of the state: what is enabled
  uint8_t *weight;    // HEURISTIC_AUTO: per rule instance
};

void heuristic_init(struct heuristic *h, struct search *s);
void heuristic_clear(struct heuristic *h);
size_t heuristic_bytes(const struct heuristic *h);
// Where the user's expression cannot be evaluated, or the table says never, the state promises
// least.
int64_t heuristic_value(struct heuristic *h, struct search_worker *w, const uint64_t *state);
