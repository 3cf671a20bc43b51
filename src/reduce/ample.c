// SPDX-License-Identifier: Apache-2.0
// Partial order reduction: which steps of one agent may be taken alone. What can be known of the
// rules beforehand is worked out here once; what is left, per group of steps, is a condition on the
// state that the systems evaluate (ir_model.ample). docs/por.md says why this is right.
#include "reduce/ample.h"

#include "sys/sys.h"

#include <string.h>

enum { GROUPS_MAX = 64 };
#define EFFORT_MAX 4e9 // words of sets that are compared: a second or two

struct ample {
  uint64_t *groups; // per instance: a set of them
  bool *bars;       // per instance: where it can fire, its groups do not go alone
  uint32_t count;   // of instances
};

// --- what there is ---

static void find_queue(struct ample_study *a, struct ample_instance *i) {
  const struct ir_use *use = &i->rule->use;
  if (use->kind == IR_EVENT_NONE) return;
  const struct ir_type *t = use->queue->type;
  if (t->kind == IR_TYPE_ARRAY) t = t->elem;
  i->queue = use->queue->first_leaf + use->element * t->leaves;
  i->queue_leaves = t->leaves;
  for (size_t k = 0; k < a->queues.count; k++)
    if (a->queues.data[k].first == i->queue) return;
  struct ample_queue q = {i->queue, t->leaves, t->fields[1].type->elem->leaves};
  VEC_PUSH(&a->queues, q);
}

// Where a step leads to a state that the model assumes away, it does not exist. Those that write
// what the assumption is about therefore read all of it.
static void assume(struct ample_study *a, struct ample_instance *i, struct ir_access *x) {
  for (size_t k = 0; k < a->m->properties.count; k++) {
    const struct ir_property *p = a->m->properties.data[k];
    struct ir_access seen;
    if (p->kind != IR_PROP_ASSUME) continue;
    ir_access_init(&seen, a->m);
    ir_access_expr(&seen, a->m, p->expr);
    if (set_meets(x->writes, seen.reads, a->leaf_words)) {
      set_join(x->reads, seen.reads, a->leaf_words);
      set_join(i->own_values, seen.reads, a->leaf_words);
    }
    ir_access_clear(&seen);
  }
}

static uint64_t *keep(const struct ample_study *a, const uint64_t *set) {
  uint64_t *kept = ARENA_ARRAY(a->arena, uint64_t, a->leaf_words);
  set_join(kept, set, a->leaf_words);
  return kept;
}

static void find_access(struct ample_study *a, struct ample_instance *i) {
  struct ir_access x;
  ir_access_init(&x, a->m);
  ir_access_rule(&x, a->m, i->rule, i->params);
  i->own_values = ARENA_ARRAY(a->arena, uint64_t, a->leaf_words);
  assume(a, i, &x);
  i->own_reads = keep(a, x.reads);
  i->own_writes = keep(a, x.writes);
  i->own_replaces = keep(a, x.writes);
  i->reads = keep(a, x.reads);
  i->writes = keep(a, x.writes);
  ir_access_clear(&x);
  if (i->rule->use.kind != IR_EVENT_SEND) return;
  for (uint64_t l = 0; l < i->queue_leaves; l++) set_remove(i->own_replaces, i->queue + l);
}

static void find_instances(struct ample_study *a) {
  a->count = a->m->rule_instances;
  a->instances = ARENA_ARRAY(a->arena, struct ample_instance, a->count);
  for (size_t k = 0; k < a->m->rules.count; k++) {
    const struct ir_rule *r = a->m->rules.data[k];
    for (uint32_t n = r->first_instance; n < r->first_instance + r->instances; n++) {
      int64_t *params = ARENA_ARRAY(a->arena, int64_t, r->param_count);
      ir_instance(a->m, false, n, params);
      a->instances[n] = (struct ample_instance){.rule = r, .params = params, .stable = true};
      a->instances[n].pivot = a->instances[n].queue = AMPLE_NONE;
      find_queue(a, &a->instances[n]);
      find_access(a, &a->instances[n]);
      ample_guard(a, &a->instances[n]);
    }
  }
}

// --- what stands against it ---

static bool refuse(struct text *why, const char *reason) {
  if (why) text_add(why, reason);
  return false;
}

// Reads and writes of C code are known, what it keeps to itself is not.
static bool suits(const struct ir_model *m, const uint8_t *property_on, struct text *why) {
  double n = m->rule_instances;
  uint64_t words = m->leaves / 64 + 1;
  if (m->foreign) return refuse(why, "the model has C code of its own");
  if (m->transient && !m->seats)
    return refuse(why, "the model has priorities, or transient states that may be dead ends");
  if (n * n * (double)words > EFFORT_MAX)
    return refuse(why, "the model has too many rule instances");
  for (size_t k = 0; k < m->properties.count; k++) {
    enum ir_property_kind kind = m->properties.data[k]->kind;
    if (property_on && !property_on[k]) continue;
    if (kind == IR_PROP_LIVENESS || kind == IR_PROP_CTL)
      return refuse(why, "a property that is to be checked asks for all branches of the runs");
  }
  return true;
}

