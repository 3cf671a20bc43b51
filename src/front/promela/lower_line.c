// SPDX-License-Identifier: Apache-2.0
// What traces and charts show of a rule: one line for each statement in it.
#include "front/promela/lower.h"

static const char *process_name(struct lower *w, const struct seat *s) {
  if (s->proc->priority <= 1) return s->proc->name;
  return arena_printf(w->m->arena, "%s:%lld", s->proc->name, (long long)s->proc->priority);
}

static const struct ast_stmt *message_of(const struct pml_edge *e) {
  if (e->kind == PML_EDGE_D_STEP) e = lower_dstep_receives(e);
  if (!e || e->kind != PML_EDGE_STMT || !e->stmt) return NULL;
  return e->stmt->kind == AST_SEND || e->stmt->kind == AST_RECEIVE ? e->stmt : NULL;
}

static const struct pml_type *type_of(const struct ast_expr *e) {
  static const struct pml_type number = {.base = AST_INT};
  if (e->op == AST_EVAL) e = e->args[0];
  if (e->op == AST_REF && e->sym) return lower_place_type(e, NULL);
  return e->type ? e->type : &number;
}

// The values of a send, in the state before the rule: those of its first line only.
static void add_values(struct lower *w, struct ir_line *l, const struct ast_stmt *s) {
  const struct channel *c = lower_static_channel(w, s->lhs);
  struct message m = {0};
  lower_sent(w, &m, s);
  l->value_count = (uint32_t)m.fields.count;
  l->values = ARENA_ARRAY(w->m->arena, struct ir_expr *, l->value_count);
  l->types = ARENA_ARRAY(w->m->arena, const struct ir_type *, l->value_count);
  for (uint32_t i = 0; i < l->value_count; i++) {
    bool known = c && c->decl->field_count == l->value_count;
    l->values[i] = m.fields.data[i].value;
    const struct pml_type *t = i < s->arg_count ? type_of(s->args[i]) : NULL;
    if (t && t->base == AST_STRUCT) t = NULL;
    l->types[i] = known ? lower_scalar_type(w, &c->decl->fields[i])
                  : t   ? lower_scalar_type(w, t)
                        : w->i32;
  }
  lower_message_clear(&m);
}

static void add_message(struct lower *w, struct ir_line *l, const struct ast_stmt *s, bool first) {
  l->event = s->kind == AST_SEND ? IR_EVENT_SEND : IR_EVENT_RECEIVE;
  l->channel = lower_channel(w, s->lhs).number;
  if (first && s->kind == AST_SEND) add_values(w, l, s);
}

void lower_line(struct lower *w, struct ir_rule *r, const struct seat *s,
                const struct pml_edge *e) {
  struct ir_line *lines = ARENA_ARRAY(w->m->arena, struct ir_line, r->line_count + 1);
  for (uint32_t i = 0; i < r->line_count; i++) lines[i] = r->lines[i];
  struct ir_line *l = &lines[r->line_count];
  *l = (struct ir_line){.text = e->shown,
                        .span = e->span,
                        .process = process_name(w, s),
                        .agent = (int32_t)s->pid,
                        .place = s->proc->graph.states.data[e->from].number};
  const struct seat *outer = w->seat;
  w->seat = s;
  const struct ast_stmt *m = message_of(e);
  if (m) add_message(w, l, m, r->line_count == 0);
  w->seat = outer;
  r->lines = lines;
  r->line_count++;
}
