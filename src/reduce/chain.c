// SPDX-License-Identifier: Apache-2.0
// Chains of steps through transient states. An expansion that meets none costs a look at each
// successor. One that does goes depth first over a stack of its own: the successors of the states
// on the path lie one above the other in one buffer, and a set knows the transient states that were
// met.
#include "reduce/reduce.h"

#include "ir/ir.h"
#include "sys/sys.h"

#include <string.h>

#ifdef FATHOM_SMALL
enum { FEW = 2, SLOTS_FIRST = 4, ASK_EVERY = 4 };
#else
// States of the set that are looked through without slots, slots at first, states between two looks
// at the budget.
enum { FEW = 8, SLOTS_FIRST = 64, ASK_EVERY = 1024 };
#endif

// The transient states of one expansion. A few are looked through one by one; with more than FEW of
// them all are in slots. Emptying it takes as long as filling it did, however large it was once.
struct met {
  VEC(uint64_t) words; // one state after the other
  size_t count;
  uint32_t *slots; // number of a state, plus one; 0: free
  size_t capacity; // of them: 0 or a power of two
  bool slotted;    // the states are in slots; else all of these are free
};

struct frame {
  size_t first, next, end; // in the buffer: of its successors the next one is due
};

struct chain {
  struct sys_wrapper wrap; // first: the public pointer is this pointer
  struct sys_chains chains;
  struct sys_asking asking;
  // Where the transient variable sits, and what its bits are when it is 0 or undefined.
  uint32_t word;
  uint64_t mask, zero, undefined;
  struct sys_out pool; // successors of the states on the path
  VEC(struct frame) frames;
  struct met met;
  uint64_t *state; // being left
};

static struct chain *inside(struct sys *s) { return (struct chain *)s; }

static bool is_transient(const struct chain *c, const uint64_t *state) {
  uint64_t bits = state[c->word] & c->mask;
  return bits != c->zero && bits != c->undefined;
}

// --- the set ---

static uint32_t *slot_of(const struct met *m, const uint64_t *state, size_t words) {
  size_t at = hash_words(state, words) & (m->capacity - 1);
  while (m->slots[at] && !words_same(m->words.data + (m->slots[at] - 1) * words, state, words))
    at = (at + 1) & (m->capacity - 1);
  return &m->slots[at];
}

// Puts all into slots, which are empty.
static void fill_slots(struct met *m, size_t words) {
  for (size_t i = 0; i < m->count; i++)
    *slot_of(m, m->words.data + i * words, words) = (uint32_t)i + 1;
}

static void met_grow(struct met *m, size_t words) {
  size_t capacity = m->capacity ? 2 * m->capacity : SLOTS_FIRST;
  if (m->count >= UINT32_MAX) mem_exhausted(0);
  uint32_t *slots = mem_zalloc(capacity, sizeof *slots);
  mem_free(m->slots);
  m->slots = slots;
  m->capacity = capacity;
  fill_slots(m, words);
}

static void met_push(struct met *m, const uint64_t *state, size_t words) {
  for (size_t i = 0; i < words; i++) VEC_PUSH(&m->words, state[i]);
  m->count++;
}

static bool add_to_slots(struct met *m, const uint64_t *state, size_t words) {
  if (2 * m->count >= m->capacity) met_grow(m, words);
  uint32_t *slot = slot_of(m, state, words);
  if (*slot) return false;
  met_push(m, state, words);
  *slot = (uint32_t)m->count;
  return true;
}

// To a set without slots. False: it has too many for that.
static bool add_to_few(struct met *m, const uint64_t *state, size_t words, bool *is_new) {
  *is_new = false;
  for (size_t i = 0; i < m->count; i++)
    if (words_same(m->words.data + i * words, state, words)) return true;
  if (m->count == FEW) return false;
  met_push(m, state, words);
  *is_new = true;
  return true;
}

// True: it is new.
static bool met_add(struct met *m, const uint64_t *state, size_t words) {
  bool is_new;
  if (!m->slotted) {
    if (add_to_few(m, state, words, &is_new)) return is_new;
    if (m->capacity)
      fill_slots(m, words);
    else
      met_grow(m, words);
    m->slotted = true;
  }
  return add_to_slots(m, state, words);
}

