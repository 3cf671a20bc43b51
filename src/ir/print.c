// SPDX-License-Identifier: Apache-2.0
// Prints a model in the IR's text form (docs/ir.md): guarded commands that parse back. What shares
// a name in the model gets names of its own here, so that scopes need not be told.
#include "ir/print.h"

#include "ir/lex.h"

#include <inttypes.h>
#include <string.h>

// --- unique names ---

// The n-th try to find a free name: name, name'2, name'3 ...
static const char *nth_name(struct ir_printer *p, const char *name, uint32_t n) {
  return n == 1 ? name : arena_printf(p->names, "%s'%" PRIu32, name, n);
}

// The first that is in neither table; it is added to the first one.
static const char *unique_name(struct ir_printer *p, struct ir_names *taken,
                               const struct ir_names *other, const char *name, const void *value) {
  for (uint32_t n = 1;; n++) {
    const char *candidate = nth_name(p, name, n);
    bool free = !other || !ir_names_get(other, candidate);
    if (free && ir_names_add(taken, candidate, value)) return candidate;
  }
}

static const char *quoted(struct ir_printer *p, const char *name) {
  struct text t = {0};
  ir_lex_print_name(&t, name);
  const char *copy = arena_strdup(p->names, text_str(&t));
  text_clear(&t);
  return copy;
}

// Types that would be long or ambiguous where they are used get a number when they have no name.
static bool needs_number(const struct ir_type *t) {
  return t->kind == IR_TYPE_ENUM || t->kind == IR_TYPE_SCALARSET || t->kind == IR_TYPE_UNION ||
         t->kind == IR_TYPE_RECORD;
}

static void name_types(struct ir_printer *p) {
  const struct ir_model *m = p->model;
  struct ir_names taken = {0};
  uint32_t numbered = 0;
  p->type_names = ARENA_ARRAY(p->names, const char *, m->types.count);
  for (size_t i = 0; i < m->types.count; i++) {
    const struct ir_type *t = m->types.data[i];
    if (t == m->bool_type || t == m->int_type) continue;
    if (t->name)
      p->type_names[i] = quoted(p, unique_name(p, &taken, NULL, t->name, t));
    else if (needs_number(t))
      p->type_names[i] = arena_printf(p->names, "#%" PRIu32, ++numbered);
  }
  ir_names_clear(&taken);
}

static void name_functions(struct ir_printer *p) {
  const struct ir_model *m = p->model;
  struct ir_names taken = {0};
  p->function_names = ARENA_ARRAY(p->names, const char *, m->functions.count);
  for (size_t i = 0; i < m->functions.count; i++) {
    const struct ir_function *f = m->functions.data[i];
    p->function_names[i] = unique_name(p, &taken, NULL, f->name, f);
  }
  ir_names_clear(&taken);
}

// Variables first: a member that a variable hides is printed with its type.
static void name_globals(struct ir_printer *p) {
  const struct ir_model *m = p->model;
  p->var_names = ARENA_ARRAY(p->names, const char *, m->vars.count);
  for (size_t i = 0; i < m->vars.count; i++)
    p->var_names[i] = unique_name(p, &p->globals, NULL, m->vars.data[i]->name, m->vars.data[i]);
  for (size_t i = 0; i < m->types.count; i++) {
    const struct ir_type *t = m->types.data[i];
    if (t->kind != IR_TYPE_ENUM) continue;
    for (int64_t k = 0; k <= t->hi - t->lo; k++) ir_names_add(&p->globals, t->members[k], t);
  }
}

// Quantifiers and loops name what they bind when they are printed; all else is named here.
void ir_printer_frame(struct ir_printer *p, const struct ir_frame *f, uint32_t params) {
  ir_names_clear(&p->statics);
  p->local_names = ARENA_ARRAY(p->names, const char *, f->count);
  for (uint32_t i = 0; i < f->count; i++) {
    const struct ir_local *l = f->locals[i];
    bool later = l->kind == IR_LOCAL_BOUND && i >= params;
    p->local_names[i] = later ? l->name : unique_name(p, &p->statics, &p->globals, l->name, l);
  }
}

static bool name_free(const struct ir_printer *p, const char *name) {
  for (size_t i = 0; i < p->active.count; i++)
    if (strcmp(p->active.data[i], name) == 0) return false;
  return !ir_names_get(&p->statics, name) && !ir_names_get(&p->globals, name);
}

void ir_printer_bind(struct ir_printer *p, const struct ir_local *l) {
  if (!p->model) return;
  const char *name = l->name;
  for (uint32_t n = 2; !name_free(p, name); n++) name = nth_name(p, l->name, n);
  p->local_names[l->id] = name;
  VEC_PUSH(&p->active, name);
}

