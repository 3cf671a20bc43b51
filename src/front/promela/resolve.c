// SPDX-License-Identifier: Apache-2.0
// A whole program: declarations in the order of the text, then what may refer to anything (remote
// references, ltl formulas), then the control graphs.
#include "front/promela/resolve.h"
#include "front/promela/graph.h"

#include <string.h>

#define PROCESSES_MAX 255

// Moves a vector into the arena, where the program lives; it does not grow any more.
#define SETTLE(a, v)                                                                               \
  do {                                                                                             \
    void *heap = (v)->data;                                                                        \
    (v)->data = arena_alloc((a), (v)->count * sizeof(*(v)->data) + 1);                             \
    if ((v)->count > 0) memcpy((v)->data, heap, (v)->count * sizeof(*(v)->data));                  \
    (v)->capacity = (v)->count;                                                                    \
    mem_free(heap);                                                                                \
  } while (0)

// ---------------------------------------------------------------------------------------------
// Processes

static enum pml_proc_kind proc_kind(const struct ast_unit *u) {
  switch (u->kind) {
  case AST_UNIT_INIT: return PML_INIT;
  case AST_UNIT_NEVER: return PML_NEVER;
  case AST_UNIT_TRACE: return PML_TRACE;
  case AST_UNIT_NOTRACE: return PML_NOTRACE;
  default: return PML_PROCTYPE;
  }
}

static const char *proc_name(struct resolve *r, const struct ast_unit *u, uint32_t never_count) {
  switch (u->kind) {
  case AST_UNIT_INIT: return ":init:";
  case AST_UNIT_TRACE: return ":trace:";
  case AST_UNIT_NOTRACE: return ":notrace:";
  case AST_UNIT_NEVER:
    if (!u->name) return arena_printf(r->p->arena, "never_%u", never_count);
    break;
  default: break;
  }
  return arena_strdup(r->p->arena, u->name);
}

static bool is_process(const struct ast_unit *u) {
  return u->kind == AST_UNIT_PROCTYPE || u->kind == AST_UNIT_INIT || u->kind == AST_UNIT_NEVER ||
         u->kind == AST_UNIT_TRACE || u->kind == AST_UNIT_NOTRACE;
}

static void check_name(struct resolve *r, const struct pml_proc *p) {
  for (size_t i = 0; i < r->p->procs.count; i++)
    if (strcmp(r->p->procs.data[i]->name, p->name) == 0) {
      if (p->kind == PML_INIT)
        diag_error(r->diag, p->span, "a second init");
      else
        diag_error(r->diag, p->span, "%s is declared already", p->name);
    }
}

// run may name proctypes further down, so all are known before any is resolved.
static void collect_procs(struct resolve *r, struct ast_unit *units) {
  uint32_t never_count = 0;
  for (struct ast_unit *u = units; u; u = u->next) {
    if (!is_process(u)) continue;
    struct pml_proc *p = ARENA_NEW(r->p->arena, struct pml_proc);
    *p = (struct pml_proc){.kind = proc_kind(u),
                           .name = proc_name(r, u, never_count),
                           .span = u->span,
                           .number = (uint32_t)r->p->procs.count,
                           .unit = u};
    if (u->kind == AST_UNIT_NEVER) never_count++;
    check_name(r, p);
    VEC_PUSH(&r->p->procs, p);
  }
}

static int64_t number_of(struct resolve *r, struct ast_expr *e, const char *what, int64_t max) {
  int64_t value;
  resolve_expr(r, e);
  bool known = pml_constant(e, &value);
  if (!known && e->op == AST_REF && e->sym && e->sym->init_count == 1)
    known = pml_constant(e->sym->init[0], &value);
  if (known && value >= 0 && value <= max) return value;
  diag_error(r->diag, e->span, "%s is a number up to %d", what, (int)max);
  return 1;
}

static void resolve_header(struct resolve *r, struct pml_proc *p) {
  const struct ast_unit *u = p->unit;
  if (p->kind == PML_INIT) p->active = 1;
  if (u->is_active) p->active = 1;
  if (u->active)
    p->active = (uint32_t)number_of(r, u->active, "how many are active", PROCESSES_MAX);
  if (u->priority) {
    p->priority = number_of(r, u->priority, "a priority", 255);
    r->p->uses_priority = true;
  }
}

