// SPDX-License-Identifier: Apache-2.0
// Which leaves a rule instance may read and write: a static, conservative walk that knows the
// parameters' values. An index that is not known touches every element.
#include "ir/ir.h"

#include <string.h>

enum call { CALL_NEW, CALL_ACTIVE, CALL_DONE }; // of a function, during a walk

// What a local of the current frame is known to be.
struct known {
  bool has_value;
  int64_t value;
  uint64_t *refs; // first leaves that a reference parameter can stand for
  size_t ref_count;
};

struct walk {
  struct ir_access *a;
  const struct ir_model *m;
  struct known *known; // of the current frame; NULL: nothing is known
  uint64_t *reads;     // where reads go now
  uint8_t *calls;      // per function: enum call
};

struct leaves { // first leaves of the places an lvalue may be; owned
  uint64_t *at;
  size_t count;
};

void ir_access_init(struct ir_access *a, const struct ir_model *m) {
  a->words = m->leaves / 64 + 1;
  a->guard_reads = mem_zalloc(a->words, sizeof(uint64_t));
  a->reads = mem_zalloc(a->words, sizeof(uint64_t));
  a->writes = mem_zalloc(a->words, sizeof(uint64_t));
}

void ir_access_clear(struct ir_access *a) {
  mem_free(a->guard_reads);
  mem_free(a->reads);
  mem_free(a->writes);
  *a = (struct ir_access){0};
}

static void mark(uint64_t *set, uint64_t first, uint64_t count) {
  for (uint64_t i = first; i < first + count; i++) set[i / 64] |= UINT64_C(1) << i % 64;
}

static void mark_all(uint64_t *set, struct leaves l, uint64_t count) {
  for (size_t i = 0; i < l.count; i++) mark(set, l.at[i], count);
}

static void walk_expr(struct walk *w, const struct ir_expr *e);
static void walk_stmts(struct walk *w, const struct ir_stmt *s);

static bool known_value(const struct walk *w, const struct ir_expr *e, int64_t *value) {
  if (ir_expr_const(e, value)) return true;
  if (e->op != IR_LOCAL || !w->known || !w->known[e->local->id].has_value) return false;
  *value = w->known[e->local->id].value;
  return true;
}

static struct leaves leaves_copy(const uint64_t *at, size_t count) {
  struct leaves l = {.at = mem_zalloc(count, sizeof *at), .count = count};
  if (count) memcpy(l.at, at, count * sizeof *at);
  return l;
}

static struct leaves index_leaves(struct walk *w, const struct ir_expr *e, struct leaves base) {
  const struct ir_type *t = e->args[0]->type;
  walk_expr(w, e->args[1]);
  int64_t v;
  if (known_value(w, e->args[1], &v)) {
    if (!ir_type_has(t->index, v)) base.count = 0; // a fault: nothing is touched
    for (size_t i = 0; i < base.count; i++)
      base.at[i] += ir_type_rank(t->index, v) * t->elem->leaves;
    return base;
  }
  uint64_t n = ir_type_count(t->index);
  struct leaves all = {.at = mem_zalloc(base.count * n, sizeof *all.at)};
  for (size_t i = 0; i < base.count; i++)
    for (uint64_t k = 0; k < n; k++) all.at[all.count++] = base.at[i] + k * t->elem->leaves;
  mem_free(base.at);
  return all;
}

// The places of an lvalue (empty for locals); what its indices read is marked.
static struct leaves place_leaves(struct walk *w, const struct ir_expr *e) {
  struct leaves l;
  switch (e->op) {
  case IR_VAR: return leaves_copy(&e->var->first_leaf, 1);
  case IR_LOCAL:
    if (e->local->kind != IR_LOCAL_REF || !w->known) return leaves_copy(NULL, 0);
    return leaves_copy(w->known[e->local->id].refs, w->known[e->local->id].ref_count);
  case IR_INDEX: return index_leaves(w, e, place_leaves(w, e->args[0]));
  case IR_FIELD:
    l = place_leaves(w, e->args[0]);
    for (size_t i = 0; i < l.count; i++) l.at[i] += e->args[0]->type->fields[e->field].leaf;
    return l;
  case IR_ITE: {
    walk_expr(w, e->args[0]);
    l = place_leaves(w, e->args[1]);
    struct leaves other = place_leaves(w, e->args[2]);
    l.at = mem_realloc(l.at, (l.count + other.count) * sizeof *l.at);
    if (other.count) memcpy(l.at + l.count, other.at, other.count * sizeof *l.at);
    l.count += other.count;
    mem_free(other.at);
    return l;
  }
  default: walk_expr(w, e); return leaves_copy(NULL, 0);
  }
}

