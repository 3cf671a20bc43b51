// SPDX-License-Identifier: Apache-2.0
// The circuit at points in time. A node becomes a literal when somebody asks for it; the bits of
// the next state are literals of the step before, so that no clause says "equal". Where several
// rules may fire each has a literal that says so, exactly one of which is true.
#include "bmc/machine.h"

#include "bmc/machine_own.h"
#include "ir/ir.h"

#include <string.h>

// --- nodes at a time ---

static size_t index_of(bit a) { return (size_t)(a < 0 ? -a : a); }

static lit made(const struct frame *f, bit a) {
  size_t i = index_of(a);
  lit l = i < f->made_count ? f->made[i] : 0;
  return a < 0 ? -l : l;
}

static void make_room(struct frame *f, size_t count) {
  if (count <= f->made_count) return;
  f->made = mem_realloc(f->made, count * sizeof *f->made);
  memset(f->made + f->made_count, 0, (count - f->made_count) * sizeof *f->made);
  f->made_count = count;
}

static lit new_input(struct machine *m, struct frame *f) {
  lit l = sat_var(m->sat);
  VEC_PUSH(&f->inputs, l);
  return l;
}

// The arguments of an and-gate, those of gates that only it has for an argument included.
static void flatten(struct own *o, const struct frame *f, size_t node) {
  size_t at = 0;
  o->flat.count = 0;
  VEC_PUSH(&o->flat, o->circuit.nodes.data[node].arg[0]);
  VEC_PUSH(&o->flat, o->circuit.nodes.data[node].arg[1]);
  while (at < o->flat.count) {
    bit a = o->flat.data[at];
    const struct circuit_node *n = circuit_node(&o->circuit, a);
    if (a < 0 || n->op != CIRCUIT_AND || n->uses > 1 || made(f, a)) {
      at++;
    } else {
      o->flat.data[at] = n->arg[0];
      VEC_PUSH(&o->flat, n->arg[1]);
    }
  }
}

static void gather_arguments(struct own *o, const struct frame *f, size_t node) {
  const struct circuit_node *n = &o->circuit.nodes.data[node];
  if (n->op == CIRCUIT_AND) return flatten(o, f, node);
  o->flat.count = 0;
  for (int i = 0; i < (n->op == CIRCUIT_MUX ? 3 : 2); i++) VEC_PUSH(&o->flat, n->arg[i]);
}

// Its arguments, o->flat, are made.
static lit make_gate(struct own *o, const struct frame *f, enum circuit_op op) {
  for (size_t i = 0; i < o->flat.count; i++) o->flat.data[i] = made(f, o->flat.data[i]);
  const lit *a = o->flat.data;
  if (op == CIRCUIT_AND) return gates_and_all(&o->gates, a, o->flat.count);
  if (op == CIRCUIT_XOR) return gates_xor(&o->gates, a[0], a[1]);
  return gates_mux(&o->gates, a[0], a[1], a[2]);
}

static lit make_input(struct machine *m, struct frame *f, unsigned var) {
  return var < m->bits ? f->bits[var] : new_input(m, f);
}

// Pushes those arguments (o->flat) that are not made; false: all are.
static bool wait_for_arguments(struct own *o, const struct frame *f) {
  size_t before = o->waiting.count;
  for (size_t i = 0; i < o->flat.count; i++)
    if (!made(f, o->flat.data[i])) VEC_PUSH(&o->waiting, (bit)index_of(o->flat.data[i]));
  return o->waiting.count > before;
}

lit own_lit(struct machine *m, size_t time, bit a) {
  struct own *o = m->own;
  struct frame *f = &o->frames.data[time];
  make_room(f, o->circuit.nodes.count);
  f->made[1] = o->gates.yes;
  o->waiting.count = 0;
  VEC_PUSH(&o->waiting, (bit)index_of(a));
  while (o->waiting.count) {
    size_t node = (size_t)VEC_TOP(&o->waiting);
    const struct circuit_node *n = &o->circuit.nodes.data[node];
    if (!f->made[node] && n->op == CIRCUIT_INPUT)
      f->made[node] = make_input(m, f, (unsigned)n->arg[0]);
    if (!f->made[node]) {
      gather_arguments(o, f, node);
      if (wait_for_arguments(o, f)) continue;
      f->made[node] = make_gate(o, f, n->op);
    }
    o->waiting.count--;
  }
  return made(f, a);
}

