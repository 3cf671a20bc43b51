// SPDX-License-Identifier: Apache-2.0
// Private to efsm*.c and live.c: the steps in which a machine is made.
#pragma once

#include "hybrid/efsm.h"
#include "hybrid/efsm_rebuild.h"

struct build {
  struct efsm *e;
  struct relation *relation;
  struct terms *terms;
  const struct ir_model *m;
  struct text *why;
  struct rebuild with;              // the control variable is a constant
  int64_t control;                  // that one
  uint32_t *site_state;             // by site: its error state; 0: none yet
  const struct term *kept;          // states that are not passed through (ir.h: transient)
  VEC(const struct term *) assumed; // of all states
};

// States, and edges as rules and properties tell them. False: why tells.
bool efsm_build(struct build *b, const uint8_t *property_on);
uint32_t efsm_error(struct build *b, enum efsm_error_kind kind, uint32_t id);
uint32_t efsm_site(struct build *b, uint32_t site);
// Adds an edge, unless it can never be taken; takes the writes.
void efsm_add(struct build *b, struct efsm_edge d);

void efsm_link(struct efsm *e);   // in and out
void efsm_narrow(struct efsm *e); // terms know their intervals; edges that cannot be taken are gone
void efsm_live_leaves(struct efsm *e);
