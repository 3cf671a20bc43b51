// SPDX-License-Identifier: Apache-2.0
// Sets of values for ir_narrow: an interval with one gap at most. Whatever does not fit into that
// becomes larger, never smaller: of several gaps the largest one stays.
#include "ir/narrow.h"

enum { PARTS_MAX = 4 };

unsigned ir_span_parts(struct ir_span s, struct ir_span parts[2]) {
  if (ir_span_none(s)) return 0;
  parts[0] = (struct ir_span){s.lo, s.hi};
  if (s.missing == 0) return 1;
  parts[0].hi = s.gap - 1;
  parts[1] = (struct ir_span){s.gap + s.missing, s.hi};
  return 2;
}

static void sort(struct ir_span *parts, unsigned n) {
  for (unsigned i = 1; i < n; i++)
    for (unsigned k = i; k > 0 && parts[k].lo < parts[k - 1].lo; k--) {
      struct ir_span swap = parts[k];
      parts[k] = parts[k - 1];
      parts[k - 1] = swap;
    }
}

// Of intervals, which may overlap.
static struct ir_span together(struct ir_span *parts, unsigned n) {
  if (n == 0) return IR_SPAN_NONE;
  sort(parts, n);
  struct ir_span s = {parts[0].lo, parts[0].hi};
  for (unsigned i = 1; i < n; i++) {
    if (parts[i].lo - s.hi - 1 > s.missing) {
      s.gap = s.hi + 1;
      s.missing = parts[i].lo - s.gap;
    }
    if (parts[i].hi > s.hi) s.hi = parts[i].hi;
  }
  return s;
}

struct ir_span ir_span_join_parts(struct ir_span a, struct ir_span b) {
  struct ir_span parts[PARTS_MAX];
  if (ir_span_same(a, b)) return a;
  unsigned n = ir_span_parts(a, parts);
  n += ir_span_parts(b, parts + n);
  return together(parts, n);
}

struct ir_span ir_span_meet_parts(struct ir_span a, struct ir_span b) {
  struct ir_span x[2], y[2], parts[PARTS_MAX];
  unsigned m = ir_span_parts(a, x), n = ir_span_parts(b, y), count = 0;
  for (unsigned i = 0; i < m; i++)
    for (unsigned k = 0; k < n; k++) {
      struct ir_span s = {x[i].lo > y[k].lo ? x[i].lo : y[k].lo,
                          x[i].hi < y[k].hi ? x[i].hi : y[k].hi};
      if (!ir_span_none(s)) parts[count++] = s;
    }
  return together(parts, count);
}

struct ir_span ir_span_hull(struct ir_span a, struct ir_span b) {
  if (ir_span_none(a)) return (struct ir_span){b.lo, b.hi};
  if (ir_span_none(b)) return (struct ir_span){a.lo, a.hi};
  return (struct ir_span){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

struct ir_span ir_span_plus(struct ir_span s, __int128 n) {
  return (struct ir_span){s.lo + n, s.hi + n, s.gap + n, s.missing};
}

struct ir_span ir_span_from(__int128 n, struct ir_span s) {
  return (struct ir_span){n - s.hi, n - s.lo, n - (s.gap + s.missing - 1), s.missing};
}
