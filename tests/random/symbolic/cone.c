// SPDX-License-Identifier: Apache-2.0
// Runs with and without the cone of influence, and the explicit search: verdicts of all properties,
// and how long the shortest trace of each is, are the same. Every trace replays.
#include "random/symbolic/cone.h"

#include "random/generate.h"
#include "reduce/reduce.h"
#include "search/search.h"
#include "symbolic/symbolic.h"
#include "sys/sys.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <string.h>

#define NOWHERE ((struct span){0})

static void run(const struct trial *t, const uint8_t *on, int deadlock, bool cone,
                struct result *r) {
  struct symbolic_config c = {.model = t->m,
                              .started = clock_seconds(),
                              .deadlock = deadlock,
                              .property_on = on,
                              .cone = cone,
                              .budget.seconds = 0.5};
  *r = (struct result){0};
  symbolic_run(&c, r);
}

static void search(const struct trial *t, const uint8_t *on, struct result *r) {
  struct sys *inner = sys_new(t->m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct sys *s = t->m->transient ? reduce_chain_new(inner) : inner;
  struct search_config c = {.sys = s,
                            .model = t->m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .property_on = on,
                            .max_errors = 1,
                            .threads = 1};
  *r = (struct result){0};
  search_run(search_strategy_find("bfs"), &c, r);
  if (s != inner) sys_free(s);
  sys_free(inner);
}

// Steps of the shortest trace that ends so; SIZE_MAX: there is none.
static size_t shortest(const struct result *r, enum trace_end end, uint32_t id) {
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < r->traces.count; i++) {
    const struct trace *t = &r->traces.data[i];
    bool this = t->end == end && (end == TRACE_DEADLOCK || t->id == id);
    if (this && t->steps.count < least) least = t->steps.count;
  }
  return least;
}

static bool replays(struct trial *t, const struct result *r, int deadlock) {
  for (size_t i = 0; i < r->traces.count; i++) {
    struct replay replay = {0};
    bool good = trace_replay(&r->traces.data[i], t->m, deadlock, &replay);
    if (!good) trial_wrong(t, "cone: a trace does not replay: %s", replay.problem);
    replay_clear(&replay);
    if (!good) return false;
  }
  return true;
}

// Out of time, or not for the engine: a run in parts may know of some properties all the same.
static bool is_late(const struct result *r) {
  for (size_t i = 0; i < r->properties.count; i++)
    if (r->properties.data[i].reason && !strcmp(r->properties.data[i].reason, "time")) return true;
  return r->reason && (!strcmp(r->reason, "time") || !strncmp(r->reason, "cannot", 6));
}

static bool same(struct trial *t, const struct result *a, const struct result *b,
                 const char *what) {
  for (size_t i = 0; i < a->properties.count; i++) {
    const struct property_result *p = &a->properties.data[i], *q = &b->properties.data[i];
    if (p->verdict != q->verdict)
      return trial_wrong(t, "%s: \"%s\" is %s, with cone %s (without: %s)", what, p->name,
                         verdict_name(p->verdict), verdict_name(q->verdict),
                         p->reason ? p->reason : "-");
  }
  return true;
}

// --- invariants ---

static bool one_invariant(struct trial *t, uint32_t p, struct cone_counts *counts) {
  uint8_t *on = mem_zalloc(t->m->properties.count + 1, 1);
  struct result a, b, c;
  on[p] = 1;
  search(t, on, &a);
  run(t, on, IR_DEADLOCK_OFF, false, &b);
  run(t, on, IR_DEADLOCK_OFF, true, &c);
  bool good = is_late(&b) || is_late(&c) || same(t, &b, &c, "invariant");
  size_t far = shortest(&a, TRACE_PROPERTY, p), off = shortest(&b, TRACE_PROPERTY, p);
  size_t near = shortest(&c, TRACE_PROPERTY, p);
  if (good && !t->m->transient && (far != off || far != near))
    good = trial_wrong(t, "invariant: %zu steps, bdd %zu, with cone %zu", far, off, near);
  good = good && replays(t, &c, IR_DEADLOCK_OFF);
  counts->runs++;
  counts->violated += near != SIZE_MAX;
  counts->smaller += c.stats.cone_leaves < t->m->layout->count;
  result_clear(&a);
  result_clear(&b);
  result_clear(&c);
  mem_free(on);
  return good;
}

bool cone_invariants(struct trial *t, struct cone_counts *counts) {
  bool good = true;
  for (size_t i = 0; i < t->m->atoms.count && good; i++) {
    struct ir_property *p = ir_property_new(t->m, IR_PROP_INVARIANT, "atom", NOWHERE);
    p->expr = t->m->atoms.data[i]->expr;
    good = one_invariant(t, p->id, counts);
  }
  return good;
}

// --- whatever a model has ---

static bool wild(struct trial *t, const uint8_t *on, int deadlock, struct cone_counts *counts) {
  struct result a, b;
  run(t, on, deadlock, false, &a);
  run(t, on, deadlock, true, &b);
  bool late = is_late(&a) || is_late(&b), good = late || same(t, &a, &b, "wild");
  for (size_t i = 0; i < t->m->properties.count && good && !late; i++) {
    size_t x = shortest(&a, TRACE_PROPERTY, (uint32_t)i);
    size_t y = shortest(&b, TRACE_PROPERTY, (uint32_t)i);
    if (x != y) good = trial_wrong(t, "property %zu: %zu steps, with cone %zu", i, x, y);
  }
  if (good && !late && shortest(&a, TRACE_DEADLOCK, 0) != shortest(&b, TRACE_DEADLOCK, 0))
    good = trial_wrong(t, "deadlock: another length with cone");
  good = good && replays(t, &b, deadlock);
  counts->runs++;
  counts->violated += b.verdict == VERDICT_VIOLATED;
  counts->smaller += b.stats.cone_leaves > 0 && b.stats.cone_leaves < t->m->layout->count;
  result_clear(&a);
  result_clear(&b);
  return good;
}

bool cone_wild(struct trial *t, struct cone_counts *counts) {
  uint8_t *on = mem_zalloc(t->m->properties.count + 1, 1);
  bool good = wild(t, NULL, t->m->deadlock, counts) && wild(t, NULL, IR_DEADLOCK_OFF, counts);
  for (size_t i = 0; i < t->m->properties.count && good; i++) {
    on[i] = 1;
    good = wild(t, on, IR_DEADLOCK_OFF, counts);
    on[i] = 0;
  }
  mem_free(on);
  return good;
}
