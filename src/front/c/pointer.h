// SPDX-License-Identifier: Apache-2.0
// Private to the room: what pointers may point to. Andersen's analysis without regard to the order
// of the program: facts of every register and of every scalar in memory (all elements of an array
// are one). Offsets count scalars, and are known up to a multiple of something (Granger's
// congruences): so that a pointer into an array of structures knows which field it is at.
#pragma once

#include "front/c/program.h"

// To `rest + k * modulus` scalars inside of a target, for some k; modulus 0: just there.
struct c_fact {
  uint32_t target;
  int64_t rest, modulus;
};
struct c_facts {
  struct c_fact *data; // ascending by target
  size_t count, capacity;
};

// Targets: null, then the objects of the program, then its allocations, then its functions.
enum { C_TARGET_NULL, C_TARGET_OBJECTS };

struct c_allocation {
  const struct c_instruction *call;
  const struct c_type *type; // of one object that it gives; NULL: not known
  const char *unable;        // why not
  bool is_repeated;          // the program may come to it more than once
};

struct c_points {
  const struct c_program *p;
  const bool *unset;
  struct c_facts *registers;
  struct c_facts *classes;
  uint32_t *first_class; // by target
  uint32_t class_count;
  VEC(struct c_allocation) allocations;
};

// unset: by object, a plain one that may be read before it is set.
struct c_points *c_points_new(struct c_program *p, const bool *unset);
void c_points_free(struct c_points *s);
uint32_t c_target_object(uint32_t object);
uint32_t c_target_allocation(const struct c_points *s, uint32_t allocation);
uint32_t c_target_function(const struct c_points *s, uint32_t function);
const struct c_type *c_target_type(const struct c_points *s, uint32_t target); // NULL: none
void c_value_facts(const struct c_points *s, const struct c_value *v, struct c_facts *out);
bool c_facts_add(struct c_facts *f, struct c_fact x); // true: that is new
const struct c_fact *c_facts_find(const struct c_facts *f, uint32_t target);
// Does one of them not tell exactly where?
bool c_facts_vary(const struct c_facts *f);

// --- scalars of a type, depth first ---
uint64_t c_scalars(const struct c_type *t);
const struct c_type *c_scalar_type(const struct c_type *t, uint64_t scalar);
uint64_t c_scalar_bytes(const struct c_type *t, uint64_t scalar); // where it is
uint64_t c_byte_scalar(const struct c_type *t, uint64_t byte);    // the first there, or behind
uint32_t c_classes(const struct c_type *t);
uint32_t c_scalar_class(const struct c_type *t, uint64_t scalar);
uint64_t c_field_scalar(const struct c_type *t, uint32_t field); // its first
bool c_is_scalar(const struct c_type *t);
// Bytes of each scalar, where all are as large and nothing is between; else 0.
uint64_t c_type_unit(const struct c_type *t);
// Do elements of type `element` fit into memory of type t, so that moving by one of them is moving
// by its scalars?
bool c_type_holds(const struct c_type *t, const struct c_type *element);
