// SPDX-License-Identifier: Apache-2.0
// The manual page fathom(1), in roff, from the tables of commands and options.
#include "cli/cli.h"

// Text in roff: backslashes and dashes escaped, no line begins with a control character.
static void print_roff(FILE *out, const char *s) {
  if (*s == '.' || *s == '\'') fputs("\\&", out);
  for (; *s != '\0'; s++) {
    if (*s == '\\')
      fputs("\\e", out);
    else if (*s == '-')
      fputs("\\-", out);
    else
      fputc(*s, out);
  }
}

static void print_option(FILE *out, const struct option_row *o) {
  struct text usage = {0};
  option_usage(&usage, o);
  fputs(".TP\n.B ", out);
  print_roff(out, text_str(&usage));
  fputc('\n', out);
  print_roff(out, o->help);
  fputs(".\n", out);
  if (o->kind == OPTION_CHOICE && o->preset != NULL) fprintf(out, "Default: %s.\n", o->preset);
  if (o->kind == OPTION_NUMBER && o->number_preset > 0)
    fprintf(out, "Default: %llu.\n", (unsigned long long)o->number_preset);
  text_clear(&usage);
}

static void print_command(FILE *out, enum command c) {
  const struct command_row *row = &command_rows[c];
  fprintf(out, ".SH \"FATHOM %s\"\n.B fathom %s\n", row->name, row->name);
  print_roff(out, row->operands);
  fputs(" [options]\n.PP\n", out);
  print_roff(out, row->summary);
  fputs(".\n", out);
  const char *group = NULL;
  for (const struct option_row *o = option_rows; o < option_rows + option_row_count; o++) {
    if (o->kind == OPTION_GROUP) group = o->name;
    if (!option_offered(o, c)) continue;
    if (group != NULL) fprintf(out, ".SS \"%s\"\n", group);
    group = NULL;
    print_option(out, o);
  }
}

void cli_manual(FILE *out) {
  fprintf(out, ".TH FATHOM 1 \"\" \"Fathom %s\" \"User Commands\"\n", FATHOM_VERSION);
  fputs(".SH NAME\nfathom \\- a model checker\n.SH SYNOPSIS\n", out);
  for (enum command c = 0; c < COMMAND_COUNT; c++) {
    fprintf(out, ".B fathom %s\n", command_rows[c].name);
    print_roff(out, command_rows[c].operands);
    fputs(" [options]\n.br\n", out);
  }
  fputs(".SH DESCRIPTION\nFathom reads a model, searches its states for violations of its "
        "properties, and shows the steps that lead to each one it finds.\n",
        out);
  for (enum command c = 0; c < COMMAND_COUNT; c++) print_command(out, c);
  fputs(".SH \"EXIT STATUS\"\n"
        ".TP\n.B 0\nthe properties hold (or the command did what it was asked)\n"
        ".TP\n.B 10\na property is violated\n"
        ".TP\n.B 5\nunknown: a limit was reached before the search was complete\n"
        ".TP\n.B 1\nbad usage\n.TP\n.B 2\nthe model has errors\n"
        ".TP\n.B 6\na bug in Fathom itself\n"
        ".SH ENVIRONMENT\n"
        ".TP\n.B CC\nthe C compiler for native steps\n"
        ".TP\n.B XDG_CACHE_HOME\nwhere compiled models are kept, instead of ~/.cache\n"
        ".TP\n.B NO_COLOR\nwhen set, nothing is coloured\n",
        out);
}
