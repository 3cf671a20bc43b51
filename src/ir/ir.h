// SPDX-License-Identifier: Apache-2.0
// The intermediate representation: guarded commands with choices. Every front end lowers to it,
// every engine starts from it. docs/ir.md specifies it and its text form; ir/eval is its meaning.
//
// Everything hangs in the model's arena and lives until ir_model_free. Nodes are built by the
// constructors below and not changed after ir_model_finish. Expressions may come later, before a
// search begins (ir_parse_expr, and the same of a front end): what they bring, error sites and
// ranges, stands behind the model's own. All but atoms are only ever interpreted.
#pragma once

#include "base/base.h"

// A scalar value outside a packed state is an int64_t. This one means "undefined"; no type
// that may be undefined contains it. Unsigned 64-bit machine integers are kept as bit patterns.
#define IR_UNDEF INT64_MIN

// ---------------------------------------------------------------------------------------------
// Types

enum ir_type_kind {
  IR_TYPE_BOOL,      // 0..1
  IR_TYPE_RANGE,     // lo..hi
  IR_TYPE_ENUM,      // lo..hi, each value named; lo need not be 0
  IR_TYPE_SCALARSET, // lo..hi, values interchangeable
  IR_TYPE_UNION,     // the values of its parts (enums, scalarsets, ranges; disjoint values)
  IR_TYPE_INT,       // machine integer, 8..64 bits, signed or not, wrapping or trapping
  IR_TYPE_ARRAY,     // index: any scalar type with few values
  IR_TYPE_RECORD,
};

struct ir_field {
  const char *name;
  const struct ir_type *type;
  uint64_t leaf; // offset of its first leaf inside the record
};

struct ir_type {
  enum ir_type_kind kind;
  uint32_t id;      // position in model->types
  const char *name; // NULL when anonymous
  struct span span;
  uint64_t leaves; // scalars inside a value of this type; 1 for scalar types
  // scalar types
  int64_t lo, hi; // smallest and largest value (of u64: 0 and -1, read as unsigned)
  // ENUM: hi - lo + 1 names. RANGE, INT: names that values are shown by, as many (NULL where a
  // value has none), or NULL; the text form does not have them.
  const char **members;
  const struct ir_type **parts;
  uint32_t part_count; // UNION
  uint8_t bits;        // INT
  bool is_signed;      // INT
  bool traps;          // INT: overflow is an error instead of wrapping round
  // ARRAY
  const struct ir_type *index, *elem;
  // RECORD
  struct ir_field *fields;
  uint32_t field_count;
};

bool ir_type_scalar(const struct ir_type *t);
// How many values a scalar type has; saturates at UINT64_MAX for 64-bit machine integers.
uint64_t ir_type_count(const struct ir_type *t);
// The rank of a value in its type, 0 .. count-1, and back. A packed leaf holds the rank (or
// rank + 1 where the leaf may be undefined, 0 being undefined). For all but unions rank = v - lo.
uint64_t ir_type_rank(const struct ir_type *t, int64_t v);
int64_t ir_type_value(const struct ir_type *t, uint64_t rank);
// 64-bit machine integers use every code: they are never undefined and start as 0.
bool ir_type_can_undef(const struct ir_type *t);
bool ir_type_has(const struct ir_type *t, int64_t v); // is v one of the type's values?
bool ir_type_same(const struct ir_type *a, const struct ir_type *b); // same structure, same values
// Prints a value as its user writes it: true, Exclusive, Proc_2, 7, undefined.
void ir_type_print_value(struct text *out, const struct ir_type *t, int64_t v);

// ---------------------------------------------------------------------------------------------
// Variables, locals, frames

struct ir_var { // a state variable
  const char *name;
  const struct ir_type *type;
  struct span span;
  uint32_t id;         // position in model->vars
  uint64_t first_leaf; // leaves are numbered through all variables in order, depth first
  bool is_location;    // holds the control location of process `agent`
  int32_t agent;       // owning process or -1
  bool hidden;         // not shown in traces
};

// Where a quantified variable, loop variable, rule parameter or choice ranges. A range without a
// step runs up or down as its bounds say and has at least one value, as in Rumur.
struct ir_domain {
  const struct ir_type *type; // all its values in rank order; NULL: the range below
  struct ir_expr *lo, *hi;    // inclusive, evaluated once on entry
  struct ir_expr *step;       // NULL = 1; zero or of the wrong direction is an error
};

enum ir_local_kind {
  IR_LOCAL_PLAIN, // a declared local; starts undefined
  IR_LOCAL_BOUND, // quantifier or loop variable, rule parameter, choice: read-only
  IR_LOCAL_VALUE, // parameter by value, read-only
  IR_LOCAL_REF,   // parameter by reference
};

