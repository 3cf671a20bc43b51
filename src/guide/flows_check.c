// SPDX-License-Identifier: Apache-2.0
// From what is written to what is meant: one flow over the rules of a model. Events are told apart
// by their text, or their label; the chains are the edges of a partial order of them.
#include "guide/flows.h"

#include <string.h>

struct checker {
  struct flow *flow;
  const struct flow_text *text;
  const struct ir_model *model;
  struct arena *arena;
  struct diag *diag;
};

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

// --- parameters ---

static bool declare_params(struct checker *c) {
  size_t n = c->text->params.count;
  const struct flow_word *w = c->text->params.data;
  if (n > FLOW_PARAMS_MAX)
    return diag_error(c->diag, w[FLOW_PARAMS_MAX].span, "a flow has at most %d parameters",
                      FLOW_PARAMS_MAX),
           false;
  size_t before = c->diag->errors;
  for (size_t i = 0; i < n; i++) {
    if (same(w[i].text, "_"))
      diag_error(c->diag, w[i].span, "_ stands for any value; expected a name");
    for (size_t j = 0; j < i; j++)
      if (same(w[i].text, w[j].text))
        diag_error(c->diag, w[i].span, "the flow has two parameters \"%s\"", w[i].text);
    c->flow->params[i].name = w[i].text;
  }
  c->flow->param_count = (uint32_t)n;
  return c->diag->errors == before;
}

// A parameter ranges over what the first use of it says.
static bool first_use(struct checker *c, struct flow_param *p, const struct ir_local *l,
                      struct span span) {
  uint64_t n = ir_domain_count(l->domain);
  if (n > FLOW_INSTANCES_MAX)
    return diag_error(c->diag, span, "parameter \"%s\" has more than %d values", p->name,
                      FLOW_INSTANCES_MAX),
           false;
  p->type = l->type;
  p->count = (uint32_t)n;
  p->values = ARENA_ARRAY(c->arena, int64_t, n);
  for (uint64_t k = 0; k < n; k++) p->values[k] = ir_domain_value(l->domain, k);
  return true;
}

static bool agrees(const struct flow_param *p, const struct ir_local *l) {
  enum ir_type_kind kind = p->type->kind;
  bool named = kind != IR_TYPE_RANGE && kind != IR_TYPE_INT && kind != IR_TYPE_BOOL;
  if (named ? p->type != l->type : kind != l->type->kind) return false;
  if (ir_domain_count(l->domain) != p->count) return false;
  for (uint32_t k = 0; k < p->count; k++)
    if (ir_domain_value(l->domain, k) != p->values[k]) return false;
  return true;
}

static bool use_param(struct checker *c, struct flow_param *p, const struct ir_rule *r,
                      const struct ir_local *l, struct span span) {
  if (!p->type) return first_use(c, p, l, span);
  if (agrees(p, l)) return true;
  diag_error(c->diag, span,
             "\"%s\" has other values elsewhere in this flow than parameter \"%s\" of rule \"%s\"",
             p->name, l->name, r->name);
  return false;
}

// --- arguments ---

static bool no_value(struct checker *c, const struct flow_word *w, const struct ir_rule *r,
                     const struct ir_local *l) {
  const char *names[FLOW_PARAMS_MAX];
  for (uint32_t i = 0; i < c->flow->param_count; i++) names[i] = c->flow->params[i].name;
  const char *near = name_nearest(w->text, names, c->flow->param_count);
  struct text value = {0};
  ir_type_print_value(&value, l->type, ir_domain_value(l->domain, 0));
  diag_error(c->diag, w->span,
             "\"%s\" is neither a parameter of the flow nor a value of parameter \"%s\" of rule "
             "\"%s\" (such as %s)%s%s%s",
             w->text, l->name, r->name, text_str(&value), near ? "; did you mean " : "",
             near ? near : "", near ? "?" : "");
  text_clear(&value);
  return false;
}

static bool check_arg(struct checker *c, const struct flow_word *w, const struct ir_rule *r,
                      uint32_t k, struct guide_arg *arg) {
  const struct ir_local *l = r->frame.locals[k];
  if (same(w->text, "_")) return true; // ARG_ANY
  for (uint32_t i = 0; i < c->flow->param_count; i++) {
    if (!same(w->text, c->flow->params[i].name)) continue;
    *arg = (struct guide_arg){.kind = ARG_PARAM, .param = i};
    return use_param(c, &c->flow->params[i], r, l, w->span);
  }
  int64_t value;
  if (!guide_value_read(l, w->text, &value)) return no_value(c, w, r, l);
  bool differs = arg->kind == ARG_VALUE && arg->value != value;
  *arg = (struct guide_arg){.kind = ARG_VALUE, .value = value};
  if (differs)
    diag_error(c->diag, w->span, "\"%s\" means different values in the rules called \"%s\"",
               w->text, r->name);
  return !differs;
}

