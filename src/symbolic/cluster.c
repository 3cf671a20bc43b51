// SPDX-License-Identifier: Apache-2.0
// Clusters and their order, after Ranjan, Aziz, Brayton, Plessier and Pixley (IWLS 1995): next
// comes the piece that lets most variables go and brings few new ones; pieces are joined in that
// order as long as a cluster stays small.
#include "symbolic/cluster.h"

#include <string.h>

#define CLUSTER_NODES 2500 // of 1,000 to 10,000: never far from the best on the models of bench/smv
#define JOIN_PAIRS    10000 // pairs of nodes that may meet in what is joined, which is then built
#define COUNT_FACTOR  10    // times as many that could meet, and they are counted
#define PAIRS_FACTOR  500   // pairs of nodes that a product may meet, for each that it may have

// --- sets of variables ---

struct vars {
  uint64_t *words;
  size_t count; // words
};

static struct vars vars_new(size_t count) {
  return (struct vars){mem_zalloc(count, sizeof(uint64_t)), count};
}

static void vars_add(struct vars *v, unsigned var) {
  v->words[var / 64] |= UINT64_C(1) << (var % 64);
}

static bool vars_have(const struct vars *v, unsigned var) {
  return v->words[var / 64] >> (var % 64) & 1;
}

// Of one piece or cluster; `words` says how large numbers are.
static struct vars vars_of(dd a, size_t words) {
  struct vars v = vars_new(words);
  dd_support_into(a, v.words);
  return v;
}

static struct vars vars_listed(const var_list *list, size_t words) {
  struct vars v = vars_new(words);
  for (size_t i = 0; i < list->count; i++) vars_add(&v, list->data[i]);
  return v;
}

// --- which comes next ---

struct arranging {
  const struct vars *support; // of each piece
  size_t count, words;
  const struct vars *go;   // variables to be quantified
  const struct vars *come; // variables that stay, of the other side
  unsigned *uses;          // per variable: pieces not yet placed that speak of it
  bool *placed;
  struct vars seen; // variables of pieces placed
};

struct measures {
  double leaving, going, coming, top;
};

static struct measures measure(const struct arranging *a, size_t piece) {
  struct measures m = {0};
  const struct vars *s = &a->support[piece];
  for (size_t w = 0; w < a->words; w++) {
    for (uint64_t bits = s->words[w]; bits; bits &= bits - 1) {
      unsigned v = (unsigned)(w * 64) + (unsigned)__builtin_ctzll(bits);
      if (vars_have(a->go, v)) {
        m.going++;
        if (a->uses[v] == 1) m.leaving++;
        if (dd_level(v) > m.top) m.top = dd_level(v);
      } else if (vars_have(a->come, v) && !vars_have(&a->seen, v)) {
        m.coming++;
      }
    }
  }
  return m;
}

static double benefit(const struct measures *m, double all_going, double all_coming,
                      double lowest) {
  double out = 0;
  if (m->going > 0) out += 2 * m->leaving / m->going;
  if (all_going > 0) out += m->going / all_going;
  if (lowest > 0) out += m->top / lowest;
  if (all_coming > 0) out -= m->coming / all_coming;
  return out;
}

static size_t best(const struct arranging *a) {
  struct measures *m = mem_alloc((a->count + 1) * sizeof(*m)), all = {0};
  for (size_t i = 0; i < a->count; i++) {
    if (a->placed[i]) continue;
    m[i] = measure(a, i);
    all.going = m[i].going > all.going ? m[i].going : all.going;
    all.coming = m[i].coming > all.coming ? m[i].coming : all.coming;
    all.top = m[i].top > all.top ? m[i].top : all.top;
  }
  size_t out = a->count;
  double most = 0;
  for (size_t i = 0; i < a->count; i++) {
    if (a->placed[i]) continue;
    double now = benefit(&m[i], all.going, all.coming, all.top);
    if (out < a->count && now <= most) continue;
    out = i;
    most = now;
  }
  mem_free(m);
  return out;
}

static void place(struct arranging *a, size_t piece) {
  a->placed[piece] = true;
  for (size_t w = 0; w < a->words; w++) {
    a->seen.words[w] |= a->support[piece].words[w];
    for (uint64_t bits = a->support[piece].words[w]; bits; bits &= bits - 1)
      a->uses[w * 64 + (unsigned)__builtin_ctzll(bits)]--;
  }
}

