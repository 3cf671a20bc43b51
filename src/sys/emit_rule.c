// SPDX-License-Identifier: Apache-2.0
// Rules as C: a guard, a body, and a step that runs both and keeps the successor; conditions of the
// guard that depend on few of the parameters are tested before the loops over the others.
#include "sys/emit.h"

#include <inttypes.h>

// ", int64_t l0, int64_t l1" or ", l0, l1": the parameters, then the choices.
static const char *bound_locals(struct emit *e, uint32_t count, const char *type) {
  struct text t = {0};
  for (uint32_t i = 0; i < count; i++) text_printf(&t, ", %sl%u", type, i);
  const char *s = emit_format(e, "%s", text_str(&t));
  text_clear(&t);
  return s;
}

void emit_root_function(struct emit *e, const char *linkage, const char *head, struct text *code) {
  bool large = e->words_max > EMIT_WORDS_LARGE;
  emit_line(e, "%s %s {", large ? "static __attribute__((noinline, unused))" : linkage, head);
  text_add(e->out, text_str(code));
  emit_line(e, "}\n");
  text_clear(code);
  if (e->words_max > e->root_words) e->root_words = e->words_max;
}

void emit_unseen_covers(struct emit *e) {
  if (e->covers_used) emit_line(e, "uint64_t covers[COVERS] = {0};");
}

// How many of its parameters and choices the guard takes.
static uint32_t guard_locals(const struct ir_rule *r) {
  return r->param_count + (r->guard_chooses ? r->choice_count : 0);
}

// --- guards ---

// A guard is a list of conditions. One that cannot fail, needs only the first k parameters, and
// stands behind none that can fail, is tested once for all instances that share these parameters;
// or the loop over its last parameter goes through those values only for which it may hold; or a
// group of rules has tested it.
struct plan {
  const struct ir_expr **parts;
  uint32_t *level; // k; param_count for what stays with the instance; DECIDED elsewhere
  uint32_t count;
};
enum { DECIDED = UINT32_MAX };

static uint32_t count_parts(const struct ir_expr *x) {
  if (!x) return 0;
  return x->op == IR_AND ? count_parts(x->args[0]) + count_parts(x->args[1]) : 1;
}

static void split(const struct ir_expr **parts, uint32_t *count, const struct ir_expr *x) {
  if (x->op == IR_AND) {
    split(parts, count, x->args[0]);
    split(parts, count, x->args[1]);
  } else {
    parts[(*count)++] = x;
  }
}

const struct ir_expr **emit_parts(struct emit *e, const struct ir_expr *guard, uint32_t *count) {
  const struct ir_expr **parts =
      ARENA_ARRAY(e->arena, const struct ir_expr *, count_parts(guard) + 1);
  *count = 0;
  if (guard) split(parts, count, guard);
  return parts;
}

// A parameter with one value is as good as a constant.
static bool is_single(const struct ir_rule *r, uint32_t param) {
  return ir_domain_count(r->frame.locals[param]->domain) == 1;
}

static void declare_single(struct emit *e, const struct ir_rule *r, uint32_t param) {
  emit_line(e, "const int64_t l%u = %s;", param,
            emit_number(e, ir_domain_value(r->frame.locals[param]->domain, 0)));
}

struct level_search {
  const struct ir_rule *r;
  uint32_t level;
};

static void visit_level(void *context, const struct ir_expr *x) {
  struct level_search *search = context;
  uint32_t bound = search->r->param_count + search->r->choice_count;
  if (x->op != IR_LOCAL || x->local->id >= bound) return;
  if (x->local->id < search->r->param_count && is_single(search->r, x->local->id)) return;
  if (x->local->id >= search->level) search->level = x->local->id + 1;
}

// Lets the loop over the condition's last parameter go through candidates. False: the condition
// must be tested all the same.
static bool decide_by_loop(struct emit *e, const struct ir_rule *r, const struct ir_expr *x,
                           uint32_t level) {
  if (level == 0 || level > r->param_count) return false;
  for (uint32_t i = 0; i < r->param_count; i++) e->open[i] = i + 1 < level || is_single(r, i);
  return emit_candidates(e, r->frame.locals[level - 1], x, &e->rules[r->id].loops[level - 1]);
}