static bool check_args(struct checker *c, const struct flow_mention *n, struct flow_event *e) {
  e->args = ARENA_ARRAY(c->arena, struct guide_arg, n->args.count);
  e->arg_count = (uint32_t)n->args.count;
  for (uint32_t i = 0; i < e->rule_count; i++) {
    const struct ir_rule *r = e->rules[i];
    if (n->args.count > r->param_count)
      return diag_error(c->diag, n->args.data[r->param_count].span,
                        "rule \"%s\" has %u parameter%s, not %zu", r->name, r->param_count,
                        r->param_count == 1 ? "" : "s", n->args.count),
             false;
    for (uint32_t k = 0; k < n->args.count; k++)
      if (!check_arg(c, &n->args.data[k], r, k, &e->args[k])) return false;
  }
  return true;
}

// --- events ---

static bool find_rules(struct checker *c, const struct flow_word *w, struct flow_event *e) {
  const struct ir_model *m = c->model;
  for (size_t i = 0; i < m->rules.count; i++)
    e->rule_count += same(m->rules.data[i]->name, w->text);
  e->rules = ARENA_ARRAY(c->arena, const struct ir_rule *, e->rule_count);
  for (size_t i = 0, n = 0; i < m->rules.count; i++)
    if (same(m->rules.data[i]->name, w->text)) e->rules[n++] = m->rules.data[i];
  if (e->rule_count) return true;
  struct text offer = {0};
  guide_rules_offer(&offer, w->text, m);
  diag_error(c->diag, w->span, "no rule is called \"%s\"%s", w->text, text_str(&offer));
  text_clear(&offer);
  return false;
}

// "RecvReqE(i)": what tells events apart; _ at the end says nothing.
static const char *event_name(struct arena *a, const struct flow_mention *n) {
  struct text t = {0};
  size_t count = n->args.count;
  while (count && same(n->args.data[count - 1].text, "_")) count--;
  guide_name_print(&t, n->rule.text);
  for (size_t i = 0; i < count; i++) text_printf(&t, "%s%s", i ? ", " : "(", n->args.data[i].text);
  if (count) text_char(&t, ')');
  const char *name = arena_strdup(a, text_str(&t));
  text_clear(&t);
  return name;
}

static bool is_label(const struct checker *c, const char *name) {
  for (size_t i = 0; i < c->text->mentions.count; i++) {
    const char *label = c->text->mentions.data[i].label.text;
    if (label && same(label, name)) return true;
  }
  return false;
}

// What an event is called when only its label is written.
static const char *label_of(const struct checker *c, const struct flow_mention *n) {
  if (n->label.text) return n->label.text;
  return !n->quoted && !n->has_args && is_label(c, n->rule.text) ? n->rule.text : NULL;
}

static struct flow_event *find_event(struct flow *f, const char *name, const char *label) {
  for (uint32_t i = 0; i < f->event_count; i++) {
    struct flow_event *e = &f->events[i];
    if (label ? e->label && same(e->label, label) : !e->label && same(e->name, name)) return e;
  }
  return NULL;
}

static bool label_is_free(struct checker *c, const struct flow_mention *n) {
  for (size_t i = 0; n->label.text && i < c->model->rules.count; i++)
    if (same(c->model->rules.data[i]->name, n->label.text))
      return diag_error(c->diag, n->label.span,
                        "\"%s\" is the name of a rule; expected another label", n->label.text),
             false;
  return true;
}

static bool add_event(struct checker *c, const struct flow_mention *n) {
  struct flow *f = c->flow;
  if (f->event_count == FLOW_EVENTS_MAX)
    return diag_error(c->diag, n->rule.span, "a flow has at most %d events", FLOW_EVENTS_MAX),
           false;
  struct flow_event e = {.name = event_name(c->arena, n), .span = n->rule.span};
  e.label = n->label.text;
  e.shown = e.label ? arena_printf(c->arena, "%s as %s", e.name, e.label) : e.name;
  if (!find_rules(c, &n->rule, &e) || !check_args(c, n, &e) || !label_is_free(c, n)) return false;
  f->events[f->event_count++] = e;
  return true;
}

