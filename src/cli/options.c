// SPDX-License-Identifier: Apache-2.0
// The tables of commands and options, and the parser that follows them. Every mistake is one
// sentence, with the nearest thing that exists.
#include "cli/options.h"

#include "search/search.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct command_row command_rows[COMMAND_COUNT] = {
#define COMMAND(name, operands, fewest, most, summary) {#name, operands, summary, fewest, most},
#define COMMAND_LATER(name, summary)
#include "cli/commands.def"
#undef COMMAND
#undef COMMAND_LATER
};

static const char *const commands_later[] = {
#define COMMAND(...)
#define COMMAND_LATER(name, summary) #name,
#include "cli/commands.def"
#undef COMMAND
#undef COMMAND_LATER
    NULL,
};

#define CHECK     (1u << COMMAND_check)
#define SIMULATE  (1u << COMMAND_simulate)
#define SHOW      (1u << COMMAND_show)
#define REPLAY    (1u << COMMAND_replay)
#define COMPARE   (1u << COMMAND_compare)
#define HELP      (1u << COMMAND_help)
#define AT(field) offsetof(struct options, field)

const struct option_row option_rows[] = {
#define OPT_GROUP(title) {.kind = OPTION_GROUP, .name = title},
#define OPT_CHOICE(field, n, cmds, values, dflt, h)                                                \
  {.kind = OPTION_CHOICE,                                                                          \
   .name = n,                                                                                      \
   .commands = cmds,                                                                               \
   .offset = AT(field),                                                                            \
   .help = h,                                                                                      \
   .set = values,                                                                                  \
   .preset = dflt},
#define OPT_NUMBER(field, n, cmds, dflt, low, high, h)                                             \
  {.kind = OPTION_NUMBER,                                                                          \
   .name = n,                                                                                      \
   .commands = cmds,                                                                               \
   .offset = AT(field),                                                                            \
   .help = h,                                                                                      \
   .metavar = "N",                                                                                 \
   .number_preset = dflt,                                                                          \
   .lo = low,                                                                                      \
   .hi = high},
#define OPT_SECONDS(field, n, cmds, above, h)                                                      \
  {.kind = OPTION_SECONDS,                                                                         \
   .name = n,                                                                                      \
   .commands = cmds,                                                                               \
   .offset = AT(field),                                                                            \
   .help = h,                                                                                      \
   .metavar = "SECONDS",                                                                           \
   .lo = above},
#define OPT_SIZE(field, n, cmds, h)                                                                \
  {.kind = OPTION_SIZE,                                                                            \
   .name = n,                                                                                      \
   .commands = cmds,                                                                               \
   .offset = AT(field),                                                                            \
   .help = h,                                                                                      \
   .metavar = "SIZE"},
#define OPT_FILE(field, n, cmds, h)                                                                \
  {.kind = OPTION_FILE,                                                                            \
   .name = n,                                                                                      \
   .commands = cmds,                                                                               \
   .offset = AT(field),                                                                            \
   .help = h,                                                                                      \
   .metavar = "FILE"},
#define OPT_TEXT(field, n, cmds, meta, h)                                                          \
  {.kind = OPTION_TEXT,                                                                            \
   .name = n,                                                                                      \
   .commands = cmds,                                                                               \
   .offset = AT(field),                                                                            \
   .help = h,                                                                                      \
   .metavar = meta},
#define OPT_LIST(field, n, cmds, meta, h)                                                          \
  {.kind = OPTION_LIST,                                                                            \
   .name = n,                                                                                      \
   .commands = cmds,                                                                               \
   .offset = AT(field),                                                                            \
   .help = h,                                                                                      \
   .metavar = meta},
#define OPT_FLAG(field, n, cmds, h)                                                                \
  {.kind = OPTION_FLAG, .name = n, .commands = cmds, .offset = AT(field), .help = h},
#define OPT_LATER(n, cmds) {.kind = OPTION_LATER, .name = n, .commands = cmds},
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
};
const size_t option_row_count = sizeof option_rows / sizeof *option_rows;

