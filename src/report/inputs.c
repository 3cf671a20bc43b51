// SPDX-License-Identifier: Apache-2.0
// The values that a C program is given on its way to a violation: the choices of the steps, in the
// order of the calls. Of the step that fails only those that it comes to.
#include "report/format.h"
#include "report/program.h"
#include "report/report.h"

#include "ir/ir.h"

// ---------------------------------------------------------------------------------------------
// How far a step that fails comes

// The last choice, of those in [first, end), that the expression speaks of, and one; 0: of none.
static uint32_t last_choice(const struct ir_expr *e, uint32_t first, uint32_t end) {
  uint32_t last = 0;
  if (e == NULL) return 0;
  if (e->op == IR_LOCAL && e->local->id >= first && e->local->id < end)
    last = e->local->id - first + 1;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    uint32_t below = last_choice(e->args[i], first, end);
    if (below > last) last = below;
  }
  return last;
}

static bool expr_fails_at(const struct ir_expr *e, uint32_t site) {
  if (e == NULL) return false;
  if (e->site != 0 && site >= e->site && site <= e->site + 1) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (expr_fails_at(e->args[i], site)) return true;
  return false;
}

bool program_fails_at(const struct ir_stmt *s, uint32_t site) {
  if (s->site == site || expr_fails_at(s->expr, site) || expr_fails_at(s->lhs, site)) return true;
  for (const struct ir_stmt *b = s->body; b != NULL; b = b->next)
    if (program_fails_at(b, site)) return true;
  for (const struct ir_stmt *b = s->other; b != NULL; b = b->next)
    if (program_fails_at(b, site)) return true;
  for (const struct ir_case *c = s->cases; c != NULL; c = c->next)
    for (const struct ir_stmt *b = c->body; b != NULL; b = b->next)
      if (program_fails_at(b, site)) return true;
  return false;
}

static void raise(uint32_t *last, uint32_t to) {
  if (to > *last) *last = to;
}

static uint32_t last_of(const struct ir_stmt *s, uint32_t first, uint32_t end) {
  uint32_t last = last_choice(s->expr, first, end);
  raise(&last, last_choice(s->lhs, first, end));
  for (const struct ir_stmt *b = s->body; b != NULL; b = b->next)
    raise(&last, last_of(b, first, end));
  for (const struct ir_stmt *b = s->other; b != NULL; b = b->next)
    raise(&last, last_of(b, first, end));
  for (const struct ir_case *c = s->cases; c != NULL; c = c->next)
    for (const struct ir_stmt *b = c->body; b != NULL; b = b->next)
      raise(&last, last_of(b, first, end));
  return last;
}

// Is the call in the line that fails? Then it may come first: a[i] = next().
static bool is_beside(const struct ir_local *l, struct span failure) {
  return l->span.source == failure.source && l->span.line == failure.line;
}

// How many of the rule's choices were made when it fails at that site.
static uint32_t choices_until(const struct ir_model *m, const struct ir_rule *r, uint32_t site) {
  uint32_t first = r->param_count, end = first + r->choice_count, last = 0;
  for (const struct ir_stmt *s = r->body; s != NULL; s = s->next) {
    raise(&last, last_of(s, first, end));
    if (program_fails_at(s, site)) break;
    if (s->next == NULL) last = r->choice_count;
  }
  struct span failure = m->sites.data[site].span;
  while (last < r->choice_count && is_beside(r->frame.locals[first + last], failure)) last++;
  return last;
}

// ---------------------------------------------------------------------------------------------

static void add_step(struct report_inputs *in, const struct trace *t, const struct ir_rule *r,
                     uint32_t choice, size_t step, uint32_t count) {
  int64_t *values = mem_zalloc(r->choice_count + 1, sizeof *values);
  trace_choices(t, r, choice, values);
  for (uint32_t i = 0; i < count; i++) {
    const struct ir_local *l = r->frame.locals[r->param_count + i];
    if (l->input == NULL) continue;
    struct report_input input = {l->input, l->name, l->type, values[i], l->span, step};
    VEC_PUSH(&in->list, input);
  }
  mem_free(values);
}

void report_inputs_init(struct report_inputs *in, const struct ir_model *m, const struct trace *t) {
  *in = (struct report_inputs){0};
  const struct ir_rule *start = format_rule(m, true, t->start_instance);
  add_step(in, t, start, t->start_choice, REPORT_INPUT_START, start->choice_count);
  for (size_t i = 0; i < t->steps.count; i++) {
    const struct ir_rule *r = format_rule(m, false, t->steps.data[i].instance);
    bool fails = t->end == TRACE_SITE && !t->in_property && i + 1 == t->steps.count;
    uint32_t count = fails ? choices_until(m, r, t->id) : r->choice_count;
    add_step(in, t, r, t->steps.data[i].choice, i, count);
  }
}

void report_inputs_clear(struct report_inputs *in) { VEC_CLEAR(&in->list); }
