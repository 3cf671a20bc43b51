// SPDX-License-Identifier: Apache-2.0
// What a kind of store fills in. Private to the room. Calls go by the batch, so that the one
// through the table costs nothing per state.
#pragma once

#include "store/store.h"

struct store_ops {
  const char *name;
  bool keeps_states, lossy;
  struct store *(*make)(const struct store_config *c);
  void (*free)(struct store *s); // after its writers
  struct store_writer *(*writer_make)(struct store *s);
  void (*writer_free)(struct store_writer *w);
  size_t (*insert_batch)(struct store_writer *w, const uint64_t *words, size_t count,
                         enum store_answer *answers, uint64_t *ids);
  void (*find_batch)(struct store_writer *w, const uint64_t *words, size_t count, uint64_t *ids);
  void (*get_batch)(const struct store *s, uint64_t first, size_t count, uint64_t *words);
  void *(*payload)(struct store *s, uint64_t id);
  uint64_t (*count)(const struct store *s);
  size_t (*memory)(const struct store *s);
  void (*facts)(const struct store *s, struct store_facts *f);
  bool (*check)(const struct store *s);
  // A store that keeps states has them for keys, and a key is put like a state: it needs only the
  // last of these. One that has none of them cannot be put away.
  size_t (*key_words)(const struct store *s);
  enum store_answer (*put_key)(struct store_writer *w, const uint64_t *key, uint64_t *id);
  bool (*each)(const struct store *s, bool (*take)(void *context, uint64_t id, const uint64_t *key),
               void *context);
};

// Every kind's own struct begins with this.
struct store {
  const struct store_ops *ops;
  struct store_config config;
  struct store_writer *own; // of the calls for one thread; made when first needed
  size_t beside;            // bytes that others hold
  uint64_t waiting;         // states that a search has still to expand, if it says so
};

// And every kind's writer with this.
struct store_writer {
  struct store *store;
};

extern const struct store_ops store_exact;
extern const struct store_ops store_tree;
extern const struct store_ops store_fingerprint;
extern const struct store_ops store_bitstate;
