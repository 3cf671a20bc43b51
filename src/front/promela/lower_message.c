// SPDX-License-Identifier: Apache-2.0
// Messages: what is sent, what a receive asks for, and what sending and receiving do to the queue
// of a buffered channel. Receiving evaluates as SPIN's verifier does: first everything that must
// match, then the fields are assigned from left to right, then the message is taken out.
#include "front/promela/lower.h"

// Up to this many slots, code for each stands by itself; beyond it is a loop.
#define UNROLLED_MAX 16

void lower_message_clear(struct message *m) { VEC_CLEAR(&m->fields); }

// --- fields ---

// Structures come as their scalars already.
void lower_sent(struct lower *w, struct message *m, const struct ast_stmt *s) {
  for (uint32_t i = 0; i < s->arg_count; i++)
    VEC_PUSH(&m->fields, ((struct field){.value = lower_value(w, s->args[i])}));
}

static struct field wanted(struct lower *w, const struct ast_expr *e) {
  if (e->op != AST_REF || !e->sym) return (struct field){.value = lower_value(w, e)};
  if (lower_left_out(e->sym)) return (struct field){0};
  return (struct field){.place = lower_place(w, e), .type = lower_place_type(e, NULL)};
}

void lower_pattern(struct lower *w, struct message *m, struct ast_expr *const *args, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    struct field f = wanted(w, args[i]);
    VEC_PUSH(&m->fields, f);
  }
}

// --- matching ---

static struct ir_expr *slot_matches(struct lower *w, struct ir_expr *queue, struct ir_expr *slot,
                                    const struct message *m, struct span span) {
  struct ir_expr *x = lower_true(w);
  for (uint32_t i = 0; i < m->fields.count; i++) {
    struct ir_expr *want = m->fields.data[i].value;
    if (!want) continue;
    struct ir_expr *has = lower_queue_field(w, queue, slot, i, span);
    x = lower_and(w, x, lower_binary(w, IR_EQ, has, want, span));
  }
  return x;
}

static bool asks(const struct message *m) {
  for (size_t i = 0; i < m->fields.count; i++)
    if (m->fields.data[i].value) return true;
  return false;
}

// There is a message in this slot, and it matches.
static struct ir_expr *found_in(struct lower *w, struct ir_expr *queue, struct ir_expr *slot,
                                const struct message *m, struct span span) {
  struct ir_expr *len = lower_queue_length(w, queue, span);
  return lower_and(w, lower_binary(w, IR_GT, len, slot, span),
                   slot_matches(w, queue, slot, m, span));
}

static struct ir_expr *found_anywhere(struct lower *w, const struct channel *c,
                                      struct ir_expr *queue, const struct message *m,
                                      struct span span) {
  if (c->decl->capacity <= UNROLLED_MAX) {
    struct ir_expr *x = lower_false(w);
    for (uint32_t i = 0; i < c->decl->capacity; i++)
      x = lower_or(w, x, found_in(w, queue, lower_number(w, i, span), m, span));
    return x;
  }
  const char *name = arena_printf(w->m->arena, "i%u", ++w->temporaries);
  const struct ir_type *slots = queue->type->fields[1].type->index;
  struct ir_local *l = ir_local_new(w->m, w->frame, IR_LOCAL_BOUND, name, slots, span);
  struct ir_expr *body = found_in(w, queue, ir_local_ref(w->m, l, span), m, span);
  return ir_quant(w->m, IR_EXISTS, l, ir_domain_type(w->m, slots), body, span);
}

struct ir_expr *lower_match(struct lower *w, const struct channel *c, struct ir_expr *queue,
                            const struct message *m, bool random, struct span span) {
  if (random && asks(m)) return found_anywhere(w, c, queue, m, span);
  return found_in(w, queue, lower_number(w, 0, span), m, span);
}

// --- sending ---

struct sending {
  const struct ast_stmt *s;
  struct message m;
};

static struct ir_expr *room_in(struct lower *w, const struct channel *c, struct ir_expr *index,
                               const void *user) {
  const struct ast_stmt *s = user;
  if (lower_is_rendezvous(c)) return lower_false(w);
  struct ir_expr *len = lower_queue_length(w, lower_queue(w, c, index, s->span), s->span);
  return lower_binary(w, IR_LT, len, lower_number(w, c->decl->capacity, s->span), s->span);
}

struct ir_expr *lower_send_executable(struct lower *w, const struct ast_stmt *s) {
  struct width n = {.fields = s->arg_count};
  return lower_ask_channel(w, lower_channel(w, s->lhs), n, room_in, s, lower_true(w));
}

static void put(struct lower *w, const struct channel *c, struct ir_expr *queue,
                struct ir_expr *slot, const struct message *m, struct ir_chain *out,
                struct span span) {
  for (uint32_t i = 0; i < m->fields.count; i++) {
    struct ir_expr *v = lower_fit(w, &c->decl->fields[i], m->fields.data[i].value);
    lower_assign(w, lower_queue_field(w, queue, slot, i, span), v, out, span);
  }
}

