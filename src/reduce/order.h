// SPDX-License-Identifier: Apache-2.0
// Does the order matter in which a loop goes through values that have none? A walk over all rules
// and properties, calls followed into the called function, that keeps of every local what is known
// of it, and of every loop over unordered values what its rounds read and write. order.c walks
// statements, order_expr.c expressions, order_place.c knows places, order_judge.c decides.
//
// "Unordered" are the elements of a symmetric scalarset, and the slots of a multiset that holds
// some: slots are sorted by the names of what is in them.
#pragma once

#include "ir/ir.h"

enum {
  ORDER_ROUNDS_MAX = 31,      // loops and quantifiers over unordered values inside each other
  ORDER_CALLS_MAX = 64,       // calls inside each other
  ORDER_WORK_MAX = 4000000,   // steps of the walk
  ORDER_ACCESSES_MAX = 10000, // of one loop
};
#define ORDER_ALL  UINT32_MAX
#define ORDER_STEP (UINT32_C(1) << ORDER_ROUNDS_MAX) // it differs within an ordered quantifier

// What is known of a scalar.
struct order_value {
  enum { ORDER_ANY, ORDER_NUMBER, ORDER_ROUND } kind;
  uint32_t round;  // ROUND: the active loop whose variable it equals
  int64_t number;  // NUMBER
  uint32_t varies; // active loops, as bits: it may differ from round to round
  __int128 lo, hi; // it lies between them
};

struct order_step { // on the way from a variable to a part of it
  bool is_index;
  uint32_t field;
  struct order_value index;
};

// A variable or local, or a part of it.
struct order_place {
  const struct ir_var *var;     // or, if NULL,
  const struct ir_local *local; // never a reference parameter
  size_t cell;                  // of the local: its first
  const struct order_step *way;
  uint32_t length;
  uint64_t sample;        // its first leaf inside the variable, unknown indices taken as the first
  uint64_t first, leaves; // it lies among these
  bool exact;             // it is all of these
};

struct order_cell { // what is known of one leaf of a local
  struct order_value value;
  uint32_t mine;  // active loops, as bits: it got its value in their present round
  bool defined;   // surely
  uint64_t write; // which write its value is from
};

enum order_kind {
  ORDER_READ,
  ORDER_SET,  // := value
  ORDER_ADD,  // := itself + something
  ORDER_BITS, // := itself with another by the operator `op`, all of whose uses commute
  ORDER_FILL, // an element is added to the multiset
  ORDER_WRITE,
};

struct order_access {
  enum order_kind kind;
  struct order_place at;
  struct order_value value; // SET
  int sign;                 // ADD: of what is added; 0: any, and it wraps round
  enum ir_op op;            // BITS
  struct span span;
};

// What was met so far.
struct order_met {
  uint64_t faults;          // places where a step can go wrong
  uint64_t assumes, covers; // places where it can vanish, or reach a goal
};

struct order_round { // an active loop (or quantifier) over unordered values
  const struct ir_type *over;
  struct span span;
  size_t top; // cells from here on are born in the round
  VEC(struct order_access) accesses;
  struct order_met before; // it was entered
  bool returns, returns_differ;
  struct order_value returned;
};

// What may still be run in a frame after the statement that is being looked at.
struct order_rest {
  const struct ir_stmt *next; // these
  const struct ir_stmt *loop; // or this, again
  const struct order_rest *outer;
};

struct order_call {
  const struct order_call *caller;
  const struct ir_frame *frame;
  size_t base;              // its first cell
  struct order_place *refs; // per local: what a reference parameter stands for
  uint32_t rounds;          // that were active when it began
  const struct order_rest *rest;
  bool returned;
  struct order_value result;
};

struct order_fact { // this place is known to be defined
  const struct ir_expr *place;
  uint64_t writes; // as long as there were no more
  const struct order_fact *next;
};

