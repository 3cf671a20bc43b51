// SPDX-License-Identifier: Apache-2.0
// Functions as C: one C function for each way in which the reference parameters are bound, found
// as calls are emitted. A reference into the state is a leaf number, one to locals a pointer.
//
//   static uint32_t f3_0(uint64_t *s, depth, covers, parameters..., int64_t *result)
//
// returns an outcome; depth and covers are there only in models that need them. A function that
// cannot fail returns its value if that is a scalar, else nothing. To know that, a function is
// written, for the first time to nowhere, when the first call of it is.
#include "sys/emit.h"

#include <inttypes.h>

// --- what functions do ---

static const struct ir_expr *root_of(const struct ir_expr *x) {
  while (x->op == IR_INDEX || x->op == IR_FIELD) x = x->args[0];
  return x;
}

static bool writes_outside(const struct ir_stmt *s) {
  if (!s->lhs) return false;
  const struct ir_expr *root = root_of(s->lhs);
  return root->op == IR_VAR || (root->op == IR_LOCAL && root->local->kind == IR_LOCAL_REF);
}

struct impure_search {
  const struct emit *e;
  bool found;
};

static void visit_impure(void *context, const struct ir_expr *x) {
  struct impure_search *search = context;
  if (x->op == IR_CALL && search->e->impure[x->func->id]) search->found = true;
}

bool emit_writes(const struct emit *e, const struct ir_expr *x) {
  struct impure_search search = {.e = e};
  emit_walk_expr(x, visit_impure, &search);
  return search.found;
}

static bool function_writes(const struct emit *e, const struct ir_function *f) {
  struct impure_search search = {.e = e, .found = emit_has_stmt(f->body, writes_outside)};
  emit_walk_stmts(f->body, visit_impure, &search);
  return search.found;
}

// Functions may call each other in circles: until nothing changes.
static void find_impure(struct emit *e) {
  const struct ir_model *m = e->m;
  e->impure = ARENA_ARRAY(e->arena, bool, m->functions.count + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < m->functions.count; i++) {
      if (e->impure[i] || !function_writes(e, m->functions.data[i])) continue;
      e->impure[i] = changed = true;
    }
  }
}

// --- how deep calls nest ---

struct callees {
  uint64_t *set; // bits over functions
};

static void visit_callee(void *context, const struct ir_expr *x) {
  const struct callees *c = context;
  if (x->op == IR_CALL) c->set[x->func->id / 64] |= UINT64_C(1) << x->func->id % 64;
}

// Who calls whom, directly or not (Warshall); recursive is who calls himself.
static void find_recursive(struct emit *e) {
  size_t n = e->m->functions.count, words = n / 64 + 1;
  struct callees *calls = mem_zalloc(n + 1, sizeof *calls);
  for (size_t i = 0; i < n; i++) {
    calls[i].set = mem_zalloc(words, sizeof(uint64_t));
    emit_walk_stmts(e->m->functions.data[i]->body, visit_callee, &calls[i]);
  }
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++)
      for (size_t w = 0; calls[i].set[k / 64] >> k % 64 & 1 && w < words; w++)
        calls[i].set[w] |= calls[k].set[w];
  e->recursive = ARENA_ARRAY(e->arena, bool, n + 1);
  for (size_t i = 0; i < n; i++) {
    e->recursive[i] = calls[i].set[i / 64] >> i % 64 & 1;
    mem_free(calls[i].set);
  }
  mem_free(calls);
}

static bool has_recursion(const struct emit *e) {
  for (size_t i = 0; i < e->m->functions.count; i++)
    if (e->recursive[i]) return true;
  return false;
}

struct chain_walk {
  const uint64_t *weight; // per function, > 0
  uint64_t *chain;        // heaviest chain from each function on; 0: not known yet
  uint64_t heaviest;
};

static uint64_t chain_from(const struct chain_walk *w, const struct ir_function *f);

static void visit_chain(void *context, const struct ir_expr *x) {
  struct chain_walk *w = context;
  if (x->op != IR_CALL) return;
  uint64_t below = chain_from(w, x->func);
  if (below > w->heaviest) w->heaviest = below;
}

static uint64_t chain_from(const struct chain_walk *w, const struct ir_function *f) {
  if (w->chain[f->id]) return w->chain[f->id];
  struct chain_walk inner = {.weight = w->weight, .chain = w->chain};
  emit_walk_stmts(f->body, visit_chain, &inner);
  return w->chain[f->id] = inner.heaviest + w->weight[f->id];
}

