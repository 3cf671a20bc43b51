// SPDX-License-Identifier: Apache-2.0
// What there is to say of engines that reason, in words: which order of variables, how much of the
// model is left, by which abstraction a search goes, how large diagrams and formulas have become.
#include "report/reasoning.h"

#include "ir/ir.h"
#include "report/format.h"

#include <inttypes.h>
#include <string.h>

#define PLURAL(n) ((n) == 1 ? "" : "s")

// ---------------------------------------------------------------------------------------------
// Before

void reasoning_head(struct text *out, const struct report_run *run, const struct result *picked) {
  char depth[FORMAT_BYTES];
  if (run->bdd != NULL) {
    text_printf(out, "%s search, reordering %s", picked->search, run->bdd->reorder);
    if (!run->bdd->cone) text_add(out, ", whole model");
    return;
  }
  if (run->hybrid != NULL)
    text_printf(out, "%s search", picked->search);
  else
    text_printf(out, "proofs: %s", run->bmc->proof);
  uint64_t depth_max = run->hybrid != NULL ? run->hybrid->depth_max : run->bmc->depth_max;
  if (depth_max > 0) text_printf(out, ", to depth %s", format_count(depth, depth_max));
  if (run->bmc != NULL && !run->bmc->cone) text_add(out, ", whole model");
}

static void say_order(struct text *out, const struct report_bdd *b) {
  if (b->order == NULL) return;
  text_printf(out, "order of variables from %s", b->order);
  if (b->names_unknown > 0)
    text_printf(out, ": %zu of its %zu name%s %s not in the model", b->names_unknown, b->names,
                PLURAL(b->names), b->names_unknown == 1 ? "is" : "are");
}

static void say_reordering(struct text *out, const struct report_bdd *b) {
  if (b->reorder_every > 0)
    text_printf(out, "reordering after every %llu operation%s",
                (unsigned long long)b->reorder_every, PLURAL(b->reorder_every));
}

static void say_settings(struct text *out, const struct report_guided *g) {
  char n[FORMAT_BYTES];
  text_printf(out, "pattern database built %s", g->pattern);
  if (g->abstract_depth >= 0)
    text_printf(out, ", of what is less than %s step%s of dependency away",
                format_count(n, (uint64_t)g->abstract_depth), PLURAL(g->abstract_depth));
  if (g->pattern_nodes > 0)
    text_printf(out, ", of %s node%s at most", format_count(n, g->pattern_nodes),
                PLURAL(g->pattern_nodes));
  if (g->strength != NULL)
    text_printf(out, ", distances of %zu lea%s from %s", g->strengths,
                g->strengths == 1 ? "f" : "ves", g->strength);
}

static void say_guided(struct text *out, const struct report_guided *g) {
  say_settings(out, g);
  if (g->weighted)
    text_printf(out, "; a step that is left costs %g, one that was taken %g", g->weight_h,
                g->weight_g);
}

static void say_traversal(struct text *out, const struct report_hybrid *h) {
  if (!h->traverses) return;
  text_printf(out, "what was reached is %s", h->reached ? "kept" : "not kept");
  if (!h->reasons) return;
  text_printf(out, "; paths when the frontier is of %" PRIu64 ", %" PRIu64 " steps or %g s on",
              h->fsize, h->path_depth, h->path_seconds);
}

static void say_partition(struct text *out, const struct report_hybrid *h) {
  if (!h->traverses || !h->reasons) return;
  if (h->partition)
    text_printf(out, "sets of more than %" PRIu64 " are cut, parts put together up to %" PRIu64,
                h->tsize, h->isize);
  else
    text_add(out, "no partitioning");
  if (h->glh)
    text_printf(out, "; distances from errors by %" PRIu64 " polyhedr%s, in %g s at most",
                h->polyhedra, h->polyhedra == 1 ? "on" : "a", h->glh_seconds);
}

void reasoning_plan(struct text *out, const struct report_run *run, int line) {
  const struct report_bdd *b = run->bdd;
  if (run->hybrid != NULL && line == 0) say_traversal(out, run->hybrid);
  if (run->hybrid != NULL && line == 1) say_partition(out, run->hybrid);
  if (b == NULL) return;
  switch (line) {
  case 0: say_order(out, b); break;
  case 1: say_reordering(out, b); break;
  default:
    if (b->guided != NULL) say_guided(out, b->guided);
  }
}

void reasoning_pattern_plan(struct text *out, const struct report_pattern *p) {
  text_add(out, "first where an abstraction of the model says that an error is nearest; ");
  say_settings(out, p->settings);
}

// ---------------------------------------------------------------------------------------------
// After

// Searches by an abstraction see only states that may lead to an error, and formulas none at all.
static bool counts_states(const struct report_run *run) {
  return run->bdd != NULL && run->bdd->guided == NULL;
}

static void say_work(struct text *out, const struct stats *s) {
  char n[FORMAT_BYTES];
  if (s->iterations > 0)
    text_printf(out, ", %s iteration%s", format_count(n, s->iterations), PLURAL(s->iterations));
  if (s->images > 0)
    text_printf(out, ", successors of %s set%s", format_count(n, s->images), PLURAL(s->images));
}

