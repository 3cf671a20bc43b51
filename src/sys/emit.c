// SPDX-License-Identifier: Apache-2.0
// A model as C: positions, functions, properties, rules (emit_rule.c), and expand, which goes
// through all instances in order. Instances are written out with their parameters as literals while
// the code stays small, so that the compiler folds positions and conditions; else they are loops.
#include "sys/emit.h"

#include "sys/sys.h"

#include <inttypes.h>

enum {
  UNROLL_RULE = 1000,   // nodes that the instances of one rule may take when written out
  UNROLL_TOTAL = 10000, // ... those of all rules
  CHUNK = EMIT_CHUNK,   // nodes in one C function
  RESERVE_MAX = 4096,   // successors for which room is made in advance
  POSITIONS_MAX = 200000,
  FIRED_INLINE = 16, // rules up to which the code common to all is inlined into each
  LEGEND_MAX = 256,  // leaves described in the opening comment
};
#define STACK_MAX (UINT64_C(4) << 20)

// --- sizes ---

static void count_node(void *context, const struct ir_expr *x) {
  *(uint64_t *)context += x->op == IR_CALL ? 10 : 1;
}

uint64_t emit_rule_weight(const struct ir_rule *r) {
  uint64_t n = 5;
  emit_walk_expr(r->guard, count_node, &n);
  emit_walk_stmts(r->body, count_node, &n);
  return n;
}

static uint64_t successors_max(const struct ir_model *m) {
  uint64_t n = 0;
  for (size_t i = 0; i < m->rules.count; i++)
    n += (uint64_t)m->rules.data[i]->instances * m->rules.data[i]->choices;
  return n;
}

// --- types and positions ---

// Values of a union whose parts do not follow each other: rank, value and membership by part. What
// is in none of the others is in the last.
static void union_part(struct emit *e, const struct ir_type *whole, const struct ir_type *t,
                       const char *format, bool last) {
  if (t->kind == IR_TYPE_UNION) {
    for (uint32_t i = 0; i < t->part_count; i++)
      union_part(e, whole, t->parts[i], format, last && i + 1 == t->part_count);
    return;
  }
  bool back = *format == 'v';
  int64_t rank = (int64_t)ir_type_rank(whole, t->lo), end = (int64_t)ir_type_rank(whole, t->hi);
  const char *outside =
      emit_format(e, "fathom_outside(v, %s, %s)", emit_number(e, back ? rank : t->lo),
                  emit_number(e, back ? end : t->hi));
  if (*format == 'o') {
    emit_line(e, last ? "  return %s;" : "  if (!%s) return false;", outside);
    return;
  }
  const char *from = emit_number(e, back ? rank : t->lo), *to = emit_number(e, back ? t->lo : rank);
  if (last)
    emit_line(e, "  return v - %s + %s;", from, to);
  else
    emit_line(e, "  if (!%s) return v - %s + %s;", outside, from, to);
}

static void union_helpers(struct emit *e, const struct ir_type *t) {
  static const char *const names[] = {"rank", "value", "outside"};
  for (int i = 0; i < 3; i++) {
    emit_line(e, "static inline %s t%u_%s(int64_t v) {", i == 2 ? "bool" : "int64_t", t->id,
              names[i]);
    union_part(e, t, t, names[i], true);
    emit_line(e, "}\n");
  }
}

static void positions(struct emit *e) {
  const struct ir_layout *l = e->m->layout;
  emit_line(e, "static const struct fathom_pos pos[%" PRIu64 "] = {", l->count);
  for (uint64_t i = 0; i < l->count; i++)
    text_printf(e->out, "%s{%u, %u},%s", i % 8 == 0 ? "  " : " ", l->leaf[i].word, l->leaf[i].shift,
                i % 8 == 7 || i + 1 == l->count ? "\n" : "");
  emit_line(e, "};\n");
}

static void legend(struct emit *e) {
  const struct ir_layout *l = e->m->layout;
  struct text name = {0};
  emit_line(e, "// The state s: %u words, %" PRIu64 " leaves, %" PRIu64 " bits.", l->words,
            l->count, l->bits);
  for (uint64_t i = 0; i < l->count && i < LEGEND_MAX; i++) {
    ir_leaf_name(&name, e->m, i);
    emit_line(e, "//   s[%u] bit %2u width %2u%s  \"%s\"", l->leaf[i].word, l->leaf[i].shift,
              l->leaf[i].width, l->leaf[i].undef ? " undefined=0" : "",
              emit_escape(e, text_str(&name)));
    text_clear(&name);
  }
  if (l->count > LEGEND_MAX) emit_line(e, "//   ...");
  emit_line(e, "enum { WORDS = %u };", l->words);
  if (e->covers_used)
    emit_line(e, "enum { COVERS = %zu }; // words of a bit set over properties",
              e->m->properties.count / 64 + 1);
  text_add(e->out, "\n");
}

