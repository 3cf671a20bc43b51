// SPDX-License-Identifier: Apache-2.0
// Private to the room: steps in moves. A move is one rule instance or several of one agent that
// write the same leaves; leaves that it does not write stay, and are in none of its diagrams.
#pragma once

#include "symbolic/cluster.h"
#include "symbolic/space_own.h"
#include "symbolic/steps.h"

struct move {
  int32_t agent;
  VEC(uint32_t) instances;
  VEC(uint64_t) writes;                 // leaves, ascending
  struct clusters relation;             // choices quantified wherever that could be
  struct dd_renaming *to_next, *to_now; // of the leaves written
};

struct steps {
  struct space *space;
  VEC(struct move) moves;
  struct split *split; // of a single move: by what its steps change; NULL: there are several
  bool assumes;        // are there assumptions on all states?
  bool failing_known;
  dd failing;
};

// The pieces of a step of this rule, the next state's included; binds the rule. What its
// assumptions on all states say is not in there. False: there is no such step; pieces are cleared.
bool steps_pieces(struct steps *t, const struct relation_rule *r, bool cut, dd_list *pieces);
// Choices of the rule that is bound have values of their domains.
void steps_choices_valid(struct steps *t, const struct relation_rule *r, dd_list *pieces);
// The leaves that it writes, those aside that it leaves as they are.
void steps_written(const struct space *s, const struct relation_rule *r, var_list *now,
                   var_list *next, struct move *m);
// Variables of its choices.
void steps_choice_vars(const struct space *s, const struct relation_rule *r, var_list *vars);
void steps_drop(dd_list *pieces);
void steps_move_clear(struct move *m);
dd steps_move_image(const struct move *m, dd from);
// Under which states and choices a rule fails. Binds it.
dd steps_errors(struct steps *t, const struct relation_rule *r);