// What a provided clause reads is asked at every step, of whoever else moves.
static void check_provided(struct resolve *r, const struct ast_expr *e) {
  if (!e) return;
  if (e->op == AST_REF && e->sym && e->sym->owner >= 0 && !e->sym->builtin)
    diag_error(r->diag, e->span, "'%s' is local: a provided clause can read globals and _pid only",
               e->name);
  for (uint32_t i = 0; i < e->arg_count; i++) check_provided(r, e->args[i]);
}

static void resolve_body(struct resolve *r, struct pml_proc *p) {
  struct ast_unit *u = (struct ast_unit *)p->unit;
  r->proc = p;
  resolve_header(r, p);
  resolve_enter(r);
  r->may_initialise = true;
  for (struct ast_decl *d = u->decls; d; d = d->next) resolve_declare(r, d, PML_PARAM);
  p->param_count = (uint32_t)p->locals.count;
  if (u->provided) resolve_expr(r, u->provided);
  check_provided(r, u->provided);
  p->provided = u->provided;
  resolve_sequence(r, u->body);
  resolve_leave(r);
  r->proc = NULL;
}

static struct pml_proc *proc_of(const struct resolve *r, const struct ast_unit *u) {
  for (size_t i = 0; i < r->p->procs.count; i++)
    if (r->p->procs.data[i]->unit == u) return r->p->procs.data[i];
  return NULL;
}

// ---------------------------------------------------------------------------------------------
// Units

static void resolve_unit(struct resolve *r, struct ast_unit *u) {
  switch (u->kind) {
  case AST_UNIT_DECLS:
    for (struct ast_decl *d = u->decls; d; d = d->next) resolve_declare(r, d, PML_VAR);
    break;
  case AST_UNIT_MTYPE: types_add_mtypes(r, u); break;
  case AST_UNIT_TYPEDEF: resolve_typedef(r, u); break;
  case AST_UNIT_C_CODE:
  case AST_UNIT_C_STATE:
    r->p->uses_c = true;
    VEC_PUSH(&r->p->c_units, u);
    break;
  case AST_UNIT_LTL: break; // at the end
  default: resolve_body(r, proc_of(r, u)); break;
  }
}

static void resolve_ltls(struct resolve *r, struct ast_unit *units) {
  uint32_t unnamed = 0;
  for (struct ast_unit *u = units; u; u = u->next) {
    if (u->kind != AST_UNIT_LTL) continue;
    struct pml_ltl l = {.name = u->name, .text = u->text, .span = u->span, .expr = u->expr};
    if (!l.name) l.name = arena_printf(r->arena, "ltl_%u", unnamed++);
    resolve_expr(r, u->expr);
    VEC_PUSH(&r->p->ltls, l);
  }
}

static void add_builtins(struct resolve *r) {
  static const struct {
    const char *name;
    enum pml_builtin builtin;
    enum ast_base base;
  } table[] = {{"_pid", PML_PID_VAR, AST_PID},
               {"_nr_pr", PML_NR_PR, AST_BYTE},
               {"_last", PML_LAST, AST_PID},
               {"_", PML_SCRATCH, AST_INT},
               {"_priority", PML_PRIORITY, AST_BYTE}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct pml_symbol *s = ARENA_NEW(r->p->arena, struct pml_symbol);
    struct binding *b = ARENA_NEW(r->arena, struct binding);
    *s = (struct pml_symbol){.kind = PML_BUILTIN,
                             .builtin = table[i].builtin,
                             .name = table[i].name,
                             .shown = table[i].name,
                             .type = {.base = table[i].base},
                             .length = 1,
                             .owner = -1};
    *b = (struct binding){.sym = s, .next = r->scope->bindings};
    r->scope->bindings = b;
  }
}

// ---------------------------------------------------------------------------------------------
// Graphs

static void pin_labels(struct resolve *r, struct flow *flows) {
  for (size_t i = 0; i < r->remotes.count; i++) {
    struct ast_expr *e = r->remotes.data[i];
    if (e->op == AST_REMOTE_LAB && e->index != UINT32_MAX) flow_pin(&flows[e->index], e->label);
  }
}

static void set_label_states(struct resolve *r, const struct flow *flows) {
  for (size_t i = 0; i < r->remotes.count; i++) {
    struct ast_expr *e = r->remotes.data[i];
    if (e->op != AST_REMOTE_LAB || e->index == UINT32_MAX) continue;
    const struct flow_label *l = flow_find_remote(&flows[e->index], e->label);
    if (l)
      e->value = l->node->number;
    else
      diag_error(r->diag, e->span, "%s has no label %s", e->name, e->label);
  }
}

