// SPDX-License-Identifier: Apache-2.0
// Builds the elements of a process in the order in which SPIN's parser does: inner statements
// before the block around them, an if behind its options. So every element has SPIN's number.
#include "front/promela/flow.h"

#include <string.h>

static const char *const any_label[] = {"", NULL};
static const char *const special_labels[] = {"accept", "end", "progress", NULL};

bool flow_is_skip(const struct ast_stmt *s) {
  return !s || (s->kind == AST_EXPR && s->expr->op == AST_CONST && s->expr->value == 1);
}

struct flow_node *flow_node_new(struct flow *f, enum flow_kind kind, struct span span) {
  struct flow_node *n = ARENA_NEW(f->arena, struct flow_node);
  *n = (struct flow_node){.kind = kind,
                          .span = span,
                          .number = f->next_number++,
                          .unique = f->next_unique++,
                          .d_step = f->d_step,
                          .created_before = f->newest};
  f->newest = n;
  return n;
}

struct flow_piece *flow_piece_new(struct flow *f, enum flow_kind kind, const struct ast_stmt *s) {
  struct flow_piece *p = ARENA_NEW(f->arena, struct flow_piece);
  *p = (struct flow_piece){.kind = kind, .stmt = s};
  if (s) p->span = s->span;
  return p;
}

// ---------------------------------------------------------------------------------------------
// Sequences

struct flow_seq *flow_open(struct flow *f) {
  struct flow_seq *before = f->current;
  f->current = ARENA_NEW(f->arena, struct flow_seq);
  return before;
}

static void check_label(struct flow *f, const struct flow_seq *s, enum flow_where where) {
  const struct flow_label *l = flow_label_of(f, s->first, any_label);
  if (!l || where == FLOW_OF_PROCESS) return;
  if (where == FLOW_OF_OPTION)
    diag_warning(f->diag, l->span,
                 "the label %s is on the first statement of an option, where no process ever is: "
                 "put it before the if or do",
                 l->name->text);
  else if (where == FLOW_OF_ESCAPE)
    diag_error(f->diag, l->span, "the guard of an escape cannot have a label (%s)", l->name->text);
  else
    diag_error(f->diag, l->span, "the label %s belongs before the %s, not inside", l->name->text,
               where == FLOW_OF_ATOMIC   ? "atomic"
               : where == FLOW_OF_D_STEP ? "d_step"
               : where == FLOW_OF_BLOCK  ? "block"
                                         : "{ of the statement before unless");
}

struct flow_seq *flow_close(struct flow *f, struct flow_seq *before, enum flow_where where) {
  struct flow_seq *s = f->current;
  if (!s->first) // an error of the user's, reported by who opened it
    s->first = s->last = flow_node_new(f, FLOW_STMT, (struct span){0});
  s->extent = s->last;
  check_label(f, s, where);
  f->current = before;
  return s;
}

static void append(struct flow *f, struct flow_seq *s, struct flow_node *n);

// A goto takes no step, so what makes its place special needs a skip before it.
static void append_skip_for_label(struct flow *f, struct flow_seq *s, struct flow_node *n) {
  if (!flow_label_of(f, n, special_labels)) return;
  struct flow_node *skip = flow_node_new(f, FLOW_STMT, n->span);
  flow_move_label(f, n, skip);
  append(f, s, skip);
}

static void append(struct flow *f, struct flow_seq *s, struct flow_node *n) {
  if (n->kind == FLOW_GOTO) append_skip_for_label(f, s, n);
  if (s->last)
    s->last->next = n;
  else
    s->first = n;
  s->last = n;
}

void flow_scoped_sequence(struct flow *f, const struct ast_stmt *first) {
  const struct flow_scope *outer = f->scope;
  struct flow_scope *inner = ARENA_NEW(f->arena, struct flow_scope);
  inner->up = outer;
  f->scope = inner;
  flow_sequence(f, first);
  f->scope = outer;
}

