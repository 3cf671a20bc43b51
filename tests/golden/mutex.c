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
  for (int64_t l0 = 1; l0 <= 2; l0++) {
    for (int64_t l1 = 1; l1 <= 2; l1++) {
      if (l0 != l1) {
        if (((int64_t)(s[0] >> (2 * (l0 - 1)) & 0x3)) == 2) {
          if (((int64_t)(s[0] >> (2 * (l1 - 1)) & 0x3)) == 2) return 0;
        }
      }
    }
  }
  return 1;
}

#line 1 "generated"
static inline uint32_t fired(struct fathom_batch *b, const uint64_t *from, const uint64_t *s) {
  fathom_fired(b, from, s, WORDS);
  return 1;
}

// rule "ask": instances 0 to 1
//   l0 is parameter "p"
FATHOM_INLINE uint32_t r0_guard(const uint64_t *s, int64_t l0) {
#line 9 "mutex.ir"
  if (((int64_t)(s[0] >> (2 * (l0 - 1)) & 0x3)) != 0) return 0;
  return 1;
}

static inline uint32_t r0_body(uint64_t *s, int64_t l0) {
#line 9 "mutex.ir"
  fathom_set(s, (struct fathom_pos){0, 2 * (l0 - 1)}, 0x3, 1);
  return 1;
}

#line 1 "generated"
static inline void r0_step(const uint64_t *s, struct fathom_batch *b, uint32_t instance, int64_t l0) {
  const uint32_t enabled = r0_guard(s, l0);
  if (fathom_refused(enabled)) return;
  uint64_t *t = fathom_copy(b, s, WORDS);
  uint32_t outcome = enabled == 1 ? r0_body(t, l0) : enabled;
  if (outcome == 1) outcome = fired(b, s, t);
  if (outcome != FATHOM_DROPPED) fathom_push(b, instance, 0, outcome);
}

// rule "enter": instances 2 to 3
//   l0 is parameter "p"
FATHOM_INLINE uint32_t r1_when0(const uint64_t *s) {
#line 10 "mutex.ir"
  if (!((int64_t)(s[0] >> 6 & 0x1))) return 0;
  return 1;
}

FATHOM_INLINE uint32_t r1_guard(const uint64_t *s, int64_t l0) {
#line 10 "mutex.ir"
  if (((int64_t)(s[0] >> (2 * (l0 - 1)) & 0x3)) != 1) return 0;
  return 1;
}

static inline uint32_t r1_body(uint64_t *s, int64_t l0) {
#line 11 "mutex.ir"
  fathom_set(s, (struct fathom_pos){0, 2 * (l0 - 1)}, 0x3, 2);
#line 12 "mutex.ir"
  s[0] = (s[0] & ~UINT64_C(0x30)) | (uint64_t)(l0) << 4;
#line 13 "mutex.ir"
  s[0] = (s[0] & ~UINT64_C(0x40)) | (uint64_t)(0) << 6;
  return 1;
}

#line 1 "generated"
static inline void r1_step(const uint64_t *s, struct fathom_batch *b, uint32_t instance, int64_t l0) {
  const uint32_t enabled = r1_guard(s, l0);
  if (fathom_refused(enabled)) return;
  uint64_t *t = fathom_copy(b, s, WORDS);
  uint32_t outcome = enabled == 1 ? r1_body(t, l0) : enabled;
  if (outcome == 1) outcome = fired(b, s, t);
  if (outcome != FATHOM_DROPPED) fathom_push(b, instance, 0, outcome);
}

// rule "leave": instances 4 to 5
//   l0 is parameter "p"
FATHOM_INLINE uint32_t r2_guard(const uint64_t *s, int64_t l0) {
#line 15 "mutex.ir"
  if (((int64_t)(s[0] >> (2 * (l0 - 1)) & 0x3)) != 2) return 0;
  return 1;
}

static inline uint32_t r2_body(uint64_t *s, int64_t l0) {
#line 16 "mutex.ir"
  int64_t t1 = (int64_t)(s[0] >> 4 & 0x3);
  if (FATHOM_UNLIKELY(t1 == 0)) return fathom_fault(20);
  if ((t1) != l0) return fathom_fault(21);
#line 17 "mutex.ir"
  fathom_set(s, (struct fathom_pos){0, 2 * (l0 - 1)}, 0x3, 0);
#line 18 "mutex.ir"
  s[0] = (s[0] & ~UINT64_C(0x30)) | (uint64_t)(0) << 4;
#line 19 "mutex.ir"
  s[0] = (s[0] & ~UINT64_C(0x40)) | (uint64_t)(1) << 6;
  return 1;
}

#line 1 "generated"
static inline void r2_step(const uint64_t *s, struct fathom_batch *b, uint32_t instance, int64_t l0) {
  const uint32_t enabled = r2_guard(s, l0);
  if (fathom_refused(enabled)) return;
  uint64_t *t = fathom_copy(b, s, WORDS);
  uint32_t outcome = enabled == 1 ? r2_body(t, l0) : enabled;
  if (outcome == 1) outcome = fired(b, s, t);
  if (outcome != FATHOM_DROPPED) fathom_push(b, instance, 0, outcome);
}

static __attribute__((noinline)) void expand_0(const uint64_t *restrict s, struct fathom_batch *restrict b) {
  // "ask"
  r0_step(s, b, 0, 1);
  r0_step(s, b, 1, 2);
  // "enter"
  if (r1_when0(s) == 1) {
    r1_step(s, b, 2, 1);
    r1_step(s, b, 3, 2);
  }
  // "leave"
  r2_step(s, b, 4, 1);
  r2_step(s, b, 5, 2);
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

static uint64_t atoms(const uint64_t *s) {
  uint64_t bits = 0;
  return bits;
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
};