// One by one, from the last to the first (what stands in the way of a state was met before it),
// unless that takes longer than all at once.
static void met_empty(struct met *m, size_t words) {
  if (m->slotted && m->count > m->capacity / 16)
    memset(m->slots, 0, m->capacity * sizeof *m->slots);
  else if (m->slotted)
    for (; m->count > 0; m->count--) *slot_of(m, m->words.data + (m->count - 1) * words, words) = 0;
  m->slotted = false;
  m->count = 0;
  m->words.count = 0;
}

// --- expanding ---

static size_t bytes_held(const struct chain *c) {
  size_t each = c->wrap.pub.words * sizeof(uint64_t) + sizeof(struct sys_step);
  return c->pool.capacity * each + c->frames.capacity * sizeof *c->frames.data +
         c->met.words.capacity * sizeof(uint64_t) + c->met.capacity * sizeof *c->met.slots +
         c->chains.fired.capacity * sizeof(uint32_t);
}

// A chain may go through any number of states.
static void look_at_budget(struct chain *c) {
  if (c->met.count % ASK_EVERY > 0) return;
  c->chains.bytes = bytes_held(c);
  if (c->asking.goes_on && !c->asking.goes_on(c->asking.context)) mem_exhausted(0);
}

static void list_fired(struct chain *c, const struct sys_out *out, size_t from) {
  for (size_t i = from; c->chains.lists && i < out->count; i++)
    if (!out->steps[i].site && out->steps[i].instance != SYS_STUTTER)
      VEC_PUSH(&c->chains.fired, out->steps[i].instance);
}

static void copy_state(const struct chain *c, struct sys_out *to, const struct sys_out *from,
                       size_t i, struct sys_step step) {
  size_t words = c->wrap.pub.words;
  sys_out_reserve(to, 1);
  words_copy(to->words + to->count * words, from->words + i * words, words);
  to->steps[to->count++] = step;
}

// Leaves the transient state number i of the buffer. False: it is a dead end.
static bool leave(struct chain *c, size_t i) {
  struct sys_out *p = &c->pool;
  size_t from = p->count;
  words_copy(c->state, p->words + i * c->wrap.pub.words, c->wrap.pub.words);
  p->moved = false;
  c->wrap.inner->expand(c->wrap.inner, c->state, p);
  list_fired(c, p, from);
  bool faulty = false;
  for (size_t k = from; k < p->count && !faulty; k++) faulty = p->steps[k].site != 0;
  if (!p->moved && !faulty) {
    p->count = from;
    return false;
  }
  VEC_PUSH(&c->frames, ((struct frame){from, from, p->count}));
  return true;
}

// Goes on to the next end of a chain: its number in the buffer, or SIZE_MAX. The frames are the way
// to it: each has just passed the step taken.
static size_t next_end(struct chain *c) {
  while (c->frames.count > 0) {
    struct frame *f = &VEC_TOP(&c->frames);
    if (f->next == f->end) {
      c->pool.count = f->first;
      c->frames.count--;
      continue;
    }
    size_t i = f->next++;
    const uint64_t *state = c->pool.words + i * c->wrap.pub.words;
    if (c->pool.steps[i].site || !is_transient(c, state)) return i;
    if (!met_add(&c->met, state, c->wrap.pub.words)) continue;
    look_at_budget(c);
    if (!leave(c, i)) return i;
  }
  return SIZE_MAX;
}

static size_t cover_words(const struct chain *c) {
  return c->wrap.pub.model->properties.count / 64 + 1;
}

// An expansion that was left by unwinding may have left things behind.
static void clean(struct chain *c) {
  sys_out_reset(&c->pool);
  memset(c->pool.covers, 0, cover_words(c) * sizeof *c->pool.covers);
  c->frames.count = 0;
  met_empty(&c->met, c->wrap.pub.words);
}

static void begin(struct chain *c, const struct sys_out *from, size_t first) {
  clean(c);
  for (size_t i = first; i < from->count; i++) copy_state(c, &c->pool, from, i, from->steps[i]);
  VEC_PUSH(&c->frames, ((struct frame){0, 0, c->pool.count}));
}