// --- clauses ---

// The literals of a clause that says one of these: or-gates are taken apart. False: it is true
// anyway.
static bool gather_clause(struct machine *m, size_t time, bit a, bit b) {
  struct own *o = m->own;
  bit_list todo = {0};
  bool open = true;
  VEC_PUSH(&todo, a);
  VEC_PUSH(&todo, b);
  while (todo.count && open) {
    bit e = VEC_POP(&todo);
    const struct circuit_node *n = circuit_node(&o->circuit, e);
    if (e < 0 && n->op == CIRCUIT_AND && !made(&o->frames.data[time], e)) {
      VEC_PUSH(&todo, -n->arg[0]);
      VEC_PUSH(&todo, -n->arg[1]);
      continue;
    }
    lit l = own_lit(m, time, e);
    open = l != o->gates.yes;
    if (l != -o->gates.yes) VEC_PUSH(&o->clauses, l);
  }
  VEC_CLEAR(&todo);
  return open;
}

// False: it cannot be.
static bool add_clause(struct machine *m, size_t time, bit a, bit b) {
  struct own *o = m->own;
  size_t begun = o->clauses.count;
  if (!gather_clause(m, time, a, b)) {
    o->clauses.count = begun;
    return true;
  }
  bool possible = o->clauses.count > begun;
  VEC_PUSH(&o->clauses, 0);
  return possible;
}

// That a gate is true, or that it is not, in clauses over its arguments.
static bool add_need(struct machine *m, size_t time, bit e, bit_list *todo) {
  struct own *o = m->own;
  struct circuit_node n = *circuit_node(&o->circuit, e);
  int sign = e < 0 ? -1 : 1;
  bool known = made(&o->frames.data[time], e) != 0;
  if (e > 0 && n.op == CIRCUIT_AND) {
    VEC_PUSH(todo, n.arg[0]);
    VEC_PUSH(todo, n.arg[1]);
    return true;
  }
  if (n.op == CIRCUIT_XOR && !known)
    return add_clause(m, time, sign * n.arg[0], n.arg[1]) &&
           add_clause(m, time, -sign * n.arg[0], -n.arg[1]);
  if (n.op == CIRCUIT_MUX && !known)
    return add_clause(m, time, -n.arg[0], sign * n.arg[1]) &&
           add_clause(m, time, n.arg[0], sign * n.arg[2]);
  return add_clause(m, time, e, CIRCUIT_FALSE);
}

// What a part needs, as clauses in o->clauses. False: it cannot be at this time.
static bool gather_needs(struct machine *m, size_t time, const bit_list *needs) {
  struct own *o = m->own;
  bit_list todo = {0};
  bool possible = true;
  o->clauses.count = 0;
  for (size_t i = 0; i < needs->count; i++) VEC_PUSH(&todo, needs->data[i]);
  while (todo.count && possible) {
    bit e = VEC_POP(&todo);
    possible = add_need(m, time, e, &todo);
  }
  VEC_CLEAR(&todo);
  return possible;
}

// The clauses of o->clauses hold, or `unless`.
static void assert_needs(struct own *o, lit unless) {
  size_t at = 0;
  while (at < o->clauses.count) {
    o->clause.count = 0;
    VEC_PUSH(&o->clause, unless);
    for (; o->clauses.data[at]; at++) VEC_PUSH(&o->clause, o->clauses.data[at]);
    at++;
    gates_assert(&o->gates, o->clause.data, o->clause.count);
  }
}

// --- which rule fires ---

