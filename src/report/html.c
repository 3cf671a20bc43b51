// SPDX-License-Identifier: Apache-2.0
// A result as one HTML page without scripts or anything from elsewhere: verdict, properties,
// figures, each violation step by step, and the model's text, to which every step links.
#include "report/bounded.h"
#include "report/cycles.h"
#include "report/format.h"
#include "report/hints.h"
#include "report/lines.h"
#include "report/program.h"
#include "report/reasoning.h"
#include "report/report.h"
#include "report/survey.h"

#include "guide/guide.h"
#include "ir/ir.h"
#include "store/store.h"

#include <inttypes.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--line:#8884;--soft:#8882}"
    "body{font:15px/1.45 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}"
    "code,pre,td.v{font-family:ui-monospace,monospace;font-size:.9em}"
    "table{border-collapse:collapse}td,th{text-align:left;padding:.15rem .9rem .15rem 0;"
    "border-bottom:1px solid var(--line);vertical-align:top}"
    "td.n{text-align:right}.bar{height:.7em;background:#48c8}"
    ".holds{color:#1a8a3a}.violated{color:#d33}.unknown{color:#b80}"
    "ol.steps{padding-left:2.5rem}ol.steps li{margin:.5rem 0}ol.steps li.inner{list-style:none}"
    "span.claim{opacity:.6;float:right}li.cycle{font-weight:bold}"
    ".old{opacity:.6}.why{background:var(--soft);padding:.6rem .9rem;white-space:pre-wrap}"
    "pre.source{counter-reset:n;background:var(--soft);padding:.6rem;overflow-x:auto}"
    "pre.source span{display:block}pre.source span::before{counter-increment:n;content:counter(n);"
    "display:inline-block;width:3.5em;opacity:.5}pre.source span:target{background:#fb05}";

