// SPDX-License-Identifier: Apache-2.0
// Labels: which scope a label's name belongs to, which label a goto or a remote reference means,
// and which labels an element has. SPIN gives a name the scope in which it is first mentioned.
#include "front/promela/flow.h"

#include <string.h>

static bool encloses(const struct flow_scope *outer, const struct flow_scope *inner) {
  for (; inner; inner = inner->up)
    if (inner == outer) return true;
  return false;
}

const struct flow_name *flow_name(struct flow *f, const char *text) {
  for (struct flow_name *n = f->names; n; n = n->next)
    if (strcmp(n->text, text) == 0 && encloses(n->scope, f->scope)) return n;
  struct flow_name *n = ARENA_NEW(f->arena, struct flow_name);
  *n = (struct flow_name){.text = text, .scope = f->scope, .next = f->names};
  f->names = n;
  return n;
}

const struct flow_label *flow_find(const struct flow *f, const struct flow_name *name) {
  const struct flow_label *found = NULL;
  for (const struct flow_label *l = f->labels; l; l = l->next) {
    if (strcmp(l->name->text, name->text) != 0) continue;
    if (l->name->scope == name->scope) return l;
    if (!found || encloses(l->name->scope, name->scope)) found = l;
  }
  return found;
}

const struct flow_label *flow_find_remote(const struct flow *f, const char *label) {
  const struct flow_label *oldest = NULL;
  for (const struct flow_label *l = f->labels; l; l = l->next)
    if (strcmp(l->name->text, label) == 0) oldest = l;
  return oldest;
}

static bool begins(const char *text, const char *const *words) {
  for (; *words; words++)
    if (strncmp(text, *words, strlen(*words)) == 0) return true;
  return false;
}

const struct flow_label *flow_label_of(const struct flow *f, const struct flow_node *n,
                                       const char *const *words) {
  for (const struct flow_label *l = f->labels; l; l = l->next)
    if (l->node == n && begins(l->name->text, words)) return l;
  return NULL;
}

void flow_set_label(struct flow *f, const struct flow_name *name, struct flow_node *node,
                    struct span span) {
  for (const struct flow_label *l = f->labels; l; l = l->next)
    if (l->name == name) {
      diag_error(f->diag, span, "the label %s is there twice", name->text);
      break;
    }
  struct flow_label *l = ARENA_NEW(f->arena, struct flow_label);
  *l = (struct flow_label){.name = name, .node = node, .span = span, .next = f->labels};
  f->labels = l;
}

// The newest label of one node goes to another.
void flow_move_label(struct flow *f, const struct flow_node *from, struct flow_node *to) {
  for (struct flow_label *l = f->labels; l; l = l->next)
    if (l->node == from) {
      l->node = to;
      return;
    }
}

void flow_pin(struct flow *f, const char *label) {
  const struct flow_label *l = flow_find_remote(f, label);
  if (!l || l->node->kind != FLOW_GOTO) return;
  struct flow_node *skip = l->node;
  struct flow_node *jump = flow_node_new(f, FLOW_GOTO, skip->span);
  jump->where = skip->where;
  jump->stmt = skip->stmt;
  jump->d_step = skip->d_step;
  jump->next = skip->next;
  skip->kind = FLOW_STMT;
  skip->stmt = NULL;
  skip->where = NULL;
  skip->next = jump;
}
