// SPDX-License-Identifier: Apache-2.0
// The concrete system: starts, successors, checks of packed states. Two implementations give the
// same states in the same order with the same numbers: the interpreter (the meaning) and native
// code.
#pragma once

#include "base/base.h"

struct ir_model;
struct ir_layout;

// One successor. site != 0: firing it failed there, and its words are not a state.
struct sys_step {
  uint32_t instance; // rule instance (start instance for starts)
  uint32_t choice;
  uint32_t site;
};

// A caller's buffer for the successors of one state (or the start states). Grown by
// sys_out_reserve.
struct sys_out {
  uint64_t *words; // count * sys->words
  struct sys_step *steps;
  size_t count, capacity;
  uint64_t
      fired;  // rules fired without fault, those whose successor a global assumption drops included
  bool moved; // some fired rule led to a state other than the source (stuttering deadlock)
  // Set by the caller: tell how elements of scalarsets are renamed on the way to a successor. A
  // system that does so (sys->renames) then puts renames->each numbers per successor here.
  bool follow;
  uint32_t *renames;
  size_t renames_capacity; // numbers
  uint64_t *covers;        // bit set over properties: IR_COVER statements reached; or-ed into
  size_t words_per_state;
  // Set by the caller: it does not grow beyond so many bytes from the successor `first` on, where
  // those of the state begin; 0: no limit.
  size_t bytes_max, first;
};
void sys_out_init(struct sys_out *o, size_t words_per_state, size_t properties);
void sys_out_clear(struct sys_out *o);
void sys_out_reset(struct sys_out *o);             // count, fired, moved to zero; covers stay
void sys_out_reserve(struct sys_out *o, size_t n); // room for n more
// For systems that rename: room for a renaming of `each` elements per successor that has room.
void sys_out_reserve_renames(struct sys_out *o, size_t each);

enum sys_fault_kind { SYS_NO_FAULT, SYS_PROPERTY, SYS_SITE };
struct sys_fault {
  enum sys_fault_kind kind;
  uint32_t id; // property index or error site (evaluating the property failed)
};

enum sys_native_mode { SYS_AUTO, SYS_INTERPRETED, SYS_NATIVE };

struct sys_config {
  enum sys_native_mode mode;
  double interpret_seconds; // AUTO: interpret this long before the compiler is started
  double wait_seconds;      // NATIVE: how long to wait for the compiler; 0 = as long as it takes
  bool no_cache;
};

// The scalarsets whose elements a reduction renames. The elements of all of them are numbered
// through: those of a set from `first` on, by rank (value - type->lo). A renaming gives for every
// element the number of the one that it has become.
struct sys_renames {
  size_t each; // elements
  size_t count;
  struct {
    const struct ir_type *type;
    uint32_t first;
  } set[];
};

// Who is asked now and then inside a long expansion. False: the expansion unwinds as one does that
// runs out of memory. NULL: it goes on however long it takes.
struct sys_asking {
  bool (*goes_on)(void *context);
  void *context;
};

// A system whose steps are chains of steps of the model (reduce/reduce.h): what it tells, and is
// told. A step's instance then is that of the first step of the chain, and its choice is its number
// among all that the expansion of that state gives, failed ones included.
struct sys_chains {
  size_t bytes;        // held beside the caller's buffer
  bool lists;          // set by the caller: list
  VEC(uint32_t) fired; // the instances of all steps of the model in the last expansion
};

