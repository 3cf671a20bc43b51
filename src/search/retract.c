// SPDX-License-Identifier: Apache-2.0
// Noting what was counted so far, and going back to it. While the workers rest.
#include "search/retract.h"

#include "ir/ir.h"
#include "store/store.h"

static size_t rule_count(const struct search *s) { return s->config->model->rules.count; }

static void note_covers(struct retract *r, const struct search *s) {
  size_t bytes = s->cover_words * sizeof *r->covers;
  if (!r->covers) r->covers = mem_alloc(bytes);
  memset(r->covers, -1, bytes);
  for (unsigned i = 0; i < s->worker_count; i++)
    for (size_t k = 0; k < s->cover_words; k++) r->covers[k] &= s->workers[i]->covers_open[k];
}

static void note_rules(struct retract *r, const struct search *s) {
  size_t rules = rule_count(s);
  if (!r->fired) {
    r->fired = mem_alloc(rules * sizeof *r->fired);
    r->fresh = mem_alloc(rules * sizeof *r->fresh);
  }
  memset(r->fired, 0, rules * sizeof *r->fired);
  memset(r->fresh, 0, rules * sizeof *r->fresh);
  for (unsigned i = 0; i < s->worker_count; i++)
    for (size_t k = 0; k < rules; k++) {
      r->fired[k] += s->workers[i]->fired[k];
      r->fresh[k] += s->workers[i]->fresh[k];
    }
}

void retract_note(struct retract *r, struct search *s) {
  r->states = store_count(s->store);
  r->tally = search_tally(s);
  note_covers(r, s);
  if (s->config->survey) note_rules(r, s);
}

static void put_rules(const struct retract *r, struct search_worker *w, bool all) {
  size_t bytes = rule_count(w->search) * sizeof *w->fired;
  memset(w->fired, 0, bytes);
  memset(w->fresh, 0, bytes);
  if (!all) return;
  memcpy(w->fired, r->fired, bytes);
  memcpy(w->fresh, r->fresh, bytes);
}

void retract_to(const struct retract *r, struct search *s) {
  for (unsigned i = 0; i < s->worker_count; i++) {
    struct search_worker *w = s->workers[i];
    bool all = i == 0;
    struct search_tally t = all ? r->tally : (struct search_tally){0};
    w->transitions = t.transitions;
    w->revisits = t.revisits;
    w->expanded = t.expanded;
    w->pruned = t.pruned;
    w->reduced = t.reduced;
    w->depth = t.depth;
    memcpy(w->covers_open, r->covers, s->cover_words * sizeof *r->covers);
    if (w->fired) put_rules(r, w, all);
  }
  s->states_counted = r->states;
}

void retract_clear(struct retract *r) {
  mem_free(r->covers);
  mem_free(r->fired);
  mem_free(r->fresh);
}
