// The model "values" as C, written by Fathom. Names: r3 is rule 3, p1 property 1,
// f2_0 the first instance of function 2, l0 local 0 of the rule or function.
#include "fathom_native.h"

// The state s: 1 words, 8 leaves, 39 bits.
//   s[0] bit 28 width  3 undefined=0  "net[0].to_"
//   s[0] bit 16 width  4 undefined=0  "net[0].hops"
//   s[0] bit 31 width  3 undefined=0  "net[1].to_"
//   s[0] bit 20 width  4 undefined=0  "net[1].hops"
//   s[0] bit 34 width  3 undefined=0  "net[2].to_"
//   s[0] bit 24 width  4 undefined=0  "net[2].hops"
//   s[0] bit 37 width  2  "last"
//   s[0] bit  0 width 16  "total"
enum { WORDS = 1 };

static const struct fathom_pos pos[8] = {
  {0, 28}, {0, 16}, {0, 31}, {0, 20}, {0, 34}, {0, 24}, {0, 37}, {0, 0},
};

static inline int64_t t4_rank(int64_t v) {
  if (!fathom_outside(v, 10, 11)) return v - 10 + 0;
  return v - 1 + 2;
}

static inline int64_t t4_value(int64_t v) {
  if (!fathom_outside(v, 0, 1)) return v - 0 + 10;
  return v - 2 + 1;
}

static inline bool t4_outside(int64_t v) {
  if (!fathom_outside(v, 10, 11)) return false;
  return fathom_outside(v, 1, 2);
}

static int64_t f1_0(uint64_t *s, int64_t l0);
static uint32_t f0_0(uint64_t *s, uint32_t l0, int64_t l1, int64_t l2);
static uint32_t f0_1(uint64_t *s, int64_t *l0, int64_t l1, int64_t l2);

// function "busy"
static int64_t f1_0(uint64_t *s, int64_t l0) {
#line 14 "values.ir"
  return !((s[0] >> (28 + 3 * l0) & 0x7) == 0);
}

// procedure "send"
static uint32_t f0_0(uint64_t *s, uint32_t l0, int64_t l1, int64_t l2) {
#line 11 "values.ir"
  fathom_set(s, &pos[l0], 0x7, (t4_rank(l1) + 1));
#line 12 "values.ir"
  int64_t t1 = ((int64_t)l2 + 1);
  if (FATHOM_UNLIKELY(fathom_outside(t1, 0, 7))) return fathom_fault(7);
  fathom_set(s, &pos[l0 + 1], 0xf, ((uint64_t)t1 - (uint64_t)(-1)));
  return 1;
}

// procedure "send"
static uint32_t f0_1(uint64_t *s, int64_t *l0, int64_t l1, int64_t l2) {
#line 11 "values.ir"
  l0[0] = l1;
#line 12 "values.ir"
  int64_t t1 = ((int64_t)l2 + 1);
  if (FATHOM_UNLIKELY(fathom_outside(t1, 0, 7))) return fathom_fault(7);
  l0[1] = t1;
  return 1;
}

// property "all busy"
static uint32_t p0(const uint64_t *s) {
#line 34 "values.ir"
  for (int64_t l0 = 0; l0 <= 2; l0++) {
    {
      const int64_t t1 = f1_0((uint64_t *)s, l0); // "busy"
      if (!t1) return 0;
    }
  }
  return 1;
}

#line 1 "generated"
FATHOM_INLINE void fired(struct fathom_batch *b, const uint64_t *from, const uint64_t *s, uint32_t instance, uint32_t choice) {
  fathom_fired(b, from, s, WORDS);
  fathom_push(b, instance, choice, 1);
}

// rule "send": instances 0 to 2
//   l0 is parameter "k"
//   l1 is choice "n"
FATHOM_INLINE uint32_t r0_guard(const uint64_t *s, int64_t l0) {
#line 16 "values.ir"
  {
    const int64_t t1 = f1_0((uint64_t *)s, l0); // "busy"
    if (t1) return 0;
  }
  return 1;
}

