// SPDX-License-Identifier: Apache-2.0
// Threads that search. Private to the room.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

// With a stack as large as the main thread's, and all signals left to that. False: the system gives
// no more.
bool search_thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

// How many cores this thread may use; 0: the system does not tell.
unsigned search_thread_cores(void);
// Puts this thread and others each on a core of its own, if they take all cores that there are: the
// system wakes a thread where its waker runs, and takes a while to see that another core is idle.
// NULL: it was not done. To be undone by the same thread.
struct search_cores *search_threads_part(const pthread_t *threads, unsigned count);
void search_threads_join(struct search_cores *c);

// A condition that is waited for until search_thread_soon.
void search_thread_cond_init(pthread_cond_t *c);
struct timespec search_thread_soon(int ms);
