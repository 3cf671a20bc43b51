// SPDX-License-Identifier: Apache-2.0
// Groups of rules whose guards begin alike, as those of one process do: the same conditions, then
// the place that the process is at. Nothing of what a group decides can fail, so no rule outside
// the case that applies would have failed, and the successors come in the order of the rules.
#include "sys/emit.h"

// A rule on its way into groups.
struct member {
  const struct ir_rule *rule;
  const struct ir_expr **parts; // of its guard
  uint32_t count, taken;        // parts; those that groups around it decide
};

// leaf = constant
struct test {
  uint64_t leaf;
  uint64_t label; // the code of the constant
  const char *code;
};

// --- conditions ---

// Do they say the same of the state? Nothing with locals or calls does.
static bool same(const struct ir_expr *a, const struct ir_expr *b) {
  if (a->op != b->op || a->type != b->type || a->arg_count != b->arg_count || a->domain)
    return false;
  if (a->op == IR_LOCAL || a->op == IR_CALL) return false;
  if (a->value != b->value || a->field != b->field) return false;
  if (a->op == IR_VAR && a->var != b->var) return false;
  if (a->op == IR_ISMEMBER && a->test != b->test) return false;
  for (uint32_t i = 0; i < a->arg_count; i++)
    if (!same(a->args[i], b->args[i])) return false;
  return true;
}

static void visit_local(void *context, const struct ir_expr *x) {
  if (x->op == IR_LOCAL || x->op == IR_CALL || x->domain) *(bool *)context = true;
}

// May it be tested outside its rule?
static bool is_common(struct emit *e, const struct ir_expr *x) {
  bool local = false;
  emit_walk_expr(x, visit_local, &local);
  return !local && !emit_can_fail(e, x);
}

// Indices that are no constants would have to be found out first.
static bool is_fixed(const struct ir_expr *x) {
  int64_t i;
  if (x->op == IR_VAR) return true;
  if (x->op == IR_FIELD) return is_fixed(x->args[0]);
  return x->op == IR_INDEX && ir_expr_const(x->args[1], &i) && is_fixed(x->args[0]);
}

static bool is_test(struct emit *e, const struct ir_expr *x, struct test *t) {
  int64_t value;
  if (x->op != IR_EQ || !ir_type_scalar(x->args[0]->type)) return false;
  bool turned = x->args[0]->op == IR_CONST;
  const struct ir_expr *a = x->args[turned], *b = x->args[!turned];
  if (!ir_expr_const(b, &value) || !is_fixed(a) || !is_common(e, x)) return false;
  if (emit_is_u64(a->type) || emit_is_u64(b->type)) return false;
  struct emit_place p = emit_place(e, a);
  const struct ir_leaf *l = &e->m->layout->leaf[p.offset];
  if (l->undef || l->width == 0 || !emit_type_contiguous(l->type) || !ir_type_has(l->type, value))
    return false;
  *t = (struct test){p.offset, ir_type_rank(l->type, value), emit_code(e, &p)};
  return true;
}

// --- groups ---

// Which of the conditions that are left is the first test? All before it are common.
static bool first_test(struct emit *e, const struct member *m, uint32_t *at, struct test *t) {
  if (m->rule->param_count > 0) return false;
  emit_frame(e, &m->rule->frame, m->rule->guard, NULL);
  for (*at = m->taken; *at < m->count; ++*at) {
    if (is_test(e, m->parts[*at], t)) return true;
    if (!is_common(e, m->parts[*at])) return false;
  }
  return false;
}

// Does the member go into the group that begins with another one, whose test is this?
static bool belongs(struct emit *e, const struct member *first, uint32_t common,
                    const struct test *by, const struct member *m, struct test *t) {
  uint32_t at;
  if (!first_test(e, m, &at, t) || at - m->taken != common || t->leaf != by->leaf) return false;
  for (uint32_t i = 0; i < common; i++)
    if (!same(first->parts[first->taken + i], m->parts[m->taken + i])) return false;
  return true;
}

static struct emit_group *make(struct emit *e, struct member *members, size_t count);

static struct emit_group *alone(struct emit *e, const struct member *m) {
  struct emit_group *g = ARENA_NEW(e->arena, struct emit_group);
  g->rule = m->rule;
  e->rules[m->rule->id].decided = m->taken;
  return g;
}