static bool one_letter(const struct option_row *o) {
  return o->name[1] == '\0' && isupper(o->name[0]);
}

const char *option_dashes(const struct option_row *o) { return one_letter(o) ? "-" : "--"; }

bool option_offered(const struct option_row *o, enum command c) {
  return o->kind != OPTION_GROUP && o->kind != OPTION_LATER && (o->commands >> c & 1) != 0;
}

void option_usage(struct text *out, const struct option_row *o) {
  text_printf(out, "%s%s", option_dashes(o), o->name);
  if (o->kind == OPTION_CHOICE) {
    text_char(out, ' ');
    capability_list(out, o->set, "|");
  } else if (o->metavar != NULL) {
    text_printf(out, " %s", o->metavar);
  }
}

enum command command_find(const char *name, struct text *why) {
  const char *names[COMMAND_COUNT];
  for (enum command c = 0; c < COMMAND_COUNT; c++) {
    names[c] = command_rows[c].name;
    if (strcmp(name, names[c]) == 0) return c;
  }
  for (size_t i = 0; commands_later[i] != NULL; i++)
    if (strcmp(name, commands_later[i]) == 0) {
      text_printf(why, "%s comes with a later version", name);
      return COMMAND_COUNT;
    }
  const char *near = name_nearest(name, names, COMMAND_COUNT);
  text_printf(why, "there is no command \"%s\"", name);
  if (near != NULL) text_printf(why, "; did you mean \"%s\"?", near);
  return COMMAND_COUNT;
}

// ---------------------------------------------------------------------------------------------
// Parsing

struct parser {
  struct options *options;
  enum command command;
  char **args; // what is left
  int count;
  struct text *why;
};

static void list_add(struct option_list *l, const char *s) { VEC_PUSH(l, s); }

static void preset(struct options *o, enum command c) {
  *o = (struct options){.command = c};
  for (const struct option_row *r = option_rows; r < option_rows + option_row_count; r++) {
    void *field = (char *)o + r->offset;
    if (r->kind == OPTION_CHOICE) *(const char **)field = r->preset;
    if (r->kind == OPTION_NUMBER) *(uint64_t *)field = r->number_preset;
  }
}

static bool parse_choice(struct parser *p, const struct option_row *o, const char *value,
                         const char **field) {
  const char *names[64];
  size_t count = 0;
  for (const char *v; count < 64 && (v = capability_value(o->set, count)) != NULL; count++) {
    names[count] = v;
    if (strcmp(v, value) == 0) {
      *field = v;
      return true;
    }
  }
  bool later = capability_later(o->set, value), left_out = capability_left_out(o->set, value);
  const char *near = later || left_out ? NULL : name_nearest(value, names, count);
  text_printf(p->why,
              later      ? "--%s %s is not built yet"
              : left_out ? "--%s %s is not in this build: its library was not there (fathom help)"
                         : "--%s does not know \"%s\"",
              o->name, value);
  if (near != NULL) text_printf(p->why, "; did you mean \"%s\"?", near);
  text_add(p->why, near != NULL ? " Available: " : "; available: ");
  capability_list(p->why, o->set, ", ");
  return false;
}

static bool parse_number(struct parser *p, const struct option_row *o, const char *value,
                         uint64_t *field) {
  char *end;
  errno = 0;
  unsigned long long n = strtoull(value, &end, 10);
  if (isdigit((unsigned char)value[0]) && *end == '\0' && errno == 0 && n >= o->lo && n <= o->hi) {
    *field = n;
    return true;
  }
  text_printf(p->why, "--%s wants a whole number", o->name);
  if (o->hi < INT64_MAX)
    text_printf(p->why, " from %llu to %llu", (unsigned long long)o->lo, (unsigned long long)o->hi);
  else
    text_printf(p->why, ", at least %llu", (unsigned long long)o->lo);
  text_printf(p->why, "; \"%s\" is not one", value);
  return false;
}

