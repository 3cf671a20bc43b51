// SPDX-License-Identifier: Apache-2.0
// The concrete system. AUTO takes compiled code that is in the cache at once. Else it begins with
// the interpreter, and goes over to native code between two batches once the model has shown not to
// be small and the compiler is done; both count alike, so a search does not notice.
#include "sys/sys.h"

#include "sys/interp.h"
#include "sys/native.h"

#include <math.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

struct system {
  struct sys pub; // first: the public pointer is this pointer
  struct sys_config config;
  struct interp *interp;
  struct native *native;
  struct system *original; // of a clone; NULL: this is none
  _Atomic bool compiling;  // a compiler is at work
  _Atomic bool ready;      // compiled code is attached: clones may have it too
  bool tried;              // the compiler was started, or cannot be
  double began;
};

static struct system *inside(struct sys *s) { return (struct system *)s; }

// --- buffers ---

void sys_out_init(struct sys_out *o, size_t words_per_state, size_t properties) {
  *o = (struct sys_out){.words_per_state = words_per_state};
  o->covers = mem_zalloc(properties / 64 + 1, sizeof *o->covers);
}

void sys_out_clear(struct sys_out *o) {
  mem_free(o->words);
  mem_free(o->steps);
  mem_free(o->renames);
  mem_free(o->covers);
  *o = (struct sys_out){0};
}

void sys_out_reset(struct sys_out *o) {
  o->count = 0;
  o->fired = 0;
  o->moved = false;
}

void sys_out_reserve(struct sys_out *o, size_t n) {
  if (o->capacity - o->count >= n) return;
  size_t each = o->words_per_state * sizeof *o->words + sizeof *o->steps;
  size_t most = o->bytes_max ? o->first + o->bytes_max / each : SIZE_MAX, least = o->count + n;
  if (o->count >= most) mem_exhausted(least * each);
  size_t capacity = o->capacity ? o->capacity * 2 : 64;
  while (capacity < least) capacity *= 2;
  if (capacity > most) capacity = most > least ? most : least;
  o->words = mem_realloc(o->words, capacity * o->words_per_state * sizeof *o->words);
  o->steps = mem_realloc(o->steps, capacity * sizeof *o->steps);
  o->capacity = capacity;
}

void sys_out_reserve_renames(struct sys_out *o, size_t each) {
  size_t capacity = o->capacity * each;
  if (o->renames_capacity >= capacity) return;
  o->renames = mem_realloc(o->renames, capacity * sizeof *o->renames);
  o->renames_capacity = capacity;
}

// --- the interpreter behind the function pointers ---

static void starts(struct sys *s, struct sys_out *out) { interp_starts(inside(s)->interp, out); }

static void expand(struct sys *s, const uint64_t *state, struct sys_out *out) {
  interp_expand(inside(s)->interp, state, out);
}

static struct sys_fault check(struct sys *s, const uint64_t *state) {
  return interp_check(inside(s)->interp, state);
}

static struct sys_fault covers(struct sys *s, const uint64_t *state, uint64_t *bits) {
  return interp_covers(inside(s)->interp, state, bits);
}

static struct sys_fault atoms(struct sys *s, const uint64_t *state, uint64_t *bits) {
  return interp_atoms(inside(s)->interp, state, bits);
}

static uint64_t ample(struct sys *s, const uint64_t *state) {
  return interp_ample(inside(s)->interp, state);
}

static bool may_end(struct sys *s, const uint64_t *state) {
  return interp_may_end(inside(s)->interp, state);
}

int sys_fire(struct sys *s, bool start, uint32_t instance, uint32_t choice, uint64_t *state) {
  return interp_fire(inside(s)->interp, start, instance, choice, state);
}

int sys_fire_values(struct sys *s, bool start, uint32_t instance, const int64_t *choices,
                    uint64_t *state) {
  return interp_fire_values(inside(s)->interp, start, instance, choices, state);
}

// --- going native ---

// What reading the model and writing C took for a while goes back to the system: a search of a few
// million states would notice.
static void give_back(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

static void start_compiler(struct system *s) {
  const char *why = NULL;
  s->tried = true;
  s->native = native_start(s->pub.model, s->config.no_cache, &why);
  if (!s->native) s->pub.note = why;
  give_back();
}

static void look_at_compiler(struct system *s, double wait_seconds) {
  enum native_status status = native_poll(s->native, wait_seconds);
  s->pub.compiling = status == NATIVE_RUNNING;
  s->compiling = s->pub.compiling;
  switch (status) {
  case NATIVE_RUNNING: break;
  case NATIVE_READY:
    native_attach(s->native, &s->pub);
    s->pub.compile_seconds = native_seconds(s->native);
    s->ready = true;
    break;
  case NATIVE_FAILED: s->pub.note = native_problem(s->native); break;
  }
}

static void poll(struct sys *pub) {
  struct system *s = inside(pub);
  if (pub->native || pub->note || s->config.mode == SYS_INTERPRETED) return;
  if (!s->tried && clock_seconds() - s->began >= s->config.interpret_seconds) start_compiler(s);
  if (s->native) look_at_compiler(s, 0);
}

static void release(struct sys *pub) {
  struct system *s = inside(pub);
  interp_free(s->interp);
  if (s->native) native_free(s->native);
  mem_free(s);
}

// --- clones ---

static struct sys *clone(struct sys *pub);

static struct sys interpreted(const struct ir_model *m) {
  return (struct sys){.model = m,
                      .words = m->layout->words,
                      .bytes = m->layout->bytes,
                      .poll = poll,
                      .free = release,
                      .clone = clone,
                      .starts = starts,
                      .expand = expand,
                      .check = check,
                      .covers = covers,
                      .atoms = atoms,
                      .ample = ample,
                      .may_end = may_end};
}

static void poll_clone(struct sys *pub) {
  struct system *s = inside(pub);
  pub->compiling = s->original->compiling;
  if (!pub->native && s->original->ready) native_attach(s->original->native, pub);
}

static struct sys *clone(struct sys *pub) {
  struct system *original = inside(pub), *s = mem_zalloc(1, sizeof *s);
  if (original->original) original = original->original;
  s->config = original->config;
  s->original = original;
  s->interp = interp_new(pub->model);
  s->pub = interpreted(pub->model);
  s->pub.poll = poll_clone;
  poll_clone(&s->pub);
  return &s->pub;
}

struct sys *sys_clone(struct sys *s) {
  return s->clone(s);
}

struct sys *sys_new(const struct ir_model *m, const struct sys_config *c) {
  struct system *s = mem_zalloc(1, sizeof *s);
  s->config = *c;
  s->began = clock_seconds();
  s->interp = interp_new(m);
  s->pub = interpreted(m);
  if (c->mode == SYS_NATIVE) start_compiler(s);
  if (c->mode == SYS_AUTO && !c->no_cache) s->native = native_from_cache(m);
  if (s->native) look_at_compiler(s, c->wait_seconds > 0 ? c->wait_seconds : HUGE_VAL);
  give_back();
  return &s->pub;
}

void sys_poll(struct sys *s) { s->poll(s); }

void sys_free(struct sys *s) {
  if (s) s->free(s);
}
