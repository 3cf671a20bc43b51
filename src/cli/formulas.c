// SPDX-License-Identifier: Apache-2.0
// LTL formulas: those of the command line become properties of the model, those of the model's own
// are read again, so that a run can be held against the formula itself. Conditions in them are
// expressions of the model's language. All this happens before anything evaluates the model.
#include "cli/cli.h"

#include "front/murphi/murphi.h"
#include "front/promela/promela.h"
#include "front/smv/smv.h"
#include "ir/eval.h"
#include "ltl/ltl.h"
#include "sys/sys.h"

#include <ctype.h>
#include <string.h>

// One formula that is being read.
struct reading {
  struct cli_model *m;
  const struct source *source;
  struct diag *d;
};

// ---------------------------------------------------------------------------------------------
// Conditions

struct ir_expr *cli_expr(const struct cli_model *m, struct source *s, int want,
                         const struct ir_rule *scope, struct ir_frame *frame, struct diag *d) {
  enum ir_want w = (enum ir_want)want;
  if (strcmp(m->language, "murphi") == 0) return murphi_expr(m->model, s, w, scope, frame, d);
  if (strcmp(m->language, "promela") == 0) return promela_expr(m->model, s, w, scope, frame, d);
  if (strcmp(m->language, "smv") == 0) return smv_expr(m->model, s, w, scope, frame, d);
  return ir_parse_expr(m->model, s, w, scope, frame, d);
}

static size_t offset_of(const struct source *s, uint32_t line, uint32_t column) {
  size_t at = 0;
  for (; line > 1 && at < s->bytes; at++) line -= s->text[at] == '\n';
  at += column - 1;
  return at < s->bytes ? at : s->bytes;
}

// The text in one line. Names of atoms and formulas stand in double quotes elsewhere.
static void add_line(struct text *out, const char *text, size_t length) {
  bool blank = false;
  for (size_t i = 0; i < length; i++) {
    char c = text[i] == '"' || text[i] == '\\' ? '\'' : text[i];
    if (isspace((unsigned char)c)) {
      blank = out->count > 0;
      continue;
    }
    if (blank) text_char(out, ' ');
    blank = false;
    text_char(out, c);
  }
}

static bool is_word(const char *s) {
  while (isalnum((unsigned char)*s) || *s == '_') s++;
  return *s == '\0';
}

// A single word stands in parentheses, so that it is not taken for a part of a larger condition
// when the formula is printed and read again.
static char *atom_name(const char *text, size_t length) {
  struct text line = {0}, name = {0};
  add_line(&line, text, length);
  text_printf(&name, is_word(text_str(&line)) ? "(%s)" : "%s", text_str(&line));
  text_clear(&line);
  return name.data;
}

// The atom of that name, as it is or as names of single words are; UINT32_MAX: there is none.
static uint32_t find_atom(const struct ir_model *m, const char *text, size_t length,
                          const char *name) {
  for (uint32_t i = 0; i < m->atoms.count; i++) {
    const char *other = m->atoms.data[i]->name;
    if (strlen(other) == length && memcmp(other, text, length) == 0) return i;
    if (strcmp(other, name) == 0) return i;
  }
  return UINT32_MAX;
}

// The whole formula's text with blanks for all that is not the condition, so that errors in that
// are located in the formula.
static struct source *blank_all_but(const struct source *s, size_t from, size_t to) {
  char *text = mem_alloc(s->bytes + 1);
  for (size_t i = 0; i < s->bytes; i++)
    text[i] = (i >= from && i < to) || s->text[i] == '\n' ? s->text[i] : ' ';
  struct source *copy = source_from_text(s->path, text, s->bytes);
  mem_free(text);
  return copy;
}

// Errors are shown in the formula as it was written.
static void show_whole(struct diag *d, const struct source *part, const struct source *whole) {
  for (size_t i = 0; i < d->count; i++)
    if (d->entries[i].span.source == part) d->entries[i].span.source = whole;
}

static bool read_atom(void *context, struct span span, uint32_t *atom) {
  struct reading *r = context;
  struct ir_model *m = r->m->model;
  size_t from = offset_of(r->source, span.line, span.column);
  size_t to = offset_of(r->source, span.end_line, span.end_column);
  char *name = atom_name(r->source->text + from, to - from);
  *atom = find_atom(m, r->source->text + from, to - from, name);
  bool good = *atom != UINT32_MAX;
  if (!good) {
    struct ir_frame frame = {0};
    struct source *part = blank_all_but(r->source, from, to);
    struct ir_expr *x = cli_expr(r->m, part, IR_WANT_BOOL, NULL, &frame, r->d);
    show_whole(r->d, part, r->source);
    good = x != NULL;
    *atom = (uint32_t)m->atoms.count;
    if (good) {
      struct ir_atom *a = ir_atom_new(m, name);
      a->expr = x;
      a->frame = frame;
    }
  }
  mem_free(name);
  return good;
}

