// SPDX-License-Identifier: Apache-2.0
// Private to the room: from one function, main with everything inlined, to IR. A basic block is a
// rule; registers live inside of a rule, as expressions that wait for their use or as its locals,
// and those that cross blocks are hidden variables.
#pragma once

#include "front/c/c.h"
#include "front/c/pointer.h"
#include "front/c/program.h"

struct c_thing;

// A pointer while its block is lowered: a root, and steps from there into it. The root is a thing
// (`path`); or it is one of the things that `facts` tell, `offset` scalars into it: then there are
// steps only if something of type `root` begins there.
struct c_step {
  uint32_t field;
  struct ir_expr *index; // of 64 signed bits; NULL: a field
};
struct c_address {
  const char *unable; // it cannot be followed: why
  bool path;
  uint32_t thing;            // path
  const struct c_type *root; // without a path: what begins there; NULL: not known
  const struct c_type *type; // what is there, where the type of the root is known
  struct c_step *steps;
  uint32_t step_count;
  struct ir_expr *object; // else: the thing's id, 0 for null; NULL: it is the only one of the facts
  struct ir_expr *offset; // of 64 signed bits; NULL: as the facts say
  const struct c_facts *facts; // of the root; of the address itself if it is a path
  const struct c_facts *whole; // of the address itself; NULL: the same
  const struct c_type *hint;   // what it pointed to before it became a pointer to bytes; NULL
};

struct c_names { // that were given (lower_name.c)
  struct c_name *slots;
  size_t count, capacity;
};

// What a register holds: an expression, or an address (also of one turned into an integer).
struct c_content {
  struct ir_expr *expr;
  struct c_address *address;
  uint32_t uses; // in the block at hand, still to come
};

struct c_crossing { // a register that is used in other blocks than its own, or a phi
  bool crosses;
  struct ir_var *var; // NULL: its value is known without
  uint32_t block;     // its own
};

struct c_lower {
  struct ir_model *m;
  struct c_program *p;
  struct c_function *f;
  const struct c_config *config;
  struct diag *d;
  struct arena *arena; // of lowering
  struct c_points *points;
  const struct ir_type *ints[2][65]; // by signedness and bits
  const struct ir_type *location, *pointer, *status;
  struct ir_var *pc;
  VEC(struct c_thing) things;
  struct c_names names;        // of variables
  struct c_crossing *crossing; // by register
  struct c_content *contents;  // by register; of the block at hand
  VEC(uint32_t) waiting;       // registers of the block that are not stored
  const struct c_block *block;
  uint32_t block_number;
  const struct c_instruction *at; // the instruction at hand
  struct ir_rule *rule;
  struct ir_chain *out;  // where statements go
  struct ir_chain *body; // the rule's
  bool is_dead;          // nobody comes to the rest of the block
  uint32_t next_choice;
  uint32_t temporaries;
  unsigned noted;    // checks that a note told of
  bool *unset;       // by object: a plain one that may be read before it is set
  bool *used_gone;   // by object: one that may be used when it is gone
  uint64_t *gone_in; // by block: objects that may be gone
  uint64_t *gone;    // at the instruction at hand
};

// The rules of a program that is one function (lower.c).
void c_lower(struct ir_model *m, struct c_program *p, const struct c_config *c, struct diag *d);

const char *c_name_unique(struct c_names *n, struct arena *a, const char *name);
void c_names_clear(struct c_names *n);

// --- numbers (lower_number.c) ---
const struct ir_type *c_int_type(struct c_lower *w, uint32_t bits, bool is_signed);
struct ir_expr *c_number(struct c_lower *w, const struct ir_type *t, int64_t value);
// The expression as one of that type: what C's conversions do. Truth values are 0 and 1.
struct ir_expr *c_as(struct c_lower *w, struct ir_expr *e, const struct ir_type *t);
struct ir_expr *c_copy(struct c_lower *w, const struct ir_expr *e); // a tree of its own
struct ir_expr *c_binary(struct c_lower *w, enum ir_op op, struct ir_expr *a, struct ir_expr *b);
struct ir_expr *c_truth(struct c_lower *w, struct ir_expr *e); // not 0
struct ir_expr *c_not(struct c_lower *w, struct ir_expr *e);
struct ir_expr *c_and(struct c_lower *w, struct ir_expr *a, struct ir_expr *b); // either NULL: true
bool c_is_number(const struct ir_expr *e, int64_t value);

