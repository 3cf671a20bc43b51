// SPDX-License-Identifier: Apache-2.0
// Uses of variables whose function has returned: such are errors, and must be left to be seen. Of
// each object the places that name it are listed first, in the order of the blocks. From each use
// the ways back are followed to what came before: mostly that is near.
#include "front/c/flow.h"

enum kind { BEGINS, ENDS, USES };

struct event {
  uint32_t block;
  enum kind kind;
};

struct dead {
  const struct flow *w;
  struct event *events;
  uint32_t *first;   // of each object: its first event; those of the next one come after
  uint32_t *ways;    // to blocks: the blocks that they come from
  uint32_t *ways_to; // of each block: its first way; those to the next one come after
  uint32_t *seen;    // of each block: object + 1 whose ways back lead through its end
  VEC(uint32_t) todo;
};

static enum kind kind_of(const struct c_instruction *i) {
  return i->op == C_ENTER ? BEGINS : i->op == C_LEAVE ? ENDS : USES;
}

// Counts the events of each object, or (fill) enters them; first[] is the end of each then.
static void list(struct dead *d, bool fill) {
  const struct c_function *f = d->w->f;
  for (uint32_t k = 0; k < f->blocks.count; k++)
    for (size_t i = 0; i < f->blocks.data[k].code.count; i++) {
      const struct c_instruction *c = &f->blocks.data[k].code.data[i];
      for (uint32_t a = 0; a < c->arg_count; a++) {
        if (c->args[a].kind != C_OBJECT) continue;
        uint32_t at = d->first[c->args[a].index]++;
        if (fill) d->events[at] = (struct event){.block = k, .kind = kind_of(c)};
      }
    }
}

// Counts the ways to each block, or (fill) enters them; as above.
static void list_ways(struct dead *d, bool fill) {
  const struct c_function *f = d->w->f;
  for (uint32_t k = 0; k < f->blocks.count; k++) {
    const struct c_instruction *end = &VEC_TOP(&f->blocks.data[k].code);
    for (uint32_t i = 0; i < end->target_count; i++) {
      uint32_t at = d->ways_to[end->targets[i]]++;
      if (fill) d->ways[at] = k;
    }
  }
}

// From counts to where each begins; their sum.
static uint32_t begin_each(uint32_t *counts, size_t n) {
  uint32_t sum = 0;
  for (size_t i = 0; i <= n; i++) {
    uint32_t count = counts[i];
    counts[i] = sum;
    sum += count;
  }
  return sum;
}

// From the end of each to where it begins.
static void step_back(uint32_t *ends, size_t n) {
  for (size_t i = n; i > 0; i--) ends[i] = ends[i - 1];
  ends[0] = 0;
}

static void list_all(struct dead *d) {
  size_t objects = d->w->p->objects.count, blocks = d->w->f->blocks.count;
  list(d, false);
  d->events = mem_alloc((begin_each(d->first, objects) + 1) * sizeof *d->events);
  list(d, true);
  step_back(d->first, objects);
  list_ways(d, false);
  d->ways = mem_alloc((begin_each(d->ways_to, blocks) + 1) * sizeof *d->ways);
  list_ways(d, true);
  step_back(d->ways_to, blocks);
}

// The first event of the object in blocks from this one on; or the end of its events.
static uint32_t first_in(const struct dead *d, uint32_t object, uint32_t block) {
  uint32_t from = d->first[object], to = d->first[object + 1];
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (d->events[middle].block < block)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

// Looks back from event `at`, in the block or (none is there) those before. True: a life has ended.
static bool look_back(struct dead *d, uint32_t object, uint32_t block, uint32_t at) {
  if (at > d->first[object] && d->events[at - 1].block == block)
    return d->events[at - 1].kind == ENDS;
  for (uint32_t i = d->ways_to[block]; i < d->ways_to[block + 1]; i++)
    if (d->seen[d->ways[i]] != object + 1) {
      d->seen[d->ways[i]] = object + 1;
      VEC_PUSH(&d->todo, d->ways[i]);
    }
  return false;
}

static bool is_used(struct dead *d, uint32_t object) {
  bool used = false;
  d->todo.count = 0;
  for (uint32_t i = d->first[object]; i < d->first[object + 1] && !used; i++) {
    if (d->events[i].kind == USES) used = look_back(d, object, d->events[i].block, i);
    while (d->todo.count && !used) {
      uint32_t block = VEC_POP(&d->todo);
      used = look_back(d, object, block, first_in(d, object, block + 1));
    }
  }
  return used;
}

void flow_used_dead(struct flow *w) {
  struct dead d = {.w = w};
  d.first = mem_zalloc(w->p->objects.count + 2, sizeof *d.first);
  d.ways_to = mem_zalloc(w->f->blocks.count + 2, sizeof *d.ways_to);
  d.seen = mem_zalloc(w->f->blocks.count, sizeof *d.seen);
  list_all(&d);
  for (uint32_t i = 0; i < w->taken_count; i++) {
    struct c_object *o = &w->p->objects.data[i];
    if (w->taken[i] && o->plain && !o->is_global && is_used(&d, i)) o->plain = false;
  }
  mem_free(d.first);
  mem_free(d.seen);
  mem_free(d.ways);
  mem_free(d.ways_to);
  mem_free(d.events);
  VEC_CLEAR(&d.todo);
}
