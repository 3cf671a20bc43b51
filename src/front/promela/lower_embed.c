// SPDX-License-Identifier: Apache-2.0
// Embedded C in the IR: what it can see goes into an array of cells, its function runs over them,
// and what it left there goes back, cut to fit. A c_expr is a function of the IR that gives its
// value; what it changes is lost.
#include "front/promela/embed.h"
#include "front/promela/lower.h"

#include <string.h>

// --- memory of c_state and c_track ---

static const struct ir_type *memory_type(struct lower *w, const struct embed_memory *m) {
  struct ir_type *each = ir_type_int(w->m, (uint8_t)(8 * m->bytes), m->is_signed, false);
  if (m->count == 1) return each;
  return ir_type_array(w->m, ir_type_range(w->m, 0, m->count - 1), each);
}

static bool is_global(const struct embed_memory *m) {
  return m->kind == EMBED_GLOBAL || m->kind == EMBED_TRACKED;
}

// Pointers may be called as variables are.
static const char *memory_name(struct lower *w, const struct embed_memory *m) {
  bool taken = false;
  for (size_t i = 0; i < w->m->vars.count; i++)
    taken = taken || strcmp(w->m->vars.data[i]->name, m->name) == 0;
  return arena_printf(w->m->arena, taken ? "c_track(%s)" : "%s", m->name);
}

void lower_c_variables(struct lower *w) {
  for (size_t i = 0; w->embed && i < w->embed->memories.count; i++) {
    const struct embed_memory *m = &w->embed->memories.data[i];
    const struct ir_var *v = NULL;
    if (is_global(m)) v = ir_var_new(w->m, memory_name(w, m), memory_type(w, m), m->span);
    VEC_PUSH(&w->memories, v);
  }
}

uint32_t lower_c_field_count(const struct lower *w, const struct pml_proc *p) {
  uint32_t n = 0;
  for (size_t i = 0; w->embed && i < w->embed->memories.count; i++)
    n += w->embed->memories.data[i].kind == EMBED_LOCAL && w->embed->memories.data[i].proc == p;
  return n;
}

// The n-th memory of a process.
static const struct embed_memory *local_memory(const struct lower *w, const struct pml_proc *p,
                                               uint32_t n) {
  const struct embed_memory *m = w->embed->memories.data;
  for (;; m++)
    if (m->kind == EMBED_LOCAL && m->proc == p && n-- == 0) return m;
}

struct ir_field lower_c_field(struct lower *w, const struct pml_proc *p, uint32_t n) {
  const struct embed_memory *m = local_memory(w, p, n);
  return (struct ir_field){.name = arena_strdup(w->m->arena, m->name), .type = memory_type(w, m)};
}

static struct ir_expr *local_place(struct lower *w, const struct seat *s, uint32_t n) {
  struct ir_expr *var = ir_var_ref(w->m, s->var, s->proc->span);
  return ir_field(w->m, var, (uint32_t)s->c_field + n, s->proc->span);
}

static void start_memory(struct lower *w, const struct embed_memory *m, struct ir_expr *place,
                         struct ir_chain *out) {
  for (uint32_t i = 0; i < m->count; i++) {
    if (m->start[i] == 0) continue;
    struct ir_expr *x =
        m->count == 1 ? place : lower_index(w, place, lower_number(w, i, m->span), m->span);
    lower_assign(w, x, ir_const(w->m, x->type, m->start[i], m->span), out, m->span);
  }
}

void lower_c_start(struct lower *w, struct ir_chain *out) {
  for (size_t i = 0; i < w->memories.count; i++) {
    const struct embed_memory *m = &w->embed->memories.data[i];
    if (w->memories.data[i])
      start_memory(w, m, ir_var_ref(w->m, w->memories.data[i], m->span), out);
  }
}

void lower_c_sit(struct lower *w, const struct seat *s, struct ir_chain *out) {
  for (uint32_t i = 0; i < lower_c_field_count(w, s->proc); i++)
    start_memory(w, local_memory(w, s->proc, i), local_place(w, s, i), out);
}

// --- cells ---

struct cells {
  struct lower *w;
  const struct ir_local *local;
  struct ir_chain *out;
  struct span span;
  bool in;       // into the cells, or back
  uint64_t next; // the next cell
};

