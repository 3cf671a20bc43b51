// SPDX-License-Identifier: Apache-2.0
// What the parts of ir_narrow share; private to this room. A class is a variable or local and a
// field path, whatever the indices: all its scalars share one interval. What is copied, compared as
// a whole or handed by reference must keep one type, and is one class.
#pragma once

#include "ir/ir.h"

// Values: those of lo..hi but for `missing` ones from `gap` on, which lie inside. lo > hi: none. (A
// byte that counts to 3 and gets -1 holds 0..3 and 255.)
struct ir_span {
  __int128 lo, hi;
  __int128 gap, missing; // missing 0: no gap
};
#define IR_SPAN_NONE ((struct ir_span){1, 0})

static inline bool ir_span_none(struct ir_span s) { return s.lo > s.hi; }
static inline bool ir_span_same(struct ir_span a, struct ir_span b) {
  return a.lo == b.lo && a.hi == b.hi && a.missing == b.missing &&
         (a.missing == 0 || a.gap == b.gap);
}

// Is what has become of a set worth another round? `late`: gaps do not count any more.
static inline bool ir_span_changed(struct ir_span a, struct ir_span b, bool late) {
  return late ? a.lo != b.lo || a.hi != b.hi : !ir_span_same(a, b);
}

// --- sets of values (narrow_set.c) ---
struct ir_span ir_span_join_parts(struct ir_span a, struct ir_span b);
struct ir_span ir_span_meet_parts(struct ir_span a, struct ir_span b);
struct ir_span ir_span_hull(struct ir_span a, struct ir_span b); // both and all between: no gap
// The values plus a number; and a number minus them.
struct ir_span ir_span_plus(struct ir_span s, __int128 n);
struct ir_span ir_span_from(__int128 n, struct ir_span s);
// The parts below and above the gap; returns how many there are, 2 at most.
unsigned ir_span_parts(struct ir_span s, struct ir_span parts[2]);

// Values of either, of both. Where more than one gap would be left, the largest one is.
static inline struct ir_span ir_span_join(struct ir_span a, struct ir_span b) {
  if (ir_span_none(a)) return b;
  if (ir_span_none(b)) return a;
  if (a.missing || b.missing || b.lo > a.hi + 1 || a.lo > b.hi + 1) return ir_span_join_parts(a, b);
  return (struct ir_span){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
static inline struct ir_span ir_span_meet(struct ir_span a, struct ir_span b) {
  if (a.missing || b.missing) return ir_span_meet_parts(a, b);
  struct ir_span s = {a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
  return ir_span_none(s) ? IR_SPAN_NONE : s;
}

// Rounds in which intervals grow step by step, in which they may shrink again, and in which it
// counts that only gaps become larger.
enum { IR_NARROW_GROW = 24, IR_NARROW_SHRINK = 12, IR_NARROW_GAPS = 3 };

// Something known of one scalar at one point of a body: that it lies within a span.
struct ir_fact {
  uint64_t key;   // of the scalar: ir_narrow_key
  uint32_t class; // root
  struct ir_span span;
};
struct ir_facts {
  VEC(struct ir_fact) list;
  bool dead; // this point is not reached, as far as is known
};

// A process: a variable that holds its location (is_location) in its first field. Other fields are
// known by location: in a state in which the first is `lo + k`, field i lies within
// at[i * places + k].
struct ir_seat {
  const struct ir_var *var;
  int64_t lo;
  uint32_t places, fields;      // fields from the first on that are scalars
  bool *reached, *reached_next; // per place
  struct ir_span *at, *at_next;
};

struct ir_narrowing {
  struct ir_model *m;
  bool *impure; // per function
  // Classes: of variables, then of locals by owner: functions, starts, rules, properties, atoms,
  // fairness.
  uint32_t *var_first;
  uint32_t **local_first;
  uint32_t *result; // per function: the class of its result, if that is a scalar
  uint32_t count;
  uint32_t *parent;            // union-find
  const struct ir_type **type; // scalar, as it was
  bool *fixed;                 // of a root: its type must stay
  bool *top;                   // of a root: any value of its type
  struct ir_span *now, *next;  // of a root: what is read, and what was found to be written
  uint32_t owner;              // of the body that is looked at
  // Processes, and what is known of them (narrow_seat.c).
  VEC(struct ir_seat) seats;
  uint32_t *seat_at;       // per leaf that is a location: the number of its seat, plus one
  VEC(uint32_t) * touched; // per start, then per rule: seats that it may write
  const uint32_t *touches; // of the body that is looked at
  size_t touch_count;
  bool seated;  // what is known of seats counts
  bool leaving; // what bodies leave in seats is noted
};

enum { IR_NARROW_NOWHERE = UINT32_MAX };

uint32_t ir_narrow_root(struct ir_narrowing *n, uint32_t class);
// The first class of an lvalue; NOWHERE for anything else.
uint32_t ir_narrow_class(struct ir_narrowing *n, const struct ir_expr *e);
uint32_t ir_narrow_classes(const struct ir_type *t); // how many a value of this type has
// Names the one scalar that an lvalue is, whatever the state; false: it may be several.
bool ir_narrow_key(const struct ir_expr *e, uint64_t *key);
struct ir_span ir_narrow_type(const struct ir_type *t); // all its values

// --- expressions (narrow_span.c) ---
// All values that an expression may have, and arguments of calls noted on the way.
struct ir_span ir_narrow_eval(struct ir_narrowing *n, struct ir_facts *f, const struct ir_expr *e);
void ir_narrow_write(struct ir_narrowing *n, uint32_t class, struct ir_span s);
// A binder gives its variable the values of the domain.
void ir_narrow_bind(struct ir_narrowing *n, struct ir_facts *f, const struct ir_local *l,
                    const struct ir_domain *d);

// --- processes (narrow_seat.c) ---
// Finds the variables of processes, and what their fields hold at which location at the beginning
// of a rule: bodies then know that. After all classes were found to hold `now`.
void ir_narrow_seats(struct ir_narrowing *n);
void ir_narrow_seats_clear(struct ir_narrowing *n);
// A rule begins, its guard holds; its body ends.
void ir_narrow_enter(struct ir_narrowing *n, struct ir_facts *f);
void ir_narrow_leave(struct ir_narrowing *n, const struct ir_facts *f);

// --- bodies (narrow_flow.c) ---
void ir_narrow_run(struct ir_narrowing *n); // all of them once (narrow.c)
// More is known of an lvalue: that it lies within a span.
void ir_narrow_learn(struct ir_narrowing *n, struct ir_facts *f, uint64_t key, uint32_t class,
                     struct ir_span s);
void ir_narrow_rule(struct ir_narrowing *n, const struct ir_rule *r);
void ir_narrow_function(struct ir_narrowing *n, const struct ir_function *f);
