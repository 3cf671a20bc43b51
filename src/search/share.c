// SPDX-License-Identifier: Apache-2.0
// How depth-first workers share their stacks. Every other state that waits to be visited is given
// away, from the bottom of the stack up: what lies there is likely to lead to most. What lies below
// it is then only a path, which both stacks continue from there on: so no step is taken off a stack
// twice, however often something is given away.
#include "search/dfs.h"

#include "store/store.h"

#ifdef FATHOM_SMALL
enum { ENOUGH = 3, PART_MOST = 5, SPAN = 4, SEEK_MOST = 8 };
#else
enum {
  ENOUGH = 16,      // states to give away, if there are as many;
  PART_MOST = 1024, // of one frame at most
  SPAN = 64,        // frames among which they are gathered
  SEEK_MOST = 256,  // states that are looked up, about, to find the first of these frames
};
#endif

static size_t open_of(const struct dfs *d, size_t i) {
  return dfs_end(d, i) - d->frames.data[i].next;
}

// --- what to give away ---

// Takes the states that are known by now out of those that a frame has still to visit. What is left
// moves up to the end of the frame, and the step that was taken last goes with it.
static void sift_frame(struct search_worker *w, size_t k) {
  struct dfs *d = w->own;
  struct frame *f = &d->frames.data[k];
  size_t words = w->search->words, begin = f->next, left = dfs_end(d, k);
  const uint64_t *ids = dfs_seek(w, begin, left - begin);
  struct sys_step last = f->next > f->first ? d->out.steps[f->next - 1] : (struct sys_step){0};
  for (size_t i = left; i-- > begin;) {
    if (ids[i - begin] != STORE_ABSENT) continue;
    left--;
    words_copy(d->out.words + left * words, d->out.words + i * words, words);
    d->out.steps[left] = d->out.steps[i];
  }
  if (k + d->rise > 0) w->revisits += left - begin;
  if (left > f->first) d->out.steps[left - 1] = last;
  f->next = left;
}

// Finds the lowest frame that has something to visit which is not known, or the top frame, and
// remembers that there is nothing below it. False: there is nothing at all, or it takes long.
static bool find_open(struct search_worker *w) {
  struct dfs *d = w->own;
  for (size_t looked = 0; d->spent < dfs_top(d); d->spent++) {
    size_t open = open_of(d, d->spent);
    if (open == 0) continue;
    if (looked >= SEEK_MOST) return false;
    looked += open;
    sift_frame(w, d->spent);
    if (open_of(d, d->spent) > 0) return true;
  }
  return d->spent == dfs_top(d);
}

// Every other of the states of one frame after the other; `odd` is left over.
static size_t part_of(const struct dfs *d, size_t i, bool *odd) {
  size_t sum = open_of(d, i) + *odd;
  *odd = sum % 2;
  return sum / 2 < PART_MOST ? sum / 2 : PART_MOST;
}

// What goes into a parcel: parts of the frames from low to high. Only those of the lowest are known
// to be worth it: who receives the others will see.
struct split {
  size_t low, high, states;
  bool odd; // to begin with
};

// The top frame keeps what it has, unless there is no other; if it has nothing, something is left
// in the others.
static struct split plan(const struct dfs *d) {
  size_t top = dfs_top(d), low = d->spent;
  size_t last = low == top ? top : top - low > SPAN ? low + SPAN : top - 1;
  struct split s = {.low = low, .high = low, .odd = low < top && open_of(d, top) > 0};
  bool odd = s.odd;
  s.states = part_of(d, low, &odd);
  while (s.high < last && s.states < ENOUGH) {
    s.high++;
    s.states += part_of(d, s.high, &odd);
  }
  return s;
}

// --- giving it away ---

// An empty parcel with room for so many frames and states; the path gets one more use.
static struct dfs_parcel *parcel_new(struct steal *s, struct path *path, size_t frames,
                                     size_t states, size_t words) {
  struct dfs_parcel *p;
  size_t words_bytes = states * words * sizeof *p->words, frames_bytes = frames * sizeof *p->frames;
  p = steal_parcel(s, sizeof *p + words_bytes + frames_bytes + states * sizeof *p->steps);
  p->path = path_share(path);
  p->count = p->frame_count = 0;
  p->frames = (struct frame *)((char *)p->words + words_bytes);
  p->steps = (struct sys_step *)((char *)p->frames + frames_bytes);
  return p;
}

