// SPDX-License-Identifier: Apache-2.0
// Files of flows: reading them, and the marks that follow from them ("Biased model checking using
// flows", section 6: all events of a flow but those that nothing comes before).
#include "guide/flows.h"

#include <string.h>

static bool check_name(const struct guide_flows *f, const struct flow_word *name, struct diag *d) {
  if (f->flows.count == FLOWS_MAX)
    return diag_error(d, name->span, "there are more than %d flows", FLOWS_MAX), false;
  for (size_t i = 0; i < f->flows.count; i++)
    if (strcmp(f->flows.data[i]->name, name->text) == 0)
      return diag_error(d, name->span, "there is a flow \"%s\" already, in line %u", name->text,
                        f->flows.data[i]->span.line),
             false;
  return true;
}

static void check_all(struct guide_flows *f, const struct flows_text *t, const struct ir_model *m,
                      struct diag *d) {
  uint32_t instances = 0;
  size_t mistakes_max = d->errors + FLOW_MISTAKES_MAX;
  for (size_t i = 0; i < t->flows.count && d->errors < mistakes_max; i++) {
    const struct flow_text *written = &t->flows.data[i];
    if (!check_name(f, &written->name, d)) return;
    VEC_PUSH(&f->flows, ARENA_NEW(f->arena, struct flow));
    if (!guide_flow_check(VEC_TOP(&f->flows), written, m, f->arena, d)) continue;
    instances += VEC_TOP(&f->flows)->instances;
    if (instances > FLOW_INSTANCES_MAX) {
      diag_error(d, written->name.span, "the flows up to here have more than %d instances",
                 FLOW_INSTANCES_MAX);
      return;
    }
  }
}

struct guide_flows *guide_flows_read(struct source *s, const struct ir_model *m, struct diag *d) {
  struct guide_flows *f = mem_zalloc(1, sizeof *f);
  struct flows_text t = {0};
  size_t before = d->errors;
  f->arena = arena_new();
  f->source = s;
  bool parsed = guide_flows_parse(&t, s, f->arena, d);
  if (parsed && t.flows.count == 0)
    diag_error(d, ((struct span){.source = s, .line = 1, .column = 1}), "the file has no flow");
  check_all(f, &t, m, d);
  guide_flows_text_clear(&t);
  if (d->errors == before) return f;
  diag_keep_source(d, s);
  f->source = NULL;
  guide_flows_free(f);
  return NULL;
}

void guide_flows_free(struct guide_flows *f) {
  if (!f) return;
  VEC_CLEAR(&f->flows);
  arena_free(f->arena);
  source_free(f->source);
  mem_free(f);
}

// For messages: with its arguments if they leave instances out.
static const char *mark_label(const struct flow_event *e, const struct ir_rule *r) {
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (e->args[i].kind == ARG_VALUE) return e->name;
  return r->name;
}

// How many rules it marks.
static size_t mark_flow(const struct flow *f, struct guide_marks *g) {
  size_t marks = 0;
  for (uint32_t i = 0; i < f->event_count; i++) {
    const struct flow_event *e = &f->events[i];
    if (!e->before) continue;
    for (uint32_t k = 0; k < e->rule_count; k++, marks++)
      guide_marks_put(g, e->rules[k], e->args, e->arg_count, NULL, mark_label(e, e->rules[k]));
  }
  return marks;
}

static void no_such_flow(const struct guide_flows *f, const char *flow, struct text *why) {
  const char **names = mem_zalloc(f->flows.count, sizeof *names);
  for (size_t i = 0; i < f->flows.count; i++) names[i] = f->flows.data[i]->name;
  text_printf(why, "no flow is called \"%s\"", flow);
  guide_names_offer(why, flow, names, f->flows.count);
  mem_free(names);
}

bool guide_flows_mark(const struct guide_flows *f, const char *flow, struct guide_marks *g,
                      struct text *why) {
  size_t found = 0, marks = 0;
  for (size_t i = 0; i < f->flows.count; i++) {
    if (flow && strcmp(f->flows.data[i]->name, flow) != 0) continue;
    found++;
    marks += mark_flow(f->flows.data[i], g);
  }
  if (!found && flow)
    no_such_flow(f, flow, why);
  else if (!marks)
    text_printf(why, "%s%s%s has nothing but first events, which are not marked",
                flow ? "flow \"" : "the file of flows", flow ? flow : "", flow ? "\"" : "");
  return marks > 0;
}
