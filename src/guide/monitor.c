// SPDX-License-Identifier: Apache-2.0
// Coverage of flows. The progress of all flows' instances is one vector, interned: an instance has
// a bit per event, set when the event has fired in its order, and all of them clear when the
// instance is not under way. A number, once given out, stands for the same vector for good.
#include "guide/flows.h"

#include <string.h>

enum { VECTORS_MAX = 1 << 20, VECTORS_BYTES_MAX = 64 << 20 };
#ifdef FATHOM_SMALL
enum { SLOTS_FIRST = 2 };
#else
enum { SLOTS_FIRST = 1024 };
#endif

struct place { // of a flow's instances in the vector; none straddles two words
  uint32_t word, per_word;
  uint64_t all; // its events
};

struct use { // of a rule by an event
  uint32_t flow, event;
};

struct guide_monitor {
  const struct guide_flows *flows;
  const struct ir_model *model;
  struct place *places;
  uint32_t words;
  uint32_t *first_use; // per rule and one more, into uses: by flow, then by event
  VEC(struct use) uses;
  // vectors
  uint64_t *vectors;
  uint32_t count, capacity, count_max;
  uint32_t *slots; // number + 1, or 0
  uint32_t slot_mask;
  // what was seen
  struct guide_flow_report *seen; // `never` unused
  uint64_t *fired;                // per flow a word: events that have fired in their order
  uint64_t lost;
  // scratch
  uint64_t *now, *renamed;
  int64_t *values; // of a rule's parameters
};

// --- vectors ---

static uint64_t get(const struct guide_monitor *o, const uint64_t *v, uint32_t flow, uint32_t k) {
  const struct place *p = &o->places[flow];
  uint32_t width = 64 / p->per_word;
  return v[p->word + k / p->per_word] >> k % p->per_word * width & p->all;
}

static void put(const struct guide_monitor *o, uint64_t *v, uint32_t flow, uint32_t k,
                uint64_t done) {
  const struct place *p = &o->places[flow];
  uint32_t shift = k % p->per_word * (64 / p->per_word);
  uint64_t *word = &v[p->word + k / p->per_word];
  *word = (*word & ~(p->all << shift)) | done << shift;
}

static uint64_t *vector(const struct guide_monitor *o, uint32_t number) {
  return o->vectors + (size_t)number * o->words;
}

static uint32_t find_slot(const struct guide_monitor *o, const uint64_t *v) {
  uint32_t at = (uint32_t)hash_words(v, o->words) & o->slot_mask;
  for (; o->slots[at]; at = (at + 1) & o->slot_mask)
    if (memcmp(vector(o, o->slots[at] - 1), v, o->words * sizeof *v) == 0) break;
  return at;
}

static void slots_grow(struct guide_monitor *o) {
  o->slot_mask = o->slot_mask ? o->slot_mask * 2 + 1 : SLOTS_FIRST - 1;
  mem_free(o->slots);
  o->slots = mem_zalloc((size_t)o->slot_mask + 1, sizeof *o->slots);
  for (uint32_t i = 0; i < o->count; i++) o->slots[find_slot(o, vector(o, i))] = i + 1;
}

static void vectors_grow(struct guide_monitor *o) {
  o->capacity = o->capacity ? o->capacity * 2 : 16;
  if (o->capacity > o->count_max) o->capacity = o->count_max;
  o->vectors = mem_realloc(o->vectors, (size_t)o->capacity * o->words * sizeof *o->vectors);
}

static uint32_t intern(struct guide_monitor *o, const uint64_t *v) {
  uint32_t at = find_slot(o, v);
  if (o->slots[at]) return o->slots[at] - 1;
  if (o->count == o->count_max) return GUIDE_PROGRESS_LOST;
  if (o->count == o->capacity) vectors_grow(o);
  memcpy(vector(o, o->count), v, o->words * sizeof *v);
  o->slots[at] = ++o->count;
  if (o->count > o->slot_mask / 2) slots_grow(o);
  return o->count - 1;
}

// --- life ---

static void place_flows(struct guide_monitor *o) {
  size_t n = o->flows->flows.count;
  o->places = mem_zalloc(n, sizeof *o->places);
  for (size_t i = 0; i < n; i++) {
    const struct flow *f = o->flows->flows.data[i];
    struct place *p = &o->places[i];
    p->all = ~UINT64_C(0) >> (64 - f->event_count);
    p->per_word = 64 / f->event_count;
    p->word = o->words;
    o->words += (f->instances + p->per_word - 1) / p->per_word;
  }
}