void ir_printer_unbind(struct ir_printer *p) {
  if (p->model) p->active.count--;
}

void ir_printer_init(struct ir_printer *p, struct text *out, const struct ir_model *m) {
  *p = (struct ir_printer){.out = out, .model = m, .names = arena_new()};
  p->spans = strcmp(m->language, "ir") != 0;
  p->shows = true;
  name_types(p);
  name_functions(p);
  name_globals(p);
}

void ir_printer_clear(struct ir_printer *p) {
  arena_free(p->names);
  ir_names_clear(&p->globals);
  ir_names_clear(&p->statics);
  VEC_CLEAR(&p->active);
  VEC_CLEAR(&p->sources);
}

// --- pieces ---

static void start_line(struct ir_printer *p) { text_printf(p->out, "%*s", 2 * p->indent, ""); }

void ir_printer_span(struct ir_printer *p, const struct span *s) {
  if (!p->spans || !s->source || !s->line) return;
  size_t k = 0;
  while (k < p->sources.count && p->sources.data[k] != s->source) k++;
  if (k == p->sources.count) VEC_PUSH(&p->sources, s->source);
  text_add(p->out, " @");
  if (k) text_printf(p->out, "%zu/", k);
  text_printf(p->out, "%" PRIu32 ":%" PRIu32, s->line, s->column);
}

static void print_binders(struct ir_printer *p, const char *before, const struct ir_frame *f,
                          uint32_t from, uint32_t count) {
  if (count == 0) return;
  text_add(p->out, before);
  for (uint32_t i = from; i < from + count && i < f->count; i++) {
    if (i > from) text_add(p->out, ", ");
    ir_printer_binder(p, f->locals[i], f->locals[i]->domain);
  }
  text_add(p->out, ")");
}

// --- statements ---

static void print_chain(struct ir_printer *p, const struct ir_stmt *s);

static void print_block(struct ir_printer *p, const struct ir_stmt *s) {
  text_add(p->out, " {\n");
  p->indent++;
  print_chain(p, s);
  p->indent--;
  start_line(p);
  text_add(p->out, "}");
}

static void print_if(struct ir_printer *p, const struct ir_stmt *s) {
  for (;;) {
    text_add(p->out, "if ");
    ir_printer_expr(p, s->expr);
    ir_printer_span(p, &s->span);
    print_block(p, s->body);
    const struct ir_stmt *other = s->other;
    if (!other) break;
    text_add(p->out, " else");
    if (other->kind != IR_IF || other->next) {
      print_block(p, other);
      break;
    }
    text_add(p->out, " ");
    s = other;
  }
  text_add(p->out, "\n");
}

static void print_switch(struct ir_printer *p, const struct ir_stmt *s) {
  text_add(p->out, "switch ");
  ir_printer_expr(p, s->expr);
  ir_printer_span(p, &s->span);
  text_add(p->out, " {\n");
  p->indent++;
  for (const struct ir_case *c = s->cases; c; c = c->next) {
    start_line(p);
    text_add(p->out, c->value_count ? "case" : "otherwise");
    for (uint32_t i = 0; i < c->value_count; i++) {
      text_add(p->out, i ? ", " : " ");
      ir_printer_expr(p, c->values[i]);
    }
    print_block(p, c->body);
    text_add(p->out, "\n");
  }
  p->indent--;
  start_line(p);
  text_add(p->out, "}\n");
}

static const char *const fault_words[] = {
    [IR_FAULT_NONE] = "none",         [IR_FAULT_ASSERT] = "assertion",
    [IR_FAULT_ERROR] = "error",       [IR_FAULT_UNDEFINED] = "undefined_read",
    [IR_FAULT_RANGE] = "range",       [IR_FAULT_INDEX] = "index",
    [IR_FAULT_DIVISION] = "division", [IR_FAULT_OVERFLOW] = "overflow",
    [IR_FAULT_LOOP] = "loop",         [IR_FAULT_RETURN] = "no_return",
    [IR_FAULT_MULTISET] = "multiset", [IR_FAULT_STACK] = "stack",
    [IR_FAULT_PLAN] = "plan",         [IR_FAULT_LIMIT] = "limit",
    [IR_FAULT_MEMORY] = "memory",     [IR_FAULT_LEAK] = "leak",
};

const char *ir_print_fault_word(enum ir_fault f) { return fault_words[f]; }

