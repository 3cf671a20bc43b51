// SPDX-License-Identifier: Apache-2.0
// By how much an index grows. To grow seldom saves time, to grow by little saves memory, and of
// memory the end of the search counts. So an index grows by much as long as the states that wait to
// be expanded become more: the end is far. When they become fewer it grows for as many states as
// will come before none is left. Private to the room.
#pragma once

#include "store/index.h"

// When the index grew last, or now.
struct pace {
  uint64_t count;   // what was in it
  uint64_t waiting; // states; 0: not known
};

// Percent; of a large index, which is more than so many bytes or an eighth of the limit, less.
enum {
  PACE_FAR = 80,     // at most
  PACE_MIDDLE = 40,  // when those that wait neither become more nor fewer
  PACE_RISE = 4,     // for each percent of the new ones by which those that wait become more
  PACE_LARGE = 2,    // what a large index divides these by
  PACE_UNKNOWN = 20, // when nobody says what waits
  PACE_NEAR = 8,     // at least: more than an index can be stretched
  // So full it may become, when the memory limit forbids growing or the end is near.
  STRETCH_PERCENT = 95,
};
#define PACE_LARGE_BYTES ((size_t)64 << 20)

// In `limit` bytes in all; 0: no limit.
static inline bool pace_is_small(uint64_t slots, bool wide, size_t small, size_t limit) {
  size_t bytes = index_bytes(slots, wide);
  return bytes < small && (!limit || bytes < limit / 8);
}

// What waits has become less by `less` while `more` came into the index. If that goes on, so many
// percent of `count` will come; as it goes faster and faster, three tenths of them.
static inline double pace_left(const struct pace *now, uint64_t more, uint64_t less) {
  return 30.0 * (double)now->waiting / (double)less * (double)more / (double)now->count;
}

static inline unsigned pace_to_end(const struct pace *now, uint64_t more, uint64_t less) {
  double percent = pace_left(now, more, less);
  return percent > PACE_MIDDLE ? PACE_MIDDLE : percent < PACE_NEAR ? PACE_NEAR : (unsigned)percent;
}

// What waits has become more by `rise` while `more` came.
static inline unsigned pace_onward(uint64_t more, uint64_t rise) {
  double percent = PACE_MIDDLE + 100.0 * PACE_RISE * (double)rise / (double)more;
  return percent > PACE_FAR ? PACE_FAR : (unsigned)percent;
}

static inline bool pace_is_known(const struct pace *last, const struct pace *now) {
  return now->waiting && last->waiting && now->count > last->count;
}

// Will so few come that an index with place for `percent` more need not grow again?
static inline bool pace_ends(const struct pace *last, const struct pace *now, unsigned percent) {
  return pace_is_known(last, now) && now->waiting < last->waiting &&
         pace_left(now, now->count - last->count, last->waiting - now->waiting) < percent;
}

static inline unsigned pace_percent(const struct pace *last, const struct pace *now, bool large) {
  if (!pace_is_known(last, now)) return PACE_UNKNOWN;
  uint64_t more = now->count - last->count;
  unsigned part = large ? PACE_LARGE : 1;
  if (now->waiting >= last->waiting) return pace_onward(more, now->waiting - last->waiting) / part;
  unsigned end = pace_to_end(now, more, last->waiting - now->waiting);
  return end < PACE_MIDDLE / part ? end : PACE_MIDDLE / part;
}

// Slots of an index of that many that grows, in `limit` bytes in all.
static inline uint64_t pace_grown(const struct pace *last, const struct pace *now, uint64_t slots,
                                  bool wide, size_t limit) {
  bool large = !pace_is_small(slots, wide, PACE_LARGE_BYTES, limit);
  return whole_lines(slots + slots * pace_percent(last, now, large) / 100);
}

// Of so many slots those that this much memory pays for, with what will be in them: so many bits
// each.
static inline uint64_t pace_affordable(uint64_t slots, bool wide, __uint128_t memory_bits,
                                       uint64_t each_bits) {
  uint64_t hundred_bits = 100 * 8 * index_bytes(1, wide) + STRETCH_PERCENT * each_bits;
  __uint128_t most = 100 * memory_bits / hundred_bits;
  return most < slots ? (uint64_t)most / LINE * LINE : slots;
}