static void add_selector(struct machine *m, size_t time, bool possible) {
  struct frame *f = &m->own->frames.data[time];
  VEC_PUSH(&f->select, possible ? new_input(m, f) : -m->own->gates.yes);
}

// One literal per part. Where just one is possible it is certain.
static void choose_selectors(struct machine *m, size_t time, const bool *possible, size_t count) {
  struct own *o = m->own;
  struct frame *f = &o->frames.data[time];
  size_t some = 0;
  for (size_t i = 0; i < count; i++) some += possible[i];
  for (size_t i = 0; i < count; i++) {
    if (some == 1 && possible[i])
      VEC_PUSH(&f->select, o->gates.yes);
    else
      add_selector(m, time, possible[i]);
  }
  o->clause.count = 0;
  for (size_t i = 0; some > 1 && i < count; i++)
    if (possible[i]) VEC_PUSH(&o->clause, f->select.data[i]);
  if (some > 1) gates_one_of(&o->gates, o->clause.data, o->clause.count);
}

static const bit_list *needs_of(const struct own *o, size_t i, bit_list *stutter) {
  return i < o->parts.count ? &o->parts.data[i].needs : stutter;
}

// Under which conditions it does: firm machines assert them.
static void constrain_firmly(struct machine *m, size_t time, bit_list *stutter) {
  struct own *o = m->own;
  size_t count = o->parts.count + o->stutters;
  bool *possible = mem_zalloc(count + 1, sizeof *possible);
  for (size_t i = 0; i < count; i++) possible[i] = gather_needs(m, time, needs_of(o, i, stutter));
  choose_selectors(m, time, possible, count);
  const struct frame *f = &o->frames.data[time];
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    any |= possible[i];
    if (!possible[i] || !gather_needs(m, time, needs_of(o, i, stutter))) continue;
    assert_needs(o, -f->select.data[i]);
  }
  if (!any) sat_clause(m->sat, NULL, 0);
  o->frames.data[time].valid = o->gates.yes;
  mem_free(possible);
}

// Loose ones make a literal of them.
static void constrain_loosely(struct machine *m, size_t time, bit_list *stutter) {
  struct own *o = m->own;
  size_t count = o->parts.count + o->stutters;
  bool *possible = mem_zalloc(count + 1, sizeof *possible);
  for (size_t i = 0; i < count; i++) possible[i] = true;
  choose_selectors(m, time, possible, count);
  VEC(lit) all = {0};
  for (size_t i = 0; i < count; i++) {
    VEC(lit) needs = {0};
    const bit_list *edges = needs_of(o, i, stutter);
    for (size_t k = 0; k < edges->count; k++) VEC_PUSH(&needs, own_lit(m, time, edges->data[k]));
    lit ok = gates_and_all(&o->gates, needs.data, needs.count);
    VEC_PUSH(&all, gates_or(&o->gates, -o->frames.data[time].select.data[i], ok));
    VEC_CLEAR(&needs);
  }
  o->frames.data[time].valid =
      count ? gates_and_all(&o->gates, all.data, all.count) : -o->gates.yes;
  VEC_CLEAR(&all);
  mem_free(possible);
}

// --- the next state ---

// None of the parts that write the leaf fires.
static lit keeps(struct own *o, const struct frame *f, const struct leaf_bits *b, lit *known) {
  if (*known) return *known;
  o->clause.count = 0;
  for (size_t i = 0; i < b->writes.count; i++)
    VEC_PUSH(&o->clause, f->select.data[b->writes.data[i].part]);
  *known = -gates_or_all(&o->gates, o->clause.data, o->clause.count);
  return *known;
}

struct input { // what a bit becomes, and when
  lit when, value;
};
typedef VEC(struct input) input_list;

static void add_input(const struct gates *g, input_list *s, lit when, lit value) {
  if (when != -g->yes) VEC_PUSH(s, ((struct input){when, value}));
}