// The order in which to take pieces of such supports.
static unsigned *arrange(const struct vars *support, size_t count, size_t words,
                         const struct vars *go, const struct vars *come) {
  struct arranging a = {support, count, words, go, come, NULL, NULL, vars_new(words)};
  a.uses = mem_zalloc(words * 64, sizeof(*a.uses));
  a.placed = mem_zalloc(count + 1, sizeof(*a.placed));
  for (size_t i = 0; i < count; i++)
    for (size_t w = 0; w < words; w++)
      for (uint64_t bits = support[i].words[w]; bits; bits &= bits - 1)
        a.uses[w * 64 + (unsigned)__builtin_ctzll(bits)]++;
  unsigned *order = mem_alloc((count + 1) * sizeof(*order));
  for (size_t i = 0; i < count; i++) {
    dd_pause();
    order[i] = (unsigned)best(&a);
    place(&a, order[i]);
  }
  mem_free(a.uses);
  mem_free(a.placed);
  mem_free(a.seen.words);
  return order;
}

// --- supports of a list ---

static struct vars *supports_of(const dd_list *pieces, size_t words) {
  struct vars *out = mem_alloc((pieces->count + 1) * sizeof(*out));
  for (size_t i = 0; i < pieces->count; i++) out[i] = vars_of(pieces->data[i], words);
  return out;
}

static void supports_free(struct vars *supports, size_t count) {
  for (size_t i = 0; i < count; i++) mem_free(supports[i].words);
  mem_free(supports);
}

// --- clusters ---

// Do so many pairs of nodes meet that both together are too large, as good as certainly? To build
// that and throw it away would be most of the work of a short run. Pairs are counted where they can
// be many.
static bool is_hopeless(dd a, size_t a_nodes, dd b, size_t b_nodes) {
  if (a_nodes * b_nodes < COUNT_FACTOR * JOIN_PAIRS) return false;
  return dd_and_pairs(a, b, JOIN_PAIRS) > JOIN_PAIRS;
}

// Joins a piece, which is used up, to the last cluster if both together are small.
static bool join_piece(struct clusters *c, size_t *top, dd piece, size_t nodes) {
  dd *last = &VEC_TOP(&c->part);
  if (is_hopeless(*last, *top, piece, nodes)) return false;
  dd both = dd_and(*last, piece);
  size_t sum = dd_nodes(both);
  if (sum > CLUSTER_NODES) {
    dd_drop(both);
    return false;
  }
  dd_drop(piece);
  dd_set(last, both);
  *top = sum;
  return true;
}

// Joins the pieces in this order, which uses them up. What is large already is not tried; in haste
// neither is what is so together.
static void join(struct clusters *c, dd_list *pieces, const unsigned *order, bool haste) {
  size_t top = SIZE_MAX; // nodes of the last cluster
  for (size_t i = 0; i < pieces->count; i++) {
    dd piece = pieces->data[order[i]];
    size_t nodes = dd_nodes(piece);
    bool small = top <= CLUSTER_NODES && nodes <= CLUSTER_NODES - (haste ? top : 0);
    if (small && join_piece(c, &top, piece, nodes)) continue;
    VEC_PUSH(&c->part, piece);
    top = nodes;
  }
  VEC_CLEAR(pieces);
}

// Variables of choices that only one cluster speaks of go at once; supports are mended.
static void drop_local(struct clusters *c, struct vars *support, const var_list *local) {
  for (size_t i = 0; i < c->part.count; i++) {
    var_list mine = {0};
    dd_pause();
    for (size_t k = 0; k < local->count; k++) {
      size_t uses = 0;
      for (size_t j = 0; j < c->part.count; j++) uses += vars_have(&support[j], local->data[k]);
      if (uses == 1 && vars_have(&support[i], local->data[k])) VEC_PUSH(&mine, local->data[k]);
    }
    if (mine.count) {
      dd cube = dd_cube(mine.data, mine.count);
      dd_set(&c->part.data[i], dd_exists(c->part.data[i], cube));
      dd_drop(cube);
      memset(support[i].words, 0, support[i].count * sizeof(uint64_t));
      dd_support_into(c->part.data[i], support[i].words);
    }
    VEC_CLEAR(&mine);
  }
}

