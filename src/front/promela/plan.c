// SPDX-License-Identifier: Apache-2.0
// Plans: adding what was seen, and their text form, in which results carry them:
//   "0:2 1:0(3,*) 2:1(0,5)"   process 1 is of proctype 0, its first parameter always 3
#include "front/promela/plan.h"

#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

struct promela_plan *promela_plan_new(void) {
  return mem_zalloc(1, sizeof(struct promela_plan));
}

static void clear(struct promela_plan *p) {
  for (size_t i = 0; i < p->seats.count; i++) {
    mem_free(p->seats.data[i]->params);
    mem_free(p->seats.data[i]);
  }
  VEC_CLEAR(&p->seats);
  p->settled = false;
}

void promela_plan_free(struct promela_plan *p) {
  if (!p) return;
  clear(p);
  mem_free(p);
}

static int compare(const struct plan_seat *s, uint32_t pid, uint32_t proc) {
  if (s->pid != pid) return s->pid < pid ? -1 : 1;
  return s->proc == proc ? 0 : s->proc < proc ? -1 : 1;
}

// Where the seat is, or belongs.
static size_t position(const struct promela_plan *p, uint32_t pid, uint32_t proc) {
  size_t i = 0;
  while (i < p->seats.count && compare(p->seats.data[i], pid, proc) < 0) i++;
  return i;
}

static struct plan_seat *insert(struct promela_plan *p, size_t at, uint32_t pid, uint32_t proc,
                                uint32_t params) {
  struct plan_seat *s = mem_zalloc(1, sizeof(*s));
  *s = (struct plan_seat){.pid = pid, .proc = proc, .param_count = params};
  s->params = mem_zalloc(params + 1, sizeof(*s->params));
  VEC_PUSH(&p->seats, s);
  for (size_t i = p->seats.count - 1; i > at; i--) p->seats.data[i] = p->seats.data[i - 1];
  p->seats.data[at] = s;
  return s;
}

bool plan_add(struct promela_plan *p, uint32_t pid, uint32_t proc, const int64_t *args,
              uint32_t count) {
  size_t at = position(p, pid, proc);
  bool there = at < p->seats.count && compare(p->seats.data[at], pid, proc) == 0;
  struct plan_seat *s = there ? p->seats.data[at] : insert(p, at, pid, proc, count);
  bool changed = !there;
  for (uint32_t i = 0; i < s->param_count && i < count; i++) {
    if (!there) s->params[i].value = args[i];
    if (s->params[i].varies || s->params[i].value == args[i]) continue;
    s->params[i].varies = true;
    changed = true;
  }
  if (changed) p->settled = false;
  return changed;
}

#define LATE_MIN 4

void plan_ahead(struct promela_plan *p, uint32_t pid) {
  if (++p->late < LATE_MIN) return;
  size_t at = position(p, pid, 0);
  assert(at < p->seats.count && p->seats.data[at]->pid == pid);
  const struct plan_seat *like = p->seats.data[at];
  for (uint32_t i = pid + 1; i <= pid + p->late && i < PLAN_PIDS; i++) {
    size_t next = position(p, i, 0);
    if (next < p->seats.count && p->seats.data[next]->pid == i) continue;
    struct plan_seat *s = insert(p, next, i, like->proc, like->param_count);
    for (uint32_t k = 0; k < s->param_count; k++) s->params[k].varies = true;
  }
}

// --- the text form ---

void promela_plan_print(struct text *out, const struct promela_plan *p) {
  for (size_t i = 0; i < p->seats.count; i++) {
    const struct plan_seat *s = p->seats.data[i];
    text_printf(out, "%s%u:%u", i ? " " : "", s->pid, s->proc);
    for (uint32_t k = 0; k < s->param_count; k++) {
      text_char(out, k ? ',' : '(');
      if (s->params[k].varies)
        text_char(out, '*');
      else
        text_printf(out, "%lld", (long long)s->params[k].value);
    }
    if (s->param_count) text_char(out, ')');
  }
}

static bool read_number(const char **at, int64_t lo, int64_t hi, int64_t *value) {
  char *end;
  *value = strtoll(*at, &end, 10);
  bool digits = end != *at && **at != ' ' && **at != '+';
  *at = end;
  return digits && *value >= lo && *value <= hi;
}

#define PARAMS_MAX 256

static bool read_params(const char **at, struct plan_param *params, uint32_t *count) {
  *count = 0;
  if (**at != '(') return true;
  do {
    ++*at;
    if (*count == PARAMS_MAX) return false;
    struct plan_param *q = &params[(*count)++];
    q->varies = **at == '*';
    if (q->varies)
      ++*at;
    else if (!read_number(at, INT32_MIN, INT32_MAX, &q->value))
      return false;
  } while (**at == ',');
  return *(*at)++ == ')';
}

static bool read_seat(struct promela_plan *p, const char **at) {
  struct plan_param params[PARAMS_MAX] = {0};
  int64_t pid, proc;
  uint32_t count;
  if (!read_number(at, 0, PLAN_PIDS - 1, &pid) || *(*at)++ != ':') return false;
  if (!read_number(at, 0, INT16_MAX, &proc) || !read_params(at, params, &count)) return false;
  size_t where = position(p, (uint32_t)pid, (uint32_t)proc);
  if (where != p->seats.count) return false; // in order, each once
  struct plan_seat *s = insert(p, where, (uint32_t)pid, (uint32_t)proc, count);
  memcpy(s->params, params, count * sizeof(*params));
  return true;
}

bool promela_plan_read(struct promela_plan *p, const char *text, struct text *why) {
  clear(p);
  const char *at = text;
  while (*at) {
    bool ok = read_seat(p, &at) && (*at == '\0' || *at == ' ');
    if (ok && *at) ok = *++at != '\0';
    if (ok) continue;
    text_printf(why, "the plan of processes is damaged at character %zu: \"%.40s\"",
                (size_t)(at - text) + 1, text);
    clear(p);
    return false;
  }
  p->settled = true;
  return true;
}
