// SPDX-License-Identifier: Apache-2.0
// Functions, and operations that only words have. A word[N] is a machine integer of N bits that
// wraps round; what changes the width is a cast between two of them.
#include "front/smv/lower.h"

#include <string.h>

static struct ir_expr *to_word(struct smv_lower *w, struct ir_expr *x, uint8_t bits, bool is_signed,
                               struct span span) {
  return ir_cast(w->m, smv_word_type(w, bits, is_signed), x, span);
}

// The bits of a word as a number without sign.
static struct ir_expr *pattern(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  struct ir_expr *x = smv_value(w, e, t);
  return k.is_signed ? to_word(w, x, k.bits, false, e->span) : x;
}

struct ir_expr *smv_bits(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  int64_t lo = 0;
  smv_constant(w, e->args[2], &lo);
  struct ir_expr *x = pattern(w, e->args[0], t);
  if (lo > 0) x = ir_binary(w->m, IR_SHR, x, ir_int(w->m, lo, e->span), e->span);
  return to_word(w, x, smv_kind(w, e).bits, false, e->span);
}

struct ir_expr *smv_concat(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  uint8_t bits = smv_kind(w, e).bits;
  struct ir_expr *a = to_word(w, pattern(w, e->args[0], t), bits, false, e->span);
  struct ir_expr *b = to_word(w, pattern(w, e->args[1], t), bits, false, e->span);
  struct ir_expr *by = ir_int(w->m, smv_kind(w, e->args[1]).bits, e->span);
  return ir_binary(w->m, IR_BITOR, ir_binary(w->m, IR_SHL, a, by, e->span), b, e->span);
}

// By the whole width, a signed word that is shifted right leaves its sign in all bits.
static struct ir_expr *shifted_out(struct smv_lower *w, const struct smv_expr *e, enum smv_time t,
                                   struct ir_expr *by, struct ir_expr *x) {
  struct smv_kind k = smv_kind(w, e);
  struct ir_expr *zero = smv_literal(w, k, 0, e->span);
  struct ir_expr *below = ir_binary(w->m, IR_LT, smv_value(w, e->args[0], t), zero, e->span);
  struct ir_expr *fill = ir_ite(w->m, below, smv_literal(w, k, -1, e->span),
                                smv_literal(w, k, 0, e->span), x->type, e->span);
  struct ir_expr *whole = ir_binary(w->m, IR_EQ, by, ir_int(w->m, k.bits, e->span), e->span);
  return ir_ite(w->m, whole, fill, x, x->type, e->span);
}

struct ir_expr *smv_shift(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  int64_t n = -1;
  bool known = smv_constant(w, e->args[1], &n);
  enum ir_op op = e->op == SMV_SHL ? IR_SHL : IR_SHR;
  struct ir_expr *x =
      ir_binary(w->m, op, smv_value(w, e->args[0], t), smv_value(w, e->args[1], t), e->span);
  if (k.is_signed && op == IR_SHR && (!known || n == k.bits))
    x = shifted_out(w, e, t, smv_value(w, e->args[1], t), x);
  if (known) return x;
  struct ir_expr *above =
      ir_binary(w->m, IR_LE, ir_int(w->m, 0, e->span), smv_value(w, e->args[1], t), e->span);
  struct ir_expr *below =
      ir_binary(w->m, IR_LE, smv_value(w, e->args[1], t), ir_int(w->m, k.bits, e->span), e->span);
  const char *message =
      arena_printf(w->arena, "a word[%u] is shifted by more bits, or less than 0", k.bits);
  return ir_ite(w->m, ir_binary(w->m, IR_AND, above, below, e->span), x,
                smv_fault(w, k, IR_FAULT_ERROR, e->span, message), x->type, e->span);
}

// --- functions ---

static const struct smv_kind boolean = {.name = KIND_BOOL}, integer = {.name = KIND_INT};

static struct ir_expr *one_if(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  return ir_ite(w->m, smv_value_as(w, e, t, boolean), ir_int(w->m, 1, e->span),
                ir_int(w->m, 0, e->span), w->m->int_type, e->span);
}

static struct ir_expr *count(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct ir_expr *sum = one_if(w, e->args[0], t);
  for (uint32_t i = 1; i < e->arg_count; i++)
    sum = ir_binary(w->m, IR_ADD, sum, one_if(w, e->args[i], t), e->span);
  return sum;
}

