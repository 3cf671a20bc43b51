// SPDX-License-Identifier: Apache-2.0
// From a flat SMV model to IR: kinds of expressions, their values in the state before and after a
// step, and the plan of a rule. Errors are told once: whoever meets a bad kind stays silent.
#pragma once

#include "front/smv/flat.h"
#include "ir/ir.h"

// ---------------------------------------------------------------------------------------------
// Kinds: the types of expressions, as coarse as NuSMV's checker sees them

enum smv_kind_name {
  KIND_BAD, // an error was told
  KIND_BOOL,
  KIND_INT,
  KIND_SYMBOL, // symbolic constants only
  KIND_MIXED,  // integers and symbolic constants
  KIND_WORD,
};

struct smv_kind {
  enum smv_kind_name name;
  uint8_t bits; // WORD
  bool is_signed;
  bool set;        // more than one value at a time
  bool bit;        // INT: only 0 and 1, which are Booleans, too
  bool fails;      // evaluating it can be a fault
  uint8_t state;   // of the memo: 0 unknown, 1 being found, 2 known
  uint16_t size;   // nodes, about; stops at its maximum
  uint16_t levels; // of nodes inside each other
};

enum smv_time { TIME_NOW, TIME_NEXT };

// ---------------------------------------------------------------------------------------------
// Rules: how each unknown of a step (the next value of a variable, an input) comes about

enum smv_how {
  HOW_NONE,     // no unknown of this rule
  HOW_STAYS,    // the value of the state before
  HOW_COMPUTED, // of `expr`
  HOW_CHOSEN,   // any of its type, or of the set `expr`
};

struct smv_unknown {
  enum smv_how how;
  const struct smv_expr *expr;
  enum smv_time time; // at which the expression is evaluated
  struct span span;
  bool restricts;  // by an equation: a value outside of the type means that there is no step
  bool wanted;     // its value is being computed
  uint64_t *needs; // set of unknowns that are chosen, by symbol; NULL: not known yet
  const struct ir_local *local;
};

struct smv_condition {         // that a step must fulfil
  const struct smv_expr *expr; // NULL: the unknown lies in its set
  const struct smv_symbol *symbol;
  enum smv_time time;
  bool negated;
  uint64_t *needs;
};

// Where expressions are lowered: in a rule, or over a state as such (rule is NULL).
struct smv_scope {
  struct ir_rule *rule;
  enum smv_time unknown; // the time whose variables are the unknowns: NOW of start rules
  uint32_t process;
  struct ir_frame *frame;
  struct ir_chain chain;
  struct smv_unknown *unknowns; // by symbol
  VEC(struct smv_condition) conditions;
  uint8_t *taken; // by expression: as a condition, bits for each time, negated or not
  // by time and expression: how often it is used (NULL: nothing is shared), and the local that
  // holds its value
  uint32_t *uses[2];
  const struct ir_local **locals[2];
  const struct ir_local **oks[2]; // of expressions that can fail: whether it did not
};

// ---------------------------------------------------------------------------------------------

// What is kept with a model to read more expressions later.
struct smv_known {
  struct smv_flat *flat;
  struct arena *arena;
  const struct ir_var **vars;      // by symbol; NULL: it is no variable of the state
  const struct ir_type **types;    // by symbol, of variables and inputs
  int64_t *numbers;                // by symbol, of constants
  const struct ir_type *constants; // all symbolic constants; NULL: none
};

struct smv_lower {
  struct ir_model *m;
  struct diag *d;
  struct smv_flat *flat;
  struct arena *arena; // of the lowering itself
  struct smv_known *known;
  bool given; // an expression for a finished model: no functions can be added
  bool quiet; // what fails has some value or other
  const struct ir_function **faults; // by expression, of shared ones that can fail
  struct smv_kind *kinds;            // by expression
  unsigned depth;                    // of the one whose kind is being found
  VEC(const struct ir_type *) made;  // types
  bool *allowed[64];                 // by what is allowed, by expression: looked at
  struct smv_scope *scope;
  uint32_t *shared; // by expression: uses in properties
  const struct ir_function **functions;
  const struct ir_type *words[2][65];
};

// --- lower_decl.c ---
void smv_lower_types(struct smv_lower *w); // numbers, types, variables
const struct ir_type *smv_word_type(struct smv_lower *w, uint8_t bits, bool is_signed);
const struct ir_type *smv_kind_type(struct smv_lower *w, struct smv_kind k);

