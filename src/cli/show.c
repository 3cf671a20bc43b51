// SPDX-License-Identifier: Apache-2.0
// fathom show: the model as Fathom sees it: a summary, the IR, the generated C, the leaves, terms.
#include "cli/cli.h"

#include "front/promela/promela.h"
#include "ir/ir.h"
#include "ltl/ltl.h"
#include "sys/sys.h"

#include <string.h>

static void show_leaves(const struct ir_model *m) {
  printf("%8s %5s %6s %6s  %-9s  %-20s %s\n", "leaf", "bits", "word", "shift", "undefined", "type",
         "name");
  for (uint64_t i = 0; i < m->layout->count; i++) {
    const struct ir_leaf *l = &m->layout->leaf[i];
    struct text name = {0}, type = {0};
    ir_leaf_name(&name, m, i);
    if (l->type->name != NULL) {
      text_add(&type, l->type->name);
    } else {
      ir_type_print_value(&type, l->type, l->type->lo);
      text_add(&type, "..");
      ir_type_print_value(&type, l->type, l->type->hi);
    }
    printf("%8llu %5u %6u %6u  %-9s  %-20s %s\n", (unsigned long long)i, l->width, l->word,
           l->shift, l->undef ? "possible" : "never", text_str(&type), text_str(&name));
    text_clear(&name);
    text_clear(&type);
  }
}

static void show_rules(const char *title, struct ir_rule *const *rules, size_t count) {
  printf("\n%s\n", title);
  for (size_t i = 0; i < count; i++) {
    const struct ir_rule *r = rules[i];
    struct text params = {0};
    for (uint32_t p = 0; p < r->param_count + r->choice_count; p++)
      text_printf(&params, "%s%s", p > 0 ? ", " : "", r->frame.locals[p]->name);
    printf("  %-40s %8u instance%s", r->name, r->instances, r->instances == 1 ? " " : "s");
    if (r->choices > 1) printf(" of %u choices", r->choices);
    if (r->choices == 0) printf(" of more than 2^32 choices");
    if (params.count > 0) printf("  (%s)", text_str(&params));
    if (r->span.source != NULL) printf("  line %u", r->span.line);
    putchar('\n');
    text_clear(&params);
  }
}

static void show_properties(const struct ir_model *m) {
  if (m->properties.count > 0) printf("\nproperties\n");
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    printf("  %-10s %s", ir_property_word(p->kind), p->name);
    if (p->span.source != NULL) printf("  line %u", p->span.line);
    putchar('\n');
  }
}

static void show_summary(const struct ir_model *m, const char *path) {
  printf("%s: %s\n", path, m->language);
  printf("  state of %llu bits in %u bytes, %llu leaves; %u rule instances, %u start instances\n",
         (unsigned long long)m->layout->bits, m->layout->bytes, (unsigned long long)m->leaves,
         m->rule_instances, m->start_instances);
  printf("\nvariables\n");
  for (size_t i = 0; i < m->vars.count; i++) {
    const struct ir_var *v = m->vars.data[i];
    uint64_t bits = 0;
    for (uint64_t k = 0; k < v->type->leaves; k++) bits += m->layout->leaf[v->first_leaf + k].width;
    printf("  %-40s %8llu leaves %8llu bits\n", v->name, (unsigned long long)v->type->leaves,
           (unsigned long long)bits);
  }
  show_rules("starts", m->starts.data, m->starts.count);
  show_rules("rules", m->rules.data, m->rules.count);
  show_properties(m);
}

// The automata of the bad runs. In a graph a name that is no word stands in quotes.
static void show_automata(struct text *out, const struct ir_model *m, bool dot) {
  const char **names = mem_zalloc(m->atoms.count + 1, sizeof *names);
  const char *comment = dot ? "//" : "/*";
  for (size_t i = 0; i < m->atoms.count; i++) names[i] = m->atoms.data[i]->name;
  for (size_t i = 0; i < m->properties.count; i++) {
    const struct ir_property *p = m->properties.data[i];
    if (!ir_prop_cyclic(p->kind)) continue;
    if (out->count > 0) text_char(out, '\n');
    text_printf(out, "%s %s \"%s\"", comment, ir_property_word(p->kind), p->name);
    if (p->unchecked != NULL) text_printf(out, ": %s", p->unchecked);
    if (p->automaton != NULL && p->automaton->accept_atom >= 0)
      text_printf(out, ", accepting only where: %s", names[p->automaton->accept_atom]);
    text_add(out, dot ? "\n" : " */\n");
    if (p->automaton != NULL && dot) ltl_print_dot(out, p->automaton, names);
    if (p->automaton != NULL && !dot) ltl_print_never(out, p->automaton, names);
  }
  mem_free(names);
}

