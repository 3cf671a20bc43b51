// SPDX-License-Identifier: Apache-2.0
// fathom help and --help, printed from the tables of commands and options.
#include "cli/cli.h"

#include <string.h>

#define HELP_COLUMN 32
#define HELP_WIDTH  96

// Prints words so that lines stay within HELP_WIDTH, continued at the help column.
static void print_wrapped(FILE *out, const char *s) {
  size_t column = HELP_COLUMN;
  while (*s != '\0') {
    size_t length = strcspn(s, " ");
    if (column + 1 + length > HELP_WIDTH) {
      fprintf(out, "\n%*s", HELP_COLUMN, "");
      column = HELP_COLUMN;
    }
    if (column > HELP_COLUMN) fputc(' ', out), column++;
    fprintf(out, "%.*s", (int)length, s);
    column += length;
    s += length + (s[length] == ' ');
  }
}

static void print_option(FILE *out, const struct option_row *o) {
  struct text left = {0}, right = {0};
  option_usage(&left, o);
  text_add(&right, o->help);
  if (o->kind == OPTION_CHOICE && o->preset != NULL) text_printf(&right, " (%s)", o->preset);
  if (o->kind == OPTION_NUMBER && o->number_preset > 0)
    text_printf(&right, " (%llu)", (unsigned long long)o->number_preset);
  fprintf(out, "  %-*s", HELP_COLUMN - 2, text_str(&left));
  if (left.count > HELP_COLUMN - 3) fprintf(out, "\n%*s", HELP_COLUMN, "");
  print_wrapped(out, text_str(&right));
  fputc('\n', out);
  text_clear(&left);
  text_clear(&right);
}

void cli_help_command(FILE *out, enum command c) {
  const struct command_row *row = &command_rows[c];
  fprintf(out, "usage: fathom %s %s [options]\n\n", row->name, row->operands);
  fprintf(out, "%s\n", row->summary);
  const char *group = NULL;
  for (const struct option_row *o = option_rows; o < option_rows + option_row_count; o++) {
    if (o->kind == OPTION_GROUP) group = o->name;
    if (!option_offered(o, c)) continue;
    if (group != NULL) fprintf(out, "\n%s:\n", group);
    group = NULL;
    print_option(out, o);
  }
}

static void print_available(FILE *out, const char *what, enum capability_set set) {
  struct text t = {0};
  capability_list(&t, set, ", ");
  fprintf(out, "  %-10s %s\n", what, text_str(&t));
  text_clear(&t);
}

// Engines and languages whose library was not there.
static void print_left_out(FILE *out) {
  if (capability_left_out(CAPABILITY_ENGINE, "bdd"))
    fprintf(out, "  %-10s %s\n", "left out", "the engine bdd: built without the BuDDy library");
  if (capability_left_out(CAPABILITY_ENGINE, "bmc"))
    fprintf(out, "  %-10s %s\n", "left out", "the engine bmc: built without the CaDiCaL library");
  if (capability_left_out(CAPABILITY_ENGINE, "hybrid"))
    fprintf(out, "  %-10s %s\n", "left out",
            "the engines hybrid, st and smt: built without BuDDy, isl or Z3");
  if (capability_left_out(CAPABILITY_LANGUAGE, "c"))
    fprintf(out, "  %-10s %s\n", "left out", "the language c: built without LLVM");
}

void cli_help_overview(FILE *out) {
  fputs("Fathom, a model checker.\n\n", out);
  for (enum command c = 0; c < COMMAND_COUNT; c++) {
    const struct command_row *row = &command_rows[c];
    struct text usage = {0};
    text_printf(&usage, "fathom %s %s", row->name, row->operands);
    fprintf(out, "  %-*s%s\n", HELP_COLUMN - 2, text_str(&usage), row->summary);
    text_clear(&usage);
  }
  fputs("\n`fathom COMMAND --help` lists a command's options. In this build:\n\n", out);
  print_available(out, "languages", CAPABILITY_LANGUAGE);
  print_available(out, "engines", CAPABILITY_ENGINE);
  print_available(out, "searches", CAPABILITY_SEARCH);
  print_available(out, "stores", CAPABILITY_STORE);
  print_left_out(out);
  fputs("\nExit codes: 0 holds, 10 violated, 5 unknown, 1 bad usage, 2 bad model, 6 a bug of "
        "Fathom.\n",
        out);
}

enum cli_exit cli_help(const struct options *o) {
  struct text why = {0};
  enum command c = COMMAND_COUNT;
  if (o->man) {
    cli_manual(stdout);
  } else if (o->bash) {
    cli_complete_bash(stdout);
  } else if (o->zsh) {
    cli_complete_zsh(stdout);
  } else if (o->operands.count == 0) {
    cli_help_overview(stdout);
  } else if ((c = command_find(o->operands.data[0], &why)) != COMMAND_COUNT) {
    cli_help_command(stdout, c);
  } else {
    cli_refuse("%s", text_str(&why));
    text_clear(&why);
    return CLI_USAGE;
  }
  return CLI_HOLDS;
}
