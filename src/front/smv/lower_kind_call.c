// SPDX-License-Identifier: Apache-2.0
// Kinds of functions and of what is special to words: selections of bits, shifts, concatenation.
#include "front/smv/lower.h"

#include <string.h>

static const struct smv_kind bad = {.name = KIND_BAD};

static struct smv_kind word(uint8_t bits, bool is_signed) {
  return (struct smv_kind){.name = KIND_WORD, .bits = bits, .is_signed = is_signed};
}

// Argument i is of one of the kinds in the set; false: told.
static bool want(struct smv_lower *w, const struct smv_expr *e, uint32_t i, unsigned kinds,
                 const char *expected) {
  struct smv_kind k = smv_kind(w, e->args[i]);
  if (k.name == KIND_BAD) return false;
  bool fine = (kinds >> k.name & 1) || ((kinds >> KIND_BOOL & 1) && smv_is_bool(k));
  if (fine && !k.set) return true;
  diag_error(w->d, e->args[i]->span, "%s wants %s, and this is %s",
             e->op == SMV_CALL ? e->text : smv_operator(e->op), expected, smv_kind_text(w, k));
  return false;
}

#define BOOLS (1u << KIND_BOOL)
#define INTS  (1u << KIND_INT)
#define WORDS (1u << KIND_WORD)

static bool want_constant(struct smv_lower *w, const struct smv_expr *e, uint32_t i, int64_t lo,
                          int64_t hi, int64_t *value) {
  if (!want(w, e, i, INTS, "a constant")) return false;
  if (smv_constant(w, e->args[i], value) && *value >= lo && *value <= hi) return true;
  diag_error(w->d, e->args[i]->span, "%s wants a constant from %lld to %lld here",
             e->op == SMV_CALL ? e->text : smv_operator(e->op), (long long)lo, (long long)hi);
  return false;
}

// --- functions ---

static struct smv_kind count(struct smv_lower *w, const struct smv_expr *e) {
  bool good = true;
  for (uint32_t i = 0; i < e->arg_count; i++) good = want(w, e, i, BOOLS, "Booleans") && good;
  return good ? (struct smv_kind){.name = KIND_INT} : bad;
}

static struct smv_kind smaller_or_larger(struct smv_lower *w, const struct smv_expr *e) {
  struct smv_kind k = bad;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    if (!want(w, e, i, INTS | WORDS, "integers, or words of one type")) return bad;
    struct smv_kind a = smv_kind(w, e->args[i]);
    k = i == 0 ? a : smv_kind_join(k, a);
    if (k.name != KIND_INT && k.name != KIND_WORD)
      return smv_kind_error(w, e->span, "the arguments of %s do not fit", e->text);
  }
  k.bit = false;
  return k;
}

static struct smv_kind absolute(struct smv_lower *w, const struct smv_expr *e) {
  return want(w, e, 0, INTS, "an integer") ? (struct smv_kind){.name = KIND_INT} : bad;
}

static struct smv_kind to_int(struct smv_lower *w, const struct smv_expr *e) {
  bool good = want(w, e, 0, BOOLS | INTS | WORDS, "a Boolean, a word or an integer");
  return good ? (struct smv_kind){.name = KIND_INT} : bad;
}

static struct smv_kind to_bool(struct smv_lower *w, const struct smv_expr *e) {
  if (!want(w, e, 0, BOOLS | INTS | WORDS, "an integer or a word of one bit")) return bad;
  struct smv_kind k = smv_kind(w, e->args[0]);
  if (k.name == KIND_WORD && k.bits != 1)
    return smv_kind_error(w, e->span, "bool wants a word of one bit, and this is %s",
                          smv_kind_text(w, k));
  return (struct smv_kind){.name = KIND_BOOL};
}

static struct smv_kind to_word1(struct smv_lower *w, const struct smv_expr *e) {
  return want(w, e, 0, BOOLS, "a Boolean") ? word(1, false) : bad;
}

static struct smv_kind to_signed(struct smv_lower *w, const struct smv_expr *e) {
  if (!want(w, e, 0, WORDS, "a word")) return bad;
  return word(smv_kind(w, e->args[0]).bits, e->text[0] == 's');
}