struct ir_local {
  enum ir_local_kind kind;
  const char *name;
  const struct ir_type *type;
  struct span span;
  struct ir_domain *domain; // of rule parameters and choices; constant bounds
  bool may_undef; // VALUE: an undefined argument is handed on, and reading it is the fault
  // Of a choice: the function that the program calls to be given it ("__VERIFIER_nondet_int"), at
  // `span`; its name then is that of the variable that holds it first. NULL: none. Not part of the
  // text form.
  const char *input;
  uint32_t id;   // position in its frame
  uint32_t cell; // first of its type->leaves cells in the frame's cells (REF: takes 1)
};

// The locals of a rule, function or property. Parameters come first, then choices.
struct ir_frame {
  struct ir_local **locals;
  uint32_t count, capacity;
  uint32_t cells;
};

// ---------------------------------------------------------------------------------------------
// Error sites: where a step can go wrong. Interpreter and native code name failures by site.
//
// A node's `site` is its first site; a node with two has them in a row:
//   VAR LOCAL FIELD   UNDEFINED (when read as a scalar)
//   INDEX             INDEX, then UNDEFINED
//   NEG ADD SUB MUL CAST of a trapping type   OVERFLOW
//   DIV MOD           DIVISION, then OVERFLOW
//   CALL              STACK, then RANGE (a value outside its by-value parameter)
//   quantifier, FOR   LOOP (bad step; range domains only)
//   ASSIGN RANGE   WHILE LOOP   ASSERT as said   function RETURN

enum ir_fault {
  IR_FAULT_NONE,
  IR_FAULT_ASSERT,    // a failed assertion
  IR_FAULT_ERROR,     // an error statement
  IR_FAULT_UNDEFINED, // read of an undefined value
  IR_FAULT_RANGE,     // value outside the type assigned to
  IR_FAULT_INDEX,     // index outside its array
  IR_FAULT_DIVISION,  // division or modulo by zero
  IR_FAULT_OVERFLOW,  // arithmetic left 64 bits (or a trapping machine integer's)
  IR_FAULT_LOOP,      // while loop past its limit, or a for with a bad step
  IR_FAULT_RETURN,    // function ended without a value
  IR_FAULT_MULTISET,  // no room for another element
  IR_FAULT_STACK,     // calls nested too deep (limit IR_CALL_DEPTH)
  IR_FAULT_PLAN,      // nothing is wrong: the front end laid the state out for less than this step
                      // needs; it learns from the step and lowers the model again
  IR_FAULT_MEMORY,    // a pointer that is null, or of what is gone, is followed or freed
  IR_FAULT_LEAK,      // memory was not freed
  IR_FAULT_LIMIT,     // nothing is wrong: the front end could not carry what follows (its message
                      // says what), so that nothing is known of it
};
#define IR_CALL_DEPTH 1000
const char *ir_fault_name(enum ir_fault f); // "assertion failed", "read of undefined value", ...

struct ir_site {
  enum ir_fault fault;
  struct span span;
  const char *message; // the assertion's text; NULL: the source text of the span says it
};
struct ir_model;
// "read of undefined value: Cache[i].State"
void ir_site_print(struct text *out, const struct ir_model *m, uint32_t site);

// ---------------------------------------------------------------------------------------------
// Expressions: typed, free of side effects (a called function must not write state).

enum ir_op {
  IR_CONST,
  // lvalues
  IR_VAR,
  IR_LOCAL,
  IR_INDEX, // args[0][args[1]]
  IR_FIELD, // args[0].field
  // unary
  IR_NOT,
  IR_NEG,
  IR_BITNOT,
  // short-circuit, left to right
  IR_AND,
  IR_OR,
  IR_IMPLIES,
  // comparison; EQ and NE also of whole arrays and records (leaf by leaf, undefined = undefined)
  IR_EQ,
  IR_NE,
  IR_LT,
  IR_LE,
  IR_GT,
  IR_GE,
  // arithmetic in the expression's own type (IR_TYPE_INT): wraps or traps as it says
  IR_ADD,
  IR_SUB,
  IR_MUL,
  IR_DIV, // toward zero
  IR_MOD, // sign of the dividend, as in C
  IR_BITAND,
  IR_BITOR,
  IR_BITXOR,
  IR_SHL, // Murphi's: a negative count shifts the other way, past the width gives 0
  IR_SHR,
  IR_ITE,      // args[0] ? args[1] : args[2]
  IR_CAST,     // args[0] brought to the machine integer `type`: wraps, or traps if the type does
  IR_CALL,     // function(args...)
  IR_ISUNDEF,  // args[0] is a scalar lvalue; does not fail on undefined
  IR_ISMEMBER, // value of args[0] belongs to `test`
  IR_FORALL,   // over local in domain: args[0]
  IR_EXISTS,
  IR_COUNT, // number of values of the domain for which args[0] holds
  IR_OP_COUNT
};

