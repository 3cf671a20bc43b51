// SPDX-License-Identifier: Apache-2.0
// An SMV model as its text says it (modules), and with all instances put in place (flat): the
// contract between reading (smv.l, smv.y, ast.c, flatten*.c) and lowering (lower*.c).
#pragma once

#include "base/base.h"

// ---------------------------------------------------------------------------------------------
// Expressions. Flat ones are graphs: what a parameter or a DEFINE stands for is one node, however
// often it is named. Nodes are not changed after they are made.

enum smv_op {
  SMV_NUMBER, // value
  SMV_TRUE,
  SMV_FALSE,
  SMV_WORD,   // constant: value is the pattern, bits, is_signed
  SMV_NAME,   // only before flattening: text; args[0]: what it is a part of (a.b), or none
  SMV_SYMBOL, // only after: symbol
  SMV_SELF,   // only before
  SMV_INDEX, // args[0][args[1]]; after flattening only of arrays with an index that is not constant
  SMV_RANGE, // args[0]..args[1], as a set
  SMV_SET,   // {args...}
  SMV_BITS,  // args[0] [args[1] : args[2]]
  SMV_NOT,
  SMV_MINUS, // unary
  SMV_AND,
  SMV_OR,
  SMV_XOR,
  SMV_XNOR,
  SMV_IMPLIES,
  SMV_IFF,
  SMV_EQ,
  SMV_NE,
  SMV_LT,
  SMV_LE,
  SMV_GT,
  SMV_GE,
  SMV_ADD,
  SMV_SUB,
  SMV_MUL,
  SMV_DIV,
  SMV_MOD,
  SMV_SHL,
  SMV_SHR,
  SMV_CONCAT, // ::
  SMV_UNION,
  SMV_IN,
  SMV_CASE, // args: condition, value, condition, value, ...
  SMV_ITE,  // args[0] ? args[1] : args[2]
  SMV_NEXT, // next(args[0])
  SMV_CALL, // text: one of word1 bool toint count abs max min swconst uwconst signed unsigned
            // extend resize sizeof floor; args
  // computation tree logic; args[0], and args[1] of those with U
  SMV_EX,
  SMV_AX,
  SMV_EF,
  SMV_AF,
  SMV_EG,
  SMV_AG,
  SMV_EU,
  SMV_AU,
  SMV_EBF, // bounded: lo..hi
  SMV_ABF,
  SMV_EBG,
  SMV_ABG,
  SMV_EBU,
  SMV_ABU,
  // linear
  SMV_X,
  SMV_G,
  SMV_F,
  SMV_U,
  SMV_V, // releases
  SMV_Y, // of the past
  SMV_Z,
  SMV_H,
  SMV_O,
  SMV_S,
  SMV_T,
  SMV_MIN, // COMPUTE
  SMV_MAX,
};

struct smv_symbol;

enum { SMV_NESTING_MAX = 1000 };

struct smv_expr {
  enum smv_op op;
  struct span span;
  uint32_t id;    // numbered through in its arena: memos are arrays; above those of its args
  uint32_t depth; // of the tree, not looking into DEFINEs: at most SMV_NESTING_MAX
  bool temporal;  // has operators of CTL or LTL outside of definitions and indices
  int64_t value;
  uint32_t lo, hi; // bounded operators
  uint8_t bits;    // WORD
  bool is_signed;
  const char *text; // interned: NAME, CALL
  const struct smv_symbol *symbol;
  uint32_t arg_count;
  const struct smv_expr **args;
};

// ---------------------------------------------------------------------------------------------
// The flat model

enum smv_type_kind { SMV_TYPE_BOOLEAN, SMV_TYPE_RANGE, SMV_TYPE_ENUM, SMV_TYPE_WORD };

struct smv_member { // of an enumeration: a number, or a name
  const char *name; // interned; NULL: the number
  int64_t number;
};

