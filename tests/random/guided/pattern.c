// SPDX-License-Identifier: Apache-2.0
// Pattern databases against true distances, on every state of a model of few states: never more,
// and `never` only where there is no way at all. The explicit engine's astar goes by them, too.
#include "symbolic/pattern.h"

#include "ir/eval.h"
#include "random/guided/hunt.h"
#include "random/ltl/graph.h"
#include "search/search.h"
#include "sys/sys.h"

// 0 in states that violate the property.
static void mark_goals(const struct hunt *h, uint32_t *far) {
  const struct graph *g = h->graph;
  struct ir_eval *eval = ir_eval_new(h->m);
  struct ir_frame none = {0};
  const struct ir_expr *e = h->m->properties.data[h->property]->expr;
  for (uint32_t i = 0; i < g->count; i++) {
    bool value = true;
    ir_eval_bool(eval, &none, e, g->packed + i * g->words, &value);
    far[i] = value ? PATTERN_NEVER : 0;
  }
  ir_eval_free(eval);
}

// Steps from each state to the nearest that violates it.
static uint32_t *distances(const struct hunt *h) {
  const struct graph *g = h->graph;
  uint32_t *far = mem_zalloc(g->count + 1, sizeof *far);
  mark_goals(h, far);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < g->count; i++)
      for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++) {
        uint32_t to = far[g->edges.data[k].to];
        if (to == PATTERN_NEVER || to + 1 >= far[i]) continue;
        far[i] = to + 1;
        more = true;
      }
  }
  return far;
}

static bool check_values(struct hunt *h, const struct pattern *p, const uint32_t *far) {
  const struct graph *g = h->graph;
  bool good = true;
  for (uint32_t i = 0; i < g->count && good; i++) {
    uint32_t value = pattern_value(p, g->packed + i * g->words);
    if (value > far[i])
      good = hunt_wrong(h, "state %u is %d steps away, and the pattern database says %d", i,
                        (int)far[i], (int)value);
    if (good && i < g->starts && pattern_proves(p) && far[i] != PATTERN_NEVER)
      good = hunt_wrong(h, "the pattern database proves what is violated after %u steps", far[i]);
    h->tally->states++;
  }
  return good;
}

static uint32_t value_of(const void *p, const uint64_t *state) { return pattern_value(p, state); }

static bool check_search(struct hunt *h, const struct pattern *p, const uint8_t *on,
                         const uint32_t *far) {
  uint32_t least = PATTERN_NEVER;
  for (uint32_t i = 0; i < h->graph->starts; i++)
    if (far[i] < least) least = far[i];
  struct sys *s = sys_new(h->m, &(struct sys_config){.mode = SYS_INTERPRETED});
  struct search_config c = {.sys = s,
                            .model = h->m,
                            .store = "exact",
                            .started = clock_seconds(),
                            .deadlock = IR_DEADLOCK_OFF,
                            .max_errors = 1,
                            .property_on = on,
                            .threads = 1,
                            .heuristic = HEURISTIC_TABLE,
                            .heuristic_table = value_of,
                            .heuristic_context = p};
  struct result r = {0};
  search_run(search_strategy_find("astar"), &c, &r);
  enum verdict wanted = least == PATTERN_NEVER ? VERDICT_HOLDS : VERDICT_VIOLATED;
  bool good = r.verdict == wanted;
  if (!good) hunt_wrong(h, "explicit astar: %s", verdict_name(r.verdict));
  if (good && r.traces.count > 0 && r.traces.data[0].steps.count != least)
    good = hunt_wrong(h, "explicit astar: a trace of %zu steps, must be %u",
                      (size_t)r.traces.data[0].steps.count, least);
  result_clear(&r);
  sys_free(s);
  return good;
}

bool hunt_pattern(struct hunt *h) {
  static const size_t nodes[] = {0, 1, 10, 100};
  if (!h->graph || h->property < 0 || h->m->transient) return true;
  uint8_t *on = mem_zalloc(h->m->properties.count, 1);
  on[h->property] = 1;
  struct text why = {0};
  struct symbolic_config c = {.model = h->m,
                              .budget.seconds = 10,
                              .started = clock_seconds(),
                              .deadlock = IR_DEADLOCK_OFF,
                              .property_on = on,
                              .cone = rng_below(&h->rng, 2),
                              .search = SYMBOLIC_ASTAR,
                              .weight_g = 1,
                              .weight_h = 1,
                              .abstract_depth = (int64_t)rng_below(&h->rng, 4) - 1,
                              .forward_pattern = rng_below(&h->rng, 4) == 0,
                              .pattern_nodes = nodes[rng_below(&h->rng, 4)]};
  struct pattern *p = pattern_new(&c, &why);
  uint32_t *far = distances(h);
  bool good = !p || (check_values(h, p, far) && check_search(h, p, on, far));
  mem_free(far);
  if (!good)
    hunt_wrong(h, " [cone %s, abstract depth %d, %zu nodes%s]", c.cone ? "on" : "off",
               (int)c.abstract_depth, c.pattern_nodes, c.forward_pattern ? ", forward" : "");
  if (p) pattern_free(p);
  text_clear(&why);
  mem_free(on);
  return good;
}
