// SPDX-License-Identifier: Apache-2.0
// Reads a list of marks as a user writes it:
//   item { "," item }   item: name [ "(" argument { "," argument } ")" ] [ "when" expression ]
// The expression is the model language's, and ends at a comma outside brackets.
#include "guide/rules.h"

#include <string.h>

struct written {    // an argument
  const char *name; // NULL: by position
  const char *value;
};

struct item {
  const char *name;
  struct written *args;
  size_t arg_count;
  const char *when; // NULL: none
  const char *tail; // arguments and condition as written, for messages
};

struct reader {
  const char *at;
  struct arena *arena;
  struct text *why;
};

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void skip_blank(struct reader *p) {
  while (blank(*p->at)) p->at++;
}

static const char *trimmed(struct arena *a, const char *from, const char *to) {
  while (from < to && blank(*from)) from++;
  while (to > from && blank(to[-1])) to--;
  return arena_strndup(a, from, (size_t)(to - from));
}

static bool at_when(const char *at) {
  return strncmp(at, "when", 4) == 0 && !guide_name_letter((unsigned char)at[4]);
}

// --- syntax ---

static bool quoted_name(struct reader *p, const char **name) {
  char *to = arena_alloc(p->arena, strlen(p->at) + 1);
  *name = to;
  for (p->at++; *p->at != '"'; p->at++) {
    if (*p->at == '\\' && p->at[1]) p->at++;
    if (*p->at == '\0') return text_add(p->why, "a quoted name does not end"), false;
    *to++ = *p->at;
  }
  p->at++;
  return true;
}

static bool read_name(struct reader *p, struct item *i) {
  skip_blank(p);
  if (*p->at == '"') return quoted_name(p, &i->name);
  const char *from = p->at;
  while (*p->at && *p->at != '(' && *p->at != ',') {
    if (at_when(p->at) && (p->at == from || blank(p->at[-1]))) break;
    p->at++;
  }
  i->name = trimmed(p->arena, from, p->at);
  if (*i->name) return true;
  return text_add(p->why, "the name of a rule is missing"), false;
}

static struct written read_arg(struct reader *p) {
  const char *from = p->at, *equals = NULL;
  for (; *p->at && *p->at != ',' && *p->at != ')'; p->at++)
    if (*p->at == '=' && !equals) equals = p->at;
  struct written w = {.value = trimmed(p->arena, equals ? equals + 1 : from, p->at)};
  if (equals) w.name = trimmed(p->arena, from, equals);
  return w;
}

static bool read_args(struct reader *p, struct item *i) {
  VEC(struct written) args = {0};
  do {
    p->at++;
    VEC_PUSH(&args, read_arg(p));
  } while (*p->at == ',');
  bool closed = *p->at == ')', none = args.count == 1 && !args.data[0].name && !*args.data[0].value;
  i->arg_count = none ? 0 : args.count;
  i->args = ARENA_ARRAY(p->arena, struct written, args.count);
  memcpy(i->args, args.data, args.count * sizeof *args.data);
  VEC_CLEAR(&args);
  if (closed) return p->at++, true;
  return text_printf(p->why, "the parameters of \"%s\" do not end with )", i->name), false;
}

// To the comma outside brackets and strings that ends an expression.
static const char *expression_end(const char *at) {
  size_t depth = 0;
  bool string = false;
  for (; *at; at++) {
    if (*at == '"') string = !string;
    if (string) continue;
    if (*at == ',' && depth == 0) break;
    depth += strchr("([{", *at) != NULL;
    depth -= depth > 0 && strchr(")]}", *at);
  }
  return at;
}

static bool read_when(struct reader *p, struct item *i) {
  const char *from = p->at + strlen("when");
  p->at = expression_end(from);
  i->when = trimmed(p->arena, from, p->at);
  if (*i->when) return true;
  return text_printf(p->why, "the condition of \"%s\" is missing after when", i->name), false;
}

static bool read_item(struct reader *p, struct item *i) {
  *i = (struct item){0};
  if (!read_name(p, i)) return false;
  skip_blank(p);
  const char *from = p->at;
  if (*p->at == '(' && !read_args(p, i)) return false;
  skip_blank(p);
  if (at_when(p->at) && !read_when(p, i)) return false;
  i->tail = trimmed(p->arena, from, p->at);
  skip_blank(p);
  if (*p->at == '\0' || *p->at == ',') return true;
  text_printf(p->why, "after \"%s\" comes \"%s\"; expected \"when\", a comma or the end", i->name,
              p->at);
  return false;
}

// --- meaning ---

// * stands for any letters, ? for any one.
static bool glob(const char *pattern, const char *name) {
  const char *star = NULL, *again = NULL;
  while (*name) {
    if (*pattern == '*')
      star = ++pattern, again = name;
    else if (*pattern == '?' || *pattern == *name)
      pattern++, name++;
    else if (star)
      pattern = star, name = ++again;
    else
      return false;
  }
  while (*pattern == '*') pattern++;
  return *pattern == '\0';
}

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static bool called(const struct ir_rule *r, const char *name,
                   bool (*like)(const char *, const char *)) {
  if (like(name, r->name)) return true;
  for (uint32_t i = 0; i < r->mark_count; i++)
    if (like(name, r->marks[i])) return true;
  return false;
}

static bool any_value(const char *text) { return same(text, "*") || same(text, "_"); }