// The rules of each case, in the order in which cases first come.
static struct emit_group *make_cases(struct emit *e, struct member *members,
                                     const struct test *tests, size_t count) {
  struct emit_group *first = NULL, **link = &first;
  struct member *chosen = ARENA_ARRAY(e->arena, struct member, count);
  bool *done = ARENA_ARRAY(e->arena, bool, count);
  for (size_t i = 0; i < count; i++) {
    size_t n = 0;
    for (size_t k = i; k < count && !done[i]; k++)
      if (tests[k].label == tests[i].label) chosen[n++] = members[k], done[k] = k > i;
    if (n == 0) continue;
    *link = make(e, chosen, n);
    for (; *link; link = &(*link)->next) (*link)->label = tests[i].label;
  }
  return first;
}

typedef VEC(struct test) test_list;

// How many members, from the first on, make a group: their tests. None: the first stands alone.
static uint32_t find_members(struct emit *e, const struct member *members, size_t count,
                             test_list *tests) {
  struct test t;
  uint32_t at = 0;
  uint64_t weight = 0;
  if (count == 1 || !first_test(e, &members[0], &at, &t)) return 0;
  uint32_t common = at - members[0].taken;
  do {
    VEC_PUSH(tests, t);
    weight += emit_rule_weight(members[tests->count - 1].rule);
  } while (tests->count < count && weight <= EMIT_CHUNK &&
           belongs(e, &members[0], common, &tests->data[0], &members[tests->count], &t));
  return common;
}

// The group that begins with the first member; says how many belong to it.
static struct emit_group *make_one(struct emit *e, struct member *members, size_t count,
                                   size_t *size) {
  test_list tests = {0};
  uint32_t common = find_members(e, members, count, &tests);
  struct emit_group *g;
  *size = tests.count > 1 ? tests.count : 1;
  if (*size == 1) {
    g = alone(e, &members[0]);
  } else {
    g = ARENA_NEW(e->arena, struct emit_group);
    *g = (struct emit_group){.number = e->groups++, .common = common, .code = tests.data[0].code};
    g->first = members[0].parts + members[0].taken;
    g->frame = &members[0].rule->frame;
    for (size_t i = 0; i < *size; i++) members[i].taken += common + 1;
    g->inside = make_cases(e, members, tests.data, *size);
  }
  VEC_CLEAR(&tests);
  return g;
}

static struct emit_group *make(struct emit *e, struct member *members, size_t count) {
  struct emit_group *first = NULL, **link = &first;
  for (size_t i = 0, size; i < count; i += size, link = &(*link)->next)
    *link = make_one(e, members + i, count - i, &size);
  return first;
}

struct emit_group *emit_groups(struct emit *e) {
  size_t count = e->m->rules.count;
  struct text nowhere = {0}, *out = e->out;
  struct member *members = ARENA_ARRAY(e->arena, struct member, count + 1);
  for (size_t i = 0; i < count; i++) {
    members[i].rule = e->m->rules.data[i];
    members[i].parts = emit_parts(e, members[i].rule->guard, &members[i].count);
  }
  e->out = &nowhere;
  struct emit_group *groups = make(e, members, count);
  e->out = out;
  text_clear(&nowhere);
  return groups;
}

// --- functions ---

static void conditions(struct emit *e, const struct emit_group *g) {
  struct text code = {0}, *out = e->out;
  e->out = &code;
  e->indent = 1;
  emit_frame(e, g->frame, NULL, NULL);
  for (uint32_t i = 0; i < g->common; i++) {
    emit_source_line(e, g->first[i]->span);
    emit_require(e, g->first[i], true, "return 0;");
  }
  emit_line(e, "return 1;");
  e->indent = 0;
  e->out = out;
  emit_root_function(e, "FATHOM_INLINE",
                     emit_format(e, "uint32_t g%u_when(const uint64_t *s)", g->number), &code);
  emit_generated_line(e);
}

void emit_group_conditions(struct emit *e, const struct emit_group *g) {
  for (; g; g = g->next) {
    if (g->common) conditions(e, g);
    emit_group_conditions(e, g->inside);
  }
}
