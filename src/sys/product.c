// SPDX-License-Identifier: Apache-2.0
// The product of a system with an automaton. In a state of the model the automaton takes one of the
// edges that the state's atoms allow, then the model takes a step: successors come edge by edge,
// for each of them in inner's order. What inner is asked about a state is asked once.
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
  uint32_t *to; // where the automaton can go
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

// The model's steps stand in the buffer from `first` on: once more for each further edge, failed
// ones aside.
static size_t multiply(struct product *p, size_t edges, size_t first, struct sys_out *out) {
  size_t words = p->tag.wrap.pub.words, end = out->count, sound = 0;
  sys_out_reserve(out, (edges - 1) * (end - first));
  for (size_t k = 0; k < edges; k++) {
    for (size_t i = first; i < end; i++) {
      if (out->steps[i].site) continue;
      uint64_t *from = out->words + i * words, *to = out->words + out->count * words;
      sound += k == 0;
      if (k + 1 < edges) { // the block at the front is filled in last
        memcpy(to, from, words * sizeof *to);
        out->steps[out->count++] = out->steps[i];
        tag_put(&p->tag, to, p->to[k + 1]);
      } else {
        tag_put(&p->tag, from, p->to[0]);
      }
    }
  }
  out->fired += (edges - 1) * sound;
  return sound;
}

static void step(struct product *p, const uint64_t *bare, uint32_t from, size_t edges,
                 struct sys_out *out) {
  size_t first = out->count, sound = edges;
  tag_expand(&p->tag, bare, out);
  if (out->count > first)
    sound = multiply(p, edges, first, out);
  else if (p->automaton->stuck_ends)
    return;
  else
    stutter(p, bare, edges, out);
  if (sound > 0 && (edges > 1 || p->to[0] != from)) out->moved = true;
}

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  struct product *p = inside(s);
  const uint64_t *bare = tag_bare(&p->tag, state);
  uint32_t from = tag_get(&p->tag, state);
  struct sys_fault fault = {0};
  uint64_t atoms = 0;
  if (p->claim.states[from].looks) fault = look(p, bare, &atoms);
  if (fault.kind != SYS_NO_FAULT) {
    append(p, bare, (struct sys_step){.instance = SYS_STUTTER, .site = fault.id}, 0, out);
    return;
  }
  size_t edges = claim_moves(&p->claim, from, atoms, p->to);
  if (edges > 0) step(p, bare, from, edges, out);
}

// --- what is asked of a state ---

static bool accepts(struct sys *s, const uint64_t *state) {
  struct product *p = inside(s);
  const struct claim_state *c = &p->claim.states[tag_get(&p->tag, state)];
  if (!c->accepting || p->claim.accept_atom < 0) return c->accepting || c->final;
  uint64_t atoms;
  struct sys_fault fault = look(p, tag_bare(&p->tag, state), &atoms);
  return c->final || (fault.kind == SYS_NO_FAULT && atoms >> p->claim.accept_atom & 1);
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
  pub->weak = p->claim.weak;
  pub->free = release;
  pub->clone = clone;
  pub->expand = expand;
  pub->check = check;
  pub->accepts = accepts;
  pub->claim = claim;
  return pub;
}
