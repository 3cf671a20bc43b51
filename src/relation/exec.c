// SPDX-License-Identifier: Apache-2.0
// Symbolic execution: cells, the log of what is written to them, branches and how they are joined,
// faults. exec.h says how it works.
#include "relation/exec.h"

#include <stdarg.h>

#define WORK_MAX (UINT64_C(1) << 26) // nodes walked in one execution

// --- life ---

struct exec *exec_new(struct relation *r, const struct relation_config *c, struct text *why) {
  struct exec *e = mem_zalloc(1, sizeof *e);
  const struct ir_layout *l = r->model->layout;
  e->m = r->model;
  e->terms = r->terms;
  e->config = c;
  e->why = why;
  e->yes = term_bool(r->terms, true);
  e->no = term_bool(r->terms, false);
  e->leaf_epoch = e->local_epoch = 1;
  e->initial = mem_zalloc(l->count + 1, sizeof *e->initial);
  for (uint64_t i = 0; i < l->count; i++) {
    e->initial[i].value = term_leaf(e->terms, i, l->leaf[i].type);
    e->initial[i].defined = l->leaf[i].undef ? term_defined(e->terms, i) : e->yes;
  }
  return e;
}

void exec_free(struct exec *e) {
  if (!e) return;
  if (e->scratch) arena_free(e->scratch);
  mem_free(e->initial);
  mem_free(e->cells);
  mem_free(e->known);
  VEC_CLEAR(&e->log);
  VEC_CLEAR(&e->ends);
  VEC_CLEAR(&e->errors);
  VEC_CLEAR(&e->assumes);
  VEC_CLEAR(&e->covers);
  mem_free(e);
}

void exec_begin(struct exec *e, bool start, const struct ir_frame *f, uint32_t fixed) {
  const struct ir_layout *l = e->m->layout;
  if (e->scratch) arena_free(e->scratch);
  e->scratch = arena_new();
  e->base = e->above = e->alive = e->running = e->yes;
  e->branch = e->branches = 1;
  e->log.count = e->ends.count = 0;
  e->errors.count = e->assumes.count = e->covers.count = e->first_error = 0;
  e->depth = 0;
  e->work = 0;
  e->top = 0;
  e->run++;
  exec_push(e, l->count);
  for (uint64_t i = 0; i < l->count; i++)
    exec_fresh(e, i, start ? exec_undefined(e, l->leaf[i].type) : e->initial[i]);
  e->outer = f;
  e->fixed = fixed;
  e->frame = exec_push(e, f->cells);
  exec_init_frame(e, e->frame, f);
}

void exec_refuse(struct exec *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(e->why, format, args);
  va_end(args);
  longjmp(e->boundary, 1);
}

void exec_work(struct exec *e, uint64_t amount) {
  uint64_t before = e->work >> 12;
  e->work += amount;
  if (e->work >> 12 == before) return;
  if (e->work > WORK_MAX) exec_refuse(e, "a rule has too many ways to be followed all at once");
  if (e->config->terms_max && terms_count(e->terms) > e->config->terms_max)
    exec_refuse(e, "it takes more than %zu terms", e->config->terms_max);
  if (e->config->goes_on && !e->config->goes_on(e->config->context)) exec_refuse(e, "interrupted");
}

// --- cells ---

size_t exec_push(struct exec *e, size_t count) {
  size_t at = e->top;
  e->top += count;
  if (e->top <= e->capacity) return at;
  while (e->capacity < e->top) e->capacity = e->capacity ? 2 * e->capacity : 64;
  e->cells = mem_realloc(e->cells, e->capacity * sizeof *e->cells);
  return at;
}

void exec_fresh(struct exec *e, size_t at, struct pair p) {
  e->cells[at] = (struct cell){.now = p, .stamp = e->branch};
}

void exec_write(struct exec *e, size_t at, struct pair p) {
  struct cell *c = &e->cells[at];
  if (c->now.value == p.value && c->now.defined == p.defined) return;
  if (c->stamp != e->branch) {
    struct change old = {.cell = at, .pair = c->now, .stamp = c->stamp};
    VEC_PUSH(&e->log, old);
    c->stamp = e->branch;
  }
  c->now = p;
  if (at < e->m->layout->count)
    e->leaf_epoch++;
  else
    e->local_epoch++;
}

