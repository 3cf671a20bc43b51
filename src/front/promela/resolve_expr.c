// SPDX-License-Identifier: Apache-2.0
// Expressions: every reference finds its symbol and type, names of mtypes become constants, and
// structures among the arguments of send, receive and run are replaced by their scalars.
#include "front/promela/resolve.h"

#include <string.h>

const struct ast_expr *resolve_end(const struct ast_expr *ref) {
  while (ref->arg_count > 1 && ref->args[1]) ref = ref->args[1];
  return ref;
}

static struct ast_expr *index_of(const struct ast_expr *e) {
  return e->arg_count > 0 ? e->args[0] : NULL;
}
static struct ast_expr *field_of(const struct ast_expr *e) {
  return e->arg_count > 1 ? e->args[1] : NULL;
}

struct ast_expr *resolve_ref_to(struct resolve *r, struct pml_symbol *s, struct span span) {
  struct ast_expr *e = ARENA_NEW(r->arena, struct ast_expr);
  *e = (struct ast_expr){.op = AST_REF, .span = span, .name = s->name, .sym = s, .type = &s->type};
  e->args = ARENA_ARRAY(r->arena, struct ast_expr *, 2);
  e->arg_count = 2;
  return e;
}

// ---------------------------------------------------------------------------------------------
// References

static void report_unknown(struct resolve *r, const struct ast_expr *e) {
  VEC(const char *) names = {0};
  for (const struct scope *s = r->scope; s; s = s->up)
    for (const struct binding *b = s->bindings; b; b = b->next)
      if (b->sym->kind != PML_BUILTIN) VEC_PUSH(&names, b->sym->name);
  for (size_t i = 0; i < r->p->mtypes.count; i++) VEC_PUSH(&names, r->p->mtypes.data[i].name);
  const char *near = name_nearest(e->name, names.data, names.count);
  if (near)
    diag_error(r->diag, e->span, "%s is not declared; did you mean %s?", e->name, near);
  else
    diag_error(r->diag, e->span, "%s is not declared", e->name);
  VEC_CLEAR(&names);
}

static bool become_mtype(struct resolve *r, struct ast_expr *e) {
  const struct pml_mtype *m = types_mtype(r, e->name);
  if (!m || index_of(e) || field_of(e)) return false;
  struct pml_type *t = ARENA_NEW(r->arena, struct pml_type);
  *t = (struct pml_type){.base = AST_MTYPE, .mtype_set = m->set};
  e->op = AST_CONST;
  e->value = m->value;
  e->type = t;
  return true;
}

static void check_index(struct resolve *r, struct ast_expr *e, const struct pml_symbol *s) {
  struct ast_expr *index = index_of(e);
  int64_t value;
  if (s->is_array && !index)
    diag_error(r->diag, e->span, "%s is an array: an index is missing", s->name);
  if (!index) return;
  if (!s->is_array) {
    diag_warning(r->diag, index->span, "%s is no array: the index is ignored, as SPIN does",
                 s->name);
    e->args[0] = NULL;
  } else if (pml_constant(index, &value) && (value < 0 || value >= s->length)) {
    diag_warning(r->diag, index->span, "%s has the elements 0 to %u", s->name, s->length - 1);
  }
}

static void resolve_index(struct resolve *r, struct ast_expr *e, const struct pml_symbol *s) {
  bool was_read = r->is_read;
  r->is_read = true;
  if (index_of(e)) resolve_expr(r, e->args[0]);
  r->is_read = was_read;
  check_index(r, e, s);
}

static bool resolve_field(struct resolve *r, struct ast_expr *e, const struct pml_symbol *owner) {
  struct ast_expr *f = field_of(e);
  if (!f) return true;
  if (owner->type.base != AST_STRUCT || !owner->type.fields) {
    if (owner->type.base != AST_STRUCT)
      diag_error(r->diag, f->span, "%s is no structure", owner->name);
    return false;
  }
  const struct pml_symbol *s = types_field(owner->type.fields, f->name);
  if (!s) {
    diag_error(r->diag, f->span, "%s has no field %s", owner->type.fields->name, f->name);
    return false;
  }
  f->sym = s;
  f->type = &s->type;
  resolve_index(r, f, s);
  return resolve_field(r, f, s);
}

static void note_builtin(struct resolve *r, const struct pml_symbol *s) {
  if (s->builtin == PML_LAST) r->p->uses_last = true;
  if (s->builtin == PML_PRIORITY) r->p->uses_priority = true;
}