// The heaviest chain of calls, where none is recursive.
static uint64_t heaviest_chain(const struct emit *e, const uint64_t *weight) {
  size_t n = e->m->functions.count;
  struct chain_walk w = {.weight = weight, .chain = ARENA_ARRAY(e->arena, uint64_t, n + 1)};
  assert(!has_recursion(e));
  for (size_t i = 0; i < n; i++) {
    uint64_t c = chain_from(&w, e->m->functions.data[i]);
    if (c > w.heaviest) w.heaviest = c;
  }
  return w.heaviest;
}

static bool calls_nest_deeply(const struct emit *e) {
  if (has_recursion(e)) return true;
  uint64_t *one = ARENA_ARRAY(e->arena, uint64_t, e->m->functions.count + 1);
  for (size_t i = 0; i < e->m->functions.count; i++) one[i] = 1;
  return heaviest_chain(e, one) > IR_CALL_DEPTH;
}

// --- stack ---

// What a compiler adds: saved registers, the return address, values that it keeps over calls.
static uint64_t frame_bytes(uint64_t words) { return (words + 32) * sizeof(int64_t); }

// Of recursive functions IR_CALL_DEPTH calls can be open at once, of any other one.
uint64_t emit_stack_bytes(const struct emit *e) {
  size_t n = e->m->functions.count;
  uint64_t *bytes = ARENA_ARRAY(e->arena, uint64_t, n + 1), largest = 0, others = 0;
  for (size_t i = 0; i < n; i++) bytes[i] = frame_bytes(0);
  for (size_t i = 0; i < e->instances.count; i++) {
    const struct emit_instance *k = e->instances.data[i];
    uint64_t b = frame_bytes(k->frame_words);
    if (b > bytes[k->func->id]) bytes[k->func->id] = b;
  }
  for (size_t i = 0; i < n; i++) {
    if (!e->recursive[i]) others += bytes[i];
    if (e->recursive[i] && bytes[i] > largest) largest = bytes[i];
  }
  if (!has_recursion(e)) others = heaviest_chain(e, bytes);
  return frame_bytes(e->root_words) + largest * IR_CALL_DEPTH + others;
}

static bool is_cover(const struct ir_stmt *s) { return s->kind == IR_COVER; }

void emit_functions_init(struct emit *e) {
  const struct ir_model *m = e->m;
  find_impure(e);
  find_recursive(e);
  e->depth_used = calls_nest_deeply(e);
  for (size_t i = 0; i < m->functions.count; i++)
    e->covers_used |= emit_has_stmt(m->functions.data[i]->body, is_cover);
  for (size_t i = 0; i < m->rules.count; i++)
    e->covers_used |= emit_has_stmt(m->rules.data[i]->body, is_cover);
}

// --- instances ---

static bool same_leaves(const struct emit *e, uint64_t a, uint64_t b, uint64_t count) {
  const struct ir_leaf *leaf = e->m->layout->leaf;
  for (uint64_t i = 0; i < count; i++) {
    const struct ir_leaf *p = &leaf[a + i], *q = &leaf[b + i];
    if (p->width != q->width || p->undef != q->undef || !ir_type_same(p->type, q->type))
      return false;
  }
  return true;
}

static bool same_binding(const struct emit *e, const struct ir_local *l,
                         const struct emit_binding *a, const struct emit_binding *b) {
  if (l->kind != IR_LOCAL_REF) return a->defined == b->defined;
  if (a->in_state != b->in_state) return false;
  return !a->in_state || a->leaf == b->leaf || same_leaves(e, a->leaf, b->leaf, l->type->leaves);
}

// --- definitions ---

bool emit_instance_value(const struct emit_instance *n) {
  return !n->fails && n->func->result && ir_type_scalar(n->func->result);
}

static void signature(struct emit *e, struct text *out, const struct emit_instance *n) {
  const struct ir_function *f = n->func;
  bool value = emit_instance_value(n);
  text_printf(out, "static %s f%u_%u(uint64_t *s",
              n->fails ? "uint32_t"
              : value  ? "int64_t"
                       : "void",
              f->id, n->number);
  if (e->depth_used) text_add(out, ", uint32_t depth");
  if (e->covers_used) text_add(out, ", uint64_t *covers");
  for (uint32_t i = 0; i < f->param_count; i++) {
    const struct ir_local *l = f->frame.locals[i];
    const char *type = "int64_t ";
    if (l->kind == IR_LOCAL_REF)
      type = n->bindings[i].in_state ? "uint32_t " : "int64_t *";
    else if (!ir_type_scalar(l->type))
      type = "const int64_t *";
    text_printf(out, ", %sl%u", type, i);
  }
  if (f->result && !value) text_add(out, ", int64_t *result");
  text_char(out, ')');
}

