// SPDX-License-Identifier: Apache-2.0
// Private to presburger*.c, the only files that see isl.
#pragma once

#include "hybrid/presburger.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/mat.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

// False where it is no number of at most 126 bits. Takes v.
bool presburger_number(isl_val *v, zint *out);

static inline zset *presburger_set(isl_basic_set *b) { return isl_set_from_basic_set(b); }

static inline isl_basic_set_list *presburger_polyhedra(const zset *a) {
  return isl_set_get_basic_set_list((zset *)a);
}