static void build_graphs(struct resolve *r, struct flow *flows) {
  uint32_t break_count = 0;
  for (size_t i = 0; i < r->p->procs.count; i++) {
    struct pml_proc *p = r->p->procs.data[i];
    flows[i] = (struct flow){.arena = r->arena,
                             .kept = r->p->arena,
                             .diag = r->diag,
                             .is_claim = p->kind == PML_NEVER,
                             .break_count = &break_count};
    flow_build(&flows[i], p->unit);
  }
  pin_labels(r, flows);
  set_label_states(r, flows);
  for (size_t i = 0; i < r->p->procs.count; i++) {
    flow_tie(&flows[i]);
    graph_build(&flows[i], &r->p->procs.data[i]->graph);
    flow_clear(&flows[i]);
  }
}

static void settle_graph(struct pml_program *p, struct arena *a, struct pml_graph *g) {
  for (size_t i = 0; i < g->edges.count; i++)
    if (g->edges.data[i].inner) settle_graph(p, p->syntax, g->edges.data[i].inner);
  SETTLE(a, &g->states);
  SETTLE(a, &g->edges);
}

static void settle(struct pml_program *p) {
  for (size_t i = 0; i < p->procs.count; i++) {
    SETTLE(p->arena, &p->procs.data[i]->locals);
    settle_graph(p, p->arena, &p->procs.data[i]->graph);
  }
  SETTLE(p->arena, &p->globals);
  SETTLE(p->arena, &p->structs);
  SETTLE(p->arena, &p->mtypes);
  SETTLE(p->arena, &p->procs);
  SETTLE(p->syntax, &p->ltls);
  SETTLE(p->syntax, &p->c_units);
}

static bool has_start(const struct pml_program *p) {
  for (size_t i = 0; i < p->procs.count; i++)
    if (p->procs.data[i]->active > 0) return true;
  return false;
}

static void warn_of_hidden(const struct pml_program *p, struct diag *d) {
  for (size_t i = 0; i < p->globals.count; i++) {
    const struct pml_symbol *s = p->globals.data[i];
    if (s->visibility == AST_HIDDEN && s->read)
      diag_warning(d, s->span,
                   "'%s' is hidden but read: here it is part of the state, like any variable",
                   s->name);
  }
}

void pml_resolve(struct pml_program *p, struct ast_unit *units, struct diag *d) {
  struct scope global = {0};
  struct resolve r = {.p = p, .arena = p->syntax, .diag = d, .scope = &global, .is_read = true};
  r.may_initialise = true;
  add_builtins(&r);
  collect_procs(&r, units);
  for (struct ast_unit *u = units; u; u = u->next) resolve_unit(&r, u);
  resolve_ltls(&r, units);
  resolve_remotes(&r);
  if (!has_start(p))
    diag_error(d, units ? units->span : (struct span){0},
               "nothing runs: there is no init and no active proctype");
  warn_of_hidden(p, d);
  if (d->errors == 0) build_graphs(&r, ARENA_ARRAY(p->syntax, struct flow, p->procs.count));
  settle(p);
  VEC_CLEAR(&r.remotes);
}

// ---------------------------------------------------------------------------------------------
// Without the tree: who comes too late finds NULL, not what was there

static void forget_init(struct pml_symbol *s) {
  s->init = NULL;
  s->init_count = 0;
}

static void forget_proc(struct pml_proc *p) {
  p->provided = NULL;
  p->unit = NULL;
  for (size_t i = 0; i < p->locals.count; i++) forget_init(p->locals.data[i]);
  for (size_t i = 0; i < p->graph.edges.count; i++) {
    struct pml_edge *e = &p->graph.edges.data[i];
    e->stmt = NULL;
    e->inner = NULL;
    e->siblings = NULL;
    e->dead = NULL;
    e->sibling_count = e->dead_count = 0;
  }
}

void pml_forget_syntax(struct pml_program *p) {
  for (size_t i = 0; i < p->procs.count; i++) forget_proc(p->procs.data[i]);
  for (size_t i = 0; i < p->globals.count; i++) forget_init(p->globals.data[i]);
  for (size_t i = 0; i < p->structs.count; i++)
    for (uint32_t k = 0; k < p->structs.data[i]->field_count; k++)
      forget_init(p->structs.data[i]->fields[k]);
  p->ltls.data = NULL;
  p->c_units.data = NULL;
  p->ltls.count = p->c_units.count = 0;
  arena_free(p->syntax);
  p->syntax = NULL;
}
