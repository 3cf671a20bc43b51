// SPDX-License-Identifier: Apache-2.0
// Shapes of the tree store's tree. What a state costs beside its pair in the root's table are the
// pairs of the tables below, and what it takes to look it up are the nodes above its changed
// leaves: both are small if the parts that change often, or independently of each other, meet late,
// near the root. So the tree is built from below like Huffman's, always from the two parts that
// together have the fewest different values in a sample.
#include "store/tree_shape.h"

#include <string.h>

enum { PARTS_MAX = 256 }; // that are paired by need; if there are more leaves, runs of them

// A node while the tree is made: leaves first, then pairs.
struct part {
  uint32_t left, right;
  uint32_t leaves;
  uint32_t run_level; // within a run of leaves; 0: has a table of its own
};

struct builder {
  VEC(struct part) parts;
  size_t leaves;
  size_t run; // leaves
};

// --- parts ---

static uint32_t pair_add(struct builder *b, uint32_t left, uint32_t right, uint32_t run_level) {
  const struct part *l = &b->parts.data[left], *r = &b->parts.data[right];
  struct part p = {left, right, l->leaves + r->leaves, run_level};
  if (l->leaves < r->leaves) p.left = right, p.right = left;
  VEC_PUSH(&b->parts, p);
  return (uint32_t)b->parts.count - 1;
}

// Pairs neighbours of `parts` until one is left. Within runs of leaves the levels are numbered from
// below.
static uint32_t join(struct builder *b, const uint32_t *parts, size_t count, bool run,
                     uint32_t *level) {
  *level = 0;
  if (count == 1) return parts[0];
  uint32_t below, left = join(b, parts, (count + 1) / 2, run, level);
  uint32_t right = join(b, parts + (count + 1) / 2, count / 2, run, &below);
  if (below > *level) *level = below;
  ++*level;
  return pair_add(b, left, right, run ? *level : 0);
}

// Leaves, paired to runs if they are many. Returns how many parts there are in `tops`.
static size_t begin(struct builder *b, size_t leaves, uint32_t *tops) {
  *b = (struct builder){.leaves = leaves, .run = (leaves + PARTS_MAX - 1) / PARTS_MAX};
  uint32_t *all = mem_alloc(leaves * sizeof *all), level;
  for (uint32_t i = 0; i < leaves; i++) {
    VEC_PUSH(&b->parts, ((struct part){.leaves = 1}));
    all[i] = i;
  }
  size_t count = 0;
  for (size_t i = 0; i < leaves; i += b->run) {
    size_t n = leaves - i < b->run ? leaves - i : b->run;
    tops[count++] = join(b, all + i, n, true, &level);
  }
  mem_free(all);
  return count;
}

// --- nodes from parts ---

struct writing {
  const struct builder *b;
  struct tree_shape *s;
  size_t waiting;
  uint32_t run_tables[64]; // of each level, plus one
};

static uint32_t table_of(struct writing *w, const struct part *p) {
  if (!p->run_level) return (uint32_t)w->s->tables++;
  uint32_t *table = &w->run_tables[p->run_level];
  if (!*table) *table = (uint32_t)++w->s->tables;
  return *table - 1;
}

static void write_part(struct writing *w, uint32_t part) {
  const struct part *p = &w->b->parts.data[part];
  struct tree_shape *s = w->s;
  size_t first = s->count;
  struct tree_node node = {.size = 1, .index = part, .bits = TREE_LEAF_BITS};
  if (part >= w->b->leaves) {
    write_part(w, p->left);
    write_part(w, p->right);
    node = (struct tree_node){(uint32_t)(s->count + 1 - first), table_of(w, p)};
    w->waiting -= 2;
  }
  s->nodes[s->count++] = node;
  w->waiting++;
  if (w->waiting > s->height) s->height = w->waiting;
}

static void end(struct builder *b, uint32_t root, struct tree_shape *s) {
  *s = (struct tree_shape){.leaves = b->leaves, .tables = TREE_HALVES + 1};
  s->nodes = mem_zalloc(2 * b->leaves + 1, sizeof *s->nodes); // with room for halves
  struct writing w = {.b = b, .s = s};
  write_part(&w, root);
  assert(s->count == 2 * b->leaves - 1 && s->nodes[s->count - 1].index == s->tables - 1);
  VEC_CLEAR(&b->parts);
}

