// SPDX-License-Identifier: Apache-2.0
// Sets of integer points and relations between them: the one wrapper around isl. A `zset` is the
// caller's, to be given back by zset_drop; arguments stay the caller's. All of one `struct zspace`
// is one thread's.
//
// Work has a limit: an operation that takes more than `operations` gives NULL, and so does whatever
// has a NULL among its arguments; zspace_why tells.
#pragma once

#include "base/base.h"

struct zspace; // a tuple of integers: the numeric leaves, by position
typedef struct isl_set zset;
typedef struct isl_map zmap;

struct zspace *zspace_new(unsigned dimensions, uint64_t operations); // 0: no limit
void zspace_free(struct zspace *z);
const char *zspace_why(const struct zspace *z); // "operations", "memory"
void zspace_operations(struct zspace *z, uint64_t operations); // of each operation from now on