static inline uint32_t r0_body(uint64_t *s, int64_t l0, int64_t l1) {
#line 16 "values.ir"
  const uint32_t t1 = f0_0((uint64_t *)s, (uint32_t)(2 * l0), l1, 0); // "send"
  if (FATHOM_UNLIKELY(t1 != 1)) return t1;
  return 1;
}

#line 1 "generated"
static inline void r0_step(const uint64_t *s, struct fathom_batch *b, uint32_t instance, int64_t l0) {
  if (!r0_guard(s, l0)) return;
  uint32_t choice = 0;
  for (int64_t l1 = 1; l1 <= 2; l1++) {
    uint64_t *t = fathom_copy(b, s, WORDS);
    const uint32_t outcome = r0_body(t, l0, l1);
    if (FATHOM_UNLIKELY(outcome != 1))
      fathom_failed(b, s, WORDS, instance, choice, outcome);
    else
      fired(b, s, t, instance, choice);
    choice++;
  }
}

// rule "forward": instances 3 to 5
//   l0 is parameter "k"
FATHOM_INLINE uint32_t r1_guard(const uint64_t *s, int64_t l0) {
#line 17 "values.ir"
  {
    const int64_t t1 = f1_0((uint64_t *)s, l0); // "busy"
    if (!t1) return 0;
  }
  int64_t t2 = (int64_t)(s[0] >> (16 + 4 * l0) & 0xf);
  if (FATHOM_UNLIKELY(t2 == 0)) return fathom_fault(23);
  if (t2 >= 8) return 0;
  return 1;
}

static inline uint32_t r1_body(uint64_t *s, int64_t l0) {
  int64_t l1[2]; // "m"
  l1[0] = FATHOM_UNDEF;
  l1[1] = FATHOM_UNDEF;
#line 19 "values.ir"
  int64_t t1 = (int64_t)(s[0] >> (28 + 3 * l0) & 0x7);
  l1[0] = (t1 == 0 ? FATHOM_UNDEF : t4_value(t1 - 1));
  l1[1] = fathom_peek((s[0] >> (16 + 4 * l0) & 0xf), 0);
#line 20 "values.ir"
  int64_t t2 = l1[1];
  if (FATHOM_UNLIKELY(t2 == FATHOM_UNDEF)) return fathom_fault(26);
  const uint32_t t3 = f0_1((uint64_t *)s, &l1[0], (t4_value((s[0] >> 37 & 0x3))), t2); // "send"
  if (FATHOM_UNLIKELY(t3 != 1)) return t3;
#line 21 "values.ir"
  int64_t t4 = (int64_t)(s[0] >> (28 + 3 * l0) & 0x7);
  if (FATHOM_UNLIKELY(t4 == 0)) return fathom_fault(31);
  s[0] = (s[0] & ~UINT64_C(0x6000000000)) | (uint64_t)(t4_rank((t4_value((t4 - 1))))) << 37;
#line 22 "values.ir"
  int64_t t5 = l1[0];
  fathom_put(&s[0], 28 + 3 * l0, 0x7, (t5 == FATHOM_UNDEF ? 0 : t4_rank(t5) + 1));
  fathom_put(&s[0], 16 + 4 * l0, 0xf, fathom_code(l1[1], 0));
#line 23 "values.ir"
  int64_t t6;
  if (FATHOM_UNLIKELY(__builtin_mul_overflow((int64_t)(((int64_t)(s[0] >> 0 & 0xffff) + (-32768))), (int64_t)(((int64_t)(s[0] >> 0 & 0xffff) + (-32768))), &t6))) return fathom_fault(37);
  if (FATHOM_UNLIKELY(fathom_outside(t6, (-32768), 32767))) return fathom_fault(37);
  int64_t t7 = l1[1];
  if (FATHOM_UNLIKELY(t7 == FATHOM_UNDEF)) return fathom_fault(38);
  int64_t t8;
  if (FATHOM_UNLIKELY(__builtin_add_overflow((int64_t)t6, (int64_t)t7, &t8))) return fathom_fault(40);
  if (FATHOM_UNLIKELY(fathom_outside(t8, (-32768), 32767))) return fathom_fault(40);
  s[0] = (s[0] & ~UINT64_C(0xffff)) | (uint64_t)(((uint64_t)t8 - (uint64_t)(-32768))) << 0;
  return 1;
}

