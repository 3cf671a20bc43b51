// SPDX-License-Identifier: Apache-2.0
// State traversal (paper 003, Algorithm 1, procedure ST): F moves forward by images. Errors, and
// control states from which none can be reached, never get into F.
#include "hybrid/hmc.h"

#include <string.h>

// --- F ---

static void push(struct hmc *h, struct disjunct *d, bool stuck) {
  struct stats *t = &h->judge.result->stats;
  struct front f = {.set = d, .order = h->orders++, .stuck = stuck};
  priority_set(h, &f);
  if (f.distance == EFSM_FAR) return disjunct_drop(h->states, d);
  h->size += d->size;
  VEC_PUSH(&h->F, f);
  if (h->F.count > t->disjuncts) t->disjuncts = h->F.count;
}

// Its set is the caller's from now on.
static struct disjunct *take(struct hmc *h, size_t i) {
  struct disjunct *d = h->F.data[i].set;
  paths_leave(h, &h->F.data[i]);
  h->size -= d->size;
  h->F.data[i] = VEC_TOP(&h->F);
  h->F.count--;
  return d;
}

void traverse_drop(struct hmc *h, size_t i) { disjunct_drop(h->states, take(h, i)); }

bool traverse_can(const struct hmc *h) { return priority_pick(h) < h->F.count; }

// --- what is added to it ---

static bool is_past(const struct hmc *h, const struct disjunct *d) {
  return h->config->budget.depth_max && d->depth > h->config->budget.depth_max;
}

// An error in an image, which is one state for all that matters.
static void tell(struct hmc *h, struct disjunct *d, uint32_t control) {
  if (h->found[control] || hmc_over(h)) return;
  if (h->efsm->states.data[control].error == EFSM_LIMIT)
    hmc_limit(h, control);
  else
    witness_image(h, d, control);
}

// NULL: there is no memory for it, and the run is over.
static struct disjunct *part_of(struct hmc *h, struct disjunct *d, uint32_t control) {
  struct disjunct *part = states_part(h->states, d, control);
  if (!part && !h->judge.stop) h->judge.stop = "memory";
  return part;
}

// The part in one control state, if it goes on from there and is new. NULL: it does not.
static struct disjunct *part_at(struct hmc *h, struct disjunct *d, uint32_t control) {
  if (h->distance[control] == EFSM_FAR && !h->efsm->states.data[control].is_error) return NULL;
  struct disjunct *part = part_of(h, d, control);
  if (!part) return NULL;
  bool goes_on = !disjunct_empty(part);
  if (goes_on && h->efsm->states.data[control].is_error) {
    tell(h, part, control);
    goes_on = false;
  } else if (goes_on && is_past(h, d)) {
    hmc_gap(h, "depth");
    goes_on = false;
  }
  if (goes_on) return reached_fresh(h, part, control);
  disjunct_drop(h->states, part);
  return NULL;
}

void traverse_add(struct hmc *h, struct disjunct *d) {
  struct stats *t = &h->judge.result->stats;
  parts fresh = {0}, out = {0};
  uint64_t depth = d->depth;
  if (depth > t->depth && !is_past(h, d)) t->depth = depth;
  for (uint32_t c = 0; c < h->efsm->states.count; c++) {
    struct disjunct *part = csr_has(d->control, c) ? part_at(h, d, c) : NULL;
    if (part) VEC_PUSH(&fresh, part);
  }
  disjunct_drop(h->states, d);
  partition(h, &fresh, &out);
  for (size_t i = 0; i < out.count; i++) push(h, out.data[i], false);
  partition_group(h, depth);
  VEC_CLEAR(&fresh);
  VEC_CLEAR(&out);
}

// --- images ---

static uint32_t count_controls(const struct hmc *h, const struct disjunct *d) {
  uint32_t count = 0;
  for (size_t i = 0; i < csr_words(h->efsm); i++)
    count += (uint32_t)__builtin_popcountll(d->control[i]);
  return count;
}

// Its image takes too much work, or there is none: its parts may be easier. What cannot be divided
// is left to PR.
static void divide(struct hmc *h, struct disjunct *d) {
  struct disjunct *half[2];
  const char *why = states_why(h->states);
  bool nonlinear = strcmp(why, "nonlinear") == 0;
  if (!nonlinear && strcmp(why, "operations") != 0 && !h->judge.stop) h->judge.stop = "memory";
  if (count_controls(h, d) > 1) {
    for (uint32_t c = 0; c < h->efsm->states.count; c++) {
      struct disjunct *part = csr_has(d->control, c) ? part_of(h, d, c) : NULL;
      if (part) push(h, part, false);
    }
  } else if (!nonlinear && partition_halve(h, d, half)) {
    push(h, half[0], false);
    push(h, half[1], false);
  } else {
    return push(h, d, true);
  }
  disjunct_drop(h->states, d);
}

static void move_forward(struct hmc *h, size_t i) {
  struct disjunct *d = take(h, i);
  hmc_phase(h, "traversal", d->depth);
  h->judge.result->stats.images++;
  double began = clock_seconds();
  struct disjunct *img = states_image(h->states, d);
  h->image_seconds += clock_seconds() - began;
  if (!img) return divide(h, d);
  disjunct_drop(h->states, d);
  traverse_add(h, img);
}

// --- turns ---

#define TURN_SECONDS 2 // a turn of ST takes so long, and as long as all of PR's until then

static bool is_turn_over(struct hmc *h) {
  if (h->size > h->fsize) {
    h->fsize *= 2;
    return true;
  }
  return clock_seconds() - h->turn_began > TURN_SECONDS + h->pr_seconds;
}

void traverse_turn(struct hmc *h) {
  h->turn_began = clock_seconds();
  while (!hmc_over(h) && hmc_goes_on(h)) {
    paths_harvest(h);
    size_t i = priority_pick(h);
    if (i == h->F.count || hmc_over(h) || h->proved) break;
    if (is_turn_over(h)) {
      h->judge.result->stats.switches++;
      break;
    }
    move_forward(h, i);
  }
  h->st_seconds += clock_seconds() - h->turn_began;
}

void traverse_alone(struct hmc *h) {
  struct result *r = h->judge.result;
  while (!hmc_over(h) && hmc_goes_on(h)) {
    size_t i = priority_pick(h);
    if (i == h->F.count) break;
    r->depth_known = h->F.data[i].set->depth > 0 && !h->model->transient;
    r->depth_complete = h->F.data[i].set->depth - r->depth_known;
    move_forward(h, i);
  }
  if (!hmc_over(h) && h->F.count > 0) hmc_gap(h, states_why(h->states));
}
