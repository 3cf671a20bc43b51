// SPDX-License-Identifier: Apache-2.0
// Setting up a gate. Who wants to close it goes before those who come later to pass it.
#define _GNU_SOURCE
#include "store/gate.h"

void gate_init(struct gate *g, bool shared) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
#ifdef __GLIBC__
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
  pthread_rwlock_init(&g->lock, &attributes);
  pthread_rwlockattr_destroy(&attributes);
  g->shared = shared;
}

void gate_destroy(struct gate *g) { pthread_rwlock_destroy(&g->lock); }
