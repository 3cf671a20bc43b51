// SPDX-License-Identifier: Apache-2.0
// What must be the same in all cells of a setting (docs/testing.md).
#include "grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// Breadth-first traces are shortest; but of what is found in one level, a deadlock lies in the
// state that is expanded, everything else one step behind it.
static void judge_trace(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  int64_t slack = is(f->end, want->end) ? 0 : 1;
  if (f->steps < 0) {
    grid_complain(g, c, "violated without a trace");
  } else if (c->store != NULL && is(c->store, "bitstate")) {
    if (f->steps < want->steps - slack)
      grid_complain(g, c, "%" PRId64 " steps, less than the shortest %" PRId64, f->steps,
                    want->steps);
  } else if (f->steps < want->steps - slack || f->steps > want->steps + slack) {
    grid_complain(g, c, "%" PRId64 " steps (%s), not %" PRId64 " (%s)", f->steps, f->end,
                  want->steps, want->end);
  }
}

// The bounded search finds the nearest violation in the iteration that comes to it, or another one
// that is within the same bound.
static void judge_bounded_trace(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  int64_t increment = strtoll(c->increment, NULL, 10);
  int64_t level = want->steps + is(want->end, "deadlock"); // that was stored when it was found
  int64_t bound = (level + increment - 1) / increment * increment;
  if (f->steps < want->steps - 1 || f->steps > bound)
    grid_complain(g, c, "%" PRId64 " steps (%s), not from %" PRId64 " (%s) to %" PRId64, f->steps,
                  f->end, want->steps, want->end, bound);
}

static void judge_counts(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  if (is(c->store, "bitstate")) {
    if (f->states > want->states)
      grid_complain(g, c, "%" PRId64 " states, more than there are: %" PRId64, f->states,
                    want->states);
    g->lossy_misses += f->states < want->states;
    return;
  }
  if (f->states != want->states || f->rules != want->rules)
    grid_complain(g, c, "states %" PRId64 " rules %" PRId64 ", not %" PRId64 " %" PRId64, f->states,
                  f->rules, want->states, want->rules);
  if (!is(c->search, "bfs")) return;
  if (f->depth != want->depth || f->revisits != want->revisits)
    grid_complain(g, c, "depth %" PRId64 " revisits %" PRId64 ", not %" PRId64 " %" PRId64,
                  f->depth, f->revisits, want->depth, want->revisits);
}

static void judge_verdict(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  bool lossy = store_lossy(c->store);
  if (lossy && facts_complete(want)) {
    if (!is(f->verdict, "unknown") || strncmp(f->reason, "lossy", 5) != 0)
      grid_complain(g, c, "%s (%s), not unknown (lossy ...)", f->verdict, f->reason);
  } else if (!is(f->verdict, want->verdict) || (!lossy && !is(f->reason, want->reason))) {
    grid_complain(g, c, "%s (%s), not %s (%s)", f->verdict, f->reason, want->verdict, want->reason);
  }
}

static void judge(struct grid *g, const struct cell *c) {
  const struct setting *s = &g->settings.data[c->setting];
  bool on = is(c->symmetry, "on");
  const struct facts *want = &g->cells.data[on ? s->reduced : s->plain].found, *f = &c->found;
  if (f->verdict == NULL || want->verdict == NULL) return; // complained about already
  bool bfs = is(c->search, "bfs"), bounded = is(c->search, "bounded");
  judge_verdict(g, c, want);
  if (facts_complete(want)) judge_counts(g, c, want);
  bool traced = want->steps >= 0 && is(f->verdict, "violated") && !want->cycle && !f->cycle;
  if (traced && bfs) judge_trace(g, c, want);
  if (traced && bounded) judge_bounded_trace(g, c, want);
  if (f->symmetry != on) grid_complain(g, c, "symmetry is %s", f->symmetry ? "on" : "off");
  if ((bfs || bounded) && is(want->reason, "depth") && !store_lossy(c->store) &&
      f->states != want->states)
    grid_complain(g, c, "%" PRId64 " states to that depth, not %" PRId64, f->states, want->states);
}