// The instance of the first step of the chain that is being followed.
static uint32_t root_of(const struct chain *c) {
  return c->pool.steps[c->frames.data[0].next - 1].instance;
}

// From the first successor that is transient on; those before it stay where they are.
static void follow_all(struct chain *c, struct sys_out *out, size_t first) {
  begin(c, out, first);
  out->count = first;
  for (size_t i; (i = next_end(c)) != SIZE_MAX;)
    copy_state(c, out, &c->pool, i, (struct sys_step){root_of(c), 0, c->pool.steps[i].site});
  out->fired += c->pool.fired;
  for (size_t i = 0; i < cover_words(c); i++) out->covers[i] |= c->pool.covers[i];
  c->chains.bytes = bytes_held(c);
}

// The first successor that is transient, or their number.
static size_t first_transient(const struct chain *c, const struct sys_out *out, size_t first) {
  size_t i = first, words = c->wrap.pub.words;
  while (i < out->count && (out->steps[i].site || !is_transient(c, out->words + i * words))) i++;
  return i;
}

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct chain *c = inside(s);
  size_t first = out->count;
  c->chains.fired.count = 0;
  c->wrap.inner->expand(c->wrap.inner, state, out);
  list_fired(c, out, first);
  size_t transient = first_transient(c, out, first);
  if (transient < out->count) follow_all(c, out, transient);
  for (size_t i = first; i < out->count; i++) out->steps[i].choice = (uint32_t)(i - first);
}

// --- unfolding ---

static bool unfold(struct sys *s, const uint64_t *state, uint32_t choice, struct sys_out *out) {
  struct chain *c = inside(s);
  clean(c);
  c->wrap.inner->expand(c->wrap.inner, state, &c->pool);
  VEC_PUSH(&c->frames, ((struct frame){0, 0, c->pool.count}));
  size_t i = next_end(c);
  while (i != SIZE_MAX && choice-- > 0) i = next_end(c);
  for (size_t k = 0; k < c->frames.count && i != SIZE_MAX; k++) {
    size_t taken = c->frames.data[k].next - 1;
    copy_state(c, out, &c->pool, taken, c->pool.steps[taken]);
  }
  return i != SIZE_MAX;
}

// --- the rest is inner's ---

static void release(struct sys *s) {
  struct chain *c = inside(s);
  sys_unwrap(&c->wrap);
  sys_out_clear(&c->pool);
  VEC_CLEAR(&c->frames);
  VEC_CLEAR(&c->met.words);
  VEC_CLEAR(&c->chains.fired);
  mem_free(c->met.slots);
  mem_free(c->state);
  mem_free(c);
}

static struct sys *clone(struct sys *s) {
  struct sys *copy = reduce_chain_new(sys_clone(inside(s)->wrap.inner));
  inside(copy)->wrap.owns_inner = true;
  return copy;
}

static void find_variable(struct chain *c) {
  const struct ir_model *m = c->wrap.pub.model;
  const struct ir_leaf *l = &m->layout->leaf[m->transient->first_leaf];
  if (l->width == 0) return; // it is always 0
  uint64_t zero = ir_type_rank(l->type, 0) + l->undef;
  c->word = l->word;
  c->mask = (~UINT64_C(0) >> (64 - l->width)) << l->shift;
  c->zero = zero << l->shift;
  c->undefined = l->undef ? 0 : c->zero;
}

struct sys *reduce_chain_new(struct sys *inner) {
  assert(inner->model->transient && !inner->chains && !inner->renames);
  struct chain *c = mem_zalloc(1, sizeof *c);
  sys_wrap(&c->wrap, inner);
  c->wrap.pub.chains = &c->chains;
  c->wrap.pub.asking = &c->asking;
  c->wrap.pub.free = release;
  c->wrap.pub.clone = clone;
  c->wrap.pub.expand = expand;
  c->wrap.pub.unfold = unfold;
  find_variable(c);
  sys_out_init(&c->pool, inner->words, inner->model->properties.count);
  c->state = mem_zalloc(inner->words, sizeof *c->state);
  return &c->wrap.pub;
}