// --- expand ---

// Where in expand we are.
struct expansion {
  uint64_t total; // nodes of instances that are written out
  uint64_t chunk; // nodes in the C function being written
  uint32_t chunks;
};

static void one_rule(struct emit *e, struct expansion *x, const struct ir_rule *r) {
  e->temps = 0;
  e->bound = ARENA_ARRAY(e->arena, struct emit_range, r->frame.count + 1);
  uint64_t weight = emit_rule_weight(r), all = weight * r->instances;
  bool unroll = !emit_cut_short(e, r) && all <= UNROLL_RULE && x->total + all <= UNROLL_TOTAL;
  emit_line(e, "// \"%s\"", emit_escape(e, r->name));
  emit_instances(e, r, unroll || r->instances == 1);
  x->total += unroll ? all : 0;
  x->chunk += unroll ? all : weight;
}

static void group(struct emit *e, struct expansion *x, const struct emit_group *g);

// The rules of one case, and what follows it.
static const struct emit_group *group_case(struct emit *e, struct expansion *x,
                                           const struct emit_group *g) {
  uint64_t label = g->label;
  emit_line(e, "case %" PRIu64 ":", label);
  e->indent++;
  for (; g && g->label == label; g = g->next) group(e, x, g);
  emit_line(e, "break;");
  e->indent--;
  return g;
}

static void group(struct emit *e, struct expansion *x, const struct emit_group *g) {
  if (g->rule) return one_rule(e, x, g->rule);
  const char *when = g->common ? emit_format(e, "if (g%u_when(s) == 1) ", g->number) : "";
  emit_line(e, "%sswitch (%s) {", when, emit_bare(e, g->code));
  for (const struct emit_group *i = g->inside; i;) i = group_case(e, x, i);
  emit_line(e, "}");
}

static void expand(struct emit *e, const struct emit_group *g) {
  struct expansion x = {.chunk = CHUNK + 1};
  for (; g; g = g->next) {
    if (x.chunk > CHUNK) {
      if (x.chunks) emit_line(e, "}\n");
      emit_line(e,
                "static __attribute__((noinline)) void expand_%u(const uint64_t *restrict s, "
                "struct fathom_batch *restrict b) {",
                x.chunks++);
      x.chunk = 0;
    }
    e->indent = 1;
    group(e, &x, g);
    e->indent = 0;
  }
  if (x.chunks) emit_line(e, "}\n");
  emit_line(e, "static void expand(const uint64_t *s, struct fathom_batch *b) {");
  for (uint32_t i = 0; i < x.chunks; i++) emit_line(e, "  expand_%u(s, b);", i);
  emit_line(e, "}\n");
}

// --- properties and atoms ---

// uint32_t NAME(const uint64_t *s): the outcome of a Boolean.
static void boolean(struct emit *e, const char *name, const struct ir_frame *f,
                    const struct ir_expr *x) {
  struct text code = {0}, *out = e->out;
  e->out = &code;
  e->indent = 1;
  emit_frame(e, f, x, NULL);
  emit_unseen_covers(e);
  emit_source_line(e, x->span);
  e->ordered = emit_writes(e, x);
  emit_require(e, x, true, "return 0;");
  e->ordered = false;
  emit_line(e, "return 1;");
  e->indent = 0;
  e->out = out;
  emit_root_function(e, "static", emit_format(e, "uint32_t %s(const uint64_t *s)", name), &code);
}

static bool is_evaluated(const struct ir_property *p) {
  return p->expr &&
         (p->kind == IR_PROP_INVARIANT || p->kind == IR_PROP_ASSUME || p->kind == IR_PROP_COVER);
}

