// SPDX-License-Identifier: Apache-2.0
// Atomic sequences and d_steps: which elements are inside and which is the last; and unless: to
// which elements an escape is attached.
#include "front/promela/flow.h"

static void mark(struct flow_node *first, const struct flow_node *last, unsigned added);

static void mark_inside(struct flow_node *n, unsigned added) {
  bool opened = n->kind == FLOW_ATOMIC || (n->kind == FLOW_D_STEP && (added & FLOW_IN_D_STEP));
  if (opened) n->kind = FLOW_BLOCK; // it is within one already
  if (n->kind == FLOW_BLOCK) mark(n->body->first, n->body->last, added);
  for (struct flow_seq *s = n->options; s; s = s->next) mark(s->first, s->last, added);
}

static void mark(struct flow_node *first, const struct flow_node *last, unsigned added) {
  for (struct flow_node *n = first; n; n = n->next) {
    n->status |= FLOW_IN_ATOMIC | added;
    mark_inside(n, added);
    if (n == last) break;
  }
}

void flow_make_atomic(struct flow_seq *s, unsigned added) {
  mark(s->first, s->last, added);
  struct flow_node *last = s->last;
  if (last->kind == FLOW_BLOCK || last->kind == FLOW_ATOMIC) {
    flow_make_atomic(last->body, added);
  } else if (last->kind == FLOW_UNLESS) {
    flow_make_atomic(last->options, added);
  } else {
    last->status &= ~(unsigned)FLOW_IN_ATOMIC;
    last->status |= FLOW_LAST;
  }
}

static void attach_node(struct flow *f, struct flow_node *n, struct flow_seq *escape);

void flow_attach(struct flow *f, struct flow_seq *main, struct flow_seq *escape) {
  for (struct flow_node *n = main->first; n; n = n->next) {
    attach_node(f, n, escape);
    if (n == main->extent) break;
  }
}

// Of a d_step only the first statement can be escaped from.
static void attach_inside(struct flow *f, struct flow_node *n, struct flow_seq *escape) {
  switch (n->kind) {
  case FLOW_UNLESS: flow_attach(f, n->options, escape); break;
  case FLOW_IF:
  case FLOW_DO:
    for (struct flow_seq *s = n->options; s; s = s->next) flow_attach(f, s, escape);
    break;
  case FLOW_D_STEP: attach_node(f, n->body->first, escape); break;
  case FLOW_ATOMIC:
  case FLOW_BLOCK: flow_attach(f, n->body, escape); break;
  default: break;
  }
}

// The outer escape also leads out of the inner escapes.
static void attach_node(struct flow *f, struct flow_node *n, struct flow_seq *escape) {
  for (struct flow_escape *x = n->escapes; x; x = x->next)
    if (x->seq == escape) return;
  for (struct flow_escape *x = n->escapes; x; x = x->next) flow_attach(f, x->seq, escape);
  struct flow_escape *x = ARENA_NEW(f->arena, struct flow_escape);
  *x = (struct flow_escape){.seq = escape, .next = n->escapes};
  n->escapes = x;
  attach_inside(f, n, escape);
}

static struct flow_seq *alone(struct flow *f, struct flow_piece *p, enum flow_where where) {
  struct flow_seq *before = flow_open(f);
  flow_place(f, p);
  return flow_close(f, before, where);
}

static bool is_body(const struct flow_piece *p) {
  return !p->is_label &&
         (p->kind == FLOW_BLOCK || p->kind == FLOW_ATOMIC || p->kind == FLOW_D_STEP);
}

// "L: { ... } unless ...": the label stays on the block, and the unless goes into it.
static struct flow_piece *lift_label(struct flow *f, struct flow_piece *labelled,
                                     struct flow_piece *unless) {
  struct flow_piece *inner = labelled->inner;
  unless->options = inner->body;
  struct flow_piece *block = flow_piece_new(f, inner->kind, inner->stmt);
  block->body = alone(f, unless, FLOW_OF_LOOP);
  struct flow_piece *p = flow_piece_new(f, labelled->kind, labelled->stmt);
  p->is_label = true;
  p->name = labelled->name;
  p->inner = block;
  return p;
}

struct flow_piece *flow_unless(struct flow *f, struct flow_piece *main, struct flow_piece *escape) {
  struct flow_piece *p = flow_piece_new(f, FLOW_UNLESS, main->stmt);
  bool is_block = !escape->is_label && escape->kind == FLOW_BLOCK;
  struct flow_seq *out = is_block ? escape->body : alone(f, escape, FLOW_OF_ESCAPE);
  if (main->is_label && is_body(main->inner)) {
    main->inner->body->next = out;
    return lift_label(f, main, p);
  }
  bool main_is_block = !main->is_label && main->kind == FLOW_BLOCK;
  p->options = main_is_block ? main->body : alone(f, main, FLOW_OF_MAIN);
  p->options->next = out;
  return p;
}