// A scalar, to or from the cell of this number. type NULL: it is a number of C's own.
static void move_scalar(struct cells *c, struct ir_expr *place, const struct pml_type *type,
                        struct ir_expr *number) {
  struct lower *w = c->w;
  struct ir_expr *cell = ir_index(w->m, ir_local_ref(w->m, c->local, c->span), number, c->span);
  if (c->in)
    lower_assign(w, cell, place, c->out, c->span);
  else if (type)
    lower_assign(w, place, lower_fit(w, type, cell), c->out, c->span);
  else
    lower_assign(w, place, ir_cast(w->m, place->type, cell, c->span), c->out, c->span);
}

static void move(struct cells *c, struct ir_expr *place, const struct pml_symbol *s,
                 struct ir_expr *first);

// One element of a variable, whose cells begin with `first`.
static void move_element(struct cells *c, struct ir_expr *place, const struct pml_symbol *s,
                         struct ir_expr *first) {
  if (!s || s->type.base != AST_STRUCT)
    return move_scalar(c, place, s ? lower_element(s) : NULL, first);
  for (uint32_t i = 0; i < s->type.fields->field_count; i++) {
    struct ir_expr *field = ir_field(c->w->m, place, i, c->span);
    uint64_t skip = place->type->fields[i].leaf;
    move(c, field, s->type.fields->fields[i],
         lower_binary(c->w, IR_ADD, first, lower_number(c->w, (int64_t)skip, c->span), c->span));
  }
}

// s NULL: memory.
static void move(struct cells *c, struct ir_expr *place, const struct pml_symbol *s,
                 struct ir_expr *first) {
  struct lower *w = c->w;
  const struct ir_type *t = place->type;
  if (t->kind != IR_TYPE_ARRAY) return move_element(c, place, s, first);
  const char *name = arena_printf(w->m->arena, "i%u", ++w->temporaries);
  struct ir_local *l = ir_local_new(w->m, w->frame, IR_LOCAL_BOUND, name, t->index, c->span);
  struct ir_expr *i = ir_local_ref(w->m, l, c->span);
  struct ir_expr *each = lower_number(w, (int64_t)t->elem->leaves, c->span);
  struct ir_expr *at = lower_binary(w, IR_MUL, i, each, c->span);
  struct ir_chain body = {0}, *outer = c->out;
  c->out = &body;
  move_element(c, ir_index(w->m, place, i, c->span), s,
               lower_binary(w, IR_ADD, first, at, c->span));
  c->out = outer;
  ir_chain_add(outer, ir_for(w->m, l, ir_domain_type(w->m, t->index), body.first, c->span));
}

// The next variable. What is a constant, or C's only to be read, does not come back.
static void pass(struct cells *c, struct ir_expr *place, const struct pml_symbol *s) {
  bool moves = c->in || (ir_expr_lvalue(place) && !(s && embed_reads_only(s)));
  if (moves) move(c, place, s, lower_number(c->w, (int64_t)c->next, c->span));
  c->next += place->type->leaves;
}

static struct ir_expr *symbol_place(struct lower *w, const struct pml_symbol *s) {
  if (s->owner >= 0 && (s->is_array || s->type.base == AST_STRUCT))
    return lower_local(w, w->seat, s, s->span);
  if (s->owner < 0 && w->globals.data[s->id])
    return ir_var_ref(w->m, w->globals.data[s->id], s->span);
  struct ast_expr ref = {.op = AST_REF, .span = s->span, .name = s->name, .sym = s};
  return lower_place(w, &ref);
}

static struct ir_expr *nr_pr(struct lower *w, struct span span) {
  return w->nr_pr ? ir_var_ref(w->m, w->nr_pr, span) : lower_number(w, w->nr_pr_value, span);
}

static void pass_globals(struct cells *c) {
  struct lower *w = c->w;
  if (w->embed->nr_pr) {
    if (c->in) move_scalar(c, nr_pr(w, c->span), NULL, lower_number(w, EMBED_FIRST, c->span));
    c->next++;
  }
  for (size_t i = 0; i < w->prog->globals.count; i++)
    if (embed_sees(w->prog->globals.data[i]))
      pass(c, symbol_place(w, w->prog->globals.data[i]), w->prog->globals.data[i]);
  for (size_t i = 0; i < w->memories.count; i++)
    if (w->memories.data[i]) pass(c, ir_var_ref(w->m, w->memories.data[i], c->span), NULL);
}

