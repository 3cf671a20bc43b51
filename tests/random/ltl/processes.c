// SPDX-License-Identifier: Apache-2.0
// Random models of a few processes. Either each process has its own program, and its rules name it
// by number; or all have the same one, and a parameter of the rules names the process.
#include "random/ltl/processes.h"

#define NOWHERE       ((struct span){0})
#define PROCESSES_MAX 4
#define PLACES_MAX    6

struct channel {
  const struct ir_var *slots, *used;
  uint32_t capacity;
  int32_t sender, receiver; // the only process that may; -1: any
};

struct maker {
  struct ir_model *m;
  struct rng rng;
  const bool *cut;
  uint32_t rules;
  uint32_t processes, places;
  bool alike;                              // all processes have the same program
  bool rings;                              // each process goes round through its locations
  uint32_t sociable;                       // percent: how often a step concerns others
  const struct ir_var *at[PROCESSES_MAX];  // locations; alike: at[0] is an array
  const struct ir_var *own[PROCESSES_MAX]; // a variable of its own, likewise; or NULL
  const struct ir_var *shared[3];          // or NULL
  struct channel channels[2];              // capacity 0: there is none
  const struct ir_var *holder;             // who is in an atomic sequence: its number + 1; or NULL
  bool atomic[PROCESSES_MAX][PLACES_MAX];  // locations inside atomic sequences
  const struct ir_type *value, *places_type; // of variables, of locations
  const struct ir_type *index;               // of the processes
};

// The process whose rule is being made: a number, or a parameter of the rule.
struct who {
  uint32_t number;
  const struct ir_local *param;
};

static uint32_t below(struct maker *k, uint32_t n) { return (uint32_t)rng_below(&k->rng, n); }
static bool chance(struct maker *k, uint32_t percent) { return below(k, 100) < percent; }

// ---------------------------------------------------------------------------------------------
// Expressions

static struct ir_expr *number(struct maker *k, int64_t v) { return ir_int(k->m, v, NOWHERE); }
static struct ir_expr *binary(struct maker *k, enum ir_op op, struct ir_expr *a,
                              struct ir_expr *b) {
  return ir_binary(k->m, op, a, b, NOWHERE);
}
static struct ir_expr *equals(struct maker *k, struct ir_expr *a, int64_t v) {
  return binary(k, IR_EQ, a, number(k, v));
}
static struct ir_expr *both(struct maker *k, struct ir_expr *a, struct ir_expr *b) {
  if (!a || !b) return a ? a : b;
  return binary(k, IR_AND, a, b);
}
static struct ir_expr *plain(struct maker *k, const struct ir_var *v) {
  return ir_var_ref(k->m, v, NOWHERE);
}

static struct ir_expr *self(struct maker *k, struct who w) {
  return w.param ? ir_local_ref(k->m, w.param, NOWHERE) : number(k, w.number);
}

static struct ir_expr *of_process(struct maker *k, const struct ir_var *const *vars, struct who w) {
  if (!k->alike) return plain(k, vars[w.number]);
  return ir_index(k->m, plain(k, vars[0]), self(k, w), NOWHERE);
}

static bool has_own(const struct maker *k, struct who w) {
  return k->own[k->alike ? 0 : w.number] != NULL;
}

// A variable of the process, or one that all share.
static struct ir_expr *variable(struct maker *k, struct who w, bool local) {
  if (local && has_own(k, w)) return of_process(k, k->own, w);
  uint32_t i = below(k, 3);
  return plain(k, k->shared[i] ? k->shared[i] : k->shared[0]);
}

static struct ir_expr *element(struct maker *k, const struct channel *c, struct ir_expr *i) {
  return ir_index(k->m, plain(k, c->slots), i, NOWHERE);
}

static struct ir_expr *condition(struct maker *k, struct who w) {
  struct ir_expr *v = variable(k, w, !chance(k, k->sociable)), *c = equals(k, v, below(k, 3));
  if (chance(k, 40)) c = ir_unary(k->m, IR_NOT, c, NOWHERE);
  if (!k->alike && chance(k, k->sociable / 8)) {
    struct who other = {.number = below(k, k->processes)};
    c = both(k, c, equals(k, of_process(k, k->at, other), below(k, k->places)));
  }
  return c;
}

static struct ir_expr *some_value(struct maker *k, struct who w) {
  uint32_t what = below(k, 4);
  if (what < 2) return number(k, below(k, 3));
  struct ir_expr *v = variable(k, w, what == 2 || !chance(k, k->sociable));
  if (what == 2) return v;
  return binary(k, IR_MOD, binary(k, IR_ADD, v, number(k, 1)), number(k, 3));
}

// ---------------------------------------------------------------------------------------------
// What a step does

struct action {
  struct ir_expr *guard;
  struct ir_chain body;
};

static void assign(struct maker *k, struct action *a, struct ir_expr *to, struct ir_expr *value) {
  ir_chain_add(&a->body, ir_assign(k->m, to, value, NOWHERE));
}

