// SPDX-License-Identifier: Apache-2.0
// What a kind of store fills in. Private to the room. Calls go by the batch, so that the one
// through the table costs nothing per state.
#pragma once

#include "store/store.h"

struct store_ops {
  const char *name;
  struct store *(*make)(const struct store_config *c);
  void (*free)(struct store *s);
  size_t (*insert_batch)(struct store *s, const uint64_t *words, size_t count,
                         enum store_answer *answers, uint64_t *ids);
  void (*find_batch)(const struct store *s, const uint64_t *words, size_t count, uint64_t *ids);
  void (*get_batch)(const struct store *s, uint64_t first, size_t count, uint64_t *words);
  void *(*payload)(struct store *s, uint64_t id);
  size_t (*memory)(const struct store *s);
  bool (*check)(const struct store *s);
};

// Every kind's own struct begins with this.
struct store {
  const struct store_ops *ops;
  struct store_config config;
  uint64_t count;
};

extern const struct store_ops store_exact;
