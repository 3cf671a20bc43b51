// SPDX-License-Identifier: Apache-2.0
// Kinds of expressions, found bottom up and remembered: NuSMV 2.6's rules, except that 0 and 1 are
// Booleans where Booleans are wanted, as in its older form.
#include "front/smv/lower.h"

#include <stdarg.h>
#include <string.h>

#define INDEX_SIZE 20   // a choice among elements counts as so many nodes
#define DEPTH_MAX  4000 // levels of expressions and definitions inside each other
#define LIST_MAX   5000 // branches of case, members of sets: they become nested choices

static const struct smv_kind bad = {.name = KIND_BAD};

struct smv_kind smv_kind_error(struct smv_lower *w, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_vadd(w->d, DIAG_ERROR, span, format, args);
  va_end(args);
  return bad;
}

bool smv_is_bool(struct smv_kind k) { return k.name == KIND_BOOL || (k.name == KIND_INT && k.bit); }

const char *smv_kind_text(struct smv_lower *w, struct smv_kind k) {
  static const char *const one[] = {"an error", "Boolean", "an integer", "a symbolic constant",
                                    "an integer or symbolic constant"};
  static const char *const many[] = {"an error", "a set of Booleans", "a set of integers",
                                     "a set of symbolic constants",
                                     "a set of integers and symbolic constants"};
  if (k.name == KIND_WORD)
    return arena_printf(w->arena, "%s %s word[%u]",
                        k.set         ? "a set of"
                        : k.is_signed ? "a"
                                      : "an",
                        k.is_signed ? "signed" : "unsigned", k.bits);
  return k.set ? many[k.name] : one[k.name];
}

struct smv_kind smv_symbol_kind(struct smv_lower *w, const struct smv_symbol *s) {
  if (s->kind == SMV_CONSTANT) return (struct smv_kind){.name = KIND_SYMBOL};
  if (s->kind == SMV_DEFINE) return smv_kind(w, s->expr);
  if (s->kind == SMV_RUNNING) return (struct smv_kind){.name = KIND_BOOL};
  assert(s->type);
  const struct smv_type *t = s->type;
  const struct ir_type *x = w->known->types[s->id];
  struct smv_kind k = {.name = KIND_INT, .bit = x->lo >= 0 && x->hi <= 1};
  bool names = false, numbers = false;
  for (uint32_t i = 0; t->kind == SMV_TYPE_ENUM && i < t->member_count; i++) {
    names = names || t->members[i].name;
    numbers = numbers || !t->members[i].name;
  }
  if (names) k.name = numbers ? KIND_MIXED : KIND_SYMBOL;
  if (t->kind == SMV_TYPE_BOOLEAN) k.name = KIND_BOOL;
  if (t->kind == SMV_TYPE_WORD)
    k = (struct smv_kind){.name = KIND_WORD, .bits = t->bits, .is_signed = t->is_signed};
  return k;
}

struct smv_kind smv_kind_join(struct smv_kind a, struct smv_kind b) {
  struct smv_kind k = {.set = a.set || b.set, .fails = a.fails || b.fails};
  if (a.name == KIND_BAD || b.name == KIND_BAD) return bad;
  if (a.name == KIND_WORD || b.name == KIND_WORD) {
    bool same = a.name == b.name && a.bits == b.bits && a.is_signed == b.is_signed;
    k.name = same ? KIND_WORD : KIND_BAD;
    k.bits = a.bits;
    k.is_signed = a.is_signed;
  } else if (a.name == KIND_BOOL || b.name == KIND_BOOL) {
    k.name = smv_is_bool(a) && smv_is_bool(b) ? KIND_BOOL : KIND_BAD;
  } else {
    k.name = a.name == b.name ? a.name : KIND_MIXED;
    k.bit = a.bit && b.bit;
  }
  return k;
}

// --- constants ---

const struct smv_expr *smv_meant(const struct smv_expr *e) {
  for (;;) {
    if (e->op == SMV_SYMBOL && e->symbol->kind == SMV_DEFINE)
      e = e->symbol->expr;
    else if (e->op == SMV_SET && e->arg_count == 1)
      e = e->args[0];
    else
      return e;
  }
}

static bool constant_result(enum smv_op op, int64_t a, int64_t b, int64_t *value) {
  switch (op) {
  case SMV_ADD: return !__builtin_add_overflow(a, b, value);
  case SMV_SUB: return !__builtin_sub_overflow(a, b, value);
  case SMV_MUL: return !__builtin_mul_overflow(a, b, value);
  case SMV_DIV:
  case SMV_MOD:
    if (b == 0 || b == -1) return false;
    *value = op == SMV_DIV ? a / b : a % b;
    return true;
  default: return false;
  }
}