// Finds what a reference means; false: an error was reported.
static bool resolve_ref(struct resolve *r, struct ast_expr *e) {
  struct pml_symbol *s = resolve_find(r, e->name);
  if (!s) {
    report_unknown(r, e);
    return false;
  }
  e->sym = s;
  e->type = &s->type;
  note_builtin(r, s);
  resolve_index(r, e, s);
  return resolve_field(r, e, s);
}

static void mark_read(const struct resolve *r, const struct ast_expr *e) {
  if (r->is_read) ((struct pml_symbol *)e->sym)->read = true;
}

bool resolve_variable(struct resolve *r, struct ast_expr *e) {
  if (e->op != AST_REF) {
    diag_error(r->diag, e->span, "this is no variable");
    return false;
  }
  if (types_mtype(r, e->name) && !field_of(e)) {
    diag_error(r->diag, e->span, "%s is a constant", e->name);
    return false;
  }
  if (!resolve_ref(r, e)) return false;
  ((struct pml_symbol *)e->sym)->written = true;
  return true;
}

static void read_ref(struct resolve *r, struct ast_expr *e) {
  if (become_mtype(r, e)) return;
  if (!resolve_ref(r, e)) return;
  mark_read(r, e);
  const struct ast_expr *end = resolve_end(e);
  if (end->type->base == AST_STRUCT)
    diag_error(r->diag, end->span, "%s is a structure: a field is missing", end->name);
  if (e->sym->builtin == PML_SCRATCH) diag_error(r->diag, e->span, "_ can only be written");
}

// ---------------------------------------------------------------------------------------------
// Structures as lists of their scalars

static struct ast_expr *index_expr(struct resolve *r, struct span span, uint32_t i) {
  struct ast_expr *e = ARENA_NEW(r->arena, struct ast_expr);
  *e = (struct ast_expr){.op = AST_CONST, .span = span, .value = i};
  return e;
}

// A copy of the reference with one more field at its end.
static struct ast_expr *extend(struct resolve *r, const struct ast_expr *ref,
                               struct ast_expr *field) {
  struct ast_expr *e = ARENA_NEW(r->arena, struct ast_expr);
  *e = *ref;
  e->args = ARENA_ARRAY(r->arena, struct ast_expr *, 2);
  e->arg_count = 2;
  e->args[0] = index_of(ref);
  e->args[1] = field_of(ref) ? extend(r, field_of(ref), field) : field;
  return e;
}

typedef VEC(struct ast_expr *) expr_list;

static void expand_into(struct resolve *r, struct ast_expr *ref, expr_list *out) {
  const struct ast_expr *end = resolve_end(ref);
  if (end->type->base != AST_STRUCT) {
    VEC_PUSH(out, ref);
    return;
  }
  const struct pml_struct *s = end->type->fields;
  for (uint32_t i = 0; s && i < s->field_count; i++)
    for (uint32_t k = 0; k < s->fields[i]->length; k++) {
      struct ast_expr *field = resolve_ref_to(r, s->fields[i], ref->span);
      if (s->fields[i]->is_array) field->args[0] = index_expr(r, ref->span, k);
      expand_into(r, extend(r, ref, field), out);
    }
}

static bool is_reference(const struct ast_expr *e) { return e->op == AST_REF && e->sym; }

void resolve_expand(struct resolve *r, struct ast_expr ***args, uint32_t *count) {
  expr_list out = {0};
  for (uint32_t i = 0; i < *count; i++) {
    struct ast_expr *e = (*args)[i];
    if (is_reference(e) && resolve_end(e)->type)
      expand_into(r, e, &out);
    else
      VEC_PUSH(&out, e);
  }
  *args = ARENA_ARRAY(r->arena, struct ast_expr *, out.count);
  if (out.count > 0) memcpy(*args, out.data, out.count * sizeof *out.data);
  *count = (uint32_t)out.count;
  VEC_CLEAR(&out);
}

// In a trace assertion a send is a pattern.
static bool is_event(const struct resolve *r) {
  return r->proc && (r->proc->kind == PML_TRACE || r->proc->kind == PML_NOTRACE);
}

static void resolve_arg(struct resolve *r, struct ast_expr *e) {
  if (e->op != AST_REF || become_mtype(r, e)) {
    if (e->op != AST_CONST) resolve_expr(r, e);
    return;
  }
  if (!resolve_ref(r, e)) return;
  mark_read(r, e);
  if (e->sym->builtin == PML_SCRATCH && !is_event(r))
    diag_error(r->diag, e->span, "_ can only be written");
}

void resolve_args(struct resolve *r, struct ast_expr ***args, uint32_t *count) {
  for (uint32_t i = 0; i < *count; i++) resolve_arg(r, (*args)[i]);
  resolve_expand(r, args, count);
}

