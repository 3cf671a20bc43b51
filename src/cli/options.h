// SPDX-License-Identifier: Apache-2.0
// Command line options, made from options.def; commands, made from commands.def.
#pragma once

#include "base/base.h"
#include "cli/capability.h"

enum command {
#define COMMAND(name, ...) COMMAND_##name,
#define COMMAND_LATER(name, summary)
#include "cli/commands.def"
#undef COMMAND
#undef COMMAND_LATER
  COMMAND_COUNT
};

struct command_row {
  const char *name, *operands, *summary;
  size_t operands_min, operands_max;
};
extern const struct command_row command_rows[COMMAND_COUNT];
// The command of that name, or COMMAND_COUNT and a sentence in why.
enum command command_find(const char *name, struct text *why);

struct option_list {
  const char **data;
  size_t count, capacity;
};

struct options {
  enum command command;
#define OPT_GROUP(title)
#define OPT_CHOICE(field, ...)  const char *field;
#define OPT_NUMBER(field, ...)  uint64_t field;
#define OPT_SECONDS(field, ...) double field;
#define OPT_SIZE(field, ...)    uint64_t field;
#define OPT_FILE(field, ...)    const char *field;
#define OPT_TEXT(field, ...)    const char *field;
#define OPT_LIST(field, ...)    struct option_list field;
#define OPT_FLAG(field, ...)    bool field;
#define OPT_LATER(name, ...)
#include "cli/options.def"
#undef OPT_GROUP
#undef OPT_CHOICE
#undef OPT_NUMBER
#undef OPT_SECONDS
#undef OPT_SIZE
#undef OPT_FILE
#undef OPT_TEXT
#undef OPT_LIST
#undef OPT_FLAG
#undef OPT_LATER
  struct option_list operands;
  struct option_list given; // names of options that the user wrote
  bool want_help;
};

enum option_kind {
  OPTION_GROUP,
  OPTION_CHOICE,
  OPTION_NUMBER,
  OPTION_SECONDS,
  OPTION_SIZE,
  OPTION_FILE,
  OPTION_TEXT,
  OPTION_LIST,
  OPTION_FLAG,
  OPTION_LATER,
};

struct option_row {
  enum option_kind kind;
  const char *name;  // without dashes; the title of a group
  uint32_t commands; // bit set over enum command
  size_t offset;     // of its field in struct options
  const char *help;
  const char *metavar;
  enum capability_set set; // CHOICE
  const char *preset;      // CHOICE
  uint64_t number_preset, lo, hi;
};
extern const struct option_row option_rows[];
extern const size_t option_row_count;

// Is the option offered by that command (built, and no group)?
bool option_offered(const struct option_row *o, enum command c);
const char *option_dashes(const struct option_row *o); // "--", or "-" before a capital letter
// "--depth N", "--search bfs|dfs", "-D NAME=VALUE"
void option_usage(struct text *out, const struct option_row *o);

// Parses what follows the command's name. False and a sentence in why on a mistake.
bool options_parse(struct options *o, enum command c, int argc, char **argv, struct text *why);
void options_clear(struct options *o);
// Did the user write that option, whatever its value?
bool options_given(const struct options *o, const char *name);
// Has the option that value, in the words in which it is given?
bool options_say(const struct options *o, const char *name, const char *value);
// The option as the words that give it, one list element each: nothing where the user did not.
void options_words(const struct options *o, const struct option_row *r, struct option_list *words,
                   struct arena *a);
