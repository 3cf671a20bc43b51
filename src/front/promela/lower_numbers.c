// SPDX-License-Identifier: Apache-2.0
// Which channels a variable may stand for: the values of bytes, mtypes and channel names, as far as
// they come from constants by way of assignments, messages and arguments, over all seats and in any
// order. So a statement on a channel that is passed around meets only those it may be about.
#include "front/promela/lower.h"

static const struct numbers anything = {.any = true};

static bool merge(struct numbers *into, const struct numbers *from) {
  if (into->any) return false;
  bool is_new = from->any;
  for (int i = 0; i < 4; i++) is_new = is_new || (from->bits[i] & ~into->bits[i]);
  if (from->any) *into = anything;
  for (int i = 0; i < 4; i++) into->bits[i] |= from->bits[i];
  return is_new;
}

static void add(struct numbers *n, int64_t v) {
  n->bits[(v & 255) / 64] |= UINT64_C(1) << (v & 63);
}

bool lower_has_number(const struct numbers *n, uint32_t v) {
  return n->any || (n->bits[v / 64] >> (v % 64) & 1);
}

bool lower_may_be(const struct numbers *n, const struct channel *c) {
  for (uint32_t i = 0; i < c->count; i++)
    if (lower_has_number(n, c->first + i)) return true;
  return false;
}

static bool is_byte(const struct pml_type *t) {
  return t->base == AST_BYTE || t->base == AST_PID || t->base == AST_MTYPE || t->base == AST_CHAN;
}

// --- where values are kept ---

static struct numbers *variable(struct lower *w, const struct pml_symbol *s) {
  if (s->kind == PML_FIELD || s->builtin != PML_NOT_BUILTIN || !is_byte(&s->type)) return NULL;
  if (s->in_c && s->type.base != AST_CHAN) return NULL; // C may put anything there
  if (s->owner < 0) return &w->global_numbers[s->id];
  if (!w->seat || (int32_t)w->seat->proc->number != s->owner) return NULL;
  return &w->seats.data[w->seat->number]->numbers[s->id];
}

static struct numbers *message_field(struct channel *c, uint32_t i) {
  return i < c->decl->field_count && is_byte(&c->decl->fields[i]) ? &c->numbers[i] : NULL;
}

static bool is_plain(const struct ast_expr *e) {
  return e->op == AST_REF && e->sym && !(e->arg_count > 1 && e->args[1]);
}

struct numbers lower_numbers_of(struct lower *w, const struct ast_expr *e) {
  struct numbers n = {0};
  int64_t v;
  if (lower_static(w, e, &v)) {
    add(&n, v);
    return n;
  }
  if (e->op == AST_COND) {
    struct numbers a = lower_numbers_of(w, e->args[1]), b = lower_numbers_of(w, e->args[2]);
    merge(&a, &b);
    return a;
  }
  const struct numbers *kept = is_plain(e) ? variable(w, e->sym) : NULL;
  return kept ? *kept : anything;
}

// --- one statement ---

static bool into(struct lower *w, const struct ast_expr *to, const struct numbers *n) {
  struct numbers *kept = is_plain(to) ? variable(w, to->sym) : NULL;
  return kept && merge(kept, n);
}

static bool message(struct lower *w, const struct ast_stmt *s) {
  struct numbers which = lower_numbers_of(w, s->lhs), n;
  bool changed = false;
  for (size_t k = 0; k < w->channels.count; k++) {
    struct channel *c = &w->channels.data[k];
    for (uint32_t i = 0; lower_may_be(&which, c) && i < s->arg_count; i++) {
      struct numbers *f = message_field(c, i);
      n = s->kind == AST_SEND ? lower_numbers_of(w, s->args[i]) : f ? *f : anything;
      changed |= s->kind == AST_SEND ? f && merge(f, &n) : into(w, s->args[i], &n);
    }
  }
  return changed;
}

