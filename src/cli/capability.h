// SPDX-License-Identifier: Apache-2.0
// What there is to choose from, what of it is built, and what may be combined with what.
#pragma once

#include "base/base.h"

struct options;
struct ir_model;

// The sets that options choose from.
enum capability_set {
  CAPABILITY_ENGINE,
  CAPABILITY_SEARCH,
  CAPABILITY_STORE,
  CAPABILITY_SYMMETRY,
  CAPABILITY_POR,
  CAPABILITY_NATIVE,
  CAPABILITY_DEADLOCK,
  CAPABILITY_LANGUAGE,
  CAPABILITY_TRACE,
  CAPABILITY_SETS
};

// The values of a set that work today, in order; NULL past the last.
const char *capability_value(enum capability_set set, size_t i);
// "bfs, dfs"
void capability_list(struct text *out, enum capability_set set, const char *separator);
// Is it a value that is promised but not built?
bool capability_later(enum capability_set set, const char *value);

// One allowed combination of a check.
struct capability {
  const char *engine, *search, *store;
  bool symmetry, por;
  uint64_t threads_max;
  uint32_t kinds; // bit set over enum ir_property_kind: what it can check
};
// The combination for these options, what the user left open picked for the model; NULL and a
// sentence in why when no row of the table allows it.
const struct capability *capability_pick(const struct options *o, struct text *why);
bool capability_checks(const struct capability *c, int property_kind);