// Which parameter an argument is about; param_count: none, a sentence is in why.
static uint32_t which_param(const struct ir_rule *r, const struct item *i, uint32_t at,
                            struct text *why) {
  const struct written *w = &i->args[at];
  if (!w->name && at < r->param_count) return at;
  for (uint32_t k = 0; w->name && k < r->param_count; k++)
    if (same(r->frame.locals[k]->name, w->name)) return k;
  if (w->name)
    text_printf(why, "rule \"%s\" has no parameter \"%s\"", r->name, w->name);
  else
    text_printf(why, "rule \"%s\" has %u parameter%s, not %zu", r->name, r->param_count,
                r->param_count == 1 ? "" : "s", i->arg_count);
  return r->param_count;
}

static void no_value(const struct ir_rule *r, const struct ir_local *l, const char *value,
                     struct text *why) {
  text_printf(why, "\"%s\" is no value of parameter \"%s\" of rule \"%s\", which has ", value,
              l->name, r->name);
  uint64_t n = ir_domain_count(l->domain);
  ir_type_print_value(why, l->type, ir_domain_value(l->domain, 0));
  text_add(why, n > 2 ? " .. " : n == 2 ? " and " : " only");
  if (n > 1) ir_type_print_value(why, l->type, ir_domain_value(l->domain, n - 1));
}

static bool bind_args(const struct ir_rule *r, const struct item *i, struct guide_arg *args,
                      struct text *why) {
  for (uint32_t a = 0; a < i->arg_count; a++) {
    const struct written *w = &i->args[a];
    bool rest = !w->name && a + 1 == i->arg_count && any_value(w->value);
    if (rest && a >= r->param_count) continue;
    uint32_t k = which_param(r, i, a, why);
    if (k == r->param_count) return false;
    if (any_value(w->value)) continue;
    if (args[k].kind != ARG_ANY)
      return text_printf(why, "parameter \"%s\" of rule \"%s\" is given twice",
                         r->frame.locals[k]->name, r->name),
             false;
    args[k].kind = ARG_VALUE;
    if (!guide_value_read(r->frame.locals[k], w->value, &args[k].value))
      return no_value(r, r->frame.locals[k], w->value, why), false;
  }
  return true;
}

static void expression_problem(const char *when, const struct diag *d, struct text *why) {
  text_printf(why, "the condition \"%s\" is wrong", when);
  for (size_t i = 0; i < d->count; i++) {
    if (d->entries[i].level != DIAG_ERROR) continue;
    if (d->entries[i].span.source) text_printf(why, " at column %u", d->entries[i].span.column);
    text_printf(why, ": %s", d->entries[i].message);
    return;
  }
}

static struct ir_rule *read_condition(struct ir_model *m, const struct ir_rule *r, const char *when,
                                      const struct guide_language *l, struct text *why) {
  if (!l) return text_add(why, "conditions (when) cannot be read in this model's language"), NULL;
  struct ir_rule *c = mem_zalloc(1, sizeof *c);
  struct diag d = {0};
  c->name = r->name;
  c->param_count = r->param_count;
  c->guard = l->expr(l->context, m, when, r, &c->frame, &d);
  if (!c->guard)
    expression_problem(when, &d, why);
  else if (c->guard->type->kind != IR_TYPE_BOOL)
    text_printf(why, "the condition \"%s\" is not true or false", when), c->guard = NULL;
  diag_clear(&d);
  if (c->guard) return assert(c->frame.count >= c->param_count), c;
  mem_free(c);
  return NULL;
}

static bool mark_rule(struct guide_marks *g, const struct ir_rule *r, const struct item *i,
                      const struct guide_language *l, struct text *why) {
  struct guide_arg *args = mem_zalloc(r->param_count, sizeof *args);
  struct ir_rule *condition = NULL;
  bool fits = bind_args(r, i, args, why);
  if (fits && i->when)
    fits = (condition = read_condition(guide_marks_model(g), r, i->when, l, why)) != NULL;
  if (fits) {
    struct text label = {0};
    text_printf(&label, "%s%s%s", r->name, *i->tail && *i->tail != '(' ? " " : "", i->tail);
    guide_marks_put(g, r, args, r->param_count, condition, text_str(&label));
    text_clear(&label);
  }
  mem_free(args);
  return fits;
}

static bool mark_item(struct guide_marks *g, const struct item *i, const struct guide_language *l,
                      struct text *why) {
  const struct ir_model *m = guide_marks_model(g);
  bool exact = false, fits = false;
  struct text first = {0};
  for (size_t k = 0; k < m->rules.count && !exact; k++)
    exact = called(m->rules.data[k], i->name, same);
  for (size_t k = 0; k < m->rules.count; k++) {
    struct text problem = {0};
    if (!called(m->rules.data[k], i->name, exact ? same : glob)) continue;
    fits |= mark_rule(g, m->rules.data[k], i, l, &problem);
    if (!first.count) text_add(&first, text_str(&problem));
    text_clear(&problem);
  }
  if (!fits && first.count) {
    text_add(why, text_str(&first));
  } else if (!fits) {
    text_printf(why, "no rule is called \"%s\"", i->name);
    guide_rules_offer(why, i->name, m);
  }
  text_clear(&first);
  return fits;
}

bool guide_marks_add(struct guide_marks *g, const char *text, const struct guide_language *l,
                     struct text *why) {
  struct reader p = {.at = text, .arena = arena_new(), .why = why};
  struct item i;
  bool more = true, good = true;
  while (good && more) {
    good = read_item(&p, &i) && mark_item(g, &i, l, why);
    more = *p.at == ',';
    p.at += more;
  }
  arena_free(p.arena);
  return good;
}
