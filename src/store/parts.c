// SPDX-License-Identifier: Apache-2.0
// Moving an array up in place by several threads.
#include "store/parts.h"

#include "base/base.h"

#include <sched.h>

#define NO_PART UINT64_MAX

void parts_init(struct parts *p, uint64_t items, uint64_t each, struct parts_hand *hands,
                unsigned hands_most) {
  *p = (struct parts){.items = items, .each = each, .hand = hands, .hands_most = hands_most};
  for (unsigned i = 0; i < hands_most; i++) hands[i].unread = NO_PART;
}

static void say(struct parts_hand *hand, uint64_t unread) {
  __atomic_store_n(&hand->unread, unread, __ATOMIC_RELEASE);
}

// It says that it has the first part before it takes one: who takes a part after it sees that.
struct parts_hand *parts_join(struct parts *p) {
  unsigned number = __atomic_fetch_add(&p->hands, 1, __ATOMIC_RELAXED);
  if (number >= p->hands_most) return NULL;
  say(&p->hand[number], 0);
  return &p->hand[number];
}

bool parts_take(struct parts *p, struct parts_hand *hand, struct part *part) {
  part->number = __atomic_fetch_add(&p->begun, 1, __ATOMIC_ACQ_REL);
  bool more = part->number * p->each < p->items;
  say(hand, more ? part->number : NO_PART);
  if (!more) return false;
  part->end = p->items - part->number * p->each;
  part->first = part->end > p->each ? part->end - p->each : 0;
  return true;
}

void parts_read(struct parts_hand *hand, const struct part *part) { say(hand, part->number + 1); }

static bool is_read(const struct parts *p, uint64_t before) {
  for (unsigned i = 0; i < p->hands_most; i++)
    if (__atomic_load_n(&p->hand[i].unread, __ATOMIC_ACQUIRE) < before) return false;
  return true;
}

static void await_parts(const struct parts *p, uint64_t before) {
  AWAIT_BRIEFLY(is_read(p, before));
  while (!is_read(p, before)) sched_yield();
}

void parts_await(const struct parts *p, const struct part *part, uint64_t item) {
  uint64_t before = item < p->items ? (p->items - item + p->each - 1) / p->each : 0;
  await_parts(p, before < part->number ? before : part->number);
}

void parts_await_all(const struct parts *p) { await_parts(p, NO_PART); }
