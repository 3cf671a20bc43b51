// SPDX-License-Identifier: Apache-2.0
// Parses the automaton of a property (docs/ir.md). Atoms and states are numbers, which may come
// before what they name: states are looked at when the automaton is over, atoms when the model is.
#include "ir/parse.h"

typedef VEC(struct ir_automaton_edge) edge_list;
typedef VEC(struct ir_automaton_state) state_list;

// [!] atom { & [!] atom }
static void parse_literals(struct ir_parser *p, struct ir_automaton_edge *e) {
  do {
    bool no = ir_parser_accept(p, LEX_BANG);
    uint64_t atom;
    if (!ir_parser_natural(p, IR_ATOMS_MAX - 1, &atom)) return;
    *(no ? &e->no : &e->yes) |= UINT64_C(1) << atom;
  } while (ir_parser_accept(p, LEX_AND));
}

// [literals] -> state [accepting] ;
static void parse_edge(struct ir_parser *p, edge_list *edges) {
  struct ir_automaton_edge e = {0};
  uint64_t to;
  if (p->token.kind != LEX_ARROW) parse_literals(p, &e);
  if (!ir_parser_expect(p, LEX_ARROW) || !ir_parser_natural(p, UINT32_MAX - 1, &to)) return;
  e.to = (uint32_t)to;
  e.accepting = ir_parser_accept_word(p, "accepting");
  if (ir_parser_expect(p, LEX_SEMICOLON)) VEC_PUSH(edges, e);
}

static void keep_edges(struct ir_parser *p, struct ir_automaton_state *s, const edge_list *edges) {
  s->edge_count = (uint32_t)edges->count;
  s->edges = ARENA_ARRAY(p->model->arena, struct ir_automaton_edge, edges->count);
  for (size_t i = 0; i < edges->count; i++) s->edges[i] = edges->data[i];
}

// "state" ["name"] [accepting] [final] [@..] { edges }
static void parse_state(struct ir_parser *p, state_list *states) {
  struct span start = p->token.span;
  struct ir_automaton_state s = {0};
  edge_list edges = {0};
  if (!ir_parser_accept_word(p, "state")) return ir_parser_expected(p, "'state' or '}'");
  if (p->token.kind == LEX_STRING) s.name = ir_parser_text(p, LEX_STRING);
  s.accepting = ir_parser_accept_word(p, "accepting");
  s.final = ir_parser_accept_word(p, "final");
  s.span = ir_parser_annotation(p, ir_parser_since(p, start));
  if (ir_parser_expect(p, LEX_LBRACE))
    while (!p->panic && p->token.kind != LEX_RBRACE) parse_edge(p, &edges);
  ir_parser_expect(p, LEX_RBRACE);
  keep_edges(p, &s, &edges);
  VEC_CLEAR(&edges);
  VEC_PUSH(states, s);
}

static bool edges_lead_somewhere(const state_list *states) {
  for (size_t i = 0; i < states->count; i++)
    for (uint32_t k = 0; k < states->data[i].edge_count; k++)
      if (states->data[i].edges[k].to >= states->count) return false;
  return true;
}

static bool edges_may_accept(const state_list *states) {
  for (size_t i = 0; i < states->count; i++)
    for (uint32_t k = 0; k < states->data[i].edge_count; k++)
      if (states->data[i].edges[k].accepting) return false;
  return true;
}

static void parse_options(struct ir_parser *p, struct ir_automaton *a) {
  uint64_t atom;
  a->on_edges = ir_parser_accept_word(p, "on_edges");
  a->stutters = ir_parser_accept_word(p, "stutters");
  a->stuck_ends = ir_parser_accept_word(p, "stuck_ends");
  a->accept_atom = -1;
  if (ir_parser_accept_word(p, "where") && ir_parser_natural(p, IR_ATOMS_MAX - 1, &atom))
    a->accept_atom = (int32_t)atom;
}

const struct ir_automaton *ir_parse_automaton(struct ir_parser *p) {
  struct span start = p->last.span;
  struct ir_automaton *a = ARENA_NEW(p->model->arena, struct ir_automaton);
  state_list states = {0};
  parse_options(p, a);
  if (ir_parser_expect(p, LEX_LBRACE))
    while (!p->panic && p->token.kind != LEX_RBRACE) parse_state(p, &states);
  ir_parser_expect(p, LEX_RBRACE);
  if (states.count == 0)
    ir_parser_fail(p, start, "an automaton has a state to start in");
  else if (!edges_lead_somewhere(&states))
    ir_parser_fail(p, start, "an edge leads to a state that the automaton does not have");
  else if (!a->on_edges && !edges_may_accept(&states))
    ir_parser_fail(p, start, "only edges of an automaton that is called 'on_edges' accept");
  a->count = (uint32_t)states.count;
  a->states = ARENA_ARRAY(p->model->arena, struct ir_automaton_state, states.count);
  for (size_t i = 0; i < states.count; i++) a->states[i] = states.data[i];
  VEC_CLEAR(&states);
  return a;
}
