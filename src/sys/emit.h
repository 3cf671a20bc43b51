// SPDX-License-Identifier: Apache-2.0
// Private to src/sys: the IR as C. Expressions become C expressions that cannot fail, preceded by
// the statements that check whatever can; those statements return the failing site's outcome.
//
// C names come from ids (r3_guard, f2_1, l0), never from the model, whose names stand in comments.
#pragma once

#include "ir/ir.h"

// How a parameter of a function instance is bound: references to the state or to locals, values
// that are never undefined or may be. Leaves that one parameter is bound to share types, widths and
// undefined codes, so the first of them speaks for all.
struct emit_binding {
  bool in_state;
  uint64_t leaf; // in_state: a leaf number of the first binding seen
  bool defined;  // of a scalar by value
};

// A function, once for each way in which its parameters are bound.
struct emit_instance {
  const struct ir_function *func;
  struct emit_binding *bindings; // param_count
  uint32_t number;               // among the function's instances
  uint64_t frame_words;          // once it is written
  bool written;
  bool fails; // it can leave with a fault, or by a failed assumption
};

// Frames of more words are not inlined anywhere, or not into functions that may be recursive.
enum { EMIT_WORDS_LARGE = 512, EMIT_WORDS_SMALL = 64 };
enum { EMIT_CHUNK = 3000 }; // nodes of the model in one C function of expand

struct emit_range {
  __int128 lo, hi;
};

// Intervals found already, by node: an open hash table of a power of two of slots. They hold as
// long as no loop variable's interval changes.
struct emit_known {
  const struct ir_expr *x; // NULL: free
  struct emit_range range;
  uint64_t round;
};
struct emit_ranges {
  struct emit_known *slots;
  size_t count, capacity;
  uint64_t round; // what is known from earlier ones is not trusted
};

struct emit_candidates;
struct emit_group;

// What is known of a rule once its guard and body are written.
struct emit_rule {
  uint64_t hoisted;              // bit k: conditions on the first k parameters stand in r_whenK
  struct emit_candidates *loops; // per parameter
  uint32_t decided; // so many conditions that its guard begins with are tested by groups around it
  bool guarded;     // there is an r_guard: something is left to test
  bool guard_fails, body_fails;
};

struct emit {
  const struct ir_model *m;
  struct arena *arena;
  struct text *out;       // the text being written now
  struct text *functions; // those of the model
  int indent;
  unsigned temps;                       // of the C function being written
  struct span line;                     // the last #line
  const struct emit_instance *instance; // NULL outside functions
  const bool *boxed;                    // per local of the frame: kept as an array of cells
  struct emit_range *bound;             // per local of the frame: interval of a loop variable
  bool *open;                           // per local of the frame: bound by a loop around
  bool probing;                         // what is written now is thrown away
  struct emit_ranges ranges;
  uint64_t words, words_max; // of stack: in use where we are in the C function, and at most
  uint64_t root_words;       // the most that a C function other than an instance needs
  bool may_fail; // something emitted since it was cleared leaves with a fault or drops the step
  bool ordered;  // a call in this statement writes: what was read before it is kept in a temporary
  bool covers_used;        // there are IR_COVER statements: bodies and functions get the bit set
  bool pos_used;           // some access needs the table of positions
  bool depth_used;         // calls may nest too deeply: they count
  bool *impure;            // per function: writes state, or through a reference
  bool *recursive;         // per function: may call itself, perhaps through others
  uint64_t reserve;        // successors for which room is made in advance; 0: too many
  struct emit_rule *rules; // per rule
  uint32_t choices;        // of the rule whose body was begun last
  uint32_t groups;         // made so far
  VEC(struct emit_instance *) instances;
};

