// SPDX-License-Identifier: Apache-2.0
// A Promela program with its names resolved and its processes as control graphs, as SPIN makes
// them: the states of a process are the numbers that `pan -d` prints, and two states are one here
// exactly when they are one there, so that states of the model can be counted like SPIN's.
#pragma once

#include "front/promela/ast.h"

// ---------------------------------------------------------------------------------------------
// Types and symbols

struct pml_type {
  enum ast_base base;
  uint32_t bits;                   // UNSIGNED
  const char *mtype_set;           // MTYPE: NULL is the unnamed one
  const struct pml_struct *fields; // STRUCT
};

struct pml_channel {       // what "= [2] of { byte, chan }" declares
  uint32_t capacity;       // 0: rendezvous
  struct pml_type *fields; // structures are flattened into their scalars
  uint32_t field_count;
  struct span span;
};

enum pml_symbol_kind { PML_VAR, PML_PARAM, PML_FIELD, PML_BUILTIN };
enum pml_builtin {
  PML_NOT_BUILTIN,
  PML_PID_VAR,
  PML_NR_PR,
  PML_LAST,
  PML_SCRATCH /* _ */,
  PML_PRIORITY
};

struct pml_symbol {
  enum pml_symbol_kind kind;
  enum pml_builtin builtin;
  const char *name;  // as written
  const char *shown; // unique within its owner: name, or name_2 for the second of that name
  struct span span;
  struct pml_type type;
  bool is_array;
  uint32_t length; // 1 for scalars
  enum ast_visibility visibility;
  // Initial value: of a global when the model starts, of a local when its process does, unless
  // SPIN makes an assignment of it where it stands (a declaration behind a statement): then that
  // is an edge of the graph, and there is nothing here.
  struct ast_expr **init;
  uint32_t init_count;
  const struct pml_channel *channel; // NULL: none; an array declares `length` channels
  int32_t owner;                     // number of the proctype; -1: global
  uint32_t id;                       // position in program->globals, proc->locals, struct's fields
  bool read, written;                // anywhere, by statements (not by its initialisation)
  bool in_c;                         // embedded C mentions its name (embed.c)
};

struct pml_struct {
  const char *name;
  struct span span;
  struct pml_symbol **fields;
  uint32_t field_count;
};

struct pml_mtype {
  const char *name;
  const char *set; // NULL: the unnamed one
  int64_t value;   // SPIN's: 1.. , the last name written of a declaration first
};

// ---------------------------------------------------------------------------------------------
// Control graphs

// A process is at a state. Gotos, breaks, blocks, if and do take no step of their own, just where
// they take none in SPIN.
struct pml_state {
  uint32_t number; // SPIN's
  struct span span;
  bool is_end, is_accept, is_progress; // labels end*, accept*, progress*; the last state is_end
  bool is_last;                        // behind the last statement: the process may die here
  const char **labels;
  uint32_t label_count;
  uint32_t *edges; // leaving, positions in graph->edges, in SPIN's order: escapes first
  uint32_t edge_count;
};

enum pml_edge_kind {
  PML_EDGE_STMT,   // stmt: EXPR ASSIGN SEND RECEIVE ASSERT PRINTF PRINTM SET_PRIORITY C_CODE;
                   // stmt NULL: a skip (SPIN's "(1)" or goto that takes a step)
  PML_EDGE_ELSE,   // executable if none of `siblings` is
  PML_EDGE_D_STEP, // a whole d_step: graph `inner`
  PML_EDGE_END,    // the process dies, if it is the youngest; `to` is UINT32_MAX
};

struct pml_edge {
  enum pml_edge_kind kind;
  uint32_t from, to; // positions in graph->states; a d_step's inner edges may go to graph->exit
  const struct ast_stmt *stmt;
  struct span span;
  const char *text;   // as SPIN shows it in a trace, without the brackets
  const char *shown;  // as users read it: of a D_STEP, what is in it
  bool atomic;        // afterwards the process goes on without interleaving, if it can
  bool inside_atomic; // D_STEP: it stands in an atomic sequence, perhaps as its last statement
  // unless: 0 is an ordinary edge. An edge with escape n is blocked while an edge of the same state
  // with a larger escape is executable: SPIN tries the outermost unless first, then the inner ones.
  uint32_t escape;
  // ELSE, and a D_STEP that begins with else: the edges of the state that must not be executable,
  // which are all that stand before it. A rendezvous send among them counts if somebody can
  // receive; a rendezvous receive never counts.
  uint32_t *siblings;
  uint32_t sibling_count;
  struct pml_graph *inner; // D_STEP
  // pml_reset_dead: local variables that become 0 with this step, since nobody reads them any more
  const struct pml_symbol **dead;
  uint32_t dead_count;
};

struct pml_graph {
  VEC(struct pml_state) states;
  VEC(struct pml_edge) edges;
  uint32_t start;
  // D_STEP only. From each inner state the first executable edge is taken; if there is none the
  // step blocks: an error in SPIN, except at the start. The d_step is executable if one of the
  // guards (edges) is; none: always.
  uint32_t exit; // the state, without edges, in which the step is over; a process's: UINT32_MAX
  uint32_t *guards;
  uint32_t guard_count;
};

enum pml_proc_kind { PML_PROCTYPE, PML_INIT, PML_NEVER, PML_TRACE, PML_NOTRACE };

struct pml_proc {
  enum pml_proc_kind kind;
  const char *name; // "init" is ":init:", "never" as SPIN names it
  struct span span;
  uint32_t number;
  uint32_t active;  // how many at the start (init: 1)
  int64_t priority; // 0: not given
  struct ast_expr *provided;
  VEC(struct pml_symbol *) locals; // parameters first
  uint32_t param_count;
  struct pml_graph graph;
  const struct ast_unit *unit;
};

struct pml_ltl {
  const char *name, *text;
  struct span span;
  struct ast_expr *expr; // resolved
};

struct pml_program {
  struct arena *arena;  // of what stays with the model
  struct arena *syntax; // of the tree, and what leads from it to the model; it goes before
  VEC(struct pml_symbol *) globals; // channels included
  VEC(struct pml_struct *) structs;
  VEC(struct pml_mtype) mtypes;
  VEC(struct pml_proc *) procs; // in the order written: SPIN's numbers of proctypes
  VEC(struct pml_ltl) ltls;
  VEC(const struct ast_unit *) c_units; // C_CODE, C_STATE
  // what is used anywhere, so that the lowering knows what the state must hold
  bool uses_last, uses_np, uses_priority, uses_enabled, uses_pc_value, uses_remote, uses_c;
};

// Resolves names and types of the whole tree and builds the control graphs. Errors are in d; the
// result is not to be used then.
void pml_resolve(struct pml_program *p, struct ast_unit *units, struct diag *d);
// SPIN's optimisations, if wanted, after pml_resolve. Both change how many states there are,
// neither what is true of them.
void pml_merge(struct pml_program *p);      // -o3: more edges are atomic
void pml_reset_dead(struct pml_program *p); // -o2: edge->dead
// The tree goes, and with it what only the lowering needs. Names and types stay, and of the graphs
// the states and the texts of their edges: expressions can still be read, and states explained.
void pml_forget_syntax(struct pml_program *p);
// Evaluates a constant expression of a resolved tree; false: it is none.
bool pml_constant(const struct ast_expr *e, int64_t *value);
// The graphs as `pan -d` prints them, for tests and for fathom show.
void pml_print_graph(struct text *out, const struct pml_program *p);
