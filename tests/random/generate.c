// SPDX-License-Identifier: Apache-2.0
// Random models: types, variables, functions, properties, rules, in that order, so that each may
// use what stands before it. Half of the models are tame (tame.c).
#include "random/generate.h"

#include "random/gen.h"

#include <string.h>

const char *gen_name(struct gen *g, const char *prefix) {
  return arena_printf(g->m->arena, "%s%u", prefix, g->names++);
}

// ---------------------------------------------------------------------------------------------
// Types

static const char **gen_members(struct gen *g, uint32_t n) {
  const char **members = ARENA_ARRAY(g->m->arena, const char *, n);
  for (uint32_t i = 0; i < n; i++) members[i] = gen_name(g, "E");
  return members;
}

static void add_type(struct gen *g, struct ir_type *t, bool named) {
  if (named) t->name = gen_name(g, "T");
  VEC_PUSH(&g->types, t);
  if (ir_type_scalar(t)) VEC_PUSH(&g->scalars, t);
}

static void add_union(struct gen *g) {
  struct ir_model *m = g->m;
  // Values of the parts must be disjoint, as a front end lays them out.
  uint32_t n = 1 + pick(g, 3), k = 2 + pick(g, 2);
  struct ir_type *set = ir_type_scalarset(m, 20, k);
  struct ir_type *names = ir_type_enum(m, 20 + k + pick(g, 2), gen_members(g, n), n);
  add_type(g, set, true);
  add_type(g, names, true);
  const struct ir_type *parts[2] = {set, names};
  add_type(g, ir_type_union(m, parts, 2), true);
}

static void add_scalars(struct gen *g) {
  struct ir_model *m = g->m;
  VEC_PUSH(&g->types, m->bool_type);
  VEC_PUSH(&g->scalars, m->bool_type);
  int64_t lo = between(g, -2, 1);
  add_type(g, ir_type_range(m, lo, lo + between(g, g->tame ? 2 : 1, 4)), chance(g, 50));
  if (chance(g, 60)) {
    uint32_t n = 1 + pick(g, 4);
    add_type(g, ir_type_enum(m, chance(g, 70) ? 0 : 5, gen_members(g, n), n), true);
  }
  if (chance(g, 35)) add_type(g, ir_type_scalarset(m, chance(g, 60) ? 0 : 9, 2 + pick(g, 2)), true);
  if (chance(g, 25)) add_union(g);
  if (chance(g, 30)) {
    static const uint8_t widths[] = {8, 13, 16, 32, 33, 64};
    add_type(g, ir_type_int(m, widths[pick(g, 6)], chance(g, 50), chance(g, 40)), false);
  }
  if (chance(g, 15)) add_type(g, ir_type_range(m, 0, INT64_C(1) << between(g, 20, 60)), true);
  if (chance(g, 10)) add_type(g, ir_type_range(m, 3, 3), false); // one value: no bits
}

static void add_array(struct gen *g) {
  const struct ir_type *index = NULL;
  for (uint32_t tries = 0; tries < 10 && index == NULL; tries++) {
    index = g->scalars.data[pick(g, (uint32_t)g->scalars.count)];
    if (ir_type_count(index) > 5 || index->kind == IR_TYPE_INT) index = NULL;
  }
  const struct ir_type *elem = g->types.data[pick(g, (uint32_t)g->types.count)];
  if (index != NULL && elem->leaves <= 4)
    add_type(g, ir_type_array(g->m, index, elem), chance(g, 40));
}

static void add_record(struct gen *g) {
  struct ir_field fields[3] = {0};
  uint32_t n = 1 + pick(g, 3);
  for (uint32_t i = 0; i < n; i++) {
    const struct ir_type *t = g->types.data[pick(g, (uint32_t)g->types.count)];
    fields[i].name = gen_name(g, "f");
    fields[i].type = t->leaves <= 4 ? t : g->m->bool_type;
  }
  add_type(g, ir_type_record(g->m, fields, n), chance(g, 50));
}

static void add_types(struct gen *g) {
  add_scalars(g);
  uint32_t least = g->tame ? 2 : 0;
  for (uint32_t i = least + pick(g, 4); i > 0; i--) chance(g, 60) ? add_array(g) : add_record(g);
}

static void add_scalars_of(struct gen *g, const struct ir_type *t) {
  if (t->kind == IR_TYPE_ARRAY) {
    add_scalars_of(g, t->elem);
    VEC_PUSH(&g->scalars, t->index);
  }
  for (uint32_t i = 0; t->kind == IR_TYPE_RECORD && i < t->field_count; i++)
    add_scalars_of(g, t->fields[i].type);
  if (ir_type_scalar(t)) VEC_PUSH(&g->scalars, t);
}