// ---------------------------------------------------------------------------------------------
// Elements of selections

// else goes behind the other options.
static struct flow_seq *else_last(struct flow *f, struct flow_seq *options) {
  struct flow_seq *kept = NULL, *other = NULL, **end = &kept;
  for (struct flow_seq *s = options, *next; s; s = next) {
    next = s->next;
    s->next = NULL;
    if (s->first->kind != FLOW_ELSE) {
      *end = s;
      end = &s->next;
    } else if (other) {
      diag_error(f->diag, s->first->span, "a second else in the same selection");
    } else {
      other = s;
    }
  }
  *end = other;
  return kept;
}

static struct flow_node *place_selection(struct flow *f, const struct flow_piece *p) {
  struct flow_node *n = flow_node_new(f, p->kind, p->span);
  struct flow_node *join = flow_node_new(f, FLOW_DOT, p->span);
  n->stmt = p->stmt;
  n->options = else_last(f, p->options);
  for (struct flow_seq *s = n->options; s; s = s->next) append(f, s, join);
  if (p->kind == FLOW_DO) {
    append(f, f->current, join); // in front of the loop
    join = flow_node_new(f, FLOW_BREAK, p->span);
    const struct flow_name *name = VEC_POP(&f->breaks);
    flow_set_label(f, name, join, p->span);
  }
  append(f, f->current, n);
  append(f, f->current, join);
  return n;
}

static struct flow_node *place_unless(struct flow *f, const struct flow_piece *p) {
  struct flow_node *n = flow_node_new(f, FLOW_UNLESS, p->span);
  struct flow_node *join = flow_node_new(f, FLOW_DOT, p->span);
  n->stmt = p->stmt;
  n->options = p->options;
  for (struct flow_seq *s = n->options; s; s = s->next) append(f, s, join);
  flow_attach(f, n->options, n->options->next);
  append(f, f->current, n);
  append(f, f->current, join);
  return n;
}

static struct flow_node *place_plain(struct flow *f, const struct flow_piece *p) {
  struct flow_node *n = flow_node_new(f, p->kind, p->span);
  n->stmt = p->stmt;
  n->body = p->body;
  n->where = p->name;
  return n;
}

static struct flow_node *place_node(struct flow *f, const struct flow_piece *p) {
  if (p->is_label) {
    struct flow_node *n = place_node(f, p->inner);
    flow_set_label(f, p->name, n, p->span);
    return n;
  }
  if (p->kind == FLOW_IF || p->kind == FLOW_DO) return place_selection(f, p);
  if (p->kind == FLOW_UNLESS) return place_unless(f, p);
  return place_plain(f, p);
}

void flow_place(struct flow *f, struct flow_piece *p) {
  struct flow_node *n = place_node(f, p);
  if (n->kind != FLOW_IF && n->kind != FLOW_DO && n->kind != FLOW_UNLESS) append(f, f->current, n);
}

void flow_place_stmt(struct flow *f, const struct ast_stmt *s) {
  flow_place(f, flow_piece_new(f, s->kind == AST_ELSE ? FLOW_ELSE : FLOW_STMT, s));
}

// ---------------------------------------------------------------------------------------------
// Statements

void flow_push_break(struct flow *f) {
  const char *text = arena_printf(f->arena, ":b%u", (*f->break_count)++);
  VEC_PUSH(&f->breaks, flow_name(f, text));
}

struct flow_piece *flow_goto(struct flow *f, const struct ast_stmt *s,
                             const struct flow_name *name) {
  struct flow_piece *p = flow_piece_new(f, FLOW_GOTO, s);
  p->name = name;
  return p;
}

static struct flow_piece *piece_of(struct flow *f, const struct ast_stmt *s);

static struct flow_piece *break_piece(struct flow *f, const struct ast_stmt *s) {
  if (f->breaks.count > 0) return flow_goto(f, s, VEC_TOP(&f->breaks));
  diag_error(f->diag, s->span, "break outside of a loop");
  return flow_piece_new(f, FLOW_STMT, NULL);
}

