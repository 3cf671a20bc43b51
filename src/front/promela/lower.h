// SPDX-License-Identifier: Apache-2.0
// Lowering: a resolved program and a plan become IR. One context goes through it. First the seats
// and channels get their variables, then every edge of every seat becomes rules.
//
// Two questions are asked of an edge, always for a seat: when is it executable (an expression), and
// what does it do (statements). Everything else (else, timeout, unless, atomic, d_step, priorities)
// is put together from these two.
#pragma once

#include "front/promela/plan.h"
#include "front/promela/program.h"
#include "front/promela/promela.h"
#include "ir/ir.h"

// Values of a byte: which of them it may have.
struct numbers {
  uint64_t bits[4];
  bool any; // nothing is known; bits are 0 then
};

// A proctype that may run under a pid: its variable, and what of it is known beforehand.
struct seat {
  int32_t c_field; // the first field of var that is memory of c_state
  const struct pml_proc *proc;
  struct plan_seat *plan;
  uint32_t pid;
  uint32_t number;            // among the seats
  const struct ir_var *var;   // a record: _p, then the locals that are not constant
  const char *shown;          // "sender(1)"
  bool at_start;              // there when the model starts
  bool ends;                  // its last state can be reached
  bool dies;                  // it can end there, and then leaves the seat empty
  bool empty;                 // it is not always there
  uint32_t places;            // values of _p: 1..places
  uint32_t *place;            // by state: its value of _p; 0: no step stops there
  bool *held;                 // by state: the process may be there in the midst of an atomic
  int32_t *field;             // by local: its field of var; -1: it is a constant
  int64_t *value;             // by local: the constant
  uint32_t *channel;          // by local: the first channel it declares, in lower.channels
  struct numbers *numbers;    // by local, of bytes
  int32_t priority_field;     // -1: none
  struct ir_function *can[2]; // "this process can go on", also at timeout; once asked for
};

// The channels that one declaration makes.
struct channel {
  const struct pml_symbol *sym;
  const struct pml_channel *decl;
  const struct seat *seat; // NULL: global
  const char *name;
  uint32_t first, count;    // their numbers: first, first + 1, ...
  const struct ir_var *var; // NULL: rendezvous; a record, or an array of them
  bool is_array;
  struct numbers *numbers; // by field, of bytes: what its messages hold
};

struct embed;
struct lower_c_expr { // a c_expr for a seat, as a function
  uint32_t number;
  const struct seat *seat;
  struct ir_function *function;
};

enum { LOWER_CONSTANTS = 256 };

struct lower {
  struct ir_model *m;
  struct diag *d;
  const struct pml_program *prog;
  struct promela_plan *plan;
  const struct promela_config *config;
  VEC(struct seat *) seats; // by pid, then by proctype
  VEC(struct channel) channels;
  // types
  const struct ir_type *bit, *u8, *i16, *i32;
  VEC(const struct ir_type *) unsigneds; // by bits
  VEC(const struct ir_type *) records;   // by structure
  VEC(const struct ir_type *) mtypes;    // bytes that show the names of a set
  VEC(const char *) mtype_sets;
  // variables
  VEC(const struct ir_var *) globals; // by symbol; NULL: a constant
  VEC(uint32_t) global_channel;       // by symbol: the first channel it declares, in channels
  const struct ir_var *atomic, *nr_pr, *last;
  int64_t nr_pr_value;            // when it is no variable
  struct ir_function *no_channel; // fails: there is no such channel
  VEC(int64_t) initial;           // by global scalar: its value at the start
  struct numbers *global_numbers; // by symbol, of bytes
  bool initialising;              // these are being found: names of globals mean them
  // embedded C
  const struct embed *embed;           // NULL: none
  VEC(const struct ir_var *) memories; // by memory of c_state and c_track; NULL: not a variable
  VEC(struct lower_c_expr) c_exprs;
  // where the walk is
  const struct seat *seat; // whose statement or expression this is; NULL: nobody's
  struct ir_frame *frame;  // of the rule or function that is being made
  bool timeout;            // what timeout means just now
  bool in_claim;           // what is being made is a condition of a claim or formula
  struct ir_expr *created; // what `run` means just now: the new process's number
  bool half_idle;          // some rule can go on at timeout, but not only then
  uint32_t temporaries;
  struct ir_expr *constants[LOWER_CONSTANTS]; // made last, by what they say
};

