// SPDX-License-Identifier: Apache-2.0
// What states offer. Signatures are sums over agents, so that they do not depend on who is who.
#include "search/outlook.h"

#include "ir/ir.h"
#include "search/guided.h"

#include <stdlib.h>

// --- rules by name ---

struct named {
  const char *name;
  uint32_t rule;
};

static int by_name(const void *a, const void *b) {
  const struct named *x = a, *y = b;
  int order = strcmp(x->name ? x->name : "", y->name ? y->name : "");
  return order ? order : (x->rule > y->rule) - (x->rule < y->rule);
}

// The order of rules in the model says nothing: names stand in for it.
static void rank_rules(struct outlooks *k, const struct ir_model *m) {
  struct named *all = mem_alloc((m->rules.count + 1) * sizeof *all);
  k->rule_of = mem_alloc((m->rule_instances + 1) * sizeof *k->rule_of);
  k->rank_of = mem_alloc((m->rules.count + 1) * sizeof *k->rank_of);
  for (size_t i = 0; i < m->rules.count; i++) {
    const struct ir_rule *r = m->rules.data[i];
    all[i] = (struct named){r->name, (uint32_t)i};
    for (uint32_t j = 0; j < r->instances; j++) k->rule_of[r->first_instance + j] = (uint32_t)i;
  }
  qsort(all, m->rules.count, sizeof *all, by_name);
  for (size_t i = 0; i < m->rules.count; i++) k->rank_of[all[i].rule] = (uint32_t)i;
  mem_free(all);
}

// --- all of it ---

void outlooks_init(struct outlooks *k, struct search *s) {
  const struct search_config *c = s->config;
  k->agents = c->agents->count;
  k->marks = c->marks && guide_marks_any(c->marks);
  k->can_mark = mem_zalloc(k->agents, 1);
  k->of_agent = mem_zalloc(k->agents, sizeof *k->of_agent);
  k->seen_rule = mem_zalloc(c->model->rules.count + 1, sizeof *k->seen_rule);
  k->noted_mask = 1023;
  k->noted = mem_zalloc(k->noted_mask + 1, sizeof *k->noted);
  rank_rules(k, c->model);
  search_out_init(s, &k->ahead);
}

void outlooks_clear(struct outlooks *k) {
  sys_out_clear(&k->ahead);
  mem_free(k->can_mark);
  mem_free(k->of_agent);
  mem_free(k->seen_rule);
  mem_free(k->rule_of);
  mem_free(k->rank_of);
  mem_free(k->noted);
}

size_t outlooks_bytes(const struct outlooks *k) {
  size_t each = k->ahead.words_per_state * sizeof(uint64_t) + sizeof(struct sys_step);
  return k->ahead.capacity * each + (k->noted_mask + 1) * sizeof *k->noted;
}

// --- one state ---

static uint64_t mix(uint64_t x) { return hash_words(&x, 1); }

static void begin(struct outlooks *k) {
  memset(k->can_mark, 0, k->agents);
  memset(k->of_agent, 0, k->agents * sizeof *k->of_agent);
  if (++k->stamp == 0) k->stamp = 1;
}

struct outlook outlook_of(struct outlooks *k, struct search_worker *w, const uint64_t *state,
                          const struct sys_out *o) {
  struct outlook l = {.steps = (uint32_t)o->count};
  begin(k);
  for (size_t i = 0; k->marks && i < o->count; i++) {
    uint32_t instance = o->steps[i].instance, rule = k->rule_of[instance];
    if (o->steps[i].site || !guided_marked(w, instance, state)) continue;
    uint32_t agent = w->search->config->agents->of_instance[instance];
    k->of_agent[agent] += mix(rule + 1);
    l.rules += k->seen_rule[rule] != k->stamp;
    k->seen_rule[rule] = k->stamp;
    l.agents += !k->can_mark[agent];
    k->can_mark[agent] = 1;
  }
  for (uint32_t a = 0; a < k->agents; a++)
    if (k->can_mark[a]) l.signature += mix(k->of_agent[a]);
  l.signature += !l.signature; // 0 is free in the table
  return l;
}

struct outlook outlook_ahead(struct outlooks *k, struct search_worker *w, const uint64_t *state) {
  if (!k->marks) return (struct outlook){.signature = 1};
  sys_out_reset(&k->ahead);
  w->sys->expand(w->sys, state, &k->ahead);
  return outlook_of(k, w, state, &k->ahead);
}

// --- what was noted ---

static size_t slot_of(const struct outlooks *k, uint64_t signature) {
  size_t at = mix(signature) & k->noted_mask;
  while (k->noted[at] && k->noted[at] != signature) at = (at + 1) & k->noted_mask;
  return at;
}

static void grow(struct outlooks *k) {
  uint64_t *old = k->noted;
  size_t count = k->noted_mask + 1;
  k->noted_mask = 2 * count - 1;
  k->noted = mem_zalloc(2 * count, sizeof *k->noted);
  for (size_t i = 0; i < count; i++)
    if (old[i]) k->noted[slot_of(k, old[i])] = old[i];
  mem_free(old);
}

void outlook_note(struct outlooks *k, uint64_t signature) {
  size_t at = slot_of(k, signature);
  if (k->noted[at]) return;
  k->noted[at] = signature;
  if (++k->noted_count > k->noted_mask / 2) grow(k);
}

bool outlook_noted(const struct outlooks *k, uint64_t signature) {
  return k->noted[slot_of(k, signature)];
}