// Does control never pass beyond these statements?
static bool always_returns(const struct ir_stmt *s) {
  for (; s; s = s->next) {
    if (s->kind == IR_RETURN) return true;
    if (s->kind == IR_IF && always_returns(s->body) && always_returns(s->other)) return true;
  }
  return false;
}

static void definition(struct emit *e, struct emit_instance *n) {
  const struct ir_function *f = n->func;
  emit_line(e, "// %s \"%s\"", f->result ? "function" : "procedure", emit_escape(e, f->name));
  signature(e, e->out, n);
  text_add(e->out, " {\n");
  e->instance = n;
  e->indent = 1;
  emit_frame(e, &f->frame, NULL, f->body);
  emit_stmts(e, f->body);
  if (f->result && !always_returns(f->body)) {
    e->may_fail = true;
    emit_line(e, "return fathom_fault(%u);", f->site);
  } else if (n->fails && !always_returns(f->body)) {
    emit_line(e, "return 1;");
  }
  n->frame_words = e->words_max;
  e->indent = 0;
  emit_line(e, "}\n");
}

// Writes the definition aside and says whether it can fail.
static bool define_aside(struct emit *e, struct emit_instance *n, struct text *code, bool probing) {
  e->out = code;
  e->probing = probing;
  e->ordered = e->may_fail = false;
  definition(e, n);
  return e->may_fail;
}

// Writes a function, in the middle of writing another; what is known of that one comes back.
static void define(struct emit *e, struct emit_instance *n) {
  struct emit caller = *e;
  struct text nowhere = {0}, code = {0};
  n->fails = define_aside(e, n, &nowhere, true) || e->depth_used;
  define_aside(e, n, &code, false);
  n->written = true;
  text_add(e->functions, text_str(&code));
  text_clear(&nowhere);
  text_clear(&code);
  e->out = caller.out;
  e->indent = caller.indent;
  e->temps = caller.temps;
  e->line = caller.line;
  e->instance = caller.instance;
  e->boxed = caller.boxed;
  e->bound = caller.bound;
  e->open = caller.open;
  e->probing = caller.probing;
  e->ranges.round++;
  e->words = caller.words;
  e->words_max = caller.words_max;
  e->may_fail = caller.may_fail;
  e->ordered = caller.ordered;
}

static struct emit_instance *instance_new(struct emit *e, const struct ir_function *f,
                                          struct emit_binding *bindings, uint32_t number) {
  struct emit_instance *n = ARENA_NEW(e->arena, struct emit_instance);
  *n = (struct emit_instance){.func = f, .bindings = bindings, .number = number, .fails = true};
  VEC_PUSH(&e->instances, n);
  if (!e->depth_used) define(e, n); // else the nesting might be too deep for us, too
  return n;
}

static const struct emit_instance *instance_of(struct emit *e, const struct ir_function *f,
                                               struct emit_binding *bindings) {
  uint32_t number = 0;
  for (size_t i = 0; i < e->instances.count; i++) {
    struct emit_instance *old = e->instances.data[i];
    if (old->func != f) continue;
    bool same = true;
    for (uint32_t k = 0; k < f->param_count; k++)
      same &= same_binding(e, f->frame.locals[k], &old->bindings[k], &bindings[k]);
    if (same) return old;
    number++;
  }
  return instance_new(e, f, bindings, number);
}

// --- calls ---

// A scalar by value: handed on when it is one of the parameter's values, or undefined where the
// parameter may be.
static const char *scalar_argument(struct emit *e, const struct ir_local *l,
                                   const struct ir_expr *x, uint32_t range_site,
                                   struct emit_binding *b) {
  const char *v;
  b->defined = !(l->may_undef && ir_expr_lvalue(x));
  if (!b->defined) {
    struct emit_place p = emit_place(e, x);
    b->defined = emit_always_defined(e, x) || emit_place_defined(e, &p);
    v = emit_peek(e, &p);
    if (e->ordered) v = emit_keep(e, v);
  } else {
    v = emit_expr(e, x);
  }
  if (emit_fits(e, x, l->type)) return v;
  v = emit_simple(e, v);
  const char *outside = emit_outside(e, l->type, v);
  if (!b->defined) outside = emit_format(e, "%s != FATHOM_UNDEF && %s", v, outside);
  emit_fail_if(e, outside, range_site);
  return v;
}

