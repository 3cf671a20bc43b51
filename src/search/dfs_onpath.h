// SPDX-License-Identifier: Apache-2.0
// The states on the path of a depth-first search, as a set of their hashes: two states with the
// same one are taken for one, which costs a partial order reduction a little and harms nothing.
// Private to the room.
#pragma once

#include "base/base.h"

struct onpath;
struct onpath *onpath_new(void);
void onpath_free(struct onpath *p);
size_t onpath_bytes(const struct onpath *p);

void onpath_add(struct onpath *p, const uint64_t *state, size_t words);
void onpath_remove(struct onpath *p, const uint64_t *state, size_t words); // it was added
bool onpath_has(const struct onpath *p, const uint64_t *state, size_t words);