static void print_assert(struct ir_printer *p, const struct ir_stmt *s) {
  const struct ir_site *site = &p->model->sites.data[s->site];
  text_add(p->out, "assert ");
  ir_printer_expr(p, s->expr);
  if (site->fault == IR_FAULT_ASSERT && !site->message) return;
  text_add(p->out, " else");
  if (site->fault != IR_FAULT_ASSERT) text_printf(p->out, " %s", fault_words[site->fault]);
  if (!site->message) return;
  text_add(p->out, " ");
  ir_lex_print_string(p->out, site->message);
}

// Properties may share a name; the k-th with it is told by its number.
static void print_property_name(struct ir_printer *p, uint32_t id) {
  const struct ir_property *const *all =
      (const struct ir_property *const *)p->model->properties.data;
  uint32_t before = 0;
  for (uint32_t i = 0; i < id; i++) before += strcmp(all[i]->name, all[id]->name) == 0;
  ir_lex_print_string(p->out, all[id]->name);
  if (before) text_printf(p->out, " # %" PRIu32, before + 1);
}

static void print_cover(struct ir_printer *p, const struct ir_stmt *s) {
  text_add(p->out, "cover ");
  print_property_name(p, s->cover);
  if (!s->expr) return;
  text_add(p->out, " when ");
  ir_printer_expr(p, s->expr);
}

static void print_parts(struct ir_printer *p, const struct ir_stmt *s) {
  text_add(p->out, "print");
  for (uint32_t i = 0; i < s->part_count; i++) {
    text_add(p->out, i ? ", " : " ");
    if (s->parts[i].literal)
      ir_lex_print_string(p->out, s->parts[i].literal);
    else
      ir_printer_expr(p, s->parts[i].expr);
  }
}

static void print_word(struct ir_printer *p, const char *word, const struct ir_expr *e) {
  text_add(p->out, word);
  if (!e) return;
  text_add(p->out, " ");
  ir_printer_expr(p, e);
}

// Statements that end with a semicolon.
static void print_simple(struct ir_printer *p, const struct ir_stmt *s) {
  switch (s->kind) {
  case IR_UNDEFINE: print_word(p, "undefine", s->lhs); break;
  case IR_CLEAR: print_word(p, "clear", s->lhs); break;
  case IR_SORT: print_word(p, "sort", s->lhs); break;
  case IR_FOREIGN:
    text_printf(p->out, "foreign %" PRIu32 " ", s->foreign);
    ir_printer_expr(p, s->lhs);
    break;
  case IR_CALL_STMT: print_word(p, "call", s->expr); break;
  case IR_RETURN: print_word(p, "return", s->expr); break;
  case IR_ASSUME: print_word(p, "assume", s->expr); break;
  case IR_ASSERT: print_assert(p, s); break;
  case IR_COVER: print_cover(p, s); break;
  case IR_PRINT: print_parts(p, s); break;
  default:
    ir_printer_expr(p, s->lhs);
    text_add(p->out, " := ");
    ir_printer_expr(p, s->expr);
    break;
  }
  ir_printer_span(p, &s->span);
  text_add(p->out, ";\n");
}

static void print_loop(struct ir_printer *p, const struct ir_stmt *s) {
  if (s->kind == IR_FOR) {
    text_add(p->out, "for ");
    ir_printer_bind(p, s->local);
    ir_printer_binder(p, s->local, s->domain);
  } else {
    print_word(p, "while", s->expr);
    text_printf(p->out, " limit %" PRIu64, s->limit);
  }
  ir_printer_span(p, &s->span);
  print_block(p, s->body);
  if (s->kind == IR_FOR) ir_printer_unbind(p);
  text_add(p->out, "\n");
}

static void print_chain(struct ir_printer *p, const struct ir_stmt *s) {
  for (; s; s = s->next) {
    start_line(p);
    switch (s->kind) {
    case IR_IF: print_if(p, s); break;
    case IR_SWITCH: print_switch(p, s); break;
    case IR_FOR:
    case IR_WHILE: print_loop(p, s); break;
    default: print_simple(p, s); break;
    }
  }
}

static void print_body(struct ir_printer *p, const struct ir_frame *f, const struct ir_stmt *s) {
  text_add(p->out, "{\n");
  p->indent++;
  for (uint32_t i = 0; i < f->count; i++) {
    if (f->locals[i]->kind != IR_LOCAL_PLAIN) continue;
    start_line(p);
    text_add(p->out, "local ");
    ir_printer_binder(p, f->locals[i], NULL);
    text_add(p->out, ";\n");
  }
  print_chain(p, s);
  p->indent--;
  text_add(p->out, "}\n");
}

// --- declarations ---

