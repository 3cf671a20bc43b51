// SPDX-License-Identifier: Apache-2.0
// Programs of which the front end could not carry everything: a step that comes to such a place
// fails with IR_FAULT_LIMIT. That is no violation; but what lies behind was not seen, so that
// nothing can be said to hold. Engines that do not know of it search twice: first as if such steps
// did not exist, for real errors; if there are none, for a way to such a place.
#include "cli/check.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Steps that come there do not exist, or exist again

struct change {
  const struct ir_model *model;
  bool hide;
  uint32_t prunes; // of the rule: nothing is known of other choices
  size_t count;
};

static void change_all(struct change *c, struct ir_stmt *s);

static void change_one(struct change *c, struct ir_stmt *s) {
  bool limit = s->site != 0 && c->model->sites.data[s->site].fault == IR_FAULT_LIMIT;
  enum ir_stmt_kind from = c->hide ? IR_ASSERT : IR_ASSUME;
  if (limit && s->kind == from) {
    s->kind = c->hide ? IR_ASSUME : IR_ASSERT;
    s->prunes = c->prunes;
    c->count++;
  }
  change_all(c, s->body);
  change_all(c, s->other);
  for (struct ir_case *k = s->cases; k != NULL; k = k->next) change_all(c, k->body);
}

static void change_all(struct change *c, struct ir_stmt *s) {
  for (; s != NULL; s = s->next) change_one(c, s);
}

// How many of them there are.
static size_t change(const struct ir_model *m, bool hide) {
  struct change c = {.model = m, .hide = hide};
  for (size_t i = 0; i < m->rules.count; i++) {
    c.prunes = m->rules.data[i]->choice_count;
    change_all(&c, m->rules.data[i]->body);
  }
  return c.count;
}

// A program that is stuck just there would seem to be stuck for ever.
void check_hide(struct check *c) {
  bool suits = !check_is_hybrid(c->options->engine) && c->run.deadlock == IR_DEADLOCK_OFF;
  if (suits && !c->again) c->hidden = change(c->model.model, true) > 0;
}

// ---------------------------------------------------------------------------------------------
// What comes of a way there

static bool is_limited(const struct ir_model *m, const struct trace *t) {
  return t->end == TRACE_SITE && m->sites.data[t->id].fault == IR_FAULT_LIMIT;
}

// "unsupported: floating point (f.c:12)"
static const char *reason_of(const struct ir_model *m, const struct trace *t) {
  const struct ir_site *site = &m->sites.data[t->id];
  const char *what = site->message != NULL ? site->message : "what the front end cannot carry";
  if (site->span.source == NULL) return arena_printf(m->arena, "unsupported: %s", what);
  return arena_printf(m->arena, "unsupported: %s (%s:%u)", what, site->span.source->path,
                      site->span.line);
}

// Takes such traces out; gives the reason that the first of them is, or NULL.
static const char *drop_traces(struct check *c) {
  struct result *r = &c->result;
  const char *reason = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < r->traces.count; i++) {
    struct trace *t = &r->traces.data[i];
    if (!is_limited(c->model.model, t)) {
      r->traces.data[kept++] = *t;
      continue;
    }
    if (reason == NULL) reason = reason_of(c->model.model, t);
    trace_clear(t);
  }
  r->traces.count = kept;
  return reason;
}

static bool has_errors(const struct result *r) {
  for (size_t i = 0; i < r->traces.count; i++)
    if (r->traces.data[i].end == TRACE_SITE) return true;
  return false;
}

// What was said to hold, and errors of which there were none but these.
static void doubt(struct check *c, const char *reason) {
  struct result *r = &c->result;
  for (size_t i = 0; i < r->properties.count; i++) {
    struct property_result *p = &r->properties.data[i];
    bool errors = strcmp(p->kind, "error") == 0;
    bool said = errors ? !has_errors(r) : p->verdict == VERDICT_HOLDS;
    if (!said || strcmp(p->kind, "assume") == 0) continue;
    p->verdict = VERDICT_UNKNOWN;
    p->reason = reason;
  }
  if (r->traces.count > 0) return;
  r->verdict = VERDICT_UNKNOWN;
  mem_free(r->reason);
  r->reason = mem_strdup(reason);
}

bool check_unable(struct check *c) {
  if (c->hidden) {
    change(c->model.model, false);
    c->hidden = false;
    return c->result.verdict == VERDICT_HOLDS;
  }
  const char *reason = drop_traces(c);
  if (reason != NULL) doubt(c, reason);
  return false;
}
