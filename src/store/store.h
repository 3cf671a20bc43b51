// SPDX-License-Identifier: Apache-2.0
// Sets of packed states. An id, once handed out, never moves, so traces may keep it.
#pragma once

#include "base/base.h"

struct store;

// What to remember beside each state; asked for by name.
struct store_config {
  const char *kind;     // "exact", "tree", "fingerprint", "bitstate"
  size_t words;         // 64-bit words of a packed state
  size_t bytes;         // of them in use
  size_t bits;          // of the bytes in use, from the first on; 0 = all
  size_t payload_bytes; // per state, zeroed; 0 = none
  size_t mem_bytes_max; // 0 = no limit
  uint64_t states_max;  // 0 = no limit
  unsigned threads;     // how many writers there may be at once; 0 = 1
  unsigned hash_bits;   // fingerprint: of a fingerprint; 0 = 64
  unsigned hashes;      // bitstate: bits set per state; 0 = 3
};

enum store_answer { STORE_OLD, STORE_NEW, STORE_FULL };

// What a store can tell about itself, for the report.
struct store_facts {
  double load;     // 0..1 of the table that fills up, the fullest of several
  double omission; // at most this likely is it that some reachable state was left out; 0 = exact
  char *sentence;  // what else its user wants to know ("hash factor 93, ..."), or NULL; mem_free it
};

// NULL when no store is of that kind.
struct store *store_new(const struct store_config *c);
bool store_kind_known(const char *kind);
bool store_kind_keeps_states(const char *kind); // of a kind that is known: see store_keeps_states
void store_free(struct store *s);

// Can it give states back? If not, the search keeps those it still needs itself, and ids mean
// nothing (but that STORE_ABSENT is none).
bool store_keeps_states(const struct store *s);
// May it take a new state for an old one? Then a search through it never says `holds`.
bool store_lossy(const struct store *s);
void store_facts(const struct store *s, struct store_facts *f);

// --- one thread (config.threads <= 1) ---

// Ids are consecutive from 0 in order of insertion: in BFS the store is the queue.
enum store_answer store_insert(struct store *s, const uint64_t *words, uint64_t *id);
// A batch: hashes all, prefetches all, then probes all, in order. answers[i], ids[i] for each
// state. Stops at the first state for which there is no room, and returns how many were done.
size_t store_insert_batch(struct store *s, const uint64_t *words, size_t count,
                          enum store_answer *answers, uint64_t *ids);
bool store_find(struct store *s, const uint64_t *words, uint64_t *id);
// A batch of finds: ids[i] is STORE_ABSENT for a state that is not there.
#define STORE_ABSENT UINT64_MAX
void store_find_batch(struct store *s, const uint64_t *words, size_t count, uint64_t *ids);

// --- several threads: each has a writer of its own, made and freed while no other writes ---

// With several, ids are unique and stable, and each writer's go up by blocks: runs of consecutive
// ids with gaps between them. A state that two threads insert at once is new to one of them only.
struct store_writer;
struct store_writer *store_writer_new(struct store *s);
void store_writer_free(struct store_writer *w);
size_t store_write_batch(struct store_writer *w, const uint64_t *words, size_t count,
                         enum store_answer *answers, uint64_t *ids);
void store_seek_batch(struct store_writer *w, const uint64_t *words, size_t count, uint64_t *ids);

// --- any thread, of ids that it was given or that were handed over to it ---

void store_get(const struct store *s, uint64_t id, uint64_t *words);
// States first, first + 1, ... count of them, one after the other.
void store_get_batch(const struct store *s, uint64_t first, size_t count, uint64_t *words);
void *store_payload(struct store *s, uint64_t id); // valid until the next insert
uint64_t store_count(const struct store *s);       // while others write: about
size_t store_memory(const struct store *s);        // bytes held; likewise
// Tells it how many bytes those who use it hold beside it, now and then: the limit is for both when
// it takes a large step.
void store_beside(struct store *s, size_t bytes);
// Tells it how many of its states wait to be expanded, when none is expanded twice: from that it
// sees the end coming, and grows by less.
void store_waiting(struct store *s, uint64_t states);
bool store_check(const struct store *s); // costly: every state is found under its id

// --- to put a store away and take it up again; not bitstate; while nobody writes ---

// What the store keeps of a state: the state itself, or its fingerprint.
size_t store_key_words(const struct store *s);
// Calls `take` for every state, in any order, until it returns false; then false. The key is valid
// during the call. (The id is that of store_payload: fingerprints have ids only with a payload.)
bool store_each(const struct store *s,
                bool (*take)(void *context, uint64_t id, const uint64_t *key), void *context);
// Like a write, with a key that another store of the same config gave.
enum store_answer store_put_key(struct store_writer *w, const uint64_t *key, uint64_t *id);
