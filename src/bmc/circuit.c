// SPDX-License-Identifier: Apache-2.0
// Gates, hashed: equal ones are one node. What two levels of gates show at once is simplified.
#include "bmc/circuit.h"

// --- the table ---

static uint64_t hash(enum circuit_op op, const bit *arg) {
  uint64_t h = (uint64_t)op * UINT64_C(0x9e3779b97f4a7c15);
  for (int i = 0; i < 3; i++) h = (h ^ (uint32_t)arg[i]) * UINT64_C(0xff51afd7ed558ccd) + (h >> 29);
  return h ^ h >> 32;
}

static bool same(const struct circuit_node *n, enum circuit_op op, const bit *arg) {
  return n->op == op && n->arg[0] == arg[0] && n->arg[1] == arg[1] && n->arg[2] == arg[2];
}

static bit *find(const struct circuit *c, enum circuit_op op, const bit *arg) {
  size_t i = hash(op, arg) & (c->capacity - 1);
  while (c->table[i] && !same(&c->nodes.data[c->table[i]], op, arg))
    i = (i + 1) & (c->capacity - 1);
  return &c->table[i];
}

static void grow(struct circuit *c) {
  bit *old = c->table;
  size_t had = c->capacity;
  c->capacity = had ? 2 * had : 1024;
  c->table = mem_zalloc(c->capacity, sizeof *c->table);
  for (size_t i = 0; i < had; i++) {
    if (!old[i]) continue;
    const struct circuit_node *n = &c->nodes.data[old[i]];
    *find(c, n->op, n->arg) = old[i];
  }
  mem_free(old);
}

static void count_use(struct circuit *c, bit a) {
  if (a) c->nodes.data[a < 0 ? -a : a].uses++;
}

static bit gate(struct circuit *c, enum circuit_op op, bit a, bit b, bit d) {
  bit arg[3] = {a, b, d};
  if (2 * c->gates >= c->capacity) grow(c);
  bit *slot = find(c, op, arg);
  if (*slot) return *slot;
  *slot = (bit)c->nodes.count;
  c->gates++;
  for (int i = 0; i < 3; i++) count_use(c, arg[i]);
  VEC_PUSH(&c->nodes, ((struct circuit_node){.op = op, .arg = {a, b, d}}));
  return (bit)c->nodes.count - 1;
}

bit circuit_input(struct circuit *c, unsigned var) {
  while (c->inputs.count <= var) VEC_PUSH(&c->inputs, 0);
  if (!c->inputs.data[var]) {
    c->inputs.data[var] = (bit)c->nodes.count;
    VEC_PUSH(&c->nodes, ((struct circuit_node){.op = CIRCUIT_INPUT, .arg = {(bit)var}}));
  }
  return c->inputs.data[var];
}

// --- gates ---

// b is an and-gate, or the opposite of one: a says more about it. 0: it does not.
static bit and_known(struct circuit *c, bit a, bit b) {
  const struct circuit_node *n = circuit_node(c, b);
  if (n->op != CIRCUIT_AND) return 0;
  for (int i = 0; i < 2; i++) {
    bit mine = n->arg[i], other = n->arg[1 - i];
    if (b > 0 && mine == a) return b;
    if (b > 0 && mine == -a) return CIRCUIT_FALSE;
    if (b < 0 && mine == -a) return a;
    if (b < 0 && mine == a) return circuit_and(c, a, -other);
  }
  return 0;
}

static bit shared(const struct circuit_node *x, const struct circuit_node *y, bit *p, bit *q) {
  for (int i = 0; i < 4; i++) {
    *p = x->arg[1 - i / 2];
    *q = y->arg[1 - i % 2];
    if (x->arg[i / 2] == y->arg[i % 2]) return x->arg[i / 2];
  }
  return 0;
}

// v differs from p and from q: a selection by v says so with shorter clauses. 0: it is not that.
static bit and_differ(struct circuit *c, bit a, bit b) {
  const struct circuit_node *x = circuit_node(c, a), *y = circuit_node(c, b);
  bit p, q;
  if (x->op != CIRCUIT_XOR || y->op != CIRCUIT_XOR) return 0;
  bit v = shared(x, y, &p, &q);
  if (!v) return 0;
  if (a < 0) p = -p;
  if (b < 0) q = -q;
  return circuit_mux(c, v, circuit_and(c, -p, -q), circuit_and(c, p, q));
}

