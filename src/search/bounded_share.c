// SPDX-License-Identifier: Apache-2.0
// How workers of a bounded search share what they have: who waits gets successors that lie lowest
// on another's stack, each with its state and the trace to it. To the frame that gives one away it
// is as if its threshold were its depth, which is no less than what it will be.
#include "search/bounded.h"

#ifdef FATHOM_SMALL
enum { ENOUGH = 2, MOST = 3, PAUSE = 1 };
#else
enum {
  ENOUGH = 8, // successors to look at
  MOST = 64,  // that are given away at once
  PAUSE = 32, // rounds between two looks, and one more for so many frames
};
#endif

// --- what to give away ---

static size_t frame_end(const struct bounder *b, size_t k) {
  return k + 1 < b->frames.count ? b->frames.data[k + 1].first : b->pending.count;
}

static bool is_open(const struct bounder *b, size_t k) {
  return b->frames.data[k].next < frame_end(b, k);
}

static size_t open_count(const struct bounder *b, size_t k) {
  size_t count = 0;
  for (size_t i = b->frames.data[k].next; i < frame_end(b, k); count++)
    i += 1 + pending_words(&b->pending.data[i]);
  return count;
}

// The lowest frames that have enough between them: from low to high. False: there are none.
static bool choose_frames(const struct bounder *b, size_t *low, size_t *high) {
  size_t top = b->frames.count - 1, found = 0;
  for (*low = 0; *low < top && !is_open(b, *low);) ++*low;
  if (*low == top) { // then it is shared
    *high = top;
    return open_count(b, top) > 1;
  }
  for (*high = *low; (found += open_count(b, *high)) < ENOUGH && *high + 1 < top;) ++*high;
  return true;
}

// --- giving ---

static void item_fill(struct bounder *b, const struct bounded_frame *f, const struct delta *head,
                      uint64_t depth, struct bounded_item *item) {
  *item = (struct bounded_item){
      .depth = depth, .node = b->node, .instance = head->word, .node_bits = b->node_bits};
  bits_append(&item->trace, &b->trace, 0, f->bits);
  bits_push(&item->trace, pending_step(head), f->width);
  item->state = mem_alloc(b->path.words * sizeof *item->state);
  memcpy(item->state, b->state, b->path.words * sizeof *item->state);
}

// b->state is the frame's; then the successor's.
static void change_state(struct bounder *b, const struct delta *head) {
  for (size_t i = 1; i <= pending_words(head); i++) b->state[head[i].word] = head[i].value;
}

// Is it of no use, as things are now?
static bool is_settled(struct search_worker *w, struct bounded_frame *f, int64_t depth) {
  struct bounder *b = w->own;
  uint64_t id;
  store_seek_batch(w->writer, b->state, 1, &id);
  return bounded_is_settled(w, f, id, depth);
}

// Gives successors of frame k away, whose state is `from`. The top frame keeps the last.
static void give_frame(struct search_worker *w, size_t k, const uint64_t *from,
                       struct bounded_parcel *p) {
  struct bounder *b = w->own;
  struct bounded_frame *f = &b->frames.data[k];
  uint64_t depth = bounder_depth(b) - (b->frames.count - 1 - k) + 1;
  size_t keep = k + 1 == b->frames.count ? (open_count(b, k) + 1) / 2 : 0;
  for (size_t left = open_count(b, k); left > keep && p->count < MOST; left--) {
    const struct delta *head = &b->pending.data[f->next];
    f->next += 1 + pending_words(head);
    words_copy(b->state, from, b->path.words);
    change_state(b, head);
    if (is_settled(w, f, (int64_t)depth)) continue;
    item_fill(b, f, head, depth, &p->items[p->count]);
    p->count++;
    bounded_learn(f, (int64_t)depth);
  }
}

static struct bounded_parcel *parcel_new(struct steal *s, size_t items) {
  struct bounded_parcel *p = steal_parcel(s, sizeof *p + items * sizeof *p->items);
  p->count = p->next = 0;
  return p;
}

static size_t item_bytes(const struct bounder *b, const struct bounded_item *item) {
  return bits_bytes(&item->trace) + b->path.words * sizeof *item->state;
}

static void give(struct search_worker *w, struct bounded_parcel *p) {
  struct steal *steal = bounded_of(w)->steal;
  size_t more = 0;
  for (size_t i = 0; i < p->count; i++) more += item_bytes(w->own, &p->items[i]);
  p->base.bytes += more;
  atomic_fetch_add_explicit(&steal->held, more, memory_order_relaxed);
  steal_give(steal, &p->base);
}

void bounded_share(struct search_worker *w) {
  struct bounder *b = w->own;
  size_t low, high, top = b->frames.count - 1;
  if (b->rounds < b->give_from) return;
  b->give_from = b->rounds + PAUSE + b->frames.count / PAUSE;
  if (!choose_frames(b, &low, &high)) return;
  struct bounded_parcel *p = parcel_new(bounded_of(w)->steal, MOST);
  uint64_t *from = mem_alloc(b->path.words * sizeof *from);
  uint64_t length = deltas_length(&b->path), at = length;
  words_copy(from, b->path.state, b->path.words);
  for (size_t k = high + 1; k-- > low;) {
    deltas_recall(&b->path, at, length - (top - k), from);
    at = length - (top - k);
    give_frame(w, k, from, p);
  }
  mem_free(from);
  if (p->count > 0)
    give(w, p);
  else
    bounded_drop(bounded_of(w)->steal, &p->base);
}

void bounded_drop(struct steal *s, struct parcel *base) {
  struct bounded_parcel *p = (struct bounded_parcel *)base;
  for (size_t i = 0; i < p->count; i++) {
    bits_clear(&p->items[i].trace);
    mem_free(p->items[i].state);
  }
  if (s)
    steal_parcel_free(s, base);
  else
    mem_free(p); // it was read from a file, and is not counted
}

// --- receiving ---

bool bounded_next_item(struct search_worker *w) {
  struct bounder *b = w->own;
  struct bounded_parcel *p = b->parcel;
  if (!p) return false;
  if (p->next == p->count) {
    b->parcel = NULL;
    bounded_drop(bounded_of(w)->steal, &p->base);
    return false;
  }
  struct bounded_item *item = &p->items[p->next];
  bits_cut(&b->trace, 0);
  bits_append(&b->trace, &item->trace, 0, item->trace.count);
  deltas_begin(&b->path, item->state);
  b->rise = item->depth;
  b->node = item->node;
  b->node_bits = item->node_bits;
  b->ancestors.count = b->ancestor_bits.count = 0;
  bounded_visit(w, item->instance);
  if (b->frames.count > 0 || !search_stopped(w->search)) p->next++; // else it may not be visited
  return true;
}

bool bounded_receive(struct search_worker *w) {
  struct bounder *b = w->own;
  struct steal *steal = bounded_of(w)->steal;
  assert(!b->parcel && b->frames.count == 0);
  steal_ask(steal);
  for (unsigned turn = 0; !(b->parcel = (void *)steal_take(steal, turn)); turn++)
    if (steal->over || !bounded_look(w)) return false;
  return true;
}