struct ir_expr {
  enum ir_op op;
  uint32_t site; // what a failure of this very node is called; 0: it cannot fail
  const struct ir_type *type;
  struct span span;
  int64_t value; // CONST
  union {
    const struct ir_var *var;       // VAR
    const struct ir_local *local;   // LOCAL; the bound variable of FORALL, EXISTS, COUNT
    const struct ir_type *test;     // ISMEMBER
    const struct ir_function *func; // CALL
  };
  struct ir_domain *domain; // FORALL, EXISTS, COUNT
  uint32_t field;           // FIELD: which
  uint32_t arg_count;
  struct ir_expr **args;
};

bool ir_expr_lvalue(const struct ir_expr *e); // VAR, LOCAL, INDEX of lvalue, FIELD of lvalue
bool ir_expr_const(const struct ir_expr *e, int64_t *value); // is it a literal constant?
// The comparison that holds just where this one does not; IR_OP_COUNT for what is none.
enum ir_op ir_op_opposite(enum ir_op op);

// ---------------------------------------------------------------------------------------------
// Statements, chained by `next`

enum ir_stmt_kind {
  IR_ASSIGN,   // lhs := expr; scalars; range-checked against lhs's type
  IR_COPY,     // lhs := expr; arrays and records, undefined leaves included
  IR_UNDEFINE, // every leaf of lhs becomes undefined
  IR_CLEAR,    // every leaf of lhs becomes its type's smallest value
  IR_SORT,     // elements of the array lhs are put into ascending order of their leaves' codes
               // (undefined first): the canonical form of a multiset
  IR_IF,       // expr, body, other
  IR_SWITCH,   // expr, cases: first case with an equal value
  IR_FOR,      // local over domain: body
  IR_WHILE,    // expr, body; more than `limit` rounds is a fault
  IR_CALL_STMT,
  IR_RETURN, // expr or NULL
  IR_ASSERT, // expr must hold; its site tells assertion from error statement
  IR_ASSUME, // if expr fails this step does not exist
  IR_COVER,  // property `cover` is reached if expr holds
  IR_PRINT,  // shown by simulate and in traces, nothing in a search
  // C code number `foreign` of the model runs over lhs, a local array of 64-bit cells
  IR_FOREIGN,
};

struct ir_case {
  struct ir_expr **values;
  uint32_t value_count; // 0: otherwise
  struct ir_stmt *body;
  struct ir_case *next;
};

struct ir_stmt {
  enum ir_stmt_kind kind;
  uint32_t site;
  struct span span;
  struct ir_stmt *next;
  struct ir_expr *lhs;  // ASSIGN COPY UNDEFINE CLEAR SORT FOREIGN
  struct ir_expr *expr; // value, condition, call
  struct ir_stmt *body, *other;
  struct ir_case *cases;
  const struct ir_local *local; // FOR
  struct ir_domain *domain;     // FOR
  uint64_t limit;               // WHILE
  uint32_t cover;               // COVER: index into model->properties
  struct ir_print {
    const char *literal;  // either this
    struct ir_expr *expr; // or the value of this (any type)
  } * parts;
  uint32_t part_count; // PRINT
  uint32_t foreign;    // FOREIGN: which of the model's functions
  // ASSUME in the body of a rule, outside of loops: what it says depends on none of the rule's
  // choices but the first so many, and so does whether it is come to. Where it fails all choices
  // that agree in these are out. Filled in by ir_model_finish; elsewhere all of them.
  uint32_t prunes;
};

// ---------------------------------------------------------------------------------------------
// Functions, rules, properties, the model

struct ir_function {
  const char *name;
  struct span span;
  uint32_t id;
  uint32_t site;                // fell off its end without a value
  const struct ir_type *result; // NULL: a procedure
  uint32_t param_count;         // its parameters are the first locals of its frame
  struct ir_frame frame;
  struct ir_stmt *body;
};

