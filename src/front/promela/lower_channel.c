// SPDX-License-Identifier: Apache-2.0
// Channels: their numbers (SPIN's: global ones in order from 1, then those of each seat), their
// variables, and finding the one that an expression stands for. A buffered channel is a record of
// its length and its slots, of which those past the length are 0; a rendezvous one holds nothing.
#include "front/promela/lower.h"

bool lower_is_rendezvous(const struct channel *c) { return c->decl->capacity == 0; }

// --- declaring ---

static void declare(struct lower *w, const struct pml_symbol *s, const struct seat *seat,
                    const char *name, uint32_t *next) {
  struct channel c = {.sym = s, .decl = s->channel, .seat = seat, .name = name};
  c.is_array = s->is_array;
  c.first = *next;
  c.count = s->is_array ? s->length : 1;
  *next += c.count;
  VEC_PUSH(&w->channels, c);
}

// A variable's channels: its own, or those in the fields of a structure, in the order in which
// their initial values are given.
static void declare_all(struct lower *w, const struct pml_symbol *s, const struct seat *seat,
                        const char *name, uint32_t *next) {
  if (s->channel) return declare(w, s, seat, name, next);
  if (s->type.base != AST_STRUCT) return;
  for (uint32_t i = 0; i < (s->is_array ? s->length : 1); i++) {
    const char *element = s->is_array ? arena_printf(w->m->arena, "%s[%u]", name, i) : name;
    for (uint32_t k = 0; k < s->type.fields->field_count; k++) {
      const struct pml_symbol *f = s->type.fields->fields[k];
      declare_all(w, f, seat, arena_printf(w->m->arena, "%s.%s", element, f->name), next);
    }
  }
}

void lower_channels(struct lower *w) {
  uint32_t next = 1;
  for (size_t i = 0; i < w->prog->globals.count; i++) VEC_PUSH(&w->global_channel, 0);
  for (size_t i = 0; i < 2 * w->prog->globals.count; i++) { // those in structures come last
    size_t at = i % w->prog->globals.count;
    const struct pml_symbol *s = w->prog->globals.data[at];
    if ((s->type.base == AST_STRUCT) != (i >= w->prog->globals.count)) continue;
    w->global_channel.data[at] = (uint32_t)w->channels.count;
    declare_all(w, s, NULL, s->shown, &next);
  }
  for (size_t i = 0; i < w->seats.count; i++) {
    struct seat *seat = w->seats.data[i];
    for (size_t j = 0; j < seat->proc->locals.count; j++) {
      const struct pml_symbol *s = seat->proc->locals.data[j];
      seat->channel[j] = (uint32_t)w->channels.count;
      declare_all(w, s, seat, arena_printf(w->m->arena, "%s.%s", seat->shown, s->shown), &next);
    }
  }
  if (next > 256) {
    static const struct span nowhere;
    diag_error(w->d, nowhere, "the model has %u channels; at most 255 are possible", next - 1);
  }
}

static const struct ir_type *message_type(struct lower *w, const struct pml_channel *c) {
  if (c->field_count == 1) return lower_scalar_type(w, &c->fields[0]);
  struct ir_field *fields = mem_zalloc(c->field_count, sizeof(*fields));
  for (uint32_t i = 0; i < c->field_count; i++) {
    fields[i].name = arena_printf(w->m->arena, "f%u", i + 1);
    fields[i].type = lower_scalar_type(w, &c->fields[i]);
  }
  const struct ir_type *t = ir_type_record(w->m, fields, c->field_count);
  mem_free(fields);
  return t;
}

static const struct ir_type *queue_type(struct lower *w, const struct pml_channel *c) {
  const struct ir_type *slots = ir_type_range(w->m, 0, (int64_t)c->capacity - 1);
  struct ir_field fields[] = {
      {.name = "len", .type = ir_type_range(w->m, 0, c->capacity)},
      {.name = "m", .type = ir_type_array(w->m, slots, message_type(w, c))},
  };
  return ir_type_record(w->m, fields, 2);
}

void lower_channel_variables(struct lower *w) {
  for (size_t i = 0; i < w->channels.count; i++) {
    struct channel *c = &w->channels.data[i];
    if (lower_is_rendezvous(c)) continue;
    const struct ir_type *t = queue_type(w, c->decl);
    if (c->is_array) t = ir_type_array(w->m, ir_type_range(w->m, 0, (int64_t)c->count - 1), t);
    c->var = ir_var_new(w->m, c->name, t, c->sym->span);
  }
}

