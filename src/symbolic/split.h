// SPDX-License-Identifier: Apache-2.0
// Private to the room: the steps of a single synchronous move, once more, by which leaves they
// change.
#pragma once

#include "symbolic/steps_own.h"

struct split;
struct split *split_new(struct steps *t); // of which there is one move
void split_free(struct split *p);
dd split_image(struct split *p, dd from); // successors, nothing assumed of them
// Another way to make images than by the whole move, which has just made so many nodes: kinds are
// used where they make fewer.
typedef dd split_other(void *context, dd from);
void split_against(struct split *p, split_other *image, void *context, size_t made);
size_t split_kinds(const struct split *p); // in use; 0: it does not pay, or not yet