// What a trace shows of a step besides the rule's name: one line for each statement of the model
// that the rule stands for, said by the process that executes it.
enum ir_event { IR_EVENT_NONE, IR_EVENT_SEND, IR_EVENT_RECEIVE };
struct ir_line {
  const char *text; // "toR!msg,2"
  struct span span;
  const char *process; // "sender"
  int32_t agent;       // its number
  uint32_t place;      // where in its process's text: SPIN's state number; 0: not told
  // Messages, for charts: over the rule's frame, in the state before the step.
  enum ir_event event;
  struct ir_expr *channel;      // an integer
  struct ir_expr **values;      // what is sent or received, integers
  const struct ir_type **types; // how to show each
  uint32_t value_count;
};

// What a rule, by its guard and body, does with a queue: a variable (or an element of one, an
// array) that is a record of a length and an array of slots, of which those past the length are 0.
// SEND: it needs room, and appends one element. RECEIVE: it needs an element that it likes, looks
// at no element behind the first such one, and may take that out. The rule has nothing else to do
// with this queue. For partial order reduction; like `partner` and `idle` no part of the text form.
struct ir_use {
  enum ir_event kind;
  const struct ir_var *queue;
  uint32_t element; // rank of the index, where the variable is an array
};

struct ir_rule {
  const char *name; // never NULL; unnamed ones get "rule 7" from their front end
  struct span span;
  uint32_t id; // position in model->rules or model->starts
  bool is_start;
  struct ir_frame frame;
  uint32_t param_count;  // first locals of the frame: bound parameters (ruleset indices)
  uint32_t choice_count; // next locals: choices
  int32_t agent_param;   // which parameter names the agent, or -1
  int32_t agent;         // fixed agent, or -1
  struct ir_expr *guard; // NULL = true
  struct ir_stmt *body;
  const char **marks;
  uint32_t mark_count;
  struct ir_line *lines; // none: the name says it
  uint32_t line_count;
  struct ir_use use;            // of a queue
  const struct ir_var *partner; // location of another process that this step moves; NULL: none
  bool idle;                    // it can only fire where no rule without this mark can
  // filled in by ir_model_finish
  uint32_t first_instance; // instances of all rules are numbered through, rule by rule
  uint32_t instances;      // product of the parameters' domain sizes
  // Product of the choices' domain sizes, at least 1; the last choice varies fastest. 0: too many
  // to be numbered (2^32 or more). Only symbolic engines take steps of such rules, and traces name
  // the values of their choices.
  uint32_t choices;
  bool guard_chooses; // the guard depends on them
};

enum ir_property_kind {
  IR_PROP_INVARIANT,
  IR_PROP_ASSUME,   // states that fail it are not part of the model
  IR_PROP_COVER,    // some reachable state (or IR_COVER statement) must satisfy it
  IR_PROP_LIVENESS, // from every reachable state one satisfying it can be reached
  IR_PROP_LTL,
  IR_PROP_CTL,
  IR_PROP_NEVER,      // no run that its automaton, a user's never claim, accepts
  IR_PROP_ACCEPTANCE, // no cycle through states with acceptance labels
  IR_PROP_PROGRESS,   // no cycle without progress labels
};
#define IR_PROP_KINDS (IR_PROP_PROGRESS + 1)
const char *ir_property_word(enum ir_property_kind k); // "invariant", "ltl", ...
// Is it about infinite runs, told by an automaton?
static inline bool ir_prop_cyclic(enum ir_property_kind k) {
  return k == IR_PROP_LTL || k >= IR_PROP_NEVER;
}

// A Buchi automaton over the model's atoms, that accepts the bad runs. It starts in state 0. In a
// state of the model it takes one of its edges, by the atoms of that state; then the model takes a
// step. A run is accepted if it passes accepting states of the automaton (on_edges: accepting
// edges) again and again, or if the automaton comes to a final state.
struct ir_automaton_edge {
  uint64_t yes, no; // sets of atoms: these hold, those don't
  uint32_t to;
  bool accepting; // on_edges only
};
struct ir_automaton_state {
  const char *name; // "T0_init"; NULL: none
  struct span span; // of a user's claim
  bool accepting;
  bool final; // the claim is at its end
  struct ir_automaton_edge *edges;
  uint32_t edge_count;
};
struct ir_automaton {
  struct ir_automaton_state *states;
  uint32_t count;
  bool on_edges;
  // Whether a state counts as accepting is, moreover, up to this atom: only where it holds. -1: no.
  int32_t accept_atom;
  // Does repeating a state of the model never change what it accepts? Then runs may be reduced.
  bool stutters;
  // A run that gets stuck is over. Otherwise its last state goes on for ever.
  bool stuck_ends;
};
// The number of the last atom that it speaks of, and one; 0: it speaks of none.
uint32_t ir_automaton_atoms(const struct ir_automaton *a);