// ---------------------------------------------------------------------------------------------
// Channels

void resolve_channel(struct resolve *r, struct ast_expr *e) {
  if (e->op != AST_REF || types_mtype(r, e->name)) {
    diag_error(r->diag, e->span, "this is no channel");
    return;
  }
  if (!resolve_ref(r, e)) return;
  mark_read(r, e);
  const struct ast_expr *end = resolve_end(e);
  if (end->type->base == AST_STRUCT)
    diag_error(r->diag, end->span, "%s is a structure: a field is missing", end->name);
  else if (end->type->base != AST_CHAN)
    diag_error(r->diag, end->span, "%s is no channel, but %s", end->name, types_name(end->type));
}

static void pattern_item(struct resolve *r, struct ast_expr *e, bool is_poll) {
  if (e->op == AST_EVAL) {
    resolve_expr(r, e->args[0]);
  } else if (e->op == AST_REF && !become_mtype(r, e)) {
    if (!resolve_ref(r, e)) return;
    struct pml_symbol *s = (struct pml_symbol *)e->sym;
    if (!is_poll) s->written = true;
    if (s->builtin == PML_PID_VAR || s->builtin == PML_NR_PR || s->builtin == PML_LAST)
      diag_error(r->diag, e->span, "%s cannot be received into; eval(%s) compares with it", e->name,
                 e->name);
  } else if (e->op != AST_CONST) {
    int64_t value;
    resolve_expr(r, e);
    if (!pml_constant(e, &value))
      diag_error(r->diag, e->span, "an expression in a pattern needs eval(...)");
  }
}

void resolve_pattern(struct resolve *r, struct ast_expr ***args, uint32_t *count, bool is_poll) {
  for (uint32_t i = 0; i < *count; i++) pattern_item(r, (*args)[i], is_poll);
  resolve_expand(r, args, count);
}

// SPIN ignores the fields that a receive does not name; a send must name all.
void resolve_check_fields(struct resolve *r, const struct ast_expr *channel, uint32_t count,
                          struct span span, bool may_be_fewer) {
  const struct ast_expr *end = resolve_end(channel);
  if (!end->sym || !end->sym->channel) return;
  uint32_t wanted = end->sym->channel->field_count;
  if (count == wanted) return;
  const char *s = wanted == 1 ? "" : "s";
  if (count < wanted && may_be_fewer)
    diag_warning(r->diag, span, "messages of %s have %u field%s: those not named here are ignored",
                 end->name, wanted, s);
  else
    diag_error(r->diag, span, "messages of %s have %u field%s, not %u", end->name, wanted, s,
               count);
}

static void resolve_poll(struct resolve *r, struct ast_expr *e) {
  struct ast_expr *channel = e->args[0], **rest = e->args + 1;
  uint32_t count = e->arg_count - 1;
  resolve_channel(r, channel);
  resolve_pattern(r, &rest, &count, true);
  e->args = ARENA_ARRAY(r->arena, struct ast_expr *, count + 1);
  e->args[0] = channel;
  for (uint32_t i = 0; i < count; i++) e->args[i + 1] = rest[i];
  e->arg_count = count + 1;
  resolve_check_fields(r, channel, count, e->span, true);
}

// ---------------------------------------------------------------------------------------------
// run

uint32_t resolve_proc(struct resolve *r, const char *name, struct span span) {
  VEC(const char *) names = {0};
  for (size_t i = 0; i < r->p->procs.count; i++) {
    if (strcmp(r->p->procs.data[i]->name, name) == 0) {
      VEC_CLEAR(&names);
      return (uint32_t)i;
    }
    VEC_PUSH(&names, r->p->procs.data[i]->name);
  }
  const char *near = name_nearest(name, names.data, names.count);
  if (near)
    diag_error(r->diag, span, "there is no proctype %s; did you mean %s?", name, near);
  else
    diag_error(r->diag, span, "there is no proctype %s", name);
  VEC_CLEAR(&names);
  return UINT32_MAX;
}

// Parameters of a proctype further down have no symbols yet; their count comes from the tree.
static uint32_t leaves_of_decl(struct resolve *r, const struct ast_decl *d) {
  struct pml_symbol s = {.length = 1};
  if (d->type.base != AST_STRUCT) return 1;
  for (size_t i = 0; i < r->p->structs.count; i++)
    if (strcmp(r->p->structs.data[i]->name, d->type.name) == 0)
      s.type = (struct pml_type){.base = AST_STRUCT, .fields = r->p->structs.data[i]};
  return s.type.fields ? types_leaf_count(&s) : 1;
}

