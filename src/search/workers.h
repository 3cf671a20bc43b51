// SPDX-License-Identifier: Apache-2.0
// The workers of a search and the threads they work in. Private to the room.
#pragma once

#include <stdbool.h>

struct search;
struct search_worker;

// Makes worker 0, which works in the caller's thread. After the store is there.
void workers_init(struct search *s);
// What several workers write goes under this lock; never held while a worker works on.
void workers_lock(struct search *s);
void workers_unlock(struct search *s);
// Ends the threads; the workers can still be looked at.
void workers_join(struct search *s);
void workers_clear(struct search *s);

// Makes the other workers and their threads, as many as s->threads says or as the system gives
// (s->worker_count says how many there are then). Unless it was done before; the first
// workers_together does it for those who do not care.
void workers_start(struct search *s);

// Should this worker rest a while? All cores are taken, and a compiler is at work for the search.
// It is asked while it works, and polls its system in between.
bool worker_in_the_way(const struct search_worker *w);

// Lets every worker do this at once, worker 0 in the caller's thread, and comes back when all are
// done; between two calls they rest. A worker that runs out of memory stops the search, and is
// done. While worker 0 waits for the others it goes on looking at the budget.
void workers_together(struct search *s, void (*work)(struct search_worker *w));
// Worker 0 alone, with the same boundary.
void workers_alone(struct search *s, void (*work)(struct search_worker *w));