// --- the whole ---

static void study_clear(struct ample_study *a) {
  for (size_t k = 0; k < a->groups.count; k++) VEC_CLEAR(&a->groups.data[k].members);
  for (size_t k = 0; k < a->ways.count; k++) VEC_CLEAR(&a->ways.data[k].ways);
  for (uint32_t n = 0; n < a->count; n++) VEC_CLEAR(&a->instances[n].questions);
  VEC_CLEAR(&a->groups);
  VEC_CLEAR(&a->ways);
  VEC_CLEAR(&a->queues);
  VEC_CLEAR(&a->questions);
  arena_free(a->arena);
}

static void add_condition(struct ample_study *s, struct ample *a, uint32_t group) {
  struct ir_atom *atom = ARENA_NEW(s->m->arena, struct ir_atom);
  atom->expr = ample_condition(s, group, &atom->frame);
  if (!atom->expr) return;
  atom->name = s->groups.data[group].name;
  uint64_t bit = UINT64_C(1) << s->m->ample.count;
  VEC_PUSH(&s->m->ample, atom);
  for (uint32_t n = 0; n < s->count; n++)
    if (set_has(s->instances[n].groups, group)) a->groups[n] |= bit;
}

static struct ample *ample_make(struct ample_study *s) {
  struct ample *a = mem_zalloc(1, sizeof *a);
  a->count = s->count;
  a->groups = mem_zalloc(s->count + 1, sizeof *a->groups);
  a->bars = mem_zalloc(s->count + 1, sizeof *a->bars);
  for (uint32_t n = 0; n < s->count; n++) a->bars[n] = s->instances[n].rule->idle;
  for (uint32_t g = 0; g < s->groups.count && s->m->ample.count < GROUPS_MAX; g++)
    add_condition(s, a, g);
  return a;
}

struct ample *ample_new(struct ir_model *m, const uint8_t *property_on, struct text *why) {
  assert(m->ample.count == 0);
  if (!suits(m, property_on, why)) return NULL;
  struct ample_study s = {.m = m, .arena = arena_new(), .leaf_words = m->leaves / 64 + 1};
  s.transient = m->transient ? m->transient->first_leaf : AMPLE_NONE;
  find_instances(&s);
  ample_look(&s, property_on);
  ample_groups_find(&s);
  ample_chains(&s);
  struct ample *a = ample_make(&s);
  study_clear(&s);
  if (m->ample.count > 0) return a;
  refuse(why, "no agent could ever take a step alone");
  ample_free(a);
  return NULL;
}

void ample_free(struct ample *a) {
  if (!a) return;
  mem_free(a->groups);
  mem_free(a->bars);
  mem_free(a);
}

// --- choosing ---

// Steps that wait until nobody else can do anything are no steps to be taken alone; as long as
// something else can be done of a group that goes alone, they stay impossible.
uint64_t ample_groups(const struct ample *a, const struct sys_out *out, size_t first,
                      uint64_t allowed) {
  uint64_t there = 0;
  for (size_t i = first; i < out->count && allowed; i++) {
    const struct sys_step *s = &out->steps[i];
    if (s->instance >= a->count) return 0; // nothing moves but an automaton
    there |= a->groups[s->instance];
    if (s->site || a->bars[s->instance]) allowed &= ~a->groups[s->instance];
  }
  return allowed & there;
}

bool ample_has(const struct ample *a, unsigned group, uint32_t instance) {
  return a->groups[instance] >> group & 1;
}

// The agents that came last.
unsigned ample_next(uint64_t groups) { return 63 - (unsigned)__builtin_clzll(groups); }

// Moves successor `from` down to `to`, those between up by one. The row behind the last is scratch.
static void bring_down(struct sys_out *out, size_t from, size_t to) {
  size_t words = out->words_per_state, bytes = words * sizeof *out->words;
  uint64_t *scratch = out->words + out->count * words;
  struct sys_step step = out->steps[from];
  if (from == to) return;
  memcpy(scratch, out->words + from * words, bytes);
  memmove(out->words + (to + 1) * words, out->words + to * words, (from - to) * bytes);
  memcpy(out->words + to * words, scratch, bytes);
  memmove(out->steps + to + 1, out->steps + to, (from - to) * sizeof step);
  out->steps[to] = step;
}

size_t ample_select(const struct ample *a, struct sys_out *out, size_t first, uint64_t *groups) {
  assert(!out->follow);
  *groups = ample_groups(a, out, first, *groups);
  if (!*groups) return 0;
  unsigned group = ample_next(*groups);
  size_t to = first;
  *groups &= ~(UINT64_C(1) << group);
  sys_out_reserve(out, 1);
  for (size_t i = first; i < out->count; i++)
    if (ample_has(a, group, out->steps[i].instance)) bring_down(out, i, to++);
  return to - first;
}