void tree_shape_balance(struct tree_shape *s, size_t leaves) {
  assert(leaves > 1);
  struct builder b;
  uint32_t tops[PARTS_MAX], level;
  size_t count = begin(&b, leaves, tops);
  end(&b, join(&b, tops, count, false, &level), s);
}

bool tree_shape_has_leaves(const struct tree_shape *s, size_t table) {
  for (size_t k = 2; k < s->count; k++) {
    const struct tree_node *n = &s->nodes[k], *right = n - 1;
    if (n->size > 1 && n->index == table &&
        (right->size == 1 || right[-(int)right->size].size == 1))
      return true;
  }
  return false;
}

void tree_shape_copy(struct tree_shape *to, const struct tree_shape *from) {
  struct tree_node *nodes = to->nodes;
  memcpy(nodes, from->nodes, from->count * sizeof *nodes);
  *to = *from;
  to->nodes = nodes;
}

// --- a leaf in halves ---

// Left subtrees are not the smaller ones, so it is the right child, if any.
const struct tree_node *tree_shape_lone_leaf(const struct tree_shape *s) {
  const struct tree_node *right = &s->nodes[s->count - 2];
  return s->leaves > 2 && right->size == 1 ? right : NULL;
}

void tree_shape_halve(struct tree_shape *s) {
  assert(tree_shape_lone_leaf(s));
  struct tree_node *leaf = &s->nodes[s->count - 2], root = leaf[1];
  uint8_t bits = TREE_LEAF_BITS / 2;
  leaf[1] = (struct tree_node){1, leaf->index, bits, bits};
  leaf[0] = (struct tree_node){1, leaf->index, 0, bits};
  leaf[2] = (struct tree_node){.size = 3, .index = TREE_HALVES};
  leaf[3] = (struct tree_node){.size = root.size + 2, .index = root.index};
  s->count += 2;
  if (s->height < 3) s->height = 3;
}

// --- counting pairs ---

// Numbers the different pairs of a column of left and one of right values.
struct counter {
  size_t samples, slots; // a power of two
  uint64_t *pairs;
  uint32_t *numbers; // from 1 on; 0: empty
};

static void counter_init(struct counter *c, size_t samples) {
  *c = (struct counter){.samples = samples, .slots = 16};
  while (c->slots < 2 * samples) c->slots *= 2;
  c->pairs = mem_alloc(c->slots * sizeof *c->pairs);
  c->numbers = mem_alloc(c->slots * sizeof *c->numbers);
}

static void counter_clear(struct counter *c) {
  mem_free(c->pairs);
  mem_free(c->numbers);
}

static size_t counter_place(const struct counter *c, uint64_t pair) {
  uint64_t h = pair * UINT64_C(0x9e3779b97f4a7c15);
  size_t at = (h ^ h >> 32) & (c->slots - 1);
  while (c->numbers[at] && c->pairs[at] != pair) at = (at + 1) & (c->slots - 1);
  return at;
}

// How many there are; their numbers too, if `out` is not NULL (it may be one of the columns).
static uint32_t number_pairs(struct counter *c, const uint32_t *left, const uint32_t *right,
                             uint32_t *out) {
  uint32_t count = 0;
  memset(c->numbers, 0, c->slots * sizeof *c->numbers);
  for (size_t i = 0; i < c->samples; i++) {
    uint64_t pair = (uint64_t)left[i] << 32 | right[i];
    size_t at = counter_place(c, pair);
    if (!c->numbers[at]) {
      c->pairs[at] = pair;
      c->numbers[at] = ++count;
    }
    if (out) out[i] = c->numbers[at];
  }
  return count;
}

