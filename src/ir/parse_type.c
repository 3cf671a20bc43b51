// SPDX-License-Identifier: Apache-2.0
// Parses types and binders of the IR's text form (docs/ir.md).
#include "ir/parse.h"

#include "ir/typing.h"

#include <inttypes.h>
#include <string.h>

enum { UNION_PARTS_MAX = 1000 };
#define INDEX_VALUES_MAX (UINT64_C(1) << 31)

// A type without a name is made once, so that 5:u8 twice has the same type. A declared type is
// always made anew, since it gets a name.
static const struct ir_type *known_type(struct ir_parser *p, const char *key, bool fresh) {
  return fresh ? NULL : ir_names_get(&p->plain_types, key);
}

static const struct ir_type *remember_type(struct ir_parser *p, const char *key,
                                           const struct ir_type *t, bool fresh) {
  if (!fresh) ir_names_add(&p->plain_types, key, t);
  return t;
}

static const struct ir_type *parse_machine(struct ir_parser *p, bool fresh) {
  struct ir_lex_token t = p->token;
  ir_parser_advance(p);
  const char *key = arena_strndup(p->model->arena, t.start, t.bytes);
  const struct ir_type *known = known_type(p, key, fresh);
  if (known) return known;
  bool traps = key[t.bytes - 1] == '!';
  return remember_type(p, key, ir_type_int(p->model, (uint8_t)t.number, key[0] == 'i', traps),
                       fresh);
}

static const struct ir_type *parse_range(struct ir_parser *p, bool fresh) {
  struct span start = p->token.span;
  int64_t lo, hi;
  if (!ir_parser_integer(p, &lo) || !ir_parser_expect(p, LEX_DOTS) || !ir_parser_integer(p, &hi))
    return NULL;
  struct span span = ir_parser_since(p, start);
  if (lo == IR_UNDEF) return ir_parser_fail(p, span, "the range is too wide"), NULL;
  if (lo > hi) return ir_parser_fail(p, span, "the range is empty"), NULL;
  const char *key = arena_printf(p->model->arena, "%" PRId64 "..%" PRId64, lo, hi);
  const struct ir_type *known = known_type(p, key, fresh);
  if (known) return known;
  return remember_type(p, key, ir_type_range(p->model, lo, hi), fresh);
}

// "from N" after an enum or scalarset of n values; 0 without it.
static bool parse_from(struct ir_parser *p, uint64_t n, int64_t *lo) {
  struct span start = p->token.span;
  int64_t hi;
  *lo = 0;
  if (!ir_parser_accept_word(p, "from")) return !p->panic;
  if (!ir_parser_integer(p, lo)) return false;
  if (*lo != IR_UNDEF && !__builtin_add_overflow(*lo, (int64_t)n, &hi)) return true;
  ir_parser_fail(p, ir_parser_since(p, start), "the values do not fit into 64 bits");
  return false;
}

static const struct ir_type *parse_scalarset(struct ir_parser *p) {
  uint64_t n;
  int64_t lo;
  ir_parser_advance(p);
  if (!ir_parser_expect(p, LEX_LPAREN)) return NULL;
  struct span span = p->token.span;
  if (!ir_parser_natural(p, INT32_MAX, &n)) return NULL;
  if (n == 0) return ir_parser_fail(p, span, "a scalarset needs at least one value"), NULL;
  if (!ir_parser_expect(p, LEX_RPAREN) || !parse_from(p, n, &lo)) return NULL;
  return ir_type_scalarset(p->model, lo, n);
}

typedef VEC(const char *) name_list;

static bool parse_members(struct ir_parser *p, name_list *members) {
  struct ir_names seen = {0};
  do {
    struct span span = p->token.span;
    const char *name = ir_parser_text(p, LEX_NAME);
    if (!name) break;
    if (!ir_names_add(&seen, name, name))
      ir_parser_fail(p, span, "\"%s\" is in the enum twice", name);
    VEC_PUSH(members, name);
  } while (ir_parser_accept(p, LEX_COMMA));
  ir_names_clear(&seen);
  return ir_parser_expect(p, LEX_RBRACE);
}

static const struct ir_type *parse_enum(struct ir_parser *p) {
  name_list members = {0};
  int64_t lo;
  const struct ir_type *t = NULL;
  ir_parser_advance(p);
  if (ir_parser_expect(p, LEX_LBRACE) && parse_members(p, &members) &&
      parse_from(p, members.count, &lo)) {
    t = ir_type_enum(p->model, lo, members.data, (uint32_t)members.count);
    for (size_t i = 0; i < members.count; i++) ir_names_add(&p->members, t->members[i], t);
  }
  VEC_CLEAR(&members);
  return t;
}

