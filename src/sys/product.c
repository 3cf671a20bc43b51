// SPDX-License-Identifier: Apache-2.0
// The product of a system with an automaton. In a state of the model the automaton takes one of the
// edges that the state's atoms allow, then the model takes a step: successors come in inner's
// order, each edge by edge, so that those which differ by the automaton only lie side by side. What
// inner is asked about a state is asked once.
#include "sys/product.h"

#include "ir/ir.h"
#include "sys/claim.h"
#include "sys/tag.h"

#include <string.h>

struct product {
  struct tag tag; // first: the public pointer is this pointer
  const struct ir_automaton *automaton;
  struct claim claim;
  uint32_t property;
  uint32_t *to;         // where the automaton can go
  struct sys_out aside; // steps that are only looked at
  // The atoms of the state that was looked at last.
  bool looked;
  uint64_t *state;
  uint64_t atoms;
  struct sys_fault fault;
};

static struct product *inside(struct sys *s) { return (struct product *)s; }

static struct sys_fault look(struct product *p, const uint64_t *bare, uint64_t *atoms) {
  struct sys *inner = p->tag.wrap.inner;
  size_t bytes = inner->words * sizeof *bare;
  if (!p->looked || memcmp(p->state, bare, bytes) != 0) {
    p->looked = true;
    memcpy(p->state, bare, bytes);
    p->fault = inner->atoms(inner, bare, &p->atoms);
  }
  *atoms = p->atoms;
  return p->fault;
}

// --- successors ---

// A step in which the model does not move.
static void append(struct product *p, const uint64_t *bare, struct sys_step step, uint32_t to,
                   struct sys_out *out) {
  size_t words = p->tag.wrap.pub.words, least = p->tag.wrap.inner->words;
  sys_out_reserve(out, 1);
  uint64_t *state = out->words + out->count * words;
  memset(state, 0, words * sizeof *state);
  memcpy(state, bare, least * sizeof *state);
  tag_put(&p->tag, state, to);
  out->steps[out->count++] = step;
}

static void stutter(struct product *p, const uint64_t *bare, size_t edges, struct sys_out *out) {
  for (size_t i = 0; i < edges; i++)
    append(p, bare, (struct sys_step){.instance = SYS_STUTTER}, p->to[i], out);
  out->fired += edges;
}

static size_t count_sound(const struct sys_out *out, size_t first) {
  size_t sound = 0;
  for (size_t i = first; i < out->count; i++) sound += out->steps[i].site == 0;
  return sound;
}

static void copy(struct product *p, struct sys_out *out, size_t from, size_t to, uint32_t claim) {
  size_t words = p->tag.wrap.pub.words;
  if (from != to) {
    memcpy(out->words + to * words, out->words + from * words, words * sizeof *out->words);
    out->steps[to] = out->steps[from];
  }
  if (!out->steps[to].site) tag_put(&p->tag, out->words + to * words, claim);
}

// The model's steps stand in the buffer from `first` on: each becomes one per edge, but for failed
// ones. From the last one on, since they take more room than before.
static void multiply(struct product *p, size_t edges, size_t first, struct sys_out *out) {
  size_t sound = count_sound(out, first), end = out->count + (edges - 1) * sound;
  sys_out_reserve(out, (edges - 1) * sound);
  for (size_t i = out->count, to = end; i-- > first;) {
    size_t times = out->steps[i].site ? 1 : edges;
    to -= times;
    for (size_t k = times; k-- > 0;) copy(p, out, i, to + k, p->to[k]);
  }
  out->count = end;
  out->fired += (edges - 1) * sound;
}

// The automaton has looked at the state.
static void step(struct product *p, const uint64_t *bare, uint32_t from, uint64_t atoms,
                 struct sys_out *out) {
  size_t edges = claim_moves(&p->claim, from, atoms, p->to), first = out->count;
  if (edges == 0) return;
  tag_expand(&p->tag, bare, out);
  if (out->count > first)
    multiply(p, edges, first, out);
  else if (!p->automaton->stuck_ends)
    stutter(p, bare, edges, out);
}

