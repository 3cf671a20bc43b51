// SPDX-License-Identifier: Apache-2.0
// The parts of an exact store that its files share. Private to it.
#pragma once

#include "store/gate.h"
#include "store/kind.h"
#include "store/pace.h"
#include "store/packed.h"
#include "store/parts.h"
#include "store/region.h"
#include "store/thin.h"

#ifdef FATHOM_SMALL
enum { CHUNK = 4, EXACT_CUT_FIRST = 40 };
#else
enum {
  CHUNK = 128,             // states whose probes are under way together
  EXACT_CUT_FIRST = 13000, // states to choose pieces by
};
#endif

struct exact {
  struct store base;
  struct gate gate;
  unsigned threads;
  bool shared; // threads > 1: then the regions of states and payloads never move
  size_t payload_bytes;
  struct region states, payload, slots;
  // What follows changes only while the gate is closed.
  struct thin thin;
  struct region tables; // of its pieces
  uint64_t cut_at;      // states: then it is cut into pieces, or cut again
  struct packed packed;
  size_t shape;   // words of a thin state, if few enough to be a constant; else 0
  uint64_t moved; // states, when thin ones became wider
  struct index index;
  struct pace pace; // at which it grows
  bool stretched;   // it grows no more
  uint64_t room;    // states that fit without growing
  uint64_t block;   // ids that a writer takes at a time
  struct exact_writer *writers;
  struct parts_hand *hands; // of those who move states or slots: one for each thread
  pthread_mutex_t numbers;  // for giving some to values while others are inside
  char apart[64];           // from what writers change while they are inside
  uint64_t promised;        // states: the sum of all writers' limits
  uint64_t ids;             // taken by writers
};

// States get the next of the writer's own ids.
struct exact_writer {
  struct store_writer base;
  struct exact_writer *next;
  unsigned users;           // 0: free for the next thread that wants one
  uint64_t id, id_end;      // its own ids; one who is alone has all
  uint64_t id_ready;        // up to here their memory was asked for
  uint64_t count;           // states that it inserted
  uint64_t limit;           // until it must ask again
  uint64_t *thin;           // a chunk of states
  uint64_t hash[2 * CHUNK]; // of the states to be inserted next
  size_t hashed;            // so many
  char apart[64];           // from other writers
};

// While others write, no more than there are.
uint64_t exact_states(const struct exact *e);
// Ids that may have been used: all below.
uint64_t exact_ids(const struct exact *e);
// Has a writer taken that id and not used it?
bool exact_id_idle(const struct exact *e, uint64_t id);

// The array of states has another form from now on.
void exact_set_packed(struct exact *e, const struct packed *packed);
// Writes states from the first one of a block on.
void exact_write_block(const struct packed *to, uint64_t first, size_t count, const uint64_t *thin);

// What widening needs, allocated while the gate is open: who unwinds must not leave it closed.
struct exact_widening {
  struct thin wide, between;
  uint64_t *states; // of a part, for each thread
};
void exact_widening_init(struct exact_widening *x, const struct exact *e);
void exact_widening_free(struct exact_widening *x);

// Makes thin states wide enough for some that do not all fit; false, and all is as before, when the
// limits do not allow that. `sparing`: no bit more than that takes. With the gate closed. There may
// be less room after it.
bool exact_widen(struct exact *e, struct exact_widening *x, const uint64_t *states, size_t count,
                 bool sparing);

// What cutting into pieces needs, allocated in the same way.
struct exact_cutting {
  struct thin thin;
  struct region tables;
  size_t sample_max;
  uint64_t *sample; // states
  uint64_t *block;  // of states, whole and thin
};
void exact_cutting_init(struct exact_cutting *x, const struct exact *e);
void exact_cutting_free(struct exact_cutting *x);

// Are there enough states to cut them into pieces? Fewer are when there is no room for more.
bool exact_cut_due(const struct exact *e, bool full);
// Does it, if it pays. With the gate closed.
bool exact_cut(struct exact *e, struct exact_cutting *x);

// Gives the index another size, in place; its region holds that many already. With the gate closed:
// those who wait help. False when there is no memory to do it in: nothing has changed then.
bool exact_grow(struct exact *e, uint64_t slots, bool wide);