// --- lower_kind.c ---
struct smv_kind smv_kind(struct smv_lower *w, const struct smv_expr *e);
bool smv_is_bool(struct smv_kind k); // or 0 and 1
const char *smv_kind_text(struct smv_lower *w, struct smv_kind k);
struct smv_kind smv_symbol_kind(struct smv_lower *w, const struct smv_symbol *s);
// The kind that values of both have; BAD: there is none (nothing is told).
struct smv_kind smv_kind_join(struct smv_kind a, struct smv_kind b);
// Tells the user, and gives back a bad kind.
struct smv_kind smv_kind_error(struct smv_lower *w, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// A condition must be Boolean; false: told.
bool smv_want_bool(struct smv_lower *w, const struct smv_expr *e, const char *what);
// Can a value of e be given to the symbol? False: told.
bool smv_want_value(struct smv_lower *w, const struct smv_symbol *s, const struct smv_expr *e);
bool smv_constant(struct smv_lower *w, const struct smv_expr *e, int64_t *value);
bool smv_is_true(struct smv_lower *w, const struct smv_expr *e); // as such
// Behind definitions and sets of one.
const struct smv_expr *smv_meant(const struct smv_expr *e);

// --- lower_kind_call.c ---
struct smv_kind smv_kind_call(struct smv_lower *w, const struct smv_expr *e);
struct smv_kind smv_kind_bits(struct smv_lower *w, const struct smv_expr *e);
struct smv_kind smv_kind_shift(struct smv_lower *w, const struct smv_expr *e);
struct smv_kind smv_kind_concat(struct smv_lower *w, const struct smv_expr *e);

// --- lower_allowed.c ---
enum smv_allow {
  ALLOW_NEXT = 1,
  ALLOW_INPUTS = 2,
  ALLOW_CTL = 4,
  ALLOW_LTL = 8,
  ALLOW_RUNNING = 16,
  ALLOW_INSIDE_NEXT = 32, // set on the way
};
// What of the expression is not allowed; the first such thing, and why. NULL: nothing.
const struct smv_expr *smv_refused(struct smv_lower *w, const struct smv_expr *e, unsigned allow,
                                   const char **why);
// The same as an error: "next is not allowed in INIT". False: told.
bool smv_allowed(struct smv_lower *w, const struct smv_expr *e, unsigned allow, const char *where);
const char *smv_operator(enum smv_op op); // as it is written

// --- lower_expr.c ---
struct ir_expr *smv_value(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);
struct ir_expr *smv_value_as(struct smv_lower *w, const struct smv_expr *e, enum smv_time t,
                             struct smv_kind want);
struct ir_expr *smv_truth(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);
// A condition on states, for properties.
struct ir_expr *smv_state_condition(struct smv_lower *w, struct ir_frame *frame,
                                    const struct smv_expr *e);
struct ir_expr *smv_symbol_value(struct smv_lower *w, const struct smv_symbol *s, enum smv_time t,
                                 struct span span);
// A value of this kind that is never there: a fault, with this message.
struct ir_expr *smv_fault(struct smv_lower *w, struct smv_kind k, enum ir_fault fault,
                          struct span span, const char *message);
// A literal of the kind's type.
struct ir_expr *smv_literal(struct smv_lower *w, struct smv_kind k, int64_t value,
                            struct span span);

// Whether evaluating it goes well; NULL: always. While quiet.
struct ir_expr *smv_ok(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);

// --- lower_ok.c ---
struct ir_expr *smv_ok_inside(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);

// --- lower_word.c ---
struct ir_expr *smv_call(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);
struct ir_expr *smv_bits(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);
struct ir_expr *smv_shift(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);
struct ir_expr *smv_concat(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);

// --- lower_array.c ---
struct ir_expr *smv_element(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);
struct smv_kind smv_kind_index(struct smv_lower *w, const struct smv_expr *e);
void smv_index_bounds(const struct smv_expr *e, int64_t *lo, int64_t *hi); // of its last index
// Calls f for every symbol that may be meant.
void smv_each_element(const struct smv_expr *e, void (*f)(void *, const struct smv_symbol *),
                      void *context);

// --- lower_set.c ---
// What is tested for being in a set: made anew each time it is mentioned.
struct smv_tested {
  const struct ir_local *local;
  const struct smv_expr *expr; // or this
  enum smv_time time;
  struct smv_kind kind;
};
struct ir_expr *smv_in(struct smv_lower *w, const struct smv_tested *x, const struct smv_expr *set,
                       enum smv_time t);
struct ir_expr *smv_in_expr(struct smv_lower *w, const struct smv_expr *e, enum smv_time t);
// All values of the set are of the type; NULL: of course.
struct ir_expr *smv_set_fits(struct smv_lower *w, const struct smv_expr *set, enum smv_time t,
                             const struct ir_type *type);

// --- lower_plan.c ---
// How each unknown comes about, and the conditions on them.
void smv_plan(struct smv_lower *w, struct smv_scope *s);

// --- lower_walk.c ---
void smv_count_uses(struct smv_lower *w, uint32_t *uses[2], const struct smv_expr *e,
                    enum smv_time t);
// Calls f, once for each mention of an unknown in what e says, itself or by definitions.
struct smv_walk {
  struct smv_lower *w;
  struct smv_scope *s;
  void (*found)(struct smv_walk *walk, const struct smv_symbol *s);
  void *context;
  uint8_t *seen; // by expression, a bit for each time
};
void smv_walk_unknowns(struct smv_walk *walk, const struct smv_expr *e, enum smv_time t);

// --- lower_order.c ---
// Which unknowns that are chosen each condition needs, and the order in which these are met:
// conditions are sorted, and the choices made in the order in which conditions need them.
void smv_order(struct smv_lower *w, struct smv_scope *s);

// --- lower_rule.c ---
void smv_lower_rules(struct smv_lower *w);
// The value of an unknown of the current rule; computed before, if it has to be.
struct ir_expr *smv_unknown_value(struct smv_lower *w, const struct smv_symbol *s,
                                  struct span span);

// --- lower_check.c ---
// Kinds, and what may stand where, of all assignments and constraints.
void smv_check(struct smv_lower *w);

// --- lower_spec.c ---
void smv_lower_specs(struct smv_lower *w);

// --- lower_fair.c ---
void smv_lower_fairness(struct smv_lower *w);

// --- lower_ltl.c ---
void smv_lower_ltl(struct smv_lower *w, struct ir_property *p, const struct smv_expr *e);

// --- lower_text.c ---
// As one would write it in module main; definitions by their names.
void smv_print(struct text *out, const struct smv_expr *e);
const char *smv_text(struct arena *a, const struct smv_expr *e);