// Computation tree logic over conditions on states. A formula is a tree: no node is in two of them.
enum ir_ctl_op {
  IR_CTL_ATOM, // expr
  IR_CTL_NOT,
  IR_CTL_AND,
  IR_CTL_OR,
  IR_CTL_IMPLIES,
  IR_CTL_IFF,
  IR_CTL_EX,
  IR_CTL_AX,
  IR_CTL_EF,
  IR_CTL_AF,
  IR_CTL_EG,
  IR_CTL_AG,
  IR_CTL_EU,
  IR_CTL_AU,
  IR_CTL_EBF, // within lo..hi steps
  IR_CTL_ABF,
  IR_CTL_EBG,
  IR_CTL_ABG,
  IR_CTL_EBU,
  IR_CTL_ABU,
};
struct ir_ctl {
  enum ir_ctl_op op;
  struct span span;
  const struct ir_ctl *left, *right;
  uint32_t lo, hi;      // of the bounded ones
  struct ir_expr *expr; // ATOM: over the property's frame
};
bool ir_ctl_is_condition(const struct ir_ctl *f); // has no temporal operator

// Runs that count: on which `expr` holds again and again; of compassion: on which that is so, or
// on which `given` holds only finitely often. With an agent, it is the steps of this agent that
// count, from states in which the expression holds. Properties about infinite runs (CTL, LTL) speak
// of such runs only.
struct ir_fairness {
  bool compassion;
  int32_t agent; // -1: any step
  struct ir_frame frame;
  struct ir_expr *expr, *given; // expr NULL: true; given: only of compassion
  struct span span;
};

struct ir_property {
  enum ir_property_kind kind;
  const char *name;
  struct span span;
  uint32_t id;
  struct ir_frame frame;
  uint32_t param_count; // ruleset indices around a liveness property: one obligation per instance
  struct ir_expr *expr; // NULL for a COVER that is only reached by statements
  const char *text;     // LTL, CTL: the formula as written, over atoms
  const struct ir_ctl *ctl; // CTL
  // Cyclic kinds: of the bad runs; NULL as long as nobody made it. Belongs to the arena.
  const struct ir_automaton *automaton;
  const char *unchecked; // why there is, and will be, none: "it assigns to x"; NULL: nothing to say
};

struct ir_atom { // a named Boolean over states, for LTL and CTL
  const char *name;
  struct ir_frame frame;
  struct ir_expr *expr;
};

// C code that came with the model, compiled and loaded. It is not safe to be run by two threads.
struct ir_foreign {
  void (*const *functions)(int64_t *cells); // each reads and writes the cells it is given
  uint32_t count;
  const char *text; // all of it, as far as it means anything
};

enum ir_deadlock { IR_DEADLOCK_OFF, IR_DEADLOCK_STUCK, IR_DEADLOCK_STUTTERING };

struct ir_layout;

struct ir_model {
  struct arena *arena;
  const char *name;
  const char *language;                       // "murphi", "ir", ...
  const struct ir_type *bool_type, *int_type; // int_type: signed 64 bits, trapping
  VEC(struct source *) sources;               // owned
  VEC(struct source *) given;                 // owned: texts of expressions that came later
  VEC(struct ir_type *) types;
  VEC(struct ir_var *) vars;
  VEC(struct ir_function *) functions;
  VEC(struct ir_rule *) rules;
  VEC(struct ir_rule *) starts;
  VEC(struct ir_property *) properties;
  VEC(struct ir_atom *) atoms;
  VEC(struct ir_fairness *) fairness;
  // Partial order reduction (reduce/ample.c): condition i tells whether the steps of group i may be
  // taken alone. At most 64; one that fails is false. Not part of the text form.
  VEC(struct ir_atom *) ample;
  VEC(struct ir_site) sites; // [0] is IR_FAULT_NONE
  enum ir_deadlock deadlock; // the language's default
  struct ir_expr *valid_end; // states in which being stuck is no deadlock; NULL: none
  // States in which this variable (a scalar) is not 0 are passed through, not stored: whoever holds
  // it goes on until it is 0 again. Every start has 0 there. NULL: none. A step of a search then is
  // a chain of steps of the model, through such states, to one that is not (reduce/reduce.h).
  const struct ir_var *transient;
  // Locations are seats: records whose first field is the place of process `agent`, or 0 while it
  // is not there. Rules write those of agents that are neither their own nor their partner only
  // while these are not there, and never to 0. Whoever holds `transient` can always take a step, if
  // only to let go. For partial order reduction; not part of the text form.
  bool seats;
  // C code that belongs to the front end; NULL: none. A model with it cannot be read from text.
  const struct ir_foreign *foreign;
  uint64_t leaves; // of all variables
  // filled in by ir_model_finish
  uint32_t rule_instances, start_instances;
  struct ir_layout *layout;
  struct ir_layout *start_layout; // every leaf may be undefined: start rules run in this one
  // what the front end keeps to read expressions of its language; NULL: nothing
  void *front;
  void (*front_free)(void *front);
};

