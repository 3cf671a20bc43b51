// SPDX-License-Identifier: Apache-2.0
// A table from names to pointers, private to the IR's text form. Keys are not copied: they must
// outlive the table.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct ir_names {
  struct ir_name {
    const char *key; // NULL: free slot
    const void *value;
  } * slots;
  size_t count, capacity; // capacity is 0 or a power of two
};

const void *ir_names_get(const struct ir_names *t, const char *key); // NULL when absent
// Adds a name; false, and nothing changes, when it is there already. value must not be NULL.
bool ir_names_add(struct ir_names *t, const char *key, const void *value);
void ir_names_clear(struct ir_names *t);