// Of several skips in a row in an option SPIN keeps the first (and, as last statement, the last).
static void drop_skips(const struct flow *f, struct flow_seq *s) {
  struct flow_node *before = NULL;
  uint32_t in_a_row = 0;
  for (struct flow_node *n = s->first; n; n = n->next) {
    bool prints = n->kind == FLOW_STMT && n->stmt &&
                  (n->stmt->kind == AST_PRINTF || n->stmt->kind == AST_PRINTM);
    bool idle = n->kind == FLOW_STMT && (prints || flow_is_skip(n->stmt));
    in_a_row = idle && !flow_label_of(f, n, any_label) ? in_a_row + 1 : 0;
    if (in_a_row > 1 && !prints && before && n != s->last)
      before->next = n->next;
    else
      before = n;
  }
}

static struct flow_piece *selection(struct flow *f, const struct ast_stmt *s) {
  struct flow_piece *p = flow_piece_new(f, s->kind == AST_IF ? FLOW_IF : FLOW_DO, s);
  if (s->kind == AST_DO) flow_push_break(f);
  struct flow_seq **end = &p->options;
  for (const struct ast_option *o = s->options; o; o = o->next) {
    struct flow_seq *before = flow_open(f);
    flow_sequence(f, o->body);
    *end = flow_close(f, before, FLOW_OF_OPTION);
    if (!f->is_claim) drop_skips(f, *end);
    end = &(*end)->next;
  }
  return p;
}

static bool jumps_inside(const struct flow *f, const struct flow_node *n, uint32_t first,
                         const struct flow_node **bad) {
  if (n->kind == FLOW_GOTO) {
    const struct flow_label *l = flow_find(f, n->where);
    if (l && l->node->unique >= first) return true;
    *bad = n;
    return false;
  }
  for (const struct flow_seq *s = n->options; s; s = s->next)
    for (const struct flow_node *m = s->first; m; m = m->next) {
      if (!jumps_inside(f, m, first, bad)) return false;
      if (m == s->extent) break;
    }
  return true;
}

static void check_jumps(const struct flow *f, const struct flow_seq *s, uint32_t first) {
  const struct flow_node *bad = NULL;
  for (const struct flow_node *n = s->first; n; n = n->next)
    if (!jumps_inside(f, n, first, &bad)) {
      diag_error(f->diag, bad->span, "a jump out of a d_step");
      return;
    }
}

static struct flow_piece *d_step(struct flow *f, const struct ast_stmt *s) {
  uint32_t outer = f->d_step, first = f->next_unique;
  if (outer == 0) f->d_step = first + 1;
  struct flow_seq *before = flow_open(f);
  flow_scoped_sequence(f, s->body);
  struct flow_piece *p = flow_piece_new(f, FLOW_D_STEP, s);
  p->body = flow_close(f, before, FLOW_OF_D_STEP);
  check_jumps(f, p->body, first);
  flow_make_atomic(p->body, FLOW_IN_D_STEP);
  f->d_step = outer;
  return p;
}

static struct flow_piece *block(struct flow *f, const struct ast_stmt *s) {
  struct flow_seq *before = flow_open(f);
  flow_scoped_sequence(f, s->body);
  bool is_atomic = s->kind == AST_ATOMIC;
  struct flow_piece *p = flow_piece_new(f, is_atomic ? FLOW_ATOMIC : FLOW_BLOCK, s);
  p->body = flow_close(f, before, is_atomic ? FLOW_OF_ATOMIC : FLOW_OF_BLOCK);
  if (is_atomic) flow_make_atomic(p->body, 0);
  return p;
}