// False: the user was told why not.
static bool show_terms(struct text *out, const struct options *o, const struct ir_model *m) {
  struct text why = {0};
  bool good = o->relation ? cli_relation(out, m, &why)
              : o->efsm   ? cli_efsm(out, m, &why)
                          : cli_dependencies(out, m, &o->property, o->dot, &why);
  if (!good)
    cli_refuse("--%s: the model cannot be said in terms: %s",
               o->relation ? "relation"
               : o->efsm   ? "efsm"
                           : "dependencies",
               text_str(&why));
  text_clear(&why);
  return good;
}

static enum cli_exit show(const struct options *o, const struct ir_model *m) {
  struct text t = {0};
  bool good = true;
  if (o->buchi)
    show_automata(&t, m, o->dot);
  else if (o->relation || o->efsm || o->dependencies)
    good = show_terms(&t, o, m);
  else if (o->ir)
    ir_print_model(&t, m);
  else if (o->c)
    sys_print_c(&t, m);
  else if (o->graphs)
    promela_print_graphs(&t, m);
  else if (o->leaves)
    show_leaves(m);
  else
    show_summary(m, o->operands.data[0]);
  fwrite(text_str(&t), 1, t.count, stdout);
  text_clear(&t);
  return good ? CLI_HOLDS : CLI_USAGE;
}

static bool has_automata(const struct ir_model *m) {
  for (size_t i = 0; i < m->properties.count; i++)
    if (ir_prop_cyclic(m->properties.data[i]->kind)) return true;
  return false;
}

static int count_things(const struct options *o) {
  return o->ir + o->c + o->leaves + o->graphs + o->buchi + o->relation + o->efsm + o->blocks +
         o->dependencies;
}

// Options that do not go together.
static bool admits(const struct options *o) {
  if (count_things(o) > 1)
    cli_refuse("show one thing at a time: --ir, --c, --leaves, --graphs, --buchi, --relation, "
               "--efsm, --blocks or --dependencies");
  else if (o->dot && !o->buchi && !o->dependencies)
    cli_refuse("--dot draws automata and dependencies: add --buchi or --dependencies, or leave it "
               "out");
  else if (o->property.count > 0 && !o->dependencies)
    cli_refuse("--property says of what --dependencies are shown: add that, or leave it out");
  else
    return true;
  return false;
}

// Is each name that of a property? If not, the user was told.
static bool knows_properties(const struct options *o, const struct ir_model *m) {
  for (size_t i = 0; i < o->property.count; i++) {
    const char *name = o->property.data[i];
    bool known = strcmp(name, "assertions and errors") == 0;
    for (size_t k = 0; k < m->properties.count && !known; k++)
      known = strcmp(m->properties.data[k]->name, name) == 0;
    if (!known) {
      cli_refuse_property(name, m);
      return false;
    }
  }
  return true;
}

enum cli_exit cli_show(const struct options *o) {
  if (!admits(o)) return CLI_USAGE;
  struct cli_model m;
  struct cli_model_request request = cli_model_request_of(o);
  enum cli_exit code = cli_model_load(&m, &request, NULL);
  if (code == CLI_HOLDS && o->graphs && m.plan == NULL)
    code = cli_refuse("--graphs shows processes, and models in %s have none", m.language);
  if (code == CLI_HOLDS && o->buchi && !has_automata(m.model))
    code = cli_refuse("--buchi: the model has no property of infinite runs; add one with --ltl");
  if (code == CLI_HOLDS && !knows_properties(o, m.model)) code = CLI_USAGE;
  if (code == CLI_HOLDS && o->blocks)
    fputs(text_str(&m.program.blocks), stdout);
  else if (code == CLI_HOLDS)
    code = show(o, m.model);
  cli_model_free(&m);
  return code;
}