// --- lower_type.c ---
void lower_types(struct lower *w);
const struct ir_type *lower_scalar_type(struct lower *w, const struct pml_type *t);
const struct ir_type *lower_symbol_type(struct lower *w, const struct pml_symbol *s);
const struct pml_type *lower_element(const struct pml_symbol *s); // what one of its elements holds
// The value as C brings it into a variable of that type.
struct ir_expr *lower_fit(struct lower *w, const struct pml_type *t, struct ir_expr *x);
int64_t lower_fit_value(const struct pml_type *t, int64_t v);
// Every scalar inside becomes 0.
void lower_zero(struct lower *w, struct ir_expr *place, struct ir_chain *out, struct span span);

// --- lower_build.c: small things that simplify as they build ---
struct ir_expr *lower_const(struct lower *w, const struct ir_type *t, int64_t v, struct span span);
struct ir_expr *lower_number(struct lower *w, int64_t v, struct span span);
struct ir_expr *lower_true(struct lower *w);
struct ir_expr *lower_false(struct lower *w);
bool lower_is_true(const struct ir_expr *e);
bool lower_is_false(const struct ir_expr *e);
struct ir_expr *lower_and(struct lower *w, struct ir_expr *a, struct ir_expr *b);
struct ir_expr *lower_or(struct lower *w, struct ir_expr *a, struct ir_expr *b);
struct ir_expr *lower_not(struct lower *w, struct ir_expr *a);
struct ir_expr *lower_ite(struct lower *w, struct ir_expr *c, struct ir_expr *a, struct ir_expr *b);
struct ir_expr *lower_binary(struct lower *w, enum ir_op op, struct ir_expr *a, struct ir_expr *b,
                             struct span span);
struct ir_expr *lower_equal(struct lower *w, struct ir_expr *a, int64_t v);
struct ir_expr *lower_int32(struct lower *w, struct ir_expr *a);
bool lower_safe(const struct ir_expr *e); // evaluating it cannot fail
struct ir_expr *lower_index(struct lower *w, struct ir_expr *base, struct ir_expr *i,
                            struct span span);
void lower_assign(struct lower *w, struct ir_expr *lhs, struct ir_expr *rhs, struct ir_chain *out,
                  struct span span);
void lower_fail(struct lower *w, enum ir_fault fault, const char *message, struct ir_chain *out,
                struct span span);
// A fresh local that holds the value from here on.
struct ir_expr *lower_temporary(struct lower *w, struct ir_expr *value, struct ir_chain *out);

// --- lower_static.c ---
// The value of an expression that is the same in every state, for the seat whose it is.
bool lower_static(const struct lower *w, const struct ast_expr *e, int64_t *value);
bool lower_static_symbol(const struct lower *w, const struct pml_symbol *s, int64_t *value);
// The values that global scalars start with.
void lower_initial_values(struct lower *w);

// --- lower_numbers.c ---
void lower_numbers(struct lower *w); // finds what variables and messages may hold
// What an expression of the seat's may be; and whether that is one of these channels.
struct numbers lower_numbers_of(struct lower *w, const struct ast_expr *e);
bool lower_has_number(const struct numbers *n, uint32_t v); // v: 0..255
bool lower_may_be(const struct numbers *n, const struct channel *c);

// --- lower_place.c ---
// Where a variable is; for one that is a constant, its value.
struct ir_expr *lower_place(struct lower *w, const struct ast_expr *e);
// Hidden, and never read: it is left out.
bool lower_left_out(const struct pml_symbol *s);
const struct pml_type *lower_place_type(const struct ast_expr *e, const struct pml_symbol **last);
struct ir_expr *lower_local(struct lower *w, const struct seat *s, const struct pml_symbol *sym,
                            struct span span);
