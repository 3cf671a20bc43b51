// SPDX-License-Identifier: Apache-2.0
// Weak fairness: an agent that could always move does move, again and again. The states of a
// product come in copies, by a counter (Choueka, "Theories of automata on omega-tapes", 1974). In
// copy 0 an accepting state is waited for, in copy i agent i: it is served by a step that it takes
// part in, and by one from a state in which it can take none. So a cycle through accepting states
// of copy 0 serves everybody. One step may serve several agents that are next.
//
// As in SPIN, who waits for somebody else's atomic sequence to end is not served by that, and the
// partner in a rendezvous is served by it without being able to take it on its own. A stuck model's
// stutter steps serve all.
#include "sys/sys.h"

#include "ir/ir.h"
#include "sys/product.h"
#include "sys/tag.h"

#include <stdlib.h>
#include <string.h>

// An agent as a rule names it: by number, or by a value of a type.
struct name {
  uint32_t family;
  int64_t value;
};

// Who moves in an instance: agents from 1 on, 0 is nobody.
struct movers {
  uint32_t agent, partner;
};

struct fair {
  struct tag tag; // first: the public pointer is this pointer; the number is the copy's
  uint32_t agents;
  struct movers *movers; // per instance
  bool *enabled;         // per agent, in the state that is being expanded
};

static struct fair *inside(struct sys *s) { return (struct fair *)s; }

// --- successors ---

static struct movers movers_of(const struct fair *f, const struct sys_step *step) {
  return step->instance == SYS_STUTTER ? (struct movers){0} : f->movers[step->instance];
}

static void find_enabled(struct fair *f, const struct sys_out *out, size_t first) {
  memset(f->enabled, 0, (f->agents + 1) * sizeof *f->enabled);
  for (size_t i = first; i < out->count; i++) f->enabled[movers_of(f, &out->steps[i]).agent] = true;
}

static uint32_t next_copy(const struct fair *f, uint32_t copy, struct movers m, bool passes) {
  while (copy > 0 && copy <= f->agents &&
         (m.agent == copy || m.partner == copy || (!passes && !f->enabled[copy])))
    copy++;
  return copy > f->agents ? 0 : copy;
}

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct fair *f = inside(s);
  struct sys *inner = f->tag.wrap.inner;
  const uint64_t *bare = tag_bare(&f->tag, state);
  size_t first = out->count, words = f->tag.wrap.pub.words;
  uint32_t copy = tag_get(&f->tag, state);
  bool passes = tag_expand(&f->tag, bare, out);
  if (copy == 0 && inner->accepts(inner, bare)) copy = 1;
  find_enabled(f, out, first);
  for (size_t i = first; i < out->count; i++)
    if (!out->steps[i].site)
      tag_put(&f->tag, out->words + i * words,
              next_copy(f, copy, movers_of(f, &out->steps[i]), passes));
}

static bool accepts(struct sys *s, const uint64_t *state) {
  struct fair *f = inside(s);
  struct sys *inner = f->tag.wrap.inner;
  const uint64_t *bare = tag_bare(&f->tag, state);
  if (tag_get(&f->tag, state) > 0) return product_ended(inner, bare);
  return inner->accepts(inner, bare);
}

// --- agents ---