struct order {
  const struct ir_model *m;
  bool *sets;                   // per type id: scalarsets that are symmetric for all that is known
  const struct ir_type **slots; // per type id: the multiset whose slots it numbers, or NULL
  const struct ir_rule *rule;   // that is being walked, or NULL
  struct text *why;
  struct arena *arena; // for one rule or property
  VEC(struct order_cell) cells;
  struct order_call *call;
  struct order_round rounds[ORDER_ROUNDS_MAX];
  uint32_t round_count;
  uint32_t loops;   // of any kind, around what is being looked at
  uint32_t ordered; // quantifiers around it that have an order
  struct order_met met;
  uint64_t writes; // so far, to something that outlives the call they are in
  uint64_t cell_writes;
  const struct order_fact *facts;
  bool *moved; // per type id: slots of this multiset may have changed places in this rule
  uint64_t work;
  bool too_large;
};

// What a Boolean is looked at for. An invariant that fails and one that cannot be evaluated are
// both violated; elsewhere a fault is something third.
enum order_context { ORDER_BOTH, ORDER_TRUE, ORDER_FALSE };

// --- order_place.c ---
struct order_value order_any(const struct ir_type *t, uint32_t varies);
struct order_value order_number(int64_t v);
struct order_value order_undefined(void);
bool order_same_value(const struct order_value *a, const struct order_value *b); // surely
struct order_value order_join(struct order_value a, struct order_value b);
// Do all values that it can have belong to a type?
bool order_within(const struct order_value *v, const struct ir_type *from,
                  const struct ir_type *to);
void order_fails(struct order *w); // here a step can go wrong
struct order_place order_place(struct order *w, const struct ir_expr *e); // e: an lvalue
struct order_value order_read(struct order *w, const struct order_place *p,
                              const struct ir_expr *e);
bool order_defined(const struct order *w, const struct order_place *p, const struct ir_type *t);
void order_note(struct order *w, struct order_access a);
// The local's cells after a write.
void order_store(struct order *w, const struct order_place *p, const struct order_value *v,
                 bool defined);
void order_blur(struct order *w, const struct order_place *p);
void order_copy(struct order *w, const struct order_place *to, const struct order_place *from);
// Before a loop: what it may write is no longer known.
void order_forget(struct order *w, const struct ir_stmt *body);
void order_forget_expr(struct order *w, const struct ir_expr *e);
bool order_same_place(const struct ir_expr *a, const struct ir_expr *b);
bool order_has_slots(const struct order *w, const struct ir_type *t);

// --- order_expr.c ---
struct order_value order_eval(struct order *w, const struct ir_expr *e, enum order_context c);
struct order_value order_bound(struct order *w, const struct ir_domain *d,
                               const struct ir_local *l);
void order_assign(struct order *w, const struct ir_stmt *s);

// --- order.c ---
// Takes out of `sets` (per type id) the scalarsets for which it cannot be shown that no order
// matters. Why goes to `why`, if given.
void order_check(const struct ir_model *m, bool *sets, struct text *why);
void order_stmts(struct order *w, const struct ir_stmt *s);
bool order_unordered(const struct order *w, const struct ir_domain *d);
bool order_enter_round(struct order *w, const struct ir_type *over, struct span span);
void order_make_round(const struct order *w, struct order_value *v); // v is the loop's variable
struct order_round *order_leave_round(struct order *w);

// --- order_judge.c ---
// At the end of a loop: do its rounds commute? If not, the scalarsets concerned are out.
void order_judge(struct order *w, struct order_round *r, uint32_t number);
// stops: at the first value that decides. alike: then it comes to the same as a fault.
void order_judge_quantifier(struct order *w, struct order_round *r, bool stops, bool alike);
bool order_names(const struct ir_stmt *s, const struct ir_local *l); // do the statements?
void order_doubt(struct order *w, const struct ir_type *over, struct span span, const char *what,
                 const struct order_access *at);
