// SPDX-License-Identifier: Apache-2.0
// Private to the room: flows as they are written, and as they are meant.
#pragma once

#include "guide/rules.h"

enum {
  FLOWS_MAX = 1000,          // in a file
  FLOW_MISTAKES_MAX = 20,    // in a file; then it is read no further
  FLOW_MENTIONS_MAX = 4096,  // of events in a flow
  FLOW_EVENTS_MAX = 64,      // of a flow: sets of them are words
  FLOW_PARAMS_MAX = 16,      // of a flow
  FLOW_INSTANCES_MAX = 4096, // of all flows
};

// --- as written: what the parser gives ---

struct flow_word { // a name or value where it stands
  const char *text;
  struct span span;
};

struct flow_mention { // an event in a chain
  struct flow_word rule;
  bool quoted, has_args;
  VEC(struct flow_word) args;
  struct flow_word label; // text NULL: none
  bool begins;            // a chain
};

struct flow_text {
  struct flow_word name;
  VEC(struct flow_word) params;
  VEC(struct flow_mention) mentions; // of all chains
};

struct flows_text {
  VEC(struct flow_text) flows;
};
// False: there were mistakes. Words are in the arena; guide_flows_text_clear frees the rest.
bool guide_flows_parse(struct flows_text *t, const struct source *s, struct arena *a,
                       struct diag *d);
void guide_flows_text_clear(struct flows_text *t);

// --- as meant ---

struct flow_param {
  const char *name;
  const struct ir_type *type; // NULL while no use of it is known
  uint32_t count;
  int64_t *values;
};

struct flow_event {
  const char *name;  // "RecvReqE(i)"
  const char *label; // NULL: none
  const char *shown; // "RecvReqE(i) as again"
  struct span span;
  const struct ir_rule **rules; // all of that name
  uint32_t rule_count;
  struct guide_arg *args; // those past arg_count are any
  uint32_t arg_count;
  uint64_t before; // the events that come just before it
};

struct flow {
  const char *name;
  struct span span;
  struct flow_param params[FLOW_PARAMS_MAX];
  uint32_t param_count;
  struct flow_event events[FLOW_EVENTS_MAX];
  uint32_t event_count;
  uint32_t instances; // product of the parameters' counts; the last runs fastest
};

struct guide_flows {
  struct arena *arena;
  struct source *source;
  VEC(struct flow *) flows;
};

// What is written, over the rules of a model. False: complaints in d.
bool guide_flow_check(struct flow *f, const struct flow_text *t, const struct ir_model *m,
                      struct arena *a, struct diag *d);
