// SPDX-License-Identifier: Apache-2.0
// Private to the room: memory. Each object of the program that is used, and each object that an
// allocation may give, is a variable of the IR: a scalar, array or record as in C. A pointer in it
// is the number of what it points to, beside an offset (in scalars) where that is not always known.
#pragma once

#include "front/c/lower.h"

struct c_thing { // what a pointer can point to
  const char *name;
  const struct c_type *type; // NULL: a function
  struct span span;
  uint32_t target; // of the analysis
  uint32_t id;     // how pointers in memory name it; 0: none does
  bool is_unsigned, is_heap, is_used;
  const struct c_object *object; // NULL: of an allocation, or a function
  struct ir_var *var;
  struct ir_var *set;    // the same with a truth value for each scalar: somebody set it; NULL
  struct ir_var *status; // of one that comes and goes; NULL: it stays
};
enum { C_STATUS_NONE, C_STATUS_HERE, C_STATUS_FREED };

// --- things (memory.c, memory_type.c) ---
void c_memory_declare(struct c_lower *w);
void c_memory_start(struct c_lower *w); // initial values, into the start rule
// All things that a target stands for: `count` of them from the one that comes back on.
uint32_t c_target_things(struct c_lower *w, uint32_t target, uint32_t *count);
const struct ir_type *c_memory_type(struct c_lower *w, const struct c_thing *t, bool set);
const struct ir_type *c_memory_pointer_type(struct c_lower *w, const struct c_facts *f);
void c_memory_pointer_names(struct c_lower *w);
const struct c_facts *c_thing_facts(struct c_lower *w, const struct c_thing *t, uint64_t scalar);

// --- addresses (memory_address.c, memory_move.c) ---
struct c_address *c_address_new(struct c_lower *w);
const struct c_type *c_address_root(struct c_lower *w, const struct c_address *a); // NULL: unknown
struct c_address *c_memory_flat(struct c_lower *w, const struct c_address *a);     // without steps
struct ir_expr *c_sum(struct c_lower *w, struct ir_expr *a, struct ir_expr *b);
struct ir_expr *c_times(struct c_lower *w, struct ir_expr *a, uint64_t n);
struct c_address *c_memory_address(struct c_lower *w, const struct c_value *v);
struct c_address *c_memory_gep(struct c_lower *w, const struct c_instruction *i);
struct c_address *c_memory_select(struct c_lower *w, struct ir_expr *c, struct c_address *a,
                                  struct c_address *b, const struct c_facts *f);
// The address of a scalar inside of element `element` of type t at this address.
struct c_address *c_memory_part(struct c_lower *w, const struct c_address *a,
                                const struct c_type *t, uint64_t element, uint64_t scalar);
struct ir_expr *c_address_object(struct c_lower *w, const struct c_address *a);
struct ir_expr *c_address_offset(struct c_lower *w, const struct c_address *a);
struct ir_expr *c_memory_compare(struct c_lower *w, const struct c_instruction *i);
struct ir_expr *c_memory_difference(struct c_lower *w, const struct c_instruction *i);
// A pointer in memory, or in a register's variable, of which these facts are known.
struct c_address *c_memory_get_pointer(struct c_lower *w, struct ir_expr *place,
                                       const struct c_facts *f);
void c_memory_put_pointer(struct c_lower *w, struct ir_expr *place, const struct c_address *a,
                          struct span span);

// --- reading and writing (memory_access.c, memory_way.c) ---
struct c_way {          // a place that an address may be of
  struct ir_expr *when; // NULL: always
  uint32_t thing;
  struct c_step *steps;
  uint32_t step_count;
  const struct c_type *type;
};
struct c_ways {
  struct c_way *data;
  size_t count, capacity;
};
// After checks that it can be followed to a scalar of this type.
void c_memory_ways(struct c_lower *w, struct c_address *a, const struct c_type *t, struct span span,
                   struct c_ways *out);
struct ir_expr *c_quotient(struct c_lower *w, const struct ir_expr *e, int64_t less, int64_t by);
struct ir_expr *c_way_place(struct c_lower *w, const struct c_way *y, bool set);
void c_memory_load(struct c_lower *w, const struct c_instruction *i);
void c_memory_store(struct c_lower *w, const struct c_instruction *i);
// `set`: was it set? NULL: it must be; what comes out may be NULL, for sure.
struct ir_expr *c_memory_read(struct c_lower *w, struct c_address *a, const struct c_type *t,
                              struct ir_expr **set, struct span span);
struct c_address *c_memory_read_pointer(struct c_lower *w, struct c_address *a,
                                        const struct c_facts *f, const struct c_type *t,
                                        struct ir_expr **set, struct span span);
struct c_written {
  struct ir_expr *expr;      // an integer
  struct c_address *pointer; // or this
  struct ir_expr *set;       // is it something that somebody set? NULL: yes
};
void c_memory_write(struct c_lower *w, struct c_address *a, const struct c_type *t,
                    struct c_written v, struct span span);
// The steps to a scalar of a type.
uint32_t c_scalar_steps(struct c_lower *w, const struct c_type *t, uint64_t scalar,
                        struct c_step **out);
bool c_is_first_step(const struct c_step *s); // to the first element or field
const struct c_type *c_step_type(const struct c_type *t, const struct c_step *s);

// --- what can go wrong (check_pointer.c) ---
struct ir_expr *c_is_within(struct c_lower *w, const struct ir_expr *e, uint64_t count);
// Is it this thing that the address is of, if it can be followed? NULL: surely.
struct ir_expr *c_is_object(struct c_lower *w, const struct c_address *a, uint32_t thing);
struct ir_expr *c_implied(struct c_lower *w, const struct ir_expr *when, struct ir_expr *e);
// Of one without a path `offset` is stored; NULL: facts tell it.
void c_check_pointer(struct c_lower *w, const struct c_address *a, const struct ir_expr *offset,
                     struct span span);

// --- objects that come and go (memory_heap.c), many scalars at once (memory_copy.c) ---
void c_memory_allocate(struct c_lower *w, const struct c_instruction *i);
void c_memory_free(struct c_lower *w, const struct c_instruction *i);
void c_memory_enter(struct c_lower *w, const struct c_instruction *i);
void c_memory_leave(struct c_lower *w, const struct c_instruction *i);
void c_memory_leaks(struct c_lower *w, struct span span); // where the program ends
void c_memory_set(struct c_lower *w, const struct c_instruction *i);
void c_memory_move(struct c_lower *w, const struct c_instruction *i);
// How many choices ENTER or an allocation takes: one for each integer that nobody set.
uint64_t c_memory_any_count(struct c_lower *w, const struct c_instruction *i);
const struct ir_type *c_memory_any_type(struct c_lower *w, const struct c_instruction *i,
                                        uint64_t number);
