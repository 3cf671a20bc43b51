// SPDX-License-Identifier: Apache-2.0
// Where leaves sit in a packed state and what they are called; and what a model still lacks when it
// has been built.
//
// No leaf straddles two words. Short states are packed by first fit in decreasing width, so that
// gaps are filled by narrow leaves. Long ones keep the order of declaration: the tree store, where
// they are kept, finds parts again that it has seen, and what is declared together changes
// together. (It takes half the memory then, and the words are a few per cent more.)
#include "ir/ir.h"

#include "ir/defined.h"
#include "ir/prune.h"
#include "ir/pure.h"

#include <inttypes.h>
#include <string.h>

enum {
  SHORT_BITS = 128,        // states that are no longer are packed as tightly as possible
  LEAVES_MAX = 1 << 22,    // of a state
  WORDS_MAX = 1 << 17,     // 1 MiB
  CELLS_MAX = 1 << 20,     // of a frame
  INSTANCES_MAX = 1 << 20, // of all rules
};

// --- leaves ---

static void fill_types(struct ir_leaf *leaf, const struct ir_type *t) {
  if (t->kind == IR_TYPE_ARRAY) {
    for (uint64_t i = 0; i < t->leaves; i += t->elem->leaves) fill_types(leaf + i, t->elem);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++)
      fill_types(leaf + t->fields[i].leaf, t->fields[i].type);
  } else {
    leaf->type = t;
  }
}

bool ir_type_can_undef(const struct ir_type *t) {
  return !(t->kind == IR_TYPE_INT && t->bits == 64);
}

static uint16_t leaf_width(const struct ir_leaf *l) {
  uint64_t n = ir_type_count(l->type);
  if (n == UINT64_MAX) return 64;
  uint64_t largest = n - 1 + (l->undef ? 1 : 0);
  return largest ? (uint16_t)(64 - __builtin_clzll(largest)) : 0;
}

static void place_leaf(struct ir_layout *l, struct ir_leaf *leaf, uint32_t word, uint8_t *used) {
  leaf->word = word;
  leaf->shift = used[word];
  used[word] = (uint8_t)(used[word] + leaf->width);
  if (word >= l->words) l->words = word + 1;
}

// First fit in decreasing width: the shortest state.
static void place_by_width(struct ir_layout *l, uint8_t *used) {
  for (int width = 64; width > 0; width--) {
    uint32_t word = 0;
    for (uint64_t i = 0; i < l->count; i++) {
      if (l->leaf[i].width != width) continue;
      while (used[word] + width > 64) word++;
      place_leaf(l, &l->leaf[i], word, used);
    }
  }
}

// In the order of declaration: what belongs together changes together.
static void place_in_order(struct ir_layout *l, uint8_t *used) {
  uint32_t word = 0;
  for (uint64_t i = 0; i < l->count; i++) {
    if (l->leaf[i].width == 0) continue;
    if (used[word] + l->leaf[i].width > 64) word++;
    place_leaf(l, &l->leaf[i], word, used);
  }
}

static void place_leaves(struct ir_layout *l) {
  uint8_t *used = mem_zalloc(l->count + 1, 1); // bits taken in each word
  for (uint64_t i = 0; i < l->count; i++) l->bits += l->leaf[i].width;
  if (l->bits <= SHORT_BITS)
    place_by_width(l, used);
  else
    place_in_order(l, used);
  l->bytes = l->words ? (l->words - 1) * 8 + (used[l->words - 1] + 7u) / 8 : 0;
  if (l->words == 0) l->words = 1;
  if (l->bytes == 0) l->bytes = 1;
  mem_free(used);
}

struct ir_layout *ir_layout_new(const struct ir_model *m, const bool *undef) {
  struct ir_layout *l = ARENA_NEW(m->arena, struct ir_layout);
  l->count = m->leaves;
  l->leaf = ARENA_ARRAY(m->arena, struct ir_leaf, m->leaves);
  for (size_t i = 0; i < m->vars.count; i++)
    fill_types(l->leaf + m->vars.data[i]->first_leaf, m->vars.data[i]->type);
  for (uint64_t i = 0; i < l->count; i++) {
    l->leaf[i].undef = ir_type_can_undef(l->leaf[i].type) && (!undef || undef[i]);
    l->leaf[i].width = leaf_width(&l->leaf[i]);
  }
  place_leaves(l);
  return l;
}

int64_t ir_leaf_get(const struct ir_leaf *l, const uint64_t *state) {
  uint64_t code = ir_leaf_code(l, state);
  if (!l->undef) return ir_type_value(l->type, code);
  return code == 0 ? IR_UNDEF : ir_type_value(l->type, code - 1);
}

void ir_leaf_set(const struct ir_leaf *l, uint64_t *state, int64_t value) {
  if (value == IR_UNDEF && ir_type_can_undef(l->type)) {
    assert(l->undef);
    ir_leaf_set_code(l, state, 0);
  } else {
    ir_leaf_set_code(l, state, ir_type_rank(l->type, value) + (l->undef ? 1 : 0));
  }
}