// Conclusive verdicts about infinite runs are the same, whoever found them.
static void judge_cycles(struct grid *g, const struct cell *c, const struct facts *want) {
  if (is(want->cyclic, "") || is(c->found.cyclic, "")) return;
  if (!is(c->found.cyclic, want->cyclic))
    grid_complain(g, c, "%s, not %s", c->found.cyclic, want->cyclic);
}

static void judge_reduced(struct grid *g, const struct cell *c) {
  const struct facts *want = &g->cells.data[g->settings.data[c->setting].plain].found;
  const struct facts *f = &c->found;
  if (f->verdict == NULL || want->verdict == NULL) return;
  judge_verdict(g, c, want);
  judge_cycles(g, c, want);
  if (facts_complete(want) && f->states > want->states)
    grid_complain(g, c, "%" PRId64 " states, without reduction %" PRId64, f->states, want->states);
  g->reduced += f->reduced;
}

static bool begins(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

// Is there a property of infinite runs of which one says that it holds, the other that it does not?
// Items are "NAME VERDICT", by commas.
static bool contradicts(const char *a, const char *b) {
  static const char *const ends[] = {" holds", " violated"};
  while (*a != '\0') {
    size_t length = strcspn(a, ",");
    for (int i = 0; i < 2; i++) {
      size_t end = strlen(ends[i]);
      if (length <= end || memcmp(a + length - end, ends[i], end) != 0) continue;
      struct text other = {0};
      text_add_n(&other, a, length - end);
      text_add(&other, ends[1 - i]);
      const char *at = strstr(b, text_str(&other));
      bool found = at != NULL && (at == b || at[-1] == ' ');
      text_clear(&other);
      if (found) return true;
    }
    a += length + strspn(a + length, ", ");
  }
  return false;
}

// What the engine left open, or the reference.
static bool is_open(const struct facts *f) {
  return is(f->verdict, "unknown") && !is(f->reason, "depth") && !is(f->reason, "states");
}

// Is there an answer to be judged?
static bool has_answer(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  if (want->verdict == NULL) return false;
  bool left = f->verdict == NULL || begins(f->reason, "cannot") || is(f->reason, "time") ||
              is(f->reason, "memory");
  g->symbolic_left += left;
  g->symbolic_cells += !left;
  return !left;
}

static void judge_answer(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  if (!is(f->verdict, want->verdict) || !is(f->reason, want->reason))
    grid_complain(g, c, "%s (%s), not %s (%s)", f->verdict, f->reason, want->verdict, want->reason);
}

// Decision diagrams of the whole model: the same answer, as many states, as short a trace.
static void judge_symbolic(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  judge_answer(g, c, want);
  if (facts_complete(want) && (f->states != want->states || f->depth != want->depth))
    grid_complain(g, c, "states %" PRId64 " depth %" PRId64 ", not %" PRId64 " %" PRId64, f->states,
                  f->depth, want->states, want->depth);
  if (want->steps >= 0 && f->steps >= 0 && !want->cycle && !f->cycle) judge_trace(g, c, want);
}

// What looks for one violation after the other: the same answer, or a better one where the other
// did not come to its end; and a trace as short as that to the same violation.
static void judge_reasoned(struct grid *g, const struct cell *c, const struct facts *want) {
  const struct facts *f = &c->found;
  if (is(f->verdict, "unknown")) return;
  if (is(want->verdict, "unknown") && is(f->verdict, "holds")) return;
  judge_answer(g, c, want);
  bool same = is(f->end, want->end) && f->end_id == want->end_id;
  if (want->steps < 0 || f->steps < 0 || want->cycle || f->cycle) return;
  if (same && (c->shortest || f->shortest))
    judge_trace(g, c, want);
  else if (f->steps < want->steps - 1)
    grid_complain(g, c, "%" PRId64 " steps, less than the shortest %" PRId64, f->steps,
                  want->steps);
}

static void judge_engine(struct grid *g, const struct cell *c) {
  const struct facts *want = &g->cells.data[g->settings.data[c->setting].plain].found;
  const struct facts *f = &c->found;
  if (!has_answer(g, c, want)) return;
  if (contradicts(want->cyclic, f->cyclic))
    grid_complain(g, c, "%s, not %s", f->cyclic, want->cyclic);
  if (is_open(want) || is_open(f)) return;
  if (c->use == SYMBOLIC)
    judge_symbolic(g, c, want);
  else
    judge_reasoned(g, c, want);
}

static void judge_twin(struct grid *g, const struct cell *c) {
  const struct facts *f = &c->found, *twin = &g->cells.data[c->twin].found;
  if (f->same == NULL || twin->same == NULL || is(f->same, twin->same)) return;
  grid_complain(
      g, c, "--deterministic, and not the result of %s threads:", g->cells.data[c->twin].threads);
  size_t at = 0;
  while (f->same[at] == twin->same[at]) at++;
  while (at > 0 && f->same[at] != '\n') at--;
  printf("  here: %.300s\n  there: %.300s\n", f->same + at, twin->same + at);
}

// Where `--symmetry on` trusts the model in something, what it finds is real, and nothing is
// proved.
static void judge_doubted(struct grid *g, const struct cell *c, const struct facts *plain) {
  const struct facts *f = &c->found;
  bool found = is(f->verdict, "violated") && is(plain->verdict, "violated");
  if (!found && !is(f->verdict, "unknown"))
    grid_complain(g, c, "%s (%s), though symmetry is not proved", f->verdict, f->reason);
}

// With symmetry: the same answer, as short a trace, not more states.
void judge_setting(struct grid *g, struct setting *s) {
  const struct cell *c = &g->cells.data[s->reduced];
  const struct facts *plain = &g->cells.data[s->plain].found, *reduced = &c->found;
  s->symmetric = !refuses(c, reduced->status) && !reduced->doubted;
  g->asymmetric += !s->symmetric;
  g->large += plain->states > g->limit;
  if (plain->verdict == NULL || reduced->verdict == NULL) return;
  if (reduced->doubted) {
    judge_doubted(g, c, plain);
    return;
  }
  if (!is(plain->verdict, reduced->verdict) || !is(plain->reason, reduced->reason))
    grid_complain(g, c, "%s (%s), and without symmetry %s (%s)", reduced->verdict, reduced->reason,
                  plain->verdict, plain->reason);
  bool cycle = plain->cycle || reduced->cycle;
  if (plain->steps >= 0 && reduced->steps >= 0 && !cycle) judge_trace(g, c, plain);
  if (facts_complete(plain) && reduced->states > plain->states)
    grid_complain(g, c, "symmetry adds states");
}

// No option of an axis given: the same answer, and symmetry is on where it can be had; where some
// scalarsets cannot take part, the others may.
static void judge_defaults(struct grid *g, const struct cell *c) {
  const struct setting *s = &g->settings.data[c->setting];
  const struct facts *plain = &g->cells.data[s->plain].found, *f = &c->found;
  if (plain->verdict == NULL || f->verdict == NULL) return;
  bool more = begins(plain->reason, "not checked"); // by another engine, perhaps
  if (!more && (!is(f->verdict, plain->verdict) || !is(f->reason, plain->reason)))
    grid_complain(g, c, "%s (%s), not %s (%s)", f->verdict, f->reason, plain->verdict,
                  plain->reason);
  if (f->symmetry != s->symmetric && !f->doubted)
    grid_complain(g, c, "by default symmetry is %s", f->symmetry ? "on" : "off");
}

void judge_cells(struct grid *g) {
  for (size_t i = g->first; i < g->cells.count; i++) {
    const struct cell *c = &g->cells.data[i];
    if (c->use == DEFAULTS) {
      judge_defaults(g, c);
      continue;
    }
    if (c->use == REDUCED) {
      judge_reduced(g, c);
    } else if (c->use == SYMBOLIC || c->use == REASONED) {
      judge_engine(g, c);
    } else if (c->use == CYCLES) {
      if (c->found.verdict != NULL)
        judge_cycles(g, c, &g->cells.data[g->settings.data[c->setting].plain].found);
    } else {
      judge(g, c);
    }
    g->several += c->found.threads > 1;
    if (c->use == DETERMINISTIC) judge_twin(g, c);
  }
}
