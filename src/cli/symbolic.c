// SPDX-License-Identifier: Apache-2.0
// What --engine bdd adds to a check: the order of the variables from and to files, and running the
// engine, which does in one go what the explicit one does in several searches.
#include "cli/check.h"

#include "ir/ir.h"
#include "symbolic/symbolic.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// --order

// One name a line; blanks around it and what follows -- do not count.
static void read_names(struct check *c) {
  const char *at = c->order_file->text;
  while (*at != '\0') {
    size_t line = strcspn(at, "\n"), length = line;
    for (size_t i = 0; i + 1 < length; i++)
      if (at[i] == '-' && at[i + 1] == '-') length = i;
    const char *from = at + strspn(at, " \t\r");
    while (length > 0 && strchr(" \t\r", at[length - 1]) != NULL) length--;
    if (from < at + length)
      VEC_PUSH(&c->order, arena_strndup(c->model.model->arena, from, (size_t)(at + length - from)));
    at += line + (at[line] == '\n');
  }
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct names {
  VEC(const char *) all; // of variables and leaves, sorted
};

static void names_init(struct names *n, const struct ir_model *m) {
  struct text name = {0};
  *n = (struct names){0};
  for (size_t i = 0; i < m->vars.count; i++) VEC_PUSH(&n->all, m->vars.data[i]->name);
  for (uint64_t i = 0; i < m->layout->count; i++) {
    ir_leaf_name(&name, m, i);
    VEC_PUSH(&n->all, arena_strdup(m->arena, text_str(&name)));
    text_clear(&name);
  }
  qsort(n->all.data, n->all.count, sizeof *n->all.data, by_name);
}

static bool names_have(const struct names *n, const char *name) {
  return bsearch(&name, n->all.data, n->all.count, sizeof *n->all.data, by_name) != NULL;
}

// A name of the model, or one with the number of a bit behind it.
static bool is_known(const struct names *n, const char *name) {
  if (names_have(n, name)) return true;
  const char *dot = strrchr(name, '.');
  if (dot == NULL || dot[1] == '\0' || dot[1 + strspn(dot + 1, "0123456789")] != '\0') return false;
  char *whole = mem_strdup(name);
  whole[dot - name] = '\0';
  bool known = names_have(n, whole);
  mem_free(whole);
  return known;
}

static size_t count_unknown(const struct check *c) {
  struct names n;
  size_t unknown = 0;
  names_init(&n, c->model.model);
  for (size_t i = 0; i < c->order.count; i++) unknown += !is_known(&n, c->order.data[i]);
  VEC_CLEAR(&n.all);
  return unknown;
}

bool check_pick_order(struct check *c) {
  const struct options *o = c->options;
  const char *why;
  c->bdd = (struct report_bdd){
      .reorder = o->reorder != NULL ? o->reorder : capability_value(CAPABILITY_REORDER, 0),
      .reorder_every = o->reorder_every,
      .order = o->order,
      .order_out = o->write_order,
      .cone = o->cone == NULL || strcmp(o->cone, "on") == 0,
  };
  c->run.bdd = &c->bdd;
  if (strcmp(c->capability->search, "bfs") != 0) {
    if (!check_guided_init(&c->guided, o, c->model.model)) return false;
    c->bdd.guided = &c->guided.report;
  }
  if (o->order == NULL) return true;
  c->order_file = source_read(o->order, &why);
  if (c->order_file == NULL) {
    cli_refuse("--order %s: %s", o->order, why);
    return false;
  }
  read_names(c);
  c->bdd.names = c->order.count;
  c->bdd.names_unknown = count_unknown(c);
  return true;
}

void check_symbolic_clear(struct check *c) {
  if (c->order_file != NULL) source_free(c->order_file);
  c->order_file = NULL;
  VEC_CLEAR(&c->order);
  text_clear(&c->order_out);
  check_guided_clear(&c->guided);
}

void check_explain_unchecked(struct check *c, const char *who) {
  static const char reason[] = "not checked";
  for (size_t i = 0; i < c->model.model->properties.count; i++) {
    struct property_result *q = &c->result.properties.data[i];
    bool open = q->verdict == VERDICT_UNKNOWN && q->reason != NULL;
    if (!open || strncmp(q->reason, reason, sizeof reason - 1) != 0) continue;
    if (capability_checks(c->capability, c->model.model->properties.data[i])) continue;
    q->reason = reason;
    q->detail = who;
  }
}

void check_write_order(struct check *c) {
  if (c->order_out.count > 0)
    fputs(text_str(&c->order_out), c->files.order.out);
  else
    report_file_discard(&c->files.order);
}

// ---------------------------------------------------------------------------------------------
// Running

#ifdef FATHOM_BDD

static enum symbolic_reorder reorder_of(const char *name) {
  if (strcmp(name, "on") == 0) return SYMBOLIC_REORDER_ON;
  return strcmp(name, "off") == 0 ? SYMBOLIC_REORDER_OFF : SYMBOLIC_REORDER_AUTO;
}

static enum symbolic_search search_of(const char *name) {
  if (strcmp(name, "ida") == 0) return SYMBOLIC_IDA;
  if (strcmp(name, "astar") == 0) return SYMBOLIC_ASTAR;
  return strcmp(name, "wastar") == 0 ? SYMBOLIC_WASTAR : SYMBOLIC_BFS;
}

static struct symbolic_config config_of(struct check *c, struct report_progress *progress) {
  const struct options *o = c->options;
  return (struct symbolic_config){
      .model = c->model.model,
      .budget = {.seconds = o->time,
                 .mem_bytes = c->run.mem_bytes,
                 .depth_max = o->depth,
                 .states_max = o->states},
      .started = c->started,
      .deadlock = c->states ? c->run.deadlock : IR_DEADLOCK_OFF, // of infinite runs only
      .max_errors = check_max_errors(c),
      .settle = check_settles(c),
      .property_on = c->property_on,
      .order = c->order_file != NULL ? c->order.data : NULL,
      .order_count = c->order.count,
      .reorder = reorder_of(c->bdd.reorder),
      .reorder_every = (unsigned)o->reorder_every,
      .cone = c->bdd.cone,
      .search = search_of(c->capability->search),
      .progress = report_progress_symbolic,
      .progress_context = progress,
      .order_out = o->write_order != NULL ? &c->order_out : NULL,
  };
}

void check_symbolic(struct check *c, struct report_progress *progress) {
  struct symbolic_config config = config_of(c, progress);
  if (c->bdd.guided != NULL) check_guided_fill(&c->guided, &config);
  symbolic_run(&config, &c->result);
  c->result.search = c->capability->search;
  c->result.store = NULL; // there is none to choose from
  if (c->bdd.guided != NULL) check_explain_unchecked(c, "--search bfs checks it");
}

#else

void check_symbolic(struct check *c, struct report_progress *progress) {
  (void)c, (void)progress;
  assert(!"an engine that is not in this build");
}

#endif
