// SPDX-License-Identifier: Apache-2.0
// The machine as text: for each control state what is known there, and its edges.
#include "hybrid/efsm.h"

#include "ir/ir.h"

#include <inttypes.h>

static void print_leaf(struct text *out, const struct efsm *e, const struct efsm_state *s,
                       uint64_t leaf) {
  ir_leaf_name(out, e->relation->model, leaf);
  if (s->defined[leaf] == EFSM_UNDEFINED)
    text_add(out, " undefined");
  else if (s->lo[leaf] == s->hi[leaf])
    text_printf(out, " = %" PRId64, s->lo[leaf]);
  else
    text_printf(out, " in %" PRId64 "..%" PRId64, s->lo[leaf], s->hi[leaf]);
}

static void print_known(struct text *out, const struct efsm *e, const struct efsm_state *s) {
  bool first = true;
  for (uint64_t i = 0; i < e->leaves; i++) {
    if (!efsm_live(s, i)) continue;
    text_add(out, first ? "  live: " : ", ");
    print_leaf(out, e, s, i);
    first = false;
  }
  if (!first) text_char(out, '\n');
}

static void print_edge(struct text *out, const struct efsm *e, const struct efsm_edge *d) {
  const struct ir_model *m = e->relation->model;
  text_printf(out, "  -> %" PRIu32 " %s", d->to, e->states.data[d->to].name);
  if (!term_is(d->guard, 1)) {
    text_add(out, " if ");
    term_print_as(out, d->guard, m, NULL);
  }
  text_char(out, '\n');
  for (size_t i = 0; i < d->writes.count; i++) {
    const struct relation_write *w = &d->writes.data[i];
    text_add(out, "       ");
    ir_leaf_name(out, m, w->leaf);
    text_add(out, " := ");
    if (term_is(w->defined, 0))
      text_add(out, "undefined");
    else
      term_print_as(out, w->value, m, NULL);
    text_char(out, '\n');
  }
}

void efsm_print(struct text *out, const struct efsm *e) {
  for (uint32_t i = 0; i < e->states.count; i++) {
    const struct efsm_state *s = &e->states.data[i];
    if (!s->reached) continue;
    text_printf(out, "%" PRIu32 " %s%s", i, s->is_error ? "error: " : "", s->name);
    if (s->sink && !s->is_error) text_add(out, " (SINK)");
    if (!s->is_error && s->error_distance != EFSM_FAR)
      text_printf(out, " (errors in %" PRIu32 ")", s->error_distance);
    text_char(out, '\n');
    if (s->is_error) continue;
    print_known(out, e, s);
    for (size_t k = 0; k < s->out.count; k++) print_edge(out, e, &e->edges.data[s->out.data[k]]);
  }
}
