// SPDX-License-Identifier: Apache-2.0
// The wrapper around BuDDy, and the one file that includes it. References are counted here: BuDDy
// knows one reference to a node for all of ours, which makes it possible to mend what its
// reordering leaves behind (see sift). BuDDy's nodes are one per process, so is the state here.
#include "symbolic/dd.h"

#include <bdd.h>
#include <stdlib.h>
#include <string.h>

extern int *bddrefstack; // of BuDDy's own: two for each variable, and four

#define NODES_FIRST   100003
#define CACHE_FIRST   (1 << 13)
#define NODES_MANY    150000 // nodes to an entry of each cache, up to so many nodes, and past them
#define CACHE_RATIO   4
#define CACHE_MANY    2
#define CACHES        6 // tables of results in BuDDy, and the bytes of an entry
#define CACHE_BYTES   24
#define NODE_BYTES    20
#define NODES_MAX     (1 << 26) // past this BuDDy's cache keys would no longer be distinct
#define INCREASE_MAX  (1 << 22)
#define FREE_PERCENT  40 // a collection that leaves less makes the table grow
#define SPARE_VARS    64
#define ASK_EVERY     256 // operations between two questions to goes_on
#define REORDER_FIRST 50000

static struct {
  bool open, settled; // settled: variables can no longer come to lie at the first nodes
  struct dd_config config;
  const char *why;
  uint32_t *refs; // per node
  size_t refs_count;
  uint32_t *walked; // per node: the last walk that came by
  size_t walked_count;
  uint32_t walk;
  unsigned vars, vars_made; // handed out; known to BuDDy
  uint64_t operations;
  size_t peak;       // most nodes in use seen
  size_t made_aside; // nodes made by reordering
  size_t reorder_at; // dynamic: nodes that live, at which to reorder next
  bool reorder_due;
  bool caches_grown; // they grow with the nodes; before the first collection they are small
  bool caches_due;   // to be made larger; not inside of an operation, which holds entries
  struct rng rng;
} state;

// --- how a run ends before its time ---

static _Noreturn void stop(const char *why) {
  state.why = why;
  mem_exhausted(dd_bytes());
}

static void ask(void) {
  if (state.config.goes_on && !state.config.goes_on(state.config.context)) stop("stopped");
}

void dd_pause(void) {
  if (state.open) ask();
}

static void on_error(int code) {
  bool memory = code == BDD_MEMORY || code == BDD_NODENUM;
  assert(memory && "a diagram was used wrongly");
  if (memory) stop("memory");
}

static size_t nodes_max(void) {
  size_t bytes = state.config.mem_bytes;
  if (!bytes) return NODES_MAX;
  size_t each = NODE_BYTES + sizeof(*state.refs) + CACHES * CACHE_BYTES / CACHE_MANY;
  return bytes / each > NODES_MAX ? NODES_MAX : bytes / each;
}

static void on_collection(int before, bddGbcStat *s) {
  size_t used = s->nodes - s->freenodes;
  if (before) {
    if (used > state.peak) state.peak = used;
    return;
  }
  ask();
  // Growth by half keeps what is dead at collections near what lives: half the nodes of doubling.
  bdd_setmaxincrease(s->nodes / 2 < INCREASE_MAX ? s->nodes / 2 : INCREASE_MAX);
  if (!state.caches_grown) state.caches_grown = state.caches_due = true;
  // At the limit, collections that free next to nothing would go on for hours.
  if ((size_t)s->nodes + s->nodes / 64 >= nodes_max() && s->freenodes < s->nodes / 20)
    stop("memory");
  if (state.config.dynamic && used >= state.reorder_at) state.reorder_due = true;
}

static void on_resize(int before, int after) {
  ask();
  if (after <= before) stop("memory"); // BuDDy would go on with a broken list of free nodes
  if (before < NODES_MANY && after >= NODES_MANY) state.caches_due = true;
}

// --- open, close ---

void dd_open(const struct dd_config *c) {
  assert(!state.open);
  state.config = *c;
  state.why = "memory";
  state.vars = state.vars_made = 0;
  state.operations = state.peak = state.made_aside = 0;
  state.reorder_at = REORDER_FIRST;
  state.reorder_due = state.caches_due = state.caches_grown = state.settled = false;
  rng_init(&state.rng, 1);
  size_t max = nodes_max();
  if (max < NODES_FIRST || bdd_init(NODES_FIRST, CACHE_FIRST) < 0) mem_exhausted(c->mem_bytes);
  state.open = true;
  bdd_error_hook(on_error);
  bdd_gbc_hook(on_collection);
  bdd_resize_hook(on_resize);
  bdd_reorder_hook(NULL);
  bdd_setmaxnodenum((int)max);
  bdd_setmaxincrease(INCREASE_MAX);
  bdd_setminfreenodes(FREE_PERCENT);
}