struct ir_model *ir_model_new(const char *name, const char *language);
void ir_model_free(struct ir_model *m);

// Numbers instances, computes which leaves can be undefined, lays the state out. Reports what
// does not fit (too many rule instances, a state too large) into d and returns false then.
bool ir_model_finish(struct ir_model *m, struct diag *d);

// --- types ---
struct ir_type *ir_type_range(struct ir_model *m, int64_t lo, int64_t hi);
struct ir_type *ir_type_enum(struct ir_model *m, int64_t lo, const char *const *members,
                             uint32_t n);
struct ir_type *ir_type_scalarset(struct ir_model *m, int64_t lo, uint64_t n);
struct ir_type *ir_type_union(struct ir_model *m, const struct ir_type *const *parts, uint32_t n);
struct ir_type *ir_type_int(struct ir_model *m, uint8_t bits, bool is_signed, bool traps);
struct ir_type *ir_type_array(struct ir_model *m, const struct ir_type *index,
                              const struct ir_type *elem);
struct ir_type *ir_type_record(struct ir_model *m, const struct ir_field *fields, uint32_t n);

// --- declarations ---
struct ir_var *ir_var_new(struct ir_model *m, const char *name, const struct ir_type *type,
                          struct span span);
struct ir_local *ir_local_new(struct ir_model *m, struct ir_frame *f, enum ir_local_kind kind,
                              const char *name, const struct ir_type *type, struct span span);
struct ir_function *ir_function_new(struct ir_model *m, const char *name,
                                    const struct ir_type *result, struct span span);
struct ir_rule *ir_rule_new(struct ir_model *m, bool is_start, const char *name, struct span span);
struct ir_property *ir_property_new(struct ir_model *m, enum ir_property_kind kind,
                                    const char *name, struct span span);
// Its expression is to follow. Automata speak of the first IR_ATOMS_MAX atoms.
struct ir_atom *ir_atom_new(struct ir_model *m, const char *name);
#define IR_ATOMS_MAX 64
struct ir_ctl *ir_ctl_new(struct ir_model *m, enum ir_ctl_op op, const struct ir_ctl *left,
                          const struct ir_ctl *right, struct span span);
struct ir_fairness *ir_fairness_new(struct ir_model *m, struct span span); // justice of any step
struct ir_domain *ir_domain_type(struct ir_model *m, const struct ir_type *t);
struct ir_domain *ir_domain_range(struct ir_model *m, struct ir_expr *lo, struct ir_expr *hi,
                                  struct ir_expr *step);
uint32_t ir_site_new(struct ir_model *m, enum ir_fault fault, struct span span,
                     const char *message);

// --- expressions; each allocates the error sites its node needs (undefined read, index, division,
// overflow), with the node's source text as message ---
struct ir_expr *ir_const(struct ir_model *m, const struct ir_type *t, int64_t value,
                         struct span span);
struct ir_expr *ir_bool(struct ir_model *m, bool value, struct span span);
struct ir_expr *ir_int(struct ir_model *m, int64_t value, struct span span); // of int_type
struct ir_expr *ir_var_ref(struct ir_model *m, const struct ir_var *v, struct span span);
struct ir_expr *ir_local_ref(struct ir_model *m, const struct ir_local *l, struct span span);
struct ir_expr *ir_index(struct ir_model *m, struct ir_expr *base, struct ir_expr *index,
                         struct span span);
struct ir_expr *ir_field(struct ir_model *m, struct ir_expr *base, uint32_t field,
                         struct span span);
struct ir_expr *ir_unary(struct ir_model *m, enum ir_op op, struct ir_expr *a, struct span span);
// Result type: bool for logic and comparison, the operands' machine integer or int_type otherwise.
struct ir_expr *ir_binary(struct ir_model *m, enum ir_op op, struct ir_expr *a, struct ir_expr *b,
                          struct span span);
struct ir_expr *ir_ite(struct ir_model *m, struct ir_expr *c, struct ir_expr *a, struct ir_expr *b,
                       const struct ir_type *type, struct span span);