bool smv_constant(struct smv_lower *w, const struct smv_expr *e, int64_t *value) {
  int64_t a, b;
  e = smv_meant(e);
  *value = e->value;
  if (e->op == SMV_NUMBER) return true;
  if (e->op == SMV_MINUS)
    return smv_constant(w, e->args[0], &a) && !__builtin_sub_overflow(0, a, value);
  if (e->op == SMV_CALL && strcmp(e->text, "sizeof") == 0 && e->arg_count == 1) {
    struct smv_kind k = smv_kind(w, e->args[0]);
    *value = k.bits;
    return k.name == KIND_WORD;
  }
  if (e->op < SMV_ADD || e->op > SMV_MOD) return false;
  return smv_constant(w, e->args[0], &a) && smv_constant(w, e->args[1], &b) &&
         constant_result(e->op, a, b, value);
}

bool smv_is_true(struct smv_lower *w, const struct smv_expr *e) {
  int64_t value;
  return smv_meant(e)->op == SMV_TRUE || (smv_constant(w, e, &value) && value == 1);
}

// --- operators ---

static struct smv_kind mismatch(struct smv_lower *w, const struct smv_expr *e, struct smv_kind a,
                                struct smv_kind b) {
  return smv_kind_error(w, e->span, "the operands of %s do not fit: %s and %s", smv_operator(e->op),
                        smv_kind_text(w, a), smv_kind_text(w, b));
}

static struct smv_kind refused(struct smv_lower *w, const struct smv_expr *e,
                               const struct smv_expr *operand, struct smv_kind k,
                               const char *expected) {
  if (k.name == KIND_BAD) return bad;
  return smv_kind_error(w, operand->span, "%s wants %s, and this is %s", smv_operator(e->op),
                        expected, smv_kind_text(w, k));
}

static struct smv_kind plain_bool(void) { return (struct smv_kind){.name = KIND_BOOL}; }

// & | xor ... of Booleans, or bit by bit of words.
static struct smv_kind logic(struct smv_lower *w, const struct smv_expr *e) {
  struct smv_kind k = plain_bool();
  for (uint32_t i = 0; i < e->arg_count; i++) {
    struct smv_kind a = smv_kind(w, e->args[i]);
    bool fine = !a.set && (smv_is_bool(a) || a.name == KIND_WORD);
    if (!fine) return refused(w, e, e->args[i], a, "Booleans, or words of one type");
    struct smv_kind joined = i == 0 && a.name == KIND_WORD ? a : smv_kind_join(k, a);
    if (joined.name == KIND_BAD) return mismatch(w, e, k, a);
    k = joined;
  }
  return k;
}

static struct smv_kind arithmetic(struct smv_lower *w, const struct smv_expr *e) {
  struct smv_kind k = bad;
  int64_t divisor;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    struct smv_kind a = smv_kind(w, e->args[i]);
    bool fine = !a.set && (a.name == KIND_INT || a.name == KIND_WORD);
    if (!fine) return refused(w, e, e->args[i], a, "integers, or words of one type");
    struct smv_kind joined = i == 0 ? a : smv_kind_join(k, a);
    if (joined.name != KIND_INT && joined.name != KIND_WORD) return mismatch(w, e, k, a);
    k = joined;
  }
  k.bit = false;
  if (e->op == SMV_DIV || e->op == SMV_MOD)
    k.fails = k.fails || !smv_constant(w, e->args[1], &divisor) || divisor == 0;
  return k;
}

static struct smv_kind equality(struct smv_lower *w, const struct smv_expr *e) {
  struct smv_kind a = smv_kind(w, e->args[0]), b = smv_kind(w, e->args[1]);
  if (a.name == KIND_BAD || b.name == KIND_BAD) return bad;
  if (a.set && b.set)
    return smv_kind_error(w, e->span, "two sets cannot be compared; expected one value and a set");
  if (smv_kind_join(a, b).name == KIND_BAD) return mismatch(w, e, a, b);
  return plain_bool();
}

static struct smv_kind comparison(struct smv_lower *w, const struct smv_expr *e) {
  struct smv_kind k = arithmetic(w, e);
  return k.name == KIND_BAD ? bad : plain_bool();
}