void dd_close(void) {
  if (!state.open) return;
  if (!state.vars_made) bdd_setvarnum(1); // without any, BuDDy frees what it freed last time
  bdd_done();
  mem_free(state.refs);
  state.refs = NULL;
  state.refs_count = 0;
  mem_free(state.walked);
  state.walked = NULL;
  state.walked_count = 0;
  state.open = false;
}

const char *dd_why(void) { return state.why; }

// --- references ---

static void refs_reserve(void) {
  size_t count = (size_t)bdd_getallocnum();
  state.refs = mem_realloc(state.refs, count * sizeof(*state.refs));
  memset(state.refs + state.refs_count, 0, (count - state.refs_count) * sizeof(*state.refs));
  state.refs_count = count;
}

static dd hold(int a) {
  if (a < 2) return a;
  if ((size_t)a >= state.refs_count) refs_reserve();
  if (state.refs[a]++ == 0) bdd_addref(a);
  return a;
}

dd dd_copy(dd a) { return hold(a); }

void dd_drop(dd a) {
  if (a < 2 || !state.open) return; // (closing has dropped them all)
  assert((size_t)a < state.refs_count && state.refs[a]);
  if (--state.refs[a] == 0) bdd_delref(a);
}

void dd_set(dd *to, dd a) {
  dd_drop(*to);
  *to = a;
}

// What an operation gives: it is held, and then is a good time for other things.
static dd made(int a) {
  hold(a);
  state.operations++;
  if (state.operations % ASK_EVERY == 0) ask();
  if (state.caches_due)
    bdd_setcacheratio(bdd_getallocnum() >= NODES_MANY ? CACHE_MANY : CACHE_RATIO);
  state.caches_due = false;
  bool often = state.config.reorder_every && state.operations % state.config.reorder_every == 0;
  if (often || state.reorder_due) dd_reorder();
  return a;
}

// --- variables ---

// The nodes of single variables must be the first of all (see mix_all), so all are made at once,
// and some more. Who asks for still more later gets them, and no more reordering.
void dd_expect(unsigned count) {
  if (state.vars + count <= state.vars_made) return;
  if (state.vars_made) {
    state.settled = true;
    bdd_gbc(); // so that none is needed while the stack below is not zero
  }
  state.vars_made = state.vars + count + SPARE_VARS;
  bdd_setvarnum((int)state.vars_made);
  // BuDDy (2.4, as gcc compiles it) moves the top of this stack before it has the value to push,
  // and a collection in between takes what is there for a node: it must not be what malloc left.
  memset(bddrefstack, 0, (2 * (size_t)state.vars_made + 4) * sizeof *bddrefstack);
}

unsigned dd_vars(unsigned count) {
  dd_expect(count);
  state.vars += count;
  return state.vars - count;
}

void dd_block(unsigned first, unsigned count) {
  if (count) bdd_intaddvarblock((int)first, (int)(first + count - 1), BDD_REORDER_FIXED);
}

unsigned dd_level(unsigned var) { return (unsigned)bdd_var2level((int)var); }

// --- reordering ---

typedef VEC(int) node_list;

// A diagram that depends on all variables, of which no node but those of single variables is held
// by anybody else. BuDDy finds out which variables never meet by walking down from every node that
// is held, and stops at others that are; where such a one comes later in its table it misses pairs,
// and swaps them wrongly. With this diagram all pairs meet.
static int mix_all(void) {
  for (;;) {
    int mix = 1;
    for (unsigned level = state.vars_made; level-- > 0;) {
      int v = bdd_level2var((int)level);
      int literal = rng_next(&state.rng) & 1 ? bdd_ithvar(v) : bdd_nithvar(v);
      bdd_addref(mix);
      int with = bdd_and(literal, mix);
      bdd_addref(with);
      bdd_delref(mix);
      bdd_delref(with);
      mix = with;
    }
    bool alone = true;
    for (int n = mix; n > 1 && alone; n = bdd_low(n) ? bdd_low(n) : bdd_high(n)) {
      bool single = bdd_low(n) < 2 && bdd_high(n) < 2;
      alone = single || (size_t)n >= state.refs_count || !state.refs[n];
    }
    if (alone) return mix;
  }
}

