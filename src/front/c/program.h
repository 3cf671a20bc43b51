// SPDX-License-Identifier: Apache-2.0
// A C program as read from bitcode: plain structures, so that only bitcode.c knows LLVM. inline.c
// makes one function of it, flow.c tidies that up, lower*.c make IR of it.
//
// Clang is asked for no optimisation: every variable of the program is an object, and is loaded
// from and stored to. Scalars whose address nobody takes (`plain`) are the registers of the
// machine: they become variables of the IR under their own names. What mem2reg would do for
// pointers that are set once, such as parameters, flow.c does.
#pragma once

#include "base/base.h"

enum c_type_kind {
  C_VOID,
  C_INT,     // of `bits` bits; 1: a truth value
  C_POINTER, // to `to`
  C_ARRAY,   // `count` of `to`
  C_STRUCT,
  C_OTHER, // cannot be carried: floating point, vectors; `name` says it
};

struct c_field {
  const char *name; // NULL: not known
  const struct c_type *type;
  uint64_t offset;  // in bytes
  bool is_unsigned; // the user declared it (or its elements) so
};

struct c_type { // one for each type of the bitcode: compared by address
  enum c_type_kind kind;
  uint32_t bits;
  uint64_t bytes; // 0: void, functions
  const struct c_type *to;
  uint64_t count;
  struct c_field *fields; // STRUCT, in order, padding left out
  uint32_t field_count;
  const char *name; // OTHER, STRUCT
};

enum c_value_kind {
  C_NUMBER,   // `number`, sign-extended from its type's bits (a truth value: 0 or 1); an integer
              // written as pointer, too
  C_NULL,     // pointer
  C_UNDEF,    // no value: nobody set it
  C_REGISTER, // what instruction or phi number `index` of the function gave
  C_ARGUMENT, // number `index` of the function; gone after inline.c: those of main are what calls
              // of "argc" and "argv" give
  C_OBJECT,   // the address of object number `index` (of the program); in `initial`, of the byte
              // `number` of it
  C_FUNCTION, // the address of function number `index`
};

struct c_value {
  enum c_value_kind kind;
  const struct c_type *type;
  int64_t number;
  uint32_t index;
};

enum c_op {
  // two operands of one integer type; of that type
  C_ADD,
  C_SUB,
  C_MUL,
  C_UDIV,
  C_SDIV,
  C_UREM,
  C_SREM,
  C_SHL,
  C_LSHR,
  C_ASHR,
  C_AND,
  C_OR,
  C_XOR,
  // would the operation leave its type? a truth value
  C_SADD_OVER,
  C_SSUB_OVER,
  C_SMUL_OVER,
  C_UADD_OVER,
  C_USUB_OVER,
  C_UMUL_OVER,
  // comparison, of integers or pointers
  C_EQ,
  C_NE,
  C_ULT,
  C_ULE,
  C_UGT,
  C_UGE,
  C_SLT,
  C_SLE,
  C_SGT,
  C_SGE,
  // one operand, to `type`
  C_ZEXT,
  C_SEXT,
  C_TRUNC,
  C_BITCAST,
  C_PTRTOINT,
  C_INTTOPTR,
  C_COPY,   // args[0], as it is
  C_PART,   // the field number args[1] of the struct args[0]; gone after flow.c
  C_SELECT, // args[0] ? args[1] : args[2]
  C_ENTER,  // object number args[0].index begins its life: it holds nothing
  C_LEAVE,  // it ends: the function that it is local to returns
  C_LOAD,   // from args[0]
  C_STORE,  // args[0] to args[1]
  // The address args[0], whose elements are of type `element`, moved by args[1] elements, then
  // into the element by args[2]... (number of a field, or index), as LLVM's getelementptr.
  C_GEP,
  C_MEMSET, // args[0]: where, args[1]: the byte, args[2]: how many bytes
  C_MEMCPY, // args[0]: to, args[1]: from, args[2]: how many bytes; they may overlap
  C_CALL,   // of a function without a body, or that is known by its name; before inline.c also of
            // others, and of the pointer that is its last argument: no name
  C_UNABLE, // what cannot be carried; `name` says what: "floating point", "inline assembly"
  // the last of a block
  C_JUMP,        // to targets[0]
  C_BRANCH,      // args[0] ? targets[0] : targets[1]
  C_SWITCH,      // args[0] = args[k]: to targets[k], k > 0; else to targets[0]
  C_RETURN,      // args[0], if any; of main after inline.c: the program ends
  C_UNREACHABLE, // after a call that does not return; llvm.ubsantrap before it
  C_BEYOND,      // past the bound on recursion; `name` is the function's
};