static bool uses(const struct flow_event *e, const struct ir_rule *r) {
  for (uint32_t i = 0; i < e->rule_count; i++)
    if (e->rules[i] == r) return true;
  return false;
}

static void list_uses(struct guide_monitor *o) {
  size_t rules = o->model->rules.count;
  o->first_use = mem_zalloc(rules + 1, sizeof *o->first_use);
  for (size_t r = 0; r < rules; r++) {
    for (uint32_t i = 0; i < o->flows->flows.count; i++)
      for (uint32_t k = 0; k < o->flows->flows.data[i]->event_count; k++)
        if (uses(&o->flows->flows.data[i]->events[k], o->model->rules.data[r]))
          VEC_PUSH(&o->uses, ((struct use){i, k}));
    o->first_use[r + 1] = (uint32_t)o->uses.count;
  }
}

struct guide_monitor *guide_monitor_new(const struct guide_flows *f, const struct ir_model *m,
                                        size_t bytes_max) {
  struct guide_monitor *o = mem_zalloc(1, sizeof *o);
  o->flows = f;
  o->model = m;
  place_flows(o);
  list_uses(o);
  if (bytes_max == 0 || bytes_max > VECTORS_BYTES_MAX) bytes_max = VECTORS_BYTES_MAX;
  size_t fit = bytes_max / (o->words * sizeof *o->vectors);
  if (fit < 2) fit = 2;
  o->count_max = fit < VECTORS_MAX ? (uint32_t)fit : VECTORS_MAX;
  o->seen = mem_zalloc(f->flows.count, sizeof *o->seen);
  o->fired = mem_zalloc(f->flows.count, sizeof *o->fired);
  o->now = mem_zalloc(o->words, sizeof *o->now);
  o->renamed = mem_zalloc(o->words, sizeof *o->renamed);
  uint32_t params = 0;
  for (size_t i = 0; i < m->rules.count; i++)
    if (m->rules.data[i]->param_count > params) params = m->rules.data[i]->param_count;
  o->values = mem_zalloc(params, sizeof *o->values);
  slots_grow(o);
  intern(o, o->now);
  return o;
}

void guide_monitor_free(struct guide_monitor *o) {
  if (!o) return;
  VEC_CLEAR(&o->uses);
  mem_free(o->places);
  mem_free(o->first_use);
  mem_free(o->vectors);
  mem_free(o->slots);
  mem_free(o->seen);
  mem_free(o->fired);
  mem_free(o->now);
  mem_free(o->renamed);
  mem_free(o->values);
  mem_free(o);
}

// --- a step ---

// The position of a value among a parameter's; its count: it has no such value.
static uint32_t value_index(const struct flow_param *p, int64_t v) {
  uint64_t guess = (uint64_t)v - (uint64_t)p->values[0];
  if (guess < p->count && p->values[guess] == v) return (uint32_t)guess;
  uint32_t k = 0;
  while (k < p->count && p->values[k] != v) k++;
  return k;
}

// An event of one instance of a flow fires, if it is its turn. An instance goes on by one event at
// a time, even if a rule stands for several of its events: by the first whose turn it is.
static void fire(struct guide_monitor *o, const uint64_t *from, struct use u, uint32_t k) {
  const struct flow_event *e = &o->flows->flows.data[u.flow]->events[u.event];
  uint64_t done = get(o, from, u.flow, k), bit = UINT64_C(1) << u.event;
  if (get(o, o->now, u.flow, k) != done || done & bit || (e->before & ~done)) return;
  put(o, o->now, u.flow, k, done | bit);
  o->fired[u.flow] |= bit;
  o->seen[u.flow].started += done == 0;
}

// All instances of the flow from parameter `param` on that fit the event's arguments.
static void fire_fitting(struct guide_monitor *o, const uint64_t *from, struct use u,
                         uint32_t param, uint32_t k) {
  const struct flow *f = o->flows->flows.data[u.flow];
  const struct flow_event *e = &f->events[u.event];
  if (param == f->param_count) return fire(o, from, u, k);
  const struct flow_param *p = &f->params[param];
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (e->args[i].kind == ARG_PARAM && e->args[i].param == param)
      return fire_fitting(o, from, u, param + 1, k * p->count + value_index(p, o->values[i]));
  for (uint32_t v = 0; v < p->count; v++) fire_fitting(o, from, u, param + 1, k * p->count + v);
}