void dfs_drop(struct steal *s, struct parcel *p) {
  path_drop(((struct dfs_parcel *)p)->path, &s->held);
  steal_parcel_free(s, p);
}

// What lies below frame k becomes a path.
static void leave_below(struct dfs *d, size_t k) {
  if (k == d->bottom) return;
  struct path *p = path_new(d->path, k - d->bottom, &d->steal->held);
  for (size_t i = 0; i < p->count; i++) p->steps[i] = dfs_step(d, d->bottom + i);
  d->path = p;
  d->bottom = k;
}

// The first `count` states that frame i has still to visit; before them, if another frame follows,
// the step that leads there.
static void pack(struct dfs *d, size_t i, size_t count, bool another, struct dfs_parcel *p) {
  struct frame *f = &d->frames.data[i];
  size_t words = d->out.words_per_state, at = p->count;
  if (another) p->steps[at] = d->out.steps[f->next - 1];
  memcpy(p->words + (at + another) * words, d->out.words + f->next * words,
         count * words * sizeof(uint64_t));
  memcpy(p->steps + at + another, d->out.steps + f->next, count * sizeof *p->steps);
  p->frames[p->frame_count++] = (struct frame){at, at + another};
  p->count += another + count;
  if (f->next > f->first) d->out.steps[f->next + count - 1] = d->out.steps[f->next - 1];
  f->next += count;
}

// Moves the stack down when there is more room below it than it takes: no more is moved, in all,
// than was pushed.
static void move_down(struct dfs *d) {
  size_t words = d->out.words_per_state, each = words * sizeof(uint64_t) + sizeof(struct sys_step);
  size_t below = d->bottom, dead = d->frames.data[below].first;
  size_t frames = d->frames.count - below, live = d->out.count - dead;
  if (below * sizeof(struct frame) + dead * each <= frames * sizeof(struct frame) + live * each)
    return;
  memmove(d->out.words, d->out.words + dead * words, live * words * sizeof(uint64_t));
  memmove(d->out.steps, d->out.steps + dead, live * sizeof *d->out.steps);
  for (size_t i = 0; i < frames; i++) {
    struct frame f = d->frames.data[below + i];
    d->frames.data[i] = (struct frame){f.first - dead, f.next - dead};
  }
  d->out.count = live;
  d->frames.count = frames;
  d->rise += below;
  d->spent -= below;
  d->bottom = 0;
}

void dfs_share(struct search_worker *w) {
  struct dfs *d = w->own;
  if (!find_open(w)) return;
  struct split s = plan(d);
  if (s.states == 0) return;
  leave_below(d, s.low);
  size_t frames = s.high - s.low + 1;
  struct dfs_parcel *p =
      parcel_new(d->steal, d->path, frames, s.states + frames - 1, w->search->words);
  for (size_t i = s.low; i <= s.high; i++) pack(d, i, part_of(d, i, &s.odd), i < s.high, p);
  assert(p->count == s.states + frames - 1);
  move_down(d);
  steal_give(d->steal, &p->base);
}

// --- receiving ---

static void unpack(struct search_worker *w) {
  struct dfs *d = w->own;
  struct dfs_parcel *p = d->parcel;
  sys_out_reserve(&d->out, p->count);
  memcpy(d->out.words, p->words, p->count * w->search->words * sizeof(uint64_t));
  memcpy(d->out.steps, p->steps, p->count * sizeof *p->steps);
  d->out.count = p->count;
  for (size_t i = 0; i < p->frame_count; i++) VEC_PUSH(&d->frames, p->frames[i]);
  d->path = path_share(p->path);
  d->rise = path_length(p->path);
  d->parcel = NULL;
  dfs_drop(d->steal, &p->base);
}

bool dfs_receive(struct search_worker *w) {
  struct dfs *d = w->own;
  path_drop(d->path, &d->steal->held);
  d->path = NULL;
  d->out.count = d->frames.count = d->bottom = d->spent = 0;
  steal_ask(d->steal);
  for (unsigned turn = 0; !(d->parcel = (void *)steal_take(d->steal, turn)); turn++)
    if (d->steal->over || !dfs_look(w)) return false;
  unpack(w);
  return true;
}
