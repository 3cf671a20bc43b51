// SPDX-License-Identifier: Apache-2.0
// What --engine bmc adds to a check: its settings, and running it.
#include "cli/check.h"

#include "bmc/bmc.h"
#include "symbolic/exclusive.h"

#include <string.h>

void check_pick_bmc(struct check *c) {
  const struct options *o = c->options;
  c->bmc = (struct report_bmc){
      .proof = o->proof != NULL ? o->proof : capability_value(CAPABILITY_PROOF, 0),
      .cone = o->cone == NULL || strcmp(o->cone, "on") == 0,
      .depth_max = o->depth,
  };
  c->run.bmc = &c->bmc;
}

#ifdef FATHOM_BMC

enum { MEMORY_PART = 4 }; // of the memory, for diagrams beside the solver

static enum bmc_proof proof_of(const char *name) {
  if (strcmp(name, "induction") == 0) return BMC_PROOF_INDUCTION;
  if (strcmp(name, "pdr") == 0) return BMC_PROOF_PDR;
  return strcmp(name, "none") == 0 ? BMC_PROOF_NONE : BMC_PROOF_AUTO;
}

#ifdef FATHOM_BDD

static bool exclusive(void *context, const struct bmc_exclusive *ask, uint64_t **pairs,
                      size_t *count) {
  const struct check *c = context;
  struct exclusive_config config = {.relation = ask->slice,
                                    .mem_bytes = c->run.mem_bytes / MEMORY_PART,
                                    .made_max = ask->effort,
                                    .goes_on = ask->goes_on,
                                    .context = ask->context};
  return exclusive_find(&config, pairs, count);
}

#define EXCLUSIVE exclusive
#else
#define EXCLUSIVE NULL
#endif

void check_bmc(struct check *c, struct report_progress *progress) {
  const struct options *o = c->options;
  struct bmc_config config = {
      .model = c->model.model,
      .budget = {.seconds = o->time, .mem_bytes = c->run.mem_bytes, .depth_max = o->depth},
      .started = c->started,
      .deadlock = c->states ? c->run.deadlock : IR_DEADLOCK_OFF, // of infinite runs only
      .max_errors = check_max_errors(c),
      .settle = check_settles(c),
      .property_on = c->property_on,
      .cone = c->bmc.cone,
      .proof = proof_of(c->bmc.proof),
      .progress = report_progress_bmc,
      .progress_context = progress,
      .exclusive = EXCLUSIVE,
      .exclusive_context = c,
  };
  bmc_run(&config, &c->result);
  c->result.search = c->capability->search;
  c->result.store = NULL; // there is none
  check_explain_unchecked(c, "--engine bdd checks it");
}

#else

void check_bmc(struct check *c, struct report_progress *progress) {
  (void)c, (void)progress;
  assert(!"an engine that is not in this build");
}

#endif