static struct plan plan_guard(struct emit *e, const struct ir_rule *r) {
  struct plan p = {0};
  bool safe = true;
  p.parts = emit_parts(e, r->guard, &p.count);
  p.level = ARENA_ARRAY(e->arena, uint32_t, p.count + 1);
  e->rules[r->id].loops = ARENA_ARRAY(e->arena, struct emit_candidates, r->param_count + 1);
  emit_frame(e, &r->frame, r->guard, NULL);
  for (uint32_t i = 0; i < p.count; i++) {
    struct level_search search = {.r = r};
    emit_walk_expr(p.parts[i], visit_level, &search);
    bool decided = safe && decide_by_loop(e, r, p.parts[i], search.level);
    safe = safe && !emit_can_fail(e, p.parts[i]);
    bool early = safe && search.level < r->param_count && search.level < 64;
    decided = decided || i < e->rules[r->id].decided;
    p.level[i] = decided ? DECIDED : early ? search.level : r->param_count;
    if (early && !decided) e->rules[r->id].hoisted |= UINT64_C(1) << search.level;
  }
  e->rules[r->id].guard_fails = !safe;
  return p;
}

// uint32_t rN_NAME(s, locals): the outcome of the guard's conditions of one level.
static void conditions(struct emit *e, const struct ir_rule *r, const struct plan *p,
                       uint32_t level, const char *name, uint32_t locals) {
  struct text code = {0}, *out = e->out;
  e->out = &code;
  e->indent = 1;
  emit_frame(e, &r->frame, r->guard, NULL);
  emit_unseen_covers(e);
  for (uint32_t i = level; i < r->param_count; i++)
    if (is_single(r, i)) declare_single(e, r, i);
  for (uint32_t i = 0; i < r->param_count; i++) e->open[i] = i < level || is_single(r, i);
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->level[i] != level) continue;
    emit_source_line(e, p->parts[i]->span);
    e->ordered = emit_writes(e, p->parts[i]);
    emit_require(e, p->parts[i], true, "return 0;");
  }
  e->ordered = false;
  emit_line(e, "return 1;");
  e->indent = 0;
  e->out = out;
  emit_root_function(e, "FATHOM_INLINE",
                     emit_format(e, "uint32_t r%u_%s(const uint64_t *s%s)", r->id, name,
                                 bound_locals(e, locals, "int64_t ")),
                     &code);
}

static bool is_hoisted(const struct emit *e, const struct ir_rule *r, uint32_t level) {
  return level < 64 && e->rules[r->id].hoisted >> level & 1;
}

static void guard(struct emit *e, const struct ir_rule *r) {
  struct plan p = plan_guard(e, r);
  for (uint32_t k = 0; k < r->param_count; k++)
    if (is_hoisted(e, r, k)) conditions(e, r, &p, k, emit_format(e, "when%u", k), k);
  for (uint32_t i = 0; i < p.count; i++) e->rules[r->id].guarded |= p.level[i] == r->param_count;
  if (e->rules[r->id].guarded) conditions(e, r, &p, r->param_count, "guard", guard_locals(r));
}

// --- bodies and steps ---

static void body(struct emit *e, const struct ir_rule *r) {
  uint32_t n = r->param_count + r->choice_count;
  struct text code = {0}, *out = e->out;
  e->out = &code;
  e->indent = 1;
  emit_frame(e, &r->frame, NULL, r->body);
  e->choices = r->choice_count;
  e->may_fail = false;
  emit_stmts(e, r->body);
  e->rules[r->id].body_fails = e->may_fail;
  emit_line(e, "return 1;");
  e->indent = 0;
  e->out = out;
  emit_root_function(e, "static inline",
                     emit_format(e, "uint32_t r%u_body(uint64_t *s%s%s)", r->id,
                                 e->covers_used ? ", uint64_t *covers" : "",
                                 bound_locals(e, n, "int64_t ")),
                     &code);
}

// Leaves (a C statement) unless the guard holds; what it fails with is kept.
static void test_guard(struct emit *e, const struct ir_rule *r, const char *leave) {
  const struct emit_rule *known = &e->rules[r->id];
  const char *call = emit_format(e, "r%u_guard(s%s)", r->id, bound_locals(e, guard_locals(r), ""));
  if (!known->guarded) return;
  if (!known->guard_fails) {
    emit_line(e, "if (!%s) %s;", call, leave);
    return;
  }
  emit_line(e, "const uint32_t enabled = %s;", call);
  emit_line(e, "if (enabled != 1) {");
  if (r->choices > 1 && !r->guard_chooses)
    emit_line(e, "  for (uint32_t choice = 0; choice < %u; choice++)", r->choices);
  emit_line(e, "  if (enabled) fathom_failed(b, s, WORDS, instance, %s, enabled);",
            r->choices > 1 ? "choice" : "0");
  emit_line(e, "  %s;", leave);
  emit_line(e, "}");
}

