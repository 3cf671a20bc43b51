// SPDX-License-Identifier: Apache-2.0
// What was reached, per control state (beyond paper 003): a state that comes again is not looked at
// again, so that loops end. Everything in here is in F, was, or comes from what was. To forget is
// always right, and so is to keep a set whole that cannot be told apart: the search only gets
// longer. Under a bound on the depth what was reached later does not count.
//
// Sets are kept in chunks, two of about the same size becoming one: each is put together with
// others a few times only. What takes longer than the images themselves is cut short: the larger
// chunks are forgotten then.
#include "hybrid/hmc.h"

#define SIZE_MOST  1024 // of what is kept for one control state
#define SIZE_LEAST 64
#define SHARE      1.5 // of the time of all else in ST

struct chunk {
  uint64_t depth; // 0 where nobody bounds it
  struct disjunct *set;
};

struct reached {
  bool bounded;
  uint64_t most;              // size for one control state, now
  double seconds;             // spent on it
  VEC(struct chunk) * chunks; // per control state
};

struct reached *reached_new(const struct hmc *h) {
  struct reached *r = mem_zalloc(1, sizeof *r);
  r->bounded = h->config->budget.depth_max > 0;
  r->most = SIZE_MOST;
  r->chunks = mem_zalloc(h->efsm->states.count + 1, sizeof *r->chunks);
  return r;
}

static void forget(struct hmc *h, uint32_t control, size_t i) {
  struct reached *r = h->reached;
  disjunct_drop(h->states, r->chunks[control].data[i].set);
  r->chunks[control].data[i] = VEC_TOP(&r->chunks[control]);
  r->chunks[control].count--;
}

void reached_free(struct hmc *h) {
  struct reached *r = h->reached;
  if (!r) return;
  for (uint32_t c = 0; c < h->efsm->states.count; c++) {
    while (r->chunks[c].count) forget(h, c, 0);
    VEC_CLEAR(&r->chunks[c]);
  }
  mem_free(r->chunks);
  mem_free(r);
  h->reached = NULL;
}

// --- keeping ---

// Is memory getting short? Then nothing more is kept.
static bool is_short(const struct hmc *h) {
  size_t limit = h->config->budget.mem_bytes;
  return limit && h->resident > limit / 4 * 3;
}

// One of its depth that is not much larger; the count: none.
static size_t like(const struct hmc *h, uint32_t control, const struct chunk *c) {
  const struct reached *r = h->reached;
  for (size_t i = r->chunks[control].count; i-- > 0;) {
    const struct chunk *other = &r->chunks[control].data[i];
    if (other->depth == c->depth && other->set->size <= 2 * c->set->size) return i;
  }
  return r->chunks[control].count;
}

// Takes the chunk's set over. How it came about does not matter here, and would keep much alive.
static void keep(struct hmc *h, uint32_t control, struct chunk c) {
  struct reached *r = h->reached;
  disjunct_orphan(h->states, c.set);
  for (size_t i; (i = like(h, control, &c)) < r->chunks[control].count;) {
    struct disjunct *both = states_union(h->states, r->chunks[control].data[i].set, c.set);
    if (!both) break;
    disjunct_drop(h->states, c.set);
    c.set = both;
    forget(h, control, i);
  }
  VEC_PUSH(&r->chunks[control], c);
}

// Until it fits the largest goes.
static void fit(struct hmc *h, uint32_t control) {
  struct reached *r = h->reached;
  for (;;) {
    uint64_t size = 0;
    size_t largest = 0;
    for (size_t i = 0; i < r->chunks[control].count; i++) {
      size += r->chunks[control].data[i].set->size;
      if (r->chunks[control].data[i].set->size > r->chunks[control].data[largest].set->size)
        largest = i;
    }
    if (size <= r->most) return;
    forget(h, control, largest);
  }
}

// Where it takes too much of the time less is kept, later more again.
static void weigh(struct hmc *h, double seconds) {
  struct reached *r = h->reached;
  r->seconds += seconds;
  bool much = r->seconds > 1 + SHARE * h->image_seconds;
  if (much && r->most > SIZE_LEAST) r->most /= 2;
  if (!much && r->most < SIZE_MOST) r->most++;
}

// --- what is new ---

// Less what is there already; NULL: nothing is left.
static struct disjunct *subtract(struct hmc *h, struct disjunct *d, uint32_t control) {
  const struct reached *r = h->reached;
  for (size_t i = 0; i < r->chunks[control].count; i++) {
    const struct chunk *c = &r->chunks[control].data[i];
    if (c->depth > d->depth) continue;
    struct disjunct *rest = states_minus(h->states, d, c->set);
    if (!rest) continue; // too much work: it stays whole
    disjunct_drop(h->states, d);
    d = rest;
    if (!disjunct_empty(d)) continue;
    disjunct_drop(h->states, d);
    return NULL;
  }
  return d;
}

struct disjunct *reached_fresh(struct hmc *h, struct disjunct *d, uint32_t control) {
  struct reached *r = h->reached;
  if (!r) return d;
  double began = clock_seconds();
  d = subtract(h, d, control);
  if (d && !is_short(h)) {
    struct chunk c = {.depth = r->bounded ? d->depth : 0};
    c.set = states_part(h->states, d, control);
    if (c.set) keep(h, control, c);
  }
  fit(h, control);
  weigh(h, clock_seconds() - began);
  return d;
}