static void properties(struct emit *e) {
  for (size_t i = 0; i < e->m->properties.count; i++) {
    const struct ir_property *p = e->m->properties.data[i];
    if (!is_evaluated(p)) continue;
    emit_line(e, "// property \"%s\"", emit_escape(e, p->name));
    boolean(e, emit_format(e, "p%u", p->id), &p->frame, p->expr);
  }
  for (size_t i = 0; i < e->m->atoms.count && i < 64; i++) {
    const struct ir_atom *a = e->m->atoms.data[i];
    emit_line(e, "// atom \"%s\"", emit_escape(e, a->name));
    boolean(e, emit_format(e, "a%zu", i), &a->frame, a->expr);
  }
  for (size_t i = 0; i < e->m->ample.count; i++) {
    const struct ir_atom *a = e->m->ample.data[i];
    emit_line(e, "// may \"%s\" go alone?", emit_escape(e, a->name));
    boolean(e, emit_format(e, "q%zu", i), &a->frame, a->expr);
  }
  if (e->m->valid_end) {
    emit_line(e, "// is it a valid end?");
    boolean(e, "end", &(struct ir_frame){0}, e->m->valid_end);
  }
  emit_generated_line(e);
}

// Evaluates all properties of a kind, leaving at the first that failed.
static void each_property(struct emit *e, enum ir_property_kind kind, const char *failed,
                          bool collect) {
  for (size_t i = 0; i < e->m->properties.count; i++) {
    const struct ir_property *p = e->m->properties.data[i];
    if (p->kind != kind || !p->expr) continue;
    emit_line(e, "  const uint32_t o%u = p%u(s);", p->id, p->id);
    emit_line(e, "  if (o%u %s) return fathom_verdict(o%u, %u);", p->id, failed, p->id, p->id);
    if (collect)
      emit_line(e, "  if (o%u == 1) bits[%u] |= UINT64_C(1) << %u;", p->id, p->id / 64, p->id % 64);
  }
}

// What happens after a body: bookkeeping, the assumptions on the successor, and keeping it.
static void fired(struct emit *e) {
  const char *linkage =
      e->m->rules.count > FIRED_INLINE ? "static __attribute__((noinline))" : "FATHOM_INLINE";
  emit_line(e,
            "%s void fired(struct fathom_batch *b, const uint64_t *from, const uint64_t *s, "
            "uint32_t instance, uint32_t choice%s) {",
            linkage, e->covers_used ? ", const uint64_t *covers" : "");
  emit_line(e, "  fathom_fired(b, from, s, WORDS);");
  if (e->covers_used)
    emit_line(e, "  for (size_t i = 0; i < COVERS; i++) b->covers[i] |= covers[i];");
  for (size_t i = 0; i < e->m->properties.count; i++) {
    const struct ir_property *p = e->m->properties.data[i];
    if (p->kind != IR_PROP_ASSUME) continue;
    emit_line(e, "  const uint32_t o%u = p%u(s);", p->id, p->id);
    emit_line(e, "  if (o%u != 1) return fathom_failed(b, from, WORDS, instance, choice, o%u);",
              p->id, p->id);
  }
  emit_line(e, "  fathom_push(b, instance, choice, 1);");
  emit_line(e, "}\n");
}

static void checks(struct emit *e) {
  emit_line(e, "static struct fathom_fault check(const uint64_t *s) {");
  each_property(e, IR_PROP_INVARIANT, "!= 1", false);
  emit_line(e, "  return (struct fathom_fault){0, 0};");
  emit_line(e, "}\n");
  emit_line(e, "static struct fathom_fault covers(const uint64_t *s, uint64_t *bits) {");
  each_property(e, IR_PROP_COVER, "> 1", true);
  emit_line(e, "  return (struct fathom_fault){0, 0};");
  emit_line(e, "}\n");
  emit_line(e, "static struct fathom_fault atoms(const uint64_t *s, uint64_t *bits) {");
  emit_line(e, "  *bits = 0;");
  for (size_t i = 0; i < e->m->atoms.count && i < 64; i++) {
    emit_line(e, "  const uint32_t o%zu = a%zu(s);", i, i);
    emit_line(e, "  if (o%zu > 1) return fathom_verdict(o%zu, 0);", i, i);
    emit_line(e, "  *bits |= (uint64_t)o%zu << %zu;", i, i);
  }
  emit_line(e, "  return (struct fathom_fault){0, 0};");
  emit_line(e, "}\n");
  emit_line(e, "static uint64_t ample(const uint64_t *s) {");
  emit_line(e, "  uint64_t bits = 0;");
  for (size_t i = 0; i < e->m->ample.count; i++)
    emit_line(e, "  if (q%zu(s) == 1) bits |= UINT64_C(1) << %zu;", i, i);
  emit_line(e, "  return bits;");
  emit_line(e, "}\n");
  emit_line(e, "static bool may_end(const uint64_t *s) {");
  emit_line(e, "  return %s;", e->m->valid_end ? "end(s) == 1" : "false");
  emit_line(e, "}\n");
}

