// SPDX-License-Identifier: Apache-2.0
// Walks two systems of the same model side by side and says where they first differ. Both must give
// the same successors in the same order, with the same steps, faults and bookkeeping.
#include "random/compare.h"

#include "ir/ir.h"
#include "store/store.h"
#include "sys/sys.h"

#include <inttypes.h>
#include <string.h>

struct walk {
  struct sys *a, *b;
  enum compare_how how;
  struct sys_out out_a, out_b;
  struct store *seen;    // states of a
  VEC(uint64_t) words_b; // the state of b that goes with each state of a
  struct compare_count *count;
  struct text *why;
};

static bool __attribute__((format(printf, 2, 3))) differ(struct walk *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(w->why, format, args);
  va_end(args);
  return false;
}

// ---------------------------------------------------------------------------------------------
// Two states, two faults

static bool same_state(struct walk *w, const uint64_t *x, const uint64_t *y, const char *where) {
  const struct ir_model *ma = w->a->model, *mb = w->b->model;
  if (w->how == COMPARE_EXACT && memcmp(x, y, w->a->words * sizeof *x) == 0) return true;
  for (uint64_t leaf = 0; leaf < ma->leaves; leaf++) {
    int64_t u = ir_leaf_get(&ma->layout->leaf[leaf], x),
            v = ir_leaf_get(&mb->layout->leaf[leaf], y);
    if (u == v) continue;
    struct text name = {0};
    ir_leaf_name(&name, ma, leaf);
    differ(w, "%s: %s is %" PRId64 " and %" PRId64, where, text_str(&name), u, v);
    text_clear(&name);
    return false;
  }
  return w->how != COMPARE_EXACT || differ(w, "%s: equal leaves but unequal words", where);
}

static bool same_site(struct walk *w, uint32_t x, uint32_t y, const char *where) {
  const struct ir_model *ma = w->a->model, *mb = w->b->model;
  enum ir_fault fx = ma->sites.data[x].fault, fy = mb->sites.data[y].fault;
  if (fx != fy)
    return differ(w, "%s: fault \"%s\" and \"%s\"", where, ir_fault_name(fx), ir_fault_name(fy));
  if (w->how != COMPARE_KINDS && x != y) return differ(w, "%s: error site %u and %u", where, x, y);
  return true;
}

static bool same_fault(struct walk *w, struct sys_fault x, struct sys_fault y, const char *where) {
  if (x.kind != y.kind || (x.kind != SYS_SITE && x.id != y.id))
    return differ(w, "%s: %d/%u and %d/%u", where, x.kind, x.id, y.kind, y.id);
  return x.kind != SYS_SITE || same_site(w, x.id, y.id, where);
}

// ---------------------------------------------------------------------------------------------
// Two lists of successors

static bool same_step(struct walk *w, size_t i, const char *where) {
  struct sys_step s = w->out_a.steps[i], t = w->out_b.steps[i];
  if (s.instance != t.instance || s.choice != t.choice)
    return differ(w, "%s: step %zu is %u/%u and %u/%u", where, i, s.instance, s.choice, t.instance,
                  t.choice);
  struct text here = {0};
  text_printf(&here, "%s, step %zu ", where, i);
  ir_instance_print(&here, w->a->model, strcmp(where, "starts") == 0, s.instance, s.choice);
  bool same = same_site(w, s.site, t.site, text_str(&here));
  if (same && s.site == 0)
    same = same_state(w, w->out_a.words + i * w->a->words, w->out_b.words + i * w->b->words,
                      text_str(&here));
  if (s.site != 0) w->count->faults++;
  text_clear(&here);
  return same;
}

static bool same_out(struct walk *w, const char *where) {
  struct sys_out *x = &w->out_a, *y = &w->out_b;
  size_t n = x->count < y->count ? x->count : y->count;
  for (size_t i = 0; i < n; i++)
    if (!same_step(w, i, where)) return false;
  if (x->count != y->count)
    return differ(w, "%s: %zu and %zu successors", where, x->count, y->count);
  if (x->fired != y->fired)
    return differ(w, "%s: %" PRIu64 " and %" PRIu64 " rules fired", where, x->fired, y->fired);
  if (x->moved != y->moved) return differ(w, "%s: moved %d and %d", where, x->moved, y->moved);
  for (size_t i = 0; i <= w->a->model->properties.count / 64; i++)
    if (x->covers[i] != y->covers[i])
      return differ(w, "%s: cover statements reached %" PRIx64 " and %" PRIx64, where, x->covers[i],
                    y->covers[i]);
  w->count->steps += x->count;
  w->count->fired += x->fired;
  return true;
}

