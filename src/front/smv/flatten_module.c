// SPDX-License-Identifier: Apache-2.0
// Modules by name, and ISA: the declarations of another module, put in its place. They are read in
// the scope of whoever takes them in.
#include "front/smv/flatten.h"

#include <string.h>

void smv_know_modules(struct smv_names *n, struct ast_module *modules) {
  for (struct ast_module *m = modules; m; m = m->next) {
    const struct ast_module *old = smv_module(n, m->name);
    if (!old) {
      smv_table_put(&n->modules, m->name, NULL, m);
      continue;
    }
    smv_error(n, m->span, "module '%s' is already declared; expected another name", m->name);
    diag_add(n->d, DIAG_NOTE, old->span, "'%s' was declared here", m->name);
  }
}

struct ast_module *smv_module(const struct smv_names *n, const char *name) {
  return smv_table_get(&n->modules, name, NULL);
}

void smv_no_module(struct smv_names *n, struct span span, const char *name) {
  VEC(const char *) names = {0};
  for (size_t i = 0; i < n->modules.capacity; i++)
    if (n->modules.slots[i].value) VEC_PUSH(&names, n->modules.slots[i].a);
  const char *best = name_nearest(name, names.data, names.count);
  if (best)
    smv_error(n, span, "there is no module '%s'; did you mean '%s'?", name, best);
  else
    smv_error(n, span, "there is no module '%s'; expected a type or a module", name);
  VEC_CLEAR(&names);
}

static struct ast_module *base_module(struct smv_names *n, const struct ast_decl *isa) {
  struct ast_module *base = smv_module(n, isa->target->text);
  if (!base) {
    smv_no_module(n, isa->span, isa->target->text);
  } else if (base->params) {
    smv_error(n, isa->span, "module '%s' has parameters; expected one without after ISA",
              base->name);
    return NULL;
  } else if (base->isa == AST_BUSY) {
    smv_error(n, isa->span, "module '%s' takes itself in by ISA", base->name);
    return NULL;
  }
  return base;
}

static bool take_in(struct smv_names *n, const struct ast_module *base, struct ast_decl **ring,
                    uint32_t *count) {
  for (const struct ast_decl *d = base->decls; d; d = d->next) {
    if (++*count > SYMBOLS_MAX) {
      smv_too_large(n, base->span, "declarations", SYMBOLS_MAX);
      return false;
    }
    struct ast_decl *copy = ARENA_NEW(n->flat->arena, struct ast_decl);
    *copy = *d;
    *ring = AST_APPEND(*ring, copy);
  }
  return true;
}

static bool replace(struct smv_names *n, struct ast_module *m) {
  struct ast_decl *ring = NULL, *next;
  uint32_t count = 0;
  bool good = true;
  for (struct ast_decl *d = m->decls; d && !n->gave_up; d = next) {
    next = d->next;
    if (d->kind != AST_ISA) {
      ring = AST_APPEND(ring, d);
      continue;
    }
    struct ast_module *base = base_module(n, d);
    good = base && smv_expand_isa(n, base) && take_in(n, base, &ring, &count) && good;
  }
  m->decls = AST_CLOSE(ring);
  return good && !n->gave_up;
}

bool smv_expand_isa(struct smv_names *n, struct ast_module *m) {
  if (m->isa == AST_DONE) return true;
  if (!smv_enter(n, m->span)) return false;
  m->isa = AST_BUSY;
  bool good = replace(n, m);
  m->isa = AST_DONE;
  smv_leave(n);
  return good;
}