static const char *part_problem(const struct ir_type *part, const struct ir_type *const *before,
                                size_t count) {
  if (part->kind != IR_TYPE_ENUM && part->kind != IR_TYPE_SCALARSET && part->kind != IR_TYPE_RANGE)
    return "the parts of a union must be enums, scalarsets and ranges";
  if (count >= UNION_PARTS_MAX) return "the union has too many parts";
  for (size_t i = 0; i < count; i++)
    if (part->lo <= before[i]->hi && before[i]->lo <= part->hi)
      return "the parts of a union must have different values (see 'from')";
  return NULL;
}

static const struct ir_type *parse_union(struct ir_parser *p) {
  VEC(const struct ir_type *) parts = {0};
  const struct ir_type *t = NULL;
  ir_parser_advance(p);
  ir_parser_expect(p, LEX_LBRACE);
  do {
    struct span span = p->token.span;
    const struct ir_type *part = ir_parse_type(p);
    if (!part) break;
    const char *problem = part_problem(part, parts.data, parts.count);
    if (problem) ir_parser_fail(p, span, "%s", problem);
    VEC_PUSH(&parts, part);
  } while (ir_parser_accept(p, LEX_COMMA));
  if (ir_parser_expect(p, LEX_RBRACE))
    t = ir_type_union(p->model, parts.data, (uint32_t)parts.count);
  VEC_CLEAR(&parts);
  return t;
}

static const struct ir_type *parse_array(struct ir_parser *p) {
  ir_parser_advance(p);
  if (!ir_parser_expect(p, LEX_LBRACKET)) return NULL;
  struct span span = p->token.span;
  const struct ir_type *index = ir_parse_type(p);
  if (!index) return NULL;
  if (!ir_type_scalar(index) || ir_type_count(index) > INDEX_VALUES_MAX) {
    ir_parser_fail(p, ir_parser_since(p, span), "an index type must be scalar, with few values");
    return NULL;
  }
  if (!ir_parser_expect(p, LEX_RBRACKET) || !ir_parser_expect(p, LEX_OF)) return NULL;
  const struct ir_type *elem = ir_parse_type(p);
  return elem ? ir_type_array(p->model, index, elem) : NULL;
}

static const struct ir_type *parse_record(struct ir_parser *p) {
  VEC(struct ir_field) fields = {0};
  struct ir_names seen = {0};
  const struct ir_type *t = NULL;
  ir_parser_advance(p);
  ir_parser_expect(p, LEX_LBRACE);
  while (p->token.kind == LEX_NAME) {
    struct span span = p->token.span;
    struct ir_field f = {.name = ir_parser_text(p, LEX_NAME)};
    if (!f.name) break;
    if (!ir_names_add(&seen, f.name, f.name))
      ir_parser_fail(p, span, "the record has two fields \"%s\"", f.name);
    if (!ir_parser_expect(p, LEX_COLON) || !(f.type = ir_parse_type(p)) ||
        !ir_parser_expect(p, LEX_SEMICOLON))
      break;
    VEC_PUSH(&fields, f);
  }
  if (ir_parser_expect(p, LEX_RBRACE))
    t = ir_type_record(p->model, fields.data, (uint32_t)fields.count);
  VEC_CLEAR(&fields);
  ir_names_clear(&seen);
  return t;
}

// The name of a type: an identifier, or #3 for the third without a name.
static const char *parse_type_name(struct ir_parser *p) {
  uint64_t n;
  if (!ir_parser_accept(p, LEX_HASH)) return ir_parser_text(p, LEX_NAME);
  if (!ir_parser_natural(p, UINT32_MAX, &n)) return NULL;
  return arena_printf(p->model->arena, "#%" PRIu64, n);
}

static const struct ir_type *parse_named(struct ir_parser *p) {
  struct span span = p->token.span;
  const char *name = parse_type_name(p);
  if (!name) return NULL;
  const struct ir_type *t = ir_names_get(&p->types, name);
  if (!t) ir_parser_fail(p, span, "there is no type \"%s\" above", name);
  return t;
}

static const struct ir_type *parse_type(struct ir_parser *p, bool fresh) {
  enum ir_lex_kind k = p->token.kind;
  bool declares =
      k == LEX_SCALARSET || k == LEX_ENUM || k == LEX_UNION || k == LEX_ARRAY || k == LEX_RECORD;
  if (p->given && declares)
    return ir_parser_fail(p, p->token.span, "types are declared in the model: name one"), NULL;
  switch (k) {
  case LEX_BOOL: return ir_parser_advance(p), p->model->bool_type;
  case LEX_INT: return ir_parser_advance(p), p->model->int_type;
  case LEX_MACHINE: return parse_machine(p, fresh);
  case LEX_NUMBER:
  case LEX_MINUS: return parse_range(p, fresh);
  case LEX_SCALARSET: return parse_scalarset(p);
  case LEX_ENUM: return parse_enum(p);
  case LEX_UNION: return parse_union(p);
  case LEX_ARRAY: return parse_array(p);
  case LEX_RECORD: return parse_record(p);
  case LEX_NAME:
  case LEX_HASH: return parse_named(p);
  default: ir_parser_expected(p, "a type"); return NULL;
  }
}

