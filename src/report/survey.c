// SPDX-License-Identifier: Apache-2.0
// A survey put in order: rules by cost, leaves in groups, levels in at most twenty lines.
#include "report/survey.h"

#include "ir/ir.h"
#include "report/format.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

// --- leaves in groups ---

enum { DIMENSIONS_MAX = 64 }; // arrays inside one another; deeper ones are counted leaf by leaf

struct dimension {
  uint64_t stride, count;
};

// On the way down through a variable's type: the arrays passed so far.
struct path {
  struct report_survey *view;
  const uint64_t *distinct;
  bool nameless; // scalarset elements are
  struct text name;
  struct dimension dimensions[DIMENSIONS_MAX];
  size_t depth;
};

static void widen(struct report_group *g, uint64_t values) {
  if (g->leaves == 0 || values < g->least) g->least = values;
  if (values > g->most) g->most = values;
  g->leaves++;
}

// Every leaf that the dimensions from `depth` on lead to.
static void visit(const struct path *p, size_t depth, uint64_t leaf, struct report_group *g) {
  if (depth == p->depth) {
    widen(g, p->distinct[leaf]);
    return;
  }
  const struct dimension *d = &p->dimensions[depth];
  for (uint64_t i = 0; i < d->count; i++) visit(p, depth + 1, leaf + i * d->stride, g);
}

static void group(struct path *p, const struct ir_type *type, uint64_t leaf);

static void group_below(struct path *p, const struct ir_type *type, uint64_t leaf,
                        const char *suffix) {
  size_t length = p->name.count;
  text_add(&p->name, suffix);
  group(p, type, leaf);
  p->name.count = length;
  p->name.data[length] = '\0';
}

static void group_record(struct path *p, const struct ir_type *type, uint64_t leaf) {
  for (uint32_t f = 0; f < type->field_count; f++) {
    struct text suffix = {0};
    text_printf(&suffix, ".%s", type->fields[f].name);
    group_below(p, type->fields[f].type, leaf + type->fields[f].leaf, text_str(&suffix));
    text_clear(&suffix);
  }
}

static bool holds_names(const struct ir_type *type) {
  for (uint32_t i = 0; type->kind == IR_TYPE_UNION && i < type->part_count; i++)
    if (type->parts[i]->kind == IR_TYPE_SCALARSET) return true;
  return type->kind == IR_TYPE_SCALARSET;
}

static void group(struct path *p, const struct ir_type *type, uint64_t leaf) {
  if (p->nameless && holds_names(type)) return;
  if (type->kind == IR_TYPE_RECORD) {
    group_record(p, type, leaf);
  } else if (type->kind == IR_TYPE_ARRAY && p->depth < DIMENSIONS_MAX) {
    p->dimensions[p->depth++] = (struct dimension){type->elem->leaves, ir_type_count(type->index)};
    group_below(p, type->elem, leaf, "[*]");
    p->depth--;
  } else {
    struct report_group g = {.name = mem_strdup(text_str(&p->name))};
    for (uint64_t i = 0; i < type->leaves; i++) visit(p, 0, leaf + i, &g);
    VEC_PUSH(&p->view->groups, g);
  }
}

static int by_values(const void *a, const void *b) {
  const struct report_group *x = a, *y = b;
  if (x->most != y->most) return x->most > y->most ? -1 : 1;
  if (x->least != y->least) return x->least > y->least ? -1 : 1;
  return strcmp(x->name, y->name);
}

static void group_leaves(struct report_survey *v, const struct report_run *run,
                         const uint64_t *distinct) {
  struct path p = {.view = v, .distinct = distinct, .nameless = run->symmetry};
  const struct ir_model *m = run->model;
  for (size_t i = 0; i < m->vars.count; i++) {
    const struct ir_var *var = m->vars.data[i];
    if (var->hidden) continue;
    p.name.count = 0;
    text_add(&p.name, var->name);
    group(&p, var->type, var->first_leaf);
  }
  text_clear(&p.name);
  if (v->groups.count > 0)
    qsort(v->groups.data, v->groups.count, sizeof *v->groups.data, by_values);
}

void report_group_values(struct text *out, const struct report_group *g) {
  char least[FORMAT_BYTES], most[FORMAT_BYTES];
  if (g->least < g->most) text_printf(out, "%s..", format_count(least, g->least));
  text_add(out, format_count(most, g->most));
  if (g->most >= SURVEY_DISTINCT_MAX) text_add(out, " or more");
}

// --- rules ---

struct weight {
  double cost;
  uint64_t fired;
  size_t rule;
};

static int by_weight(const void *a, const void *b) {
  const struct weight *x = a, *y = b;
  if (x->cost != y->cost) return x->cost > y->cost ? -1 : 1;
  if (x->fired != y->fired) return x->fired > y->fired ? -1 : 1;
  return x->rule < y->rule ? -1 : 1;
}

static void order_rules(struct report_survey *v, const struct survey *s, size_t count) {
  struct weight *weights = mem_zalloc(count + 1, sizeof *weights);
  v->rules = mem_zalloc(count + 1, sizeof *v->rules);
  v->rule_count = s->share != NULL || s->fired != NULL ? count : 0;
  for (size_t i = 0; i < count; i++)
    weights[i] =
        (struct weight){s->share != NULL ? s->share[i] : 0, s->fired != NULL ? s->fired[i] : 0, i};
  qsort(weights, count, sizeof *weights, by_weight);
  for (size_t i = 0; i < count; i++) v->rules[i] = weights[i].rule;
  mem_free(weights);
}

// --- the whole ---

void report_survey_init(struct report_survey *v, const struct report_run *run,
                        const struct result *r) {
  *v = (struct report_survey){0};
  v->complete = r->verdict == VERDICT_HOLDS ||
                (r->reason != NULL && strncmp(r->reason, "not checked", 11) == 0);
  order_rules(v, &r->survey, run->model->rules.count);
  if (r->survey.distinct != NULL) group_leaves(v, run, r->survey.distinct);
}

void report_survey_clear(struct report_survey *v) {
  for (size_t i = 0; i < v->groups.count; i++) mem_free(v->groups.data[i].name);
  VEC_CLEAR(&v->groups);
  mem_free(v->rules);
}

bool report_survey_levels(const struct survey *s, size_t i, struct report_levels *l) {
  size_t each = (s->levels.count + REPORT_LEVELS_MAX - 1) / REPORT_LEVELS_MAX;
  if (i * each >= s->levels.count) return false;
  *l = (struct report_levels){.first = i * each, .last = i * each + each - 1};
  if (l->last >= s->levels.count) l->last = s->levels.count - 1;
  for (uint64_t k = l->first; k <= l->last; k++) l->states += s->levels.data[k];
  return true;
}