// --- finding ---

static struct chan_ref found(struct lower *w, int64_t number, struct span span) {
  for (size_t i = 0; i < w->channels.count; i++) {
    const struct channel *c = &w->channels.data[i];
    if (number < c->first || number >= c->first + c->count) continue;
    return (struct chan_ref){.known = c,
                             .index = lower_number(w, number - c->first, span),
                             .number = lower_number(w, number, span),
                             .span = span};
  }
  return (struct chan_ref){.number = lower_number(w, number, span), .span = span};
}

const struct channel *lower_static_channel(const struct lower *w, const struct ast_expr *e) {
  const struct pml_symbol *s = e->op == AST_REF ? e->sym : NULL;
  int64_t number;
  if (s && s->channel && !s->written && s->kind != PML_FIELD)
    return &w->channels
                .data[s->owner < 0 ? w->global_channel.data[s->id] : w->seat->channel[s->id]];
  if (!lower_static(w, e, &number)) return NULL;
  for (size_t i = 0; i < w->channels.count; i++) {
    const struct channel *c = &w->channels.data[i];
    if (number >= c->first && number < c->first + c->count) return c;
  }
  return NULL;
}

struct chan_ref lower_channel(struct lower *w, const struct ast_expr *e) {
  const struct pml_symbol *s = e->op == AST_REF ? e->sym : NULL;
  bool fixed = s && s->channel && !s->written && s->kind != PML_FIELD && s->is_array;
  struct ir_expr *number = lower_value(w, e);
  if (number->op == IR_CONST) return found(w, number->value, e->span);
  if (!fixed)
    return (struct chan_ref){.number = number, .may = lower_numbers_of(w, e), .span = e->span};
  uint32_t at = s->owner < 0 ? w->global_channel.data[s->id] : w->seat->channel[s->id];
  return (struct chan_ref){.known = &w->channels.data[at],
                           .index = lower_value(w, e->args[0]),
                           .number = number,
                           .span = e->span};
}

struct ir_expr *lower_queue(struct lower *w, const struct channel *c, struct ir_expr *index,
                            struct span span) {
  struct ir_expr *x = ir_var_ref(w->m, c->var, span);
  return c->is_array ? lower_index(w, x, index, span) : x;
}

struct ir_expr *lower_queue_length(struct lower *w, struct ir_expr *queue, struct span span) {
  return ir_field(w->m, queue, 0, span);
}

struct ir_expr *lower_queue_field(struct lower *w, struct ir_expr *queue, struct ir_expr *slot,
                                  uint32_t field, struct span span) {
  struct ir_expr *m = lower_index(w, ir_field(w->m, queue, 1, span), slot, span);
  return m->type->kind == IR_TYPE_RECORD ? ir_field(w->m, m, field, span) : m;
}

struct ir_expr *lower_is_channel(struct lower *w, const struct channel *c, struct ir_expr *number,
                                 struct ir_expr **index) {
  struct span span = number->span;
  if (!c->is_array) {
    *index = lower_number(w, 0, span);
    return lower_equal(w, number, c->first);
  }
  *index = lower_binary(w, IR_SUB, number, lower_number(w, c->first, span), span);
  struct ir_expr *lo = lower_binary(w, IR_GE, number, lower_number(w, c->first, span), span);
  int64_t last = (int64_t)c->first + c->count - 1;
  return lower_and(w, lo, lower_binary(w, IR_LE, number, lower_number(w, last, span), span));
}

static bool in_question(const struct channel *c, struct width n) {
  return n.at_most ? n.fields <= c->decl->field_count : n.fields == c->decl->field_count;
}

struct ir_expr *lower_ask_channel(struct lower *w, struct chan_ref r, struct width n,
                                  lower_of_channel *ask, const void *user, struct ir_expr *none) {
  if (r.known) return in_question(r.known, n) ? ask(w, r.known, r.index, user) : none;
  struct ir_expr *x = none, *index;
  for (size_t i = w->channels.count; i-- > 0;) {
    const struct channel *c = &w->channels.data[i];
    if (!in_question(c, n) || !lower_may_be(&r.may, c)) continue;
    struct ir_expr *chosen = lower_is_channel(w, c, r.number, &index);
    if (!lower_is_false(chosen)) x = lower_ite(w, chosen, ask(w, c, index, user), x);
  }
  return x;
}