// ---------------------------------------------------------------------------------------------
// Formulas

// Atoms of the text form have names that its expressions do not know.
static enum ltl_style style_of(const struct cli_model *m) {
  if (strcmp(m->language, "murphi") == 0) return LTL_STYLE_MURPHI;
  if (strcmp(m->language, "smv") == 0) return LTL_STYLE_IR;
  return strcmp(m->language, "promela") == 0 ? LTL_STYLE_C : LTL_STYLE_NONE;
}

// NULL: errors are in d. The model owns the source then.
static const struct ltl *read(struct cli_model *m, struct source *s, struct diag *d) {
  struct reading r = {m, s, d};
  struct ltl_reader reader = {.atom = read_atom, .context = &r, .style = style_of(m)};
  const struct ltl *f = ltl_parse(m->factory, s, &reader, d);
  VEC_PUSH(&m->model->given, s);
  return f;
}

static const char **atom_names(const struct ir_model *m) {
  const char **names = mem_zalloc(m->atoms.count + 1, sizeof *names);
  for (size_t i = 0; i < m->atoms.count; i++) names[i] = m->atoms.data[i]->name;
  return names;
}

void cli_formula_print(struct text *out, const struct cli_model *m, uint32_t property) {
  const char **names = atom_names(m->model);
  ltl_print(out, m->formulas[property], names);
  mem_free(names);
}

static void make_automaton(struct cli_model *m, struct ir_property *p, const struct ltl *f) {
  const struct ltl *bad = ltl_rewrite(m->factory, ltl_make(m->factory, LTL_NOT, f, NULL));
  struct ir_automaton *a = ltl_automaton(m->factory, bad, false, m->model->arena);
  if (a == NULL)
    p->unchecked = "its automaton is too large";
  else if (strcmp(m->model->language, "smv") == 0)
    ltl_endless(a);
  p->automaton = a;
}

// Formulas of the model's own.
static bool read_own(struct cli_model *m, struct ir_property *p, struct diag *d) {
  struct text path = {0};
  if (p->kind != IR_PROP_LTL || p->unchecked != NULL) return true;
  text_printf(&path, "ltl \"%s\"", p->name);
  struct source *s =
      source_from_text(arena_strdup(m->model->arena, text_str(&path)), p->text, strlen(p->text));
  text_clear(&path);
  const struct ltl *f = read(m, s, d);
  if (f == NULL) return false;
  m->formulas[p->id] = f;
  if (p->automaton == NULL) make_automaton(m, p, f);
  return true;
}

static bool read_given(struct cli_model *m, const char *formula, struct diag *d) {
  struct source *s = source_from_text("--ltl", formula, strlen(formula));
  const struct ltl *f = read(m, s, d);
  if (f == NULL) return false;
  struct span span = {.source = s, .line = 1, .column = 1, .end_line = 1};
  span.end_column = (uint32_t)strcspn(s->text, "\n") + 1;
  struct text name = {0}, text = {0};
  add_line(&name, s->text, s->bytes);
  struct ir_property *p = ir_property_new(m->model, IR_PROP_LTL, text_str(&name), span);
  text_clear(&name);
  m->formulas[p->id] = f;
  cli_formula_print(&text, m, p->id);
  p->text = arena_strdup(m->model->arena, text_str(&text));
  text_clear(&text);
  make_automaton(m, p, f);
  return true;
}

enum cli_exit cli_formulas_read(struct cli_model *m, const struct option_list *given) {
  struct diag d = {0};
  struct ir_model *model = m->model;
  size_t own = model->properties.count;
  m->factory = ltl_factory_new();
  m->formulas = mem_zalloc(own + given->count + 1, sizeof *m->formulas);
  bool good = true;
  for (size_t i = 0; i < own; i++) good = read_own(m, model->properties.data[i], &d) && good;
  enum cli_exit code = good ? CLI_HOLDS : CLI_BAD_MODEL;
  for (size_t i = 0; i < given->count && good; i++)
    if (!read_given(m, given->data[i], &d)) code = CLI_USAGE;
  diag_print(&d, stderr, report_colour(stderr));
  diag_clear(&d);
  return code;
}

void cli_formulas_clear(struct cli_model *m) {
  if (m->factory != NULL) ltl_factory_free(m->factory);
  mem_free(m->formulas);
  m->factory = NULL;
  m->formulas = NULL;
}

// ---------------------------------------------------------------------------------------------
// A run against its formula

// The states of a replayed run as the formula sees them.
struct run {
  VEC(uint64_t) states; // their atoms
  size_t loop;
};