static void resolve_run(struct resolve *r, struct ast_expr *e) {
  resolve_args(r, &e->args, &e->arg_count);
  r->runs++;
  if (!r->proc) diag_error(r->diag, e->span, "run outside of a process");
  if (r->in_d_step) diag_error(r->diag, e->span, "run inside a d_step");
  if (e->value > 1) r->p->uses_priority = true;
  e->index = resolve_proc(r, e->name, e->span);
  if (e->index == UINT32_MAX) return;
  const struct pml_proc *p = r->p->procs.data[e->index];
  if (p->kind != PML_PROCTYPE) {
    diag_error(r->diag, e->span, "%s is no proctype", e->name);
    return;
  }
  if (!p->unit) return; // in a given expression, where it is refused
  uint32_t wanted = 0;
  for (const struct ast_decl *d = p->unit->decls; d; d = d->next) wanted += leaves_of_decl(r, d);
  if (wanted != e->arg_count)
    diag_error(r->diag, e->span, "%s has %u parameter%s, but the run gives %u", e->name, wanted,
               wanted == 1 ? "" : "s", e->arg_count);
}

// ---------------------------------------------------------------------------------------------
// Remote references: resolved when all processes are known.

static void note_remote(struct resolve *r, struct ast_expr *e) {
  r->p->uses_remote = true;
  if (e->arg_count > 0 && e->args[0]) resolve_expr(r, e->args[0]);
  if (r->in_d_step) diag_error(r->diag, e->span, "a remote reference inside a d_step");
  VEC_PUSH(&r->remotes, e);
}

static struct pml_symbol *find_local(const struct pml_proc *p, const char *name) {
  for (size_t i = 0; i < p->locals.count; i++)
    if (strcmp(p->locals.data[i]->name, name) == 0) return p->locals.data[i];
  return NULL;
}

static void resolve_remote_var(struct resolve *r, struct ast_expr *e, const struct pml_proc *p) {
  struct ast_expr *var = e->args[1];
  struct pml_symbol *s = find_local(p, var->name);
  if (!s) {
    diag_error(r->diag, var->span, "%s has no variable %s", p->name, var->name);
    return;
  }
  var->sym = s;
  var->type = &s->type;
  s->read = true;
  resolve_index(r, var, s);
  resolve_field(r, var, s);
  if (resolve_end(var)->type && resolve_end(var)->type->base == AST_STRUCT)
    diag_error(r->diag, var->span, "%s is a structure: a field is missing", var->name);
}

void resolve_remotes(struct resolve *r) {
  for (size_t i = 0; i < r->remotes.count; i++) {
    struct ast_expr *e = r->remotes.data[i];
    e->index = resolve_proc(r, e->name, e->span);
    if (e->index != UINT32_MAX && e->op == AST_REMOTE_VAR)
      resolve_remote_var(r, e, r->p->procs.data[e->index]);
  }
}

// ---------------------------------------------------------------------------------------------

static void resolve_all(struct resolve *r, struct ast_expr *e) {
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (e->args[i]) resolve_expr(r, e->args[i]);
}

static void check_division(struct resolve *r, const struct ast_expr *e) {
  int64_t value;
  if (pml_constant(e->args[1], &value) && value == 0)
    diag_warning(r->diag, e->span, "a division by zero");
}

void resolve_expr(struct resolve *r, struct ast_expr *e) {
  switch (e->op) {
  case AST_CONST:
  case AST_STRING:
  case AST_TIMEOUT: break;
  case AST_REF: read_ref(r, e); break;
  case AST_RUN: resolve_run(r, e); break;
  case AST_LEN:
  case AST_FULL:
  case AST_NFULL:
  case AST_EMPTY:
  case AST_NEMPTY: resolve_channel(r, e->args[0]); break;
  case AST_POLL: resolve_poll(r, e); break;
  case AST_ENABLED:
    r->p->uses_enabled = true;
    resolve_all(r, e);
    break;
  case AST_PC_VALUE:
    r->p->uses_pc_value = true;
    resolve_all(r, e);
    break;
  case AST_GET_PRIORITY:
    r->p->uses_priority = true;
    resolve_all(r, e);
    break;
  case AST_NP: r->p->uses_np = true; break;
  case AST_REMOTE_LAB:
  case AST_REMOTE_VAR: note_remote(r, e); break;
  case AST_C_EXPR: r->p->uses_c = true; break;
  case AST_DIV:
  case AST_MOD:
    resolve_all(r, e);
    check_division(r, e);
    break;
  default: resolve_all(r, e); break;
  }
}
