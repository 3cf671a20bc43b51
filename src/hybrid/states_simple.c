// SPDX-License-Identifier: Apache-2.0
// Polyhedra joined into one set, of fewer where that is easily seen. Only those that touch each
// other are tried: others rarely become one, and where two points far from each other do, their
// line hides from later steps that they are points.
#include "hybrid/states_own.h"

#define GROUP_MAX 16   // tried together
#define MANY      4000 // of more than these none is tried

struct box {
  zset *set; // NULL: it is in another one
  const zint *lo, *hi;
  uint32_t cluster; // the first of those that it hangs together with
};

static bool is_point(const struct box *b, unsigned dims) {
  for (unsigned i = 0; i < dims; i++)
    if (b->lo[i] != b->hi[i]) return false;
  return true;
}

// At most one apart in every coordinate.
static bool touch(const struct box *a, const struct box *b, unsigned dims) {
  for (unsigned i = 0; i < dims; i++)
    if (a->lo[i] > b->hi[i] + 1 || b->lo[i] > a->hi[i] + 1) return false;
  return true;
}

static bool same(const struct box *a, const struct box *b, unsigned dims) {
  for (unsigned i = 0; i < dims; i++)
    if (a->lo[i] != b->lo[i] || a->hi[i] != b->hi[i]) return false;
  return true;
}

static uint32_t root(struct box *boxes, uint32_t i) {
  while (boxes[i].cluster != i) i = boxes[i].cluster = boxes[boxes[i].cluster].cluster;
  return i;
}

static void cluster(struct box *boxes, size_t count, unsigned dims) {
  for (uint32_t i = 0; i < count; i++) {
    bool point = is_point(&boxes[i], dims);
    for (uint32_t k = 0; k < i && boxes[i].set; k++) {
      if (!boxes[k].set || !touch(&boxes[i], &boxes[k], dims)) continue;
      if (point && same(&boxes[i], &boxes[k], dims)) {
        zset_take(&boxes[i].set, NULL);
      } else {
        uint32_t a = root(boxes, i), b = root(boxes, k);
        boxes[a > b ? a : b].cluster = a > b ? b : a;
      }
    }
  }
}

// As a tree: to add them one by one would copy the first ones again and again.
static zset *joined(struct states *s, zset *const *sets, size_t count, unsigned dims) {
  if (count == 0) return zset_none(s->presburger, dims);
  if (count == 1) return zset_copy(sets[0]);
  zset *a = joined(s, sets, count / 2, dims);
  zset *b = joined(s, sets + count / 2, count - count / 2, dims);
  zset *r = zset_join(a, b);
  zset_drop(a);
  zset_drop(b);
  return r;
}

typedef VEC(zset *) zset_list;

// Those that hang together with the first one, a group at a time; what comes out is added.
static void take_cluster(struct states *s, struct box *boxes, size_t count, uint32_t first,
                         unsigned dims, zset_list *out) {
  zset *group[GROUP_MAX];
  size_t n = 0;
  for (uint32_t i = first; i <= count; i++) {
    bool last = i == count;
    if (!last && (!boxes[i].set || root(boxes, i) != first)) continue;
    if (n == GROUP_MAX || (last && n)) {
      zset *all = joined(s, group, n, dims);
      VEC_PUSH(out, n > 1 ? zset_simple(s->presburger, all) : zset_copy(all));
      zset_drop(all);
      for (; n > 0; n--) zset_drop(group[n - 1]);
    }
    if (last) return;
    group[n++] = boxes[i].set;
    boxes[i].set = NULL;
  }
}

// Splits the sets into polyhedra with their bounds; false: there are none to be had.
static bool find_boxes(struct box *boxes, size_t count, zint *bounds, unsigned dims) {
  for (uint32_t i = 0; i < count; i++) {
    zint *lo = bounds + 2 * (size_t)dims * i, *hi = lo + dims;
    for (unsigned k = 0; k < dims; k++) lo[k] = INT64_MIN, hi[k] = INT64_MAX;
    boxes[i].lo = lo;
    boxes[i].hi = hi;
    boxes[i].cluster = i;
    if (!zset_bounds(boxes[i].set, lo, hi)) return false;
  }
  return true;
}

static zset *simple(struct states *s, struct box *boxes, size_t count, unsigned dims) {
  zint *bounds = mem_alloc((2 * dims * count + 1) * sizeof *bounds);
  zset_list out = {0};
  if (count <= MANY && find_boxes(boxes, count, bounds, dims)) {
    cluster(boxes, count, dims);
    for (uint32_t i = 0; i < count; i++)
      if (boxes[i].set) take_cluster(s, boxes, count, root(boxes, i), dims, &out);
  }
  for (size_t i = 0; i < count; i++)
    if (boxes[i].set) VEC_PUSH(&out, boxes[i].set);
  zset *r = joined(s, out.data, out.count, dims);
  for (size_t i = 0; i < out.count; i++) zset_drop(out.data[i]);
  VEC_CLEAR(&out);
  mem_free(bounds);
  return r;
}

zset *states_join(struct states *s, zset *const *sets, size_t count) {
  unsigned dims = zset_dims(sets[0]);
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    if (!sets[i]) return NULL;
    n += zset_polyhedra(sets[i]);
  }
  if (n < 2 || states_stopped(s)) return joined(s, sets, count, dims);
  zset **each = mem_zalloc(n + 1, sizeof *each);
  struct box *boxes = mem_zalloc(n + 1, sizeof *boxes);
  for (size_t i = 0, at = 0; i < count; at += zset_polyhedra(sets[i++]))
    zset_split(sets[i], each + at);
  bool whole = true; // where isl's work has ended some are missing
  for (size_t i = 0; i < n; i++) whole &= each[i] != NULL;
  for (size_t i = 0; i < n; i++) boxes[i].set = each[i];
  zset *r = simple(s, boxes, n, dims);
  if (!whole) zset_take(&r, NULL);
  mem_free(each);
  mem_free(boxes);
  return r;
}