uint64_t tree_shape_price(const struct tree_shape *s, const uint32_t *values, size_t samples) {
  struct counter c;
  counter_init(&c, samples);
  uint32_t *columns = mem_alloc(s->height * samples * sizeof *columns), *top = columns;
  uint64_t price = 0;
  for (size_t k = 0; k < s->count; k++) {
    const struct tree_node *n = &s->nodes[k];
    if (n->size == 1) {
      const uint32_t *value = values + n->index * samples;
      for (size_t i = 0; i < samples; i++) *top++ = tree_bits(n, value[i]);
    } else {
      top -= samples;
      uint32_t pairs = number_pairs(&c, top - samples, top, top - samples);
      price += n->index == TREE_HALVES ? 0 : pairs;
    }
  }
  mem_free(columns);
  counter_clear(&c);
  return price;
}

// --- pairing by need ---

struct fit {
  struct builder b;
  struct counter counter;
  size_t count; // of parts that have no parent yet
  uint32_t part[PARTS_MAX];
  uint32_t values[PARTS_MAX];           // how many different ones
  uint32_t *column[PARTS_MAX];          // numbers of the values
  uint32_t joint[PARTS_MAX][PARTS_MAX]; // values of two together; 0: not counted yet
};

static uint32_t joint_values(struct fit *f, size_t x, size_t y) {
  uint32_t *joint = &f->joint[x][y];
  if (!*joint) *joint = number_pairs(&f->counter, f->column[x], f->column[y], NULL);
  return *joint;
}

// The two with the fewest values together, and among them those with the fewest leaves. Two have
// together no fewer values than one of them.
static void choose(struct fit *f, size_t *best_x, size_t *best_y) {
  uint32_t best = UINT32_MAX, best_leaves = UINT32_MAX;
  for (size_t x = 0; x < f->count; x++)
    for (size_t y = x + 1; y < f->count; y++) {
      if (f->values[x] > best || f->values[y] > best) continue;
      const struct part *parts = f->b.parts.data;
      uint32_t joint = joint_values(f, x, y);
      uint32_t leaves = parts[f->part[x]].leaves + parts[f->part[y]].leaves;
      if (joint > best || (joint == best && leaves >= best_leaves)) continue;
      best = joint;
      best_leaves = leaves;
      *best_x = x;
      *best_y = y;
    }
}

// x becomes the pair of x and y, y the last part.
static void merge(struct fit *f, size_t x, size_t y) {
  f->part[x] = pair_add(&f->b, f->part[x], f->part[y], 0);
  f->values[x] = number_pairs(&f->counter, f->column[x], f->column[y], f->column[x]);
  mem_free(f->column[y]);
  size_t last = --f->count;
  f->part[y] = f->part[last];
  f->values[y] = f->values[last];
  f->column[y] = f->column[last];
  for (size_t i = 0; i < last; i++) {
    f->joint[i < y ? i : y][i < y ? y : i] = f->joint[i][last];
    f->joint[i < x ? i : x][i < x ? x : i] = 0;
  }
}

// The column of a part that is a leaf or a run of them.
static uint32_t *column_of(struct fit *f, uint32_t part, const uint32_t *values) {
  size_t samples = f->counter.samples;
  uint32_t *column;
  if (part < f->b.leaves) {
    column = mem_alloc(samples * sizeof *column);
    memcpy(column, values + part * samples, samples * sizeof *column);
    return column;
  }
  column = column_of(f, f->b.parts.data[part].left, values);
  uint32_t *right = column_of(f, f->b.parts.data[part].right, values);
  number_pairs(&f->counter, column, right, column);
  mem_free(right);
  return column;
}

void tree_shape_fit(struct tree_shape *s, size_t leaves, const uint32_t *values, size_t samples) {
  assert(leaves > 1 && leaves <= TREE_FIT_LEAVES_MAX);
  struct fit *f = mem_zalloc(1, sizeof *f);
  f->count = begin(&f->b, leaves, f->part);
  counter_init(&f->counter, samples);
  for (size_t i = 0; i < f->count; i++) {
    f->column[i] = column_of(f, f->part[i], values);
    f->values[i] = number_pairs(&f->counter, f->column[i], f->column[i], NULL);
  }
  while (f->count > 1) {
    size_t x = 0, y = 1;
    choose(f, &x, &y);
    merge(f, x, y);
  }
  mem_free(f->column[0]);
  end(&f->b, f->part[0], s);
  counter_clear(&f->counter);
  mem_free(f);
}
