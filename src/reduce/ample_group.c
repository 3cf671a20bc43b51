// SPDX-License-Identifier: Apache-2.0
// Groups: the instances of one agent, those of a handshake being both partners'. An instance that
// names no agent is a group of its own. Which instances make up a group decides how much can be
// reduced, never whether it is right: a condition looks at all instances that are not members.
#include "reduce/ample.h"

#include <string.h>

enum { FAMILY_FIXED = UINT32_MAX, FAMILY_INTEGER = UINT32_MAX - 1, FAMILY_NONE = UINT32_MAX - 2 };

static uint32_t family_of(const struct ir_type *t, int64_t value) {
  if (t->kind == IR_TYPE_UNION)
    for (uint32_t i = 0; i < t->part_count; i++)
      if (ir_type_has(t->parts[i], value)) return family_of(t->parts[i], value);
  bool integer = t->kind == IR_TYPE_RANGE || t->kind == IR_TYPE_INT;
  return integer ? (uint32_t)FAMILY_INTEGER : t->id;
}

static uint32_t group_of(struct ample_study *a, uint32_t family, int64_t value, const char *name) {
  for (uint32_t i = 0; i < a->groups.count; i++)
    if (a->groups.data[i].family == family && a->groups.data[i].value == value) return i;
  VEC_PUSH(&a->groups, ((struct ample_group){.family = family, .value = value, .name = name}));
  return (uint32_t)a->groups.count - 1;
}

static uint32_t first_group(struct ample_study *a, uint32_t n) {
  const struct ample_instance *i = &a->instances[n];
  const struct ir_rule *r = i->rule;
  if (r->agent_param >= 0) {
    const struct ir_local *p = r->frame.locals[r->agent_param];
    int64_t v = i->params[r->agent_param];
    struct text name = {0};
    ir_type_print_value(&name, p->type, v);
    uint32_t g = group_of(a, family_of(p->type, v), v, arena_strdup(a->m->arena, text_str(&name)));
    text_clear(&name);
    return g;
  }
  if (r->agent < 0) return group_of(a, FAMILY_NONE, n, r->name);
  return group_of(a, FAMILY_FIXED, r->agent, arena_printf(a->m->arena, "%d", (int)r->agent));
}

static uint32_t partner_group(struct ample_study *a, const struct ir_var *v) {
  return group_of(a, FAMILY_FIXED, v->agent, arena_printf(a->m->arena, "%d", (int)v->agent));
}

// All groups are known before any set of groups is made.
static void find_members(struct ample_study *a) {
  uint32_t *first = ARENA_ARRAY(a->arena, uint32_t, a->count);
  for (uint32_t n = 0; n < a->count; n++) {
    first[n] = first_group(a, n);
    if (a->instances[n].rule->partner) partner_group(a, a->instances[n].rule->partner);
  }
  a->group_words = a->groups.count / 64 + 1;
  for (uint32_t n = 0; n < a->count; n++) {
    struct ample_instance *i = &a->instances[n];
    i->groups = ARENA_ARRAY(a->arena, uint64_t, a->group_words);
    set_add(i->groups, first[n]);
    if (i->rule->partner) set_add(i->groups, partner_group(a, i->rule->partner));
    for (uint32_t g = 0; g < a->groups.count; g++)
      if (set_has(i->groups, g)) VEC_PUSH(&a->groups.data[g].members, n);
  }
}

// --- seats ---

static bool is_there(const struct ample_study *a, const struct ample_group *g,
                     const struct ample_instance *i) {
  for (uint32_t k = 0; k < i->conjunct_count; k++) {
    const struct ample_conjunct *c = &i->conjuncts[k];
    if (c->leaf == AMPLE_NONE) continue;
    const struct ir_var *v = ir_leaf_var(a->m, c->leaf);
    if (!v->is_location || v->agent != g->value || c->leaf != v->first_leaf) continue;
    const struct ir_type *t = a->m->layout->leaf[c->leaf].type;
    if (!ir_type_has(t, 0) || !set_has(c->values, ir_type_rank(t, 0))) return true;
  }
  return false;
}

static void find_seats(struct ample_study *a, struct ample_group *g) {
  g->seats = ARENA_ARRAY(a->arena, uint64_t, a->leaf_words);
  if (!a->m->seats || g->family != (uint32_t)FAMILY_FIXED) return;
  g->seated = true;
  for (size_t k = 0; k < g->members.count && g->seated; k++)
    g->seated = is_there(a, g, &a->instances[g->members.data[k]]);
  for (size_t k = 0; g->seated && k < a->m->vars.count; k++) {
    const struct ir_var *v = a->m->vars.data[k];
    if (!v->is_location || v->agent != g->value) continue;
    for (uint64_t l = 0; l < v->type->leaves; l++) set_add(g->seats, v->first_leaf + l);
  }
}

// Where all its agents are sure to be when it fires.
static void find_home(struct ample_study *a, struct ample_instance *i) {
  i->home = ARENA_ARRAY(a->arena, uint64_t, a->leaf_words);
  for (uint32_t g = 0; g < a->groups.count; g++)
    if (set_has(i->groups, g)) set_join(i->home, a->groups.data[g].seats, a->leaf_words);
}