struct ir_expr *lower_at(struct lower *w, const struct seat *s); // its _p

// --- lower_expr.c ---
struct ir_expr *lower_value(struct lower *w, const struct ast_expr *e); // a number
struct ir_expr *lower_cond(struct lower *w, const struct ast_expr *e);  // a Boolean
bool lower_mentions(const struct ast_expr *e, enum ast_op op);

// --- lower_process.c: expressions about other processes ---
struct ir_expr *lower_remote_label(struct lower *w, const struct ast_expr *e);
struct ir_expr *lower_remote_variable(struct lower *w, const struct ast_expr *e);
struct ir_expr *lower_pc_value(struct lower *w, const struct ast_expr *e);
struct ir_expr *lower_enabled(struct lower *w, const struct ast_expr *e);
struct ir_expr *lower_get_priority(struct lower *w, const struct ast_expr *e);
void lower_set_priority(struct lower *w, const struct ast_stmt *s, struct ir_chain *out);
struct ir_expr *lower_nonprogress(struct lower *w); // nobody is at a progress label
struct ir_expr *lower_np(struct lower *w);          // np_: in claims, nor is everybody stuck
struct ir_expr *lower_timeout(struct lower *w);
struct ir_expr *lower_priority(struct lower *w, const struct seat *s, struct span span);
// The process can take a step by itself (or by sending to a partner); whether it is allowed to by
// its provided clause and priority is not asked.
struct ir_expr *lower_can(struct lower *w, const struct seat *s);

// --- lower_channel.c ---
// What a channel expression may stand for.
struct chan_ref {
  const struct channel *known; // one of this declaration; NULL: of any
  struct ir_expr *index;       // known: which of them, from 0
  struct ir_expr *number;      // the channel's number, as an expression
  struct numbers may;          // what that may be
  struct span span;
};
void lower_channels(struct lower *w);          // numbers them
void lower_channel_variables(struct lower *w); // gives the buffered ones their variables
struct chan_ref lower_channel(struct lower *w, const struct ast_expr *e);
// The declaration that the channel is known to belong to, without building anything; NULL: none.
const struct channel *lower_static_channel(const struct lower *w, const struct ast_expr *e);
bool lower_is_rendezvous(const struct channel *c);
// The queue of a buffered channel, and parts of it.
struct ir_expr *lower_queue(struct lower *w, const struct channel *c, struct ir_expr *index,
                            struct span span);
struct ir_expr *lower_queue_length(struct lower *w, struct ir_expr *queue, struct span span);
struct ir_expr *lower_queue_field(struct lower *w, struct ir_expr *queue, struct ir_expr *slot,
                                  uint32_t field, struct span span);
// The number is one of this declaration's, and which of them.
struct ir_expr *lower_is_channel(struct lower *w, const struct channel *c, struct ir_expr *number,
                                 struct ir_expr **index);
// How many fields a statement names: all of them, or in a receive perhaps only the first ones.
struct width {
  uint32_t fields;
  bool at_most;
};
// Asks something of the channel that the reference stands for; those with another number of
// fields do not come into question. Otherwise it is what `none` says.
typedef struct ir_expr *lower_of_channel(struct lower *w, const struct channel *c,
                                         struct ir_expr *index, const void *user);
struct ir_expr *lower_ask_channel(struct lower *w, struct chan_ref r, struct width n,
                                  lower_of_channel *ask, const void *user, struct ir_expr *none);
// Does something with it; what is left stops with an error.
typedef void lower_with_channel(struct lower *w, const struct channel *c, struct ir_expr *index,
                                const void *user, struct ir_chain *out);
void lower_do_channel(struct lower *w, struct chan_ref r, struct width n, lower_with_channel *act,
                      const void *user, struct ir_chain *out);
