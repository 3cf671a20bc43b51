// SPDX-License-Identifier: Apache-2.0
// The statements of one process as SPIN links them: numbered elements in sequences, with elements
// of their own for blocks, selections and where these end. graph.c makes the control graph of them;
// the order of creation is what gives every element SPIN's number.
#pragma once

#include "front/promela/program.h"

enum flow_kind {
  FLOW_STMT, // stmt
  FLOW_ELSE,
  FLOW_GOTO,  // where; breaks too
  FLOW_DOT,   // where the options of an if, and main and escape of an unless, come together
  FLOW_BREAK, // behind a do
  FLOW_IF,
  FLOW_DO,
  FLOW_UNLESS, // options: main sequence, escape
  FLOW_ATOMIC, // body
  FLOW_D_STEP,
  FLOW_BLOCK,
  FLOW_STOP, // the end of the process
};

enum flow_status {
  FLOW_IN_ATOMIC = 1, // what follows is inside the same atomic sequence
  FLOW_LAST = 2,      // the last of an atomic sequence
  FLOW_IN_D_STEP = 4,
  FLOW_DONE = 8, // its transitions are made
};

struct flow_seq {
  struct flow_node *first, *last;
  struct flow_node *extent; // the last one as written, before a FLOW_DOT was added
  struct flow_seq *next;    // the next option
};

struct flow_escape {
  struct flow_seq *seq;
  struct flow_escape *next; // outermost first
};

struct flow_scope {
  const struct flow_scope *up;
};
struct flow_name { // a label's name as it is known in a scope
  const char *text;
  const struct flow_scope *scope;
  struct flow_name *next;
};
struct flow_label {
  const struct flow_name *name;
  struct flow_node *node;
  struct span span;
  struct flow_label *next;      // the one set before
  struct flow_label *same_node; // for graph.c
};

struct flow_node {
  enum flow_kind kind;
  unsigned status;
  uint32_t number; // SPIN's, within the process
  uint32_t unique; // order of creation
  uint32_t d_step; // the d_step it is in, or 0
  const struct ast_stmt *stmt;
  struct span span;
  struct flow_node *next;
  struct flow_seq *options, *body;
  struct flow_escape *escapes;
  const struct flow_name *where;
  struct flow_node *created_before;
};

struct flow {
  struct arena *arena; // of the elements and tables
  struct arena *kept;  // of what the graphs show
  struct diag *diag;
  bool is_claim;
  uint32_t *break_count; // of the whole program: SPIN's names of loops
  // the result
  struct flow_seq *body;
  struct flow_node *newest; // all nodes
  struct flow_label *labels;
  uint32_t next_number, next_unique;
  // while building
  const struct flow_scope *scope;
  struct flow_name *names;
  struct flow_seq *current;
  VEC(const struct flow_name *) breaks;
  uint32_t d_step;
};

void flow_build(struct flow *f, const struct ast_unit *u);
void flow_clear(struct flow *f);
// A label that a process elsewhere refers to is a state even if a goto stands there.
void flow_pin(struct flow *f, const char *label);
// Links the ends of blocks to what follows them; after all flow_pin.
void flow_tie(struct flow *f);

// The label a goto means; NULL: there is none.
const struct flow_label *flow_find(const struct flow *f, const struct flow_name *name);
// The label of that name that a remote reference means.
const struct flow_label *flow_find_remote(const struct flow *f, const char *label);
// A label of the node that begins like one of the words ("" for any), or NULL.
const struct flow_label *flow_label_of(const struct flow *f, const struct flow_node *n,
                                       const char *const *words);
bool flow_is_skip(const struct ast_stmt *s); // skip or true, as a condition

// Parts of the builder: flow_labels.c, flow_atomic.c, flow_loop.c
const struct flow_name *flow_name(struct flow *f, const char *text); // in the present scope
void flow_set_label(struct flow *f, const struct flow_name *name, struct flow_node *node,
                    struct span span);
void flow_move_label(struct flow *f, const struct flow_node *from, struct flow_node *to);
void flow_make_atomic(struct flow_seq *s, unsigned added);
void flow_attach(struct flow *f, struct flow_seq *main, struct flow_seq *escape);

struct flow_piece { // a statement before it has an element
  enum flow_kind kind;
  bool is_label; // of inner: name
  const struct ast_stmt *stmt;
  struct span span;
  struct flow_seq *options, *body;
  const struct flow_name *name; // LABEL, GOTO
  struct flow_piece *inner;
};
enum flow_where { // what a sequence is for; the first statement of most must not have a label
  FLOW_OF_PROCESS,
  FLOW_OF_ESCAPE,
  FLOW_OF_MAIN,
  FLOW_OF_ATOMIC,
  FLOW_OF_D_STEP,
  FLOW_OF_BLOCK,
  FLOW_OF_OPTION,
  FLOW_OF_LOOP,
};
struct flow_seq *flow_open(struct flow *f); // the sequence open before
struct flow_seq *flow_close(struct flow *f, struct flow_seq *before, enum flow_where where);
struct flow_node *flow_node_new(struct flow *f, enum flow_kind kind, struct span span);
struct flow_piece *flow_piece_new(struct flow *f, enum flow_kind kind, const struct ast_stmt *s);
void flow_sequence(struct flow *f, const struct ast_stmt *first);
void flow_scoped_sequence(struct flow *f, const struct ast_stmt *first);
void flow_place(struct flow *f, struct flow_piece *p);
void flow_place_stmt(struct flow *f, const struct ast_stmt *s);
void flow_push_break(struct flow *f);
struct flow_piece *flow_goto(struct flow *f, const struct ast_stmt *s,
                             const struct flow_name *name);
struct flow_piece *flow_for(struct flow *f, const struct ast_stmt *s);
const struct ast_stmt *flow_select_start(struct flow *f, const struct ast_stmt *s);
struct flow_piece *flow_select_rest(struct flow *f, const struct ast_stmt *s);
struct flow_piece *flow_unless(struct flow *f, struct flow_piece *main, struct flow_piece *escape);
