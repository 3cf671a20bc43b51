// SPDX-License-Identifier: Apache-2.0
// A struct of the compiler's own, of which only scalars are loaded and stored at known places, is a
// variable for each of them. They are plain then, and mostly vanish.
#include "front/c/flow.h"

enum { SCALARS_MAX = 64 };

struct split {
  struct flow *w;
  struct flow_defs defs;
  bool *whole;     // of each object: it must stay
  uint32_t *first; // of each object: its first scalar's
  size_t count;    // of objects, before
};

// Is this an address of one scalar of an object, and which?
static bool is_leaf(const struct split *s, struct c_value v, uint32_t *object,
                    struct flow_leaf *leaf) {
  struct flow_address a;
  if (!flow_address(&s->defs, v, &a) || a.casts || a.steps > 1 || a.offset < 0) return false;
  const struct c_type *type = s->w->p->objects.data[a.object].type;
  *object = a.object;
  return flow_leaf_at(type, (uint64_t)a.offset, leaf) && leaf->offset == (uint64_t)a.offset;
}

static bool is_fit(const struct c_object *o) {
  return o->is_temporary && !o->is_global && o->scalars <= SCALARS_MAX &&
         (o->type->kind == C_STRUCT || o->type->kind == C_ARRAY);
}

static bool is_scalar_access(const struct split *s, const struct c_instruction *i, uint32_t k) {
  struct flow_leaf leaf;
  uint32_t object;
  if (i->op == C_LOAD) return is_leaf(s, i->args[k], &object, &leaf) && leaf.type == i->type;
  return i->op == C_STORE && k == 1 && is_leaf(s, i->args[k], &object, &leaf) &&
         leaf.type == i->args[0].type;
}

// The object that a value leads to must stay, unless it is used as it should.
static void look_at(struct split *s, const struct c_instruction *i, uint32_t k) {
  struct c_value v = i->args[k];
  const struct c_instruction *from = flow_def(&s->defs, &v);
  bool marks = i->op == C_ENTER || i->op == C_LEAVE;
  if (marks || is_scalar_access(s, i, k)) return;
  if (i->op == C_GEP && k == 0 && v.kind == C_OBJECT) {
    uint32_t object;
    struct flow_leaf leaf;
    struct c_value gives = {.kind = C_REGISTER, .type = i->type, .index = i->index};
    if (is_leaf(s, gives, &object, &leaf)) return; // those who use it are looked at
  }
  while (from && (from->op == C_GEP || from->op == C_BITCAST)) {
    v = from->args[0];
    from = flow_def(&s->defs, &v);
  }
  if (v.kind == C_OBJECT) s->whole[v.index] = true;
}

static void look(struct split *s) {
  for (size_t i = 0; i < s->count; i++) s->whole[i] = !is_fit(&s->w->p->objects.data[i]);
  for (size_t k = 0; k < s->w->f->blocks.count; k++) {
    const struct c_block *b = &s->w->f->blocks.data[k];
    for (size_t i = 0; i < b->phis.count; i++)
      for (uint32_t a = 0; a < b->phis.data[i].count; a++) {
        struct c_instruction use = {
            .op = C_COPY, .args = &b->phis.data[i].values[a], .arg_count = 1};
        look_at(s, &use, 0);
      }
    for (size_t i = 0; i < b->code.count; i++)
      for (uint32_t a = 0; a < b->code.data[i].arg_count; a++) look_at(s, &b->code.data[i], a);
  }
}

// --- the parts ---

// The scalars of a type, one after the other, as objects.
static void add_parts(struct split *s, const struct c_object *o, const struct c_type *t,
                      const char *name) {
  struct arena *a = s->w->p->arena;
  if (t->kind == C_STRUCT) {
    for (uint32_t k = 0; k < t->field_count; k++)
      add_parts(s, o, t->fields[k].type,
                t->fields[k].name ? arena_printf(a, "%s.%s", name, t->fields[k].name)
                                  : arena_printf(a, "%s.%u", name, (unsigned)k));
  } else if (t->kind == C_ARRAY) {
    for (uint64_t k = 0; k < t->count; k++)
      add_parts(s, o, t->to, arena_printf(a, "%s[%u]", name, (unsigned)k));
  } else {
    struct c_object part = *o;
    part.name = name;
    part.type = t;
    part.scalars = 1;
    VEC_PUSH(&s->w->p->objects, part);
  }
}

static bool add_all_parts(struct split *s) {
  bool any = false;
  for (size_t i = 0; i < s->count; i++) {
    if (s->whole[i]) continue;
    struct c_object o = s->w->p->objects.data[i];
    s->first[i] = (uint32_t)s->w->p->objects.count;
    add_parts(s, &o, o.type, o.name);
    any = true;
  }
  return any;
}

static bool rewrite_mark(struct split *s, struct flow_out *out, const struct c_instruction *i) {
  uint32_t object = i->args[0].index;
  if (object >= s->count || s->whole[object]) return false;
  for (uint64_t k = 0; k < s->w->p->objects.data[object].scalars; k++) {
    uint32_t part = s->first[object] + (uint32_t)k;
    const struct c_type *type = flow_pointer_to(s->w->p, s->w->p->objects.data[part].type);
    flow_put(out, i->op, i->type, 1)->args[0] =
        (struct c_value){.kind = C_OBJECT, .type = type, .index = part};
  }
  return true;
}

static bool rewrite(void *context, struct flow_out *out, const struct c_instruction *i) {
  struct split *s = context;
  struct flow_leaf leaf;
  uint32_t object, k = i->op == C_STORE;
  if (i->op == C_ENTER || i->op == C_LEAVE) return rewrite_mark(s, out, i);
  if ((i->op != C_LOAD && i->op != C_STORE) || !is_leaf(s, i->args[k], &object, &leaf) ||
      object >= s->count || s->whole[object])
    return false;
  struct c_instruction c = *i;
  c.args = ARENA_ARRAY(s->w->p->arena, struct c_value, i->arg_count);
  c.args[0] = i->args[0];
  c.args[k] = (struct c_value){
      .kind = C_OBJECT,
      .type = flow_pointer_to(s->w->p, leaf.type),
      .index = s->first[object] + flow_leaf_number(s->w->p->objects.data[object].type, &leaf)};
  flow_push(out, &c);
  return true;
}

bool flow_split(struct flow *w) {
  struct split s = {.w = w, .count = w->p->objects.count};
  s.whole = mem_zalloc(s.count + 1, sizeof *s.whole);
  s.first = mem_zalloc(s.count + 1, sizeof *s.first);
  flow_defs_init(&s.defs, w->f);
  look(&s);
  bool changed = add_all_parts(&s) && flow_rewrite(w, rewrite, &s);
  flow_defs_clear(&s.defs);
  mem_free(s.whole);
  mem_free(s.first);
  return changed;
}