// --- pruning: an assumption that failed rules out all choices that agree with this one in the
// first so many; the loop over the last of these goes on ---

static void visit_assumes(const struct ir_stmt *s, bool *prunes, uint32_t count) {
  for (; s; s = s->next) {
    if (s->kind == IR_ASSUME && s->prunes < count) prunes[s->prunes] = true;
    visit_assumes(s->body, prunes, count);
    visit_assumes(s->other, prunes, count);
    for (const struct ir_case *c = s->cases; c; c = c->next) visit_assumes(c->body, prunes, count);
  }
}

// Per number of choices, below their count: is there an assumption that depends on just so many?
static bool *find_prunes(struct emit *e, const struct ir_rule *r) {
  bool *prunes = ARENA_ARRAY(e->arena, bool, r->choice_count + 1);
  visit_assumes(r->body, prunes, r->choice_count);
  return prunes;
}

// How many choices agree in the first so many.
static uint64_t choices_after(const struct ir_rule *r, uint32_t first) {
  uint64_t n = 1;
  for (uint32_t i = first; i < r->choice_count; i++)
    n *= ir_domain_count(r->frame.locals[r->param_count + i]->domain);
  return n;
}

static void jump_over(struct emit *e, const struct ir_rule *r, const bool *prunes) {
  for (uint32_t i = 0; i < r->choice_count; i++) {
    if (!prunes[i]) continue;
    emit_line(e, "if (outcome == FATHOM_PRUNED(%u)) {", i);
    if (i == 0) {
      emit_line(e, "  return;");
    } else {
      uint64_t n = choices_after(r, i);
      emit_line(e, "  choice = (uint32_t)((choice / UINT64_C(%" PRIu64 ") + 1) * %" PRIu64 ");", n,
                n);
      emit_line(e, "  goto next%u;", i);
    }
    emit_line(e, "}");
  }
}

// --- steps ---

// Runs the body of an enabled instance with one choice.
static void fire(struct emit *e, const struct ir_rule *r, const bool *prunes) {
  const char *choice = r->choice_count ? "choice" : "0", *covers = e->covers_used ? ", covers" : "";
  const char *call = emit_format(e, "r%u_body(t%s%s)", r->id, covers,
                                 bound_locals(e, r->param_count + r->choice_count, ""));
  if (e->reserve == 0) emit_line(e, "fathom_room(b);");
  if (e->covers_used) emit_line(e, "uint64_t covers[COVERS] = {0};");
  emit_line(e, "uint64_t *t = fathom_copy(b, s, WORDS);");
  if (e->rules[r->id].body_fails) {
    emit_line(e, "const uint32_t outcome = %s;", call);
    jump_over(e, r, prunes);
    emit_line(e, "if (FATHOM_UNLIKELY(outcome != 1))");
    emit_line(e, "  fathom_failed(b, s, WORDS, instance, %s, outcome);", choice);
    emit_line(e, "else");
    emit_line(e, "  fired(b, s, t, instance, %s%s);", choice, covers);
  } else {
    emit_line(e, "%s;", call);
    emit_line(e, "fired(b, s, t, instance, %s%s);", choice, covers);
  }
}

static void step(struct emit *e, const struct ir_rule *r) {
  const bool *prunes = find_prunes(e, r);
  emit_generated_line(e);
  emit_line(e,
            "static inline void r%u_step(const uint64_t *s, struct fathom_batch *b, "
            "uint32_t instance%s) {",
            r->id, bound_locals(e, r->param_count, "int64_t "));
  e->indent = 1;
  bool inside = r->guard_chooses;
  if (!inside) test_guard(e, r, "return");
  if (r->choice_count) emit_line(e, "uint32_t choice = 0;");
  for (uint32_t i = 0; i < r->choice_count; i++) {
    const struct ir_local *l = r->frame.locals[r->param_count + i];
    emit_loop_open(e, l, l->domain, 0);
  }
  if (inside) test_guard(e, r, "{ choice++; continue; }");
  fire(e, r, prunes);
  if (r->choice_count) emit_line(e, "choice++;");
  for (uint32_t i = r->choice_count; i > 0; i--) {
    if (i < r->choice_count && prunes[i]) emit_line(e, "next%u:;", i);
    emit_loop_close(e);
  }
  e->indent = 0;
  emit_line(e, "}\n");
}

