// SPDX-License-Identifier: Apache-2.0
// What the printers of the IR's text form share; private to this room.
#pragma once

#include "ir/ir.h"
#include "ir/names.h"

// With a model, everything is printed so that it parses back: names are made unique and quoted,
// constants carry their types. Without one, names and values are printed as their user knows them.
struct ir_printer {
  struct text *out;
  const struct ir_model *model;
  struct arena *names;     // holds the names made here
  const char **type_names; // by id; NULL: the type is written out where it is used
  const char **var_names;  // by id
  const char **function_names;
  const char **local_names; // of the frame being printed, by id
  struct ir_names globals;  // variables, and enum members with the first enum that has them
  struct ir_names statics;  // of the frame being printed: all but what quantifiers and loops bind
  VEC(const char *) active; // names bound by the quantifiers and loops around
  VEC(const struct source *) sources; // those that spans refer to, in order of first use
  bool spans;                         // @line:column is printed
  bool shows;                         // so are the lines that rules show in traces
  int indent;
};

void ir_printer_init(struct ir_printer *p, struct text *out, const struct ir_model *m);
void ir_printer_clear(struct ir_printer *p);
// Names the locals of a frame; the first `params` are bound everywhere in it.
void ir_printer_frame(struct ir_printer *p, const struct ir_frame *f, uint32_t params);

void ir_printer_expr(struct ir_printer *p, const struct ir_expr *e);
void ir_printer_type(struct ir_printer *p, const struct ir_type *t);      // a use of it
void ir_printer_type_body(struct ir_printer *p, const struct ir_type *t); // its declaration
void ir_printer_local(struct ir_printer *p, const struct ir_local *l);    // its name
// Gives what a quantifier or loop binds a name that nothing in scope has, until unbind.
void ir_printer_bind(struct ir_printer *p, const struct ir_local *l);
void ir_printer_unbind(struct ir_printer *p);
// "i : Proc", "i : int in 1 to 3": a bound local with its domain.
void ir_printer_binder(struct ir_printer *p, const struct ir_local *l, const struct ir_domain *d);

// " @3:14", where spans are printed and this one is somewhere.
void ir_printer_span(struct ir_printer *p, const struct span *s);
// What follows the rest of a property, to its end (print_automaton.c).
void ir_printer_automaton(struct ir_printer *p, const struct ir_automaton *a);
// A formula of computation tree logic (print_ctl.c).
void ir_printer_ctl(struct ir_printer *p, const struct ir_ctl *f);

// Words of the text form, by enum; the parser looks them up in the same tables.
const char *ir_print_fault_word(enum ir_fault f);
const char *ir_print_deadlock_word(enum ir_deadlock d);
