// SPDX-License-Identifier: Apache-2.0
// What was found wrong, and the verdicts. `holds` needs a run that ended by itself. Unlike an
// explicit search this one goes on behind states that violate something, so that every property
// gets a verdict of its own.
#include "trace/judge.h"

#include "ir/ir.h"

#include <string.h>

void judge_init(struct judge *j, const struct judge_config *c, struct result *r) {
  size_t properties = c->model->properties.count;
  *j = (struct judge){.config = *c, .result = r};
  j->property_seen = mem_zalloc(properties + 1, 1);
  j->property_faulty = mem_zalloc(properties + 1, 1);
  j->property_may_fail = mem_zalloc(properties + 1, 1);
  j->property_holds = mem_zalloc(properties + 1, 1);
  j->site_seen = mem_zalloc(c->model->sites.count + 1, 1);
  j->covers = mem_zalloc(properties / 64 + 1, sizeof *j->covers);
  j->done = mem_zalloc(properties + 2, 1);
  j->why = mem_zalloc(properties + 2, sizeof *j->why);
  result_list_properties(r, c->model, c->deadlock != IR_DEADLOCK_OFF);
}

void judge_clear(struct judge *j) {
  mem_free(j->property_seen);
  mem_free(j->property_faulty);
  mem_free(j->property_may_fail);
  mem_free(j->property_holds);
  mem_free(j->site_seen);
  mem_free(j->covers);
  mem_free(j->done);
  mem_free(j->why);
}

static bool selected(const struct judge *j, size_t property) {
  return !j->config.property_on || j->config.property_on[property];
}

bool judge_on(const struct judge *j, size_t property) {
  return j->part ? j->part->property_on[property] : selected(j, property);
}

// --- parts ---

void judge_begin(struct judge *j, const struct judge_part *part) {
  j->part = part;
  j->parts = true;
  j->explored = false;
}

static void end_goal(struct judge *j, size_t goal) {
  j->done[goal] = j->explored;
  j->why[goal] = j->stop;
}

// Reasons that have to do with one part only.
static bool passes(const char *stop) {
  static const char *const partial[] = {"depth", "states", "memory", "cannot"};
  for (size_t i = 0; i < sizeof partial / sizeof *partial; i++)
    if (strcmp(stop, partial[i]) == 0) return true;
  return false;
}

bool judge_end(struct judge *j) {
  size_t n = j->config.model->properties.count;
  for (size_t i = 0; i < n; i++)
    if (judge_on(j, i)) end_goal(j, i);
  if (!j->part || j->part->errors) end_goal(j, n);
  if (!j->part || j->part->deadlock) end_goal(j, n + 1);
  j->part = NULL;
  if (!j->first_stop) j->first_stop = j->stop;
  if (j->stop && passes(j->stop)) j->stop = NULL;
  return !j->stop;
}

void judge_settle_errors(struct judge *j) { j->done[j->config.model->properties.count] = 1; }

void judge_settle(struct judge *j, size_t goal, const char *why) {
  bool own = goal < j->config.model->properties.count; // those are named (not_checked)
  j->parts = true;
  j->done[goal] = why == NULL;
  j->why[goal] = why;
  if (why && !j->first_stop && !(own && strcmp(why, "not checked") == 0)) j->first_stop = why;
}

// --- what was found ---

static bool enough(const struct judge *j) {
  return j->config.max_errors && j->violations >= j->config.max_errors;
}

// Of the model's own properties each is violated: there is no more to be found out about them.
static bool settled(const struct judge *j) {
  const struct ir_model *m = j->config.model;
  for (size_t i = 0; i < m->properties.count; i++)
    if (selected(j, i) && m->properties.data[i]->kind != IR_PROP_ASSUME && !j->property_seen[i])
      return false;
  return j->config.settle;
}

bool judge_wants(const struct judge *j, enum trace_end end, uint32_t id) {
  if (enough(j)) return false;
  switch (end) {
  case TRACE_PROPERTY: return !j->property_seen[id];
  case TRACE_SITE: return !j->site_seen[id];
  default: return !j->deadlock_seen;
  }
}

void judge_claim(struct judge *j, enum trace_end end, uint32_t id) {
  assert(judge_wants(j, end, id));
  switch (end) {
  case TRACE_PROPERTY: j->property_seen[id] = 1; break;
  case TRACE_SITE: j->site_seen[id] = 1; break;
  default: j->deadlock_seen = true; break;
  }
  j->violations++;
  if ((enough(j) || settled(j)) && !j->stop) j->stop = "errors";
}

// --- verdicts ---

static void unknown(struct property_result *p, const char *reason) {
  p->verdict = VERDICT_UNKNOWN;
  p->reason = reason;
}

