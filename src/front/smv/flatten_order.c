// SPDX-License-Identifier: Apache-2.0
// Who depends on himself within one state: DEFINEs, assignments at init, and those at next, each
// process by itself. Depth first over pairs of a symbol and the state it is looked at in; the same
// search puts the DEFINEs in order.
#include "front/smv/flatten.h"

#include <string.h>

enum round { OF_DEFINES, OF_INIT, OF_NEXT };

typedef uint32_t vertex; // 2 * symbol, + 1: in the next state

struct frame {
  vertex vertex;
  size_t first, edge; // in `edges`: where its own begin, the next one to follow
};

struct search {
  struct smv_names *n;
  enum round round;
  uint32_t run;     // of vertices: the number of the search
  uint32_t *state;  // of vertices: 2 * run: on the way; 2 * run + 1: done
  uint32_t walk;    // of expressions: the number of the walk
  uint32_t *walked; // of pairs of an expression and a state
  const struct smv_assign **init, **next, **plain; // of symbols; next: of the current process
  VEC(vertex) edges;
  VEC(struct frame) way;
};

// --- edges ---

static void add_edges(struct search *s, const struct smv_expr *e, bool next) {
  if (s->walked[2 * e->id + next] == s->walk) return;
  s->walked[2 * e->id + next] = s->walk;
  if (e->op == SMV_SYMBOL) VEC_PUSH(&s->edges, 2 * e->symbol->id + next);
  bool inside = next || (e->op == SMV_NEXT && s->round != OF_DEFINES);
  for (uint32_t i = 0; i < e->arg_count; i++) add_edges(s, e->args[i], inside);
}

// The assignment that gives a variable its value there, or NULL.
static const struct smv_assign *giver(const struct search *s, vertex v) {
  bool next = v & 1;
  if (s->round == OF_DEFINES || (s->round == OF_NEXT) != next) return NULL;
  const struct smv_assign *a = s->round == OF_INIT ? s->init[v / 2] : s->next[v / 2];
  return a ? a : s->plain[v / 2];
}

static void find_edges(struct search *s, vertex v) {
  const struct smv_symbol *symbol = s->n->flat->symbols.data[v / 2];
  bool next = v & 1;
  s->walk++;
  if (symbol->kind == SMV_ARRAY) {
    for (int64_t i = 0; i <= symbol->hi - symbol->lo; i++)
      VEC_PUSH(&s->edges, 2 * symbol->elements[i]->id + next);
  } else if (symbol->kind == SMV_DEFINE) {
    if (symbol->expr) add_edges(s, symbol->expr, next);
  } else {
    const struct smv_assign *a = giver(s, v);
    if (a) add_edges(s, a->expr, next && a->when == SMV_ALWAYS);
  }
}

// --- circles ---

static void describe(struct search *s, struct text *out, size_t from) {
  enum { SAID_MAX = 5 };
  for (size_t i = from + 1; i < s->way.count; i++) {
    if (i - from > SAID_MAX) {
      text_add(out, ", ...");
      return;
    }
    const struct smv_symbol *symbol = s->n->flat->symbols.data[s->way.data[i].vertex / 2];
    text_printf(out, "%s'%s'", i == from + 1 ? " through " : ", ", symbol->name);
  }
}

static void circle(struct search *s, vertex v) {
  size_t from = s->way.count - 1;
  while (s->way.data[from].vertex != v) from--;
  const struct smv_symbol *symbol = s->n->flat->symbols.data[v / 2];
  const struct smv_assign *a = symbol->kind == SMV_DEFINE ? NULL : giver(s, v);
  struct text through = {0};
  describe(s, &through, from);
  if (!a)
    smv_error(s->n, symbol->span, "'%s' depends on itself%s", symbol->name, text_str(&through));
  else
    smv_error(s->n, a->span, "'%s' depends on itself within one state%s", symbol->name,
              text_str(&through));
  text_clear(&through);
}

// --- the search ---

static void enter(struct search *s, vertex v) {
  s->state[v] = 2 * s->run;
  size_t first = s->edges.count;
  find_edges(s, v);
  VEC_PUSH(&s->way, ((struct frame){v, first, first}));
}