// From here on the scalar types are those that the variables are made of, the frequent ones more
// often: expressions then speak of the state, and not only of constants.
static void add_vars(struct gen *g) {
  size_t before = g->scalars.count;
  for (uint32_t i = g->tame ? 4 + pick(g, 3) : 2 + pick(g, 4); i > 0; i--) {
    const struct ir_type *t = g->types.data[pick(g, (uint32_t)g->types.count)];
    ir_var_new(g->m, gen_name(g, "v"), t, NOWHERE);
    add_scalars_of(g, t);
  }
  g->scalars.count -= before;
  memmove(g->scalars.data, g->scalars.data + before, g->scalars.count * sizeof *g->scalars.data);
}

// ---------------------------------------------------------------------------------------------
// Functions

static void enter(struct gen *g, struct ir_frame *f) {
  g->frame = f;
  g->scope.count = 0;
}

// Locals, most of them with a value; gives the statements that do so.
static struct ir_stmt *add_plain_locals(struct gen *g, uint32_t most) {
  struct ir_chain chain = {0};
  for (uint32_t i = pick(g, most + 1); i > 0; i--) {
    const struct ir_type *t = g->types.data[pick(g, (uint32_t)g->types.count)];
    const struct ir_local *l = gen_local(g, IR_LOCAL_PLAIN, t);
    if (g->tame || chance(g, 80))
      ir_chain_add(&chain, ir_clear(g->m, ir_local_ref(g->m, l, NOWHERE), NOWHERE));
  }
  return chain.first;
}

static void add_function(struct gen *g) {
  bool pure = chance(g, 50);
  const struct ir_type *result = pure ? g->scalars.data[pick(g, (uint32_t)g->scalars.count)] : NULL;
  struct ir_function *f = ir_function_new(g->m, gen_name(g, "fun"), result, NOWHERE);
  enter(g, &f->frame);
  for (uint32_t i = pick(g, 4); i > 0; i--) {
    const struct ir_type *t = g->types.data[pick(g, (uint32_t)g->types.count)];
    gen_local(g, !pure && chance(g, 60) ? IR_LOCAL_REF : IR_LOCAL_VALUE, t);
    f->param_count++;
  }
  struct ir_chain body = {0};
  ir_chain_add(&body, add_plain_locals(g, 2));
  g->inside = f;
  g->pure = pure;
  ir_chain_add(&body, gen_block(g, 3, 2));
  if (pure && (g->tame || chance(g, 90)))
    ir_chain_add(&body, ir_return(g->m, gen_expr(g, result, 2), NOWHERE));
  f->body = body.first;
  g->inside = NULL;
  g->pure = false;
}

// sum(n) = n = lo ? 0 : sum(n - 1) + 1: direct recursion, of a depth that stays small.
static void add_recursion(struct gen *g) {
  struct ir_model *m = g->m;
  struct ir_type *t = ir_type_range(m, 0, 4);
  struct ir_function *f = ir_function_new(m, gen_name(g, "fun"), t, NOWHERE);
  enter(g, &f->frame);
  const struct ir_local *n = gen_local(g, IR_LOCAL_VALUE, t);
  f->param_count = 1;
  struct ir_expr *at_end =
      ir_binary(m, IR_EQ, ir_local_ref(m, n, NOWHERE), ir_int(m, 0, NOWHERE), NOWHERE);
  struct ir_expr *less =
      ir_binary(m, IR_SUB, ir_local_ref(m, n, NOWHERE), ir_int(m, 1, NOWHERE), NOWHERE);
  struct ir_expr *deeper = ir_call(m, f, &less, 1, NOWHERE);
  struct ir_chain body = {0};
  ir_chain_add(&body,
               ir_if(m, at_end, ir_return(m, ir_int(m, 0, NOWHERE), NOWHERE), NULL, NOWHERE));
  ir_chain_add(&body,
               ir_return(m, ir_binary(m, IR_ADD, deeper, ir_int(m, 1, NOWHERE), NOWHERE), NOWHERE));
  f->body = body.first;
  VEC_PUSH(&g->types, t);
  VEC_PUSH(&g->scalars, t);
}

// ---------------------------------------------------------------------------------------------
// Properties