static void print_types(struct ir_printer *p) {
  for (size_t i = 0; i < p->model->types.count; i++) {
    if (!p->type_names[i]) continue;
    text_printf(p->out, "type %s : ", p->type_names[i]);
    ir_printer_type_body(p, p->model->types.data[i]);
    text_add(p->out, ";\n");
  }
}

static void print_var(struct ir_printer *p, const struct ir_var *v) {
  text_add(p->out, "var ");
  ir_lex_print_name(p->out, p->var_names[v->id]);
  text_add(p->out, " : ");
  ir_printer_type(p, v->type);
  if (v->is_location) text_add(p->out, " location");
  if (v->agent >= 0) text_printf(p->out, " agent %" PRId32, v->agent);
  if (v->hidden) text_add(p->out, " hidden");
  ir_printer_span(p, &v->span);
  text_add(p->out, ";\n");
}

static void print_function(struct ir_printer *p, const struct ir_function *f) {
  ir_printer_frame(p, &f->frame, f->param_count);
  text_add(p->out, "\nfunction ");
  ir_lex_print_name(p->out, p->function_names[f->id]);
  text_add(p->out, "(");
  for (uint32_t i = 0; i < f->param_count; i++) {
    const struct ir_local *l = f->frame.locals[i];
    if (i) text_add(p->out, ", ");
    if (l->kind == IR_LOCAL_REF) text_add(p->out, "ref ");
    if (l->may_undef) text_add(p->out, "maybe ");
    ir_printer_binder(p, l, NULL);
  }
  text_add(p->out, ")");
  if (f->result) {
    text_add(p->out, " : ");
    ir_printer_type(p, f->result);
  }
  ir_printer_span(p, &f->span);
  text_add(p->out, " ");
  print_body(p, &f->frame, f->body);
}

static void print_message(struct ir_printer *p, const struct ir_line *l) {
  print_word(p, l->event == IR_EVENT_SEND ? " send" : " receive", l->channel);
  for (uint32_t i = 0; i < l->value_count; i++) {
    print_word(p, i ? "," : " of", l->values[i]);
    text_add(p->out, " as ");
    ir_printer_type(p, l->types[i]);
  }
}

static void print_line(struct ir_printer *p, const struct ir_line *l) {
  text_add(p->out, "\n  line ");
  ir_lex_print_string(p->out, l->text);
  if (l->process) {
    text_add(p->out, " by ");
    ir_lex_print_string(p->out, l->process);
  }
  if (l->agent >= 0) text_printf(p->out, " agent %" PRId32, l->agent);
  if (l->place) text_printf(p->out, " place %" PRIu32, l->place);
  if (l->event != IR_EVENT_NONE) print_message(p, l);
  ir_printer_span(p, &l->span);
}

static void print_rule(struct ir_printer *p, const struct ir_rule *r) {
  ir_printer_frame(p, &r->frame, r->param_count + r->choice_count);
  text_add(p->out, r->is_start ? "\nstart " : "\nrule ");
  ir_lex_print_string(p->out, r->name);
  print_binders(p, " (", &r->frame, 0, r->param_count);
  print_binders(p, " choose (", &r->frame, r->param_count, r->choice_count);
  if (r->agent >= 0) text_printf(p->out, " agent %" PRId32, r->agent);
  if (r->agent_param >= 0) {
    text_add(p->out, " agent ");
    ir_printer_local(p, r->frame.locals[r->agent_param]);
  }
  for (uint32_t i = 0; i < r->mark_count; i++) {
    text_add(p->out, " mark ");
    ir_lex_print_string(p->out, r->marks[i]);
  }
  ir_printer_span(p, &r->span);
  uint32_t lines = p->shows ? r->line_count : 0;
  for (uint32_t i = 0; i < lines; i++) print_line(p, &r->lines[i]);
  if (r->guard) print_word(p, "\n  when", r->guard);
  text_add(p->out, r->guard || lines ? "\n" : " ");
  print_body(p, &r->frame, r->body);
}

static const char *const property_words[] = {
    [IR_PROP_INVARIANT] = "invariant",
    [IR_PROP_ASSUME] = "assume",
    [IR_PROP_COVER] = "cover",
    [IR_PROP_LIVENESS] = "liveness",
    [IR_PROP_LTL] = "ltl",
    [IR_PROP_CTL] = "ctl",
    [IR_PROP_NEVER] = "never",
    [IR_PROP_ACCEPTANCE] = "acceptance",
    [IR_PROP_PROGRESS] = "progress",
};

const char *ir_property_word(enum ir_property_kind k) { return property_words[k]; }