static struct smv_kind membership(struct smv_lower *w, const struct smv_expr *e) {
  struct smv_kind a = smv_kind(w, e->args[0]), b = smv_kind(w, e->args[1]);
  if (a.name == KIND_BAD || b.name == KIND_BAD) return bad;
  return smv_kind_join(a, b).name == KIND_BAD ? mismatch(w, e, a, b) : plain_bool();
}

// --- sets and branches ---

static struct smv_kind join_values(struct smv_lower *w, const struct smv_expr *e, uint32_t first,
                                   uint32_t step) {
  struct smv_kind k = smv_kind(w, e->args[first]);
  bool failed = k.name == KIND_BAD;
  for (uint32_t i = first + step; i < e->arg_count; i += step) {
    struct smv_kind a = smv_kind(w, e->args[i]), joined = smv_kind_join(k, a);
    if (a.name != KIND_BAD && k.name != KIND_BAD && joined.name == KIND_BAD) {
      smv_kind_error(w, e->args[i]->span, "this is %s, and what stands before is %s",
                     smv_kind_text(w, a), smv_kind_text(w, k));
      failed = true;
    }
    if (joined.name == KIND_BAD) failed = true;
    if (!failed) k = joined;
  }
  return failed ? bad : k;
}

static struct smv_kind set_of(struct smv_lower *w, const struct smv_expr *e) {
  struct smv_kind k = join_values(w, e, 0, 1);
  k.set = k.set || e->arg_count > 1;
  return k;
}

static struct smv_kind range(struct smv_lower *w, const struct smv_expr *e) {
  int64_t lo, hi;
  for (uint32_t i = 0; i < 2; i++) {
    struct smv_kind a = smv_kind(w, e->args[i]);
    if (a.name == KIND_BAD) return bad;
    if (a.name != KIND_INT || a.set) return refused(w, e, e->args[i], a, "integers");
  }
  if (!smv_constant(w, e->args[0], &lo) || !smv_constant(w, e->args[1], &hi))
    return smv_kind_error(w, e->span, "the bounds of a range must be constants");
  if (lo > hi) return smv_kind_error(w, e->span, "the range is empty");
  return (struct smv_kind){.name = KIND_INT, .set = true, .bit = lo >= 0 && hi <= 1};
}

static struct smv_kind case_kind(struct smv_lower *w, const struct smv_expr *e) {
  bool good = true;
  for (uint32_t i = 0; i < e->arg_count; i += 2)
    good = smv_want_bool(w, e->args[i], "a condition of case") && good;
  struct smv_kind k = join_values(w, e, 1, 2);
  if (!smv_is_true(w, e->args[e->arg_count - 2])) k.fails = true;
  return good ? k : bad;
}

static struct smv_kind conditional(struct smv_lower *w, const struct smv_expr *e) {
  bool good = smv_want_bool(w, e->args[0], "the condition of ?:");
  struct smv_kind k = join_values(w, e, 1, 1);
  return good ? k : bad;
}

static struct smv_kind temporal(struct smv_lower *w, const struct smv_expr *e) {
  bool good = true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    good = smv_want_bool(w, e->args[i], smv_operator(e->op)) && good;
  return good ? plain_bool() : bad;
}

static struct smv_kind word_constant(struct smv_lower *w, const struct smv_expr *e) {
  if (e->bits < 1 || e->bits > 64)
    return smv_kind_error(w, e->span, "words have 1 to 64 bits here");
  return (struct smv_kind){.name = KIND_WORD, .bits = e->bits, .is_signed = e->is_signed};
}