const struct ir_var *ir_leaf_var(const struct ir_model *m, uint64_t leaf) {
  size_t lo = 0, hi = m->vars.count;
  while (hi - lo > 1) { // the last variable that begins at or before the leaf and is not empty
    size_t mid = (lo + hi) / 2;
    if (m->vars.data[mid]->first_leaf <= leaf)
      lo = mid;
    else
      hi = mid;
  }
  return m->vars.data[lo];
}

void ir_leaf_name(struct text *out, const struct ir_model *m, uint64_t leaf) {
  const struct ir_var *v = ir_leaf_var(m, leaf);
  text_add(out, v->name);
  uint64_t at = leaf - v->first_leaf;
  for (const struct ir_type *t = v->type; !ir_type_scalar(t);) {
    if (t->kind == IR_TYPE_ARRAY) {
      text_char(out, '[');
      ir_type_print_value(out, t->index, ir_type_value(t->index, at / t->elem->leaves));
      text_char(out, ']');
      at %= t->elem->leaves;
      t = t->elem;
    } else {
      uint32_t i = t->field_count - 1;
      while (t->fields[i].leaf > at || t->fields[i].type->leaves == 0) i--;
      text_printf(out, ".%s", t->fields[i].name);
      at -= t->fields[i].leaf;
      t = t->fields[i].type;
    }
  }
}

// --- finishing a model ---

// The product of the locals' domain sizes; 0: it is larger than max.
static uint32_t count_domains(const struct ir_rule *r, uint32_t first, uint32_t n, uint32_t max) {
  uint64_t total = 1;
  for (uint32_t i = first; i < first + n; i++) {
    uint64_t count = ir_domain_count(r->frame.locals[i]->domain);
    if (count > max || total * count > max) return 0;
    total *= count;
  }
  return (uint32_t)total;
}

static bool number_rules(struct ir_rule *const *rules, size_t count, uint32_t *total,
                         struct diag *d) {
  *total = 0;
  for (size_t i = 0; i < count; i++) {
    struct ir_rule *r = rules[i];
    r->instances = count_domains(r, 0, r->param_count, INSTANCES_MAX);
    r->choices = count_domains(r, r->param_count, r->choice_count, UINT32_MAX);
    if (r->instances == 0) {
      diag_error(d, r->span,
                 "\"%s\" has too many instances (more than %d); make the ranges smaller", r->name,
                 INSTANCES_MAX);
      return false;
    }
    r->first_instance = *total;
    *total += r->instances;
    if (*total > INSTANCES_MAX) {
      diag_error(d, r->span, "the model has too many rule instances (more than %d)", INSTANCES_MAX);
      return false;
    }
  }
  return true;
}

static bool sizes_fit(const struct ir_model *m, struct diag *d) {
  for (size_t i = 0; i < m->vars.count; i++) {
    const struct ir_var *v = m->vars.data[i];
    if (v->first_leaf + v->type->leaves > LEAVES_MAX) {
      diag_error(d, v->span,
                 "the state does not fit: with \"%s\" it has %" PRIu64
                 " scalars, and at most %d are possible",
                 v->name, v->first_leaf + v->type->leaves, LEAVES_MAX);
      return false;
    }
  }
  return true;
}

static bool frame_fits(const struct ir_frame *f, const char *name, struct span span,
                       struct diag *d) {
  uint64_t cells = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    cells += f->locals[i]->kind == IR_LOCAL_REF ? 1 : f->locals[i]->type->leaves;
    if (cells > CELLS_MAX) {
      diag_error(d, span, "the local variables of \"%s\" do not fit: more than %d scalars", name,
                 CELLS_MAX);
      return false;
    }
  }
  return true;
}

static bool frames_fit(const struct ir_model *m, struct diag *d) {
  bool ok = true;
  for (size_t i = 0; i < m->rules.count; i++)
    ok &= frame_fits(&m->rules.data[i]->frame, m->rules.data[i]->name, m->rules.data[i]->span, d);
  for (size_t i = 0; i < m->starts.count; i++)
    ok &=
        frame_fits(&m->starts.data[i]->frame, m->starts.data[i]->name, m->starts.data[i]->span, d);
  for (size_t i = 0; i < m->functions.count; i++)
    ok &= frame_fits(&m->functions.data[i]->frame, m->functions.data[i]->name,
                     m->functions.data[i]->span, d);
  return ok;
}

bool ir_model_finish(struct ir_model *m, struct diag *d) {
  if (!sizes_fit(m, d) || !frames_fit(m, d) || !ir_calls_pure(m, d)) return false;
  if (!number_rules(m->starts.data, m->starts.count, &m->start_instances, d)) return false;
  if (!number_rules(m->rules.data, m->rules.count, &m->rule_instances, d)) return false;
  ir_prune(m);
  m->start_layout = m->layout = ir_layout_new(m, NULL);
  if (m->layout->words > WORDS_MAX) {
    diag_error(d, m->vars.data[0]->span,
               "the state does not fit: %" PRIu64 " bytes, and at most 1 MiB is possible",
               (uint64_t)m->layout->words * 8);
    return false;
  }
  bool *undef = ir_undefined_leaves(m);
  m->layout = ir_layout_new(m, undef);
  mem_free(undef);
  return true;
}