static void add_property(struct gen *g, enum ir_property_kind kind, const char *name) {
  struct ir_property *p = ir_property_new(g->m, kind, name, NOWHERE);
  enter(g, &p->frame);
  if (g->tame && chance(g, kind == IR_PROP_COVER ? 50 : 90)) {
    p->expr = tame_truth(g, true, 3);
    return;
  }
  p->expr = gen_bool(g, 3);
  // Random claims about every state are mostly false.
  if (kind != IR_PROP_COVER && chance(g, 85)) {
    p->expr = ir_binary(g->m, IR_OR, p->expr, gen_bool(g, 3), NOWHERE);
    p->expr = ir_binary(g->m, IR_OR, p->expr, gen_bool(g, 1), NOWHERE);
  }
}

static void add_properties(struct gen *g) {
  for (uint32_t i = pick(g, 3); i > 0; i--)
    add_property(g, IR_PROP_INVARIANT, gen_name(g, "inv \"x\" "));
  if (chance(g, 20)) add_property(g, IR_PROP_ASSUME, "assumed");
  if (chance(g, 30)) add_property(g, IR_PROP_COVER, "goal");
  if (chance(g, g->tame ? 10 : 25))
    ir_property_new(g->m, IR_PROP_COVER, "reached by statements", NOWHERE);
  for (uint32_t i = pick(g, 3); i > 0; i--) {
    struct ir_atom *a = ARENA_NEW(g->m->arena, struct ir_atom);
    a->name = gen_name(g, "atom");
    enter(g, &a->frame);
    a->expr = gen_bool(g, 2);
    VEC_PUSH(&g->m->atoms, a);
  }
}

// ---------------------------------------------------------------------------------------------
// Rules

static void add_bound(struct gen *g, uint32_t *count) {
  struct ir_domain *d;
  struct ir_local *l = gen_bound(g, &d, true);
  l->domain = d;
  (*count)++;
}

static void add_rule_body(struct gen *g, struct ir_rule *r) {
  if (!r->is_start && chance(g, 75)) r->guard = gen_bool(g, chance(g, 60) ? 1 : 3);
  struct ir_chain body = {0};
  ir_chain_add(&body, r->body);
  ir_chain_add(&body, add_plain_locals(g, 2)); // a guard does not see them
  ir_chain_add(&body, gen_block(g, 4, 2));
  r->body = body.first;
}

// Most variables get a value at the start; a few stay undefined.
static void add_start(struct gen *g) {
  struct ir_rule *r = ir_rule_new(g->m, true, gen_name(g, "start "), NOWHERE);
  enter(g, &r->frame);
  if (chance(g, 40)) add_bound(g, &r->param_count);
  if (chance(g, 20)) add_bound(g, &r->choice_count);
  struct ir_chain body = {0};
  for (size_t i = 0; i < g->m->vars.count; i++) {
    struct ir_expr *v = ir_var_ref(g->m, g->m->vars.data[i], NOWHERE);
    if (g->tame || chance(g, 90) || v->type->kind == IR_TYPE_INT)
      ir_chain_add(&body, ir_clear(g->m, v, NOWHERE));
  }
  r->body = body.first;
  g->in_start = true;
  if (chance(g, 50)) add_rule_body(g, r);
  g->in_start = false;
}

static void add_rule(struct gen *g) {
  const struct generate_cut *cut = g->cut;
  uint32_t number = g->rule_number++;
  const char *name = chance(g, 10) ? arena_printf(g->m->arena, "odd \"%u\" \\ name", number)
                                   : arena_printf(g->m->arena, "r%u", number);
  struct ir_rule *r = ir_rule_new(g->m, false, name, NOWHERE);
  enter(g, &r->frame);
  for (uint32_t i = pick(g, 3); i > 0; i--) add_bound(g, &r->param_count);
  if (chance(g, 30)) add_bound(g, &r->choice_count);
  if (r->param_count > 0 && chance(g, 40)) r->agent_param = (int32_t)pick(g, r->param_count);
  add_rule_body(g, r);
  if (cut != NULL && cut->rules != NULL && number < cut->rule_count && cut->rules[number])
    g->m->rules.count--;
}

// Rules over the elements of arrays, and goals about all of them.
static void add_family(struct gen *g) {
  uint32_t number = g->rule_number++;
  struct ir_rule *r = ir_rule_new(g->m, false, gen_name(g, "family "), NOWHERE);
  enter(g, &r->frame);
  r->guard = gen_family_guard(g, r);
  struct ir_chain body = {0};
  ir_chain_add(&body, add_plain_locals(g, 2));
  ir_chain_add(&body, gen_block(g, 3, 1));
  r->body = body.first;
  const struct generate_cut *cut = g->cut;
  bool left_out =
      cut != NULL && cut->rules != NULL && number < cut->rule_count && cut->rules[number];
  if (left_out) g->m->rules.count--;
}