static int compare(const void *a, const void *b) {
  const struct name *x = a, *y = b;
  if (x->family != y->family) return x->family < y->family ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

// All integers are alike, whatever their types.
static struct name name_of_value(const struct ir_type *t, int64_t value) {
  if (t->kind == IR_TYPE_UNION)
    for (uint32_t i = 0; i < t->part_count; i++)
      if (ir_type_has(t->parts[i], value)) return name_of_value(t->parts[i], value);
  bool integer = t->kind == IR_TYPE_RANGE || t->kind == IR_TYPE_INT;
  return (struct name){integer ? UINT32_MAX - 1 : t->id, value};
}

static struct name name_of_number(int32_t agent) {
  return (struct name){agent < 0 ? 0 : UINT32_MAX, agent};
}
static const struct name nobody = {0, -1};

static struct name agent_name(const struct ir_rule *r, const int64_t *params) {
  if (r->agent_param < 0) return name_of_number(r->agent);
  return name_of_value(r->frame.locals[r->agent_param]->type, params[r->agent_param]);
}

static struct name partner_name(const struct ir_rule *r) {
  for (uint32_t i = 0; r->agent >= 0 && i < r->line_count; i++)
    if (r->lines[i].agent >= 0 && r->lines[i].agent != r->agent)
      return name_of_number(r->lines[i].agent);
  return nobody;
}

struct roll {
  struct name *names; // of agents that have rules, in order
  size_t count;
};

static uint32_t number_of(const struct roll *r, struct name name) {
  if (compare(&name, &nobody) == 0) return 0;
  const struct name *at = bsearch(&name, r->names, r->count, sizeof name, compare);
  return at ? (uint32_t)(at - r->names) + 1 : 0; // a partner without rules of its own: nobody waits
}

static void sort_names(struct roll *r) {
  size_t kept = 0;
  qsort(r->names, r->count, sizeof *r->names, compare);
  for (size_t i = 0; i < r->count; i++) {
    if (compare(&r->names[i], &nobody) == 0) continue;
    if (kept > 0 && compare(&r->names[i], &r->names[kept - 1]) == 0) continue;
    r->names[kept++] = r->names[i];
  }
  r->count = kept;
}

static uint32_t params_most(const struct ir_model *m) {
  uint32_t most = 1;
  for (size_t i = 0; i < m->rules.count; i++)
    if (m->rules.data[i]->param_count > most) most = m->rules.data[i]->param_count;
  return most;
}

static void find_agents(struct fair *f, const struct ir_model *m) {
  uint32_t instances = m->rule_instances;
  int64_t *params = mem_zalloc(params_most(m), sizeof *params);
  struct name *own = mem_zalloc((size_t)instances + 1, sizeof *own);
  struct roll roll = {.names = mem_zalloc((size_t)instances + 1, sizeof *roll.names),
                      .count = instances};
  for (uint32_t i = 0; i < instances; i++)
    own[i] = agent_name(ir_instance(m, false, i, params), params);
  memcpy(roll.names, own, instances * sizeof *own);
  sort_names(&roll);
  f->agents = (uint32_t)roll.count;
  f->movers = mem_zalloc((size_t)instances + 1, sizeof *f->movers);
  for (uint32_t i = 0; i < instances; i++) {
    const struct ir_rule *r = ir_instance(m, false, i, params);
    f->movers[i] = (struct movers){number_of(&roll, own[i]), number_of(&roll, partner_name(r))};
  }
  mem_free(params);
  mem_free(own);
  mem_free(roll.names);
}

// --- beginning and end ---

static void release(struct sys *s) {
  struct fair *f = inside(s);
  tag_clear(&f->tag);
  mem_free(f->movers);
  mem_free(f->enabled);
  mem_free(f);
}

static struct sys *clone(struct sys *s) {
  struct sys *copy = sys_fair_new(sys_clone(inside(s)->tag.wrap.inner));
  inside(copy)->tag.wrap.owns_inner = true;
  return copy;
}

struct sys *sys_fair_new(struct sys *product) {
  assert(product->accepts && !product->chains);
  const struct ir_model *m = product->model;
  struct fair *f = mem_zalloc(1, sizeof *f);
  struct sys *pub = &f->tag.wrap.pub;
  find_agents(f, m);
  f->enabled = mem_zalloc((size_t)f->agents + 1, sizeof *f->enabled);
  tag_init(&f->tag, product, f->agents + 1);
  pub->weak = product->weak && f->agents == 0;
  pub->free = release;
  pub->clone = clone;
  pub->expand = expand;
  pub->accepts = accepts;
  return pub;
}
