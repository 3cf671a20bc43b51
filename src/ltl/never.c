// SPDX-License-Identifier: Apache-2.0
// Automata to be read: as SPIN's never claims, whose labels tell which states accept, and as graphs
// for dot. SPIN has no accepting edges: there a claim says in comments which they are.
#include "ir/ir.h"
#include "ltl/ltl.h"

static void print_cube(struct text *out, const struct ir_automaton_edge *e,
                       const char *const *atoms, bool in_text) {
  const char *separator = "";
  for (int i = 0; i < 64; i++) {
    bool yes = e->yes >> i & 1, no = e->no >> i & 1;
    if (!yes && !no) continue;
    text_printf(out, "%s%s(%s)", separator, no ? "!" : "", atoms[i]);
    separator = " && ";
  }
  if (!*separator) text_add(out, in_text ? "true" : "(1)");
}

// accept_all: nothing that comes can help any more.
static void print_label(struct text *out, const struct ir_automaton *a, uint32_t i) {
  const struct ir_automaton_state *s = &a->states[i];
  if (s->name)
    text_add(out, s->name);
  else if (s->final)
    text_add(out, "accept_all");
  else if (i == 0)
    text_add(out, s->accepting ? "accept_init" : "T0_init");
  else
    text_printf(out, "%s_S%u", s->accepting ? "accept" : "T0", i);
}

static void print_state(struct text *out, const struct ir_automaton *a, uint32_t i,
                        const char *const *atoms) {
  const struct ir_automaton_state *s = &a->states[i];
  print_label(out, a, i);
  text_add(out, ":\n");
  if (s->final || s->edge_count == 0) {
    text_add(out, s->final ? "\tskip\n" : "\tfalse;\n");
    return;
  }
  text_add(out, "\tdo\n");
  for (uint32_t k = 0; k < s->edge_count; k++) {
    text_add(out, "\t:: ");
    print_cube(out, &s->edges[k], atoms, false);
    text_add(out, " -> goto ");
    print_label(out, a, s->edges[k].to);
    text_add(out, s->edges[k].accepting ? " /* accepting */\n" : "\n");
  }
  text_add(out, "\tod;\n");
}

// Where claims end, SPIN stops: the final state comes last.
void ltl_print_never(struct text *out, const struct ir_automaton *a, const char *const *atoms) {
  text_add(out, "never {\n");
  for (uint32_t i = 0; i < a->count; i++)
    if (!a->states[i].final) print_state(out, a, i, atoms);
  for (uint32_t i = 0; i < a->count; i++)
    if (a->states[i].final) print_state(out, a, i, atoms);
  text_add(out, "}\n");
}

// --- dot ---

// Inside dot's double quotes.
static void print_escaped(struct text *out, const struct text *label) {
  for (size_t i = 0; i < label->count; i++) {
    if (label->data[i] == '"' || label->data[i] == '\\') text_char(out, '\\');
    text_char(out, label->data[i] == '\n' ? ' ' : label->data[i]);
  }
}

static void print_dot_state(struct text *out, const struct ir_automaton *a, uint32_t i) {
  struct text label = {0};
  print_label(&label, a, i);
  text_printf(out, "  s%u [shape=%s, label=\"", i,
              a->states[i].accepting || a->states[i].final ? "doublecircle" : "circle");
  print_escaped(out, &label);
  text_add(out, "\"];\n");
  text_clear(&label);
}

static void print_dot_edge(struct text *out, uint32_t from, const struct ir_automaton_edge *e,
                           const char *const *atoms) {
  struct text label = {0};
  print_cube(&label, e, atoms, true);
  text_printf(out, "  s%u -> s%u [%slabel=\"", from, e->to, e->accepting ? "style=bold, " : "");
  print_escaped(out, &label);
  text_add(out, "\"];\n");
  text_clear(&label);
}

void ltl_print_dot(struct text *out, const struct ir_automaton *a, const char *const *atoms) {
  text_add(out, "digraph buchi {\n  rankdir=LR;\n  start [shape=point];\n  start -> s0;\n");
  for (uint32_t i = 0; i < a->count; i++) print_dot_state(out, a, i);
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < a->states[i].edge_count; k++)
      print_dot_edge(out, i, &a->states[i].edges[k], atoms);
  text_add(out, "}\n");
}
