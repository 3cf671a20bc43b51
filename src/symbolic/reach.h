// SPDX-License-Identifier: Apache-2.0
// A run of the engine: the model as diagrams, the rings of its reachable states, and what is looked
// at in them. Private to the room.
//
// Transient states (ir.h: model->transient) are passed through, as reduce/chain.c does for explicit
// searches: they are no states of the count, no properties are looked at in them, and a ring is
// what chains of steps through them lead to. One from which nothing leads to another state, and
// nothing fails, is a dead end: it counts as any other state, and may be a deadlock. Steps that
// fail do so wherever they are. The rings between two rings of states are kept, too, so that traces
// are made of the model's own steps.
#pragma once

#include "ir/ir.h"
#include "relation/relation.h"
#include "symbolic/fair.h"
#include "symbolic/steps.h"
#include "symbolic/symbolic.h"
#include "trace/judge.h"

struct goals_part;
struct guided;
struct ir_eval;
struct product;

// A condition on states, as sets of them.
struct condition {
  dd yes, no; // it can be evaluated, and holds, or does not
  VEC(struct condition_fault {
    uint32_t site;
    dd when;
  })
  faults;
};
// False, with a sentence's end in why: it cannot be said in terms.
bool condition_init(struct condition *c, struct relation *r, struct space *s,
                    const struct ir_frame *frame, const struct ir_expr *x, struct text *why);
void condition_clear(struct condition *c);

// Levels for which something is not tried again, since it was in vain: more and more of them.
struct pause {
  unsigned length, left;
};
#define PAUSE_LEVELS_MAX 7

static inline bool pause_lasts(struct pause *p) {
  if (p->left == 0) return false;
  p->left--;
  return true;
}

static inline void pause_after(struct pause *p, bool gained) {
  p->length = gained ? 0 : 2 * p->length + 1;
  if (p->length > PAUSE_LEVELS_MAX) p->length = PAUSE_LEVELS_MAX;
  p->left = p->length;
}

struct reach {
  const struct symbolic_config *config; // deadlock: only in the part that looks for it
  const struct ir_model *model;
  struct judge judge;
  struct text why; // it cannot: the end of a sentence

  // The whole run: the relation of the model, and the parts that the goals make (goals.h).
  struct relation *whole;
  const struct goals_part *part; // the one being run; everything below is its own

  struct symbolic_config own_config; // config points here
  struct relation *relation;         // a slice of the whole, or the whole
  struct space *space;
  struct steps *steps;
  struct net net;               // the model's states
  struct condition *conditions; // per property: of invariants, cover goals, AG of a condition
  bool *looked;                 // per property: it is looked at in every ring, and told there
  dd failing;                   // a step fails
  VEC(dd) fires, moves;         // per rule instance: it leads somewhere, to another state
  struct condition valid_end;
  dd passed;    // states that are passed through
  dd step_cube; // choices, and states that steps lead to
  dd enabled;   // states that have a successor, once they were asked for

  struct rings rings; // all that was found, in this order
  VEC(size_t) levels; // where the rings of each depth begin: first the states, then what is passed
  dd reached;         // states that count
  dd met;             // passed through
  dd reached_all;     // both, when all are known
  dd fresh;           // of `reached`: those of the last depth
  bool enabled_known;
  struct fair_sets fair;
  bool fair_ready; // fair is filled in, and fair_states too
  dd fair_states;  // reachable states from which a fair run goes on
  VEC(struct ctl_memo {
    const struct ir_ctl *formula;
    dd states;
  })
  memos;
  struct condition atom; // of a formula, being looked at
  bool unsaid;           // some atom cannot be said in terms

  struct guided *guided; // of a guided search: what it keeps

  struct product *product;  // with the automaton of the property that is being checked
  VEC(unsigned) claim_vars; // for its states: now, next, now, ...

