// SPDX-License-Identifier: Apache-2.0
// Checks the run of an automaton beside a trace, edge by edge, by atoms that the interpreter
// evaluates. Like the rest of replay it trusts nothing in the trace.
#include "trace/player.h"

// The atoms of this set that hold in state number i.
static bool atoms_of(struct player *p, size_t i, uint64_t wanted, uint64_t *holding) {
  *holding = 0;
  for (size_t k = 0; k < 64 && wanted >> k; k++) {
    if (!(wanted >> k & 1)) continue;
    if (k >= p->model->atoms.count) return player_refuse(p, "there is no atom %zu", k);
    const struct ir_atom *a = p->model->atoms.data[k];
    bool value = false;
    if (ir_eval_bool(p->eval, &a->frame, a->expr, p->out->states[i].words, &value) != IR_OK)
      return player_refuse(p, "evaluating \"%s\" after step %zu fails", a->name, i);
    *holding |= (uint64_t)value << k;
  }
  return true;
}

static uint32_t claim_at(const struct player *p, size_t i) { return p->trace->claims.data[i]; }

// Does the automaton rest in state i, which a chain passes through?
static bool rests_at(struct player *p, size_t i) {
  return trace_inner(p->out, p->model, i) && player_leads_on(p, p->out->states[i].words);
}

static bool rests(struct player *p, size_t i) {
  if (claim_at(p, i) == claim_at(p, i + 1)) return true;
  return player_refuse(p, "step %zu is inside of a chain, and the automaton goes from %u to %u",
                       i + 1, claim_at(p, i), claim_at(p, i + 1));
}

// Is there an edge that the automaton can take along step i? Tells whether one that accepts is.
static bool edge_at(struct player *p, const struct ir_automaton *a, size_t i, bool *accepting) {
  const struct ir_automaton_state *from = &a->states[claim_at(p, i)];
  bool found = false;
  *accepting = false;
  for (uint32_t k = 0; k < from->edge_count; k++) {
    const struct ir_automaton_edge *e = &from->edges[k];
    uint64_t atoms;
    if (e->to != claim_at(p, i + 1)) continue;
    if (!atoms_of(p, i, e->yes | e->no, &atoms)) return false;
    if ((e->yes & ~atoms) | (e->no & atoms)) continue;
    found = true;
    *accepting |= e->accepting;
  }
  if (found) return true;
  return player_refuse(p, "step %zu: the automaton cannot go from its state %u to %u", i + 1,
                       claim_at(p, i), claim_at(p, i + 1));
}

static bool state_accepts(struct player *p, const struct ir_automaton *a, size_t i, bool *yes) {
  *yes = a->states[claim_at(p, i)].accepting;
  if (!*yes || a->accept_atom < 0) return true;
  uint64_t bit = UINT64_C(1) << a->accept_atom, atoms;
  if (!atoms_of(p, i, bit, &atoms)) return false;
  *yes = atoms & bit;
  return true;
}

// The run along all steps; *accepted: the state on the cycle where it accepts, or SIZE_MAX.
static bool follow(struct player *p, const struct ir_automaton *a, size_t *accepted) {
  const struct trace *t = p->trace;
  *accepted = SIZE_MAX;
  for (size_t i = 0; i < t->steps.count; i++) {
    bool accepting;
    if (rests_at(p, i)) {
      if (!rests(p, i)) return false;
      continue;
    }
    if (!edge_at(p, a, i, &accepting)) return false;
    if (!t->has_loop || i < t->loop_start || *accepted != SIZE_MAX) continue;
    if (!a->on_edges && !state_accepts(p, a, i, &accepting)) return false;
    if (accepting) *accepted = i;
  }
  return true;
}

static bool check_numbers(struct player *p, const struct ir_automaton *a) {
  const struct trace *t = p->trace;
  if (t->claims.count != t->steps.count + 1)
    return player_refuse(p, "there are %zu states of the automaton for %zu states", t->claims.count,
                         t->steps.count + 1);
  for (size_t i = 0; i < t->claims.count; i++)
    if (claim_at(p, i) >= a->count)
      return player_refuse(p, "the automaton has no state %u", claim_at(p, i));
  if (claim_at(p, 0) != 0) return player_refuse(p, "the automaton does not start in its state 0");
  return true;
}

bool player_stutters(const struct player *p) {
  const struct trace *t = p->trace;
  if (t->claims.count == 0 || t->end != TRACE_PROPERTY || t->id >= p->model->properties.count)
    return false;
  const struct ir_automaton *a = p->model->properties.data[t->id]->automaton;
  return a && !a->stuck_ends;
}

// --- the end ---

static void print_state(struct text *t, const struct ir_automaton *a, uint32_t state) {
  const char *name = a->states[state].name;
  if (name && *name)
    text_printf(t, "\"%s\"", name);
  else
    text_printf(t, "%u", state);
}

static bool end_cycle(struct player *p, const struct ir_automaton *a, size_t accepted) {
  const struct trace *trace = p->trace;
  size_t steps = trace->steps.count - trace->loop_start;
  if (claim_at(p, trace->loop_start) != claim_at(p, trace->steps.count))
    return player_refuse(p, "the automaton is not where it was when the cycle began");
  if (accepted == SIZE_MAX) return player_refuse(p, "the automaton accepts nowhere on the cycle");
  struct text t = {0};
  text_printf(&t,
              "the last %zu step%s can be taken for ever: the automaton of the bad runs accepts "
              "in its state ",
              steps, steps == 1 ? "" : "s");
  print_state(&t, a, claim_at(p, accepted));
  player_explain(p, &t);
  return true;
}

static bool end_final(struct player *p, const struct ir_automaton *a) {
  uint32_t last = claim_at(p, p->trace->steps.count);
  if (!a->states[last].final)
    return player_refuse(p, "there is no cycle, and the automaton is not at its end");
  struct text t = {0};
  text_printf(&t, "the automaton of the bad runs is at its end, in its state ");
  print_state(&t, a, last);
  player_explain(p, &t);
  return true;
}

bool player_end_cyclic(struct player *p, const struct ir_property *q) {
  const struct ir_automaton *a = q->automaton;
  size_t accepted;
  if (!a) return player_refuse(p, "\"%s\" has no automaton", q->name);
  if (!check_numbers(p, a) || !follow(p, a, &accepted)) return false;
  return p->trace->has_loop ? end_cycle(p, a, accepted) : end_final(p, a);
}

bool player_end_atom(struct player *p, const struct ir_property *q) {
  const struct ir_model *m = p->model;
  for (size_t i = 0; i < m->atoms.count && i < 64; i++) {
    const struct ir_atom *a = m->atoms.data[i];
    bool value;
    if (ir_eval_bool(p->eval, &a->frame, a->expr, player_last(p), &value) == IR_OK) continue;
    if (ir_eval_site(p->eval) != p->trace->id)
      return player_refuse(p, "evaluating \"%s\" on the last state fails elsewhere", a->name);
    struct text t = {0};
    text_printf(&t, "while \"%s\" was evaluated for \"%s\": ", a->name, q->name);
    player_describe_fault(p, &t);
    player_explain(p, &t);
    return true;
  }
  return player_refuse(p, "no atom of \"%s\" fails on the last state", q->name);
}
