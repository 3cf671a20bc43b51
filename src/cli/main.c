// SPDX-License-Identifier: Apache-2.0
// fathom: finds the command, parses its options, runs it. The only file that decides an exit code.
#include "cli/cli.h"
#include "report/report.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

static enum cli_exit run(const struct options *o) {
  switch (o->command) {
#define COMMAND(name, ...)                                                                         \
  case COMMAND_##name:                                                                             \
    return cli_##name(o);
#define COMMAND_LATER(name, summary)
#include "cli/commands.def"
#undef COMMAND
#undef COMMAND_LATER
  case COMMAND_COUNT: break;
  }
  return CLI_BUG;
}

// What a full disk or a closed pipe swallowed must not look like success.
static enum cli_exit finish(enum cli_exit code) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  return cli_unwritten(code, "the output", report_write_problem(errno));
}

static enum cli_exit run_guarded(const struct options *o) {
  struct mem_boundary boundary;
  if (mem_boundary_enter(&boundary)) {
    cli_refuse("out of memory before there was a verdict");
    return CLI_UNKNOWN;
  }
  enum cli_exit code = finish(run(o));
  mem_boundary_leave(&boundary);
  return code;
}

static enum cli_exit unknown_command(const char *name, const struct text *why) {
  cli_refuse("%s", text_str(why));
  if (access(name, R_OK) == 0)
    fprintf(stderr, "To check a model: fathom check %s\n", name);
  else
    fputs("`fathom help` lists the commands.\n", stderr);
  return CLI_USAGE;
}

static enum cli_exit run_command(enum command c, int argc, char **argv) {
  struct options o;
  struct text why = {0};
  enum cli_exit code = CLI_USAGE;
  if (!options_parse(&o, c, argc, argv, &why)) {
    cli_refuse("%s", text_str(&why));
    fprintf(stderr, "`fathom %s --help` lists its options.\n", command_rows[c].name);
  } else if (o.want_help) {
    cli_help_command(stdout, c);
    code = finish(CLI_HOLDS);
  } else {
    code = run_guarded(&o);
  }
  options_clear(&o);
  text_clear(&why);
  return code;
}

int main(int argc, char **argv) {
  cli_crash_install();
  mallopt(M_MMAP_THRESHOLD, 1 << 18); // long lists grow in place, and what is freed is free
  interrupt_install();
  if (argc < 2) {
    cli_help_overview(stderr);
    return CLI_USAGE;
  }
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0) {
    printf("fathom %s\n", FATHOM_VERSION);
    return finish(CLI_HOLDS);
  }
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
  struct text why = {0};
  enum command c = command_find(name, &why);
  enum cli_exit code =
      c == COMMAND_COUNT ? unknown_command(name, &why) : run_command(c, argc - 2, argv + 2);
  text_clear(&why);
  return code;
}