static struct smv_kind extend(struct smv_lower *w, const struct smv_expr *e) {
  int64_t n;
  if (!want(w, e, 0, WORDS, "a word")) return bad;
  struct smv_kind k = smv_kind(w, e->args[0]);
  bool more = strcmp(e->text, "extend") == 0;
  if (!want_constant(w, e, 1, more ? 0 : 1, more ? 64 - k.bits : 64, &n)) return bad;
  return word((uint8_t)(more ? k.bits + n : n), k.is_signed);
}

static struct smv_kind word_of_number(struct smv_lower *w, const struct smv_expr *e) {
  int64_t value, bits;
  bool is_signed = e->text[0] == 's';
  if (!want_constant(w, e, 1, 1, 64, &bits)) return bad;
  int64_t hi = bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - is_signed)) - 1;
  if (is_signed) hi = bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
  if (!want_constant(w, e, 0, is_signed ? -hi - 1 : 0, hi, &value)) return bad;
  return word((uint8_t)bits, is_signed);
}

static struct smv_kind size_of(struct smv_lower *w, const struct smv_expr *e) {
  return want(w, e, 0, WORDS, "a word") ? (struct smv_kind){.name = KIND_INT} : bad;
}

static const struct {
  const char *name;
  uint32_t least, most; // arguments
  struct smv_kind (*kind)(struct smv_lower *, const struct smv_expr *);
} functions[] = {
    {"count", 1, UINT32_MAX, count},
    {"abs", 1, 1, absolute},
    {"floor", 1, 1, absolute},
    {"max", 2, UINT32_MAX, smaller_or_larger},
    {"min", 2, UINT32_MAX, smaller_or_larger},
    {"toint", 1, 1, to_int},
    {"bool", 1, 1, to_bool},
    {"word1", 1, 1, to_word1},
    {"signed", 1, 1, to_signed},
    {"unsigned", 1, 1, to_signed},
    {"extend", 2, 2, extend},
    {"resize", 2, 2, extend},
    {"uwconst", 2, 2, word_of_number},
    {"swconst", 2, 2, word_of_number},
    {"sizeof", 1, 1, size_of},
};

struct smv_kind smv_kind_call(struct smv_lower *w, const struct smv_expr *e) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strcmp(e->text, functions[i].name) != 0) continue;
    if (e->arg_count >= functions[i].least && e->arg_count <= functions[i].most)
      return functions[i].kind(w, e);
    return smv_kind_error(w, e->span, "%s wants %u argument%s, and is given %u", e->text,
                          functions[i].least, functions[i].least == 1 ? "" : "s", e->arg_count);
  }
  return smv_kind_error(w, e->span, "there is no function %s", e->text);
}

// --- words ---

struct smv_kind smv_kind_bits(struct smv_lower *w, const struct smv_expr *e) {
  int64_t hi, lo;
  if (!want(w, e, 0, WORDS, "a word")) return bad;
  struct smv_kind k = smv_kind(w, e->args[0]);
  if (!want_constant(w, e, 1, 0, k.bits - 1, &hi) || !want_constant(w, e, 2, 0, hi, &lo))
    return bad;
  return word((uint8_t)(hi - lo + 1), false);
}

struct smv_kind smv_kind_shift(struct smv_lower *w, const struct smv_expr *e) {
  int64_t n;
  if (!want(w, e, 0, WORDS, "a word") || !want(w, e, 1, INTS | WORDS, "an integer or a word"))
    return bad;
  struct smv_kind k = smv_kind(w, e->args[0]), by = smv_kind(w, e->args[1]);
  if (by.name == KIND_WORD && by.is_signed)
    return smv_kind_error(w, e->args[1]->span, "a word that shifts must be unsigned");
  k.fails = !smv_constant(w, e->args[1], &n);
  if (!k.fails && (n < 0 || n > k.bits))
    return smv_kind_error(w, e->args[1]->span, "a word[%u] can be shifted by 0 to %u bits", k.bits,
                          k.bits);
  return k;
}

struct smv_kind smv_kind_concat(struct smv_lower *w, const struct smv_expr *e) {
  if (!want(w, e, 0, WORDS, "words") || !want(w, e, 1, WORDS, "words")) return bad;
  unsigned bits = smv_kind(w, e->args[0]).bits + smv_kind(w, e->args[1]).bits;
  if (bits > 64) return smv_kind_error(w, e->span, "words have 1 to 64 bits here, not %u", bits);
  return word((uint8_t)bits, false);
}
