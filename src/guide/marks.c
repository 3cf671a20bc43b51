// SPDX-License-Identifier: Apache-2.0
// Marks: sets of rule instances, some of them under a condition. A condition is kept as a rule of
// the marked rule's parameters whose guard it is, so that the evaluator binds them.
#include "guide/rules.h"

#include "ir/eval.h"

struct mark {
  const struct ir_rule *rule;
  uint64_t *bits; // over the rule's instances
  uint32_t count; // of them
  struct ir_rule *condition;
  char *label;
};

struct guide_marks {
  struct ir_model *model;
  VEC(struct mark) marks;
  uint64_t *always, *sometimes; // over all instances: marked everywhere, under some condition
};

static bool bit(const uint64_t *set, uint32_t i) { return set[i / 64] >> i % 64 & 1; }
static void bit_set(uint64_t *set, uint32_t i) { set[i / 64] |= UINT64_C(1) << i % 64; }

struct guide_marks *guide_marks_new(struct ir_model *m) {
  struct guide_marks *g = mem_zalloc(1, sizeof *g);
  g->model = m;
  g->always = mem_zalloc(m->rule_instances / 64 + 1, sizeof *g->always);
  g->sometimes = mem_zalloc(m->rule_instances / 64 + 1, sizeof *g->sometimes);
  return g;
}

static void mark_clear(struct mark *k) {
  mem_free(k->bits);
  mem_free(k->condition);
  mem_free(k->label);
}

void guide_marks_free(struct guide_marks *g) {
  if (!g) return;
  for (size_t i = 0; i < g->marks.count; i++) mark_clear(&g->marks.data[i]);
  VEC_CLEAR(&g->marks);
  mem_free(g->always);
  mem_free(g->sometimes);
  mem_free(g);
}

struct ir_model *guide_marks_model(const struct guide_marks *g) {
  return g->model;
}
bool guide_marks_any(const struct guide_marks *g) { return g->marks.count > 0; }

// Fills in which instances are meant; says how many of them were not marked yet.
static uint32_t collect(struct guide_marks *g, struct mark *k, const struct guide_arg *args,
                        uint32_t count) {
  const struct ir_rule *r = k->rule;
  uint64_t *into = k->condition ? g->sometimes : g->always;
  int64_t *values = mem_zalloc(r->param_count, sizeof *values);
  uint32_t added = 0;
  for (uint32_t i = 0; i < r->instances; i++) {
    ir_instance(g->model, false, r->first_instance + i, values);
    if (!guide_args_fit(args, count, values)) continue;
    added += !bit(into, r->first_instance + i);
    bit_set(k->bits, i);
    bit_set(into, r->first_instance + i);
    k->count++;
  }
  mem_free(values);
  return added;
}

void guide_marks_put(struct guide_marks *g, const struct ir_rule *r, const struct guide_arg *args,
                     uint32_t count, struct ir_rule *condition, const char *label) {
  assert(count <= r->param_count);
  struct mark k = {.rule = r, .condition = condition, .label = mem_strdup(label)};
  k.bits = mem_zalloc(r->instances / 64 + 1, sizeof *k.bits);
  if (collect(g, &k, args, count) == 0 && !condition)
    mark_clear(&k); // said before
  else
    VEC_PUSH(&g->marks, k);
}

static bool holds(const struct guide_marks *g, const struct mark *k, struct ir_eval *e,
                  uint32_t instance, const uint64_t *state) {
  const struct ir_rule *r = k->rule;
  if (!k->condition || instance < r->first_instance ||
      instance - r->first_instance >= r->instances || !bit(k->bits, instance - r->first_instance))
    return false;
  int64_t values[r->param_count + 1];
  ir_instance(g->model, false, instance, values);
  return ir_eval_guard(e, k->condition, values, NULL, state) == IR_OK;
}

bool guide_marked(const struct guide_marks *g, struct ir_eval *e, uint32_t instance,
                  const uint64_t *state) {
  if (bit(g->always, instance)) return true;
  if (!bit(g->sometimes, instance)) return false;
  for (size_t i = 0; i < g->marks.count; i++)
    if (holds(g, &g->marks.data[i], e, instance, state)) return true;
  return false;
}

void guide_marks_print(struct text *out, const struct guide_marks *g) {
  for (size_t i = 0; i < g->marks.count; i++) {
    const struct mark *k = &g->marks.data[i];
    const char *unit = i > 0 ? "" : k->count == 1 ? " instance" : " instances";
    text_printf(out, "%s%s (%u%s)", i ? ", " : "", k->label, k->count, unit);
  }
}
