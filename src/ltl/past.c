// SPDX-License-Identifier: Apache-2.0
// Takes a formula apart into what is about the past, for a monitor, and the rest (past.h). Under an
// operator of the past, a subformula x about the future becomes an atom that nobody sees, and
// [](atom <-> x) is added to the rest: in every run there is one way, and only one, to choose it.
#include "ltl/past.h"
#include "ltl/rewrite.h"

struct splitter {
  struct ltl_factory *factory;
  struct ltl_past *past;
  uint64_t used;                // atoms
  struct ltl_list outer, inner; // by id: the subformula, as the rest has it and as the monitor does
  VEC(uint32_t) numbers;        // by id: of its node + 1
  const struct ltl *conditions; // on hidden atoms
  bool full;                    // a limit is reached: whatever is made from now on is of no use
};

static uint64_t atoms_in(const struct ltl *x, bool *seen) {
  if (seen[x->id]) return 0;
  seen[x->id] = true;
  if (x->op == LTL_ATOM) return UINT64_C(1) << x->atom;
  return (x->left ? atoms_in(x->left, seen) : 0) | (x->right ? atoms_in(x->right, seen) : 0);
}

static const struct ltl *fresh_atom(struct splitter *s, uint64_t *set) {
  uint64_t free = ~s->used & -~s->used; // the lowest
  if (!free) {
    s->full = true;
    return ltl_atom(s->factory, 0);
  }
  s->used |= free;
  *set |= free;
  return ltl_atom(s->factory, (uint32_t)__builtin_ctzll(free));
}

// --- the monitor ---

static bool starts_true(enum ltl_op op) {
  return op == LTL_WEAK_PREVIOUS || op == LTL_HISTORICALLY || op == LTL_TRIGGERED;
}

// A step back remembers its operand and tells what it was; the others remember themselves.
static void give_bit(struct splitter *s, struct past_node *n, uint32_t number) {
  struct ltl_past *p = s->past;
  bool step = n->op == LTL_PREVIOUS || n->op == LTL_WEAK_PREVIOUS;
  n->bit = (uint32_t)p->keepers.count;
  if (n->bit == PAST_BITS_MAX) {
    s->full = true;
    n->bit = 0;
    return;
  }
  VEC_PUSH(&p->keepers, step ? n->left : number);
  if (step) n->atoms = 0;
  memory_put(&n->memory, n->bit);
  if (starts_true(n->op)) memory_put(&p->start, n->bit);
}

static uint32_t node_of(struct splitter *s, const struct ltl *x);

static void add_operand(struct splitter *s, struct past_node *n, uint32_t *number,
                        const struct ltl *x) {
  *number = node_of(s, x);
  const struct past_node *operand = &s->past->nodes.data[*number];
  n->atoms |= operand->atoms;
  for (int i = 0; i < PAST_WORDS; i++) n->memory.words[i] |= operand->memory.words[i];
}

static uint32_t node_of(struct splitter *s, const struct ltl *x) {
  while (s->numbers.count <= x->id) VEC_PUSH(&s->numbers, 0);
  if (s->numbers.data[x->id]) return s->numbers.data[x->id] - 1;
  struct past_node n = {.op = x->op};
  if (x->op == LTL_ATOM) n.atoms = UINT64_C(1) << x->atom;
  if (x->left) add_operand(s, &n, &n.left, x->left);
  if (x->right) add_operand(s, &n, &n.right, x->right);
  uint32_t number = (uint32_t)s->past->nodes.count;
  if (ltl_is_past(x->op)) give_bit(s, &n, number);
  VEC_PUSH(&s->past->nodes, n);
  s->numbers.data[x->id] = number + 1;
  return number;
}

// --- taking apart ---

typedef const struct ltl *taking(struct splitter *s, const struct ltl *x);

static const struct ltl *with_operands(struct splitter *s, const struct ltl *x, taking *take) {
  if (x->op <= LTL_ATOM) return x;
  const struct ltl *left = take(s, x->left);
  return ltl_make(s->factory, x->op, left, x->right ? take(s, x->right) : NULL);
}

static const struct ltl **slot_of(struct ltl_list *known, const struct ltl *x) {
  while (known->count <= x->id) VEC_PUSH(known, NULL);
  return &known->data[x->id];
}

static const struct ltl *outer(struct splitter *s, const struct ltl *x);

// As the monitor has it.
static const struct ltl *inner(struct splitter *s, const struct ltl *x) {
  const struct ltl *y = *slot_of(&s->inner, x);
  if (y) return y;
  if (ltl_is_future(x->op)) {
    y = fresh_atom(s, &s->past->hidden);
    const struct ltl *same = ltl_make(s->factory, LTL_EQUIV, y, outer(s, x));
    const struct ltl *always = ltl_unary(s->factory, LTL_ALWAYS, same);
    s->conditions = ltl_make(s->factory, LTL_AND, s->conditions, always);
  } else {
    y = with_operands(s, x, inner);
  }
  *slot_of(&s->inner, x) = y;
  return y;
}

// As the rest of the formula has it.
static const struct ltl *outer(struct splitter *s, const struct ltl *x) {
  const struct ltl *y = *slot_of(&s->outer, x);
  if (y) return y;
  if (ltl_is_past(x->op)) {
    uint32_t teller = node_of(s, inner(s, x));
    y = fresh_atom(s, &s->past->told);
    s->past->tellers[y->atom] = teller;
  } else {
    y = with_operands(s, x, outer);
  }
  *slot_of(&s->outer, x) = y;
  return y;
}

const struct ltl *past_split(struct ltl_past *p, struct ltl_factory *f, const struct ltl *x) {
  struct splitter s = {.factory = f, .past = p};
  bool *seen = mem_zalloc((size_t)x->id + 1, sizeof *seen);
  s.used = atoms_in(x, seen);
  mem_free(seen);
  s.conditions = ltl_make(f, LTL_TRUE, NULL, NULL);
  const struct ltl *rest = outer(&s, x);
  VEC_CLEAR(&s.outer);
  VEC_CLEAR(&s.inner);
  VEC_CLEAR(&s.numbers);
  if (s.full) return NULL;
  return p->told ? ltl_rewrite(f, ltl_make(f, LTL_AND, rest, s.conditions)) : x;
}

void past_clear(struct ltl_past *p) {
  VEC_CLEAR(&p->nodes);
  VEC_CLEAR(&p->keepers);
}