static bool runs(struct lower *w, const struct ast_expr *e) {
  bool changed = false;
  for (uint32_t i = 0; e && i < e->arg_count; i++) changed |= runs(w, e->args[i]);
  if (!e || e->op != AST_RUN) return changed;
  for (size_t k = 0; k < w->seats.count; k++) {
    struct seat *s = w->seats.data[k];
    if (s->proc->number != e->index) continue;
    uint32_t arg = 0;
    for (uint32_t i = 0; i < s->proc->param_count && arg < e->arg_count; i++) {
      const struct pml_symbol *p = s->proc->locals.data[i];
      struct numbers n = is_byte(&p->type) ? lower_numbers_of(w, e->args[arg]) : anything;
      changed |= merge(&s->numbers[i], &n);
      arg += lower_arg_count(w, p);
    }
  }
  return changed;
}

static bool statement(struct lower *w, const struct ast_stmt *s) {
  if (s->kind == AST_SEND || s->kind == AST_RECEIVE) return message(w, s);
  bool changed = runs(w, s->expr);
  if (s->kind != AST_ASSIGN) return changed;
  struct numbers n = lower_numbers_of(w, s->expr);
  return into(w, s->lhs, &n) || changed;
}

static bool graph(struct lower *w, const struct pml_graph *g) {
  bool changed = false;
  for (size_t i = 0; i < g->edges.count; i++) {
    const struct pml_edge *e = &g->edges.data[i];
    if (e->kind == PML_EDGE_D_STEP) changed |= graph(w, e->inner);
    if (e->kind == PML_EDGE_STMT && e->stmt) changed |= statement(w, e->stmt);
  }
  return changed;
}

// --- the start ---

static bool initial(struct lower *w, const struct pml_symbol *s, uint32_t channel,
                    struct numbers *n) {
  if (n->any) return false;
  bool changed = false;
  add(n, 0); // before it is given anything, and when it is no longer needed
  for (uint32_t i = 0; s->channel && i < w->channels.data[channel].count; i++)
    add(n, w->channels.data[channel].first + i);
  for (uint32_t i = 0; i < s->init_count; i++) {
    struct numbers v = lower_numbers_of(w, s->init[i]);
    changed |= merge(n, &v);
  }
  return changed;
}

void lower_numbers(struct lower *w) {
  struct arena *a = w->m->arena;
  w->global_numbers = ARENA_ARRAY(a, struct numbers, w->prog->globals.count);
  for (size_t i = 0; i < w->channels.count; i++) {
    struct channel *c = &w->channels.data[i];
    c->numbers = ARENA_ARRAY(a, struct numbers, c->decl->field_count);
  }
  for (size_t i = 0; i < w->prog->globals.count; i++)
    initial(w, w->prog->globals.data[i], w->global_channel.data[i], &w->global_numbers[i]);
  for (size_t k = 0; k < w->seats.count; k++) {
    struct seat *s = w->seats.data[k];
    w->seat = s;
    s->numbers = ARENA_ARRAY(a, struct numbers, s->proc->locals.count);
    for (uint32_t i = 0; i < s->proc->locals.count; i++)
      initial(w, s->proc->locals.data[i], s->channel[i], &s->numbers[i]);
  }
  for (bool changed = true; changed;) {
    changed = false;
    w->seat = NULL;
    for (size_t i = 0; i < w->prog->globals.count; i++)
      changed |=
          initial(w, w->prog->globals.data[i], w->global_channel.data[i], &w->global_numbers[i]);
    for (size_t k = 0; k < w->seats.count; k++) {
      struct seat *s = w->seats.data[k];
      w->seat = s;
      for (uint32_t i = 0; i < s->proc->locals.count; i++)
        changed |= initial(w, s->proc->locals.data[i], s->channel[i], &s->numbers[i]);
      changed |= graph(w, &w->seat->proc->graph);
    }
  }
  w->seat = NULL;
}
