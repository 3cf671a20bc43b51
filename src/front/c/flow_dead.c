// SPDX-License-Identifier: Apache-2.0
// Uses of variables whose function has returned: such are errors, and must be left to be seen. Of
// each object the places that name it are listed first, in the order of the blocks.
#include "front/c/flow.h"

enum kind { BEGINS, ENDS, USES };

struct event {
  uint32_t block;
  enum kind kind;
};

struct dead {
  const struct flow *w;
  struct event *events;
  uint32_t *first; // of each object: its first event; those of the next one come after
  uint32_t *seen;  // of each block: object + 1 that it was found dead at the beginning of
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

static void list_all(struct dead *d) {
  size_t n = d->w->p->objects.count;
  uint32_t sum = 0;
  list(d, false);
  for (size_t i = 0; i <= n; i++) {
    uint32_t count = d->first[i];
    d->first[i] = sum;
    sum += count;
  }
  d->events = mem_alloc((sum + 1) * sizeof *d->events);
  list(d, true);
  for (size_t i = n; i > 0; i--) d->first[i] = d->first[i - 1];
  d->first[0] = 0;
}

static void add_ways(struct dead *d, uint32_t object, uint32_t block) {
  const struct c_instruction *end = &VEC_TOP(&d->w->f->blocks.data[block].code);
  for (uint32_t i = 0; i < end->target_count; i++)
    if (d->seen[end->targets[i]] != object + 1) {
      d->seen[end->targets[i]] = object + 1;
      VEC_PUSH(&d->todo, end->targets[i]);
    }
}

// The first event of the object in a block; or the end of its events.
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

// Follows a block from event `at` on, before which the object is dead. True: it is used.
static bool follow(struct dead *d, uint32_t object, uint32_t block, uint32_t at) {
  for (; at < d->first[object + 1] && d->events[at].block == block; at++) {
    if (d->events[at].kind == USES) return true;
    if (d->events[at].kind == BEGINS) return false;
  }
  add_ways(d, object, block);
  return false;
}

static bool is_used(struct dead *d, uint32_t object) {
  bool used = false;
  d->todo.count = 0;
  for (uint32_t i = d->first[object]; i < d->first[object + 1] && !used; i++) {
    if (d->events[i].kind == ENDS) used = follow(d, object, d->events[i].block, i + 1);
    while (d->todo.count && !used) {
      uint32_t block = VEC_POP(&d->todo);
      used = follow(d, object, block, first_in(d, object, block));
    }
  }
  return used;
}

void flow_used_dead(struct flow *w) {
  struct dead d = {.w = w};
  d.first = mem_zalloc(w->p->objects.count + 2, sizeof *d.first);
  d.seen = mem_zalloc(w->f->blocks.count, sizeof *d.seen);
  list_all(&d);
  for (uint32_t i = 0; i < w->taken_count; i++) {
    struct c_object *o = &w->p->objects.data[i];
    if (w->taken[i] && o->plain && !o->is_global && is_used(&d, i)) o->plain = false;
  }
  mem_free(d.first);
  mem_free(d.seen);
  mem_free(d.events);
  VEC_CLEAR(&d.todo);
}