void emit_rule(struct emit *e, const struct ir_rule *r) {
  emit_line(e, "// rule \"%s\": instances %u to %u", emit_escape(e, r->name), r->first_instance,
            r->first_instance + r->instances - 1);
  for (uint32_t i = 0; i < r->param_count + r->choice_count; i++)
    emit_line(e, "//   l%u is %s \"%s\"", i, i < r->param_count ? "parameter" : "choice",
              emit_escape(e, r->frame.locals[i]->name));
  guard(e, r);
  body(e, r);
  step(e, r);
}

// --- instances ---

// Instances that share the parameters up to this one.
static uint32_t stride(const struct ir_rule *r, uint32_t param) {
  uint64_t n = 1;
  for (uint32_t i = param + 1; i < r->param_count; i++)
    n *= ir_domain_count(r->frame.locals[i]->domain);
  return (uint32_t)n;
}

// The calls of all instances whose first `level` parameters are given (as text, ", 1, 2").
static void written_out(struct emit *e, const struct ir_rule *r, uint32_t level, uint32_t instance,
                        const char *given) {
  bool early = is_hoisted(e, r, level) && level < r->param_count;
  if (early) emit_line(e, "if (r%u_when%u(s%s) == 1) {", r->id, level, given);
  e->indent += early;
  if (level == r->param_count) {
    emit_line(e, "r%u_step(s, b, %u%s);", r->id, instance, given);
  } else {
    const struct ir_domain *d = r->frame.locals[level]->domain;
    uint64_t n = ir_domain_count(d);
    for (uint64_t k = 0; k < n; k++)
      written_out(e, r, level + 1, instance + (uint32_t)k * stride(r, level),
                  emit_format(e, "%s, %s", given, emit_number(e, ir_domain_value(d, k))));
  }
  e->indent -= early;
  if (early) emit_line(e, "}");
}

// Which value of its domain a parameter has, as C.
static const char *position(struct emit *e, const struct ir_local *l) {
  const struct ir_domain *d = l->domain;
  const char *name = emit_format(e, "l%u", l->id);
  if (d->type) return emit_rank(e, d->type, name);
  int64_t first = ir_domain_value(d, 0), step = 1;
  if (ir_domain_count(d) > 1) step = ir_domain_value(d, 1) - first;
  return emit_format(e, "(%s - %s) / %s", name, emit_number(e, first), emit_number(e, step));
}

// The number of an instance, as a sum.
static const char *add_position(struct emit *e, const struct ir_rule *r, uint32_t param,
                                const char *sum) {
  const char *p = position(e, r->frame.locals[param]);
  if (stride(r, param) > 1) p = emit_format(e, "%u * (%s)", stride(r, param), p);
  return *sum ? emit_format(e, "%s + %s", sum, p) : p;
}

static void loop_open(struct emit *e, const struct ir_rule *r, uint32_t param) {
  const struct ir_local *l = r->frame.locals[param];
  const struct emit_candidates *c = &e->rules[r->id].loops[param];
  if (c->set)
    emit_candidates_open(e, l, c);
  else
    emit_loop_open(e, l, l->domain, 0);
}

static void looped(struct emit *e, const struct ir_rule *r) {
  const char *instance = r->first_instance ? emit_format(e, "%u", r->first_instance) : "";
  if (is_hoisted(e, r, 0))
    emit_line(e, "if (r%u_when0(s) == 1) {", r->id);
  else
    emit_line(e, "{");
  e->indent++;
  for (uint32_t i = 0; i < r->param_count; i++)
    if (is_single(r, i)) declare_single(e, r, i);
  for (uint32_t i = 0; i < r->param_count; i++) {
    if (is_single(r, i)) continue;
    loop_open(e, r, i);
    if (i + 1 < r->param_count && is_hoisted(e, r, i + 1))
      emit_line(e, "if (r%u_when%u(s%s) != 1) continue;", r->id, i + 1, bound_locals(e, i + 1, ""));
    instance = add_position(e, r, i, instance);
  }
  emit_line(e, "r%u_step(s, b, (uint32_t)(%s)%s);", r->id, *instance ? instance : "0",
            bound_locals(e, r->param_count, ""));
  for (uint32_t i = 0; i < r->param_count; i++)
    if (!is_single(r, i)) emit_loop_close(e);
  e->indent--;
  emit_line(e, "}");
}

bool emit_cut_short(const struct emit *e, const struct ir_rule *r) {
  for (uint32_t i = 0; i < r->param_count; i++)
    if (e->rules[r->id].loops[i].set) return true;
  return false;
}

void emit_instances(struct emit *e, const struct ir_rule *r, bool unroll) {
  if (unroll)
    written_out(e, r, 0, r->first_instance, "");
  else
    looped(e, r);
}
