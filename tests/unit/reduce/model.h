// SPDX-License-Identifier: Apache-2.0
// Models from Murphi text, and permuting their states the slow and plain way, leaf by leaf.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "front/murphi/murphi.h"
#include "ir/ir.h"
#include "reduce/reduce.h"

static inline struct ir_model *load(const char *text) {
  struct diag d = {0};
  struct source *s = source_from_text("test.m", text, strlen(text));
  struct ir_model *m = murphi_load(s, NULL, 0, 1000, &d);
  if (!m) fail_msg("%s", d.count ? d.entries[0].message : "does not load");
  diag_clear(&d);
  return m;
}

// A permutation of each scalarset: to[type id][rank] is the rank that an element gets.
struct permutation {
  const struct ir_model *m;
  uint32_t **to;
};

static inline bool is_set(const struct ir_type *t) { return t->kind == IR_TYPE_SCALARSET; }

static inline struct permutation identity(const struct ir_model *m) {
  struct permutation p = {m, calloc(m->types.count, sizeof *p.to)};
  for (size_t i = 0; i < m->types.count; i++) {
    if (!is_set(m->types.data[i])) continue;
    uint64_t n = ir_type_count(m->types.data[i]);
    p.to[i] = calloc(n, sizeof **p.to);
    for (uint32_t k = 0; k < n; k++) p.to[i][k] = k;
  }
  return p;
}

static inline void permutation_clear(struct permutation *p) {
  for (size_t i = 0; i < p->m->types.count; i++) free(p->to[i]);
  free(p->to);
}

// The next arrangement of to[0..n-1] in lexicographic order; false after the last, which becomes
// the first.
static inline bool next_arrangement(uint32_t *to, uint64_t n) {
  uint64_t i = n - 1;
  while (i > 0 && to[i - 1] > to[i]) i--;
  for (uint64_t a = i, b = n - 1; a < b; a++, b--) {
    uint32_t t = to[a];
    to[a] = to[b];
    to[b] = t;
  }
  if (i == 0) return false;
  uint64_t k = i;
  while (to[k] < to[i - 1]) k++;
  uint32_t t = to[k];
  to[k] = to[i - 1];
  to[i - 1] = t;
  return true;
}

static inline bool next_permutation(struct permutation *p) {
  for (size_t i = 0; i < p->m->types.count; i++)
    if (p->to[i] && next_arrangement(p->to[i], ir_type_count(p->m->types.data[i]))) return true;
  return false;
}

static inline int64_t permuted_value(const struct permutation *p, const struct ir_type *t,
                                     int64_t v) {
  if (v == IR_UNDEF) return v;
  if (is_set(t) && !p->to[t->id]) return v;
  if (is_set(t)) return ir_type_value(t, p->to[t->id][ir_type_rank(t, v)]);
  for (uint32_t i = 0; t->kind == IR_TYPE_UNION && i < t->part_count; i++)
    if (ir_type_has(t->parts[i], v)) return permuted_value(p, t->parts[i], v);
  return v;
}

static inline bool is_multiset(const struct ir_type *t) {
  return t->kind == IR_TYPE_ARRAY && t->elem->kind == IR_TYPE_RECORD && t->elem->field_count == 2 &&
         strcmp(t->elem->fields[0].name, "valid") == 0;
}

static inline int compare_slots(const struct ir_layout *l, const uint64_t *state, uint64_t a,
                                uint64_t b, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    uint64_t x = ir_leaf_code(&l->leaf[a + i], state), y = ir_leaf_code(&l->leaf[b + i], state);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

static inline void bubble(const struct ir_layout *l, const struct ir_type *t, uint64_t leaf,
                          uint64_t *state) {
  uint64_t n = t->elem->leaves;
  for (uint64_t end = t->leaves; end > n; end -= n)
    for (uint64_t a = leaf; a + n < leaf + end; a += n) {
      if (compare_slots(l, state, a, a + n, n) <= 0) continue;
      for (uint64_t i = 0; i < n; i++) {
        uint64_t x = ir_leaf_code(&l->leaf[a + i], state);
        ir_leaf_set_code(&l->leaf[a + i], state, ir_leaf_code(&l->leaf[a + n + i], state));
        ir_leaf_set_code(&l->leaf[a + n + i], state, x);
      }
    }
}

// Sorts all multisets inside, inner ones first.
static inline void sort_all(const struct ir_model *m, const struct ir_type *t, uint64_t leaf,
                            uint64_t *state) {
  if (t->kind == IR_TYPE_RECORD)
    for (uint32_t i = 0; i < t->field_count; i++)
      sort_all(m, t->fields[i].type, leaf + t->fields[i].leaf, state);
  if (t->kind != IR_TYPE_ARRAY) return;
  for (uint64_t i = 0; i < t->leaves; i += t->elem->leaves) sort_all(m, t->elem, leaf + i, state);
  if (is_multiset(t)) bubble(m->layout, t, leaf, state);
}

static inline void sort_state(const struct ir_model *m, uint64_t *state) {
  for (size_t i = 0; i < m->vars.count; i++)
    sort_all(m, m->vars.data[i]->type, m->vars.data[i]->first_leaf, state);
}

static inline void move(const struct permutation *p, const struct ir_type *t, uint64_t from,
                        uint64_t to, const uint64_t *state, uint64_t *image) {
  const struct ir_leaf *leaf = p->m->layout->leaf;
  if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++)
      move(p, t->fields[i].type, from + t->fields[i].leaf, to + t->fields[i].leaf, state, image);
  } else if (t->kind == IR_TYPE_ARRAY) {
    for (uint64_t i = 0; i < ir_type_count(t->index); i++) {
      int64_t v = permuted_value(p, t->index, ir_type_value(t->index, i));
      uint64_t n = t->elem->leaves;
      move(p, t->elem, from + i * n, to + ir_type_rank(t->index, v) * n, state, image);
    }
  } else {
    int64_t v = permuted_value(p, t, ir_leaf_get(&leaf[from], state));
    ir_leaf_set(&leaf[to], image, v);
  }
}

static inline void permute(const struct permutation *p, const uint64_t *state, uint64_t *image) {
  memset(image, 0, p->m->layout->words * sizeof *image);
  for (size_t i = 0; i < p->m->vars.count; i++) {
    const struct ir_var *v = p->m->vars.data[i];
    move(p, v->type, v->first_leaf, v->first_leaf, state, image);
  }
  sort_state(p->m, image);
}

// --- sets of states, for counting ---

struct states {
  size_t words, count, capacity;
  uint64_t *data;
  uint32_t *slot; // 0: empty, else number + 1
};

static inline size_t states_probe(const struct states *s, const uint64_t *state) {
  size_t at = hash_words(state, s->words) & (s->capacity - 1);
  while (s->slot[at] && memcmp(s->data + (s->slot[at] - 1) * s->words, state, s->words * 8) != 0)
    at = (at + 1) & (s->capacity - 1);
  return at;
}

static inline void states_init(struct states *s, size_t words, size_t capacity) {
  *s = (struct states){.words = words, .capacity = capacity};
  s->data = calloc(capacity, words * 8);
  s->slot = calloc(capacity, sizeof *s->slot);
}

static inline bool states_add(struct states *s, const uint64_t *state) {
  size_t at = states_probe(s, state);
  if (s->slot[at]) return false;
  assert_true(s->count < s->capacity / 2);
  memcpy(s->data + s->count * s->words, state, s->words * 8);
  s->slot[at] = (uint32_t)++s->count;
  return true;
}

static inline void states_clear(struct states *s) {
  free(s->data);
  free(s->slot);
}