static lit join(struct gates *g, const input_list *s) {
  assert(s->count > 0);
  lit first = s->data[0].value;
  bool same = true;
  for (size_t i = 1; i < s->count; i++) same &= s->data[i].value == first;
  if (same) return first;
  if (s->count == 2) return gates_mux(g, s->data[0].when, first, s->data[1].value);
  lit out = sat_var(g->sat);
  for (size_t i = 0; i < s->count; i++) {
    struct input x = s->data[i];
    gates_assert(g, (lit[]){-x.when, -x.value, out}, 3);
    gates_assert(g, (lit[]){-x.when, x.value, -out}, 3);
  }
  return out;
}

static void make_next(struct machine *m, size_t time, uint64_t leaf, lit *keep, lit *next) {
  struct own *o = m->own;
  struct frame *f = &o->frames.data[time];
  const struct leaf_bits *b = &o->leaf[leaf];
  input_list s = {0};
  for (unsigned k = 0; k < b->count; k++) {
    s.count = 0;
    for (size_t i = 0; i < b->writes.count; i++) {
      lit when = f->select.data[b->writes.data[i].part];
      if (when == -o->gates.yes) continue;
      bit edge = o->edges.data[b->writes.data[i].first + k];
      add_input(&o->gates, &s, when, own_lit(m, time, edge));
    }
    if (!s.count || s.data[0].when != o->gates.yes)
      add_input(&o->gates, &s, keeps(o, f, b, keep), f->bits[b->vars[k]]);
    next[b->vars[k]] = join(&o->gates, &s);
  }
  VEC_CLEAR(&s);
}

static void add_frame(struct machine *m, lit *bits) {
  VEC_PUSH(&m->own->frames, ((struct frame){.bits = bits}));
  m->times++;
}

void machine_extend(struct machine *m) {
  struct own *o = m->own;
  size_t time = m->times - 1;
  lit *next = mem_alloc((m->bits + 1) * sizeof *next);
  lit *keep = mem_zalloc(o->groups + 1, sizeof *keep);
  bit_list stutter = {0};
  if (o->stutters) VEC_PUSH(&stutter, circuit_and(&o->circuit, o->stuck[0].edge, -o->fails.edge));
  if (m->loose)
    constrain_loosely(m, time, &stutter);
  else
    constrain_firmly(m, time, &stutter);
  for (uint64_t i = 0; i < o->model->layout->count; i++)
    if (o->leaf[i].count) make_next(m, time, i, &keep[o->leaf[i].group], next);
  add_frame(m, next);
  lit legal = own_lit(m, time + 1, o->assumed);
  if (m->loose)
    o->frames.data[time].valid = gates_and(&o->gates, o->frames.data[time].valid, legal);
  else if (legal != o->gates.yes)
    sat_clause1(m->sat, legal);
  own_exclude(m, time + 1);
  mem_free(keep);
  VEC_CLEAR(&stutter);
}

// --- beginning and end ---

static bool find_passed(struct machine *m, struct text *why) {
  struct own *o = m->own;
  o->passed = CIRCUIT_FALSE;
  if (!o->model->transient) return true;
  uint64_t leaf = o->model->transient->first_leaf;
  struct code c = own_leaf_code(o, leaf);
  if (!c.count) return true; // it is always 0
  if (!own_find_stuck(m, true) || !own_find_fails(m)) {
    text_printf(why, "there are too many choices in states that are passed through");
    return false;
  }
  bit zero = code_has(&o->circuit.bits, &c, 0);
  if (c.undef) zero = circuit_or(&o->circuit, zero, code_is(&o->circuit.bits, &c, 0));
  bit on = circuit_or(&o->circuit, -o->stuck[1].edge, o->fails.edge);
  o->passed = circuit_and(&o->circuit, on, -zero);
  return true;
}

// The value that start rules give to a bit, if they all give it the same; else 0.
static lit certain(const struct own *o, unsigned var) {
  bit input = o->circuit.inputs.data[var];
  if (o->starts.count != 1) return 0;
  const bit_list *needs = &o->starts.data[0].needs;
  for (size_t i = 0; i < needs->count; i++)
    if (needs->data[i] == input || needs->data[i] == -input)
      return needs->data[i] == input ? o->gates.yes : -o->gates.yes;
  return 0;
}