static bool parse_seconds(struct parser *p, const struct option_row *o, const char *value,
                          double *field) {
  char *end;
  double s = strtod(value, &end);
  bool above = o->lo > 0;
  if (isdigit((unsigned char)value[0]) && *end == '\0' && isfinite(s) && (s > 0 || !above)) {
    *field = s;
    return true;
  }
  text_printf(p->why, "--%s wants a number of seconds%s; \"%s\" is not one", o->name,
              above ? " above 0" : "", value);
  return false;
}

static bool parse_size(struct parser *p, const struct option_row *o, const char *value,
                       uint64_t *field) {
  static const char units[] = "KMGT";
  char *end;
  double n = strtod(value, &end);
  bool good = isdigit((unsigned char)value[0]) && strpbrk(value, "xXeEpP") == NULL && n > 0;
  const char *unit = *end != '\0' ? strchr(units, toupper((unsigned char)*end)) : NULL;
  if (unit != NULL) {
    for (const char *u = units; u <= unit; u++) n *= 1024;
    end++;
    if (strcmp(end, "B") == 0 || strcmp(end, "iB") == 0) end += strlen(end);
  }
  if (good && *end == '\0' && n < 1e18) {
    *field = (uint64_t)n;
    return true;
  }
  text_printf(p->why, "--%s wants a size such as 500M or 4G; \"%s\" is not one", o->name, value);
  return false;
}

static bool parse_value(struct parser *p, const struct option_row *o, const char *value) {
  void *field = (char *)p->options + o->offset;
  switch (o->kind) {
  case OPTION_CHOICE: return parse_choice(p, o, value, field);
  case OPTION_NUMBER: return parse_number(p, o, value, field);
  case OPTION_SECONDS: return parse_seconds(p, o, value, field);
  case OPTION_SIZE: return parse_size(p, o, value, field);
  case OPTION_FILE:
  case OPTION_TEXT: *(const char **)field = value; return true;
  case OPTION_LIST: list_add(field, value); return true;
  default: assert(!"an option that takes a value"); return false;
  }
}

static bool refuse_unknown(struct parser *p, const char *name, size_t length) {
  const char **names = mem_zalloc(option_row_count, sizeof *names);
  size_t count = 0;
  for (const struct option_row *o = option_rows; o < option_rows + option_row_count; o++)
    if (option_offered(o, p->command)) names[count++] = o->name;
  char *word = mem_strdup(name);
  word[length] = '\0';
  const char *near = name_nearest(word, names, count);
  text_printf(p->why, "%s has no option --%s", command_rows[p->command].name, word);
  if (near != NULL) text_printf(p->why, "; did you mean --%s?", near);
  mem_free(word);
  mem_free(names);
  return false;
}

static const struct option_row *find_option(const char *name, size_t length, enum command c) {
  for (const struct option_row *o = option_rows; o < option_rows + option_row_count; o++)
    if (o->kind != OPTION_GROUP && (o->commands >> c & 1) != 0 && strlen(o->name) == length &&
        memcmp(o->name, name, length) == 0)
      return o;
  return NULL;
}

// The option of args[0], with its value after "=", right behind a letter, or in args[1].
static bool parse_option(struct parser *p) {
  const char *arg = *p->args++, *value = NULL;
  p->count--;
  bool is_long = arg[1] == '-';
  const char *name = arg + 1 + is_long;
  size_t length = is_long ? strcspn(name, "=") : 1;
  if (name[length] != '\0') value = name + length + is_long;
  const struct option_row *o = find_option(name, length, p->command);
  if (o == NULL || one_letter(o) == is_long)
    return refuse_unknown(p, name, is_long ? length : strlen(name));
  if (o->kind == OPTION_LATER) {
    text_printf(p->why, "--%s is not built yet; it comes with a later version", o->name);
    return false;
  }
  list_add(&p->options->given, o->name);
  if (o->kind == OPTION_FLAG) {
    if (value != NULL) text_printf(p->why, "--%s takes no value", o->name);
    *(bool *)((char *)p->options + o->offset) = true;
    return value == NULL;
  }
  if (value == NULL && p->count > 0) value = (p->count--, *p->args++);
  if (value == NULL) {
    text_add(p->why, "a value is missing: ");
    option_usage(p->why, o);
    return false;
  }
  return parse_value(p, o, value);
}

