// SPDX-License-Identifier: Apache-2.0
// What no reachable state has: pairs of values of two bits. For engines that look at states bit by
// bit, without diagrams, and are told so what they would have to find out.
#pragma once

#include "base/base.h"

struct relation;

struct exclusive_config {
  const struct relation *relation; // whole or a slice; of a model that passes through no states
  size_t mem_bytes;                // for diagrams; 0: no limit
  size_t made_max;                 // nodes of diagrams made
  bool (*goes_on)(void *context);  // asked now and then; false: it ends. NULL: nobody is asked
  void *context;
};
// A value is 2 * a bit's place in packed states, and one more where the bit is set; a pair is
// first << 32 | second. Twice the same: no state has that value. The list is the caller's, to be
// freed by mem_free; there is none where diagrams are too large for the number of bits. False: the
// limits were reached, and with larger ones it may be found.
bool exclusive_find(const struct exclusive_config *c, uint64_t **pairs, size_t *count);