static void table(struct emit *e) {
  emit_line(e, "__attribute__((visibility(\"default\")))");
  emit_line(e, "const struct fathom_native fathom_native_model = {");
  emit_line(e, "  .abi = FATHOM_NATIVE_ABI,");
  emit_line(e, "  .words = WORDS,");
  emit_line(e, "  .key = FATHOM_NATIVE_KEY,");
  emit_line(e, "  .reserve = %" PRIu64 ",", e->reserve);
  emit_line(e, "  .expand = expand,");
  emit_line(e, "  .check = check,");
  emit_line(e, "  .covers = covers,");
  emit_line(e, "  .atoms = atoms,");
  emit_line(e, "  .ample = ample,");
  emit_line(e, "  .may_end = may_end,");
  emit_line(e, "};");
}

// --- the whole ---

static void head(struct emit *e, struct text *out, const struct text *prototypes) {
  e->out = out;
  emit_line(e, "// The model \"%s\" as C, written by Fathom. Names: r3 is rule 3, p1 property 1,",
            emit_escape(e, e->m->name));
  emit_line(e, "// f2_0 the first instance of function 2, l0 local 0 of the rule or function.");
  emit_line(e, "#include \"fathom_native.h\"\n");
  if (e->m->foreign) // set by whoever loads this: the model's C code is in one place only
    emit_line(e, "__attribute__((visibility(\"default\"))) void (*const *fathom_native_foreign)"
                 "(int64_t *cells);\n");
  legend(e);
  if (e->pos_used) positions(e);
  for (size_t i = 0; i < e->m->types.count; i++) {
    const struct ir_type *t = e->m->types.data[i];
    if (t->kind == IR_TYPE_UNION && !emit_type_contiguous(t)) union_helpers(e, t);
  }
  text_add(out, text_str(prototypes));
}

static uint32_t array_nesting(const struct ir_type *t) {
  uint32_t deepest = 0;
  if (t->kind == IR_TYPE_ARRAY) return 1 + array_nesting(t->elem);
  for (uint32_t i = 0; t->kind == IR_TYPE_RECORD && i < t->field_count; i++) {
    uint32_t n = array_nesting(t->fields[i].type);
    if (n > deepest) deepest = n;
  }
  return deepest;
}

static const char *refusal(const struct emit *e) {
  for (size_t i = 0; i < e->m->types.count; i++)
    if (array_nesting(e->m->types.data[i]) > EMIT_TERMS)
      return "arrays are nested too deeply for native code; running interpreted";
  if (ir_model_unnumbered(e->m))
    return "a rule has too many choices for native code; running interpreted";
  return NULL;
}

// What only the finished code tells.
static const char *late_refusal(const struct emit *e) {
  if (e->pos_used && e->m->layout->count > POSITIONS_MAX)
    return "the state has too many scalars for native code; running interpreted";
  if (emit_stack_bytes(e) > STACK_MAX)
    return "local variables and arguments need too much stack for native code; running "
           "interpreted";
  return NULL;
}

const char *emit_model(struct text *out, const struct ir_model *m) {
  struct text prototypes = {0}, functions = {0}, rules = {0};
  struct emit e = {.m = m, .arena = arena_new(), .out = &rules, .functions = &functions};
  e.reserve = successors_max(m);
  if (e.reserve > RESERVE_MAX) e.reserve = 0;
  e.rules = ARENA_ARRAY(e.arena, struct emit_rule, m->rules.count + 1);
  emit_functions_init(&e);
  const char *why = refusal(&e);
  if (!why) {
    properties(&e);
    fired(&e);
    const struct emit_group *groups = emit_groups(&e);
    for (size_t i = 0; i < m->rules.count; i++) emit_rule(&e, m->rules.data[i]);
    emit_group_conditions(&e, groups);
    expand(&e, groups);
    checks(&e);
    table(&e);
    emit_functions(&e, &prototypes);
    why = late_refusal(&e);
  }
  if (!why) {
    head(&e, out, &prototypes);
    text_printf(out, "\n%s%s", text_str(&functions), text_str(&rules));
  }
  text_clear(&prototypes);
  text_clear(&functions);
  text_clear(&rules);
  VEC_CLEAR(&e.instances);
  arena_free(e.arena);
  return why;
}

void sys_print_c(struct text *out, const struct ir_model *m) {
  const char *why = emit_model(out, m);
  if (why) text_printf(out, "// %s\n", why);
}