static struct smv_kind find(struct smv_lower *w, const struct smv_expr *e) {
  switch (e->op) {
  case SMV_NUMBER:
    return (struct smv_kind){.name = KIND_INT, .bit = e->value == 0 || e->value == 1};
  case SMV_TRUE:
  case SMV_FALSE: return plain_bool();
  case SMV_WORD: return word_constant(w, e);
  case SMV_SYMBOL:
    if (e->symbol->kind != SMV_ARRAY) return smv_symbol_kind(w, e->symbol);
    return smv_kind_error(w, e->span, "the array %s as a whole; expected one of its elements",
                          e->symbol->name);
  case SMV_INDEX: return smv_kind_index(w, e);
  case SMV_RANGE: return range(w, e);
  case SMV_SET: return set_of(w, e);
  case SMV_UNION: {
    struct smv_kind k = join_values(w, e, 0, 1);
    k.set = true;
    return k;
  }
  case SMV_BITS: return smv_kind_bits(w, e);
  case SMV_NOT:
  case SMV_AND:
  case SMV_OR:
  case SMV_XOR:
  case SMV_XNOR:
  case SMV_IMPLIES:
  case SMV_IFF: return logic(w, e);
  case SMV_EQ:
  case SMV_NE: return equality(w, e);
  case SMV_LT:
  case SMV_LE:
  case SMV_GT:
  case SMV_GE: return comparison(w, e);
  case SMV_MINUS:
  case SMV_ADD:
  case SMV_SUB:
  case SMV_MUL:
  case SMV_DIV:
  case SMV_MOD: return arithmetic(w, e);
  case SMV_SHL:
  case SMV_SHR: return smv_kind_shift(w, e);
  case SMV_CONCAT: return smv_kind_concat(w, e);
  case SMV_IN: return membership(w, e);
  case SMV_CASE: return case_kind(w, e);
  case SMV_ITE: return conditional(w, e);
  case SMV_NEXT: return smv_kind(w, e->args[0]);
  case SMV_CALL: return smv_kind_call(w, e);
  case SMV_MIN:
  case SMV_MAX: return (struct smv_kind){.name = KIND_INT};
  case SMV_NAME:
  case SMV_SELF: break;
  default: return temporal(w, e);
  }
  return smv_kind_error(w, e->span, "this is no value");
}

// Whether it fails, how large and how deep it is comes from what is inside, too.
static void look_inside(struct smv_lower *w, const struct smv_expr *e, struct smv_kind *k) {
  uint32_t size = 1;
  bool define = e->op == SMV_SYMBOL && e->symbol->kind == SMV_DEFINE;
  k->levels = define ? smv_kind(w, e->symbol->expr).levels : 0;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    if (e->op == SMV_INDEX && i == 0) continue; // an array has no kind
    struct smv_kind a = smv_kind(w, e->args[i]);
    k->fails = k->fails || a.fails;
    if (a.levels > k->levels) k->levels = a.levels;
    size += a.size;
  }
  if (e->op == SMV_INDEX) size += INDEX_SIZE;
  if (define) size = smv_kind(w, e->symbol->expr).size;
  k->size = size > UINT16_MAX ? UINT16_MAX : (uint16_t)size;
  if (++k->levels > DEPTH_MAX)
    *k = smv_kind_error(w, e->span, "nested too deeply: more than %d levels", DEPTH_MAX);
}

static struct smv_kind find_bounded(struct smv_lower *w, const struct smv_expr *e) {
  if (e->arg_count > LIST_MAX)
    return smv_kind_error(w, e->span, "%s of more than %d parts", smv_operator(e->op), LIST_MAX);
  if (w->depth > DEPTH_MAX)
    return smv_kind_error(w, e->span, "nested too deeply: more than %d levels", DEPTH_MAX);
  return find(w, e);
}

struct smv_kind smv_kind(struct smv_lower *w, const struct smv_expr *e) {
  struct smv_kind *memo = &w->kinds[e->id];
  if (memo->state == 2) return *memo;
  if (memo->state == 1) return smv_kind_error(w, e->span, "this depends on itself");
  memo->state = 1;
  w->depth++;
  struct smv_kind k = find_bounded(w, e);
  w->depth--;
  if (k.name != KIND_BAD) look_inside(w, e, &k);
  k.state = 2;
  *memo = k;
  return k;
}

// --- what is wanted ---

bool smv_want_bool(struct smv_lower *w, const struct smv_expr *e, const char *what) {
  struct smv_kind k = smv_kind(w, e);
  if (smv_is_bool(k) && !k.set) return true;
  if (k.name != KIND_BAD)
    diag_error(w->d, e->span, "%s must be Boolean, and this is %s", what, smv_kind_text(w, k));
  return false;
}

bool smv_want_value(struct smv_lower *w, const struct smv_symbol *s, const struct smv_expr *e) {
  struct smv_kind k = smv_kind(w, e), to = smv_symbol_kind(w, s);
  if (k.name == KIND_BAD) return false;
  bool apart = (to.name == KIND_INT && k.name == KIND_SYMBOL) ||
               (to.name == KIND_SYMBOL && k.name == KIND_INT);
  if (!apart && smv_kind_join(k, to).name != KIND_BAD) return true;
  to.set = false;
  diag_error(w->d, e->span, "the variable %s is %s, and this is %s", s->name, smv_kind_text(w, to),
             smv_kind_text(w, k));
  return false;
}