static void pass_all(struct cells *c) {
  struct lower *w = c->w;
  const struct pml_proc *p = w->seat->proc;
  c->next = EMBED_FIRST;
  pass_globals(c);
  pass(c, lower_number(w, w->seat->pid, c->span), NULL);
  for (size_t i = 0; i < p->locals.count; i++)
    if (embed_sees(p->locals.data[i]))
      pass(c, symbol_place(w, p->locals.data[i]), p->locals.data[i]);
  for (uint32_t i = 0; i < lower_c_field_count(w, p); i++)
    pass(c, local_place(w, w->seat, i), NULL);
}

// --- running it ---

static uint64_t symbol_cells(struct lower *w, const struct pml_symbol *s) {
  return embed_sees(s) ? lower_symbol_type(w, s)->leaves : 0;
}

// How many cells the seat's process needs.
static uint64_t count_cells(struct lower *w) {
  const struct pml_proc *p = w->seat->proc;
  uint64_t n = EMBED_FIRST + w->embed->nr_pr + 1;
  for (size_t i = 0; i < w->prog->globals.count; i++)
    n += symbol_cells(w, w->prog->globals.data[i]);
  for (size_t i = 0; i < p->locals.count; i++) n += symbol_cells(w, p->locals.data[i]);
  for (size_t i = 0; i < w->embed->memories.count; i++) {
    const struct embed_memory *m = &w->embed->memories.data[i];
    if (is_global(m) || (m->kind == EMBED_LOCAL && m->proc == p)) n += m->count;
  }
  return n;
}

static const struct ir_local *cells_local(struct lower *w, struct span span) {
  uint64_t n = count_cells(w);
  const struct ir_type *index = ir_type_range(w->m, 0, (int64_t)n - 1);
  const struct ir_type *t = ir_type_array(w->m, index, ir_type_int(w->m, 64, true, false));
  const char *name = arena_printf(w->m->arena, "c%u", ++w->temporaries);
  return ir_local_new(w->m, w->frame, IR_LOCAL_PLAIN, name, t, span);
}

static struct ir_expr *cell(struct lower *w, const struct ir_local *l, int64_t i,
                            struct span span) {
  return ir_index(w->m, ir_local_ref(w->m, l, span), lower_number(w, i, span), span);
}

static void demand(struct lower *w, const struct ir_local *l, enum embed_failure failure,
                   const char *message, struct ir_chain *out, struct span span) {
  struct ir_expr *fine =
      ir_binary(w->m, IR_NE, cell(w, l, 0, span), lower_number(w, failure, span), span);
  ir_chain_add(out, ir_assert(w->m, fine, IR_FAULT_ASSERT, message, span));
}

static const struct ir_local *run(struct lower *w, const struct embed_text *t, uint32_t number,
                                  struct ir_chain *out) {
  const struct ir_local *l = cells_local(w, t->span);
  struct cells c = {.w = w, .local = l, .out = out, .span = t->span, .in = true};
  pass_all(&c);
  assert(c.next == l->type->leaves);
  ir_chain_add(out, ir_foreign(w->m, number, l, t->span));
  if (t->condition)
    demand(w, l, EMBED_CONDITION, arena_printf(w->m->arena, "c_code [%s]", t->condition), out,
           t->span);
  demand(w, l, EMBED_ASSERTION, "an assertion in embedded C", out, t->span);
  c.in = false;
  if (!t->is_expr) pass_all(&c);
  return l;
}

void lower_c_code(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  uint32_t number = embed_number(w->embed, s);
  run(w, &w->embed->texts.data[number], number, out);
}

struct ir_expr *lower_c_expr(struct lower *w, const struct ast_expr *e) {
  uint32_t number = embed_number(w->embed, e);
  for (size_t i = 0; i < w->c_exprs.count; i++)
    if (w->c_exprs.data[i].number == number && w->c_exprs.data[i].seat == w->seat)
      return ir_call(w->m, w->c_exprs.data[i].function, NULL, 0, e->span);
  const char *name = arena_printf(w->m->arena, "c_expr %u of %s", number, w->seat->shown);
  struct ir_function *f = ir_function_new(w->m, name, w->i32, e->span);
  VEC_PUSH(&w->c_exprs, ((struct lower_c_expr){number, w->seat, f}));
  struct ir_frame *frame = w->frame;
  struct ir_chain out = {0};
  w->frame = &f->frame;
  const struct ir_local *l = run(w, &w->embed->texts.data[number], number, &out);
  struct ir_expr *value = ir_cast(w->m, w->i32, cell(w, l, 1, e->span), e->span);
  ir_chain_add(&out, ir_return(w->m, value, e->span));
  f->body = out.first;
  w->frame = frame;
  return ir_call(w->m, f, NULL, 0, e->span);
}
