// SPDX-License-Identifier: Apache-2.0
// What several commands do: messages, the choice of properties, replaying.
#include "cli/cli.h"

#include "front/promela/promela.h"
#include "ir/ir.h"

#include <stdarg.h>
#include <string.h>

enum cli_exit cli_exit_for(enum verdict v) {
  switch (v) {
  case VERDICT_HOLDS: return CLI_HOLDS;
  case VERDICT_VIOLATED: return CLI_VIOLATED;
  case VERDICT_UNKNOWN: return CLI_UNKNOWN;
  }
  return CLI_BUG;
}

enum cli_exit cli_unwritten(enum cli_exit code, const char *what, const char *why) {
  cli_refuse("%s could not be written: %s", what, why);
  return code == CLI_HOLDS ? CLI_USAGE : code;
}

enum cli_exit cli_refuse(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("fathom: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return CLI_USAGE;
}

enum cli_exit cli_bug(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("fathom: internal error: ", stderr);
  vfprintf(stderr, format, args);
  fputs("\nThis is a bug in Fathom: please report it, with the model, the command line and "
        "the output of `fathom --version`.\n",
        stderr);
  va_end(args);
  return CLI_BUG;
}

static enum report_trace trace_mode(const char *name) {
  if (strcmp(name, "full") == 0) return REPORT_TRACE_FULL;
  if (strcmp(name, "msc") == 0) return REPORT_TRACE_MSC;
  return strcmp(name, "off") == 0 ? REPORT_TRACE_OFF : REPORT_TRACE_DIFF;
}

struct report_text cli_text(const struct options *o) {
  return (struct report_text){
      .out = stdout,
      .colour = report_colour(stdout),
      .quiet = o->quiet,
      .trace = trace_mode(o->trace),
      .columns = report_columns(stdout),
  };
}

bool cli_text_possible(const struct options *o, const struct cli_model *m) {
  if (trace_mode(o->trace) != REPORT_TRACE_MSC || report_has_lines(m->model)) return true;
  cli_refuse("--trace msc draws the statements and messages of processes, and this model (%s) has "
             "none: take --trace diff or full",
             m->language);
  return false;
}

int cli_deadlock(const struct options *o, const struct ir_model *m) {
  if (o->deadlock == NULL) return m->deadlock;
  if (strcmp(o->deadlock, "off") == 0) return IR_DEADLOCK_OFF;
  return strcmp(o->deadlock, "stuck") == 0 ? IR_DEADLOCK_STUCK : IR_DEADLOCK_STUTTERING;
}

// ---------------------------------------------------------------------------------------------
// --property

void cli_refuse_property(const char *name, const struct ir_model *m) {
  const char **names = mem_zalloc(m->properties.count + 1, sizeof *names);
  struct text list = {0};
  for (size_t i = 0; i < m->properties.count; i++) {
    names[i] = m->properties.data[i]->name;
    text_printf(&list, "%s\"%s\"", i > 0 ? ", " : "", names[i]);
  }
  const char *near = name_nearest(name, names, m->properties.count);
  if (near != NULL)
    cli_refuse("--property: the model has no property \"%s\"; did you mean \"%s\"?", name, near);
  else
    cli_refuse("--property: the model has no property \"%s\"; it has: %s%s\"deadlock\"", name,
               text_str(&list), m->properties.count > 0 ? ", " : "");
  text_clear(&list);
  mem_free(names);
}

bool cli_is_always_on(const char *name) {
  return strcmp(name, "assertions and errors") == 0 || strcmp(name, "deadlock") == 0;
}

// Says who does check it.
static void refuse_kind(const struct ir_property *p, const struct capability *c) {
  bool bmc = strcmp(c->engine, "bmc") == 0, bdd = strcmp(c->engine, "bdd") == 0;
  bool hybrid = !bmc && !bdd && strcmp(c->engine, "explicit") != 0;
  const char *who = bmc                 ? "--engine bmc"
                    : hybrid            ? "--engine hybrid, st or smt"
                    : c->search != NULL ? c->search
                                        : "a walk";
  const char *what = ir_property_word(p->kind), *other = "";
  if (p->kind == IR_PROP_CTL && (bmc || bdd)) what = "ctl, and not AG of a condition";
  if (p->kind == IR_PROP_CTL || bmc || hybrid) other = "; --engine bdd does";
  if (bdd) other = "; --search bfs does";
  cli_refuse("--property: \"%s\" is of a kind (%s) that %s does not check%s", p->name, what, who,
             other);
}

static bool select_property(const char *name, const struct ir_model *m, const struct capability *c,
                            uint8_t *on) {
  bool found = cli_is_always_on(name);
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    if (strcmp(p->name, name) != 0) continue;
    if (!capability_checks(c, p)) {
      refuse_kind(p, c);
      return false;
    }
    on[i] = 1;
    found = true;
  }
  if (!found) cli_refuse_property(name, m);
  return found;
}