static void count_edges(int n, uint64_t *seen, uint32_t *edges) {
  if (n < 2) return;
  edges[n]++;
  if (seen[n / 64] >> (n % 64) & 1) return;
  seen[n / 64] |= UINT64_C(1) << (n % 64);
  count_edges(bdd_low(n), seen, edges);
  count_edges(bdd_high(n), seen, edges);
}

// While BuDDy reorders it counts a node's parents as references, too, and leaves them counted with
// nodes that were held before: these would never die. Takes them back.
static void mend_references(int mix) {
  size_t count = (size_t)bdd_getallocnum();
  uint64_t *seen = mem_zalloc(count / 64 + 1, sizeof(*seen));
  uint32_t *edges = mem_zalloc(count, sizeof(*edges));
  for (size_t n = 2; n < state.refs_count; n++) {
    if (!state.refs[n]) continue;
    count_edges((int)n, seen, edges);
    edges[n]--;
  }
  count_edges(mix, seen, edges);
  for (size_t n = 2; n < state.refs_count; n++)
    for (uint32_t k = state.refs[n] ? edges[n] : 0; k > 0; k--) bdd_delref((int)n);
  mem_free(seen);
  mem_free(edges);
}

void dd_reorder(void) {
  state.reorder_due = false;
  if (state.settled || !state.vars) return;
  ask();
  size_t before = dd_made();
  int mix = bdd_addref(mix_all());
  bdd_reorder(BDD_REORDER_SIFT);
  mend_references(mix);
  bdd_delref(mix); // it has no parents: nothing else is so mixed
  bdd_gbc();
  state.made_aside += dd_made() - before;
  size_t live = (size_t)bdd_getnodenum();
  state.reorder_at = live * 2 < REORDER_FIRST ? REORDER_FIRST : live * 2;
  ask();
}

// --- operations ---

dd dd_true(void) { return 1; }

dd dd_false(void) { return 0; }

dd dd_var(unsigned var, bool positive) {
  return hold(positive ? bdd_ithvar((int)var) : bdd_nithvar((int)var));
}

bool dd_is_true(dd a) { return a == 1; }

bool dd_is_false(dd a) { return a == 0; }

dd dd_not(dd a) { return a < 2 ? !a : made(bdd_not(a)); }

// Operations that do not mind the order of their arguments find each other's results.
static dd commutative(dd a, dd b, int op) {
  return made(a < b ? bdd_apply(a, b, op) : bdd_apply(b, a, op));
}

// Constants are many where words are added: they are no operations of BuDDy.
dd dd_and(dd a, dd b) {
  if (a == 0 || b == 0) return 0;
  if (a == 1 || a == b) return dd_copy(b);
  return b == 1 ? dd_copy(a) : commutative(a, b, bddop_and);
}

dd dd_or(dd a, dd b) {
  if (a == 1 || b == 1) return 1;
  if (a == 0 || a == b) return dd_copy(b);
  return b == 0 ? dd_copy(a) : commutative(a, b, bddop_or);
}

dd dd_xor(dd a, dd b) {
  if (a == b) return 0;
  if (a < 2) return a ? dd_not(b) : dd_copy(b);
  if (b < 2) return b ? dd_not(a) : dd_copy(a);
  return commutative(a, b, bddop_xor);
}

dd dd_equal(dd a, dd b) {
  if (a == b) return 1;
  if (a < 2) return a ? dd_copy(b) : dd_not(b);
  if (b < 2) return b ? dd_copy(a) : dd_not(a);
  return commutative(a, b, bddop_biimp);
}

dd dd_minus(dd a, dd b) {
  if (a == 0 || b == 1 || a == b) return 0;
  return b == 0 ? dd_copy(a) : made(bdd_apply(a, b, bddop_diff));
}

dd dd_ite(dd c, dd a, dd b) {
  if (c < 2 || a == b) return dd_copy(c == 1 ? a : b);
  if (b == 0) return dd_and(c, a);
  return a == 1 ? dd_or(c, b) : made(bdd_ite(c, a, b));
}

void dd_and_to(dd *a, dd b) {
  dd sum = dd_and(*a, b);
  dd_drop(b);
  dd_set(a, sum);
}

void dd_or_to(dd *a, dd b) {
  dd sum = dd_or(*a, b);
  dd_drop(b);
  dd_set(a, sum);
}

dd dd_cube(const unsigned *vars, size_t count) {
  int *set = mem_alloc((count + 1) * sizeof(*set));
  for (size_t i = 0; i < count; i++) set[i] = (int)vars[i];
  int cube = count ? bdd_makeset(set, (int)count) : 1;
  mem_free(set);
  return made(cube);
}

struct literal {
  unsigned level, var;
  bool value;
};

