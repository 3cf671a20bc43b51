// SPDX-License-Identifier: Apache-2.0
// Private to the room: what a machine keeps for itself. The circuit's variables are the bits of a
// state, then choices: of steps, of steps that fail, of starts.
#pragma once

#include "bmc/circuit.h"
#include "bmc/gates.h"
#include "bmc/machine.h"
#include "relation/encode.h"

typedef VEC(bit) bit_list;

enum choice_kind { CHOICE_STEP, CHOICE_FAIL, CHOICE_START, CHOICE_KINDS };

struct span_of_vars {
  unsigned first, end;
};

struct part { // a rule that may fire, or a start rule
  const struct relation_rule *rule;
  uint64_t *choice_leaf; // encode_choice_leaves
  bit_list needs;        // all of them hold, or there is no such step
};

struct written { // by a part into a leaf: as many edges as the leaf has bits
  uint32_t part;
  size_t first; // in own->edges
};

struct leaf_bits {
  unsigned *vars; // of the circuit; leaves that are not kept have none
  unsigned count;
  VEC(struct written) writes;
  uint32_t group; // leaves that the same parts write have the same
};

struct fault {         // a step that fails
  uint32_t part, site; // part: of own->failing_rules
  bit when;
};

struct frame { // of one time
  lit *bits;
  lit *made; // by node of the circuit; 0: not yet
  size_t made_count;
  VEC(lit) inputs; // other than bits
  VEC(lit) select; // by part: it fires; behind them: nothing moves (own->stutters)
  lit valid;
  VEC(lit) starts; // by start part: it is one of these; empty: nobody asked
};

struct exclusive { // no state has both: these bits, set or not
  unsigned var[2];
  bool set[2];
};

struct own {
  struct circuit circuit;
  struct gates gates;
  const struct ir_model *model;
  struct leaf_bits *leaf;
  uint64_t *bit_leaf; // by bit
  unsigned *choice_width[CHOICE_KINDS];
  unsigned *choice_first[CHOICE_KINDS]; // variable
  struct span_of_vars choices[CHOICE_KINDS];
  unsigned *vars; // 0, 1, 2, ... : codes point into it
  // Terms of the rule that is bound, and terms without choices, which are kept.
  struct encode bound, plain;
  const struct part *part;
  enum choice_kind kind;
  VEC(struct part) parts, starts, rules; // rules: all, for those that fail
  VEC(bit) edges;
  uint32_t groups;
  bit coded;         // every leaf has a code of its type, as steps leave them
  bit assumed;       // what is assumed of all states
  bool assumes_fail; // evaluating such an assumption may fail
  VEC(struct fault) faults;
  bool faults_known;
  struct {
    bool known, exact;
    bit edge;
  } stuck[2], fails; // stuck: [1] is of stuttering; fails: some choice fails
  bit passed;
  bool stutters;
  VEC(struct frame) frames;
  VEC(struct exclusive) exclusive; // of every state
  VEC(lit) clause;                 // being made
  VEC(lit) clauses;                // of one part, each ended by 0
  VEC(bit) flat;                   // of one gate
  VEC(bit) waiting;                // nodes that are being made
};

// --- the model as a circuit (machine_model.c) ---
bool own_build(struct machine *m, struct text *why);
struct code own_leaf_code(const struct own *o, uint64_t leaf);
struct code own_choice_code(const struct own *o, const struct part *p, enum choice_kind kind,
                            uint32_t k);
void own_bind(struct own *o, const struct part *p, enum choice_kind kind);
bit own_condition(struct own *o, const struct relation_condition *c);

// --- what needs quantification (machine_stuck.c) ---
void own_find_faults(struct machine *m);
bool own_find_stuck(struct machine *m, bool stuttering); // exact?
bool own_find_fails(struct machine *m);                  // exact?

// --- values that exclude each other (machine_exclude.c) ---
void own_exclude(struct machine *m, size_t time); // says so of the state at this time

// --- the circuit at a time (machine.c) ---
lit own_lit(struct machine *m, size_t time, bit a);
// One state, of which nothing is said. NULL: it cannot be.
struct machine *own_machine_bare(struct relation *r, struct sat *s);