// Those that the automaton speaks of.
static uint64_t atoms_known(const struct ir_automaton *a) {
  uint64_t atoms = a->accept_atom >= 0 ? UINT64_C(1) << a->accept_atom : 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < a->states[i].edge_count; k++)
      atoms |= a->states[i].edges[k].yes | a->states[i].edges[k].no;
  return atoms;
}

// False: one of the atoms that matter cannot be evaluated in the state. Of the others, which are
// those of other formulas, or change nothing in this one, any value will do.
static bool atoms_of(struct ir_eval *e, const struct ir_model *m, uint64_t matter,
                     const uint64_t *state, uint64_t *bits) {
  *bits = 0;
  for (size_t i = 0; i < m->atoms.count && i < IR_ATOMS_MAX; i++) {
    const struct ir_atom *a = m->atoms.data[i];
    bool value = false;
    bool good = ir_eval_bool(e, &a->frame, a->expr, state, &value) == IR_OK;
    if (!good && matter >> i & 1) return false;
    *bits |= (uint64_t)(good && value) << i;
  }
  return true;
}

// Is state i inside an atomic sequence that goes on to another state? In one that is stuck there,
// or comes back to itself at once, the run stays.
static bool passed_through(const struct ir_model *m, const struct trace *t,
                           const struct replay *replay, size_t i) {
  if (!trace_inner(replay, m, i)) return false;
  if (i >= t->steps.count) return true;
  return t->steps.data[i].instance != SYS_STUTTER &&
         memcmp(replay->states[i].words, replay->states[i + 1].words,
                m->layout->words * sizeof(uint64_t)) != 0;
}

// States that are passed through are none of the run's. A run that ends without a cycle goes on in
// its last state, as any of its continuations would do.
static bool collect(struct run *r, const struct ir_model *m, const struct trace *t,
                    const struct replay *replay) {
  struct ir_eval *e = ir_eval_new(m);
  const struct ir_automaton *a = m->properties.data[t->id]->automaton;
  uint64_t matter = a != NULL ? atoms_known(a) : ~UINT64_C(0);
  size_t count = t->has_loop ? t->steps.count : replay->count; // the last is the first of the cycle
  bool good = true;
  for (size_t i = 0; i < count && good; i++) {
    uint64_t bits;
    if (t->has_loop && i == t->loop_start) r->loop = r->states.count;
    if (passed_through(m, t, replay, i)) continue;
    good = atoms_of(e, m, matter, replay->states[i].words, &bits);
    VEC_PUSH(&r->states, bits);
  }
  if (!t->has_loop) r->loop = r->states.count - 1;
  ir_eval_free(e);
  return good && r->states.count > r->loop;
}

// "always", "never", "at times": how a condition is in the states from..to.
static const char *how_often(const struct run *r, size_t atom, size_t from, size_t to) {
  size_t holds = 0;
  for (size_t i = from; i < to; i++) holds += r->states.data[i] >> atom & 1;
  return holds == 0 ? "never" : holds == to - from ? "always" : "at times";
}

static uint64_t atoms_in(const struct ltl *f) {
  if (f->op == LTL_ATOM) return UINT64_C(1) << f->atom;
  return (f->left != NULL ? atoms_in(f->left) : 0) | (f->right != NULL ? atoms_in(f->right) : 0);
}

static void explain(struct text *out, const struct cli_model *m, const struct trace *t,
                    const struct run *r) {
  const struct ltl *f = m->formulas[t->id];
  uint64_t atoms = t->has_loop ? atoms_in(f) : 0;
  text_printf(out, "the formula is false of %s: ",
              t->has_loop ? "this run" : "every run that begins like this");
  cli_formula_print(out, m, t->id);
  for (size_t i = 0; i < m->model->atoms.count && i < IR_ATOMS_MAX; i++) {
    if ((atoms >> i & 1) == 0) continue;
    text_printf(out, "\n%s: ", m->model->atoms.data[i]->name);
    if (r->loop > 0) text_printf(out, "before the cycle %s, ", how_often(r, i, 0, r->loop));
    text_printf(out, "in the cycle %s", how_often(r, i, r->loop, r->states.count));
  }
}

bool cli_formula_violated(const struct cli_model *m, const struct trace *t, struct replay *replay) {
  const struct ltl *f = t->end == TRACE_PROPERTY && m->formulas != NULL ? m->formulas[t->id] : NULL;
  if (f == NULL) return true;
  struct run r = {0};
  bool good =
      collect(&r, m->model, t, replay) && !ltl_on_lasso(f, r.states.data, r.states.count, r.loop);
  if (good) {
    struct text why = {0};
    explain(&why, m, t, &r);
    mem_free(replay->explanation);
    replay->explanation = why.data;
  } else {
    mem_free(replay->problem);
    replay->problem = mem_strdup("the formula is true of the run");
  }
  VEC_CLEAR(&r.states);
  return good;
}