static const char no_channel[] = "the channel is uninitialised, or has another number of fields";

void lower_do_channel(struct lower *w, struct chan_ref r, struct width n, lower_with_channel *act,
                      const void *user, struct ir_chain *out) {
  if (r.known && in_question(r.known, n)) return act(w, r.known, r.index, user, out);
  struct ir_chain rest = {0};
  lower_fail(w, IR_FAULT_ERROR, no_channel, &rest, r.span);
  for (size_t i = w->channels.count; !r.known && i-- > 0;) {
    const struct channel *c = &w->channels.data[i];
    struct ir_expr *index;
    if (!in_question(c, n) || lower_is_rendezvous(c) || !lower_may_be(&r.may, c)) continue;
    struct ir_expr *chosen = lower_is_channel(w, c, r.number, &index);
    if (lower_is_false(chosen)) continue;
    struct ir_chain body = {0}, next = {0};
    act(w, c, index, user, &body);
    ir_chain_add(&next, ir_if(w->m, chosen, body.first, rest.first, r.span));
    rest = next;
  }
  ir_chain_add(out, rest.first);
}

// --- asking ---

// Where an expression needs a channel and there is none: a call that fails.
static struct ir_expr *missing(struct lower *w, struct span span) {
  if (!w->no_channel) {
    struct ir_function *f = ir_function_new(w->m, "no channel", w->i32, span);
    struct ir_chain body = {0};
    lower_fail(w, IR_FAULT_ERROR, no_channel, &body, span);
    ir_chain_add(&body, ir_return(w->m, lower_number(w, 0, span), span));
    f->body = body.first;
    w->no_channel = f;
  }
  return ir_call(w->m, w->no_channel, NULL, 0, span);
}

static struct ir_expr *test_of(struct lower *w, const struct channel *c, struct ir_expr *index,
                               const void *user) {
  const struct ast_expr *e = user;
  struct ir_expr *len = lower_number(w, 0, e->span);
  if (!lower_is_rendezvous(c))
    len = lower_queue_length(w, lower_queue(w, c, index, e->span), e->span);
  int64_t capacity = lower_is_rendezvous(c) ? 1 : c->decl->capacity;
  struct ir_expr *full = lower_number(w, capacity, e->span), *zero = lower_number(w, 0, e->span);
  switch (e->op) {
  case AST_FULL: return lower_binary(w, IR_EQ, len, full, e->span);
  case AST_NFULL: return lower_binary(w, IR_NE, len, full, e->span);
  case AST_EMPTY: return lower_binary(w, IR_EQ, len, zero, e->span);
  case AST_NEMPTY: return lower_binary(w, IR_NE, len, zero, e->span);
  default: return len;
  }
}

struct ir_expr *lower_channel_test(struct lower *w, const struct ast_expr *e) {
  struct chan_ref r = lower_channel(w, e->args[0]);
  struct ir_expr *none = r.known ? lower_number(w, 0, e->span) : missing(w, e->span);
  if (e->op != AST_LEN) none = lower_binary(w, IR_NE, none, lower_number(w, 0, e->span), e->span);
  return lower_ask_channel(w, r, (struct width){.at_most = true}, test_of, e, none);
}

struct polled {
  const struct ast_expr *e;
  struct message m;
};

static struct ir_expr *poll_of(struct lower *w, const struct channel *c, struct ir_expr *index,
                               const void *user) {
  const struct polled *p = user;
  struct span span = p->e->span;
  if (lower_is_rendezvous(c)) return lower_false(w);
  return lower_match(w, c, lower_queue(w, c, index, span), &p->m, p->e->random, span);
}

struct ir_expr *lower_poll(struct lower *w, const struct ast_expr *e) {
  struct polled p = {.e = e};
  lower_pattern(w, &p.m, e->args + 1, e->arg_count - 1);
  struct chan_ref r = lower_channel(w, e->args[0]);
  struct ir_expr *none =
      lower_binary(w, IR_NE, missing(w, e->span), lower_number(w, 0, e->span), e->span);
  struct width n = {.fields = (uint32_t)p.m.fields.count, .at_most = true};
  struct ir_expr *x = lower_ask_channel(w, r, n, poll_of, &p, none);
  lower_message_clear(&p.m);
  return x;
}
