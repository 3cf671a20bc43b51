// SPDX-License-Identifier: Apache-2.0
// The front door of the store: finds the kind, passes calls on to its function table.
#include "store/store.h"

#include "store/kind.h"

#include <string.h>

static const struct store_ops *const kinds[] = {&store_exact, &store_tree, &store_fingerprint,
                                                &store_bitstate};

static const struct store_ops *kind_find(const char *name) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
  return NULL;
}

bool store_kind_known(const char *kind) { return kind_find(kind) != NULL; }

bool store_kind_keeps_states(const char *kind) { return kind_find(kind)->keeps_states; }

struct store *store_new(const struct store_config *c) {
  assert(c->words > 0 && c->bytes <= c->words * 8 && c->bits <= c->bytes * 8);
  const struct store_ops *ops = kind_find(c->kind);
  if (!ops) return NULL;
  struct store *s = ops->make(c);
  s->ops = ops;
  s->config = *c;
  s->config.kind = ops->name;
  return s;
}

void store_free(struct store *s) {
  if (!s) return;
  if (s->own) s->ops->writer_free(s->own);
  s->ops->free(s);
}

bool store_keeps_states(const struct store *s) { return s->ops->keeps_states; }

bool store_lossy(const struct store *s) { return s->ops->lossy; }

void store_facts(const struct store *s, struct store_facts *f) {
  *f = (struct store_facts){0};
  s->ops->facts(s, f);
}

// --- one thread ---

static struct store_writer *own_writer(struct store *s) {
  assert(s->config.threads <= 1);
  if (!s->own) s->own = s->ops->writer_make(s);
  return s->own;
}

enum store_answer store_insert(struct store *s, const uint64_t *words, uint64_t *id) {
  enum store_answer answer;
  return store_insert_batch(s, words, 1, &answer, id) ? answer : STORE_FULL;
}

size_t store_insert_batch(struct store *s, const uint64_t *words, size_t count,
                          enum store_answer *answers, uint64_t *ids) {
  return s->ops->insert_batch(own_writer(s), words, count, answers, ids);
}

bool store_find(struct store *s, const uint64_t *words, uint64_t *id) {
  store_find_batch(s, words, 1, id);
  return *id != STORE_ABSENT;
}

void store_find_batch(struct store *s, const uint64_t *words, size_t count, uint64_t *ids) {
  s->ops->find_batch(own_writer(s), words, count, ids);
}

// --- several threads ---

struct store_writer *store_writer_new(struct store *s) {
  return s->ops->writer_make(s);
}

void store_writer_free(struct store_writer *w) {
  if (w) w->store->ops->writer_free(w);
}

size_t store_write_batch(struct store_writer *w, const uint64_t *words, size_t count,
                         enum store_answer *answers, uint64_t *ids) {
  return w->store->ops->insert_batch(w, words, count, answers, ids);
}

void store_seek_batch(struct store_writer *w, const uint64_t *words, size_t count, uint64_t *ids) {
  w->store->ops->find_batch(w, words, count, ids);
}

// --- any thread ---

void store_get(const struct store *s, uint64_t id, uint64_t *words) {
  store_get_batch(s, id, 1, words);
}

void store_get_batch(const struct store *s, uint64_t first, size_t count, uint64_t *words) {
  assert(s->ops->keeps_states);
  s->ops->get_batch(s, first, count, words);
}

void *store_payload(struct store *s, uint64_t id) {
  assert(s->config.payload_bytes > 0);
  return s->ops->payload(s, id);
}

uint64_t store_count(const struct store *s) { return s->ops->count(s); }

void store_beside(struct store *s, size_t bytes) {
  __atomic_store_n(&s->beside, bytes, __ATOMIC_RELAXED);
}

void store_waiting(struct store *s, uint64_t states) {
  __atomic_store_n(&s->waiting, states, __ATOMIC_RELAXED);
}

size_t store_memory(const struct store *s) { return s->ops->memory(s); }

bool store_check(const struct store *s) { return s->ops->check(s); }

// --- keys ---

size_t store_key_words(const struct store *s) {
  assert(s->ops->each);
  return s->ops->key_words ? s->ops->key_words(s) : s->config.words;
}

bool store_each(const struct store *s,
                bool (*take)(void *context, uint64_t id, const uint64_t *key), void *context) {
  assert(s->ops->each);
  return s->ops->each(s, take, context);
}

enum store_answer store_put_key(struct store_writer *w, const uint64_t *key, uint64_t *id) {
  assert(w->store->ops->each);
  if (w->store->ops->put_key) return w->store->ops->put_key(w, key, id);
  enum store_answer answer;
  return store_write_batch(w, key, 1, &answer, id) ? answer : STORE_FULL;
}
