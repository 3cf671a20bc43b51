// SPDX-License-Identifier: Apache-2.0
// Objects: which are plain, which nobody uses, which marks of their lives tell anything.
#include "front/c/flow.h"

// --- those that the code names, and those whose addresses such begin with ---

struct uses {
  bool *used;
  VEC(uint32_t) todo;
};

static void note(struct uses *u, const struct c_value *v, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (v[i].kind == C_OBJECT && !u->used[v[i].index]) {
      u->used[v[i].index] = true;
      VEC_PUSH(&u->todo, v[i].index);
    }
}

static void find_used(const struct flow *w, struct uses *u) {
  for (size_t k = 0; k < w->f->blocks.count; k++) {
    const struct c_block *b = &w->f->blocks.data[k];
    for (size_t i = 0; i < b->phis.count; i++)
      note(u, b->phis.data[i].values, b->phis.data[i].count);
    for (size_t i = 0; i < b->code.count; i++) {
      const struct c_instruction *c = &b->code.data[i];
      if (c->op != C_ENTER && c->op != C_LEAVE) note(u, c->args, c->arg_count);
    }
  }
  while (u->todo.count) {
    const struct c_object *o = &w->p->objects.data[VEC_POP(&u->todo)];
    if (o->initial) note(u, o->initial, o->scalars);
  }
}

bool *flow_used_objects(const struct flow *w) {
  struct uses u = {.used = mem_zalloc(w->p->objects.count + 1, sizeof *u.used)};
  find_used(w, &u);
  VEC_CLEAR(&u.todo);
  return u.used;
}

// --- plain ---

static bool is_scalar(const struct c_type *t) { return t->kind == C_INT || t->kind == C_POINTER; }

static bool is_plain_use(const struct flow *w, const struct c_instruction *i, uint32_t k) {
  const struct c_object *o = &w->p->objects.data[i->args[k].index];
  switch (i->op) {
  case C_ENTER:
  case C_LEAVE: return true;
  case C_LOAD: return i->type == o->type;
  case C_STORE: return k == 1 && i->args[0].type == o->type;
  default: return false;
  }
}

static void look_at(struct flow *w, const struct c_instruction *i) {
  for (uint32_t k = 0; k < i->arg_count; k++)
    if (i->args[k].kind == C_OBJECT && !is_plain_use(w, i, k))
      w->p->objects.data[i->args[k].index].plain = false;
}

static void not_plain(struct flow *w, const struct c_value *v, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (v[i].kind == C_OBJECT) w->p->objects.data[v[i].index].plain = false;
}

void flow_plain(struct flow *w) {
  bool *used = flow_used_objects(w);
  for (size_t i = 0; i < w->p->objects.count; i++)
    w->p->objects.data[i].plain = is_scalar(w->p->objects.data[i].type);
  for (size_t i = 0; i < w->p->objects.count; i++)
    if (used[i] && w->p->objects.data[i].initial)
      not_plain(w, w->p->objects.data[i].initial, w->p->objects.data[i].scalars);
  for (size_t k = 0; k < w->f->blocks.count; k++) {
    const struct c_block *b = &w->f->blocks.data[k];
    for (size_t i = 0; i < b->phis.count; i++)
      not_plain(w, b->phis.data[i].values, b->phis.data[i].count);
    for (size_t i = 0; i < b->code.count; i++) look_at(w, &b->code.data[i]);
  }
  if (w->taken) flow_used_dead(w);
  mem_free(used);
}

// --- marks ---

// Does what comes after position `at` set the whole of the object before anyone reads it?
static bool is_set_next(const struct c_block *b, size_t at, uint32_t object) {
  for (size_t i = at + 1; i < b->code.count; i++) {
    const struct c_instruction *c = &b->code.data[i];
    bool loads = c->op == C_LOAD && c->args[0].kind == C_OBJECT && c->args[0].index == object;
    if (loads) return false;
    if (c->op == C_STORE && c->args[1].kind == C_OBJECT && c->args[1].index == object) return true;
  }
  return false;
}

// Of plain objects nobody can tell that they are gone.
static bool tells_nothing(const struct flow *w, const struct c_block *b, size_t at) {
  const struct c_instruction *c = &b->code.data[at];
  if (c->op != C_ENTER && c->op != C_LEAVE) return false;
  uint32_t object = c->args[0].index;
  if (!w->p->objects.data[object].plain) return false;
  return c->op == C_LEAVE || is_set_next(b, at, object);
}

static void drop_marks(struct flow *w) {
  for (size_t k = 0; k < w->f->blocks.count; k++) {
    struct c_block *b = &w->f->blocks.data[k];
    size_t kept = 0;
    for (size_t i = 0; i < b->code.count; i++)
      if (!tells_nothing(w, b, i)) b->code.data[kept++] = b->code.data[i];
    b->code.count = kept;
  }
}

// --- unused ---

static void drop_marks_of_unused(struct flow *w, const bool *used) {
  for (size_t k = 0; k < w->f->blocks.count; k++) {
    struct c_block *b = &w->f->blocks.data[k];
    size_t kept = 0;
    for (size_t i = 0; i < b->code.count; i++) {
      const struct c_instruction *c = &b->code.data[i];
      if ((c->op == C_ENTER || c->op == C_LEAVE) && !used[c->args[0].index]) continue;
      b->code.data[kept++] = *c;
    }
    b->code.count = kept;
  }
}

static void renumber(struct c_value *v, uint64_t n, const uint32_t *number) {
  for (uint64_t i = 0; i < n; i++)
    if (v[i].kind == C_OBJECT) v[i].index = number[v[i].index];
}

static void drop_objects(struct flow *w, const bool *used) {
  uint32_t *number = mem_zalloc(w->p->objects.count + 1, sizeof *number);
  size_t kept = 0;
  for (size_t i = 0; i < w->p->objects.count; i++) {
    if (!used[i]) continue;
    number[i] = (uint32_t)kept;
    w->p->objects.data[kept++] = w->p->objects.data[i];
  }
  w->p->objects.count = kept;
  for (size_t i = 0; i < kept; i++)
    if (w->p->objects.data[i].initial)
      renumber(w->p->objects.data[i].initial, w->p->objects.data[i].scalars, number);
  for (size_t k = 0; k < w->f->blocks.count; k++) {
    struct c_block *b = &w->f->blocks.data[k];
    for (size_t i = 0; i < b->phis.count; i++)
      renumber(b->phis.data[i].values, b->phis.data[i].count, number);
    for (size_t i = 0; i < b->code.count; i++)
      renumber(b->code.data[i].args, b->code.data[i].arg_count, number);
  }
  mem_free(number);
}

void flow_objects(struct flow *w) {
  drop_marks(w);
  bool *used = flow_used_objects(w);
  drop_marks_of_unused(w, used);
  drop_objects(w, used);
  mem_free(used);
}
