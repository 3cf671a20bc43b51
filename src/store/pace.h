// SPDX-License-Identifier: Apache-2.0
// By how much an index grows. To grow seldom saves time, to grow by little saves memory, and of
// memory the end of the search counts. So an index grows by much as long as the states that wait to
// be expanded become more: the end is far. When they become fewer it grows for as many states as
// will come before none is left. Private to the room.
#pragma once

#include "store/index.h"

// When the index grew last.
struct pace {
  uint64_t count;   // what was in it
  uint64_t waiting; // states; 0: not known
};

// Percent; of a large index, which is more than so many bytes or an eighth of the limit, less.
enum {
  PACE_FAR = 50,
  PACE_MIDDLE = 30,
  PACE_FAR_LARGE = 30,
  PACE_MIDDLE_LARGE = 20,
  PACE_UNKNOWN = 20, // when nobody says what waits
  PACE_NEAR = 8,     // at least: more than an index can be stretched
};
#define PACE_LARGE_BYTES ((size_t)64 << 20)

// In `limit` bytes in all; 0: no limit.
static inline bool index_is_small(uint64_t slots, bool wide, size_t small, size_t limit) {
  size_t bytes = index_bytes(slots, wide);
  return bytes < small && (!limit || bytes < limit / 8);
}

// What waits has become less by `less` while `more` came into the index. If that goes on, so many
// percent of `count` will come; as it goes faster and faster, six tenths of them.
static inline unsigned pace_to_end(uint64_t count, uint64_t waiting, uint64_t more, uint64_t less) {
  double percent = 60.0 * (double)waiting / (double)less * (double)more / (double)count;
  return percent > 100 ? 100 : (unsigned)percent;
}

static inline unsigned pace_percent(const struct pace *last, uint64_t count, uint64_t waiting,
                                    bool large) {
  unsigned far = large ? PACE_FAR_LARGE : PACE_FAR;
  unsigned middle = large ? PACE_MIDDLE_LARGE : PACE_MIDDLE;
  if (!waiting || !last->waiting || count <= last->count) return PACE_UNKNOWN;
  uint64_t more = count - last->count;
  if (waiting >= last->waiting) return (waiting - last->waiting) > more / 50 ? far : middle;
  unsigned end = pace_to_end(count, waiting, more, last->waiting - waiting);
  return end < PACE_NEAR ? PACE_NEAR : end < middle ? end : middle;
}

// Slots of an index of that many that grows.
static inline uint64_t pace_grown(uint64_t slots, unsigned percent) {
  return whole_lines(slots + slots * percent / 100);
}
