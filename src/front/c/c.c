// SPDX-License-Identifier: Apache-2.0
// From a C text to a finished model: clang, one function, tidied up; IR, folded, narrowed, laid
// out.
#include "front/c/c.h"

#include "front/c/lower.h"
#include "front/c/program.h"

#include <string.h>

static const char *base_name(struct arena *a, const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  return arena_strndup(a, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

// Variables that are other files' begin to live, with any value, where the program begins.
static void enter_foreign(struct c_program *p) {
  struct c_block *first = &p->functions.data[p->main].blocks.data[0];
  for (size_t i = 0; i < p->objects.count; i++) {
    const struct c_object *o = &p->objects.data[i];
    if (!o->is_global || !c_object_foreign(o)) continue;
    struct c_instruction enter = {.op = C_ENTER, .type = p->nothing, .arg_count = 1};
    enter.args = ARENA_NEW(p->arena, struct c_value);
    *enter.args = (struct c_value){.kind = C_OBJECT, .index = (uint32_t)i};
    enter.function = p->functions.data[p->main].name;
    VEC_PUSH(&first->code, enter);
    memmove(&first->code.data[1], first->code.data, (first->code.count - 1) * sizeof enter);
    first->code.data[0] = enter;
  }
}

static bool read_program(struct c_program *p, struct source *s, const struct c_config *c,
                         struct diag *d) {
  if (!source_readable(s, "file", "a C program", d)) return false;
  if (!c_program_read(p, s, c, d)) return false;
  if (!c_program_inline(p, c->recursion ? c->recursion : C_RECURSION, d)) return false;
  enter_foreign(p);
  c_split_overflows(p);
  c_program_tidy(p);
  return true;
}

// The sources of included files go where the program's own goes.
static void keep_sources(struct c_program *p, struct ir_model *m, struct diag *d, bool good) {
  for (size_t i = 0; i < p->sources.count; i++) {
    if (good)
      VEC_PUSH(&m->sources, p->sources.data[i]);
    else
      diag_keep_source(d, p->sources.data[i]);
  }
  p->sources.count = 0;
}

bool c_print_blocks(struct text *out, struct source *s, const struct c_config *c, struct diag *d) {
  struct c_program p = {0};
  bool good = read_program(&p, s, c, d);
  if (good) c_program_print(out, &p);
  keep_sources(&p, NULL, d, false);
  diag_keep_source(d, s);
  c_program_free(&p);
  return good;
}

struct ir_model *c_load(struct source *s, const struct c_config *c, struct diag *d) {
  struct ir_model *m = ir_model_new("", "c");
  struct c_program p = {0};
  size_t errors = d->errors;
  m->name = base_name(m->arena, s->path);
  m->deadlock = IR_DEADLOCK_OFF;
  if (read_program(&p, s, c, d)) c_lower(m, &p, c, d);
  if (d->errors == errors) {
    ir_fold(m);
    ir_narrow(m);
  }
  bool good = d->errors == errors && ir_model_finish(m, d);
  if (good) VEC_PUSH(&m->sources, s);
  keep_sources(&p, m, d, good);
  c_program_free(&p);
  if (good) return m;
  diag_keep_source(d, s); // the diagnostics point into it
  ir_model_free(m);
  return NULL;
}
