// SPDX-License-Identifier: Apache-2.0
// What SPIN's verifier does with the table before it searches: options that begin with a choice are
// replaced by that choice's options, a choice gets the transitions of its guards, and the escapes
// of an unless come before the transitions they interrupt.
#include "front/promela/graph.h"

static bool is_choice(const struct table *t, uint32_t number) {
  return number && t->steps[number] && t->steps[number]->is_head && t->steps[number]->next;
}

static struct step *copy(struct table *t, const struct step *s) {
  struct step *c = ARENA_NEW(t->arena, struct step);
  *c = *s;
  c->next = NULL;
  return c;
}

// A state that is never visited hands its labels on.
static void hand_on(struct table *t, uint32_t from, uint32_t to) {
  t->is_end[to] |= t->is_end[from];
  t->is_accept[to] |= t->is_accept[from];
  t->is_progress[to] |= t->is_progress[from];
}

static bool has_inner_choice(const struct table *t, uint32_t number) {
  for (const struct step *s = t->steps[number]->next; s; s = s->next)
    if (is_choice(t, s->to)) return true;
  return false;
}

static void unfold(struct table *t, uint32_t number) {
  struct step *end = t->steps[number];
  for (struct step *option = end->next, *next; option; option = next) {
    next = option->next;
    if (!is_choice(t, option->to)) {
      end = end->next = copy(t, option);
      continue;
    }
    for (const struct step *s = t->steps[option->to]->next; s; s = s->next) {
      end = end->next = copy(t, s);
      hand_on(t, option->to, s->to);
    }
  }
}

static void unfold_all(struct table *t) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 1; i < t->count; i++)
      if (is_choice(t, i) && has_inner_choice(t, i)) {
        unfold(t, i);
        again = true;
      }
  }
}

static void pull_guards(struct table *t, uint32_t number) {
  struct step *options = t->steps[number]->next, *first = NULL, **end = &first;
  t->shown[number] = t->shown[options->to];
  for (const struct step *s = options; s; s = s->next) {
    if (!t->steps[s->to]) continue;
    *end = copy(t, t->steps[s->to]);
    hand_on(t, s->to, (*end)->to);
    end = &(*end)->next;
  }
  if (first) t->steps[number] = first;
}

// ---------------------------------------------------------------------------------------------
// unless

static bool has(const struct step *list, const struct flow_node *n) {
  for (; list; list = list->next)
    if (list->node == n) return true;
  return false;
}

static void prepend_escape(struct table *t, uint32_t number, uint32_t escape) {
  for (const struct step *s = t->steps[escape]; s; s = s->next) {
    if (has(t->steps[number], s->node)) continue;
    struct step *c = copy(t, s);
    c->origin = escape;
    c->next = t->steps[number];
    t->steps[number] = c;
  }
}

static void add_escapes(struct table *t, uint32_t number) {
  for (const struct step *s = t->steps[number]; s; s = s->next)
    for (uint32_t k = s->escape_count; k-- > 0;)
      if (s->escapes[k]) prepend_escape(t, number, s->escapes[k]);
}

// A join that is a valid end, and that nothing happens in, makes the state behind it one.
static void pass_ends(struct table *t) {
  for (uint32_t i = 1; i < t->count; i++) {
    const struct step *s = t->steps[i];
    if (s && !s->next && s->node->kind == FLOW_DOT && t->is_end[i]) t->is_end[s->to] = true;
  }
}

void graph_flatten(struct table *t) {
  unfold_all(t);
  for (uint32_t i = 1; i < t->count; i++)
    if (is_choice(t, i)) pull_guards(t, i);
  for (uint32_t i = 1; i < t->count; i++)
    if (t->steps[i]) add_escapes(t, i);
  pass_ends(t);
}