// A break in the escape of a loop leaves the loop around it.
static struct flow_piece *unless(struct flow *f, const struct ast_stmt *s) {
  struct flow_piece *main = piece_of(f, s->body);
  bool is_loop = !main->is_label && main->kind == FLOW_DO;
  const struct flow_name *own = is_loop ? VEC_POP(&f->breaks) : NULL;
  struct flow_piece *escape = piece_of(f, s->other);
  if (is_loop) VEC_PUSH(&f->breaks, own);
  return flow_unless(f, main, escape);
}

static struct flow_piece *label(struct flow *f, const struct ast_stmt *s) {
  const struct flow_name *name = flow_name(f, s->name);
  struct flow_piece *p = flow_piece_new(f, FLOW_STMT, s);
  p->is_label = true;
  p->name = name;
  if (s->body && s->body->kind == AST_SELECT && s->body->how == 't') {
    p->inner = flow_piece_new(f, FLOW_STMT, flow_select_start(f, s->body));
    flow_place(f, p);
    return flow_select_rest(f, s->body);
  }
  p->inner = s->body ? piece_of(f, s->body) : NULL;
  if (!p->inner) p->inner = flow_piece_new(f, FLOW_STMT, NULL);
  if (!p->inner->stmt && !p->inner->is_label) p->inner->span = s->span;
  return p;
}

static struct flow_piece *declarations(struct flow *f, const struct ast_stmt *s) {
  flow_sequence(f, s->body); // the assignments that resolve.c made of them
  return NULL;
}

static struct flow_piece *piece_of(struct flow *f, const struct ast_stmt *s) {
  switch (s->kind) {
  case AST_DECLS: return declarations(f, s);
  case AST_XR: return NULL;
  case AST_ELSE: return flow_piece_new(f, FLOW_ELSE, s);
  case AST_GOTO: return flow_goto(f, s, flow_name(f, s->name));
  case AST_BREAK: return break_piece(f, s);
  case AST_IF:
  case AST_DO: return selection(f, s);
  case AST_D_STEP: return d_step(f, s);
  case AST_ATOMIC:
  case AST_BLOCK: return block(f, s);
  case AST_UNLESS: return unless(f, s);
  case AST_FOR: return flow_for(f, s);
  case AST_SELECT: flow_place_stmt(f, flow_select_start(f, s)); return flow_select_rest(f, s);
  case AST_LABEL: return label(f, s);
  default: return flow_piece_new(f, FLOW_STMT, s);
  }
}

void flow_sequence(struct flow *f, const struct ast_stmt *first) {
  for (const struct ast_stmt *s = first; s; s = s->next) {
    struct flow_piece *p = piece_of(f, s);
    if (p) flow_place(f, p);
  }
}

// ---------------------------------------------------------------------------------------------
// Processes

void flow_build(struct flow *f, const struct ast_unit *u) {
  f->next_number = 1;
  flow_open(f);
  struct flow_scope *global = ARENA_NEW(f->arena, struct flow_scope);
  f->scope = global;
  flow_scoped_sequence(f, u->body);
  struct span end = u->span;
  if (f->current->last) end = f->current->last->span;
  flow_place(f, &(struct flow_piece){.kind = FLOW_STOP, .span = end});
  f->body = flow_close(f, NULL, FLOW_OF_PROCESS);
}

void flow_clear(struct flow *f) { VEC_CLEAR(&f->breaks); }

static bool has_body(const struct flow_node *n) {
  return n->kind == FLOW_ATOMIC || n->kind == FLOW_BLOCK || n->kind == FLOW_D_STEP;
}

// Outer blocks are newer than those inside, so their ends are tied first.
void flow_tie(struct flow *f) {
  for (struct flow_node *n = f->newest; n; n = n->created_before) {
    if (!has_body(n) || !n->next) continue;
    struct flow_node *after = n->next;
    while (after && after->kind == FLOW_DOT) after = after->next;
    struct flow_seq *body = n->body;
    if (!body->last->next)
      body->last->next = after;
    else if (body->last->next->kind == FLOW_GOTO)
      body->last = body->last->next; // flow_pin put it there
  }
}
