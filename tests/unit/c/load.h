// SPDX-License-Identifier: Apache-2.0
// C programs given as text, read and put in shape; shared by the tests of the C front end.
#pragma once

#include "front/c/c.h"
#include "front/c/program.h"

#include <string.h>

enum stage { READ, INLINED, TIDY };

struct loaded {
  struct c_program p;
  struct source *source;
  struct diag d;
  bool ok;
};

static inline void load_with(struct loaded *l, const char *text, enum stage stage,
                             const struct c_config *c) {
  *l = (struct loaded){.source = source_from_text("test.c", text, strlen(text))};
  l->ok = c_program_read(&l->p, l->source, c, &l->d);
  if (l->ok && stage >= INLINED)
    l->ok = c_program_inline(&l->p, c->recursion ? c->recursion : C_RECURSION, &l->d);
  if (l->ok && stage >= TIDY) c_program_tidy(&l->p);
}

static inline void load(struct loaded *l, const char *text, enum stage stage) {
  load_with(l, text, stage, &(struct c_config){0});
}

static inline void unload(struct loaded *l) {
  c_program_free(&l->p);
  diag_clear(&l->d);
  source_free(l->source);
}

// How many instructions of a kind the function has.
static inline size_t count_of(const struct c_program *p, const char *function, enum c_op op) {
  size_t n = 0;
  for (size_t f = 0; f < p->functions.count; f++)
    for (size_t k = 0; k < p->functions.data[f].blocks.count; k++) {
      const struct c_block *b = &p->functions.data[f].blocks.data[k];
      if (strcmp(p->functions.data[f].name, function) != 0) continue;
      for (size_t i = 0; i < b->code.count; i++) n += b->code.data[i].op == op;
    }
  return n;
}

static inline const struct c_object *object_of(const struct c_program *p, const char *name) {
  for (size_t i = 0; i < p->objects.count; i++)
    if (strcmp(p->objects.data[i].name, name) == 0) return &p->objects.data[i];
  return NULL;
}
