// SPDX-License-Identifier: Apache-2.0
// Gates as clauses, by Tseitin. Keys of the table are the operation and its arguments, in ascending
// order where that does not matter.
#include "bmc/gates.h"

#include <stdlib.h>
#include <string.h>

enum gate_op { GATE_AND, GATE_XOR, GATE_MUX };

struct gates_slot {
  lit out; // 0: empty
  enum gate_op op;
  uint32_t count;
  size_t first; // argument
};

void gates_init(struct gates *g, struct sat *s) {
  *g = (struct gates){.sat = s, .yes = sat_true(s)};
}

void gates_clear(struct gates *g) {
  mem_free(g->table);
  VEC_CLEAR(&g->arguments);
  VEC_CLEAR(&g->list);
}

// --- the table ---

static struct gates_slot *find(const struct gates *g, enum gate_op op, const lit *args,
                               size_t count) {
  uint64_t h = hash_bytes(args, count * sizeof *args, op);
  size_t i = h & (g->capacity - 1);
  for (;; i = (i + 1) & (g->capacity - 1)) {
    struct gates_slot *s = &g->table[i];
    if (!s->out) return s;
    if (s->op == op && s->count == count &&
        memcmp(g->arguments.data + s->first, args, count * sizeof *args) == 0)
      return s;
  }
}

static void grow(struct gates *g) {
  struct gates_slot *old = g->table;
  size_t had = g->capacity;
  g->capacity = had ? 2 * had : 4096;
  g->table = mem_zalloc(g->capacity, sizeof *g->table);
  for (size_t i = 0; i < had; i++)
    if (old[i].out) *find(g, old[i].op, g->arguments.data + old[i].first, old[i].count) = old[i];
  mem_free(old);
}

// The gate's literal; *fresh: its clauses are still to come.
static lit intern(struct gates *g, enum gate_op op, const lit *args, size_t count, bool *fresh) {
  if (2 * g->count >= g->capacity) grow(g);
  struct gates_slot *s = find(g, op, args, count);
  *fresh = !s->out;
  if (!*fresh) return s->out;
  *s = (struct gates_slot){
      .out = sat_var(g->sat), .op = op, .count = (uint32_t)count, .first = g->arguments.count};
  lit out = s->out;
  for (size_t i = 0; i < count; i++) VEC_PUSH(&g->arguments, args[i]);
  g->count++;
  return out;
}

// --- conjunctions ---

static int by_variable(const void *a, const void *b) {
  lit x = *(const lit *)a, y = *(const lit *)b;
  lit vx = x < 0 ? -x : x, vy = y < 0 ? -y : y;
  if (vx != vy) return vx < vy ? -1 : 1;
  return x < y ? -1 : x > y;
}

// g->list becomes the arguments, each once, without what is true. False: they cannot all hold.
static bool normalise(struct gates *g, const lit *lits, size_t count, int sign) {
  size_t kept = 0;
  g->list.count = 0;
  for (size_t i = 0; i < count; i++) {
    lit a = sign * lits[i];
    if (a == -g->yes) return false;
    if (a != g->yes) VEC_PUSH(&g->list, a);
  }
  if (g->list.count > 1) qsort(g->list.data, g->list.count, sizeof(lit), by_variable);
  for (size_t i = 0; i < g->list.count; i++) {
    lit a = g->list.data[i];
    if (kept && g->list.data[kept - 1] == a) continue;
    if (kept && g->list.data[kept - 1] == -a) return false;
    g->list.data[kept++] = a;
  }
  g->list.count = kept;
  return true;
}

static lit and_all(struct gates *g, const lit *lits, size_t count, int sign) {
  bool fresh;
  if (!normalise(g, lits, count, sign)) return -g->yes;
  if (g->list.count == 0) return g->yes;
  if (g->list.count == 1) return g->list.data[0];
  lit out = intern(g, GATE_AND, g->list.data, g->list.count, &fresh);
  if (!fresh) return out;
  for (size_t i = 0; i < g->list.count; i++) {
    sat_clause2(g->sat, -out, g->list.data[i]);
    g->list.data[i] = -g->list.data[i];
  }
  VEC_PUSH(&g->list, out);
  sat_clause(g->sat, g->list.data, g->list.count);
  return out;
}

