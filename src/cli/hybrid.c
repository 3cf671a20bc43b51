// SPDX-License-Identifier: Apache-2.0
// What --engine hybrid, st and smt add to a check: their settings, and running them.
#include "cli/check.h"

#include "hybrid/efsm.h"
#include "hybrid/hybrid.h"

#include <string.h>

static bool is_on(const char *said) { return said == NULL || strcmp(said, "on") == 0; }

static uint64_t number(uint64_t said, uint64_t unless) { return said > 0 ? said : unless; }

static double seconds(double said, double unless) { return said > 0 ? said : unless; }

bool check_is_hybrid(const char *engine) {
  return strcmp(engine, "hybrid") == 0 || strcmp(engine, "st") == 0 || strcmp(engine, "smt") == 0;
}

void check_pick_hybrid(struct check *c) {
  const struct options *o = c->options;
  c->hybrid = (struct report_hybrid){
      .traverses = strcmp(o->engine, "smt") != 0,
      .reasons = strcmp(o->engine, "st") != 0,
      .glh = strcmp(c->capability->search, "glh") == 0,
      .partition = is_on(o->partition),
      .reached = is_on(o->reached),
      .tsize = number(o->tsize, HYBRID_TSIZE),
      .isize = number(o->isize, HYBRID_ISIZE),
      .fsize = number(o->fsize, HYBRID_FSIZE),
      .path_depth = number(o->path_depth, HYBRID_PATH_DEPTH),
      .path_seconds = seconds(o->path_time, HYBRID_PATH_SECONDS),
      .glh_seconds = seconds(o->glh_time, HYBRID_GLH_SECONDS),
      .polyhedra = number(o->polyhedra, HYBRID_POLYHEDRA),
      .depth_max = o->depth,
  };
  c->run.hybrid = &c->hybrid;
}

#ifdef FATHOM_HYBRID

static struct hybrid_config config_of(const struct check *c, struct report_progress *progress) {
  const struct options *o = c->options;
  const struct report_hybrid *h = &c->hybrid;
  return (struct hybrid_config){
      .model = c->model.model,
      .budget = {.seconds = o->time, .mem_bytes = c->run.mem_bytes, .depth_max = o->depth},
      .started = c->started,
      .max_errors = check_max_errors(c),
      .property_on = c->property_on,
      .mode = !h->reasons     ? HYBRID_ST
              : !h->traverses ? HYBRID_PR
                              : HYBRID_HMC,
      .search = h->glh ? HYBRID_GLH : HYBRID_DFS,
      .partition = h->partition,
      .reached = h->reached,
      .tsize = h->tsize,
      .isize = h->isize,
      .fsize = h->fsize,
      .path_depth = h->path_depth,
      .path_seconds = h->path_seconds,
      .glh_seconds = h->glh_seconds,
      .polyhedra = h->polyhedra,
      .threads = (unsigned)c->run.threads,
      .progress = report_progress_hybrid,
      .progress_context = progress,
  };
}

// Deadlocks are not looked for: who does not turn them off is told so.
static void leave_deadlock_open(struct check *c) {
  static const char reason[] = "not checked", who[] = "--engine explicit or bdd checks it";
  struct result *r = &c->result;
  if (!c->states || c->run.deadlock == IR_DEADLOCK_OFF) return;
  struct property_result p = {.name = "deadlock",
                              .kind = "deadlock",
                              .verdict = VERDICT_UNKNOWN,
                              .reason = reason,
                              .detail = who};
  VEC_PUSH(&r->properties, p);
  if (r->verdict != VERDICT_HOLDS) return;
  r->verdict = VERDICT_UNKNOWN;
  mem_free(r->reason);
  r->reason = mem_strdup(reason);
}

bool cli_efsm(struct text *out, const struct ir_model *m, struct text *why) {
  struct relation *r = relation_new(m, &(struct relation_config){0}, why);
  if (r == NULL) return false;
  struct efsm *e = efsm_new(r, NULL, why);
  if (e != NULL) {
    efsm_print(out, e);
    efsm_free(e);
  }
  relation_free(r);
  return e != NULL;
}

void check_hybrid(struct check *c, struct report_progress *progress) {
  struct hybrid_config config = config_of(c, progress);
  hybrid_run(&config, &c->result);
  c->result.engine = c->capability->engine;
  c->result.search = c->capability->search;
  c->result.store = NULL; // there is none
  check_explain_unchecked(c, "--engine bdd checks it");
  leave_deadlock_open(c);
}

#else

bool cli_efsm(struct text *out, const struct ir_model *m, struct text *why) {
  (void)out, (void)m;
  text_add(why, "the hybrid engine is not in this build (fathom help)");
  return false;
}

void check_hybrid(struct check *c, struct report_progress *progress) {
  (void)c, (void)progress;
  assert(!"an engine that is not in this build");
}

#endif