static void add_family_goal(struct gen *g) {
  struct ir_property *p = ir_property_new(g->m, IR_PROP_COVER, gen_name(g, "goal "), NOWHERE);
  enter(g, &p->frame);
  p->expr = gen_family_quantifier(g, 2);
  if (p->expr == NULL) p->expr = gen_bool(g, 2);
}

// A tame model gets a step that is always there and leads elsewhere, so that nothing is a deadlock.
static void add_tick(struct gen *g) {
  struct ir_model *m = g->m;
  struct ir_rule *r = ir_rule_new(m, false, "tick", NOWHERE);
  struct ir_expr *clock[2];
  const struct ir_var *v = ir_var_new(m, "clock", ir_type_range(m, 1, 4 + pick(g, 4)), NOWHERE);
  for (int i = 0; i < 2; i++) clock[i] = ir_var_ref(m, v, NOWHERE);
  struct ir_expr *next = ir_binary(m, IR_MOD, clock[1], ir_int(m, v->type->hi, NOWHERE), NOWHERE);
  next = ir_binary(m, IR_ADD, next, ir_int(m, 1, NOWHERE), NOWHERE);
  r->body = ir_assign(m, clock[0], next, NOWHERE);
}

// A rule that sets some leaf of a variable, to a value of its choosing where there are few.
static void add_setter(struct gen *g, const struct ir_var *v) {
  struct ir_rule *r = ir_rule_new(g->m, false, gen_name(g, "set "), NOWHERE);
  const struct ir_type *t = gen_some_scalar(g, v->type);
  enter(g, &r->frame);
  if (t->kind == IR_TYPE_INT || ir_type_count(t) > 8) {
    add_bound(g, &r->param_count);
  } else {
    struct ir_local *l = gen_local(g, IR_LOCAL_BOUND, t);
    l->domain = ir_domain_type(g->m, t);
    r->choice_count = 1;
  }
  if (chance(g, 60)) r->guard = gen_bool(g, 2);
  struct ir_expr *lhs = gen_part(g, ir_var_ref(g->m, v, NOWHERE), t, 2), *value;
  if (r->choice_count == 1 && chance(g, 70))
    value = ir_local_ref(g->m, r->frame.locals[0], NOWHERE);
  else
    value = gen_expr(g, t, 2);
  if (t->kind == IR_TYPE_INT)
    value = ir_binary(g->m, IR_BITAND, value, ir_const(g->m, t, 7, NOWHERE), NOWHERE);
  r->body = ir_assign(g->m, lhs, value, NOWHERE);
}

// Each variable of a tame model may have undefined leaves, but is then read with care.
static void add_holes(struct gen *g) {
  for (size_t i = 1; i < g->m->vars.count; i++)
    if (chance(g, 20)) VEC_PUSH(&g->holes, g->m->vars.data[i]);
}

bool generate_tame(uint64_t seed) { return seed % 2 == 0; }

struct ir_model *generate_model(uint64_t seed, const struct generate_cut *cut,
                                struct generate_size *size) {
  struct gen g = {.cut = cut, .tame = generate_tame(seed)};
  rng_init(&g.rng, seed);
  g.m = ir_model_new("random", "ir");
  add_types(&g);
  add_vars(&g);
  if (g.tame) {
    add_holes(&g);
    add_tick(&g);
  }
  if (chance(&g, 20)) add_recursion(&g);
  for (uint32_t i = pick(&g, 4); i > 0; i--) add_function(&g);
  add_properties(&g);
  for (uint32_t i = 1 + pick(&g, 2); i > 0; i--) add_start(&g);
  for (uint32_t i = (g.tame ? 4 : 2) + pick(&g, 4); i > 0; i--) add_rule(&g);
  for (size_t i = 0; g.tame && i + 1 < g.m->vars.count; i++)
    if (chance(&g, 85)) add_setter(&g, g.m->vars.data[i]);
  for (uint32_t i = pick(&g, g.tame ? 4 : 2); i > 0; i--) add_family(&g);
  for (uint32_t i = pick(&g, g.tame ? 3 : 2); i > 0; i--) add_family_goal(&g);
  g.m->deadlock = (enum ir_deadlock)pick(&g, 3);
  g.frame = NULL;
  g.scope.count = 0;
  if (chance(&g, 10)) g.m->valid_end = gen_bool(&g, 2);
  if (size != NULL) *size = (struct generate_size){g.rule_number, g.stmt_number};
  VEC_CLEAR(&g.types);
  VEC_CLEAR(&g.scalars);
  VEC_CLEAR(&g.scope);
  VEC_CLEAR(&g.holes);
  return g.m;
}