static void escape(FILE *out, const char *s, size_t length) {
  for (size_t i = 0; i < length; i++) {
    switch (s[i]) {
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '&': fputs("&amp;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\0': break;
    default: fputc(s[i], out);
    }
  }
}

static void put(FILE *out, const char *s) { escape(out, s, strlen(s)); }

static void put_text(FILE *out, struct text *t) {
  escape(out, text_str(t), t->count);
  text_clear(t);
}

static void put_link(FILE *out, const struct ir_model *m, struct span span) {
  for (size_t i = 0; i < m->sources.count; i++) {
    if (m->sources.data[i] != span.source) continue;
    fprintf(out, "<a href=\"#s%zu-%u\">", i, span.line);
    put(out, format_basename(span.source->path));
    fprintf(out, ":%u</a>", span.line);
  }
}

static void put_leaf(FILE *out, const struct ir_model *m, uint64_t leaf, const uint64_t *before,
                     const uint64_t *after) {
  const struct ir_leaf *l = &m->layout->leaf[leaf];
  struct text name = {0}, old = {0}, now = {0};
  ir_leaf_name(&name, m, leaf);
  ir_type_print_value(&now, l->type, ir_leaf_get(l, after));
  fputs("<tr><td class=v>", out);
  put_text(out, &name);
  fputs("<td class=\"v old\">", out);
  if (before != NULL) ir_type_print_value(&old, l->type, ir_leaf_get(l, before));
  put_text(out, &old);
  fputs("<td class=v>", out);
  put_text(out, &now);
}

// The leaves that differ from `before`, or all when that is NULL.
static void put_leaves(FILE *out, const struct ir_model *m, const uint64_t *before,
                       const uint64_t *after) {
  bool lines = report_has_lines(m) || program_is(m); // then they tell where a process is
  fputs("<table>", out);
  for (size_t v = 0; v < m->vars.count; v++) {
    const struct ir_var *var = m->vars.data[v];
    if (var->hidden || (lines && var == m->transient)) continue;
    for (uint64_t k = lines && var->is_location ? 1 : 0; k < var->type->leaves; k++) {
      const struct ir_leaf *l = &m->layout->leaf[var->first_leaf + k];
      if (before == NULL || ir_leaf_get(l, before) != ir_leaf_get(l, after))
        put_leaf(out, m, var->first_leaf + k, before, after);
    }
  }
  fputs("</table>\n", out);
}

static void put_rule(FILE *out, const struct ir_model *m, const struct trace *t, size_t step,
                     const struct ir_rule *r) {
  struct text rule = {0};
  format_step(&rule, m, t, step, true);
  fputs("<b>", out);
  put_text(out, &rule);
  fputs("</b> ", out);
  put_link(out, m, r->span);
}

static void put_line(FILE *out, const struct ir_model *m, const struct ir_line *l) {
  struct text process = {0};
  lines_process(&process, l);
  put_text(out, &process);
  fputc(' ', out);
  put_link(out, m, l->span);
  if (l->place > 0) fprintf(out, " (state %u)", l->place);
  fputs(" <b>[", out);
  put(out, l->text);
  fputs("]</b>", out);
}

static void put_step(FILE *out, const struct ir_model *m, const struct trace *t, size_t i) {
  if (cycles_stutters(t, i)) {
    put(out, CYCLES_STUTTER);
    return;
  }
  const struct ir_rule *r = format_rule(m, false, t->steps.data[i].instance);
  uint32_t lines = lines_count(r);
  if (lines == 0) put_rule(out, m, t, i, r);
  for (uint32_t k = 0; k < lines; k++) {
    if (k > 0) fputs("<br>", out);
    put_line(out, m, &r->lines[k]);
  }
}

// The automaton's state, beside the step that leads to it.
static void put_claim(FILE *out, const struct ir_model *m, const struct trace *t, size_t state) {
  struct text name = {0};
  cycles_claim(&name, m, t, state);
  if (name.count == 0) return;
  fputs(" <span class=claim>", out);
  put_text(out, &name);
  fputs("</span>", out);
}

static void put_steps(FILE *out, const struct ir_model *m, const struct trace *t,
                      const struct replay *r) {
  fputs("<details><summary>start: ", out);
  put_rule(out, m, t, FORMAT_START, format_rule(m, true, t->start_instance));
  put_claim(out, m, t, 0);
  fputs("</summary>", out);
  if (r->count > 0) put_leaves(out, m, NULL, r->states[0].words);
  fputs("</details>\n<ol class=steps>\n", out);
  size_t number = 0;
  for (size_t i = 0; i < t->steps.count; i++) {
    const char *heading = cycles_heading(t, i);
    if (heading != NULL) fprintf(out, "<li class=\"inner cycle\">%s\n", heading);
    if (trace_inner(r, m, i))
      fputs("<li class=inner>", out);
    else
      fprintf(out, "<li value=%zu>", ++number);
    put_step(out, m, t, i);
    put_claim(out, m, t, i + 1);
    if (i + 1 >= r->count) continue;
    put_leaves(out, m, r->states[i].words, r->states[i + 1].words);
    if (r->states[i + 1].prints != NULL) {
      fputs("<div class=why>", out);
      put(out, r->states[i + 1].prints);
      fputs("</div>", out);
    }
  }
  fputs("</ol>\n", out);
}

// What a C program was given, in the order of the calls.
static void put_inputs(FILE *out, const struct ir_model *m, const struct trace *t) {
  struct report_inputs in;
  report_inputs_init(&in, m, t);
  fputs("<h3>Inputs</h3>\n<table>\n", out);
  for (size_t i = 0; i < in.list.count; i++) {
    const struct report_input *input = &in.list.data[i];
    struct text value = {0};
    ir_type_print_value(&value, input->type, input->value);
    fputs("<tr><td class=v>", out);
    put(out, input->variable != NULL ? input->variable : "");
    fputs("<td class=v>", out);
    put_text(out, &value);
    fputs("<td>", out);
    put(out, input->function);
    fputs("() ", out);
    put_link(out, m, input->span);
    fputc('\n', out);
  }
  fputs("</table>\n", out);
  report_inputs_clear(&in);
}

static void put_violation(FILE *out, const struct ir_model *m, const struct trace *t,
                          const struct replay *r) {
  struct text what = {0};
  format_violation(&what, m, t);
  fputs("<h2 class=violated>violated: ", out);
  put_text(out, &what);
  fputc(' ', out);
  put_link(out, m, format_violation_span(m, t));
  fputs("</h2>\n", out);
  size_t length = trace_length(t, r, m);
  if (t->has_loop) {
    cycles_length(&what, m, t, r);
    fputs("<p>", out);
    put_text(out, &what);
    fputs(".</p>\n", out);
  }
  if (t->found_steps > length)
    fprintf(out, "<p>Found with %zu steps, shortened to %zu.</p>\n", t->found_steps, length);
  if (r->explanation != NULL && *r->explanation != '\0') {
    fputs("<div class=why>", out);
    put(out, r->explanation);
    fputs("</div>\n", out);
  }
  if (program_is(m)) put_inputs(out, m, t);
  put_steps(out, m, t, r);
}

static void put_properties(FILE *out, const struct ir_model *m, const struct result *r) {
  fputs("<h2>Properties</h2>\n<table>\n", out);
  for (size_t i = 0; i < r->properties.count; i++) {
    const struct property_result *p = &r->properties.data[i];
    const char *verdict = verdict_name(p->verdict);
    fprintf(out, "<tr><td class=%s>%s<td>%s<td>", verdict, verdict, p->kind);
    put(out, p->name);
    fprintf(out, "<td>%s", p->reason != NULL ? p->reason : "");
    if (p->detail != NULL) {
      fputs(": ", out);
      put(out, p->detail);
    }
    fputs("<td>", out);
    put_link(out, m, p->span);
    struct text size = {0};
    cycles_size(&size, p);
    fputs("<td>", out);
    put_text(out, &size);
    fputc('\n', out);
  }
  fputs("</table>\n", out);
}

// A counter whose help begins with the name of a search belongs to that search alone.
static bool counts(const char *help, const struct report_run *run) {
  if (run->cycles == NULL && strncmp(help, "ndfs: ", strlen("ndfs: ")) == 0) return false;
  if (!reasoning_counts(help, run)) return false;
  return run->bounded != NULL || strncmp(help, "bounded: ", strlen("bounded: ")) != 0;
}

static void put_stats(FILE *out, const struct report_run *run, const struct result *r) {
  const struct stats *s = &r->stats;
  fputs("<h2>Figures</h2>\n<table>\n", out);
  if (r->states_exact != NULL)
    fprintf(out, "<tr><td>states, in all their digits<td>%s\n", r->states_exact);
#define COUNTER(name, unit, help)                                                                  \
  if (counts(help, run)) fprintf(out, "<tr><td>%s<td>%" PRIu64 " %s\n", help, s->name, unit);
#define COUNTER_REAL(name, unit, help)                                                             \
  if (counts(help, run)) fprintf(out, "<tr><td>%s<td>%.3f %s\n", help, s->name, unit);
#include "trace/counters.def"
#undef COUNTER
#undef COUNTER_REAL
  fputs("</table>\n", out);
}

static void put_sentence(FILE *out, struct text *t) {
  if (t->count == 0) return;
  fputs("; ", out);
  put_text(out, t);
}

static void put_flows(FILE *out, const struct report_hints *h) {
  struct text line = {0};
  fputs("<h2>Flows</h2>\n<table>\n", out);
  for (size_t i = 0; i < h->flow_count; i++) {
    fputs("<tr><td>", out);
    put(out, h->flows[i].name);
    fputs("<td>", out);
    hints_flow(&line, &h->flows[i]);
    put_text(out, &line);
    hints_never(&line, &h->flows[i]);
    put_sentence(out, &line);
    fputc('\n', out);
  }
  fputs("</table>\n", out);
  hints_lost(&line, h);
  if (line.count == 0) return;
  fputs("<p>", out);
  put_text(out, &line);
  fputs(".</p>\n", out);
}

static void put_hints(FILE *out, const struct report_run *run) {
  struct text line = {0};
  for (int i = 0; i <= HINTS_LINES; i++) {
    if (i < HINTS_LINES)
      hints_plan(&line, run, i);
    else
      hints_winner(&line, &run->hints->race);
    if (line.count == 0) continue;
    fputs("<p>", out);
    put_text(out, &line);
    fputs(".</p>\n", out);
  }
  if (run->hints->flows != NULL) put_flows(out, run->hints);
}

// What was covered, and what became of what is left.
static void put_coverage(FILE *out, const struct report_run *run, const struct result *r) {
  struct text line = {0};
  if (run->bounded != NULL) {
    fputs("<p>Bounded search: ", out);
    bounded_settings(&line, run->bounded);
    put_text(out, &line);
    bounded_resumed(&line, run->bounded);
    put_sentence(out, &line);
    bounded_saved(&line, run->bounded, r);
    put_sentence(out, &line);
    fputs(".</p>\n", out);
  }
  if (run->hints != NULL) put_hints(out, run);
  if (run->cycles != NULL) {
    fputs("<p>", out);
    cycles_plan(&line, run);
    put_text(out, &line);
    fputs(".</p>\n", out);
  }
  if (r->frontier == 0) return;
  fputs("<p>", out);
  if (r->depth_known)
    fprintf(out, "Complete to depth %" PRIu64 "%s; ", r->depth_complete,
            r->store == NULL || store_kind_keeps_states(r->store)
                ? ""
                : " as far as the store can tell");
  fprintf(out, "%" PRIu64 " stored states not expanded.</p>\n", r->frontier);
}

static void put_growth(FILE *out, const struct survey *s) {
  struct report_levels l;
  uint64_t most = 1;
  if (s->levels.count == 0) return;
  for (size_t i = 0; report_survey_levels(s, i, &l); i++)
    if (l.states > most) most = l.states;
  fputs("<h2>Growth</h2>\n<table>\n<tr><th>depth<th>new states<th>\n", out);
  for (size_t i = 0; report_survey_levels(s, i, &l); i++) {
    fprintf(out, "<tr><td>%" PRIu64, l.first);
    if (l.last > l.first) fprintf(out, "-%" PRIu64, l.last);
    fprintf(out, "<td class=n>%" PRIu64 "<td><div class=bar style=\"width:%.2frem\"></div>\n",
            l.states, 20.0 * (double)l.states / (double)most);
  }
  fputs("</table>\n", out);
}

static void put_cell(FILE *out, const uint64_t *counts, size_t i) {
  fputs("<td class=n>", out);
  if (counts != NULL) fprintf(out, "%" PRIu64, counts[i]);
}

static void put_costs(FILE *out, const struct ir_model *m, const struct survey *s,
                      const struct report_survey *v) {
  if (v->rule_count == 0) return;
  fputs("<h2>Rules</h2>\n", out);
  if (s->share != NULL)
    fprintf(out, "<p>Time of the interpreter in %" PRIu64 " states.</p>\n", s->timed);
  fputs("<table>\n<tr><th>time<th>fired<th>to new states<th>rule<th>\n", out);
  for (size_t i = 0; i < v->rule_count; i++) {
    const struct ir_rule *r = m->rules.data[v->rules[i]];
    fputs("<tr><td class=n>", out);
    if (s->share != NULL) fprintf(out, "%.1f&nbsp;%%", 100 * s->share[v->rules[i]]);
    put_cell(out, s->fired, v->rules[i]);
    put_cell(out, s->fresh, v->rules[i]);
    bool idle = s->fired != NULL && s->fired[v->rules[i]] == 0;
    fputs("<td>", out);
    put(out, r->name);
    fputs(!idle ? "<td>" : v->complete ? "<td>never enabled " : "<td>not enabled so far ", out);
    put_link(out, m, r->span);
    fputc('\n', out);
  }
  fputs("</table>\n", out);
}

static void put_values(FILE *out, const struct survey *s, const struct report_survey *v) {
  if (v->groups.count == 0) return;
  fprintf(out, "<h2>Values</h2>\n<p>Counted in %" PRIu64 " states.</p>\n<table>\n", s->sampled);
  fputs("<tr><th>values<th>variable\n", out);
  for (size_t i = 0; i < v->groups.count; i++) {
    struct text values = {0};
    report_group_values(&values, &v->groups.data[i]);
    fputs("<tr><td class=n>", out);
    put_text(out, &values);
    fputs("<td class=v>", out);
    put(out, v->groups.data[i].name);
    fputc('\n', out);
  }
  fputs("</table>\n", out);
}

static void put_survey(FILE *out, const struct report_run *run, const struct result *r) {
  struct report_survey v;
  report_survey_init(&v, run, r);
  put_growth(out, &r->survey);
  put_costs(out, run->model, &r->survey, &v);
  put_values(out, &r->survey, &v);
  report_survey_clear(&v);
}

static void put_source(FILE *out, const struct source *s, size_t number) {
  fputs("<h2>", out);
  put(out, s->path);
  fputs("</h2>\n<pre class=source>", out);
  const char *line = s->text, *end = s->text + s->bytes;
  for (size_t n = 1; line < end; n++) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t length = (size_t)((stop != NULL ? stop : end) - line);
    fprintf(out, "<span id=s%zu-%zu>", number, n);
    escape(out, line, length);
    fputs("</span>", out);
    line += length + 1;
  }
  fputs("</pre>\n", out);
}