static void say_turns(struct text *out, const struct report_hybrid *h, const struct stats *s) {
  char n[FORMAT_BYTES];
  if (h->traverses)
    text_printf(out, ", successors of %s set%s", format_count(n, s->images), PLURAL(s->images));
  if (h->traverses) text_printf(out, ", %s in the frontier at most", format_count(n, s->disjuncts));
  if (h->traverses && h->reasons) {
    text_printf(out, ", %s cut", format_count(n, s->partitions));
    text_printf(out, ", %s turn%s to paths", format_count(n, s->switches), PLURAL(s->switches));
  }
  if (h->reasons)
    text_printf(out, ", %s question%s about paths", format_count(n, s->path_queries),
                s->path_queries == 1 ? "" : "s");
}

static void say_states(struct text *out, const struct report_run *run, const struct result *r) {
  char depth[FORMAT_BYTES];
  if (counts_states(run)) format_states(out, r);
  text_printf(out, "%sdepth %s", counts_states(run) ? ", " : "",
              format_count(depth, r->stats.depth));
  if (run->bdd != NULL && run->bdd->guided != NULL) say_work(out, &r->stats);
  if (run->hybrid != NULL) say_turns(out, run->hybrid, &r->stats);
}

static void say_size(struct text *out, const struct report_run *run, const struct stats *s) {
  char seconds[FORMAT_BYTES], nodes[FORMAT_BYTES], clauses[FORMAT_BYTES], memory[FORMAT_BYTES],
      total[FORMAT_BYTES];
  text_add(out, format_seconds(seconds, s->seconds));
  if (run->bdd != NULL)
    text_printf(out, ", %s node%s at most", format_count(nodes, s->bdd_nodes_peak),
                PLURAL(s->bdd_nodes_peak));
  else if (run->bmc != NULL)
    text_printf(out, ", %s variable%s and %s clause%s at most",
                format_count(nodes, s->sat_variables), PLURAL(s->sat_variables),
                format_count(clauses, s->sat_clauses), PLURAL(s->sat_clauses));
  if (s->memory_bytes > 0) text_printf(out, ", %s", format_size(memory, s->memory_bytes));
  if (s->total_seconds > 0)
    text_printf(out, ", %s in all", format_seconds(total, s->total_seconds));
}

// How much of the model was looked at: by dependency, and by the abstraction.
static void say_parts(struct text *out, const struct report_run *run, const struct stats *s) {
  uint64_t all = run->model->layout->count;
  char part[FORMAT_BYTES], whole[FORMAT_BYTES], nodes[FORMAT_BYTES];
  format_count(whole, all);
  if (s->cone_leaves > 0 && s->cone_leaves < all)
    text_printf(out, "cone of influence: %s of %s leaves%s", format_count(part, s->cone_leaves),
                whole, counts_states(run) ? ", and the states are of these" : "");
  if (s->pattern_layers == 0) return;
  text_printf(out, "%spattern database: %s of %s leaves, ", out->count > 0 ? "; " : "",
              format_count(part, s->pattern_leaves), whole);
  text_printf(out, "%s layer%s, ", format_count(part, s->pattern_layers),
              PLURAL(s->pattern_layers));
  text_printf(out, "%s node%s", format_count(nodes, s->pattern_nodes), PLURAL(s->pattern_nodes));
}

void reasoning_figures(struct text *out, const struct report_run *run, const struct result *r,
                       int line) {
  switch (line) {
  case 0: say_states(out, run, r); break;
  case 1: say_size(out, run, &r->stats); break;
  default: say_parts(out, run, &r->stats); break;
  }
}

void reasoning_pattern_figures(struct text *out, const struct report_pattern *p, bool traced) {
  char seconds[FORMAT_BYTES];
  if (p->described == NULL && p->aside != NULL)
    text_printf(out, "no pattern database (%s): first where most steps are near the properties",
                p->aside);
  if (p->described == NULL) return;
  text_printf(out, "pattern database: %s, in %s", p->described,
              format_seconds(seconds, p->seconds));
  if (p->shortest && traced)
    text_add(out, "; never more than the true distance: the first trace is a shortest one");
}

const char *reasoning_holds(const struct report_run *run, const struct result *r) {
  bool guided = run->bdd != NULL && run->bdd->guided != NULL;
  if (reasoning_only(run) || (guided && r->stats.images == 0))
    return "proved without a search: no state of the abstraction leads from a start to an error";
  if (run->bmc != NULL) return "proved";
  if (run->hybrid != NULL) return "no way leads to an error";
  return guided ? "nothing wrong can be reached" : NULL;
}

bool reasoning_counts(const char *help, const struct report_run *run) {
  const bool bdd = run->bdd != NULL, bmc = run->bmc != NULL;
  const bool traverses = run->hybrid != NULL && run->hybrid->traverses;
  const bool paths = run->hybrid != NULL && run->hybrid->reasons;
  const bool guided = bdd && run->bdd->guided != NULL;
  const struct {
    const char *prefix;
    bool counts;
  } owners[] = {{"bdd: ", bdd},
                {"bdd, bmc: ", bdd || bmc},
                {"guided: ", guided},
                {"bounded, ida: ", guided || run->bounded != NULL},
                {"guided, hybrid, st: ", guided || traverses},
                {"hybrid, st: ", traverses},
                {"hybrid: ", traverses && paths},
                {"hybrid, smt: ", paths},
                {"bmc: ", bmc}};
  for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
    if (strncmp(help, owners[i].prefix, strlen(owners[i].prefix)) == 0) return owners[i].counts;
  return true;
}