struct c_instruction {
  enum c_op op;
  const struct c_type *type;    // of what it gives; void: nothing
  uint32_t index;               // the register that it gives, if it gives one
  const struct c_type *element; // GEP
  struct c_value *args;
  uint32_t arg_count;
  uint32_t *targets; // numbers of blocks
  uint32_t target_count;
  const char *name;     // CALL: of the function; UNABLE, BEYOND
  bool moves;           // LOAD: of a copy of a struct, or beside a bit-field: it need not be set
  struct span span;     // where the user wrote it; line 0: nowhere
  const char *function; // that it was written in
};

struct c_phi {
  uint32_t index;
  const struct c_type *type;
  uint32_t *blocks;       // coming from this one
  struct c_value *values; // it is that
  uint32_t count;
};

struct c_block {
  const char *name; // clang's: "while.body"
  VEC(struct c_phi) phis;
  VEC(struct c_instruction) code; // the last one ends it
};

struct c_register { // what is known of it
  const struct c_type *type;
};

struct c_function {
  const char *name;
  struct span span;
  const struct c_type *result;
  const struct c_type **params;
  uint32_t param_count;
  const struct c_type *address; // the type of pointers to it
  bool has_body, is_variadic;
  VEC(struct c_block) blocks; // [0] is where it begins
  VEC(struct c_register) registers;
};

struct c_object {   // a global or a local variable
  const char *name; // as the user wrote it; a local of another function than main: "f.x"
  const struct c_type *type;
  struct span span;
  bool is_global;
  bool is_unsigned; // the user declared it (or its elements) so; says how values are shown
  bool is_constant;
  bool is_temporary; // the compiler's, not the user's
  bool plain;        // a scalar that is only ever loaded and stored, whole
  // Of a global: one value for each scalar in it, depth first; NULL: all zero.
  struct c_value *initial;
  uint64_t scalars; // in it
};

// Is nothing known of what it holds at first? It is another file's.
bool c_object_foreign(const struct c_object *o);

struct c_program {
  struct arena *arena;          // holds everything but the vectors
  VEC(struct source *) sources; // beside the program's own: included files that spans point into
  VEC(struct c_function) functions;
  VEC(struct c_object) objects;
  uint32_t main;                        // function
  VEC(struct c_type *) types;           // all there are
  const struct c_type *nothing, *truth; // void; an integer of one bit
};

// bitcode.c: what clang made; false with errors in d. spans point into s and, for what comes from
// other files, into sources of the program's.
struct c_config;
bool c_program_read(struct c_program *p, struct source *s, const struct c_config *c,
                    struct diag *d);
void c_program_free(struct c_program *p);
// inline.c: main becomes the only function; every call of one with a body is replaced by that, and
// its locals are objects of their own each time. Known functions stay calls (c_known). False with
// an error in d when it grows past all bounds.
bool c_program_inline(struct c_program *p, uint32_t recursion, struct diag *d);
// flow.c: blocks nobody comes to go; pointers set once are the pointers they are set to; a block
// whose only successor has no other predecessor becomes one with it; objects nobody uses go; plain
// is told.
void c_program_tidy(struct c_program *p);
// One line for each instruction, for tests and for `fathom show --blocks`.
void c_program_print(struct text *out, const struct c_program *p);

// Is it called by its name though it may have a body: reach_error, __VERIFIER_..., abort, ...?
bool c_known(const char *function);