static void leave(struct search *s) {
  struct frame f = VEC_POP(&s->way);
  struct smv_symbol *symbol = s->n->flat->symbols.data[f.vertex / 2];
  s->state[f.vertex] = 2 * s->run + 1;
  s->edges.count = f.first;
  if (s->round == OF_DEFINES && symbol->kind == SMV_DEFINE) VEC_PUSH(&s->n->flat->defines, symbol);
}

static void search_from(struct search *s, vertex v) {
  if (s->state[v] == 2 * s->run + 1) return;
  enter(s, v);
  while (s->way.count) {
    struct frame *f = &VEC_TOP(&s->way);
    if (f->edge == s->edges.count) {
      leave(s);
      continue;
    }
    vertex to = s->edges.data[f->edge++];
    if (s->state[to] == 2 * s->run)
      circle(s, to);
    else if (s->state[to] != 2 * s->run + 1)
      enter(s, to);
  }
}

static void start(struct search *s, enum round round) {
  s->round = round;
  s->run++;
}

// --- assignments ---

static void search_assigns(struct search *s, const struct smv_assign *a, size_t count) {
  start(s, OF_INIT);
  for (size_t i = 0; i < count; i++)
    if (a[i].when != SMV_AT_NEXT) search_from(s, 2 * a[i].symbol->id);
}

// Each process with its own assignments to next: lists of them, by process.
static void search_processes(struct search *s, const struct smv_assign *a, size_t count) {
  size_t processes = s->n->flat->processes.count;
  size_t *first = mem_zalloc(processes, sizeof *first), *rest = mem_zalloc(count + 1, sizeof *rest);
  for (size_t i = count; i-- > 0;) {
    if (a[i].when != SMV_AT_NEXT) continue;
    rest[i + 1] = first[a[i].process];
    first[a[i].process] = i + 1;
  }
  for (size_t p = 0; p < processes; p++) {
    start(s, OF_NEXT);
    for (size_t i = first[p]; i; i = rest[i]) s->next[a[i - 1].symbol->id] = &a[i - 1];
    for (size_t i = first[p]; i; i = rest[i]) search_from(s, 2 * a[i - 1].symbol->id + 1);
    for (size_t i = first[p]; i; i = rest[i]) s->next[a[i - 1].symbol->id] = NULL;
  }
  mem_free(first);
  mem_free(rest);
}

static void search_all(struct search *s) {
  struct smv_flat *f = s->n->flat;
  size_t errors = s->n->d->errors;
  start(s, OF_DEFINES);
  for (size_t i = 0; i < f->symbols.count; i++)
    if (f->symbols.data[i]->kind == SMV_DEFINE) search_from(s, 2 * (vertex)i);
  if (s->n->d->errors > errors) return;
  for (size_t i = 0; i < f->assigns.count; i++) {
    const struct smv_assign *a = &f->assigns.data[i];
    if (a->when == SMV_AT_INIT) s->init[a->symbol->id] = a;
    if (a->when == SMV_ALWAYS) s->plain[a->symbol->id] = a;
  }
  search_assigns(s, f->assigns.data, f->assigns.count);
  search_processes(s, f->assigns.data, f->assigns.count);
}

void smv_check_dependencies(struct smv_names *n) {
  size_t symbols = n->flat->symbols.count + 1, exprs = (size_t)n->flat->exprs + 1;
  struct search s = {.n = n};
  s.state = mem_zalloc(2 * symbols, sizeof *s.state);
  s.walked = mem_zalloc(2 * exprs, sizeof *s.walked);
  s.init = mem_zalloc(symbols, sizeof *s.init);
  s.next = mem_zalloc(symbols, sizeof *s.next);
  s.plain = mem_zalloc(symbols, sizeof *s.plain);
  search_all(&s);
  mem_free(s.state);
  mem_free(s.walked);
  mem_free(s.init);
  mem_free(s.next);
  mem_free(s.plain);
  VEC_CLEAR(&s.edges);
  VEC_CLEAR(&s.way);
}