// In a state that is passed through the automaton stays where it is. False: it is none.
static bool pass(struct product *p, const uint64_t *bare, uint32_t from, struct sys_out *out) {
  if (!tag_transient(&p->tag, bare)) return false;
  size_t first = out->count;
  uint64_t fired = out->fired;
  if (tag_expand(&p->tag, bare, out)) {
    for (size_t i = first; i < out->count; i++) copy(p, out, i, i, from);
    return true;
  }
  out->count = first; // a dead end
  out->fired = fired;
  return false;
}

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct product *p = inside(s);
  const uint64_t *bare = tag_bare(&p->tag, state);
  uint32_t from = tag_get(&p->tag, state);
  struct sys_fault fault = {0};
  uint64_t atoms = 0;
  if (pass(p, bare, from, out)) return;
  if (p->claim.states[from].looks) fault = look(p, bare, &atoms);
  if (fault.kind == SYS_NO_FAULT)
    step(p, bare, from, atoms, out);
  else
    append(p, bare, (struct sys_step){.instance = SYS_STUTTER, .site = fault.id}, 0, out);
}

// --- what is asked of a state ---

static bool is_passed(struct product *p, const uint64_t *bare) {
  if (!tag_transient(&p->tag, bare)) return false;
  sys_out_reset(&p->aside);
  return tag_expand(&p->tag, bare, &p->aside);
}

static bool accept_atom_holds(struct product *p, const uint64_t *bare) {
  uint64_t atoms;
  if (p->claim.accept_atom < 0) return true;
  return look(p, bare, &atoms).kind == SYS_NO_FAULT && atoms >> p->claim.accept_atom & 1;
}

static bool accepts(struct sys *s, const uint64_t *state) {
  struct product *p = inside(s);
  const struct claim_state *c = &p->claim.states[tag_get(&p->tag, state)];
  if (c->final || !c->accepting) return c->final;
  const uint64_t *bare = tag_bare(&p->tag, state);
  return accept_atom_holds(p, bare) && !is_passed(p, bare);
}

bool product_ended(struct sys *s, const uint64_t *state) {
  struct product *p = inside(s);
  return p->claim.states[tag_get(&p->tag, state)].final;
}

static uint32_t claim(struct sys *s, const uint64_t *state) {
  struct product *p = inside(s);
  return tag_get(&p->tag, state) >> p->claim.entered;
}

static struct sys_fault check(struct sys *s, const uint64_t *state) {
  struct product *p = inside(s);
  struct sys *inner = p->tag.wrap.inner;
  if (p->claim.states[tag_get(&p->tag, state)].final)
    return (struct sys_fault){SYS_PROPERTY, p->property};
  return inner->check(inner, tag_bare(&p->tag, state));
}

// --- beginning and end ---

static void release(struct sys *s) {
  struct product *p = inside(s);
  tag_clear(&p->tag);
  claim_clear(&p->claim);
  sys_out_clear(&p->aside);
  mem_free(p->to);
  mem_free(p->state);
  mem_free(p);
}

static struct sys *clone(struct sys *s) {
  struct product *p = inside(s);
  struct sys *copy = sys_product_new(sys_clone(p->tag.wrap.inner), p->automaton, p->property);
  inside(copy)->tag.wrap.owns_inner = true;
  return copy;
}

struct sys *sys_product_new(struct sys *inner, const struct ir_automaton *a, uint32_t property) {
  assert(!inner->chains && !inner->renames && !inner->accepts);
  struct product *p = mem_zalloc(1, sizeof *p);
  struct sys *pub = &p->tag.wrap.pub;
  p->automaton = a;
  p->property = property;
  claim_init(&p->claim, a);
  tag_init(&p->tag, inner, p->claim.count);
  p->to = mem_alloc((p->claim.edges_most + 1) * sizeof *p->to);
  p->state = mem_zalloc(inner->words, sizeof *p->state);
  sys_out_init(&p->aside, pub->words, inner->model->properties.count);
  pub->weak = p->claim.weak;
  pub->free = release;
  pub->clone = clone;
  pub->expand = expand;
  pub->check = check;
  pub->accepts = accepts;
  pub->claim = claim;
  return pub;
}
