// SPDX-License-Identifier: Apache-2.0
// The designer's hints: which rules matter (marks), in which order they belong together (flows),
// and who acts (agents). Searches take their order from them, never a verdict. After "Biased model
// checking using flows", section 6.
#pragma once

#include "base/base.h"

struct ir_eval;
struct ir_expr;
struct ir_frame;
struct ir_model;
struct ir_rule;
struct ir_type;

// How an expression of the model's own language is read: over the model's variables, and over the
// parameters of `scope`, which become the first locals of the empty frame given (NULL: no rule).
// NULL and located complaints in d on a mistake. Given by whoever knows the front end.
struct guide_language {
  struct ir_expr *(*expr)(void *context, struct ir_model *m, const char *text,
                          const struct ir_rule *scope, struct ir_frame *frame, struct diag *d);
  void *context;
};

// --- agents ---

// Who acts: a value of the type of the parameter that names the agent (ir_rule.agent_param), or a
// fixed agent. Rules without one have agent 0 in common. Integers are the same agent whatever the
// range they come from; a value of a union is one of the part it belongs to.
struct guide_agent {
  const struct ir_type *type; // NULL: fixed, or none
  int64_t value;              // of the type, or the fixed agent's number; -1: none
};
struct guide_agents {
  uint32_t count; // at least 1
  struct guide_agent *agent;
  uint32_t *of_instance; // per rule instance
};
void guide_agents_init(struct guide_agents *a, const struct ir_model *m);
void guide_agents_clear(struct guide_agents *a);

// --- marks ---

struct guide_marks;
struct guide_marks *guide_marks_new(struct ir_model *m);
void guide_marks_free(struct guide_marks *g);
// Adds what a user wrote, a list: "RecvReqE, Snd*", "RecvGntE(Node_1)", "RecvGntE(i=Node_1, *)",
// "RecvReqE when ExGranted". A name is that of rules, or of a mark that the model itself gives to
// rules; * and ? in it stand for any letters and any one; in double quotes it may hold anything.
// Parameters go by position or by name; * and _ are any value, as are those left out. `when`
// belongs to the item it follows and goes on to the next comma outside brackets. Of several rules
// that a name means, those that the parameters or the condition do not fit are left alone, but one
// must fit. False and a sentence in why: no rule is called so (the nearest names are offered), no
// such parameter value, the expression is wrong. `l` may be NULL: then `when` is refused.
bool guide_marks_add(struct guide_marks *g, const char *text, const struct guide_language *l,
                     struct text *why);
// The same from comments in the model's text: "fathom: mark RecvReqE, RecvGntE when ...", on a line
// of its own in the comment. How comments look is the language's ("murphi", "promela", "smv", "c",
// "ir").
bool guide_marks_from_text(struct guide_marks *g, const char *model_text, const char *language,
                           const struct guide_language *l, struct text *why);
bool guide_marks_any(const struct guide_marks *g);
// Is a step of this instance, enabled in this state, marked there? A condition that cannot be
// evaluated there is as good as false.
bool guide_marked(const struct guide_marks *g, struct ir_eval *e, uint32_t instance,
                  const uint64_t *state);
// For messages: "RecvReqE (3 instances), RecvGntE when ExGranted (1)".
void guide_marks_print(struct text *out, const struct guide_marks *g);

// --- flows (docs/flows.md) ---

struct guide_flows;
// Reads a file of flows, and takes the source. NULL and located complaints in d: syntax, unknown
// rules (with the nearest names), parameters that do not fit, orders that go round in a circle.
struct guide_flows *guide_flows_read(struct source *s, const struct ir_model *m, struct diag *d);
void guide_flows_free(struct guide_flows *f);
// Marks all but the unconstrained first events of a flow (NULL: of all flows). False and a sentence
// in why: there is no such flow, or it has nothing but first events.
bool guide_flows_mark(const struct guide_flows *f, const char *flow, struct guide_marks *g,
                      struct text *why);

// --- coverage ---
// What a search saw of the flows, on the paths by which it first reached its states. One number
// stands for how far all flows have got; equal numbers are equal progress. 0: none has begun. For
// one thread.

struct guide_monitor;
#define GUIDE_PROGRESS_LOST UINT32_MAX // too many kinds of progress: not followed from here on

// How a step renamed the elements of a scalarset (symmetry), by their ranks (value - type->lo).
struct guide_renaming {
  const struct ir_type *type;
  const uint32_t *to; // per old rank the new one
};

// Past bytes_max (0: 64 MiB) of kinds of progress, steps are no longer followed.
struct guide_monitor *guide_monitor_new(const struct guide_flows *f, const struct ir_model *m,
                                        size_t bytes_max);
void guide_monitor_free(struct guide_monitor *o);
// The progress after a step: the instance fires under the names of the state it leaves, then the
// elements are renamed (count 0: not at all; types that are not in the list are not).
uint32_t guide_monitor_step(struct guide_monitor *o, uint32_t progress, uint32_t instance,
                            const struct guide_renaming *renamings, size_t count);
// Steps that were not followed, since there were more kinds of progress than are kept (a million,
// or 64 MiB of them).
uint64_t guide_monitor_lost(const struct guide_monitor *o);

// What came out, for the report. Names live as long as the flows.
struct guide_flow_report {
  const char *name;
  uint64_t started;        // how often an instance of it began,
  uint64_t completed;      // and was completed
  uint32_t at_once;        // most instances of it under way at the same time
  VEC(const char *) never; // events that never fired in their order, as written
};
size_t guide_monitor_report(const struct guide_monitor *o, struct guide_flow_report **reports);
void guide_flow_reports_free(struct guide_flow_report *reports, size_t count);