static const struct ir_type *parse_deeper(struct ir_parser *p, bool fresh) {
  if (!ir_parser_enter(p)) return NULL;
  const struct ir_type *t = parse_type(p, fresh);
  p->depth--;
  return p->panic ? NULL : t;
}

const struct ir_type *ir_parse_type(struct ir_parser *p) { return parse_deeper(p, false); }

void ir_parse_type_item(struct ir_parser *p) {
  struct span start = p->token.span;
  const char *name = parse_type_name(p);
  if (!name || !ir_parser_expect(p, LEX_COLON)) return;
  size_t before = p->model->types.count;
  const struct ir_type *t = parse_deeper(p, true);
  if (!t || !ir_parser_expect(p, LEX_SEMICOLON)) return;
  if (!ir_names_add(&p->types, name, t))
    return ir_parser_fail(p, start, "there is already a type \"%s\"", name);
  if (t->id < before) return; // another name for a type that has one
  struct ir_type *made = p->model->types.data[t->id];
  made->span = start;
  if (*name != '#') made->name = name;
}

// --- locals ---

static bool in_scope(const struct ir_parser *p, const struct ir_local *l) {
  for (size_t i = p->scope.count; i-- > 0;)
    if (p->scope.data[i] == l) return true;
  return false;
}

// Binders one after the other share a local when they have the same name and type, as they may in
// the model that was printed.
static struct ir_local *bound_local(struct ir_parser *p, const char *name,
                                    const struct ir_type *type, struct span span) {
  for (uint32_t i = 0; i < p->frame->count; i++) {
    struct ir_local *l = p->frame->locals[i];
    if (l->kind == IR_LOCAL_BOUND && !l->domain && strcmp(l->name, name) == 0 &&
        ir_type_same(l->type, type) && !in_scope(p, l))
      return l;
  }
  return ir_local_new(p->model, p->frame, IR_LOCAL_BOUND, name, type, span);
}

static struct ir_domain *parse_domain(struct ir_parser *p, const struct ir_type *type) {
  if (!ir_parser_accept(p, LEX_IN)) return ir_domain_type(p->model, type);
  if (ir_parser_accept_word(p, "type")) {
    const struct ir_type *t = ir_parse_type(p);
    return t ? ir_domain_type(p->model, t) : NULL;
  }
  struct ir_expr *lo = ir_parse_value(p), *step = NULL;
  if (!lo || !ir_parser_expect(p, LEX_TO)) return NULL;
  struct ir_expr *hi = ir_parse_value(p);
  if (!hi) return NULL;
  if (ir_parser_accept(p, LEX_BY) && !(step = ir_parse_value(p))) return NULL;
  return ir_domain_range(p->model, lo, hi, step);
}

struct ir_local *ir_parse_binder(struct ir_parser *p, bool parameter, struct ir_domain **domain) {
  struct span start = p->token.span;
  if (!p->frame) return ir_parser_fail(p, start, "nothing can be bound here"), NULL;
  const char *name = ir_parser_text(p, LEX_NAME);
  if (!name || !ir_parser_expect(p, LEX_COLON)) return NULL;
  const struct ir_type *type = ir_parse_type(p);
  if (!type || !(*domain = parse_domain(p, type))) return NULL;
  struct span span = ir_parser_since(p, start);
  const char *problem = ir_typing_domain(type, *domain, parameter);
  if (problem) return ir_parser_fail(p, span, "%s", problem), NULL;
  if (!parameter) return bound_local(p, name, type, span);
  struct ir_local *l = ir_local_new(p->model, p->frame, IR_LOCAL_BOUND, name, type, span);
  l->domain = *domain;
  return l;
}

struct ir_local *ir_parse_local(struct ir_parser *p, enum ir_local_kind kind) {
  struct span start = p->token.span;
  const char *name = ir_parser_text(p, LEX_NAME);
  if (!name || !ir_parser_expect(p, LEX_COLON)) return NULL;
  const struct ir_type *type = ir_parse_type(p);
  if (!type) return NULL;
  return ir_local_new(p->model, p->frame, kind, name, type, ir_parser_since(p, start));
}
