// SPDX-License-Identifier: Apache-2.0
// The whole program: locations, variables, registers that cross blocks, a rule for each block, and
// the start.
#include "front/c/lower.h"
#include "front/c/memory.h"

static const struct span nowhere;

static void declare_location(struct c_lower *w) {
  uint32_t n = (uint32_t)w->f->blocks.count + 1; // the last one is the end
  w->location = ir_type_enum(w->m, 0, (const char *const *)c_location_names(w), n);
  w->pc = ir_var_new(w->m, c_name_unique(&w->names, w->arena, "pc"), w->location, nowhere);
  w->pc->is_location = true;
  w->pc->agent = 0;
}

static void declare_crossing(struct c_lower *w) {
  for (uint32_t r = 0; r < w->f->registers.count; r++) {
    struct c_crossing *c = &w->crossing[r];
    const struct c_type *t = w->f->registers.data[r].type;
    if (!c->crosses || !t) continue;
    const struct ir_type *type = NULL;
    if (t->kind == C_INT && t->bits <= 64) type = c_int_type(w, t->bits, true);
    if (t->kind == C_POINTER) type = c_memory_pointer_type(w, &w->points->registers[r]);
    if (!type) continue;
    c->var = ir_var_new(w->m, arena_printf(w->arena, "%%%u", r), type, nowhere);
    c->var->hidden = true;
  }
}

static void lower_start(struct c_lower *w) {
  struct ir_chain body = {0};
  w->rule = ir_rule_new(w->m, true, "start", w->f->span);
  w->out = w->body = &body;
  w->temporaries = 0;
  c_memory_start(w);
  w->rule->body = body.first;
}

static void lower_init(struct c_lower *w, struct ir_model *m, struct c_program *p,
                       const struct c_config *c, struct diag *d) {
  *w = (struct c_lower){.m = m, .p = p, .config = c, .d = d, .arena = arena_new()};
  c_split_errors(p);
  w->f = &p->functions.data[p->main];
  c_find_unset(w);
  w->points = c_points_new(p, w->unset);
}

static void lower_clear(struct c_lower *w) {
  c_points_free(w->points);
  VEC_CLEAR(&w->things);
  VEC_CLEAR(&w->waiting);
  c_names_clear(&w->names);
  arena_free(w->arena);
}

void c_lower(struct ir_model *m, struct c_program *p, const struct c_config *c, struct diag *d) {
  struct c_lower w;
  lower_init(&w, m, p, c, d);
  declare_location(&w);
  c_find_gone(&w);
  c_registers_scan(&w);
  c_memory_declare(&w);
  declare_crossing(&w);
  lower_start(&w);
  for (uint32_t b = 0; b < w.f->blocks.count; b++) c_lower_block(&w, b);
  lower_clear(&w);
}