struct pair exec_undefined(struct exec *e, const struct ir_type *t) {
  bool can = ir_type_can_undef(t);
  return (struct pair){term_const(e->terms, can ? t->lo : 0), can ? e->no : e->yes};
}

void exec_undefine(struct exec *e, size_t at, const struct ir_type *t) {
  if (t->kind == IR_TYPE_ARRAY) {
    for (uint64_t i = 0; i < t->leaves; i += t->elem->leaves) exec_undefine(e, at + i, t->elem);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++)
      exec_undefine(e, at + t->fields[i].leaf, t->fields[i].type);
  } else {
    exec_fresh(e, at, exec_undefined(e, t));
  }
}

void exec_init_frame(struct exec *e, size_t base, const struct ir_frame *f) {
  for (uint32_t i = 0; i < f->count; i++) {
    const struct ir_local *l = f->locals[i];
    if (l->kind == IR_LOCAL_PLAIN) exec_undefine(e, base + l->cell, l->type);
    if (l->kind == IR_LOCAL_BOUND) exec_fresh(e, base + l->cell, (struct pair){e->no, e->yes});
  }
}

void exec_bind(struct exec *e, const struct ir_local *l, const struct term *value) {
  exec_fresh(e, e->frame + l->cell, (struct pair){value, e->yes});
  e->local_epoch++;
}

// --- branches ---

int exec_decided(struct exec *e, const struct term *when) {
  if (when->op == TERM_CONST) return when->value != 0;
  if (term_is(term_and(e->terms, e->base, when), 0)) return 0;
  if (term_is(term_and(e->terms, e->base, term_not(e->terms, when)), 0)) return 1;
  return -1;
}

static void enter(struct exec *e, const struct branch *b, const struct term *when) {
  e->base = term_and(e->terms, b->base, when);
  e->above = term_and(e->terms, b->above, b->alive);
  e->alive = e->running = e->yes;
  e->branch = ++e->branches;
}

void exec_open(struct exec *e, struct branch *b, const struct term *when) {
  *b = (struct branch){.when = when,
                       .base = e->base,
                       .above = e->above,
                       .alive = e->alive,
                       .running = e->running,
                       .branch = e->branch,
                       .mark = e->log.count,
                       .first = e->ends.count};
  enter(e, b, when);
}

// Takes back what was written since the mark, and keeps it in `ends`.
static void take_back(struct exec *e, size_t mark) {
  for (size_t i = mark; i < e->log.count; i++) {
    const struct change *old = &e->log.data[i];
    struct cell *c = &e->cells[old->cell];
    struct change end = {.cell = old->cell, .pair = c->now};
    VEC_PUSH(&e->ends, end);
    c->now = old->pair;
    c->stamp = old->stamp;
  }
  if (e->log.count > mark) {
    e->leaf_epoch++;
    e->local_epoch++;
  }
  e->log.count = mark;
}

void exec_turn(struct exec *e, struct branch *b) {
  take_back(e, b->mark);
  b->second = e->ends.count;
  b->then_alive = e->alive;
  b->then_running = e->running;
  enter(e, b, term_not(e->terms, b->when));
}

struct pair exec_choose(struct exec *e, const struct term *when, struct pair p, struct pair q) {
  struct pair r = {.defined = term_ite(e->terms, when, p.defined, q.defined)};
  if (term_is(p.defined, 0))
    r.value = q.value;
  else if (term_is(q.defined, 0))
    r.value = p.value;
  else
    r.value = term_ite(e->terms, when, p.value, q.value);
  return r;
}

struct joint { // how two ways are joined: where one leads nowhere only the other one counts
  const struct term *when;
  bool dead_then, dead_else;
};

static const struct term *join_terms(struct exec *e, const struct joint *j, const struct term *a,
                                     const struct term *b) {
  return j->dead_then ? b : j->dead_else ? a : term_ite(e->terms, j->when, a, b);
}

static void join_cell(struct exec *e, const struct joint *j, size_t at, struct pair p,
                      struct pair q) {
  e->cells[at].other = 0;
  exec_write(e, at, j->dead_then ? q : j->dead_else ? p : exec_choose(e, j->when, p, q));
}

