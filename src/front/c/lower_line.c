// SPDX-License-Identifier: Apache-2.0
// What users see of a block: the name of its location, and the lines of the source in it.
#include "front/c/lower.h"

#include <string.h>

static bool is_shown(const struct c_instruction *i) {
  return i->span.source && i->span.line > 0 && i->op != C_ENTER && i->op != C_LEAVE;
}

static const struct c_instruction *first_shown(const struct c_block *b) {
  for (size_t i = 0; i < b->code.count; i++)
    if (is_shown(&b->code.data[i])) return &b->code.data[i];
  return NULL;
}

struct span c_block_span(const struct c_block *b) {
  const struct c_instruction *i = first_shown(b);
  return i ? i->span : (struct span){0};
}

// "main:12"
const char *c_rule_name(struct c_lower *w, const struct c_block *b) {
  const struct c_instruction *i = first_shown(b);
  if (!i) return b->name ? b->name : "block";
  return arena_printf(w->arena, "%s:%u", i->function ? i->function : "main", i->span.line);
}

// "12: while.body"
static const char *location_name(struct c_lower *w, const struct c_block *b) {
  const struct c_instruction *i = first_shown(b);
  const char *name = b->name && *b->name ? b->name : "block";
  if (!i) return arena_strdup(w->m->arena, name);
  return arena_printf(w->m->arena, "%u: %s", i->span.line, name);
}

const char **c_location_names(struct c_lower *w) {
  size_t n = w->f->blocks.count;
  struct c_names given = {0};
  const char **names = ARENA_ARRAY(w->m->arena, const char *, n + 1);
  for (size_t b = 0; b < n; b++)
    names[b] = c_name_unique(&given, w->m->arena, location_name(w, &w->f->blocks.data[b]));
  names[n] = "end";
  c_names_clear(&given);
  return names;
}

static bool same_line(const struct ir_line *l, const struct c_instruction *i) {
  return l->span.source == i->span.source && l->span.line == i->span.line;
}

void c_lower_lines(struct c_lower *w, struct ir_rule *r, const struct c_block *b) {
  r->lines = ARENA_ARRAY(w->m->arena, struct ir_line, b->code.count + 1);
  for (size_t i = 0; i < b->code.count; i++) {
    const struct c_instruction *in = &b->code.data[i];
    if (!is_shown(in)) continue;
    if (r->line_count && same_line(&r->lines[r->line_count - 1], in)) continue;
    r->lines[r->line_count++] =
        (struct ir_line){.text = arena_strdup(w->m->arena, c_source_text(w, in->span)),
                         .span = in->span,
                         .process = arena_strdup(w->m->arena, in->function ? in->function : "main"),
                         .agent = -1};
  }
}