struct ir_expr *ir_cast(struct ir_model *m, const struct ir_type *t, struct ir_expr *a,
                        struct span span);
struct ir_expr *ir_call(struct ir_model *m, const struct ir_function *f,
                        struct ir_expr *const *args, uint32_t n, struct span span);
struct ir_expr *ir_isundef(struct ir_model *m, struct ir_expr *a, struct span span);
struct ir_expr *ir_ismember(struct ir_model *m, struct ir_expr *a, const struct ir_type *t,
                            struct span span);
struct ir_expr *ir_quant(struct ir_model *m, enum ir_op op, const struct ir_local *l,
                         struct ir_domain *d, struct ir_expr *body, struct span span);

// --- statements; not yet chained ---
struct ir_stmt *ir_assign(struct ir_model *m, struct ir_expr *lhs, struct ir_expr *rhs,
                          struct span span); // ASSIGN or COPY by type
struct ir_stmt *ir_undefine(struct ir_model *m, struct ir_expr *lhs, struct span span);
struct ir_stmt *ir_clear(struct ir_model *m, struct ir_expr *lhs, struct span span);
struct ir_stmt *ir_sort(struct ir_model *m, struct ir_expr *lhs, struct span span);
struct ir_stmt *ir_foreign(struct ir_model *m, uint32_t number, const struct ir_local *cells,
                           struct span span);
struct ir_stmt *ir_if(struct ir_model *m, struct ir_expr *c, struct ir_stmt *body,
                      struct ir_stmt *other, struct span span);
struct ir_stmt *ir_switch(struct ir_model *m, struct ir_expr *e, struct ir_case *cases,
                          struct span span);
struct ir_case *ir_case(struct ir_model *m, struct ir_expr *const *values, uint32_t n,
                        struct ir_stmt *body);
struct ir_stmt *ir_for(struct ir_model *m, const struct ir_local *l, struct ir_domain *d,
                       struct ir_stmt *body, struct span span);
struct ir_stmt *ir_while(struct ir_model *m, struct ir_expr *c, struct ir_stmt *body,
                         uint64_t limit, struct span span);
struct ir_stmt *ir_call_stmt(struct ir_model *m, struct ir_expr *call, struct span span);
struct ir_stmt *ir_return(struct ir_model *m, struct ir_expr *e, struct span span);
struct ir_stmt *ir_assert(struct ir_model *m, struct ir_expr *e, enum ir_fault fault,
                          const char *message, struct span span);
struct ir_stmt *ir_assume(struct ir_model *m, struct ir_expr *e, struct span span);
struct ir_stmt *ir_cover(struct ir_model *m, const struct ir_property *p, struct ir_expr *e,
                         struct span span);
struct ir_stmt *ir_print(struct ir_model *m, const struct ir_print *parts, uint32_t n,
                         struct span span);

// Appends statements to a chain:  struct ir_chain c = {0}; ir_chain_add(&c, s); ... c.first
struct ir_chain {
  struct ir_stmt *first, *last;
};
void ir_chain_add(struct ir_chain *c, struct ir_stmt *s); // s may itself be a chain, or NULL

// How many parameters and choices the rule or start rule has that has most of them.
void ir_widest(const struct ir_model *m, size_t *params, size_t *choices);

// --- instances and choices ---
// Values of a parameter or choice: how many, and the k-th. Domains here have constant bounds.
uint64_t ir_domain_count(const struct ir_domain *d);
int64_t ir_domain_value(const struct ir_domain *d, uint64_t k);
// The rule of an instance number (or start instance); parameter values go into values[param_count].
const struct ir_rule *ir_instance(const struct ir_model *m, bool start, uint32_t instance,
                                  int64_t *values);
void ir_choice(const struct ir_rule *r, uint32_t choice, int64_t *values);
bool ir_domain_has(const struct ir_domain *d, int64_t value); // constant bounds, as above
// The first choice, and the next one that is not the same in the first `keep` (choice_count: simply
// the next one); its number follows (NULL: nobody asks). False: there is none, and the values are
// the first ones again.
void ir_choice_first(const struct ir_rule *r, int64_t *values);
bool ir_choice_next(const struct ir_rule *r, uint32_t keep, int64_t *values, uint32_t *number);
// The first start rule, or rule, that has too many choices to be numbered; NULL: none has.
const struct ir_rule *ir_model_unnumbered(const struct ir_model *m);
// "SndReqE(n=Node_2)" as users read it.
void ir_instance_print(struct text *out, const struct ir_model *m, bool start, uint32_t instance,
                       uint32_t choice);