static void touch(struct walk *w, uint64_t *set, const struct ir_expr *e) {
  struct leaves l = place_leaves(w, e);
  mark_all(set, l, e->type->leaves);
  mem_free(l.at);
}

// Is there anything to be walked? What a function without parameters touches is the same each time;
// with parameters, and called from within, it may touch anything.
static bool enter(struct walk *w, const struct ir_function *f) {
  if (f->param_count == 0) return w->calls[f->id] == CALL_NEW;
  if (w->calls[f->id] != CALL_ACTIVE) return true;
  mark(w->reads, 0, w->m->leaves);
  mark(w->a->writes, 0, w->m->leaves);
  return false;
}

static void walk_call(struct walk *w, const struct ir_expr *e) {
  const struct ir_function *f = e->func;
  if (!enter(w, f)) return;
  struct known *inner = mem_zalloc(f->frame.count, sizeof *inner);
  for (uint32_t i = 0; i < f->param_count; i++) {
    if (f->frame.locals[i]->kind == IR_LOCAL_REF) {
      struct leaves l = place_leaves(w, e->args[i]);
      inner[i].refs = l.at;
      inner[i].ref_count = l.count;
    } else {
      walk_expr(w, e->args[i]);
      inner[i].has_value = known_value(w, e->args[i], &inner[i].value);
    }
  }
  struct known *outer = w->known;
  w->known = inner;
  w->calls[f->id] = CALL_ACTIVE;
  walk_stmts(w, f->body);
  w->calls[f->id] = CALL_DONE;
  w->known = outer;
  for (uint32_t i = 0; i < f->frame.count; i++) mem_free(inner[i].refs);
  mem_free(inner);
}

static void walk_domain(struct walk *w, const struct ir_domain *d) {
  if (!d || d->type) return;
  walk_expr(w, d->lo);
  walk_expr(w, d->hi);
  if (d->step) walk_expr(w, d->step);
}

static void walk_expr(struct walk *w, const struct ir_expr *e) {
  if (!e) return;
  if (e->op == IR_CALL) return walk_call(w, e);
  if (e->op == IR_VAR || e->op == IR_LOCAL || e->op == IR_INDEX || e->op == IR_FIELD)
    return touch(w, w->reads, e);
  walk_domain(w, e->domain);
  for (uint32_t i = 0; i < e->arg_count; i++) walk_expr(w, e->args[i]);
}

static void walk_stmts(struct walk *w, const struct ir_stmt *s) {
  for (; s; s = s->next) {
    walk_expr(w, s->expr);
    if (s->lhs) touch(w, w->a->writes, s->lhs);
    if (s->kind == IR_SORT || s->kind == IR_FOREIGN) touch(w, w->reads, s->lhs);
    walk_domain(w, s->domain);
    walk_stmts(w, s->body);
    walk_stmts(w, s->other);
    for (const struct ir_case *c = s->cases; c; c = c->next) {
      for (uint32_t i = 0; i < c->value_count; i++) walk_expr(w, c->values[i]);
      walk_stmts(w, c->body);
    }
    for (uint32_t i = 0; i < s->part_count; i++) walk_expr(w, s->parts[i].expr);
  }
}

void ir_access_rule(struct ir_access *a, const struct ir_model *m, const struct ir_rule *r,
                    const int64_t *params) {
  struct known *known = mem_zalloc(r->frame.count, sizeof *known);
  for (uint32_t i = 0; i < r->param_count; i++)
    known[i] = (struct known){.has_value = true, .value = params[i]};
  struct walk w = {.a = a, .m = m, .known = known, .reads = a->guard_reads};
  w.calls = mem_zalloc(m->functions.count + 1, 1);
  walk_expr(&w, r->guard);
  w.reads = a->reads; // which include what the guard reads
  walk_stmts(&w, r->body);
  for (size_t i = 0; i < a->words; i++) a->reads[i] |= a->guard_reads[i];
  mem_free(w.calls);
  mem_free(known);
}

void ir_access_expr(struct ir_access *a, const struct ir_model *m, const struct ir_expr *e) {
  struct walk w = {.a = a, .m = m, .reads = a->reads};
  w.calls = mem_zalloc(m->functions.count + 1, 1);
  walk_expr(&w, e);
  mem_free(w.calls);
}