static void do_send(struct maker *k, struct action *a, const struct channel *c, struct who w) {
  a->guard = binary(k, IR_LT, plain(k, c->used), number(k, c->capacity));
  assign(k, a, element(k, c, plain(k, c->used)), some_value(k, w));
  assign(k, a, plain(k, c->used), binary(k, IR_ADD, plain(k, c->used), number(k, 1)));
}

static void do_receive(struct maker *k, struct action *a, const struct channel *c, struct who w) {
  a->guard = binary(k, IR_GT, plain(k, c->used), number(k, 0));
  if (chance(k, 30))
    a->guard = both(k, a->guard, equals(k, element(k, c, number(k, 0)), below(k, 3)));
  else
    assign(k, a, variable(k, w, chance(k, 70)), element(k, c, number(k, 0)));
  for (uint32_t i = 0; i + 1 < c->capacity; i++)
    assign(k, a, element(k, c, number(k, i)), element(k, c, number(k, i + 1)));
  assign(k, a, element(k, c, number(k, c->capacity - 1)), number(k, 0));
  assign(k, a, plain(k, c->used), binary(k, IR_SUB, plain(k, c->used), number(k, 1)));
}

static void do_message(struct maker *k, struct action *a, struct who w) {
  const struct channel *c = &k->channels[below(k, 2)];
  if (c->capacity == 0) c = &k->channels[0];
  bool may_send = c->sender < 0 || c->sender == (int32_t)w.number;
  bool may_receive = c->receiver < 0 || c->receiver == (int32_t)w.number;
  if (may_send && (!may_receive || chance(k, 50)))
    do_send(k, a, c, w);
  else if (may_receive)
    do_receive(k, a, c, w);
}

static void do_something(struct maker *k, struct action *a, struct who w) {
  bool others = chance(k, k->sociable);
  if (others && chance(k, 35) && k->channels[0].capacity > 0)
    do_message(k, a, w);
  else if (others)
    assign(k, a, variable(k, w, false), some_value(k, w));
  else if (has_own(k, w) && chance(k, 70))
    assign(k, a, variable(k, w, true), some_value(k, w));
}

// ---------------------------------------------------------------------------------------------
// Rules

static struct ir_rule *begin_rule(struct maker *k, struct who *w) {
  const char *name = arena_printf(k->m->arena, "step %u", k->rules);
  struct ir_rule *r = ir_rule_new(k->m, false, name, NOWHERE);
  r->agent = k->alike ? -1 : (int32_t)w->number;
  if (k->alike) {
    struct ir_local *l = ir_local_new(k->m, &r->frame, IR_LOCAL_BOUND, "self", k->index, NOWHERE);
    l->domain = ir_domain_type(k->m, k->index);
    r->param_count = 1;
    r->agent_param = 0;
    w->param = l;
  }
  return r;
}

static void end_rule(struct maker *k, struct ir_rule *r, struct action *a) {
  r->guard = a->guard;
  r->body = a->body.first;
  if (k->cut && k->cut[k->rules]) k->m->rules.count--;
  k->rules++;
}

// Nobody else is inside an atomic sequence.
static struct ir_expr *undisturbed(struct maker *k, struct who w) {
  if (!k->holder) return NULL;
  struct ir_expr *mine = binary(k, IR_ADD, self(k, w), number(k, 1));
  return binary(k, IR_OR, equals(k, plain(k, k->holder), 0),
                binary(k, IR_EQ, plain(k, k->holder), mine));
}

// The process goes to its location `to`.
static void go_to(struct maker *k, struct action *a, struct who w, uint32_t to) {
  assign(k, a, of_process(k, k->at, w), number(k, to));
  if (!k->holder) return;
  bool stays = k->atomic[k->alike ? 0 : w.number][to];
  assign(k, a, plain(k, k->holder),
         stays ? binary(k, IR_ADD, self(k, w), number(k, 1)) : number(k, 0));
}

static void add_step(struct maker *k, struct who w, uint32_t from) {
  struct ir_rule *r = begin_rule(k, &w);
  struct action a = {0};
  do_something(k, &a, w);
  bool inside = k->holder && k->atomic[k->alike ? 0 : w.number][from];
  if (chance(k, inside || k->rings ? 15 : 35)) a.guard = both(k, a.guard, condition(k, w));
  a.guard = both(k, equals(k, of_process(k, k->at, w), from), a.guard);
  a.guard = both(k, a.guard, undisturbed(k, w));
  go_to(k, &a, w, chance(k, k->rings ? 97 : 70) ? (from + 1) % k->places : below(k, k->places));
  end_rule(k, r, &a);
}

// A step of two: the sender takes it, and leaves an atomic sequence by it.
static void add_rendezvous(struct maker *k) {
  struct who w = {.number = below(k, k->processes)}, other = w;
  while (other.number == w.number) other.number = below(k, k->processes);
  struct ir_rule *r = begin_rule(k, &w);
  struct action a = {0};
  r->lines = ARENA_ARRAY(k->m->arena, struct ir_line, 2);
  r->line_count = 2;
  r->lines[0] = (struct ir_line){.text = "send", .process = "p", .agent = (int32_t)w.number};
  r->lines[1] = (struct ir_line){.text = "receive", .process = "q", .agent = (int32_t)other.number};
  a.guard = both(k, equals(k, of_process(k, k->at, w), below(k, k->places)),
                 equals(k, of_process(k, k->at, other), below(k, k->places)));
  a.guard = both(k, a.guard, undisturbed(k, w));
  if (chance(k, 70)) assign(k, &a, variable(k, other, true), some_value(k, w));
  go_to(k, &a, w, below(k, k->places));
  go_to(k, &a, other, below(k, k->places));
  end_rule(k, r, &a);
}

