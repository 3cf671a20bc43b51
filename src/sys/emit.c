// SPDX-License-Identifier: Apache-2.0
// A model as C: for each rule a guard, a body and a step; expand calls the steps of all instances
// in order. Instances are written out with their parameters as literals while the code stays
// small, so that the compiler folds positions and conditions; beyond that they are loops.
#include "sys/emit.h"

#include "sys/sys.h"

#include <inttypes.h>

enum {
  UNROLL_RULE = 4000,   // nodes that the instances of one rule may take when written out
  UNROLL_TOTAL = 40000, // ... those of all rules
  CHUNK = 3000,         // nodes in one C function
  RESERVE_MAX = 4096,   // successors for which room is made in advance
  POSITIONS_MAX = 200000,
  LEGEND_MAX = 256, // leaves described in the opening comment
};
#define STACK_MAX (UINT64_C(4) << 20)

// --- sizes ---

static void count_node(void *context, const struct ir_expr *x) {
  *(uint64_t *)context += x->op == IR_CALL ? 10 : 1;
}

static uint64_t rule_weight(const struct ir_rule *r) {
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

static bool reserves(const struct ir_model *m) { return successors_max(m) <= RESERVE_MAX; }

// --- types and positions ---

// Values of a union whose parts do not follow each other: rank, value and membership by part.
static void union_part(struct emit *e, const struct ir_type *whole, const struct ir_type *t,
                       const char *format) {
  if (t->kind == IR_TYPE_UNION) {
    for (uint32_t i = 0; i < t->part_count; i++) union_part(e, whole, t->parts[i], format);
    return;
  }
  uint64_t rank = ir_type_rank(whole, t->lo), last = ir_type_rank(whole, t->hi);
  emit_line(e, "  if (!fathom_outside(v, %s, %s)) return %s;",
            *format == 'v' ? emit_format(e, "%" PRIu64, rank) : emit_number(e, t->lo),
            *format == 'v' ? emit_format(e, "%" PRIu64, last) : emit_number(e, t->hi),
            *format == 'o'   ? "false"
            : *format == 'v' ? emit_format(e, "v - %" PRIu64 " + %s", rank, emit_number(e, t->lo))
                             : emit_format(e, "v - %s + %" PRIu64, emit_number(e, t->lo), rank));
}

static void union_helpers(struct emit *e, const struct ir_type *t) {
  static const char *const names[] = {"rank", "value", "outside"};
  for (int i = 0; i < 3; i++) {
    emit_line(e, "static inline %s t%u_%s(int64_t v) {", i == 2 ? "bool" : "int64_t", t->id,
              names[i]);
    union_part(e, t, t, names[i]);
    emit_line(e, "  return %s;", i == 2 ? "true" : "0");
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

// --- rules ---

static void generated_line(struct emit *e) { text_add(e->out, "#line 1 \"generated\"\n"); }

// ", int64_t l0, int64_t l1" or ", l0, l1": the parameters, then the choices.
static const char *bound_locals(struct emit *e, uint32_t count, const char *type) {
  struct text t = {0};
  for (uint32_t i = 0; i < count; i++) text_printf(&t, ", %sl%u", type, i);
  const char *s = emit_format(e, "%s", text_str(&t));
  text_clear(&t);
  return s;
}

static void covers_nobody_sees(struct emit *e) {
  if (e->covers_used) emit_line(e, "uint64_t covers[COVERS] = {0};");
}

struct choice_search {
  const struct ir_rule *r;
  bool found;
};

static void visit_choice(void *context, const struct ir_expr *x) {
  struct choice_search *c = context;
  if (x->op == IR_LOCAL && x->local->kind == IR_LOCAL_BOUND && x->local->id >= c->r->param_count &&
      x->local->id < c->r->param_count + c->r->choice_count)
    c->found = true;
}

static bool guard_chooses(const struct ir_rule *r) {
  struct choice_search c = {.r = r};
  emit_walk_expr(r->guard, visit_choice, &c);
  return c.found;
}

// How many of its parameters and choices the guard takes.
static uint32_t guard_locals(const struct ir_rule *r) {
  return r->param_count + (guard_chooses(r) ? r->choice_count : 0);
}

static void guard(struct emit *e, const struct ir_rule *r) {
  emit_line(e, "FATHOM_INLINE uint32_t r%u_guard(const uint64_t *s%s) {", r->id,
            bound_locals(e, guard_locals(r), "int64_t "));
  e->indent = 1;
  emit_frame(e, &r->frame, r->guard, NULL);
  if (r->guard) {
    covers_nobody_sees(e);
    emit_source_line(e, r->guard->span);
    e->ordered = emit_writes(e, r->guard);
    emit_require(e, r->guard, true, "return 0;");
    e->ordered = false;
  }
  emit_line(e, "return 1;");
  e->indent = 0;
  emit_line(e, "}\n");
}

static void body(struct emit *e, const struct ir_rule *r) {
  uint32_t n = r->param_count + r->choice_count;
  emit_line(e, "static inline uint32_t r%u_body(uint64_t *s%s%s) {", r->id,
            e->covers_used ? ", uint64_t *covers" : "", bound_locals(e, n, "int64_t "));
  e->indent = 1;
  emit_frame(e, &r->frame, NULL, r->body);
  emit_stmts(e, r->body);
  emit_line(e, "return 1;");
  e->indent = 0;
  emit_line(e, "}\n");
}

// Fires an enabled instance with one choice; `enabled` may be the fault of its guard.
static void fire(struct emit *e, const struct ir_rule *r) {
  const char *locals = bound_locals(e, r->param_count + r->choice_count, "");
  const char *covers = e->covers_used ? ", covers" : "";
  if (!reserves(e->m)) emit_line(e, "fathom_room(b);");
  if (e->covers_used) emit_line(e, "uint64_t covers[COVERS] = {0};");
  emit_line(e, "uint64_t *t = fathom_copy(b, s, WORDS);");
  emit_line(e, "uint32_t outcome = enabled == 1 ? r%u_body(t%s%s) : enabled;", r->id, covers,
            locals);
  emit_line(e, "if (outcome == 1) outcome = fired(b, s, t%s);", covers);
  emit_line(e, "if (outcome != FATHOM_DROPPED) fathom_push(b, instance, %s, outcome);",
            r->choice_count ? "choice" : "0");
}

static void enabled(struct emit *e, const struct ir_rule *r, const char *leave) {
  emit_line(e, "const uint32_t enabled = r%u_guard(s%s);", r->id,
            bound_locals(e, guard_locals(r), ""));
  emit_line(e, "if (fathom_refused(enabled)) %s;", leave);
}

static void step(struct emit *e, const struct ir_rule *r) {
  generated_line(e);
  emit_line(e,
            "static inline void r%u_step(const uint64_t *s, struct fathom_batch *b, "
            "uint32_t instance%s) {",
            r->id, bound_locals(e, r->param_count, "int64_t "));
  e->indent = 1;
  bool inside = guard_chooses(r);
  if (!inside) enabled(e, r, "return");
  if (r->choice_count) emit_line(e, "uint32_t choice = 0;");
  for (uint32_t i = 0; i < r->choice_count; i++) {
    const struct ir_local *l = r->frame.locals[r->param_count + i];
    emit_loop_open(e, l, l->domain, 0);
  }
  if (inside) enabled(e, r, "{ choice++; continue; }");
  fire(e, r);
  if (r->choice_count) emit_line(e, "choice++;");
  for (uint32_t i = 0; i < r->choice_count; i++) emit_loop_close(e);
  e->indent = 0;
  emit_line(e, "}\n");
}

static void rule(struct emit *e, const struct ir_rule *r) {
  emit_line(e, "// rule \"%s\": instances %u to %u", emit_escape(e, r->name), r->first_instance,
            r->first_instance + r->instances - 1);
  for (uint32_t i = 0; i < r->param_count + r->choice_count; i++)
    emit_line(e, "//   l%u is %s \"%s\"", i, i < r->param_count ? "parameter" : "choice",
              emit_escape(e, r->frame.locals[i]->name));
  guard(e, r);
  body(e, r);
  step(e, r);
}

// --- expand ---

static void call_instances(struct emit *e, const struct ir_rule *r) {
  int64_t *values = ARENA_ARRAY(e->arena, int64_t, r->param_count + 1);
  for (uint32_t k = 0; k < r->instances; k++) {
    struct text args = {0};
    ir_instance(e->m, false, r->first_instance + k, values);
    for (uint32_t i = 0; i < r->param_count; i++)
      text_printf(&args, ", %s", emit_number(e, values[i]));
    emit_line(e, "r%u_step(s, b, %u%s);", r->id, r->first_instance + k, text_str(&args));
    text_clear(&args);
  }
}

static void loop_instances(struct emit *e, const struct ir_rule *r) {
  emit_line(e, "{");
  e->indent++;
  emit_line(e, "uint32_t instance = %u;", r->first_instance);
  for (uint32_t i = 0; i < r->param_count; i++)
    emit_loop_open(e, r->frame.locals[i], r->frame.locals[i]->domain, 0);
  emit_line(e, "r%u_step(s, b, instance++%s);", r->id, bound_locals(e, r->param_count, ""));
  for (uint32_t i = 0; i < r->param_count; i++) emit_loop_close(e);
  e->indent--;
  emit_line(e, "}");
}

static void expand(struct emit *e) {
  uint64_t total = 0, chunk = 0;
  uint32_t chunks = 0;
  for (size_t i = 0; i < e->m->rules.count; i++) {
    const struct ir_rule *r = e->m->rules.data[i];
    if (i == 0 || chunk > CHUNK) {
      if (i) emit_line(e, "}\n");
      emit_line(e,
                "static __attribute__((noinline)) void expand_%u(const uint64_t *restrict s, "
                "struct fathom_batch *restrict b) {",
                chunks++);
      chunk = 0;
    }
    e->indent = 1;
    e->temps = 0;
    e->bound = ARENA_ARRAY(e->arena, struct emit_range, r->frame.count + 1);
    uint64_t weight = rule_weight(r), all = weight * r->instances;
    bool unroll = all <= UNROLL_RULE && total + all <= UNROLL_TOTAL;
    emit_line(e, "// \"%s\"", emit_escape(e, r->name));
    if (unroll)
      call_instances(e, r);
    else
      loop_instances(e, r);
    total += unroll ? all : 0;
    chunk += unroll ? all : weight;
    e->indent = 0;
  }
  if (chunks) emit_line(e, "}\n");
  emit_line(e, "static void expand(const uint64_t *s, struct fathom_batch *b) {");
  for (uint32_t i = 0; i < chunks; i++) emit_line(e, "  expand_%u(s, b);", i);
  emit_line(e, "}\n");
}

// --- properties and atoms ---

// uint32_t NAME(const uint64_t *s): the outcome of a Boolean.
static void boolean(struct emit *e, const char *name, const struct ir_frame *f,
                    const struct ir_expr *x) {
  emit_line(e, "static uint32_t %s(const uint64_t *s) {", name);
  e->indent = 1;
  emit_frame(e, f, x, NULL);
  covers_nobody_sees(e);
  emit_source_line(e, x->span);
  e->ordered = emit_writes(e, x);
  emit_require(e, x, true, "return 0;");
  e->ordered = false;
  emit_line(e, "return 1;");
  e->indent = 0;
  emit_line(e, "}\n");
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
  generated_line(e);
}

// Evaluates all properties of a kind, leaving at the first that failed.
static void each_property(struct emit *e, enum ir_property_kind kind, const char *failed,
                          bool collect) {
  for (size_t i = 0; i < e->m->properties.count; i++) {
    const struct ir_property *p = e->m->properties.data[i];
    if (p->kind != kind || !p->expr) continue;
    emit_line(e, "  outcome = p%u(s);", p->id);
    emit_line(e, "  if (%s) return fathom_verdict(outcome, %u);", failed, p->id);
    if (collect)
      emit_line(e, "  if (outcome == 1) bits[%u] |= UINT64_C(1) << %u;", p->id / 64, p->id % 64);
  }
}

// What happens after a body: bookkeeping, then the assumptions on the successor.
static void fired(struct emit *e) {
  emit_line(e,
            "static inline uint32_t fired(struct fathom_batch *b, const uint64_t *from, "
            "const uint64_t *s%s) {",
            e->covers_used ? ", const uint64_t *covers" : "");
  emit_line(e, "  fathom_fired(b, from, s, WORDS);");
  if (e->covers_used)
    emit_line(e, "  for (size_t i = 0; i < COVERS; i++) b->covers[i] |= covers[i];");
  for (size_t i = 0; i < e->m->properties.count; i++) {
    const struct ir_property *p = e->m->properties.data[i];
    if (p->kind != IR_PROP_ASSUME) continue;
    emit_line(e, "  const uint32_t outcome%u = p%u(s);", p->id, p->id);
    emit_line(e, "  if (outcome%u != 1) return outcome%u == 0 ? FATHOM_DROPPED : outcome%u;", p->id,
              p->id, p->id);
  }
  emit_line(e, "  return 1;");
  emit_line(e, "}\n");
}

static void checks(struct emit *e) {
  emit_line(e, "static struct fathom_fault check(const uint64_t *s) {");
  emit_line(e, "  uint32_t outcome;");
  each_property(e, IR_PROP_INVARIANT, "outcome != 1", false);
  emit_line(e, "  return (struct fathom_fault){0, 0};");
  emit_line(e, "}\n");
  emit_line(e, "static struct fathom_fault covers(const uint64_t *s, uint64_t *bits) {");
  emit_line(e, "  uint32_t outcome;");
  each_property(e, IR_PROP_COVER, "outcome > 1", true);
  emit_line(e, "  return (struct fathom_fault){0, 0};");
  emit_line(e, "}\n");
  emit_line(e, "static uint64_t atoms(const uint64_t *s) {");
  emit_line(e, "  uint64_t bits = 0;");
  for (size_t i = 0; i < e->m->atoms.count && i < 64; i++)
    emit_line(e, "  if (a%zu(s) == 1) bits |= UINT64_C(1) << %zu;", i, i);
  emit_line(e, "  return bits;");
  emit_line(e, "}\n");
}

static void table(struct emit *e) {
  emit_line(e, "__attribute__((visibility(\"default\")))");
  emit_line(e, "const struct fathom_native fathom_native_model = {");
  emit_line(e, "  .abi = FATHOM_NATIVE_ABI,");
  emit_line(e, "  .words = WORDS,");
  emit_line(e, "  .key = FATHOM_NATIVE_KEY,");
  emit_line(e, "  .reserve = %" PRIu64 ",", reserves(e->m) ? successors_max(e->m) : 0);
  emit_line(e, "  .expand = expand,");
  emit_line(e, "  .check = check,");
  emit_line(e, "  .covers = covers,");
  emit_line(e, "  .atoms = atoms,");
  emit_line(e, "};");
}

// --- the whole ---

static void head(struct emit *e, struct text *out, const struct text *prototypes) {
  e->out = out;
  emit_line(e, "// The model \"%s\" as C, written by Fathom. Names: r3 is rule 3, p1 property 1,",
            emit_escape(e, e->m->name));
  emit_line(e, "// f2_0 the first instance of function 2, l0 local 0 of the rule or function.");
  emit_line(e, "#include \"fathom_native.h\"\n");
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
  if (emit_stack_bytes(e) > STACK_MAX)
    return "local variables of nested calls need too much stack for native code; running "
           "interpreted";
  return NULL;
}

const char *emit_model(struct text *out, const struct ir_model *m) {
  struct text prototypes = {0}, functions = {0}, rules = {0};
  struct emit e = {.m = m, .arena = arena_new(), .out = &rules};
  emit_functions_init(&e);
  const char *why = refusal(&e);
  if (!why) {
    properties(&e);
    fired(&e);
    for (size_t i = 0; i < m->rules.count; i++) rule(&e, m->rules.data[i]);
    expand(&e);
    checks(&e);
    table(&e);
    emit_functions(&e, &prototypes, &functions);
    if (e.pos_used && m->layout->count > POSITIONS_MAX)
      why = "the state has too many scalars for native code; running interpreted";
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