static int deeper_first(const void *a, const void *b) {
  const struct literal *x = a, *y = b;
  return (x->level < y->level) - (x->level > y->level);
}

dd dd_point(const unsigned *vars, const uint8_t *values, size_t count) {
  struct literal *all = mem_alloc((count + 1) * sizeof *all);
  for (size_t i = 0; i < count; i++)
    all[i] = (struct literal){dd_level(vars[i]), vars[i], values[i] != 0};
  qsort(all, count, sizeof *all, deeper_first);
  dd out = dd_true();
  for (size_t i = 0; i < count; i++) dd_and_to(&out, dd_var(all[i].var, all[i].value));
  mem_free(all);
  return out;
}

dd dd_exists(dd a, dd cube) { return cube == 1 ? dd_copy(a) : made(bdd_exist(a, cube)); }

dd dd_forall(dd a, dd cube) { return cube == 1 ? dd_copy(a) : made(bdd_forall(a, cube)); }

dd dd_and_exists(dd a, dd b, dd cube) {
  if (cube == 1) return dd_and(a, b);
  return made(a < b ? bdd_appex(a, b, bddop_and, cube) : bdd_appex(b, a, bddop_and, cube));
}

dd dd_restrict(dd a, dd care) { return care == 0 ? dd_false() : made(bdd_simplify(a, care)); }

struct dd_renaming *dd_renaming_new(const unsigned *from, const unsigned *to, size_t count) {
  bddPair *pair = bdd_newpair();
  if (!pair) stop("memory");
  for (size_t i = 0; i < count; i++) bdd_setpair(pair, (int)from[i], (int)to[i]);
  return (struct dd_renaming *)pair;
}

void dd_renaming_free(struct dd_renaming *r) {
  if (r && state.open) bdd_freepair((bddPair *)r);
}

dd dd_rename(dd a, const struct dd_renaming *r) { return made(bdd_replace(a, (bddPair *)r)); }

// The first of the two values that the variable can have in a, which becomes what is left then.
static bool pick(dd *a, unsigned var) {
  dd with = made(bdd_restrict(*a, bdd_nithvar((int)var)));
  bool value = with == 0;
  if (value) dd_set(&with, made(bdd_restrict(*a, bdd_ithvar((int)var))));
  dd_set(a, with);
  return value;
}

// As soon as there is one assignment left, or what is not told does not matter, it is read off.
void dd_pick(dd a, const unsigned *vars, size_t count, uint8_t *values) {
  assert(a != 0);
  dd rest = dd_copy(a);
  uint8_t *known = mem_zalloc(dd_var_count() + 1, sizeof *known);
  size_t i = 0;
  for (; i < count && !dd_literals(rest, known); i++) values[i] = pick(&rest, vars[i]);
  for (; i < count; i++) values[i] = known[vars[i]];
  dd_drop(rest);
  mem_free(known);
}

// --- nodes ---

unsigned dd_top(dd a) { return (unsigned)bdd_var(a); }

dd dd_low(dd a) { return bdd_low(a); }

dd dd_high(dd a) { return bdd_high(a); }

static void support_into(dd a, uint64_t *set) {
  if (a < 2 || state.walked[a] == state.walk) return;
  state.walked[a] = state.walk;
  unsigned var = dd_top(a);
  set[var / 64] |= UINT64_C(1) << (var % 64);
  support_into(bdd_low(a), set);
  support_into(bdd_high(a), set);
}

void dd_support_into(dd a, uint64_t *set) {
  size_t count = (size_t)bdd_getallocnum();
  if (count > state.walked_count || ++state.walk == 0) {
    mem_free(state.walked);
    state.walked = mem_zalloc(count, sizeof *state.walked);
    state.walked_count = count;
    state.walk = 1;
  }
  support_into(a, set);
}

unsigned dd_var_count(void) { return (unsigned)bdd_varnum(); }

size_t dd_nodes(dd a) { return (size_t)bdd_nodecount(a); }

size_t dd_nodes_now(void) { return (size_t)bdd_getnodenum(); }

size_t dd_made(void) {
  bddStat s;
  bdd_stats(&s);
  return (size_t)s.produced - state.made_aside;
}

size_t dd_nodes_peak(void) {
  size_t now = dd_nodes_now();
  return now > state.peak ? now : state.peak;
}

size_t dd_bytes(void) {
  bddStat s;
  bdd_stats(&s);
  return (size_t)s.nodenum * NODE_BYTES + state.refs_count * sizeof(*state.refs) +
         (size_t)s.cachesize * CACHES * CACHE_BYTES;
}
