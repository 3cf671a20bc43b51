// SPDX-License-Identifier: Apache-2.0
// Threads that search. Private to the room.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

// With a stack as large as the main thread's, and all signals left to that. False: the system gives
// no more.
bool search_thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

// A condition that is waited for until search_thread_soon.
void search_thread_cond_init(pthread_cond_t *c);
struct timespec search_thread_soon(int ms);