static struct ir_expr *absolute(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct ir_expr *below = ir_binary(w->m, IR_LT, smv_value_as(w, e->args[0], t, integer),
                                    ir_int(w->m, 0, e->span), e->span);
  struct ir_expr *minus = ir_unary(w->m, IR_NEG, smv_value_as(w, e->args[0], t, integer), e->span);
  return ir_ite(w->m, below, minus, smv_value_as(w, e->args[0], t, integer), w->m->int_type,
                e->span);
}

static struct ir_expr *outermost(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  enum ir_op op = strcmp(e->text, "max") == 0 ? IR_GT : IR_LT;
  struct ir_expr *x = smv_value_as(w, e->args[0], t, k);
  for (uint32_t i = 1; i < e->arg_count; i++) {
    struct ir_expr *wins = ir_binary(w->m, op, x, smv_value_as(w, e->args[i], t, k), e->span);
    x = ir_ite(w->m, wins, x, smv_value_as(w, e->args[i], t, k), smv_kind_type(w, k), e->span);
  }
  return x;
}

static struct ir_expr *to_int(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e->args[0]);
  if (k.name == KIND_BOOL) return one_if(w, e->args[0], t);
  struct ir_expr *x = smv_value(w, e->args[0], t);
  return k.name == KIND_WORD ? ir_cast(w->m, w->m->int_type, x, e->span) : x;
}

static struct ir_expr *to_bool(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e->args[0]);
  if (k.name == KIND_BOOL) return smv_value(w, e->args[0], t);
  return ir_binary(w->m, IR_NE, smv_value(w, e->args[0], t), ir_int(w->m, 0, e->span), e->span);
}

static struct ir_expr *to_word1(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  return ir_ite(w->m, smv_value_as(w, e->args[0], t, boolean), smv_literal(w, k, 1, e->span),
                smv_literal(w, k, 0, e->span), smv_kind_type(w, k), e->span);
}

static struct ir_expr *cast(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e);
  return to_word(w, smv_value(w, e->args[0], t), k.bits, k.is_signed, e->span);
}

// A signed word that gets shorter keeps its sign, and the lowest of its other bits.
static struct ir_expr *resize(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  struct smv_kind k = smv_kind(w, e), from = smv_kind(w, e->args[0]);
  if (!k.is_signed || k.bits >= from.bits) return cast(w, e, t);
  struct ir_expr *below = ir_binary(w->m, IR_LT, smv_value(w, e->args[0], t),
                                    smv_literal(w, from, 0, e->span), e->span);
  struct ir_expr *lowest = smv_literal(w, k, INT64_MIN >> (64 - k.bits), e->span);
  if (k.bits == 1)
    return ir_ite(w->m, below, lowest, smv_literal(w, k, 0, e->span), lowest->type, e->span);
  struct ir_expr *low = to_word(w, smv_value(w, e->args[0], t), k.bits - 1, false, e->span);
  low = to_word(w, low, k.bits, true, e->span);
  return ir_ite(w->m, below, ir_binary(w->m, IR_ADD, low, lowest, e->span), low, lowest->type,
                e->span);
}

static struct ir_expr *number(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  int64_t value = 0;
  (void)t;
  smv_constant(w, e->args[0], &value);
  return smv_literal(w, smv_kind(w, e), value, e->span);
}

static struct ir_expr *size_of(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  (void)t;
  return ir_int(w->m, smv_kind(w, e->args[0]).bits, e->span);
}

static struct ir_expr *same(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  return smv_value_as(w, e->args[0], t, integer);
}

struct ir_expr *smv_call(struct smv_lower *w, const struct smv_expr *e, enum smv_time t) {
  static const struct {
    const char *name;
    struct ir_expr *(*lower)(struct smv_lower *, const struct smv_expr *, enum smv_time);
  } functions[] = {
      {"count", count},    {"abs", absolute},   {"floor", same},     {"max", outermost},
      {"min", outermost},  {"toint", to_int},   {"bool", to_bool},   {"word1", to_word1},
      {"signed", cast},    {"unsigned", cast},  {"extend", cast},    {"resize", resize},
      {"uwconst", number}, {"swconst", number}, {"sizeof", size_of},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(e->text, functions[i].name) == 0) return functions[i].lower(w, e, t);
  assert(!"a function that has no kind");
  return NULL;
}