static void step_length(struct lower *w, struct ir_expr *queue, int by, struct ir_chain *out,
                        struct span span) {
  struct ir_expr *len = lower_queue_length(w, queue, span);
  lower_assign(w, len, lower_binary(w, IR_ADD, len, lower_number(w, by, span), span), out, span);
}

// The message is less than the one in the slot: it belongs before it.
static struct ir_expr *less(struct lower *w, struct ir_expr *queue, struct ir_expr *slot,
                            const struct message *m, struct span span) {
  struct ir_expr *x = lower_false(w);
  for (uint32_t i = (uint32_t)m->fields.count; i-- > 0;) {
    struct ir_expr *has = lower_queue_field(w, queue, slot, i, span);
    struct ir_expr *mine = m->fields.data[i].value;
    struct ir_expr *same = lower_binary(w, IR_EQ, mine, has, span);
    x = lower_or(w, lower_binary(w, IR_LT, mine, has, span), lower_and(w, same, x));
  }
  return x;
}

// Before the first message that is greater.
static void put_sorted(struct lower *w, const struct channel *c, struct ir_expr *queue,
                       const struct message *m, struct ir_chain *out, struct span span) {
  struct ir_expr *zero = lower_number(w, 0, span), *one = lower_number(w, 1, span);
  const char *name = arena_printf(w->m->arena, "t%u", ++w->temporaries);
  struct ir_local *at = ir_local_new(w->m, w->frame, IR_LOCAL_PLAIN, name, w->i32, span);
  name = arena_printf(w->m->arena, "t%u", ++w->temporaries);
  struct ir_local *from = ir_local_new(w->m, w->frame, IR_LOCAL_PLAIN, name, w->i32, span);
  struct ir_expr *slot = ir_local_ref(w->m, at, span), *k = ir_local_ref(w->m, from, span);
  struct ir_expr *len = lower_queue_length(w, queue, span);
  lower_assign(w, slot, zero, out, span);
  struct ir_chain body = {0};
  lower_assign(w, slot, lower_binary(w, IR_ADD, slot, one, span), &body, span);
  struct ir_expr *on = lower_and(w, lower_binary(w, IR_LT, slot, len, span),
                                 lower_not(w, less(w, queue, slot, m, span)));
  ir_chain_add(out, ir_while(w->m, on, body.first, c->decl->capacity + 1, span));
  lower_assign(w, k, lower_int32(w, len), out, span);
  struct ir_expr *slots = ir_field(w->m, queue, 1, span);
  struct ir_expr *before = lower_binary(w, IR_SUB, k, one, span);
  struct ir_chain move = {0};
  lower_assign(w, lower_index(w, slots, k, span), lower_index(w, slots, before, span), &move, span);
  lower_assign(w, k, before, &move, span);
  on = lower_binary(w, IR_GT, k, slot, span);
  ir_chain_add(out, ir_while(w->m, on, move.first, c->decl->capacity + 1, span));
  put(w, c, queue, slot, m, out, span);
}

static void send_to(struct lower *w, const struct channel *c, struct ir_expr *index,
                    const void *user, struct ir_chain *out) {
  const struct sending *g = user;
  struct span span = g->s->span;
  if (lower_is_rendezvous(c)) return;
  struct ir_expr *queue = lower_queue(w, c, index, span);
  struct ir_expr *len = lower_queue_length(w, queue, span);
  struct ir_expr *slot = c->decl->capacity == 1 ? lower_number(w, 0, span) : len;
  if (g->s->sorted && c->decl->capacity > 1)
    put_sorted(w, c, queue, &g->m, out, span);
  else
    put(w, c, queue, slot, &g->m, out, span);
  step_length(w, queue, 1, out, span);
}

void lower_send(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  struct sending g = {.s = s};
  lower_sent(w, &g.m, s);
  for (size_t i = 0; s->sorted && i < g.m.fields.count; i++)
    g.m.fields.data[i].value = lower_temporary(w, g.m.fields.data[i].value, out);
  struct width n = {.fields = s->arg_count};
  lower_do_channel(w, lower_channel(w, s->lhs), n, send_to, &g, out);
  lower_message_clear(&g.m);
}

// --- receiving ---

static struct ir_expr *match_in(struct lower *w, const struct channel *c, struct ir_expr *index,
                                const void *user) {
  const struct sending *g = user;
  if (lower_is_rendezvous(c)) return lower_false(w);
  return lower_match(w, c, lower_queue(w, c, index, g->s->span), &g->m, g->s->random, g->s->span);
}

struct ir_expr *lower_receive_executable(struct lower *w, const struct ast_stmt *s) {
  struct sending g = {.s = s};
  lower_pattern(w, &g.m, s->args, s->arg_count);
  struct width n = {.fields = s->arg_count, .at_most = true};
  struct chan_ref r = lower_channel(w, s->lhs);
  struct ir_expr *x = lower_ask_channel(w, r, n, match_in, &g, lower_true(w));
  lower_message_clear(&g.m);
  return x;
}

