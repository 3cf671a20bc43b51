// SPDX-License-Identifier: Apache-2.0
// What is known of rules by themselves: errors that cannot happen, and to which choices assumptions
// belong (facts.h). Whatever cannot be proved within small bounds is taken to be possible.
#include "relation/facts.h"

#include "ir/ir.h"
#include "relation/decide.h"

enum { VALUES_FEW = 64 }; // of a domain: all of them are tried

typedef VEC(const struct term *) term_list;

static const struct ir_domain *domain_of(const struct ir_rule *r, uint32_t choice) {
  return r->frame.locals[r->param_count + choice]->domain;
}

static bool mentions(const struct term *t, uint32_t choices, uint32_t choice) {
  uint64_t *set = mem_zalloc(choices / 64 + 1, sizeof *set);
  term_support(t, NULL, set);
  bool is = set[choice / 64] >> (choice % 64) & 1;
  mem_free(set);
  return is;
}

// --- values that are tried ---

static void add(term_list *out, const struct term *t) {
  for (size_t i = 0; i < out->count; i++)
    if (out->data[i] == t) return;
  VEC_PUSH(out, t);
}

// What the choice is compared with.
static void add_partners(term_list *out, const struct term *t, uint32_t choice, term_list *seen) {
  for (size_t i = 0; i < seen->count; i++)
    if (seen->data[i] == t) return;
  VEC_PUSH(seen, t);
  for (unsigned i = 0; t->op == TERM_EQ && i < 2; i++)
    if (t->arg[i]->op == TERM_CHOICE && t->arg[i]->choice == choice) add(out, t->arg[!i]);
  for (unsigned i = 0; i < t->args; i++) add_partners(out, t->arg[i], choice, seen);
}

// Values, as terms, for a choice of which these assumptions speak.
static void list_values(const struct relation *r, const struct ir_domain *d, uint32_t choice,
                        const term_list *assumed, term_list *out) {
  uint64_t count = ir_domain_count(d);
  if (count <= VALUES_FEW) {
    for (uint64_t i = 0; i < count; i++) add(out, term_const(r->terms, ir_domain_value(d, i)));
    return;
  }
  term_list seen = {0};
  add(out, term_const(r->terms, ir_domain_value(d, 0)));
  for (size_t i = 0; i < assumed->count; i++) add_partners(out, assumed->data[i], choice, &seen);
  VEC_CLEAR(&seen);
}

// Is the term's value always one of the domain's?
static bool fits(const struct ir_domain *d, const struct term *t) {
  if (t->op == TERM_CONST) return ir_domain_has(d, t->value);
  if (!d->type) return false;
  if (t->type == d->type) return true;
  return d->type->kind != IR_TYPE_UNION && d->type->lo <= d->type->hi && t->lo >= d->type->lo &&
         t->hi <= d->type->hi;
}

// --- assumptions ---

struct owning {
  const struct relation *relation;
  const struct relation_rule *rule;
  struct rule_facts *facts;
  struct decide *decide;
  uint64_t **choices; // per assumption: those that it speaks of
  bool *out;          // per choice: it was taken out
};

// Those that belong to nobody yet and speak of the choice.
static void gather(const struct owning *o, uint32_t choice, term_list *out) {
  for (size_t i = 0; i < o->rule->assumes.count; i++)
    if (o->facts->owner[i] == FACTS_HARD && (o->choices[i][choice / 64] >> (choice % 64) & 1))
      VEC_PUSH(out, o->rule->assumes.data[i]);
}

// Some value of the choice satisfies them all, whatever the rest is.
static bool always_some(const struct owning *o, uint32_t choice, const term_list *assumed) {
  const struct ir_domain *d = domain_of(o->rule->rule, choice);
  struct terms *terms = o->relation->terms;
  const struct term *some = term_bool(terms, false);
  term_list values = {0};
  list_values(o->relation, d, choice, assumed, &values);
  for (size_t i = 0; i < values.count && !term_is(some, 1); i++) {
    const struct term *v = values.data[i], *all = term_bool(terms, true);
    if (!fits(d, v) || mentions(v, o->rule->rule->choice_count, choice)) continue;
    for (size_t k = 0; k < assumed->count; k++)
      all = term_and(terms, all, term_replace(terms, assumed->data[k], choice, v));
    some = term_or(terms, some, all);
  }
  VEC_CLEAR(&values);
  return decide_never(o->decide, term_not(terms, some));
}

static bool take_out(struct owning *o, uint32_t choice) {
  term_list assumed = {0};
  gather(o, choice, &assumed);
  bool can = assumed.count == 0 || always_some(o, choice, &assumed);
  for (size_t i = 0; can && i < o->rule->assumes.count; i++)
    if (o->facts->owner[i] == FACTS_HARD && (o->choices[i][choice / 64] >> (choice % 64) & 1))
      o->facts->owner[i] = choice;
  VEC_CLEAR(&assumed);
  return can;
}