void judge_unknown(struct judge *j, size_t property, const char *reason, const char *detail) {
  unknown(&j->result->properties.data[property], reason);
  j->result->properties.data[property].detail = detail;
}

// Nothing was found against it while states were looked for.
static void unrefuted(const struct judge *j, size_t goal, struct property_result *p) {
  p->verdict = VERDICT_HOLDS;
  if (!j->done[goal]) unknown(p, j->why[goal] ? j->why[goal] : j->stop);
}

static void judge_cover(const struct judge *j, size_t i, struct property_result *p) {
  bool reached = j->covers[i / 64] >> (i % 64) & 1;
  if (!reached) unrefuted(j, i, p);
  if (!reached && p->verdict == VERDICT_HOLDS) p->verdict = VERDICT_VIOLATED;
}

// One that is looked at after all states were found. A step that fails goes nowhere, where the
// model's author meant it to go on: what holds without it need not hold.
static void judge_later(const struct judge *j, size_t i, struct property_result *p) {
  size_t errors = j->config.model->properties.count;
  if (p->reason) return; // said already
  p->verdict = VERDICT_HOLDS;
  if (!j->property_holds[i])
    unknown(p, j->why[i] ? j->why[i] : j->stop ? j->stop : "not checked");
  else if (j->faults)
    unknown(p, "errors");
  else if (!j->done[errors]) // there may be some
    unknown(p, j->why[errors] ? j->why[errors] : j->stop ? j->stop : "errors");
}

static void judge_property(const struct judge *j, size_t i, struct property_result *p) {
  enum ir_property_kind kind = j->config.model->properties.data[i]->kind;
  if (kind == IR_PROP_ASSUME)
    p->verdict = VERDICT_HOLDS; // by what a model is
  else if (!selected(j, i))
    unknown(p, "not selected");
  else if (j->property_seen[i])
    p->verdict = VERDICT_VIOLATED;
  else if (j->property_faulty[i])
    unknown(p, "fault");
  else if (kind == IR_PROP_COVER)
    judge_cover(j, i, p);
  else if (kind == IR_PROP_INVARIANT)
    unrefuted(j, i, p);
  else
    judge_later(j, i, p);
}

static void judge_rest(const struct judge *j, bool found, size_t goal) {
  struct property_result *p = &j->result->properties.data[goal];
  if (found)
    p->verdict = VERDICT_VIOLATED;
  else
    unrefuted(j, goal, p);
}

// Errors are also those of evaluating properties: of one that was not looked at to the end nothing
// is known.
static void judge_faults(const struct judge *j, size_t properties) {
  struct property_result *p = &j->result->properties.data[properties];
  for (size_t i = 0; i < properties && p->verdict == VERDICT_HOLDS; i++)
    if (j->property_may_fail[i] && !j->done[i])
      unknown(p, j->why[i] ? j->why[i] : j->stop ? j->stop : "not checked");
}

// "not checked: a, b", or NULL when every selected property was looked at.
static char *not_checked(const struct judge *j) {
  struct text t = {0};
  for (size_t i = 0; i < j->config.model->properties.count; i++) {
    const struct property_result *p = &j->result->properties.data[i];
    if (!selected(j, i) || p->verdict != VERDICT_UNKNOWN) continue;
    text_printf(&t, "%s%s", t.count ? ", " : "not checked: ", p->name);
  }
  char *reason = t.count ? mem_strdup(text_str(&t)) : NULL;
  text_clear(&t);
  return reason;
}

static bool any_fault(const struct judge *j) {
  for (size_t i = 0; i < j->config.model->sites.count; i++)
    if (j->site_seen[i]) return true;
  return false;
}

void judge_draw(struct judge *j) {
  struct result *r = j->result;
  size_t n = j->config.model->properties.count;
  const char *stop = j->stop;
  if (j->part || !j->parts) judge_end(j);
  j->stop = stop;
  for (size_t i = 0; i < n; i++) judge_property(j, i, &r->properties.data[i]);
  judge_rest(j, any_fault(j), n);
  judge_faults(j, n);
  if (r->properties.count > n + 1) judge_rest(j, j->deadlock_seen, n + 1);
  r->verdict = VERDICT_HOLDS;
  for (size_t i = 0; i < r->properties.count; i++)
    if (r->properties.data[i].verdict == VERDICT_VIOLATED) r->verdict = VERDICT_VIOLATED;
  if (r->verdict == VERDICT_VIOLATED) return;
  r->reason = j->first_stop ? mem_strdup(j->first_stop) : not_checked(j);
  if (r->reason) r->verdict = VERDICT_UNKNOWN;
}