static void add_program(struct maker *k, struct who w) {
  for (uint32_t from = 0; from < k->places; from++)
    for (uint32_t i = chance(k, k->rings ? 0 : 6) ? 0 : 1 + chance(k, k->rings ? 10 : 35); i > 0;
         i--)
      add_step(k, w, from);
}

// ---------------------------------------------------------------------------------------------
// Declarations

static const struct ir_var *declare(struct maker *k, const char *name, uint32_t i,
                                    const struct ir_type *t) {
  return ir_var_new(k->m, arena_printf(k->m->arena, "%s%u", name, i), t, NOWHERE);
}

static void declare_processes(struct maker *k) {
  struct ir_model *m = k->m;
  k->index = ir_type_range(m, 0, k->processes - 1);
  k->value = ir_type_range(m, 0, 2);
  k->places_type = ir_type_range(m, 0, k->places - 1);
  if (k->alike) {
    k->at[0] = declare(k, "at", 0, ir_type_array(m, k->index, k->places_type));
    if (chance(k, 70)) k->own[0] = declare(k, "own", 0, ir_type_array(m, k->index, k->value));
    return;
  }
  for (uint32_t i = 0; i < k->processes; i++) {
    struct ir_var *at = ir_var_new(m, arena_printf(m->arena, "at%u", i), k->places_type, NOWHERE);
    at->is_location = true;
    at->agent = (int32_t)i;
    k->at[i] = at;
    if (chance(k, 60)) k->own[i] = declare(k, "own", i, k->value);
  }
}

static void declare_channel(struct maker *k, uint32_t i) {
  struct channel *c = &k->channels[i];
  c->capacity = 1 + below(k, 2);
  c->sender = !k->alike && chance(k, 60) ? (int32_t)below(k, k->processes) : -1;
  c->receiver = !k->alike && chance(k, 60) ? (int32_t)below(k, k->processes) : -1;
  const struct ir_type *index = ir_type_range(k->m, 0, c->capacity - 1);
  c->slots = declare(k, "slots", i, ir_type_array(k->m, index, k->value));
  c->used = declare(k, "used", i, ir_type_range(k->m, 0, c->capacity));
}

static void declare_atomics(struct maker *k) {
  if (!chance(k, 35)) return;
  k->holder = declare(k, "holder", 0, ir_type_range(k->m, 0, k->processes));
  k->m->transient = k->holder;
  for (uint32_t i = 0; i < k->processes; i++)
    for (uint32_t p = 1; p < k->places; p++) k->atomic[i][p] = chance(k, 35);
}

static void declare_all(struct maker *k) {
  declare_processes(k);
  for (uint32_t i = 0, n = 1 + below(k, 2); i < n; i++)
    k->shared[i] = declare(k, "shared", i, k->value);
  for (uint32_t i = 0, n = below(k, 3); i < n; i++) declare_channel(k, i);
  declare_atomics(k);
}

// One start, now and then two: everything is 0, or the first shared variable is 1.
static void add_starts(struct maker *k) {
  for (uint32_t i = 0, n = chance(k, 15) ? 2 : 1; i < n; i++) {
    struct ir_rule *r = ir_rule_new(k->m, true, i == 0 ? "start" : "other start", NOWHERE);
    struct action a = {0};
    for (size_t v = 0; v < k->m->vars.count; v++)
      ir_chain_add(&a.body, ir_clear(k->m, plain(k, k->m->vars.data[v]), NOWHERE));
    if (i == 1) assign(k, &a, plain(k, k->shared[0]), number(k, 1));
    r->body = a.body.first;
  }
}

struct ir_model *processes_model(uint64_t seed, const bool *cut, uint32_t *rules) {
  struct maker k = {.m = ir_model_new("processes", "ir"), .cut = cut};
  rng_init(&k.rng, seed);
  k.processes = 2 + below(&k, 2) + chance(&k, 15);
  k.places = k.processes > 3 ? 2 : k.processes > 2 ? 2 + below(&k, 3) : 3 + below(&k, 4);
  k.alike = chance(&k, 30);
  k.rings = chance(&k, 40);
  k.sociable = (uint32_t[]){3, 8, 20, 50}[below(&k, 4)];
  declare_all(&k);
  add_starts(&k);
  if (k.alike) add_program(&k, (struct who){0});
  for (uint32_t i = 0; !k.alike && i < k.processes; i++) add_program(&k, (struct who){.number = i});
  for (uint32_t i = k.alike ? 0 : below(&k, 3); i > 0; i--) add_rendezvous(&k);
  k.m->deadlock = IR_DEADLOCK_STUCK;
  *rules = k.rules;
  return k.m;
}
