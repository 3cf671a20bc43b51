// SPDX-License-Identifier: Apache-2.0
// Growable arrays.  VEC(int) numbers = {0};  VEC_PUSH(&numbers, 3);  numbers.data[0];
// VEC_CLEAR(&numbers); Push may move data: keep indices across pushes, never pointers.
#pragma once

#include "base/mem.h"

#define VEC(type)                                                                                  \
  struct {                                                                                         \
    type *data;                                                                                    \
    size_t count, capacity;                                                                        \
  }

#define VEC_PUSH(v, item)                                                                          \
  do {                                                                                             \
    if ((v)->count == (v)->capacity)                                                               \
      (v)->data = vec_grow((v)->data, &(v)->capacity, sizeof(*(v)->data));                         \
    (v)->data[(v)->count++] = (item);                                                              \
  } while (0)

#define VEC_CLEAR(v)                                                                               \
  do {                                                                                             \
    mem_free((v)->data);                                                                           \
    (v)->data = NULL;                                                                              \
    (v)->count = (v)->capacity = 0;                                                                \
  } while (0)

#define VEC_POP(v) ((v)->data[--(v)->count])
#define VEC_TOP(v) ((v)->data[(v)->count - 1])

void *vec_grow(void *data, size_t *capacity, size_t item_bytes);