void ir_instance_print_values(struct text *out, const struct ir_model *m, bool start,
                              uint32_t instance, const int64_t *choices);

// ---------------------------------------------------------------------------------------------
// Leaves and layout. layout decides where a leaf sits; nobody else knows.

struct ir_leaf {
  const struct ir_type *type; // scalar
  uint16_t shift;             // inside its word
  uint16_t width;             // bits, 0..64; 0 when the leaf has one possible code
  uint32_t word;
  bool undef; // code 0 is "undefined", the value of rank r has code r + 1; else code = rank
};

struct ir_layout {
  uint32_t words; // 64-bit words of a packed state
  uint64_t bits;  // used bits
  uint32_t bytes; // bytes needed from the start of the words; the rest are zero
  uint64_t count; // leaves
  struct ir_leaf *leaf;
};

// The name of a leaf as the user would write it: Cache[Proc_2].State
void ir_leaf_name(struct text *out, const struct ir_model *m, uint64_t leaf);
const struct ir_var *ir_leaf_var(const struct ir_model *m, uint64_t leaf);

static inline uint64_t ir_leaf_code(const struct ir_leaf *l, const uint64_t *state) {
  if (l->width == 0) return 0;
  return (state[l->word] >> l->shift) & (~UINT64_C(0) >> (64 - l->width));
}
static inline void ir_leaf_set_code(const struct ir_leaf *l, uint64_t *state, uint64_t code) {
  if (l->width == 0) return;
  uint64_t mask = ~UINT64_C(0) >> (64 - l->width);
  state[l->word] = (state[l->word] & ~(mask << l->shift)) | (code << l->shift);
}
struct ir_layout *ir_layout_new(const struct ir_model *m,
                                const bool *undef);                  // undef per leaf; NULL: all
int64_t ir_leaf_get(const struct ir_leaf *l, const uint64_t *state); // IR_UNDEF when undefined
void ir_leaf_set(const struct ir_leaf *l, uint64_t *state, int64_t value);

// ---------------------------------------------------------------------------------------------
// Passes and printers (one file each in this room)

// Structural and type errors in a model, as sentences; true when there is none. Run after each
// pass in debug builds and by tests.
bool ir_check(const struct ir_model *m, struct text *errors);
// Constant folding and simplification, in place; keeps every possible error.
void ir_fold(struct ir_model *m);
struct ir_expr *ir_expr_fold(struct ir_model *m, struct ir_expr *e);
// Variables whose integers (ranges, machine integers below 64 bits) only ever hold values between
// narrower bounds get ranges of just these for types; the model does what it did, in fewer bits.
// Where their old type counts, in arithmetic, what is read is cast to it. Before ir_model_finish,
// when everything that writes is there; nobody may keep types of variables from before.
void ir_narrow(struct ir_model *m);
// Text form. ir_print_model's output parses back to an equal model (ir_parse_model), and a parsed
// model prints the same text.
void ir_print_model(struct text *out, const struct ir_model *m);
// The same without names of files and places in them: equal for models that mean the same, however
// their text is laid out. Not to be read back.
void ir_print_meaning(struct text *out, const struct ir_model *m);
struct ir_model *ir_parse_model(struct source *s,
                                struct diag *d); // takes the source; NULL on errors
// One expression over a model, in the text form: its types, variables, functions, and the
// parameters of `scope` (NULL: none), which become the first locals of *frame, in order. It calls
// nothing that changes anything, and declares no types. The expression belongs to the model, which
// then owns the source; on errors d keeps it, and NULL comes back.
enum ir_want { IR_WANT_BOOL, IR_WANT_INT };
struct ir_expr *ir_parse_expr(struct ir_model *m, struct source *s, enum ir_want want,
                              const struct ir_rule *scope, struct ir_frame *frame, struct diag *d);
// A frame that begins with the parameters of `scope`.
void ir_frame_scope(struct ir_model *m, struct ir_frame *frame, const struct ir_rule *scope);
// One expression in the text form, for messages and explanations.
void ir_print_expr(struct text *out, const struct ir_expr *e);

// Which leaves a rule instance may read and write (static, conservative); bit sets of m->leaves.
struct ir_access {
  uint64_t *guard_reads, *reads, *writes; // reads include guard_reads
  size_t words;
};
void ir_access_init(struct ir_access *a, const struct ir_model *m);
void ir_access_clear(struct ir_access *a);
void ir_access_rule(struct ir_access *a, const struct ir_model *m, const struct ir_rule *r,
                    const int64_t *params);
void ir_access_expr(struct ir_access *a, const struct ir_model *m,
                    const struct ir_expr *e); // into reads