static const char *argument(struct emit *e, const struct ir_local *l, const struct ir_expr *x,
                            uint32_t range_site, struct emit_binding *b) {
  if (l->kind != IR_LOCAL_REF && ir_type_scalar(l->type))
    return scalar_argument(e, l, x, range_site, b);
  struct emit_place p = emit_place(e, x);
  if (l->kind == IR_LOCAL_REF) {
    *b = (struct emit_binding){.in_state = p.kind == EMIT_STATE, .leaf = p.leaf};
    return emit_reference(e, &p);
  }
  struct emit_place copy = emit_cells(e, l->type);
  emit_copy(e, &copy, &p);
  return copy.root;
}

// Evaluates the arguments; `call` becomes the call without its end.
static const struct emit_instance *begin_call(struct emit *e, const struct ir_expr *x,
                                              struct text *call) {
  const struct ir_function *f = x->func;
  struct emit_binding *bindings = ARENA_ARRAY(e->arena, struct emit_binding, f->param_count + 1);
  struct text args = {0};
  if (e->depth_used && e->instance)
    emit_fail_if(e, emit_format(e, "depth >= %d", IR_CALL_DEPTH), x->site);
  if (e->depth_used) text_add(&args, e->instance ? ", depth + 1" : ", 1");
  if (e->covers_used) text_add(&args, ", covers");
  for (uint32_t i = 0; i < f->param_count; i++)
    text_printf(&args, ", %s",
                argument(e, f->frame.locals[i], x->args[i], x->site + 1, &bindings[i]));
  const struct emit_instance *callee = instance_of(e, f, bindings);
  text_printf(call, "f%u_%u((uint64_t *)s%s", f->id, callee->number, text_str(&args));
  text_clear(&args);
  return callee;
}

// Writes the call, with its last argument if it has one more.
static void end_call(struct emit *e, const struct emit_instance *callee, struct text *call,
                     const char *result) {
  const char *name = emit_escape(e, callee->func->name);
  if (result) text_printf(call, ", %s", result);
  if (callee->fails) {
    const char *t = emit_temp(e);
    e->may_fail = true;
    emit_line(e, "const uint32_t %s = %s); // \"%s\"", t, text_str(call), name);
    emit_line(e, "if (FATHOM_UNLIKELY(%s != 1)) return %s;", t, t);
  } else {
    emit_line(e, "%s); // \"%s\"", text_str(call), name);
  }
}

void emit_call(struct emit *e, const struct ir_expr *x, const struct emit_place *result) {
  struct text call = {0};
  const struct emit_instance *callee = begin_call(e, x, &call);
  end_call(e, callee, &call, result ? result->root : NULL);
  text_clear(&call);
}

const char *emit_call_value(struct emit *e, const struct ir_expr *x) {
  struct text call = {0};
  const struct emit_instance *callee = begin_call(e, x, &call);
  const char *value = emit_temp(e);
  if (emit_instance_value(callee)) {
    emit_line(e, "const int64_t %s = %s); // \"%s\"", value, text_str(&call),
              emit_escape(e, x->func->name));
  } else {
    emit_line(e, "int64_t %s = 0;", value);
    end_call(e, callee, &call, emit_format(e, "&%s", value));
  }
  text_clear(&call);
  return value;
}

// --- all of them ---

// Inlined into a recursive function its frame would be there once for each call.
static bool stays_apart(const struct emit *e, const struct emit_instance *n) {
  return n->frame_words > (e->depth_used ? EMIT_WORDS_SMALL : EMIT_WORDS_LARGE);
}

void emit_functions(struct emit *e, struct text *prototypes) {
  for (size_t i = 0; i < e->instances.count; i++) { // grows as bodies call
    struct emit_instance *n = e->instances.data[i];
    if (!n->written) define(e, n);
    if (stays_apart(e, n)) text_add(prototypes, "__attribute__((noinline)) ");
    signature(e, prototypes, n);
    text_add(prototypes, ";\n");
  }
}