// A mention by label alone may come before the one that says what the event is.
static bool declare_events(struct checker *c) {
  size_t before = c->diag->errors;
  for (size_t i = 0; i < c->text->mentions.count; i++) {
    const struct flow_mention *n = &c->text->mentions.data[i];
    const char *label = label_of(c, n);
    if (c->diag->errors >= before + FLOW_MISTAKES_MAX) return false;
    if (label && !n->label.text) continue; // a mention of one that is declared elsewhere
    const char *name = event_name(c->arena, n);
    struct flow_event *e = find_event(c->flow, name, label);
    if (!e && !add_event(c, n)) continue;
    if (e && !same(e->name, name))
      diag_error(c->diag, n->label.span, "the label \"%s\" is given to %s already", label, e->name);
  }
  return c->diag->errors == before;
}

// --- the order ---

static uint32_t event_of(struct checker *c, const struct flow_mention *n) {
  struct flow_event *e = find_event(c->flow, event_name(c->arena, n), label_of(c, n));
  assert(e);
  return (uint32_t)(e - c->flow->events);
}

static void link_events(struct checker *c) {
  uint64_t seen = 0;
  uint32_t last = 0;
  for (size_t i = 0; i < c->text->mentions.count; i++) {
    const struct flow_mention *n = &c->text->mentions.data[i];
    uint32_t now = event_of(c, n);
    if (n->begins) seen = 0;
    if (seen >> now & 1)
      diag_error(c->diag, n->rule.span,
                 "%s comes twice in this chain; give one of them a label: %s as again",
                 c->flow->events[now].name, c->flow->events[now].name);
    if (!n->begins) c->flow->events[now].before |= UINT64_C(1) << last;
    seen |= UINT64_C(1) << now;
    last = now;
  }
}

// Every event of `left` has one of them before it: going back from one comes round to one.
static void print_circle(struct checker *c, uint64_t left) {
  const struct flow_event *events = c->flow->events;
  uint32_t at = (uint32_t)__builtin_ctzll(left);
  for (uint64_t seen = 0; !(seen >> at & 1);) {
    seen |= UINT64_C(1) << at;
    at = (uint32_t)__builtin_ctzll(events[at].before & left);
  }
  struct text circle = {0};
  uint32_t e = at;
  do {
    e = (uint32_t)__builtin_ctzll(events[e].before & left);
    text_printf(&circle, " comes after %s", events[e].shown);
  } while (e != at);
  diag_error(c->diag, events[at].span, "the order goes round in a circle: %s%s", events[at].shown,
             text_str(&circle));
  text_clear(&circle);
}

static void check_circles(struct checker *c) {
  uint32_t n = c->flow->event_count;
  uint64_t left = n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
  for (uint64_t before = 0; left && left != before;) {
    before = left;
    for (uint32_t i = 0; i < n; i++)
      if (!(c->flow->events[i].before & left)) left &= ~(UINT64_C(1) << i);
  }
  if (left) print_circle(c, left);
}

static void count_instances(struct checker *c) {
  uint64_t n = 1;
  for (uint32_t i = 0; i < c->flow->param_count; i++) {
    const struct flow_param *p = &c->flow->params[i];
    if (!p->type)
      diag_error(c->diag, c->text->params.data[i].span, "no event has the parameter \"%s\"",
                 p->name);
    else
      n = n * p->count > FLOW_INSTANCES_MAX ? FLOW_INSTANCES_MAX + 1 : n * p->count;
  }
  if (n > FLOW_INSTANCES_MAX)
    diag_error(c->diag, c->flow->span, "the flow has more than %d instances; leave out parameters",
               FLOW_INSTANCES_MAX);
  c->flow->instances = (uint32_t)n;
}

bool guide_flow_check(struct flow *f, const struct flow_text *t, const struct ir_model *m,
                      struct arena *a, struct diag *d) {
  struct checker c = {.flow = f, .text = t, .model = m, .arena = a, .diag = d};
  size_t before = d->errors;
  *f = (struct flow){.name = t->name.text, .span = t->name.span};
  if (!declare_params(&c) || !declare_events(&c)) return false;
  link_events(&c);
  if (d->errors == before) check_circles(&c);
  count_instances(&c);
  return d->errors == before;
}