struct ir_expr *lower_channel_test(struct lower *w, const struct ast_expr *e); // len, full, ...
struct ir_expr *lower_poll(struct lower *w, const struct ast_expr *e);

// --- lower_message.c ---
struct field {                 // of a message, sent or received
  struct ir_expr *place;       // received into; NULL: matched with value, or dropped
  struct ir_expr *value;       // sent, or what must match; NULL: anything
  const struct pml_type *type; // of the place
};
struct message {
  VEC(struct field) fields;
};
void lower_sent(struct lower *w, struct message *m, const struct ast_stmt *s);
void lower_pattern(struct lower *w, struct message *m, struct ast_expr *const *args, uint32_t n);
void lower_message_clear(struct message *m);
// Buffered channels only; rendezvous ones are never executable here.
struct ir_expr *lower_send_executable(struct lower *w, const struct ast_stmt *s);
void lower_send(struct lower *w, const struct ast_stmt *s, struct ir_chain *out);
struct ir_expr *lower_receive_executable(struct lower *w, const struct ast_stmt *s);
void lower_receive(struct lower *w, const struct ast_stmt *s, struct ir_chain *out);
// Some message of the queue matches: the first one, or with random any.
struct ir_expr *lower_match(struct lower *w, const struct channel *c, struct ir_expr *queue,
                            const struct message *m, bool random, struct span span);

// --- lower_rendezvous.c ---
// Can a send or receive be a handshake?
bool lower_may_meet(struct lower *w, const struct seat *s, const struct ast_stmt *stmt);
// The rules of a sending edge, one with each edge that may receive.
void lower_rendezvous(struct lower *w, const struct seat *s, const struct pml_edge *e);
struct ir_expr *lower_rendezvous_executable(struct lower *w, const struct seat *s,
                                            const struct pml_edge *e);

// --- lower_seat.c ---
void lower_seats(struct lower *w);     // from the plan
void lower_constants(struct lower *w); // which of their locals are constant
void lower_deaths(struct lower *w);    // which of them can die
void lower_seat_variables(struct lower *w);
void lower_start(struct lower *w); // the start rule

// --- lower_run.c ---
// Creates a process; nr_pr still is its number afterwards, until lower_created.
void lower_run(struct lower *w, const struct ast_expr *run, struct ir_chain *out);
void lower_created(struct lower *w, struct ir_chain *out, struct span span);
void lower_death(struct lower *w, const struct seat *s, struct ir_chain *out);
// A process sits down; the seat is all 0 before.
void lower_sit(struct lower *w, const struct seat *s, struct ir_expr *const *args, int64_t priority,
               struct ir_chain *out, struct span span);
uint32_t lower_arg_count(struct lower *w, const struct pml_symbol *param); // of a run, for it
// Gives a variable its initial value, where that is not 0.
void lower_initialise(struct lower *w, const struct pml_symbol *s, struct ir_expr *place,
                      struct ir_chain *out);

// --- lower_embed.c ---
void lower_c_variables(struct lower *w);
void lower_c_start(struct lower *w, struct ir_chain *out);
// Memory of a process: fields of its seat, behind all others.
uint32_t lower_c_field_count(const struct lower *w, const struct pml_proc *p);
struct ir_field lower_c_field(struct lower *w, const struct pml_proc *p, uint32_t n);
void lower_c_sit(struct lower *w, const struct seat *s, struct ir_chain *out);
void lower_c_code(struct lower *w, const struct ast_stmt *s, struct ir_chain *out);
struct ir_expr *lower_c_expr(struct lower *w, const struct ast_expr *e);

// --- lower_edge.c ---
// Can it never be taken, whatever the state?
bool lower_edge_dead(struct lower *w, const struct seat *s, const struct pml_edge *e);
// Executable whatever the state, and by itself: it may be merged into the step before.
bool lower_edge_always(struct lower *w, const struct seat *s, const struct pml_edge *e);
// When the edge can be taken by the process alone (without a partner), the process being at its
// start; escapes, atomic and priorities left out.
struct ir_expr *lower_executable(struct lower *w, const struct seat *s, const struct pml_edge *e);
// What taking it does, except for moving the process.
void lower_effect(struct lower *w, const struct seat *s, const struct pml_edge *e,
                  struct ir_chain *out);
