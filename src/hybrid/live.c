// SPDX-License-Identifier: Apache-2.0
// Liveness: a leaf matters in a control state if an edge from there asks for it, in its guard or in
// what it writes to a leaf that matters behind, or leads to where it matters without writing it.
#include "hybrid/efsm_own.h"

#include <string.h>

// What an edge asks for: of its guard, and of each of its writes. Computed once.
struct asks {
  uint64_t *guard;
  uint64_t *writes; // one set behind the other
};

static void find_asks(const struct efsm *e, const struct efsm_edge *d, struct asks *a) {
  a->guard = mem_zalloc(e->leaf_words, sizeof *a->guard);
  a->writes = mem_zalloc(e->leaf_words * d->writes.count + 1, sizeof *a->writes);
  term_support(d->guard, a->guard, NULL);
  for (size_t i = 0; i < d->writes.count; i++) {
    term_support(d->writes.data[i].value, a->writes + i * e->leaf_words, NULL);
    term_support(d->writes.data[i].defined, a->writes + i * e->leaf_words, NULL);
  }
}

static void before_edge(const struct efsm *e, const struct efsm_edge *d, const struct asks *a,
                        uint64_t *out) {
  const uint64_t *live = e->states.data[d->to].live;
  memcpy(out, live, e->leaf_words * sizeof *out);
  for (size_t i = 0; i < d->writes.count; i++) {
    uint64_t leaf = d->writes.data[i].leaf;
    out[leaf / 64] &= ~(UINT64_C(1) << leaf % 64);
  }
  for (size_t i = 0; i < d->writes.count; i++) {
    uint64_t leaf = d->writes.data[i].leaf;
    if (!(live[leaf / 64] >> leaf % 64 & 1)) continue;
    for (size_t w = 0; w < e->leaf_words; w++) out[w] |= a->writes[i * e->leaf_words + w];
  }
  for (size_t w = 0; w < e->leaf_words; w++) out[w] |= a->guard[w];
}

static bool add(struct efsm *e, struct efsm_state *s, const uint64_t *more) {
  bool changed = false;
  for (size_t w = 0; w < e->leaf_words; w++) {
    changed |= more[w] & ~s->live[w];
    s->live[w] |= more[w];
  }
  return changed;
}

// Later states first, again and again until nothing changes.
static void spread(struct efsm *e, const struct asks *asks) {
  uint64_t *out = mem_zalloc(e->leaf_words, sizeof *out);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = e->states.count; i-- > 0;) {
      struct efsm_state *s = &e->states.data[i];
      for (size_t k = 0; k < s->out.count; k++) {
        before_edge(e, &e->edges.data[s->out.data[k]], &asks[s->out.data[k]], out);
        changed |= add(e, s, out);
      }
    }
  }
  mem_free(out);
}

static bool stays(const struct relation_write *w) {
  return w->value->op == TERM_LEAF && w->value->leaf == w->leaf &&
         ((w->defined->op == TERM_DEFINED && w->defined->leaf == w->leaf) ||
          term_is(w->defined, 1));
}

// Writes that matter to nobody, and those that change nothing.
static void drop_writes(const struct efsm *e, struct efsm_edge *d) {
  size_t kept = 0;
  const struct efsm_state *from = &e->states.data[d->from], *to = &e->states.data[d->to];
  for (size_t i = 0; i < d->writes.count; i++) {
    const struct relation_write *w = &d->writes.data[i];
    bool same =
        stays(w) && (w->defined->op == TERM_DEFINED || from->defined[w->leaf] == EFSM_DEFINED);
    if (efsm_live(to, w->leaf) && !same) d->writes.data[kept++] = *w;
  }
  d->writes.count = kept;
}

void efsm_live_leaves(struct efsm *e) {
  struct asks *asks = mem_zalloc(e->edges.count + 1, sizeof *asks);
  for (size_t i = 0; i < e->states.count; i++)
    e->states.data[i].live = mem_zalloc(e->leaf_words, sizeof(uint64_t));
  for (size_t i = 0; i < e->edges.count; i++) find_asks(e, &e->edges.data[i], &asks[i]);
  spread(e, asks);
  for (size_t i = 0; i < e->edges.count; i++) {
    drop_writes(e, &e->edges.data[i]);
    mem_free(asks[i].guard);
    mem_free(asks[i].writes);
  }
  mem_free(asks);
}
