// SPDX-License-Identifier: Apache-2.0
// What a property depends on: the cone of influence, how strongly each leaf in it is tied to the
// property (paper 004, phase 1: D(v)), and the relation cut down to it.
#pragma once

#include "relation/relation.h"

// Bit sets over leaves have (layout->count + 63) / 64 words.
struct cone {
  uint64_t *leaves;   // in the cone
  uint32_t *strength; // per leaf: D(v), 0 for those of the property itself; CONE_OUTSIDE
  uint32_t *from;     // per leaf: that through which it came in (the dependency tree), CONE_OUTSIDE
  size_t count;       // leaves inside
  uint8_t *rules;     // per rule instance: does it belong to the slice?
  bool whole;         // nothing is outside, and no rule is left out
};
#define CONE_OUTSIDE UINT32_MAX

// What the slice has to keep beside the values of leaves along runs.
enum {
  // Steps are told one by one: rules that write nothing inside are steps all the same. For formulas
  // about runs (CTL, LTL, liveness) and whatever asks whether a run goes on. Without it a run of
  // the whole is one of the slice when steps that change nothing inside are left out.
  CONE_RUNS = 1,
  CONE_ERRORS = 2, // every error of a step that may happen, also of rules that write nothing inside
  CONE_ALL = 4,    // everything: strengths are told, nothing is left out
};

// Of the leaves of `support`. A leaf depends on what its writes, their rules' guards and errors
// that may happen speak of, and on what is assumed of the choices that reach it. What constrains
// steps as a whole (an assumption that may leave no choice, what is assumed of all states) is in
// every cone of its rule: so that a run of the slice is, state by state, a run of the whole, and
// the other way. Shortest lengths are the same.
void cone_init(struct cone *c, const struct relation *r, const uint64_t *support, unsigned what);
void cone_clear(struct cone *c);
bool cone_has(const struct cone *c, uint64_t leaf);
bool cone_same(const struct relation *r, const struct cone *a, const struct cone *b);
// What either keeps.
void cone_join(const struct relation *r, struct cone *to, const struct cone *from);

// Is it known that every state has a successor, whatever the rest of the state is? False: who
// knows.
bool relation_total(const struct relation *r);
// May some step or start fail, for all that is known? False: none does.
bool relation_fails(const struct relation *r);

// --- what a property needs, for all engines (support.c) ---

struct support {
  struct relation *relation;
  uint64_t *leaves; // spoken of
  bool all;         // everything: it cannot be told
};
void support_init(struct support *s, struct relation *r);
void support_clear(struct support *s);
void support_condition(struct support *s, const struct ir_frame *frame, const struct ir_expr *e);
// What it speaks of is added; what must be kept beside that (CONE_RUNS, CONE_ALL) comes back.
unsigned support_property(struct support *s, const struct ir_property *p);
// Is it AG of a condition, and says the same as an invariant: every state is known to have a
// successor, and all runs count?
bool relation_always(const struct relation *r, const struct ir_property *p);

// --- slices ---

// The same relation with leaves outside of the cone gone: they are written by nobody and mentioned
// nowhere. Rules keep their places; one that does not belong to the slice can never fire (its guard
// is false). Errors that cannot happen are gone, too. Terms are r's: r is freed after it.
// relation->kept tells the leaves.
struct relation *relation_slice(struct relation *r, const struct cone *c);

// The choices that it speaks of are or-ed into a bit set: of a slice, all that matter.
void relation_choices(const struct relation_rule *rule, uint64_t *choices);

// A step of the slice as one of the whole: `choices` of the rule are known where the slice speaks
// of them, the others are filled in so that the step exists from this state (values of all leaves,
// IR_UNDEF where undefined; NULL for start rules).
void relation_complete(const struct relation *whole, const struct relation *slice,
                       const struct relation_rule *rule, const int64_t *leaves, int64_t *choices);