// --- who writes what ---

static void count(const struct ample_study *a, const struct ample_instance *i, uint32_t *writers,
                  uint32_t *replacers) {
  for (size_t w = 0; w < a->leaf_words; w++)
    for (uint64_t rest = i->own_writes[w]; rest; rest &= rest - 1) {
      uint64_t leaf = w * 64 + (uint64_t)__builtin_ctzll(rest);
      writers[leaf]++;
      replacers[leaf] += set_has(i->own_replaces, leaf);
    }
}

static void count_writers(struct ample_study *a) {
  size_t leaves = a->leaf_words * 64;
  a->writers = ARENA_ARRAY(a->arena, uint32_t, leaves);
  a->replacers = ARENA_ARRAY(a->arena, uint32_t, leaves);
  a->inside_writers = ARENA_ARRAY(a->arena, uint32_t, leaves);
  a->inside_replacers = ARENA_ARRAY(a->arena, uint32_t, leaves);
  for (uint32_t n = 0; n < a->count; n++) count(a, &a->instances[n], a->writers, a->replacers);
}

static void look_inside(struct ample_study *a, uint32_t group) {
  const struct ample_group *g = &a->groups.data[group];
  if (a->inside == group + 1) return;
  a->inside = group + 1;
  memset(a->inside_writers, 0, a->leaf_words * 64 * sizeof *a->inside_writers);
  memset(a->inside_replacers, 0, a->leaf_words * 64 * sizeof *a->inside_replacers);
  for (size_t k = 0; k < g->members.count; k++)
    count(a, &a->instances[g->members.data[k]], a->inside_writers, a->inside_replacers);
}

// Members can only fire while their agent is there; then nobody else writes its seats (ir_model).
static bool sheltered(const struct ample_study *a, uint32_t group, uint64_t leaf) {
  return leaf == a->transient || set_has(a->groups.data[group].seats, leaf);
}

bool ample_foreign(struct ample_study *a, uint32_t group, uint64_t leaf) {
  look_inside(a, group);
  return !sheltered(a, group, leaf) && a->writers[leaf] > a->inside_writers[leaf];
}

bool ample_replaced(struct ample_study *a, uint32_t group, uint64_t leaf) {
  look_inside(a, group);
  return !sheltered(a, group, leaf) && a->replacers[leaf] > a->inside_replacers[leaf];
}

// --- pivots ---

static bool is_place(const struct ample_study *a, uint64_t leaf) {
  const struct ir_var *v = ir_leaf_var(a->m, leaf);
  return v->is_location && v->first_leaf == leaf;
}

// Can the leaf be what tells apart the steps of the group?
static bool is_own(struct ample_study *a, uint32_t group, uint64_t leaf) {
  return leaf != AMPLE_NONE && leaf != a->transient && !ample_foreign(a, group, leaf);
}

// The leaf that most members ask for; the place of a process goes first.
void ample_pivots(struct ample_study *a, uint32_t group, uint64_t *pivots) {
  const struct ample_group *g = &a->groups.data[group];
  uint64_t *asked = mem_zalloc(a->m->leaves + 1, sizeof *asked);
  for (size_t k = 0; k < g->members.count; k++) {
    const struct ample_instance *i = &a->instances[g->members.data[k]];
    for (uint32_t c = 0; c < i->conjunct_count; c++)
      if (is_own(a, group, i->conjuncts[c].leaf))
        asked[i->conjuncts[c].leaf] += is_place(a, i->conjuncts[c].leaf) ? a->count : 1;
  }
  for (size_t k = 0; k < g->members.count; k++) {
    const struct ample_instance *i = &a->instances[g->members.data[k]];
    pivots[k] = AMPLE_NONE;
    for (uint32_t c = 0; c < i->conjunct_count; c++) {
      uint64_t leaf = i->conjuncts[c].leaf;
      if (!is_own(a, group, leaf)) continue;
      if (pivots[k] == AMPLE_NONE || asked[leaf] > asked[pivots[k]]) pivots[k] = leaf;
    }
  }
  mem_free(asked);
}

static void choose_pivots(struct ample_study *a, uint32_t group) {
  const struct ample_group *g = &a->groups.data[group];
  uint64_t *pivots = mem_zalloc(g->members.count + 1, sizeof *pivots);
  ample_pivots(a, group, pivots);
  for (size_t k = 0; k < g->members.count; k++) {
    struct ample_instance *i = &a->instances[g->members.data[k]];
    if (i->pivot == AMPLE_NONE) i->pivot = pivots[k];
  }
  mem_free(pivots);
}

void ample_groups_find(struct ample_study *a) {
  find_members(a);
  for (uint32_t g = 0; g < a->groups.count; g++) find_seats(a, &a->groups.data[g]);
  for (uint32_t n = 0; n < a->count; n++) find_home(a, &a->instances[n]);
  count_writers(a);
  for (uint32_t g = 0; g < a->groups.count; g++) choose_pivots(a, g);
}
