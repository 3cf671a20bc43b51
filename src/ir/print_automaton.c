// SPDX-License-Identifier: Apache-2.0
// The automaton of a property in the text form (docs/ir.md): states in order, and their edges,
// which name atoms and states by number.
#include "ir/print.h"

#include "ir/lex.h"

static void print_edge(struct ir_printer *p, const struct ir_automaton_edge *e) {
  const char *before = "   ";
  for (uint32_t i = 0; i < IR_ATOMS_MAX; i++) {
    uint64_t bit = UINT64_C(1) << i;
    if (!((e->yes | e->no) & bit)) continue;
    text_printf(p->out, "%s %s%u", before, e->no & bit ? "!" : "", i);
    before = " &";
  }
  text_printf(p->out, "%s -> %u%s;\n", e->yes | e->no ? "" : "   ", e->to,
              e->accepting ? " accepting" : "");
}

static void print_state(struct ir_printer *p, const struct ir_automaton_state *s) {
  text_add(p->out, "  state");
  if (s->name) {
    text_char(p->out, ' ');
    ir_lex_print_string(p->out, s->name);
  }
  if (s->accepting) text_add(p->out, " accepting");
  if (s->final) text_add(p->out, " final");
  ir_printer_span(p, &s->span);
  text_add(p->out, " {\n");
  for (uint32_t i = 0; i < s->edge_count; i++) print_edge(p, &s->edges[i]);
  text_add(p->out, "  }\n");
}

void ir_printer_automaton(struct ir_printer *p, const struct ir_automaton *a) {
  text_add(p->out, " automaton");
  if (a->on_edges) text_add(p->out, " on_edges");
  if (a->stutters) text_add(p->out, " stutters");
  if (a->stuck_ends) text_add(p->out, " stuck_ends");
  if (a->accept_atom >= 0) text_printf(p->out, " where %d", a->accept_atom);
  text_add(p->out, " {\n");
  for (uint32_t i = 0; i < a->count; i++) print_state(p, &a->states[i]);
  text_add(p->out, "}\n");
}
