// SPDX-License-Identifier: Apache-2.0
// Interpreter and native code side by side: the same successors in the same order, the same faults,
// the same bookkeeping, on every state that can be reached (up to a number of them).
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/ir.h"
#include "sys/sys.h"

#include <string.h>

static const struct span NOWHERE_SPAN = {0};

static inline void finish_model(struct ir_model *m) {
  struct diag d = {0};
  struct text errors = {0};
  assert_true(ir_model_finish(m, &d));
  if (!ir_check(m, &errors)) fail_msg("%s", text_str(&errors));
  text_clear(&errors);
  diag_clear(&d);
}

struct states {
  VEC(uint64_t) words;
  size_t count, per_state;
};

static inline bool states_have(const struct states *s, const uint64_t *state) {
  for (size_t i = 0; i < s->count; i++)
    if (memcmp(s->words.data + i * s->per_state, state, s->per_state * 8) == 0) return true;
  return false;
}

static inline void states_add(struct states *s, const uint64_t *state) {
  if (states_have(s, state)) return;
  for (size_t i = 0; i < s->per_state; i++) VEC_PUSH(&s->words, state[i]);
  s->count++;
}

static inline void agree_outputs(const struct ir_model *m, const struct sys_out *a,
                                 const struct sys_out *b) {
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->fired, b->fired);
  assert_int_equal(a->moved, b->moved);
  assert_memory_equal(a->covers, b->covers, (m->properties.count / 64 + 1) * 8);
  for (size_t i = 0; i < a->count; i++) {
    assert_int_equal(a->steps[i].instance, b->steps[i].instance);
    assert_int_equal(a->steps[i].choice, b->steps[i].choice);
    assert_int_equal(a->steps[i].site, b->steps[i].site);
    if (a->steps[i].site) continue;
    assert_memory_equal(a->words + i * a->words_per_state, b->words + i * a->words_per_state,
                        a->words_per_state * 8);
  }
}

static inline void agree_checks(const struct ir_model *m, struct sys *a, struct sys *b,
                                const uint64_t *state) {
  struct sys_fault f = a->check(a, state), g = b->check(b, state);
  assert_int_equal(f.kind, g.kind);
  assert_int_equal(f.id, g.id);
  uint64_t p[4] = {0}, q[4] = {0};
  assert_true(m->properties.count < 256);
  f = a->covers(a, state, p);
  g = b->covers(b, state, q);
  assert_int_equal(f.kind, g.kind);
  assert_int_equal(f.id, g.id);
  assert_memory_equal(p, q, sizeof p);
  assert_true(a->atoms(a, state) == b->atoms(b, state));
}

struct agreement {
  size_t states, steps, faults;
  uint64_t fired;
};

// Takes the model. Fails the test at the first difference.
static inline struct agreement agree(struct ir_model *m, size_t states_max) {
  struct sys *a = sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys *b = sys_new(m, &(struct sys_config){.mode = SYS_NATIVE, .no_cache = true});
  struct states seen = {.per_state = m->layout->words};
  struct sys_out x, y;
  struct agreement result = {0};
  if (!b->native) fail_msg("not native: %s", b->note ? b->note : "no reason given");
  sys_out_init(&x, m->layout->words, m->properties.count);
  sys_out_init(&y, m->layout->words, m->properties.count);
  a->starts(a, &x);
  for (size_t i = 0; i < x.count; i++)
    if (!x.steps[i].site) states_add(&seen, x.words + i * seen.per_state);
  for (size_t i = 0; i < seen.count && i < states_max; i++) {
    uint64_t state[64];
    assert_true(seen.per_state <= 64);
    memcpy(state, seen.words.data + i * seen.per_state, seen.per_state * 8);
    sys_out_reset(&x);
    sys_out_reset(&y);
    a->expand(a, state, &x);
    b->expand(b, state, &y);
    agree_outputs(m, &x, &y);
    agree_checks(m, a, b, state);
    result.fired += x.fired;
    for (size_t k = 0; k < x.count; k++) {
      result.steps++;
      if (x.steps[k].site)
        result.faults++;
      else
        states_add(&seen, x.words + k * seen.per_state);
    }
  }
  result.states = seen.count;
  VEC_CLEAR(&seen.words);
  sys_out_clear(&x);
  sys_out_clear(&y);
  sys_free(a);
  sys_free(b);
  ir_model_free(m);
  return result;
}
