// SPDX-License-Identifier: Apache-2.0
// One expression over a finished model, as users give it on the command line: over global names,
// remote references, and for a rule the locals of the process that takes it.
#include "front/promela/front.h"
#include "front/promela/resolve.h"

#include <string.h>

static void bind(struct resolve *r, struct pml_symbol *s) {
  struct binding *b = ARENA_NEW(r->arena, struct binding);
  *b = (struct binding){.sym = s, .next = r->scope->bindings};
  r->scope->bindings = b;
}

static void bind_builtins(struct resolve *r, bool in_process) {
  static const struct {
    const char *name;
    enum pml_builtin builtin;
  } table[] = {{"_nr_pr", PML_NR_PR}, {"_pid", PML_PID_VAR}};
  for (size_t i = 0; i < (in_process ? 2 : 1); i++) {
    struct pml_symbol *s = ARENA_NEW(r->arena, struct pml_symbol);
    *s = (struct pml_symbol){.kind = PML_BUILTIN,
                             .builtin = table[i].builtin,
                             .name = table[i].name,
                             .shown = table[i].name,
                             .type = {.base = AST_BYTE},
                             .length = 1,
                             .owner = -1};
    bind(r, s);
  }
}

// Of a rule: the seat that takes it.
static const struct seat *seat_of(const struct lower *w, const struct ir_rule *scope) {
  for (size_t i = 0; scope && i < w->seats.count; i++) {
    const struct seat *s = w->seats.data[i];
    if ((int32_t)s->pid != scope->agent || scope->line_count == 0) continue;
    size_t n = strlen(s->proc->name); // a priority may stand behind it
    const char *name = scope->lines[0].process;
    if (strncmp(name, s->proc->name, n) == 0 && (name[n] == '\0' || name[n] == ':')) return s;
  }
  return NULL;
}

// What cannot be asked of a finished model; and labels get their states.
static void look_over(struct resolve *r, struct ast_expr *e) {
  static const struct {
    enum ast_op op;
    const char *name;
  } refused[] = {
      {AST_RUN, "run"}, {AST_ENABLED, "enabled"}, {AST_TIMEOUT, "timeout"}, {AST_C_EXPR, "c_expr"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (e->op == refused[i].op)
      diag_error(r->diag, e->span, "%s cannot stand in a given expression", refused[i].name);
  if (e->op >= AST_LTL_UNTIL)
    diag_error(r->diag, e->span, "a temporal operator cannot stand in a given expression");
  if (e->op == AST_REMOTE_LAB && e->index < r->p->procs.count) {
    const struct pml_graph *g = &r->p->procs.data[e->index]->graph;
    bool found = false;
    for (size_t i = 0; i < g->states.count; i++) {
      for (uint32_t k = 0; k < g->states.data[i].label_count; k++) {
        if (found || strcmp(g->states.data[i].labels[k], e->label) != 0) continue;
        e->value = g->states.data[i].number;
        found = true;
      }
    }
    if (!found) diag_error(r->diag, e->span, "%s has no label %s", e->name, e->label);
  }
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (e->args[i]) look_over(r, e->args[i]);
}

static void resolve_given(struct promela_front *f, struct arena *syntax, struct ast_expr *e,
                          const struct seat *seat, struct diag *d) {
  struct scope global = {0}, local = {.up = &global};
  struct resolve r = {.p = f->prog, .arena = syntax, .diag = d, .scope = &global};
  bind_builtins(&r, seat != NULL);
  for (size_t i = 0; i < f->prog->globals.count; i++) bind(&r, f->prog->globals.data[i]);
  if (seat) {
    r.proc = f->prog->procs.data[seat->proc->number];
    r.scope = &local;
    for (size_t i = 0; i < r.proc->locals.count; i++) bind(&r, r.proc->locals.data[i]);
  }
  resolve_expr(&r, e);
  resolve_remotes(&r);
  look_over(&r, e);
  VEC_CLEAR(&r.remotes);
}

static struct ir_expr *read_given(struct promela_front *f, struct arena *syntax, struct source *s,
                                  enum ir_want want, const struct ir_rule *scope,
                                  struct ir_frame *frame, struct diag *d) {
  size_t before = d->errors;
  struct pml_parse p = {.diag = d, .arena = syntax, .raw = true};
  VEC(const char *) procs = {0};
  for (size_t i = 0; i < f->prog->procs.count; i++) VEC_PUSH(&procs, f->prog->procs.data[i]->name);
  p.procs = procs.data;
  p.proc_count = procs.count;
  struct ast_expr *e = pml_parse_expr(&p, s);
  VEC_CLEAR(&procs);
  VEC_CLEAR(&p.sources);
  const struct seat *seat = seat_of(&f->lower, scope);
  if (d->errors == before) resolve_given(f, syntax, e, seat, d);
  if (d->errors != before) return NULL;
  struct lower *w = &f->lower;
  w->frame = frame;
  w->seat = seat;
  struct ir_expr *x = want == IR_WANT_BOOL ? lower_cond(w, e) : lower_value(w, e);
  w->frame = NULL;
  w->seat = NULL;
  return ir_expr_fold(w->m, x);
}

struct ir_expr *promela_expr(struct ir_model *m, struct source *s, enum ir_want want,
                             const struct ir_rule *scope, struct ir_frame *frame, struct diag *d) {
  ir_frame_scope(m, frame, scope);
  struct arena *syntax = arena_new();
  struct ir_expr *x = read_given(m->front, syntax, s, want, scope, frame, d);
  arena_free(syntax);
  if (x)
    VEC_PUSH(&m->given, s);
  else
    diag_keep_source(d, s);
  return x;
}