struct smv_type { // of a scalar
  enum smv_type_kind kind;
  int64_t lo, hi;                   // RANGE
  const struct smv_member *members; // ENUM
  uint32_t member_count;
  uint8_t bits; // WORD
  bool is_signed;
};

enum smv_symbol_kind {
  SMV_VAR,
  SMV_INPUT, // IVAR
  SMV_FROZEN,
  SMV_DEFINE,   // expr
  SMV_CONSTANT, // a name that is a value of some enumeration, or of CONSTANTS
  SMV_ARRAY,    // elements: of a variable that is an array, or of a DEFINE in brackets
  SMV_RUNNING,  // Boolean: the process `process` takes this step
};

struct smv_symbol {
  enum smv_symbol_kind kind;
  const char *name; // whole: "proc1.state", "buffer[2]"; of CONSTANT its name as such
  struct span span;
  uint32_t id;                        // position in flat->symbols
  const struct smv_type *type;        // VAR, INPUT, FROZEN
  const struct smv_expr *expr;        // DEFINE
  int64_t lo, hi;                     // ARRAY: of its index
  const struct smv_symbol **elements; // hi - lo + 1; elements of arrays of arrays are arrays
  uint32_t process;                   // RUNNING; else: that declares it
};

enum smv_when { SMV_AT_INIT, SMV_AT_NEXT, SMV_ALWAYS };

struct smv_assign { // init(symbol) := expr, next(symbol) := expr, symbol := expr
  enum smv_when when;
  const struct smv_symbol *symbol; // VAR or FROZEN (INIT only); an array element is one
  const struct smv_expr *expr;
  struct span span;
  uint32_t process; // in whose module instance it stands
};

struct smv_constraint { // INIT, TRANS, INVAR; of all processes
  const struct smv_expr *expr;
  struct span span;
};

struct smv_fairness {
  bool compassion;
  const struct smv_expr *p, *q; // JUSTICE, FAIRNESS: only p
  struct span span;
};

enum smv_spec_kind { SMV_SPEC_CTL, SMV_SPEC_LTL, SMV_SPEC_INVAR, SMV_SPEC_COMPUTE };

struct smv_spec {
  enum smv_spec_kind kind;
  const char *name; // SPEC NAME n := ...; NULL: none
  const struct smv_expr *expr;
  struct span span; // of the expression
};

struct smv_flat {
  struct arena *arena;
  VEC(struct smv_symbol *) symbols; // in the order in which they are declared
  VEC(struct smv_assign) assigns;
  VEC(struct smv_constraint) inits, trans, invars;
  VEC(struct smv_fairness) fairness;
  VEC(struct smv_spec) specs;
  VEC(const char *) processes;            // [0] is "main"; only [0]: the model is synchronous
  VEC(const struct smv_symbol *) defines; // every DEFINE, each after those that it names
  uint32_t exprs;                         // ids are below
  struct smv_names *names;                // what names mean: for smv_flatten_expr
};

struct smv_define;
// Reads, puts all instances of modules in place, resolves every name. NULL, or errors in d: names
// that are not declared or are declared twice, modules that are missing, recursive or given the
// wrong number of parameters, variables assigned twice (next: by one process) or both plainly and
// by init or next, definitions and assignments that depend on themselves within one state, models
// that grow past some million nodes. ISA is put in place; chains of &, | and union are balanced.
// The source stays the caller's, and is pointed into. -D is applied to DEFINEs of main.
struct smv_flat *smv_flatten(struct source *s, const struct smv_define *defines,
                             size_t define_count, struct diag *d);
void smv_flat_free(struct smv_flat *f);
// One expression in the scope of main; temporal operators are refused. Adds to the flat model's
// arena; NULL: errors are in d.
const struct smv_expr *smv_flatten_expr(struct smv_flat *f, struct source *s, struct diag *d);
// The symbol of this whole name; NULL: there is none.
const struct smv_symbol *smv_find(const struct smv_flat *f, const char *name);