// Writes one line, indented. The format's text is C; names of the model go through emit_escape.
void emit_line(struct emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *emit_format(struct emit *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *emit_temp(struct emit *e);                                    // a fresh name
const char *emit_array(struct emit *e, const char *type, uint64_t count); // a fresh array
const char *emit_keep(struct emit *e, const char *value);   // value in a fresh temporary
const char *emit_simple(struct emit *e, const char *value); // as is, if a name or a number
const char *emit_bare(struct emit *e, const char *value);   // without outer parentheses
const char *emit_number(struct emit *e, int64_t value);     // a C literal
const char *emit_escape(struct emit *e, const char *s);     // for comments and strings
void emit_source_line(struct emit *e, struct span span);    // #line back to the model
void emit_fail_if(struct emit *e, const char *condition, uint32_t site);

// --- intervals (emit_range.c) ---
// Each node is looked at once, however often it is asked for.
struct emit_range emit_range(struct emit *e, const struct ir_expr *x);
void emit_range_bind(struct emit *e, const struct ir_local *l, const struct ir_domain *d);
bool emit_never_overflows(struct emit *e, const struct ir_expr *x); // ADD SUB MUL NEG CAST
bool emit_is_u64(const struct ir_type *t);                          // kept as bit patterns
bool emit_fits(struct emit *e, const struct ir_expr *x, const struct ir_type *t);
bool emit_type_contiguous(const struct ir_type *t); // rank = value - constant
bool emit_type_ascending(const struct ir_type *t);  // ranks are in the order of the values

// --- places (emit_place.c): where an lvalue lives ---
enum emit_place_kind {
  EMIT_STATE,  // leaf = offset + terms (+ root, a leaf number in a C variable, when not NULL)
  EMIT_CELLS,  // cell root[offset + terms]
  EMIT_SCALAR, // the C variable root itself
};
struct emit_term {
  const char *rank; // C expression without effects, 0 .. count - 1
  uint64_t stride, count;
};
#define EMIT_TERMS 16
struct emit_place {
  enum emit_place_kind kind;
  const char *root;
  uint64_t offset;
  uint64_t leaf; // EMIT_STATE: a leaf of this class, for width and undefined code
  const struct ir_type *type;
  struct emit_term terms[EMIT_TERMS];
  uint32_t term_count;
};
// Follows an lvalue, checking indices from the outermost in. What is not one is put into cells.
struct emit_place emit_place(struct emit *e, const struct ir_expr *x);
struct emit_place emit_cells(struct emit *e, const struct ir_type *t); // fresh ones
void emit_copy(struct emit *e, const struct emit_place *to, const struct emit_place *from);
struct emit_place emit_place_field(const struct emit_place *p, uint32_t field);
struct emit_place emit_place_element(struct emit_place p, const char *rank);
// The value, failing at `site` when it is undefined; FATHOM_UNDEF instead (peek).
const char *emit_read(struct emit *e, const struct emit_place *p, uint32_t site);
const char *emit_peek(struct emit *e, const struct emit_place *p);
// Copies fields of a record, from `field` on, as many as can go at one stroke; how many did.
uint32_t emit_copy_run(struct emit *e, const struct emit_place *to, const struct emit_place *from,
                       uint32_t field);
bool emit_place_defined(const struct emit *e, const struct emit_place *p); // whatever the state
// The leaf compared with one of its values without unpacking it; NULL: not that simple.
const char *emit_compare_code(struct emit *e, const struct emit_place *p, const char *op,
                              int64_t value, uint32_t site);
const char *emit_code(struct emit *e, const struct emit_place *p); // of a leaf, as it is packed
const char *emit_is_undefined(struct emit *e, const struct emit_place *p);
void emit_write(struct emit *e, const struct emit_place *p, const char *value); // defined, in range
void emit_poke(struct emit *e, const struct emit_place *p, const char *value);  // maybe undefined
// One field of an array's elements, index `term` running, from the element of this rank on: where
// they lie evenly in one word, `bits` is that word, shifted down to the first.
struct emit_fields {
  const char *bits;
  uint64_t stride;
  const struct ir_leaf *leaf;
};
bool emit_place_fields(struct emit *e, const struct emit_place *p, uint32_t term, uint64_t rank,
                       struct emit_fields *f);
// As an argument: a leaf number, or a pointer to cells.
const char *emit_reference(struct emit *e, const struct emit_place *p);
const char *emit_rank(struct emit *e, const struct ir_type *t, const char *value);
const char *emit_value_of_rank(struct emit *e, const struct ir_type *t, const char *rank);
// Condition: the value is outside the type.
const char *emit_outside(struct emit *e, const struct ir_type *t, const char *value);

// --- expressions (emit_expr.c) ---
const char *emit_expr(struct emit *e, const struct ir_expr *x);
bool emit_always_defined(const struct emit *e, const struct ir_expr *x);        // an lvalue
const char *emit_condition(struct emit *e, const struct ir_expr *x, bool want); // for an `if`
// Leaves by `reject` (a C statement) unless the Boolean x is `want`.
void emit_require(struct emit *e, const struct ir_expr *x, bool want, const char *reject);
bool emit_can_fail(struct emit *e, const struct ir_expr *x); // a Boolean
// Opens the loop of a bound variable; emit_loop_close ends it.
void emit_loop_open(struct emit *e, const struct ir_local *l, const struct ir_domain *d,
                    uint32_t site);
void emit_loop_close(struct emit *e);

// --- statements (emit_stmt.c) ---
void emit_stmts(struct emit *e, const struct ir_stmt *s);
// Arrays and results of calls that one statement needs are declared in a block of its own, so that
// the next one's can lie in the same place. Is one needed for x?
bool emit_needs_block(const struct ir_expr *x);
void emit_block_open(struct emit *e);
void emit_block_close(struct emit *e);
// Starts a C function over a frame: fresh temporaries, the declared locals undefined.
void emit_frame(struct emit *e, const struct ir_frame *f, const struct ir_expr *x,
                const struct ir_stmt *s);

// --- walks (emit_walk.c): pre-order over every expression below ---
typedef void emit_visit(void *context, const struct ir_expr *x);
void emit_walk_expr(const struct ir_expr *x, emit_visit *visit, void *context);
void emit_walk_stmts(const struct ir_stmt *s, emit_visit *visit, void *context);
bool emit_has_stmt(const struct ir_stmt *s, bool (*is)(const struct ir_stmt *s));

// --- functions (emit_func.c) ---
void emit_functions_init(struct emit *e);
// Writes the call x as statements: of a procedure (result NULL), or of a function whose array or
// record goes into the cells `result`; of one that gives a scalar.
void emit_call(struct emit *e, const struct ir_expr *x, const struct emit_place *result);
const char *emit_call_value(struct emit *e, const struct ir_expr *x);
bool emit_writes(const struct emit *e, const struct ir_expr *x); // some call in it is impure
bool emit_instance_value(const struct emit_instance *n); // the C function returns the value itself
void emit_functions(struct emit *e, struct text *prototypes); // writes what is not written yet
uint64_t emit_stack_bytes(const struct emit *e); // the most that a step may need; all is written

// --- candidates (emit_field.c): the values of a variable for which a condition may hold ---
struct emit_candidates {
  const char *set; // C: bits, `stride` apart, from that of the first value on; NULL: not known
  uint64_t stride;
  int64_t first;
  bool decides; // the condition holds for just these; else there are some where it is a fault
};
// Of a rule's parameter; narrows what c holds. True: the condition need not be tested again.
bool emit_candidates(struct emit *e, const struct ir_local *param, const struct ir_expr *condition,
                     struct emit_candidates *c);
void emit_candidates_open(struct emit *e, const struct ir_local *local,
                          const struct emit_candidates *c);
// The loop of a quantifier, over values that can decide it.
void emit_quantifier_open(struct emit *e, const struct ir_expr *x);
void emit_quantifier_close(struct emit *e, const struct ir_expr *x);

// --- groups (emit_group.c): rules that follow each other and whose guards begin alike ---
// A rule, or rules whose guards begin with the same conditions and then compare the same leaf with
// constants: the conditions are tested once, and a switch on the leaf leads to the rules.
struct emit_group {
  const struct ir_rule *rule; // one; NULL: several
  uint32_t number;            // its common conditions stand in gNUMBER_when
  uint32_t common;            // how many these are
  const struct ir_expr **first;
  const struct ir_frame *frame; // of a rule that has them
  const char *code;             // the leaf's, as C
  struct emit_group *inside;    // those of the first case; then of the next
  uint64_t label;               // inside a switch: of the case that this is in
  struct emit_group *next;      // NULL: the last
};
// All rules of the model, in order; to be called before any rule is written.
struct emit_group *emit_groups(struct emit *e);
// The functions of common conditions.
void emit_group_conditions(struct emit *e, const struct emit_group *g);

// --- rules (emit_rule.c) ---
// The conditions of which a guard is the conjunction, in the arena.
const struct ir_expr **emit_parts(struct emit *e, const struct ir_expr *guard, uint32_t *count);
uint64_t emit_rule_weight(const struct ir_rule *r); // in nodes
void emit_rule(struct emit *e, const struct ir_rule *r);
// Do loops over the rule's parameters go through candidates only?
bool emit_cut_short(const struct emit *e, const struct ir_rule *r);
// Calls the steps of all instances, each call written out or in loops.
void emit_instances(struct emit *e, const struct ir_rule *r, bool unroll);
// Writes a C function other than an instance, its code given; large frames are not inlined, since
// their places would have to be shared there. Clears the code.
void emit_root_function(struct emit *e, const char *linkage, const char *head, struct text *code);
void emit_unseen_covers(struct emit *e);  // the bit set that a guard's or property's calls get
void emit_generated_line(struct emit *e); // #line away from the model

// --- models (emit.c) ---
// Why a model is left to the interpreter, or NULL.
const char *emit_model(struct text *out, const struct ir_model *m);