lit gates_and_all(struct gates *g, const lit *lits, size_t count) {
  return and_all(g, lits, count, 1);
}
lit gates_or_all(struct gates *g, const lit *lits, size_t count) {
  return -and_all(g, lits, count, -1);
}
lit gates_and(struct gates *g, lit a, lit b) { return gates_and_all(g, (lit[]){a, b}, 2); }
lit gates_or(struct gates *g, lit a, lit b) { return gates_or_all(g, (lit[]){a, b}, 2); }

// --- exclusive or, selection ---

lit gates_xor(struct gates *g, lit a, lit b) {
  if (a == g->yes || a == -g->yes) return a == g->yes ? -b : b;
  if (b == g->yes || b == -g->yes) return b == g->yes ? -a : a;
  if (a == b || a == -b) return a == b ? -g->yes : g->yes;
  int sign = (a < 0) == (b < 0) ? 1 : -1;
  lit x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  bool fresh;
  lit out = intern(g, GATE_XOR, x < y ? (lit[]){x, y} : (lit[]){y, x}, 2, &fresh);
  if (fresh) {
    sat_clause3(g->sat, -out, x, y);
    sat_clause3(g->sat, -out, -x, -y);
    sat_clause3(g->sat, out, -x, y);
    sat_clause3(g->sat, out, x, -y);
  }
  return sign * out;
}

static lit new_mux(struct gates *g, lit s, lit a, lit b) {
  bool fresh;
  lit out = intern(g, GATE_MUX, (lit[]){s, a, b}, 3, &fresh);
  if (!fresh) return out;
  sat_clause3(g->sat, -s, -a, out);
  sat_clause3(g->sat, -s, a, -out);
  sat_clause3(g->sat, s, -b, out);
  sat_clause3(g->sat, s, b, -out);
  sat_clause3(g->sat, -a, -b, out); // these two follow, and propagate
  sat_clause3(g->sat, a, b, -out);
  return out;
}

lit gates_mux(struct gates *g, lit s, lit a, lit b) {
  if (s == g->yes || a == b) return a;
  if (s == -g->yes) return b;
  if (s < 0) return gates_mux(g, -s, b, a);
  if (a == -b) return gates_xor(g, s, b);
  if (a == g->yes || a == s) return gates_or(g, s, b);
  if (a == -g->yes || a == -s) return gates_and(g, -s, b);
  if (b == g->yes || b == -s) return gates_or(g, -s, a);
  if (b == -g->yes || b == s) return gates_and(g, s, a);
  return a < 0 ? -new_mux(g, s, -a, -b) : new_mux(g, s, a, b);
}

// --- clauses ---

void gates_assert(struct gates *g, const lit *lits, size_t count) {
  if (!normalise(g, lits, count, -1)) return; // some literal is true
  for (size_t i = 0; i < g->list.count; i++) g->list.data[i] = -g->list.data[i];
  sat_clause(g->sat, g->list.data, g->list.count);
}

#define PAIRS_MOST 6

// Few: no two of them. Many: each tells its number in bits of their own, so that no two can.
static void at_most_one(struct gates *g, const lit *lits, size_t count) {
  for (size_t i = 0; count <= PAIRS_MOST && i < count; i++)
    for (size_t k = 0; k < i; k++) sat_clause2(g->sat, -lits[i], -lits[k]);
  for (size_t place = 0; count > PAIRS_MOST && (count - 1) >> place; place++) {
    lit b = sat_var(g->sat);
    for (size_t i = 0; i < count; i++) sat_clause2(g->sat, -lits[i], i >> place & 1 ? b : -b);
  }
}

void gates_one_of(struct gates *g, const lit *lits, size_t count) {
  sat_clause(g->sat, lits, count);
  at_most_one(g, lits, count);
}