// --- operations (lower_operation.c, lower_overflow.c) ---
struct ir_expr *c_operation(struct c_lower *w, const struct c_instruction *i);
struct ir_expr *c_overflows(struct c_lower *w, enum c_op op, struct ir_expr *a, struct ir_expr *b,
                            uint32_t bits);
struct ir_expr *c_divide_wide(struct c_lower *w, enum c_op op, struct ir_expr *a,
                              struct ir_expr *b);

// --- registers (lower_register.c) ---
void c_registers_scan(struct c_lower *w);                            // which cross
void c_registers_begin(struct c_lower *w);                           // a block
struct ir_expr *c_value(struct c_lower *w, const struct c_value *v); // of integers
struct c_address *c_pointer(struct c_lower *w, const struct c_value *v);
void c_give(struct c_lower *w, uint32_t reg, struct ir_expr *e);
void c_give_address(struct c_lower *w, uint32_t reg, struct c_address *a);
struct ir_local *c_temporary(struct c_lower *w, const struct ir_type *t);
struct ir_expr *c_kept(struct c_lower *w, struct ir_expr *e);   // in a local
struct ir_expr *c_stored(struct c_lower *w, struct ir_expr *e); // in a local, unless it is simple
// Before memory changes: what waits and reads it is read now.
void c_settle(struct c_lower *w);

// --- blocks (lower_block.c, lower_edge.c, lower_split.c, lower_line.c) ---
void c_split_errors(struct c_program *p);    // a call that is an error begins a block
void c_split_overflows(struct c_program *p); // each that is checked has its own; before tidying up
void c_lower_block(struct c_lower *w, uint32_t number);
void c_lower_end(struct c_lower *w, const struct c_instruction *i); // the last instruction
void c_lower_goto(struct c_lower *w, uint32_t location);
void c_lower_stop(struct c_lower *w, struct span span); // the program ends here
void c_add(struct c_lower *w, struct ir_stmt *s);
const char **c_location_names(struct c_lower *w);
const char *c_rule_name(struct c_lower *w, const struct c_block *b);
struct span c_block_span(const struct c_block *b);
void c_lower_lines(struct c_lower *w, struct ir_rule *r, const struct c_block *b);

// --- calls and choices (lower_call.c, lower_choice.c) ---
// True: the program does not come back from it.
bool c_lower_call(struct c_lower *w, const struct c_instruction *i);
void c_lower_choices(struct c_lower *w, const struct c_block *b);
struct ir_expr *c_next_choice(struct c_lower *w); // in the order of the instructions
bool c_call_is_error(const char *function);
bool c_call_is_overflow(const char *function);
bool c_call_ignored(const char *function);
bool c_call_is_input(const char *function); // the user may write it for a test
bool c_call_allocates(const struct c_instruction *i);
bool c_known_result(const char *function); // it gives no choice

// --- what can go wrong (check.c) ---
// It holds, or that is an error, if this check was asked for; otherwise it is assumed.
void c_check(struct c_lower *w, unsigned check, struct ir_expr *holds, struct span span,
             const char *format, ...) __attribute__((format(printf, 5, 6)));
// Nothing is known of what follows.
void c_unable(struct c_lower *w, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same of a bound of ours, which it may never come to: nobody is warned.
void c_beyond(struct c_lower *w, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same as c_unable, unless this holds.
void c_unable_unless(struct c_lower *w, struct ir_expr *holds, struct span span, const char *what);
const char *c_source_text(struct c_lower *w, struct span span); // of its line, without blanks

// --- what may be read before it is set, or when it is gone (check_flow.c) ---
void c_find_unset(struct c_lower *w);
void c_find_gone(struct c_lower *w);
void c_gone_begin(struct c_lower *w, uint32_t block);
void c_gone_after(const struct c_instruction *i, uint64_t *now);
bool c_may_be_gone(const struct c_lower *w, uint32_t object); // at the instruction at hand