bit circuit_and(struct circuit *c, bit a, bit b) {
  if (a == CIRCUIT_FALSE || b == CIRCUIT_FALSE || a == -b) return CIRCUIT_FALSE;
  if (a == CIRCUIT_TRUE || a == b) return b;
  if (b == CIRCUIT_TRUE) return a;
  bit known = and_known(c, a, b);
  if (!known) known = and_known(c, b, a);
  if (!known) known = and_differ(c, a, b);
  if (known) return known;
  return a < b ? gate(c, CIRCUIT_AND, a, b, 0) : gate(c, CIRCUIT_AND, b, a, 0);
}

bit circuit_or(struct circuit *c, bit a, bit b) { return -circuit_and(c, -a, -b); }

bit circuit_xor(struct circuit *c, bit a, bit b) {
  if (a == CIRCUIT_TRUE) return -b;
  if (a == CIRCUIT_FALSE) return b;
  if (b == CIRCUIT_TRUE) return -a;
  if (b == CIRCUIT_FALSE) return a;
  if (a == b) return CIRCUIT_FALSE;
  if (a == -b) return CIRCUIT_TRUE;
  int sign = (a < 0) == (b < 0) ? 1 : -1;
  bit x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  return sign * (x < y ? gate(c, CIRCUIT_XOR, x, y, 0) : gate(c, CIRCUIT_XOR, y, x, 0));
}

bit circuit_mux(struct circuit *c, bit s, bit a, bit b) {
  if (s == CIRCUIT_TRUE || a == b) return a;
  if (s == CIRCUIT_FALSE) return b;
  if (s < 0) return circuit_mux(c, -s, b, a);
  if (a == -b) return circuit_xor(c, s, b);
  if (a == CIRCUIT_TRUE || a == s) return circuit_or(c, s, b);
  if (a == CIRCUIT_FALSE || a == -s) return circuit_and(c, -s, b);
  if (b == CIRCUIT_TRUE || b == -s) return circuit_or(c, -s, a);
  if (b == CIRCUIT_FALSE || b == s) return circuit_and(c, s, a);
  if (a < 0) return -gate(c, CIRCUIT_MUX, s, -a, -b);
  return gate(c, CIRCUIT_MUX, s, a, b);
}

// --- the circuit as an algebra of bits ---

static bit algebra_copy(void *context, bit a) {
  (void)context;
  return a;
}
static void algebra_drop(void *context, bit a) { (void)context, (void)a; }
static bit algebra_var(void *context, unsigned var, bool positive) {
  bit a = circuit_input(context, var);
  return positive ? a : -a;
}
static bit algebra_not(void *context, bit a) {
  (void)context;
  return -a;
}
static bit algebra_and(void *context, bit a, bit b) { return circuit_and(context, a, b); }
static bit algebra_or(void *context, bit a, bit b) { return circuit_or(context, a, b); }
static bit algebra_xor(void *context, bit a, bit b) { return circuit_xor(context, a, b); }
static bit algebra_equal(void *context, bit a, bit b) { return -circuit_xor(context, a, b); }
static bit algebra_ite(void *context, bit s, bit a, bit b) { return circuit_mux(context, s, a, b); }

void circuit_init(struct circuit *c) {
  *c = (struct circuit){.bits = {.yes = CIRCUIT_TRUE,
                                 .no = CIRCUIT_FALSE,
                                 .copy = algebra_copy,
                                 .drop = algebra_drop,
                                 .var = algebra_var,
                                 .not = algebra_not,
                                 .and = algebra_and,
                                 .or = algebra_or,
                                 .xor = algebra_xor,
                                 .equal = algebra_equal,
                                 .ite = algebra_ite,
                                 .context = c}};
  VEC_PUSH(&c->nodes, ((struct circuit_node){0}));
  VEC_PUSH(&c->nodes, ((struct circuit_node){.op = CIRCUIT_CONST}));
}

void circuit_clear(struct circuit *c) {
  VEC_CLEAR(&c->nodes);
  VEC_CLEAR(&c->inputs);
  mem_free(c->table);
}