static struct machine *make_bare(struct relation *r, struct sat *s, bool at_start,
                                 struct text *why) {
  struct machine *m = mem_zalloc(1, sizeof *m);
  m->relation = r;
  m->sat = s;
  m->own = mem_zalloc(1, sizeof *m->own);
  gates_init(&m->own->gates, s);
  if (!own_build(m, why) || !find_passed(m, why)) {
    machine_free(m);
    return NULL;
  }
  lit *bits = mem_alloc((m->bits + 1) * sizeof *bits);
  for (size_t i = 0; i < m->bits; i++) {
    lit known = at_start ? certain(m->own, (unsigned)i) : 0;
    bits[i] = known ? known : sat_var(s);
  }
  add_frame(m, bits);
  return m;
}

struct machine *own_machine_bare(struct relation *r, struct sat *s) {
  struct text why = {0};
  struct machine *m = make_bare(r, s, false, &why);
  text_clear(&why);
  return m;
}

static struct machine *make(struct relation *r, struct sat *s, bool at_start, struct text *why) {
  struct machine *m = make_bare(r, s, at_start, why);
  if (!m) return NULL;
  bit legal = circuit_and(&m->own->circuit, m->own->coded, m->own->assumed);
  gates_assert(&m->own->gates, (lit[]){own_lit(m, 0, legal)}, 1);
  if (at_start) gates_assert(&m->own->gates, (lit[]){machine_start(m, 0)}, 1);
  return m;
}

struct machine *machine_new(struct relation *r, struct sat *s, struct text *why) {
  return make(r, s, false, why);
}

struct machine *machine_new_at_start(struct relation *r, struct sat *s, struct text *why) {
  return make(r, s, true, why);
}

bool machine_stutter(struct machine *m) {
  m->own->stutters =
      m->own->assumed == CIRCUIT_TRUE && own_find_stuck(m, false) && own_find_fails(m);
  return m->own->stutters;
}

static void clear_own(struct own *o) {
  for (size_t i = 0; i < o->frames.count; i++) {
    struct frame *f = &o->frames.data[i];
    mem_free(f->bits);
    mem_free(f->made);
    VEC_CLEAR(&f->inputs);
    VEC_CLEAR(&f->select);
    VEC_CLEAR(&f->starts);
  }
  for (size_t i = 0; i < o->parts.count; i++) VEC_CLEAR(&o->parts.data[i].needs);
  for (size_t i = 0; i < o->rules.count; i++) mem_free(o->rules.data[i].choice_leaf);
  for (size_t i = 0; i < o->starts.count; i++) {
    mem_free(o->starts.data[i].choice_leaf);
    VEC_CLEAR(&o->starts.data[i].needs);
  }
  for (uint64_t i = 0; i < o->model->layout->count; i++) VEC_CLEAR(&o->leaf[i].writes);
  for (int i = 0; i < CHOICE_KINDS; i++) {
    mem_free(o->choice_width[i]);
    mem_free(o->choice_first[i]);
  }
  VEC_CLEAR(&o->frames);
  VEC_CLEAR(&o->exclusive);
  VEC_CLEAR(&o->parts);
  VEC_CLEAR(&o->rules);
  VEC_CLEAR(&o->starts);
  VEC_CLEAR(&o->edges);
  VEC_CLEAR(&o->faults);
  VEC_CLEAR(&o->clause);
  VEC_CLEAR(&o->clauses);
  VEC_CLEAR(&o->flat);
  VEC_CLEAR(&o->waiting);
}

void machine_free(struct machine *m) {
  if (!m) return;
  struct own *o = m->own;
  clear_own(o);
  encode_clear(&o->bound);
  encode_clear(&o->plain);
  circuit_clear(&o->circuit);
  gates_clear(&o->gates);
  mem_free(o->leaf);
  mem_free(o->vars);
  mem_free(o->bit_leaf);
  mem_free(o);
  mem_free(m);
}
