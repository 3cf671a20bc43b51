// SPDX-License-Identifier: Apache-2.0
// Sets of packed states. An id, once handed out, never moves, so traces may keep it.
#pragma once

#include "base/base.h"

struct store;

// What to remember beside each state; asked for by name.
struct store_config {
  const char *kind;     // "exact"
  size_t words;         // 64-bit words of a packed state
  size_t bytes;         // of them in use
  size_t bits;          // of the bytes in use, from the first on; 0 = all
  size_t payload_bytes; // per state, zeroed; 0 = none
  size_t mem_bytes_max; // 0 = no limit
  uint64_t states_max;  // 0 = no limit
};

enum store_answer { STORE_OLD, STORE_NEW, STORE_FULL };

// NULL when no store is of that kind.
struct store *store_new(const struct store_config *c);
bool store_kind_known(const char *kind);
void store_free(struct store *s);

// Ids are consecutive from 0 in order of insertion: in BFS the store is the queue.
enum store_answer store_insert(struct store *s, const uint64_t *words, uint64_t *id);
// A batch: hashes all, prefetches all, then probes all, in order. answers[i], ids[i] for each
// state. Stops at the first state for which there is no room, and returns how many were done.
size_t store_insert_batch(struct store *s, const uint64_t *words, size_t count,
                          enum store_answer *answers, uint64_t *ids);
bool store_find(const struct store *s, const uint64_t *words, uint64_t *id);
// A batch of finds: ids[i] is STORE_ABSENT for a state that is not there.
#define STORE_ABSENT UINT64_MAX
void store_find_batch(const struct store *s, const uint64_t *words, size_t count, uint64_t *ids);
void store_get(const struct store *s, uint64_t id, uint64_t *words);
// States first, first + 1, ... count of them, one after the other.
void store_get_batch(const struct store *s, uint64_t first, size_t count, uint64_t *words);
void *store_payload(struct store *s, uint64_t id); // valid until the next insert
uint64_t store_count(const struct store *s);
size_t store_memory(const struct store *s); // bytes held
bool store_check(const struct store *s);    // costly: every state is found under its id