  struct path path; // being read off
  struct trace pending;
  struct ir_eval *eval;
  uint64_t *state;          // packed
  int64_t *params, *values; // of the rule with most of them
  uint64_t *full;           // of a slice: the state that a trace has come to, with all its leaves
  int64_t *full_values;     // the same, leaf by leaf
  struct symbolic_progress shown;
  double progress_next, count_next;
  bool tracing;          // the way to what was found is looked for: the run goes on meanwhile
  bool ended;            // the budget is used up, or somebody interrupts
  size_t reorder_at;     // nodes of all states found at which variables are reordered next
  struct pause frontier; // without a search for a smaller one
  bool finished;         // all verdicts are known
  const char *stop;      // what the judge then said
};

// One part: x has config, model, judge, whole and part, and nothing else. The judge knows how it
// ended. Diagrams are closed, and what the part had is freed, by part_clear, also after unwinding.
void part_run(struct reach *x);
bool part_open(
    struct reach *x); // its first half: the model as diagrams. False, with why: it cannot be
void part_clear(struct reach *x);
bool reach_goes_on(void *context); // x: asked by whoever takes long; tells progress

// Prepares what is looked at; false, with why: not for this engine.
bool reach_prepare(struct reach *x);
// Finds all reachable states, ring by ring, and looks at them. The judge knows how it ended.
void reach_run(struct reach *x);
void reach_clear(struct reach *x);
// Is it certain that this property, an invariant or AG p, is false where its condition is? A
// formula AG p speaks of infinite runs: one has to go on from every state. Otherwise it is looked
// at again when all states are known.
bool reach_is_sound(struct reach *x, size_t property);
// States from which a step of the agent (-1: of anybody) leads to the set. When all reachable
// states are known: right for these only.
dd reach_preimage(struct reach *x, dd to, int32_t agent);
// What the run is doing, for progress.
void reach_phase(struct reach *x, const char *phase);

// Steps of the model, by rules: where they lead somewhere (also to states that are assumed away),
// and where to another state.
void reach_list_steps(struct reach *x);
// States that have a successor; they stay x's. Worked out once.
dd reach_enabled(struct reach *x);
// The states of a set from which no step leads anywhere (to another state).
dd reach_stuck(const struct reach *x, dd set, bool stuttering);

// A state of this ring (or of a set of them, in it) is wrong as told: claims it and adds a trace.
void witness_state(struct reach *x, enum trace_end end, uint32_t id, size_t ring, dd set);
// Evaluating the property fails there.
void witness_fault(struct reach *x, uint32_t property, uint32_t site, size_t ring, dd set);
// Steps fail from states of this set, which lie in the ring; each site is told once.
void witness_failing(struct reach *x, size_t ring, dd set);
void witness_failing_starts(struct reach *x);
// A trace along the path, which begins with a start. The caller fills in how it ends, and adds it.
void witness_follow(struct reach *x, const struct path *p, struct trace *t);
void witness_add(struct reach *x, struct trace *t); // takes it

// Traces of a slice, in the whole model (witness_whole.c). The leaves of x->full, by value.
void witness_leaves(struct reach *x);
// x->full goes on by a step, or begins with a start, with the choices x->values.
void witness_take(struct reach *x, bool start, uint32_t instance);
// A cycle of the slice goes round until the leaves that it does not speak of come back, too. False:
// they don't for too long.
bool witness_close(struct reach *x, struct trace *t);

// The model's fairness, and the states from which fair runs go on, once. False, with why.
bool reach_fairness(struct reach *x);
// Reachable states in which x->atom, looked at for this property, cannot be evaluated are told.
void reach_tell_faults(struct reach *x, const struct ir_property *p);
// Murphi's liveness, CTL, properties with an automaton: on all reachable states.
void reach_liveness(struct reach *x, const struct ir_property *p);
void ctl_check(struct reach *x, const struct ir_property *p);
void product_check(struct reach *x, const struct ir_property *p);
void product_free(struct reach *x);
// A formula without temporal operators.
bool ctl_condition(struct reach *x, const struct ir_property *p, const struct ir_ctl *f,
                   struct condition *out);