// Unless some are named all are on that can be checked; but who wants to know of non-progress says
// so. What comes on the command line is always meant.
static bool is_on(const struct options *o, const struct ir_property *p,
                  const struct capability *c) {
  if (p->kind == IR_PROP_ASSUME) return true;
  if (p->kind == IR_PROP_PROGRESS) return o->non_progress;
  bool given = p->kind == IR_PROP_LTL && p->span.source != NULL &&
               strcmp(p->span.source->path, "--ltl") == 0;
  bool only_cycles = capability_cycles_only(c->search);
  return given || (o->property.count == 0 && (!only_cycles || capability_checks(c, p)));
}

uint8_t *cli_properties_on(const struct options *o, const struct ir_model *m,
                           const struct capability *c) {
  uint8_t *on = mem_zalloc(m->properties.count + 1, 1);
  for (size_t i = 0; i < m->properties.count; i++) on[i] = is_on(o, m->properties.data[i], c);
  for (size_t i = 0; i < o->property.count; i++)
    if (!select_property(o->property.data[i], m, c, on)) {
      mem_free(on);
      return NULL;
    }
  return on;
}

// ---------------------------------------------------------------------------------------------
// Replaying

#define PROCESSES_MAX 256 // of a Promela model

// Where each process is stuck, in place of a count of rules.
static void explain_stuck(const struct ir_model *m, struct replay *r) {
  struct promela_where *all = mem_zalloc(PROCESSES_MAX, sizeof *all);
  size_t count = promela_where(m, r->states[r->count - 1].words, all);
  struct text t = {0};
  text_add(&t, "no process can go on, and not every one may end where it is:\n");
  for (size_t i = 0; i < count; i++) {
    const struct promela_where *w = &all[i];
    struct report_where where = {w->process,   w->pid,   w->state,     w->span,
                                 w->valid_end, w->waits, w->wait_count};
    report_where(&t, &where);
    text_char(&t, '\n');
  }
  mem_free(all);
  mem_free(r->explanation);
  r->explanation = t.data;
}

bool cli_replay_one(const struct cli_model *m, const struct report_run *run,
                    const struct trace *trace, struct replay *r) {
  if (cli_is_liveness(run->model, trace)) return cli_liveness_replay(run, trace, r);
  if (!trace_replay(trace, run->model, run->deadlock, r)) return false;
  bool is_promela = strcmp(run->language, "promela") == 0;
  if (trace->end == TRACE_DEADLOCK && is_promela) explain_stuck(run->model, r);
  return cli_formula_violated(m, trace, r);
}

struct replay *cli_replay_all(const struct cli_model *m, const struct report_run *run,
                              const struct result *r) {
  struct replay *replays = mem_zalloc(r->traces.count + 1, sizeof *replays);
  for (size_t i = 0; i < r->traces.count; i++) {
    if (cli_replay_one(m, run, &r->traces.data[i], &replays[i])) continue;
    cli_bug("the trace that was found does not replay: %s", replays[i].problem);
    cli_replays_free(replays, i + 1);
    return NULL;
  }
  return replays;
}

void cli_replays_free(struct replay *replays, size_t count) {
  for (size_t i = 0; i < count; i++) replay_clear(&replays[i]);
  mem_free(replays);
}
