// SPDX-License-Identifier: Apache-2.0
// An array whose items are moved to higher places in place, from the last to the first, by however
// many threads come. They take parts of it, in this order. Who has a part reads it, waits until
// nothing is to be read any more where its new places are, and writes it there. Private to the
// room.
//
// Invariant: a hand says the number of the part that it has to read, or that of one before.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// A thread at work; as many as there may be threads are made before.
struct parts_hand {
  uint64_t unread;
  char apart[56]; // no two share a line of the cache
};

struct part {
  uint64_t number;     // counted from the last items on
  uint64_t first, end; // items
};

struct parts {
  uint64_t items;
  uint64_t each;  // items of a part
  uint64_t begun; // parts
  struct parts_hand *hand;
  unsigned hands_most, hands; // of them, those who have come
};

void parts_init(struct parts *p, uint64_t items, uint64_t each, struct parts_hand *hands,
                unsigned hands_most);

// A thread that comes gets a hand; NULL: there are enough.
struct parts_hand *parts_join(struct parts *p);
// Its next part, when the one before is written. False: all have been taken.
bool parts_take(struct parts *p, struct parts_hand *hand, struct part *part);
// The part is read: others may write there.
void parts_read(struct parts_hand *hand, const struct part *part);
// Until all items from `item` on that parts taken before had are read.
void parts_await(const struct parts *p, const struct part *part, uint64_t item);
// Until all parts are written, by those who got none any more.
void parts_await_all(const struct parts *p);