struct sys {
  const struct ir_model *model;
  size_t words;            // per packed state
  size_t bytes;            // of them in use
  bool native;             // native code is in use now
  bool compiling;          // a compiler is at work beside the search
  const void *native_impl; // the native functions' own, after native_attach
  double compile_seconds;
  const struct sys_renames *renames; // NULL: elements keep their names
  struct sys_chains *chains;         // NULL: a step is a step of the model
  struct sys_asking *asking;         // NULL: no expansion takes long
  const char *note;                  // "no C compiler found (cc); running interpreted", or NULL
  // what sys_poll and sys_free do; a reduction that wraps a system has its own
  void (*poll)(struct sys *s);
  void (*free)(struct sys *s);
  struct sys *(*clone)(struct sys *s);
  // all start states, each with its step; assumptions applied
  void (*starts)(struct sys *s, struct sys_out *out);
  // Appends all successors of one state to out (count is not reset), assumptions applied. A guard
  // or body that fails appends a step with its site.
  void (*expand)(struct sys *s, const uint64_t *state, struct sys_out *out);
  // Only where a step is a chain (NULL elsewhere): the steps of the model that a step from `state`
  // with this choice stands for, appended to out, each with the state that it leads to. False:
  // there is no such step.
  bool (*unfold)(struct sys *s, const uint64_t *state, uint32_t choice, struct sys_out *out);
  // First violated invariant of a state.
  struct sys_fault (*check)(struct sys *s, const uint64_t *state);
  // Covers that hold in a state are or-ed into bits (over properties).
  struct sys_fault (*covers)(struct sys *s, const uint64_t *state, uint64_t *bits);
  // Atoms of a state as a bit set (the first 64). A fault: evaluating one failed.
  struct sys_fault (*atoms)(struct sys *s, const uint64_t *state, uint64_t *bits);
  // The model's ample conditions that hold in a state, as a bit set.
  uint64_t (*ample)(struct sys *s, const uint64_t *state);
  // Is a state that has no successors a valid end? False as well when that cannot be evaluated.
  bool (*may_end)(struct sys *s, const uint64_t *state);
  // Of a product with an automaton (NULL elsewhere). Does a run that passes this state again and
  // again violate the property? In which state is the automaton?
  bool (*accepts)(struct sys *s, const uint64_t *state);
  uint32_t (*claim)(struct sys *s, const uint64_t *state);
  // Of a product: no cycle has both states that it accepts and others, those aside that are passed
  // through.
  bool weak;
};

// The instance of a step of a product in which only the automaton moves: the model is stuck, and
// its last state goes on for ever.
#define SYS_STUTTER UINT32_MAX

// A system around another, such as a reduction; its first member, so that all three pointers are
// one.
struct sys_wrapper {
  struct sys pub;
  struct sys *inner;
  bool owns_inner; // a clone has a clone of it
};
// Hands everything on to inner but expand, free and clone, which are the wrapper's own.
void sys_wrap(struct sys_wrapper *w, struct sys *inner);
void sys_unwrap(struct sys_wrapper *w); // frees what it owns of inner

struct ir_automaton;
// The product of a system with an automaton over its atoms (state-based), docs/ltl.md. A step is a
// step of `inner`, with its numbers, after which the automaton stands where one of the edges led
// that the state left allowed. Its state lies in the bytes behind inner's. Where inner has no step
// to a state, failed ones aside, and no failed one either, the model stutters, unless the automaton
// says stuck_ends. Where a transient state is passed through the automaton does not move, as in
// SPIN's atomic sequences, and accepts nothing. `property` is what check names where the automaton
// is in a final state; evaluating an atom that fails is a failed step whose instance is
// SYS_STUTTER. Inner stays the caller's, is used by nobody else meanwhile, and is freed after.
struct sys *sys_product_new(struct sys *inner, const struct ir_automaton *a, uint32_t property);
// Weak fairness over the agents of a product's steps: its states in copies, by Choueka's counter
// (docs/ltl.md); accepts only where a cycle is accepted and lets no agent wait for ever that could
// always move. Likewise.
struct sys *sys_fair_new(struct sys *product);

struct sys *sys_new(const struct ir_model *m, const struct sys_config *c);
void sys_free(struct sys *s);
// AUTO: starts the compiler when the model turned out not to be small, and switches over to the
// compiled code when it is ready. Searches call it once per batch; cheap.
void sys_poll(struct sys *s);
// The same system for another thread: shares the model and compiled code, has its own interpreter.
// Made, and freed, while no other thread uses the original; freed before it. Polling it takes over
// the compiled code that the original got; only the original looks after the compiler.
struct sys *sys_clone(struct sys *s);
// Fires one instance with one choice in place through the interpreter. For replay and simulate, and
// for what sys_new made: a reduction has steps of its own. Returns an ir_outcome.
int sys_fire(struct sys *s, bool start, uint32_t instance, uint32_t choice, uint64_t *state);
// The same with the values of the rule's choices.
int sys_fire_values(struct sys *s, bool start, uint32_t instance, const int64_t *choices,
                    uint64_t *state);

// C code that came with a model, compiled and loaded. `folder` is where its includes are looked
// for. NULL: why is a sentence's end, and messages are what the compiler said.
struct sys_library;
struct sys_library *sys_library_new(const char *code, const char *folder, struct text *why,
                                    struct text *messages);
void *sys_library_symbol(const struct sys_library *l, const char *name); // NULL: it has none
void sys_library_free(struct sys_library *l);

// The generated C, for `fathom show --c`.
void sys_print_c(struct text *out, const struct ir_model *m);