// Counts the instances of a flow that are under way; those that are completed are free again.
static void settle(struct guide_monitor *o, uint32_t flow) {
  struct guide_flow_report *seen = &o->seen[flow];
  uint32_t under_way = 0;
  for (uint32_t k = 0; k < o->flows->flows.data[flow]->instances; k++) {
    uint64_t done = get(o, o->now, flow, k);
    under_way += done != 0;
    if (done != o->places[flow].all) continue;
    seen->completed++;
    put(o, o->now, flow, k, 0);
  }
  if (under_way > seen->at_once) seen->at_once = under_way;
}

static int64_t new_value(const struct ir_type *t, int64_t v, const struct guide_renaming *renamings,
                         size_t count) {
  for (uint32_t i = 0; t->kind == IR_TYPE_UNION && i < t->part_count; i++)
    if (ir_type_has(t->parts[i], v)) return new_value(t->parts[i], v, renamings, count);
  for (size_t i = 0; i < count; i++)
    if (renamings[i].type == t) return t->lo + renamings[i].to[v - t->lo];
  return v;
}

// The instance that instance k of a flow has become; its number of instances: there is none, since
// a parameter does not range over all of its type.
static uint32_t new_instance(const struct flow *f, uint32_t k,
                             const struct guide_renaming *renamings, size_t count) {
  uint32_t to = 0, scale = 1;
  for (uint32_t i = f->param_count; i-- > 0;) {
    const struct flow_param *p = &f->params[i];
    int64_t v = new_value(p->type, p->values[k % p->count], renamings, count);
    uint32_t index = value_index(p, v);
    if (index == p->count) return f->instances;
    to += index * scale;
    scale *= p->count;
    k /= p->count;
  }
  return to;
}

static void rename_all(struct guide_monitor *o, const struct guide_renaming *renamings,
                       size_t count) {
  memset(o->renamed, 0, o->words * sizeof *o->renamed);
  for (uint32_t i = 0; i < o->flows->flows.count; i++) {
    const struct flow *f = o->flows->flows.data[i];
    for (uint32_t k = 0; k < f->instances; k++) {
      uint64_t done = get(o, o->now, i, k);
      uint32_t to = done ? new_instance(f, k, renamings, count) : f->instances;
      if (to < f->instances) put(o, o->renamed, i, to, done);
    }
  }
  memcpy(o->now, o->renamed, o->words * sizeof *o->now);
}

static void fire_rule(struct guide_monitor *o, const uint64_t *from, const struct ir_rule *r) {
  const struct use *u = o->uses.data + o->first_use[r->id];
  const struct use *end = o->uses.data + o->first_use[r->id + 1];
  for (const struct use *at = u; at < end; at++) {
    const struct flow_event *e = &o->flows->flows.data[at->flow]->events[at->event];
    if (guide_args_fit(e->args, e->arg_count, o->values)) fire_fitting(o, from, *at, 0, 0);
  }
  for (const struct use *at = u; at < end; at++)
    if (at == u || at->flow != at[-1].flow) settle(o, at->flow);
}

uint32_t guide_monitor_step(struct guide_monitor *o, uint32_t progress, uint32_t instance,
                            const struct guide_renaming *renamings, size_t count) {
  if (progress == GUIDE_PROGRESS_LOST) return o->lost++, progress;
  assert(progress < o->count && instance < o->model->rule_instances);
  const struct ir_rule *r = ir_instance(o->model, false, instance, o->values);
  bool used = o->first_use[r->id] < o->first_use[r->id + 1];
  if (!used && (count == 0 || progress == 0)) return progress;
  const uint64_t *from = vector(o, progress);
  memcpy(o->now, from, o->words * sizeof *o->now);
  if (used) fire_rule(o, from, r);
  if (count) rename_all(o, renamings, count);
  uint32_t to = intern(o, o->now);
  o->lost += to == GUIDE_PROGRESS_LOST;
  return to;
}

// --- the report ---

uint64_t guide_monitor_lost(const struct guide_monitor *o) { return o->lost; }

size_t guide_monitor_report(const struct guide_monitor *o, struct guide_flow_report **reports) {
  size_t n = o->flows->flows.count;
  *reports = mem_zalloc(n, sizeof **reports);
  for (size_t i = 0; i < n; i++) {
    const struct flow *f = o->flows->flows.data[i];
    struct guide_flow_report *r = &(*reports)[i];
    *r = o->seen[i];
    r->name = f->name;
    for (uint32_t k = 0; k < f->event_count; k++)
      if (!(o->fired[i] >> k & 1)) VEC_PUSH(&r->never, f->events[k].shown);
  }
  return n;
}

void guide_flow_reports_free(struct guide_flow_report *reports, size_t count) {
  for (size_t i = 0; i < count; i++) VEC_CLEAR(&reports[i].never);
  mem_free(reports);
}