static bool check_operands(struct parser *p) {
  const struct command_row *c = &command_rows[p->command];
  size_t count = p->options->operands.count;
  if (count >= c->operands_min && count <= c->operands_max) return true;
  if (count < c->operands_min)
    text_printf(p->why, "%s wants a file: fathom %s %s", c->name, c->name, c->operands);
  else
    text_printf(p->why, "%s does not know what to do with \"%s\"; usage: fathom %s %s", c->name,
                p->options->operands.data[c->operands_max], c->name, c->operands);
  return false;
}

bool options_parse(struct options *o, enum command c, int argc, char **argv, struct text *why) {
  struct parser p = {o, c, argv, argc, why};
  bool only_operands = false;
  preset(o, c);
  while (p.count > 0) {
    const char *arg = *p.args;
    bool operand = only_operands || arg[0] != '-' || arg[1] == '\0';
    if (!operand && (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)) {
      o->want_help = true;
      return true;
    }
    if (!operand && strcmp(arg, "--") != 0) {
      if (!parse_option(&p)) return false;
      continue;
    }
    if (operand)
      list_add(&o->operands, arg);
    else
      only_operands = true;
    p.args++, p.count--;
  }
  return check_operands(&p);
}

void options_clear(struct options *o) {
  for (const struct option_row *r = option_rows; r < option_rows + option_row_count; r++)
    if (r->kind == OPTION_LIST) VEC_CLEAR((struct option_list *)((char *)o + r->offset));
  VEC_CLEAR(&o->operands);
  VEC_CLEAR(&o->given);
}

bool options_given(const struct options *o, const char *name) {
  for (size_t i = 0; i < o->given.count; i++)
    if (strcmp(o->given.data[i], name) == 0) return true;
  return false;
}

// The value of an option that is no list, as the user might write it; flags have none.
static void print_value(struct text *out, const struct options *o, const struct option_row *r) {
  const void *field = (const char *)o + r->offset;
  switch (r->kind) {
  case OPTION_NUMBER:
  case OPTION_SIZE: text_printf(out, "%llu", (unsigned long long)*(const uint64_t *)field); break;
  case OPTION_SECONDS: text_printf(out, "%.17g", *(const double *)field); break;
  case OPTION_CHOICE:
  case OPTION_FILE:
  case OPTION_TEXT:
    if (*(const char *const *)field != NULL) text_add(out, *(const char *const *)field);
    break;
  default: break;
  }
}

bool options_say(const struct options *o, const char *name, const char *value) {
  for (const struct option_row *r = option_rows; r < option_rows + option_row_count; r++) {
    if (r->kind == OPTION_GROUP || strcmp(r->name, name) != 0) continue;
    struct text said = {0};
    print_value(&said, o, r);
    bool same = strcmp(text_str(&said), value) == 0;
    text_clear(&said);
    return same;
  }
  return false;
}

static void add_word(struct option_list *words, const struct option_row *r, const char *value,
                     struct arena *a) {
  list_add(words, arena_printf(a, "%s%s", option_dashes(r), r->name));
  if (value != NULL) list_add(words, arena_strdup(a, value));
}

void options_words(const struct options *o, const struct option_row *r, struct option_list *words,
                   struct arena *a) {
  if (!options_given(o, r->name)) return;
  if (r->kind == OPTION_LIST) {
    const struct option_list *l = (const void *)((const char *)o + r->offset);
    for (size_t i = 0; i < l->count; i++) add_word(words, r, l->data[i], a);
    return;
  }
  struct text value = {0};
  print_value(&value, o, r);
  add_word(words, r, r->kind == OPTION_FLAG ? NULL : text_str(&value), a);
  text_clear(&value);
}
