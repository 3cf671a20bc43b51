// SPDX-License-Identifier: Apache-2.0
// Names of rules and values of their parameters as users write them, and what to offer to one who
// mistook them.
#include "guide/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OFFERED = 3, LISTED = 12, NAME_BYTES_MAX = 200 };

bool guide_args_fit(const struct guide_arg *args, uint32_t count, const int64_t *values) {
  for (uint32_t i = 0; i < count; i++) {
    if (args[i].kind == ARG_VALUE && args[i].value != values[i]) return false;
    for (uint32_t j = 0; args[i].kind == ARG_PARAM && j < i; j++)
      if (args[j].kind == ARG_PARAM && args[j].param == args[i].param && values[j] != values[i])
        return false;
  }
  return true;
}

static bool domain_has(const struct ir_domain *d, int64_t v) {
  if (d->type) return ir_type_has(d->type, v);
  uint64_t n = ir_domain_count(d);
  for (uint64_t k = 0; k < n; k++)
    if (ir_domain_value(d, k) == v) return true;
  return false;
}

static bool integer_read(const struct ir_local *param, const char *text, int64_t *value) {
  char *end;
  errno = 0;
  long long v = strtoll(text, &end, 10);
  if (errno || end == text || *end) return false;
  *value = v;
  return domain_has(param->domain, v);
}

bool guide_value_read(const struct ir_local *param, const char *text, int64_t *value) {
  enum ir_type_kind kind = param->type->kind;
  if (kind == IR_TYPE_RANGE || kind == IR_TYPE_INT) return integer_read(param, text, value);
  uint64_t n = ir_domain_count(param->domain);
  struct text printed = {0};
  bool found = false;
  for (uint64_t k = 0; k < n && !found; k++) {
    text_clear(&printed);
    *value = ir_domain_value(param->domain, k);
    ir_type_print_value(&printed, param->type, *value);
    found = strcmp(text_str(&printed), text) == 0;
  }
  text_clear(&printed);
  return found;
}

bool guide_name_letter(int c) {
  return c == '_' || c == '\'' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

static bool plain_word(const char *name) {
  if (*name >= '0' && *name <= '9') return false;
  const char *p = name;
  while (guide_name_letter((unsigned char)*p)) p++;
  return *p == '\0' && p > name;
}

void guide_name_print(struct text *out, const char *name) {
  if (plain_word(name)) return text_add(out, name);
  text_char(out, '"');
  for (; *name; name++) {
    if (*name == '"' || *name == '\\') text_char(out, '\\');
    text_char(out, *name);
  }
  text_char(out, '"');
}

// The nearest names, best first; each once.
static size_t nearest(const char *name, const char *const *names, size_t count,
                      const char *found[OFFERED]) {
  const char **left = mem_zalloc(count, sizeof *left);
  memcpy(left, names, count * sizeof *left);
  size_t n = 0;
  while (n < OFFERED && (found[n] = name_nearest(name, left, count))) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
      if (strcmp(left[i], found[n]) != 0) left[kept++] = left[i];
    count = kept;
    n++;
  }
  mem_free(left);
  return n;
}

// The first few names, each once.
static void list_names(struct text *out, const char *const *names, size_t count) {
  const char *shown[LISTED];
  size_t n = 0;
  for (size_t i = 0; i < count && n < LISTED; i++) {
    bool known = false;
    for (size_t j = 0; j < n && !known; j++) known = strcmp(shown[j], names[i]) == 0;
    if (known) continue;
    text_add(out, n == 0 ? "; there are " : ", ");
    guide_name_print(out, names[i]);
    shown[n++] = names[i];
  }
  if (n == LISTED && count > n) text_add(out, ", ...");
}

void guide_names_offer(struct text *out, const char *name, const char *const *names, size_t count) {
  const char *near[OFFERED];
  size_t n = strlen(name) > NAME_BYTES_MAX ? 0 : nearest(name, names, count, near);
  if (n == 0) list_names(out, names, count);
  for (size_t i = 0; i < n; i++) {
    text_add(out, i == 0 ? "; did you mean " : i + 1 == n ? " or " : ", ");
    guide_name_print(out, near[i]);
  }
  if (n) text_char(out, '?');
}

void guide_rules_offer(struct text *out, const char *name, const struct ir_model *m) {
  const char **names = mem_zalloc(m->rules.count, sizeof *names);
  for (size_t i = 0; i < m->rules.count; i++) names[i] = m->rules.data[i]->name;
  guide_names_offer(out, name, names, m->rules.count);
  mem_free(names);
}
