// The model "mutex" as C, written by Fathom. Names: r3 is rule 3, p1 property 1,
// f2_0 the first instance of function 2, l0 local 0 of the rule or function.
#include "fathom_native.h"

// The state s: 1 words, 4 leaves, 7 bits.
//   s[0] bit  0 width  2  "at[pid_1]"
//   s[0] bit  2 width  2  "at[pid_2]"
//   s[0] bit  4 width  2 undefined=0  "owner"
//   s[0] bit  6 width  1  "free"
enum { WORDS = 1 };


// property "mutual exclusion"
static uint32_t p0(const uint64_t *s) {
#line 22 "mutex.ir"
  for (uint64_t c0 = fathom_fields(s[0], 2, 2, 0x5); c0; c0 &= c0 - 1) {
    const int64_t l0 = fathom_next(c0) / 2 + 1;
    for (uint64_t c1 = fathom_fields(s[0], 2, 2, 0x5); c1; c1 &= c1 - 1) {
      const int64_t l1 = fathom_next(c1) / 2 + 1;
      if (l0 != l1) {
        if ((s[0] >> (2 * (l0 - 1)) & 0x3) == 2) {
          if ((s[0] >> (2 * (l1 - 1)) & 0x3) == 2) return 0;
        }
      }
    }
  }
  return 1;
}

#line 1 "generated"
FATHOM_INLINE void fired(struct fathom_batch *b, const uint64_t *from, const uint64_t *s, uint32_t instance, uint32_t choice) {
  fathom_fired(b, from, s, WORDS);
  fathom_push(b, instance, choice, 1);
}

// rule "ask": instances 0 to 1
//   l0 is parameter "p"
static inline uint32_t r0_body(uint64_t *s, int64_t l0) {
#line 9 "mutex.ir"
  fathom_put(&s[0], 2 * (l0 - 1), 0x3, 1);
  return 1;
}

#line 1 "generated"
static inline void r0_step(const uint64_t *s, struct fathom_batch *b, uint32_t instance, int64_t l0) {
  uint64_t *t = fathom_copy(b, s, WORDS);
  r0_body(t, l0);
  fired(b, s, t, instance, 0);
}

// rule "enter": instances 2 to 3
//   l0 is parameter "p"
FATHOM_INLINE uint32_t r1_when0(const uint64_t *s) {
#line 10 "mutex.ir"
  if (!((int64_t)(s[0] >> 6 & 0x1))) return 0;
  return 1;
}

static inline uint32_t r1_body(uint64_t *s, int64_t l0) {
#line 11 "mutex.ir"
  fathom_put(&s[0], 2 * (l0 - 1), 0x3, 2);
#line 12 "mutex.ir"
  s[0] = (s[0] & ~UINT64_C(0x30)) | (uint64_t)(l0) << 4;
#line 13 "mutex.ir"
  s[0] = (s[0] & ~UINT64_C(0x40)) | (uint64_t)(0) << 6;
  return 1;
}

#line 1 "generated"
static inline void r1_step(const uint64_t *s, struct fathom_batch *b, uint32_t instance, int64_t l0) {
  uint64_t *t = fathom_copy(b, s, WORDS);
  r1_body(t, l0);
  fired(b, s, t, instance, 0);
}

// rule "leave": instances 4 to 5
//   l0 is parameter "p"
static inline uint32_t r2_body(uint64_t *s, int64_t l0) {
#line 16 "mutex.ir"
  int64_t t1 = (int64_t)(s[0] >> 4 & 0x3);
  if (FATHOM_UNLIKELY(t1 == 0)) return fathom_fault(20);
  if ((t1) != l0) return fathom_fault(21);
#line 17 "mutex.ir"
  fathom_put(&s[0], 2 * (l0 - 1), 0x3, 0);
#line 18 "mutex.ir"
  s[0] = (s[0] & ~UINT64_C(0x30)) | (uint64_t)(0) << 4;
#line 19 "mutex.ir"
  s[0] = (s[0] & ~UINT64_C(0x40)) | (uint64_t)(1) << 6;
  return 1;
}

#line 1 "generated"
static inline void r2_step(const uint64_t *s, struct fathom_batch *b, uint32_t instance, int64_t l0) {
  uint64_t *t = fathom_copy(b, s, WORDS);
  const uint32_t outcome = r2_body(t, l0);
  if (FATHOM_UNLIKELY(outcome != 1))
    fathom_failed(b, s, WORDS, instance, 0, outcome);
  else
    fired(b, s, t, instance, 0);
}

static __attribute__((noinline)) void expand_0(const uint64_t *restrict s, struct fathom_batch *restrict b) {
  // "ask"
  {
    for (uint64_t c0 = fathom_fields(s[0], 0, 2, 0x5); c0; c0 &= c0 - 1) {
      const int64_t l0 = fathom_next(c0) / 2 + 1;
      r0_step(s, b, (uint32_t)((l0 - 1)), l0);
    }
  }
  // "enter"
  if (r1_when0(s) == 1) {
    for (uint64_t c0 = fathom_fields(s[0], 1, 2, 0x5); c0; c0 &= c0 - 1) {
      const int64_t l0 = fathom_next(c0) / 2 + 1;
      r1_step(s, b, (uint32_t)(2 + (l0 - 1)), l0);
    }
  }
  // "leave"
  {
    for (uint64_t c0 = fathom_fields(s[0], 2, 2, 0x5); c0; c0 &= c0 - 1) {
      const int64_t l0 = fathom_next(c0) / 2 + 1;
      r2_step(s, b, (uint32_t)(4 + (l0 - 1)), l0);
    }
  }
}

static void expand(const uint64_t *s, struct fathom_batch *b) {
  expand_0(s, b);
}

static struct fathom_fault check(const uint64_t *s) {
  const uint32_t o0 = p0(s);
  if (o0 != 1) return fathom_verdict(o0, 0);
  return (struct fathom_fault){0, 0};
}

static struct fathom_fault covers(const uint64_t *s, uint64_t *bits) {
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
  .reserve = 6,
  .expand = expand,
  .check = check,
  .covers = covers,
  .atoms = atoms,
  .ample = ample,
  .may_end = may_end,
};