// Slots past the length are 0, so moving all of them is the same as moving those in use; with many
// slots it pays to stop at the length.
static void close_gap(struct lower *w, struct ir_expr *queue, uint32_t slot, uint32_t capacity,
                      struct ir_chain *out, struct span span) {
  struct ir_expr *slots = ir_field(w->m, queue, 1, span);
  struct ir_expr *here = lower_index(w, slots, lower_number(w, slot, span), span);
  if (slot + 1 == capacity) return lower_zero(w, here, out, span);
  struct ir_expr *next = lower_index(w, slots, lower_number(w, slot + 1, span), span);
  if (capacity <= 4) {
    lower_assign(w, here, next, out, span);
    return close_gap(w, queue, slot + 1, capacity, out, span);
  }
  struct ir_chain more = {0}, last = {0};
  lower_assign(w, here, next, &more, span);
  close_gap(w, queue, slot + 1, capacity, &more, span);
  lower_zero(w, here, &last, span);
  struct ir_expr *len = lower_queue_length(w, queue, span);
  struct ir_expr *on = lower_binary(w, IR_GT, len, lower_number(w, slot + 1, span), span);
  ir_chain_add(out, ir_if(w->m, on, more.first, last.first, span));
}

static void close_gap_loop(struct lower *w, struct ir_expr *queue, struct ir_expr *slot,
                           uint32_t capacity, struct ir_chain *out, struct span span) {
  struct ir_expr *one = lower_number(w, 1, span), *slots = ir_field(w->m, queue, 1, span);
  const char *name = arena_printf(w->m->arena, "t%u", ++w->temporaries);
  struct ir_local *at = ir_local_new(w->m, w->frame, IR_LOCAL_PLAIN, name, w->i32, span);
  struct ir_expr *k = ir_local_ref(w->m, at, span), *next = lower_binary(w, IR_ADD, k, one, span);
  lower_assign(w, k, slot, out, span);
  struct ir_chain body = {0};
  lower_assign(w, lower_index(w, slots, k, span), lower_index(w, slots, next, span), &body, span);
  lower_assign(w, k, next, &body, span);
  struct ir_expr *on = lower_binary(w, IR_LT, next, lower_queue_length(w, queue, span), span);
  ir_chain_add(out, ir_while(w->m, on, body.first, capacity + 1, span));
  lower_zero(w, lower_index(w, slots, k, span), out, span);
}

static void take(struct lower *w, const struct channel *c, struct ir_expr *queue,
                 struct ir_expr *slot, const struct sending *g, struct ir_chain *out) {
  struct span span = g->s->span;
  for (uint32_t i = 0; i < g->m.fields.count; i++) {
    const struct field *f = &g->m.fields.data[i];
    if (!f->place) continue;
    struct ir_expr *v = lower_queue_field(w, queue, slot, i, span);
    lower_assign(w, f->place, lower_fit(w, f->type, v), out, span);
  }
  if (g->s->keep) return;
  int64_t at;
  if (c->decl->capacity <= UNROLLED_MAX && ir_expr_const(slot, &at))
    close_gap(w, queue, (uint32_t)at, c->decl->capacity, out, span);
  else
    close_gap_loop(w, queue, slot, c->decl->capacity, out, span);
  step_length(w, queue, -1, out, span);
}

static void take_first_match(struct lower *w, const struct channel *c, struct ir_expr *queue,
                             const struct sending *g, struct ir_chain *out) {
  struct span span = g->s->span;
  struct ir_expr *one = lower_number(w, 1, span);
  const char *name = arena_printf(w->m->arena, "t%u", ++w->temporaries);
  struct ir_local *at = ir_local_new(w->m, w->frame, IR_LOCAL_PLAIN, name, w->i32, span);
  struct ir_expr *slot = ir_local_ref(w->m, at, span);
  lower_assign(w, slot, lower_number(w, 0, span), out, span);
  struct ir_chain body = {0};
  lower_assign(w, slot, lower_binary(w, IR_ADD, slot, one, span), &body, span);
  struct ir_expr *on = lower_not(w, slot_matches(w, queue, slot, &g->m, span));
  ir_chain_add(out, ir_while(w->m, on, body.first, c->decl->capacity + 1, span));
  take(w, c, queue, slot, g, out);
}

static void receive_from(struct lower *w, const struct channel *c, struct ir_expr *index,
                         const void *user, struct ir_chain *out) {
  const struct sending *g = user;
  if (lower_is_rendezvous(c)) return;
  struct ir_expr *queue = lower_queue(w, c, index, g->s->span);
  if (g->s->random && c->decl->capacity > 1 && asks(&g->m))
    take_first_match(w, c, queue, g, out);
  else
    take(w, c, queue, lower_number(w, 0, g->s->span), g, out);
}

void lower_receive(struct lower *w, const struct ast_stmt *s, struct ir_chain *out) {
  struct sending g = {.s = s};
  lower_pattern(w, &g.m, s->args, s->arg_count);
  struct chan_ref r = lower_channel(w, s->lhs); // what is received may change which one it names
  if (r.index) r.index = lower_temporary(w, r.index, out);
  if (!r.known) r.number = lower_temporary(w, r.number, out);
  struct width n = {.fields = s->arg_count}; // with fewer it can be executed, and is an error
  lower_do_channel(w, r, n, receive_from, &g, out);
  lower_message_clear(&g.m);
}
