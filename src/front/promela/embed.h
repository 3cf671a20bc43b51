// SPDX-License-Identifier: Apache-2.0
// Private to the room: embedded C. What the model says in C is compiled together with structures
// that hold the model's variables under their names, as SPIN gives them: `now` the global ones,
// `Pname` those of the process. A piece of C is a function over cells: it fills the structures from
// them, runs, and puts what it finds there back.
//
// The cells, in order: 0 what failed (enum embed_failure), 1 the value of a c_expr; the global
// variables that C mentions, leaf by leaf; the global memory of c_state and c_track; then _pid, the
// local variables that C mentions, and the memory of the process.
#pragma once

#include "front/promela/program.h"
#include "ir/ir.h"

enum embed_failure { EMBED_FINE, EMBED_ASSERTION, EMBED_CONDITION };
enum { EMBED_FIRST = 2 }; // the cell behind those of the result

enum embed_kind { EMBED_GLOBAL, EMBED_LOCAL, EMBED_TRACKED, EMBED_HIDDEN };

struct embed_memory { // of c_state or c_track
  enum embed_kind kind;
  struct span span;
  const char *text;            // the declaration, or the pointer
  const char *name;            // as it is shown
  const char *place;           // C: a pointer to it
  const char *init;            // c_state: its initial value, or NULL
  const char *size;            // c_track
  const struct pml_proc *proc; // LOCAL
  // told by the compiled code
  uint32_t count, bytes; // elements, and bytes of each
  bool is_signed;
  int64_t *start; // what it holds at first
};

struct embed_text { // a c_code or c_expr
  const void *node; // of the tree
  const struct pml_proc *proc;
  bool is_expr;
  const char *text, *condition;
  struct span span;
};

struct embed {
  struct arena *arena;
  const struct pml_program *prog;
  VEC(struct embed_memory) memories;
  VEC(struct embed_text) texts;
  bool nr_pr; // C reads _nr_pr
  struct sys_library *library;
  struct ir_foreign foreign;
};

// Compiles what there is, and marks the variables that C mentions as read and written. NULL: there
// is no C in the program, or there are errors in d; one of them is that C is refused.
struct embed *embed_load(struct pml_program *p, const char *path, bool refused, struct diag *d);
void embed_free(struct embed *e);
uint32_t embed_number(const struct embed *e, const void *node);

// C can see the variable: it mentions its name, and there is a type for it.
bool embed_sees(const struct pml_symbol *s);
// It cannot change it: what it does to a channel's number is lost.
bool embed_reads_only(const struct pml_symbol *s);

// --- embed_text.c ---
void embed_write(struct text *out, const struct embed *e);
#define EMBED_ELSEWHERE "<embedded C>" // what the compiler calls lines that nobody wrote
// --- embed_error.c ---
void embed_report(const struct embed *e, const char *messages, const char *why, struct diag *d);