// ---------------------------------------------------------------------------------------------
// The walk

static bool keep_new(struct walk *w) {
  for (size_t i = 0; i < w->out_a.count; i++) {
    uint64_t id;
    if (w->out_a.steps[i].site != 0) continue;
    if (store_insert(w->seen, w->out_a.words + i * w->a->words, &id) != STORE_NEW) continue;
    for (size_t k = 0; k < w->b->words; k++)
      VEC_PUSH(&w->words_b, w->out_b.words[i * w->b->words + k]);
  }
  return true;
}

static bool same_checks(struct walk *w, const uint64_t *x, const uint64_t *y, const char *where) {
  size_t words = w->a->model->properties.count / 64 + 1;
  uint64_t *bits = mem_zalloc(2 * words, sizeof *bits);
  bool same =
      same_fault(w, w->a->check(w->a, x), w->b->check(w->b, y), where) &&
      same_fault(w, w->a->covers(w->a, x, bits), w->b->covers(w->b, y, bits + words), where);
  if (same && memcmp(bits, bits + words, words * sizeof *bits) != 0)
    same = differ(w, "%s: covers", where);
  uint64_t a = 0, b = 0;
  same = same && same_fault(w, w->a->atoms(w->a, x, &a), w->b->atoms(w->b, y, &b), where);
  if (same && a != b) same = differ(w, "%s: atoms", where);
  if (same && w->a->model->ample.count > 0 && w->a->ample(w->a, x) != w->b->ample(w->b, y))
    same = differ(w, "%s: ample conditions", where);
  if (same && w->a->may_end(w->a, x) != w->b->may_end(w->b, y))
    same = differ(w, "%s: valid ends", where);
  mem_free(bits);
  return same;
}

static bool visit(struct walk *w, uint64_t id, uint64_t *x, uint64_t *y) {
  char where[32];
  snprintf(where, sizeof where, "state %" PRIu64, id);
  store_get(w->seen, id, x);
  memcpy(y, w->words_b.data + id * w->b->words, w->b->words * sizeof *y);
  if (!same_checks(w, x, y, where)) return false;
  sys_out_reset(&w->out_a);
  sys_out_reset(&w->out_b);
  w->a->expand(w->a, x, &w->out_a);
  w->b->expand(w->b, y, &w->out_b);
  return same_out(w, where) && keep_new(w);
}

static bool run(struct walk *w, uint64_t states_max) {
  w->a->starts(w->a, &w->out_a);
  w->b->starts(w->b, &w->out_b);
  bool same = same_out(w, "starts") && keep_new(w);
  uint64_t *x = mem_zalloc(w->a->words + 1, sizeof *x), *y = mem_zalloc(w->b->words + 1, sizeof *y);
  for (uint64_t id = 0; same && id < store_count(w->seen) && id < states_max; id++) {
    same = visit(w, id, x, y);
    w->count->states++;
  }
  if (store_count(w->seen) > states_max) w->count->cut = true;
  mem_free(x);
  mem_free(y);
  return same;
}

bool compare_systems(struct sys *a, struct sys *b, enum compare_how how, uint64_t states_max,
                     struct compare_count *count, struct text *why) {
  struct walk w = {.a = a, .b = b, .how = how, .count = count, .why = why};
  struct store_config c = {.kind = "exact", .words = a->words, .bytes = a->bytes};
  sys_out_init(&w.out_a, a->words, a->model->properties.count);
  sys_out_init(&w.out_b, b->words, b->model->properties.count);
  w.seen = store_new(&c);
  bool same = how != COMPARE_EXACT || a->words == b->words ? run(&w, states_max)
                                                           : differ(&w, "unequal state sizes");
  store_free(w.seen);
  VEC_CLEAR(&w.words_b);
  sys_out_clear(&w.out_a);
  sys_out_clear(&w.out_b);
  return same;
}