// The ends of the first way lie in `ends` from first on, those of the second from second on.
static void join_cells(struct exec *e, const struct joint *j, size_t first, size_t second) {
  for (size_t i = second; i < e->ends.count; i++)
    e->cells[e->ends.data[i].cell].other = (uint32_t)i + 1;
  for (size_t i = first; i < second; i++) {
    struct change end = e->ends.data[i];
    const struct cell *c = &e->cells[end.cell];
    join_cell(e, j, end.cell, end.pair, c->other ? e->ends.data[c->other - 1].pair : c->now);
  }
  for (size_t i = second; i < e->ends.count; i++) {
    struct change end = e->ends.data[i];
    if (e->cells[end.cell].other) join_cell(e, j, end.cell, e->cells[end.cell].now, end.pair);
  }
  e->ends.count = first;
}

void exec_close(struct exec *e, struct branch *b) {
  struct joint j = {b->when, term_is(b->then_alive, 0), exec_dead(e)};
  const struct term *alive = term_ite(e->terms, b->when, b->then_alive, e->alive);
  const struct term *running = join_terms(e, &j, b->then_running, e->running);
  take_back(e, b->mark);
  e->base = b->base;
  e->above = b->above;
  e->branch = b->branch;
  e->alive = term_and(e->terms, b->alive, alive);
  e->running = term_and(e->terms, b->running, running);
  join_cells(e, &j, b->first, b->second);
}

// --- what ends a way ---

bool exec_dead(const struct exec *e) { return term_is(e->alive, 0) || term_is(e->above, 0); }

void exec_add_error(struct exec *e, struct relation_error x) {
  for (size_t i = e->first_error; i < e->errors.count; i++)
    if (e->errors.data[i].site == x.site) {
      e->errors.data[i].when = term_or(e->terms, e->errors.data[i].when, x.when);
      e->errors.data[i].alone = term_or(e->terms, e->errors.data[i].alone, x.alone);
      return;
    }
  VEC_PUSH(&e->errors, x);
}

enum { KNOWN_MAX = 500 }; // conditions to look at

static bool among(const struct term *all, const struct term *x, int *left) {
  if (all == x) return true;
  if (all->op != TERM_AND || --*left < 0) return false;
  return among(all->arg[0], x, left) || among(all->arg[1], x, left);
}

// Does it hold wherever we are still here? If each of its pieces was assumed, or asked for before.
static bool known_here(const struct exec *e, const struct term *x) {
  int left = KNOWN_MAX;
  if (x->op == TERM_AND) return known_here(e, x->arg[0]) && known_here(e, x->arg[1]);
  return among(e->alive, x, &left) || among(e->above, x, &left) || among(e->base, x, &left);
}

static bool excluded_here(const struct exec *e, const struct term *x) {
  if (x->op == TERM_AND) return excluded_here(e, x->arg[0]) || excluded_here(e, x->arg[1]);
  return known_here(e, term_not(e->terms, x));
}

// An error that was met before, from nowhere, is met here.
void exec_fail(struct exec *e, struct relation_error x) {
  if (excluded_here(e, x.when)) return;
  const struct term *alone = term_and(e->terms, e->base, x.alone);
  const struct term *here = term_and(e->terms, e->base, x.when);
  if (term_is(here, 0)) return;
  const struct term *alive = term_and(e->terms, e->above, e->alive);
  here = term_and(e->terms, alive, here);
  if (term_is(here, 0)) return;
  exec_add_error(e, (struct relation_error){x.site, here, alone});
  e->alive = term_and(e->terms, e->alive, term_not(e->terms, x.when));
}

void exec_fault(struct exec *e, const struct term *when, uint32_t site) {
  exec_fail(e, (struct relation_error){site, when, when});
}

// Pieces hold in a conjunction: none needs to know of those before it, nor of faults, which end the
// step anyhow.
void exec_assume(struct exec *e, const struct term *that) {
  if (that->op == TERM_AND) {
    exec_assume(e, that->arg[0]);
    exec_assume(e, that->arg[1]);
    return;
  }
  const struct term *piece = term_or(e->terms, term_not(e->terms, e->base), that);
  if (!term_is(piece, 1)) VEC_PUSH(&e->assumes, piece);
  e->alive = term_and(e->terms, e->alive, that);
}