// Local variables that nobody reads behind the edge become 0 (if the program was asked for that).
void lower_reset_dead(struct lower *w, const struct seat *s, const struct pml_edge *e,
                      struct ir_chain *out);
struct ir_expr *lower_stmt_executable(struct lower *w, const struct ast_stmt *s);
void lower_stmt_effect(struct lower *w, const struct ast_stmt *s, struct ir_chain *out);
bool lower_edge_mentions(const struct pml_edge *e, enum ast_op op);

// --- lower_escape.c ---
// No escape (unless) that goes before this edge is executable.
struct ir_expr *lower_not_escaped(struct lower *w, const struct seat *s, const struct pml_edge *e);
struct ir_expr *lower_provided(struct lower *w, const struct seat *s);
// What the process as a whole needs: its provided clause, its priority.
struct ir_expr *lower_permitted(struct lower *w, const struct seat *s);
// The edge can be taken, alone or with a partner, by all rules but those of priority.
struct ir_expr *lower_takeable(struct lower *w, const struct seat *s, const struct pml_edge *e);
// Some edge that leaves the state can be.
struct ir_expr *lower_state_takeable(struct lower *w, const struct seat *s, uint32_t state);

// --- lower_dstep.c ---
struct ir_expr *lower_dstep_executable(struct lower *w, const struct seat *s,
                                       const struct pml_edge *e);
void lower_dstep(struct lower *w, const struct seat *s, const struct pml_edge *e,
                 struct ir_chain *out);
// A d_step that begins with a receive may be the partner of a handshake: that receive, or NULL.
const struct pml_edge *lower_dstep_receives(const struct pml_edge *e);
// What it does behind that receive.
void lower_dstep_rest(struct lower *w, const struct seat *s, const struct pml_edge *e,
                      struct ir_chain *out);

// --- lower_rule.c ---
void lower_places(struct lower *w); // which states a step can end in
void lower_rules(struct lower *w);
struct ir_rule *lower_rule_new(struct lower *w, const struct seat *s, const char *name,
                               struct span span);
const char *lower_name(struct lower *w, const struct seat *s); // "sender:1"
// The guard's beginning: nobody else is in the midst of an atomic, and the process is there.
struct ir_expr *lower_there(struct lower *w, const struct seat *s, uint32_t state);
// Moves the process over the edge to where the step ends, doing what is merged into it on the way;
// says whether it goes on atomically.
bool lower_arrive(struct lower *w, const struct seat *s, const struct pml_edge *e,
                  struct ir_rule *rule, struct ir_chain *out);
// Who goes on alone: pid + 1, or 0. was: somebody may have done so before.
void lower_hold(struct lower *w, int64_t who, bool was, struct ir_chain *out);

// --- lower_line.c ---
void lower_line(struct lower *w, struct ir_rule *r, const struct seat *s, const struct pml_edge *e);

// --- lower_atom.c ---
// A condition of claims and formulas: an atom of the model or its opposite, or the same in every
// state.
struct literal {
  bool known, value; // the same
  uint32_t atom;
  bool no; // its opposite
};
// The literal for a condition; equal atoms are one. False: a sentence's end says why there is none.
bool lower_literal(struct lower *w, const struct ast_expr *e, struct literal *out,
                   const char **why);
uint32_t lower_new_atom(struct lower *w, const char *name, struct ir_expr *x);

// --- lower_ltl.c, lower_claim.c ---
void lower_ltl(struct lower *w, const struct pml_ltl *l);
void lower_claim(struct lower *w, const struct pml_proc *c);

// --- lower_property.c ---
void lower_properties(struct lower *w);

// --- lower_model.c ---
void lower_program(struct lower *w);
