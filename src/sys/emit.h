// SPDX-License-Identifier: Apache-2.0
// Private to src/sys: the IR as C. Expressions become C expressions that cannot fail, preceded by
// the statements that check whatever can; those statements return the failing site's outcome.
//
// C names come from ids (r3_guard, f2_1, l0), never from the model, whose names stand in comments.
#pragma once

#include "ir/ir.h"

// How a reference parameter of a function instance is bound. Leaves that one parameter is bound to
// share types, widths and undefined codes, so the first of them speaks for all.
struct emit_binding {
  bool in_state;
  uint64_t leaf; // in_state: a leaf number of the first binding seen
};

// A function, once for each way in which its reference parameters are bound.
struct emit_instance {
  const struct ir_function *func;
  struct emit_binding *bindings; // param_count
  uint32_t number;               // among the function's instances
  uint64_t frame_words;          // once it is written
};

// Frames of more words are not inlined anywhere, or not into functions that may be recursive.
enum { EMIT_WORDS_LARGE = 512, EMIT_WORDS_SMALL = 64 };

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

struct emit {
  const struct ir_model *m;
  struct arena *arena;
  struct text *out; // the text being written now
  int indent;
  unsigned temps;                       // of the C function being written
  struct span line;                     // the last #line
  const struct emit_instance *instance; // NULL outside functions
  const bool *boxed;                    // per local of the frame: kept as an array of cells
  struct emit_range *bound;             // per local of the frame: interval of a loop variable
  struct emit_ranges ranges;
  uint64_t words, words_max; // of stack: in use where we are in the C function, and at most
  uint64_t root_words;       // the most that a C function other than an instance needs
  bool may_fail;             // something emitted since it was cleared can leave with a fault
  bool ordered; // a call in this statement writes: what was read before it is kept in a temporary
  bool covers_used;  // there are IR_COVER statements: bodies and functions get the bit set
  bool pos_used;     // some access needs the table of positions
  bool depth_used;   // calls may nest too deeply: they count
  bool *impure;      // per function: writes state, or through a reference
  bool *recursive;   // per function: may call itself, perhaps through others
  uint64_t reserve;  // successors for which room is made in advance; 0: too many
  uint64_t *hoisted; // per rule: bit k set when r_whenK exists
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
const char *emit_is_undefined(struct emit *e, const struct emit_place *p);
void emit_write(struct emit *e, const struct emit_place *p, const char *value); // defined, in range
void emit_poke(struct emit *e, const struct emit_place *p, const char *value);  // maybe undefined
// As an argument: a leaf number, or a pointer to cells.
const char *emit_reference(struct emit *e, const struct emit_place *p);
const char *emit_rank(struct emit *e, const struct ir_type *t, const char *value);
const char *emit_value_of_rank(struct emit *e, const struct ir_type *t, const char *rank);
// Condition: the value is outside the type.
const char *emit_outside(struct emit *e, const struct ir_type *t, const char *value);

// --- expressions (emit_expr.c) ---
const char *emit_expr(struct emit *e, const struct ir_expr *x);
const char *emit_condition(struct emit *e, const struct ir_expr *x, bool want); // for an `if`
// Leaves by `reject` (a C statement) unless the Boolean x is `want`.
void emit_require(struct emit *e, const struct ir_expr *x, bool want, const char *reject);
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
// Writes the call x as statements. Its result goes into cells or a variable, `result`; NULL for
// procedures.
void emit_call(struct emit *e, const struct ir_expr *x, const struct emit_place *result);
bool emit_writes(const struct emit *e, const struct ir_expr *x); // some call in it is impure
void emit_functions(struct emit *e, struct text *prototypes, struct text *bodies);
uint64_t emit_stack_bytes(const struct emit *e); // the most that a step may need; all is written

// --- rules (emit_rule.c) ---
void emit_rule(struct emit *e, const struct ir_rule *r);
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