// Each variable goes after the last cluster that speaks of it; one of which none does, at once.
static void chain_init(struct cluster_chain *n, const struct vars *support, size_t count,
                       const var_list *go, const var_list *come, size_t words) {
  struct vars going = vars_listed(go, words), coming = vars_listed(come, words);
  n->count = count;
  n->which = arrange(support, count, words, &going, &coming);
  n->cube = mem_alloc((count + 1) * sizeof(*n->cube));
  var_list *after = mem_zalloc(count + 1, sizeof(*after));
  for (size_t k = 0; k < go->count; k++) {
    size_t last = 0;
    for (size_t i = 0; i < n->count; i++)
      if (vars_have(&support[n->which[i]], go->data[k])) last = i;
    VEC_PUSH(&after[last], go->data[k]);
  }
  for (size_t i = 0; i < n->count; i++) {
    n->cube[i] = dd_cube(after[i].data, after[i].count);
    VEC_CLEAR(&after[i]);
  }
  mem_free(after);
  mem_free(going.words);
  mem_free(coming.words);
}

static void init(struct clusters *c, dd_list *pieces, const var_list *forward,
                 const var_list *backward, const var_list *local, bool haste) {
  *c = (struct clusters){0};
  size_t words = dd_var_count() / 64 + 1;
  if (!pieces->count) VEC_PUSH(pieces, dd_true());
  struct vars *support = supports_of(pieces, words);
  struct vars go = vars_listed(forward, words), come = vars_listed(backward, words);
  unsigned *order = arrange(support, pieces->count, words, &go, &come);
  supports_free(support, pieces->count);
  join(c, pieces, order, haste);
  support = supports_of(&c->part, words);
  drop_local(c, support, local);
  chain_init(&c->forward, support, c->part.count, forward, backward, words);
  chain_init(&c->backward, support, c->part.count, backward, forward, words);
  supports_free(support, c->part.count);
  mem_free(order);
  mem_free(go.words);
  mem_free(come.words);
}

void clusters_init(struct clusters *c, dd_list *pieces, const var_list *forward,
                   const var_list *backward, const var_list *local) {
  init(c, pieces, forward, backward, local, false);
}

void clusters_init_in_haste(struct clusters *c, dd_list *pieces, const var_list *forward,
                            const var_list *backward, const var_list *local) {
  init(c, pieces, forward, backward, local, true);
}

static void chain_clear(struct cluster_chain *n) {
  for (size_t i = 0; i < n->count; i++) dd_drop(n->cube[i]);
  mem_free(n->which);
  mem_free(n->cube);
}

void clusters_clear(struct clusters *c) {
  for (size_t i = 0; i < c->part.count; i++) dd_drop(c->part.data[i]);
  VEC_CLEAR(&c->part);
  chain_clear(&c->forward);
  chain_clear(&c->backward);
}

dd clusters_product_in(const struct clusters *c, const struct cluster_chain *chain, dd from,
                       dd within) {
  assert(chain->count || dd_is_true(within));
  dd out = dd_copy(from);
  for (size_t i = 0; i < chain->count && !dd_is_false(out); i++) {
    dd_set(&out, dd_and_exists(out, c->part.data[chain->which[i]], chain->cube[i]));
    if (i == 0) dd_and_to(&out, dd_copy(within));
  }
  return out;
}

dd clusters_product(const struct clusters *c, const struct cluster_chain *chain, dd from) {
  return clusters_product_in(c, chain, from, dd_true());
}

static size_t size_within(dd a, size_t nodes_max) { return nodes_max < SIZE_MAX ? dd_nodes(a) : 0; }

bool clusters_product_within(const struct clusters *c, const struct cluster_chain *chain,
                             size_t nodes_max, dd *set) {
  size_t nodes = size_within(*set, nodes_max);
  for (size_t i = 0; i < chain->count && !dd_is_false(*set); i++) {
    dd part = c->part.data[chain->which[i]];
    size_t pairs = nodes * size_within(part, nodes_max) / PAIRS_FACTOR;
    if (nodes > nodes_max || pairs > nodes_max) return false;
    dd_set(set, dd_and_exists(*set, part, chain->cube[i]));
    nodes = size_within(*set, nodes_max);
  }
  return nodes <= nodes_max;
}