// As many choices as can be; from the last on: front ends make later ones depend on earlier ones.
static void own(struct owning *o) {
  uint32_t n = o->rule->rule->choice_count, left = n;
  for (bool more = true; more && left > 0;) {
    more = false;
    for (uint32_t k = n; k-- > 0;) {
      if (o->out[k] || !take_out(o, k)) continue;
      o->out[k] = more = true;
      o->facts->order[--left] = k;
    }
  }
  for (uint32_t k = 0; k < n; k++)
    if (!o->out[k]) o->facts->order[--left] = k;
  for (size_t i = 0; i < o->rule->assumes.count; i++)
    o->facts->hard |= o->facts->owner[i] == FACTS_HARD;
}

static void find_owners(struct owning *o) {
  uint32_t n = o->rule->rule->choice_count;
  size_t count = o->rule->assumes.count;
  o->choices = mem_zalloc(count + 1, sizeof *o->choices);
  o->out = mem_zalloc(n + 1, sizeof *o->out);
  for (size_t i = 0; i < count; i++) {
    o->choices[i] = mem_zalloc(n / 64 + 1, sizeof **o->choices);
    term_support(o->rule->assumes.data[i], NULL, o->choices[i]);
    o->facts->owner[i] = FACTS_HARD;
  }
  own(o);
  for (size_t i = 0; i < count; i++) mem_free(o->choices[i]);
  mem_free(o->choices);
  mem_free(o->out);
}

// --- all of it ---

static void find_errors(const struct relation_rule *rule, struct decide *d, struct rule_facts *f) {
  for (size_t i = 0; i < rule->errors.count; i++) {
    const struct relation_error *e = &rule->errors.data[i];
    f->may[i] = !decide_never(d, e->alone) && !decide_never(d, e->when);
    f->fails |= f->may[i];
  }
}

static struct rule_facts *facts_new(const struct relation *r, const struct relation_rule *rules,
                                    size_t count, struct decide *d) {
  struct rule_facts *out = mem_zalloc(count + 1, sizeof *out);
  for (size_t i = 0; i < count; i++) {
    const struct relation_rule *rule = &rules[i];
    struct rule_facts *f = &out[i];
    f->may = mem_zalloc(rule->errors.count + 1, sizeof *f->may);
    f->owner = mem_zalloc(rule->assumes.count + 1, sizeof *f->owner);
    f->order = mem_zalloc(rule->rule->choice_count + 1, sizeof *f->order);
    decide_bind(d, rule->rule);
    struct owning o = {.relation = r, .rule = rule, .facts = f, .decide = d};
    find_errors(rule, d, f);
    find_owners(&o);
  }
  return out;
}

const struct relation_facts *relation_facts(const struct relation *r) {
  if (r->facts) return r->facts;
  struct relation *own = (struct relation *)r; // it only learns about itself
  struct relation_facts *f = mem_zalloc(1, sizeof *f);
  struct decide *d = decide_new(r);
  f->rules = facts_new(r, r->rules.data, r->rules.count, d);
  f->starts = facts_new(r, r->starts.data, r->starts.count, d);
  decide_free(d);
  own->facts = f;
  return f;
}

static void free_facts(struct rule_facts *f, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mem_free(f[i].may);
    mem_free(f[i].owner);
    mem_free(f[i].order);
  }
  mem_free(f);
}

void relation_facts_free(struct relation *r) {
  if (!r->facts) return;
  free_facts(r->facts->rules, r->rules.count);
  free_facts(r->facts->starts, r->starts.count);
  mem_free(r->facts);
  r->facts = NULL;
}

const struct rule_facts *facts_of(const struct relation *r, const struct relation_rule *rule) {
  const struct relation_facts *f = relation_facts(r);
  return rule->rule->is_start ? &f->starts[rule->instance] : &f->rules[rule->instance];
}

// --- picking ---

static bool allows(const term_list *assumed, const int64_t *leaves, const int64_t *choices) {
  for (size_t i = 0; i < assumed->count; i++)
    if (!term_value(assumed->data[i], leaves, choices)) return false;
  return true;
}

void facts_pick(const struct relation *r, const struct relation_rule *rule, uint32_t choice,
                const int64_t *leaves, int64_t *choices) {
  const struct rule_facts *f = facts_of(r, rule);
  const struct ir_domain *d = domain_of(rule->rule, choice);
  term_list assumed = {0}, values = {0};
  for (size_t i = 0; i < rule->assumes.count; i++)
    if (f->owner[i] == choice) VEC_PUSH(&assumed, rule->assumes.data[i]);
  list_values(r, d, choice, &assumed, &values);
  bool found = false;
  for (size_t i = 0; i < values.count && !found; i++) {
    if (mentions(values.data[i], rule->rule->choice_count, choice)) continue;
    int64_t v = term_value(values.data[i], leaves, choices);
    if (!ir_domain_has(d, v)) continue;
    choices[choice] = v;
    found = allows(&assumed, leaves, choices);
  }
  assert(found && "owned assumptions always leave a value");
  (void)found;
  VEC_CLEAR(&assumed);
  VEC_CLEAR(&values);
}