bool report_html_result(FILE *out, const struct report_run *run, const struct result *r,
                        const struct replay *replays) {
  const struct ir_model *m = run->model;
  const char *verdict = verdict_name(r->verdict);
  fputs("<!doctype html><html lang=en><meta charset=utf-8><title>", out);
  put(out, format_basename(run->path));
  fprintf(out, ": %s</title><style>%s</style>\n<h1>", verdict, style);
  put(out, run->path);
  fprintf(out, ": <span class=%s>%s", verdict, verdict);
  if (r->reason != NULL) {
    fputs(" (", out);
    put(out, r->reason);
    fputc(')', out);
  }
  fprintf(out, "</span></h1>\n<p>Fathom %s, %s engine, %s search%s%s%s%s", run->version, r->engine,
          r->search, r->store != NULL ? ", store " : "", r->store != NULL ? r->store : "",
          run->symmetry ? ", symmetry on" : "", run->por ? ", partial order reduction on" : "");
  if (run->symmetry_aside != NULL) {
    fprintf(out, ", symmetry %s: ", report_symmetry(run));
    put(out, run->symmetry_aside);
  }
  for (size_t i = 0; i < run->define_count; i++) {
    fputs(", -D ", out);
    put(out, run->defines[i]);
  }
  fputs(".</p>\n", out);
  put_coverage(out, run, r);
  for (size_t i = 0; i < r->traces.count; i++)
    put_violation(out, m, &r->traces.data[i], &replays[i]);
  put_properties(out, m, r);
  put_stats(out, run, r);
  if (run->stats) put_survey(out, run, r);
  for (size_t i = 0; i < m->sources.count; i++) put_source(out, m->sources.data[i], i);
  fputs("</html>\n", out);
  return !ferror(out);
}
