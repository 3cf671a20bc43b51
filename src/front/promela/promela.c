// SPDX-License-Identifier: Apache-2.0
// From a Promela text to a finished model: parse, resolve, and then lower for a plan, look at some
// states, and lower again, until looking teaches nothing more.
#include "front/promela/promela.h"

#include "front/promela/embed.h"
#include "front/promela/front.h"
#include "front/promela/parse.h"

#include <string.h>

static const char *base_name(struct arena *a, const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  return arena_strndup(a, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

void lower_clear(struct lower *w) {
  VEC_CLEAR(&w->seats);
  VEC_CLEAR(&w->channels);
  VEC_CLEAR(&w->unsigneds);
  VEC_CLEAR(&w->records);
  VEC_CLEAR(&w->mtypes);
  VEC_CLEAR(&w->mtype_sets);
  VEC_CLEAR(&w->globals);
  VEC_CLEAR(&w->global_channel);
  VEC_CLEAR(&w->initial);
  VEC_CLEAR(&w->memories);
  VEC_CLEAR(&w->c_exprs);
}

static void front_free(void *user) {
  struct promela_front *f = user;
  lower_clear(&f->lower);
  embed_free(f->embed);
  arena_free(f->prog->syntax);
  arena_free(f->arena);
  mem_free(f);
}

// --- plans ---

static bool has_run(const struct pml_graph *g) {
  for (size_t i = 0; i < g->edges.count; i++) {
    const struct pml_edge *e = &g->edges.data[i];
    if (e->kind == PML_EDGE_D_STEP && has_run(e->inner)) return true;
    if (e->kind == PML_EDGE_STMT && e->stmt && lower_mentions(e->stmt->expr, AST_RUN)) return true;
  }
  return false;
}

static bool creates(const struct pml_program *prog) {
  for (size_t i = 0; i < prog->procs.count; i++)
    if (has_run(&prog->procs.data[i]->graph)) return true;
  return false;
}

// How many arguments a run of the proctype has: a structure counts with all its scalars.
static uint32_t scalars(const struct pml_symbol *s) {
  uint32_t n = 1;
  if (s->type.base == AST_STRUCT) {
    n = 0;
    for (uint32_t i = 0; i < s->type.fields->field_count; i++)
      n += scalars(s->type.fields->fields[i]);
  }
  return n * (s->is_array ? s->length : 1);
}

static uint32_t arguments(const struct pml_proc *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->param_count; i++) n += scalars(p->locals.data[i]);
  return n;
}

// Processes that are there from the start, in the order in which they are written.
static bool plan_start(struct promela_plan *p, const struct pml_program *prog, struct diag *d) {
  static const int64_t zeroes[256];
  uint32_t pid = 0;
  for (size_t i = 0; i < prog->procs.count; i++) {
    const struct pml_proc *proc = prog->procs.data[i];
    if (proc->kind != PML_PROCTYPE && proc->kind != PML_INIT) continue;
    for (uint32_t n = 0; n < proc->active; n++, pid++) {
      if (pid >= PLAN_PIDS || arguments(proc) > 255) {
        diag_error(d, proc->span, "the model has more than %d processes", PLAN_PIDS);
        return false;
      }
      plan_add(p, pid, (uint32_t)i, zeroes, arguments(proc));
    }
  }
  if (pid == 0) {
    static const struct span nowhere;
    diag_error(d, nowhere, "the model has no process; expected an init or an active proctype");
  }
  return pid > 0;
}

// A plan may come from elsewhere: it has to be one for this program.
static bool plan_fits(const struct promela_plan *p, const struct pml_program *prog,
                      struct diag *d) {
  for (size_t i = 0; i < p->seats.count; i++) {
    const struct plan_seat *s = p->seats.data[i];
    const struct pml_proc *proc = s->proc < prog->procs.count ? prog->procs.data[s->proc] : NULL;
    bool ok = proc && (proc->kind == PML_PROCTYPE || proc->kind == PML_INIT) &&
              arguments(proc) == s->param_count;
    if (ok) continue;
    static const struct span nowhere;
    diag_error(d, nowhere, "the plan of processes was made for another model");
    return false;
  }
  return true;
}

// --- rounds ---

static struct ir_model *lower_for(struct promela_front *f, struct promela_plan *plan,
                                  const struct promela_config *c, const char *path, struct diag *d,
                                  bool final) {
  struct ir_model *m = ir_model_new("", "promela");
  m->name = base_name(m->arena, path);
  size_t before = d->errors;
  f->lower = (struct lower){.m = m, .d = d, .prog = f->prog, .plan = plan, .config = c};
  f->lower.embed = f->embed;
  if (f->embed) m->foreign = &f->embed->foreign;
  lower_program(&f->lower);
  if (d->errors == before) {
    ir_fold(m);
    if (final) ir_narrow(m);
    if (ir_model_finish(m, d)) return m;
  }
  ir_model_free(m);
  lower_clear(&f->lower);
  return NULL;
}

// Looking ahead is only there to save searches that have to begin again: this much is made for it.
#define LOOK_BYTES ((size_t)128 << 20)

static void settle(struct promela_front *f, struct promela_plan *plan,
                   const struct promela_config *c, const char *path, struct diag *d) {
  struct text why = {0};
  size_t bytes = 0;
  bool more = creates(f->prog) && !plan->settled;
  while (more && bytes < LOOK_BYTES) {
    struct ir_model *m = lower_for(f, plan, c, path, d, false);
    if (!m) break;
    more = plan_look(plan, m, NULL, &why);
    bytes += arena_bytes(m->arena);
    ir_model_free(m);
    lower_clear(&f->lower);
  }
  plan->settled = true;
  text_clear(&why);
}

static struct ir_model *planned(struct promela_front *f, const struct promela_config *c,
                                struct promela_plan *plan, const char *path, struct diag *d) {
  size_t before = d->errors;
  bool settled = plan->settled;
  if (!plan_start(plan, f->prog, d) || !plan_fits(plan, f->prog, d)) return NULL;
  plan->settled = settled;
  settle(f, plan, c, path, d);
  if (d->errors != before) return NULL;
  return lower_for(f, plan, c, path, d, true);
}

// --- loading ---

static struct promela_front *read_program(struct pml_parse *p, struct source *s,
                                          const struct promela_config *c) {
  struct promela_front *f = mem_zalloc(1, sizeof(*f));
  f->arena = arena_new();
  f->prog = ARENA_NEW(f->arena, struct pml_program);
  f->prog->arena = f->arena;
  f->prog->syntax = p->arena = arena_new();
  size_t before = p->diag->errors;
  pml_parse(p, s, c->defines, c->define_count);
  if (p->diag->errors == before) pml_resolve(f->prog, p->units, p->diag);
  if (p->diag->errors == before) f->embed = embed_load(f->prog, s->path, c->no_c, p->diag);
  if (p->diag->errors == before) {
    if (c->merge) pml_merge(f->prog);
    if (c->dead) pml_reset_dead(f->prog);
    return f;
  }
  front_free(f);
  return NULL;
}

// Half of what a vector that grew has may be room for more: few sites come later, if any.
static void fit_sites(struct ir_model *m) {
  m->sites.data = mem_realloc(m->sites.data, m->sites.count * sizeof *m->sites.data);
  m->sites.capacity = m->sites.count;
}

struct ir_model *promela_load(struct source *s, const struct promela_config *c,
                              struct promela_plan *plan, struct diag *d) {
  struct pml_parse p = {.diag = d};
  struct promela_front *f = read_program(&p, s, c);
  struct promela_plan *own = plan ? NULL : promela_plan_new();
  struct ir_model *m = f ? planned(f, c, plan ? plan : own, s->path, d) : NULL;
  promela_plan_free(own);
  for (size_t i = 0; i < p.sources.count; i++) {
    if (m)
      VEC_PUSH(&m->sources, p.sources.data[i]);
    else
      diag_keep_source(d, p.sources.data[i]);
  }
  VEC_CLEAR(&p.sources);
  if (m) {
    if (!c->graphs) pml_forget_syntax(f->prog);
    fit_sites(m);
    m->front = f;
    m->front_free = front_free;
  } else if (f) {
    front_free(f);
  }
  return m;
}

void promela_print_graphs(struct text *out, const struct ir_model *m) {
  const struct promela_front *f = m->front;
  pml_print_graph(out, f->prog);
}

bool promela_plan_learn(struct promela_plan *p, const struct ir_model *m, uint32_t site,
                        const uint64_t *before, struct text *why) {
  assert(m->sites.data[site].fault == IR_FAULT_PLAN);
  size_t seats = p->seats.count;
  if (!plan_look(p, m, before, why)) return false;
  const struct promela_front *f = m->front;
  for (size_t i = 0; p->seats.count > seats && i < p->seats.count; i++) { // the one that is new
    const struct plan_seat *s = p->seats.data[i];
    bool old = i < f->lower.seats.count && f->lower.seats.data[i]->plan == s;
    if (old) continue;
    plan_ahead(p, s->pid);
    break;
  }
  p->settled = true; // looking from the start does not come this far
  return true;
}