static void print_property(struct ir_printer *p, const struct ir_property *o) {
  ir_printer_frame(p, &o->frame, o->param_count);
  text_printf(p->out, "%s ", property_words[o->kind]);
  ir_lex_print_string(p->out, o->name);
  print_binders(p, " (", &o->frame, 0, o->param_count);
  if (o->text || o->expr || o->ctl) text_add(p->out, " :");
  if (o->text) {
    text_add(p->out, " ");
    ir_lex_print_string(p->out, o->text);
  }
  if (o->expr) print_word(p, "", o->expr);
  if (o->ctl) {
    text_add(p->out, " ");
    ir_printer_ctl(p, o->ctl);
  }
  ir_printer_span(p, &o->span);
  if (o->unchecked) {
    text_add(p->out, " unchecked ");
    ir_lex_print_string(p->out, o->unchecked);
  }
  if (o->automaton)
    ir_printer_automaton(p, o->automaton);
  else
    text_add(p->out, ";\n");
}

static void print_atom(struct ir_printer *p, const struct ir_atom *a) {
  ir_printer_frame(p, &a->frame, 0);
  text_add(p->out, "atom ");
  ir_lex_print_string(p->out, a->name);
  print_word(p, " :", a->expr);
  text_add(p->out, ";\n");
}

static void print_fairness(struct ir_printer *p, const struct ir_fairness *f) {
  ir_printer_frame(p, &f->frame, 0);
  text_add(p->out, "fairness");
  if (f->agent >= 0) text_printf(p->out, " agent %" PRId32, f->agent);
  if (f->expr) print_word(p, " :", f->expr);
  if (f->given) print_word(p, " given", f->given);
  ir_printer_span(p, &f->span);
  text_add(p->out, ";\n");
}

static const char *const deadlock_words[] = {
    [IR_DEADLOCK_OFF] = "off",
    [IR_DEADLOCK_STUCK] = "stuck",
    [IR_DEADLOCK_STUTTERING] = "stuttering",
};

const char *ir_print_deadlock_word(enum ir_deadlock d) { return deadlock_words[d]; }

static void print_items(struct ir_printer *p) {
  const struct ir_model *m = p->model;
  if (m->foreign) {
    text_add(p->out, "foreign ");
    ir_lex_print_string(p->out, m->foreign->text);
    text_add(p->out, ";\n");
  }
  print_types(p);
  for (size_t i = 0; i < m->vars.count; i++) print_var(p, m->vars.data[i]);
  for (size_t i = 0; i < m->functions.count; i++) print_function(p, m->functions.data[i]);
  for (size_t i = 0; i < m->starts.count; i++) print_rule(p, m->starts.data[i]);
  for (size_t i = 0; i < m->rules.count; i++) print_rule(p, m->rules.data[i]);
  if (m->properties.count + m->atoms.count + m->fairness.count || m->valid_end || m->transient)
    text_char(p->out, '\n');
  for (size_t i = 0; i < m->properties.count; i++) print_property(p, m->properties.data[i]);
  for (size_t i = 0; i < m->atoms.count; i++) print_atom(p, m->atoms.data[i]);
  for (size_t i = 0; i < m->fairness.count; i++) print_fairness(p, m->fairness.data[i]);
  if (m->valid_end) {
    print_word(p, "valid_end :", m->valid_end);
    text_add(p->out, ";\n");
  }
  if (m->transient) {
    text_add(p->out, "transient ");
    ir_lex_print_name(p->out, p->var_names[m->transient->id]);
    text_add(p->out, ";\n");
  }
}

void ir_print_meaning(struct text *out, const struct ir_model *m) {
  struct ir_printer p;
  ir_printer_init(&p, out, m);
  p.spans = p.shows = false;
  text_printf(out, "language %s; deadlock %s;\n", m->language, deadlock_words[m->deadlock]);
  print_items(&p);
  ir_printer_clear(&p);
}

// Which sources there are is known only when everything has been printed, but they come first.
void ir_print_model(struct text *out, const struct ir_model *m) {
  struct text items = {0};
  struct ir_printer p;
  ir_printer_init(&p, &items, m);
  print_items(&p);
  text_add(out, "model ");
  ir_lex_print_string(out, m->name);
  text_add(out, " language ");
  ir_lex_print_string(out, m->language);
  text_add(out, ";\n");
  for (size_t i = 0; i < p.sources.count; i++) {
    text_add(out, "source ");
    ir_lex_print_string(out, p.sources.data[i]->path);
    text_add(out, ";\n");
  }
  text_printf(out, "deadlock %s;\n", deadlock_words[m->deadlock]);
  text_add(out, text_str(&items));
  text_clear(&items);
  ir_printer_clear(&p);
}