#line 1 "generated"
static inline void r1_step(const uint64_t *s, struct fathom_batch *b, uint32_t instance, int64_t l0) {
  const uint32_t enabled = r1_guard(s, l0);
  if (enabled != 1) {
    if (enabled) fathom_failed(b, s, WORDS, instance, 0, enabled);
    return;
  }
  uint64_t *t = fathom_copy(b, s, WORDS);
  const uint32_t outcome = r1_body(t, l0);
  if (FATHOM_UNLIKELY(outcome != 1))
    fathom_failed(b, s, WORDS, instance, 0, outcome);
  else
    fired(b, s, t, instance, 0);
}

// rule "drop": instances 6 to 6
static inline uint32_t r2_body(uint64_t *s) {
#line 26 "values.ir"
  for (int64_t l0 = 0; l0 <= 2; l0++) {
#line 27 "values.ir"
    {
      const int64_t t1 = f1_0((uint64_t *)s, l0); // "busy"
      if (t1) {
#line 28 "values.ir"
        fathom_put(&s[0], 28 + 3 * l0, 0x7, 0);
        fathom_put(&s[0], 16 + 4 * l0, 0xf, 0);
#line 29 "values.ir"
        return 1;
      }
    }
  }
#line 32 "values.ir"
  if (!0) return FATHOM_DROPPED;
  return 1;
}

#line 1 "generated"
static inline void r2_step(const uint64_t *s, struct fathom_batch *b, uint32_t instance) {
  uint64_t *t = fathom_copy(b, s, WORDS);
  const uint32_t outcome = r2_body(t);
  if (FATHOM_UNLIKELY(outcome != 1))
    fathom_failed(b, s, WORDS, instance, 0, outcome);
  else
    fired(b, s, t, instance, 0);
}

static __attribute__((noinline)) void expand_0(const uint64_t *restrict s, struct fathom_batch *restrict b) {
  // "send"
  r0_step(s, b, 0, 0);
  r0_step(s, b, 1, 1);
  r0_step(s, b, 2, 2);
  // "forward"
  r1_step(s, b, 3, 0);
  r1_step(s, b, 4, 1);
  r1_step(s, b, 5, 2);
  // "drop"
  r2_step(s, b, 6);
}

static void expand(const uint64_t *s, struct fathom_batch *b) {
  expand_0(s, b);
}

static struct fathom_fault check(const uint64_t *s) {
  return (struct fathom_fault){0, 0};
}

static struct fathom_fault covers(const uint64_t *s, uint64_t *bits) {
  const uint32_t o0 = p0(s);
  if (o0 > 1) return fathom_verdict(o0, 0);
  if (o0 == 1) bits[0] |= UINT64_C(1) << 0;
  return (struct fathom_fault){0, 0};
}

static struct fathom_fault atoms(const uint64_t *s, uint64_t *bits) {
  *bits = 0;
  return (struct fathom_fault){0, 0};
}

static uint64_t ample(const uint64_t *s) {
  uint64_t bits = 0;
  return bits;
}

static bool may_end(const uint64_t *s) {
  return false;
}

__attribute__((visibility("default")))
const struct fathom_native fathom_native_model = {
  .abi = FATHOM_NATIVE_ABI,
  .words = WORDS,
  .key = FATHOM_NATIVE_KEY,
  .reserve = 10,
  .expand = expand,
  .check = check,
  .covers = covers,
  .atoms = atoms,
  .ample = ample,
  .may_end = may_end,
};
