// SPDX-License-Identifier: Apache-2.0
// Symbolic execution of statements. Loops are written out, round by round; those whose end is not
// seen after many rounds are refused.
#include "relation/exec.h"

#include <inttypes.h>

enum {
  ROUNDS_MAX = 100000, // of a loop whose condition is constantly true
  NESTED_MAX = 2000,   // of rounds that may, or may not, be the last one
};

// --- writing ---

static void assign(struct exec *e, const struct ir_stmt *s) {
  const struct term *v = exec_value(e, s->expr);
  struct place p = exec_place(e, s->lhs);
  exec_fault(e, term_not(e->terms, exec_has(e, s->lhs->type, v)), s->site);
  if (!exec_dead(e)) exec_store(e, &p, 0, (struct pair){v, e->yes});
}

static void copy(struct exec *e, const struct ir_stmt *s) {
  struct place from = exec_place(e, s->expr), to = exec_place(e, s->lhs);
  uint64_t n = s->lhs->type->leaves;
  struct pair *all = ARENA_ARRAY(e->scratch, struct pair, n + 1);
  for (uint64_t i = 0; i < n; i++) all[i] = exec_load(e, &from, i);
  for (uint64_t i = 0; i < n; i++) exec_store(e, &to, i, all[i]);
}

static void fill(struct exec *e, const struct place *p, uint64_t at, const struct ir_type *t,
                 bool undefined) {
  if (t->kind == IR_TYPE_ARRAY) {
    for (uint64_t i = 0; i < t->leaves; i += t->elem->leaves)
      fill(e, p, at + i, t->elem, undefined);
  } else if (t->kind == IR_TYPE_RECORD) {
    for (uint32_t i = 0; i < t->field_count; i++)
      fill(e, p, at + t->fields[i].leaf, t->fields[i].type, undefined);
  } else {
    struct pair first = {term_const(e->terms, ir_type_value(t, 0)), e->yes};
    exec_store(e, p, at, undefined ? exec_undefined(e, t) : first);
  }
}

static void fill_lhs(struct exec *e, const struct ir_stmt *s) {
  struct place p = exec_place(e, s->lhs);
  if (s->kind == IR_SORT)
    exec_sort(e, &p, s->lhs->type);
  else
    fill(e, &p, 0, s->lhs->type, s->kind == IR_UNDEFINE);
}

static void give_back(struct exec *e, const struct ir_stmt *s) {
  if (s->expr && ir_type_scalar(s->expr->type)) {
    exec_write(e, e->result, (struct pair){exec_value(e, s->expr), e->yes});
  } else if (s->expr) {
    struct place p = exec_place(e, s->expr);
    for (uint64_t i = 0; i < s->expr->type->leaves; i++)
      exec_write(e, e->result + i, exec_load(e, &p, i));
  }
  e->running = e->no;
}

// --- branches ---

static void branch(struct exec *e, const struct term *when, const struct ir_stmt *body,
                   const struct ir_stmt *other) {
  int decided = exec_decided(e, when);
  if (decided >= 0) return exec_body(e, decided ? body : other);
  struct branch b;
  exec_open(e, &b, when);
  exec_body(e, body);
  exec_turn(e, &b);
  exec_body(e, other);
  exec_close(e, &b);
}

// Is the value one of those of the case? A later one is evaluated where those before are not equal.
static const struct term *matches(struct exec *e, const struct ir_case *c, const struct term *v) {
  const struct term *r = e->no;
  for (uint32_t i = 0; i < c->value_count && !term_is(r, 1); i++) {
    struct branch b;
    exec_open(e, &b, term_not(e->terms, r));
    const struct term *k = exec_value(e, c->values[i]);
    exec_turn(e, &b);
    exec_close(e, &b);
    r = term_or(e->terms, r, term_binary(e->terms, TERM_EQ, k, v));
  }
  return r;
}

static void choose_case(struct exec *e, const struct ir_case *c, const struct term *v) {
  for (; c && !exec_dead(e); c = c->next) {
    if (c->value_count == 0) return exec_body(e, c->body);
    const struct term *when = matches(e, c, v);
    int decided = exec_decided(e, when);
    if (decided == 1) return exec_body(e, c->body);
    if (decided == 0) continue;
    struct branch b;
    exec_open(e, &b, when);
    exec_body(e, c->body);
    exec_turn(e, &b);
    choose_case(e, c->next, v);
    return exec_close(e, &b);
  }
}

// --- loops ---

static void each(struct exec *e, const struct ir_stmt *s) {
  struct turns turns;
  exec_domain(e, s->domain, s->site, &turns);
  for (size_t i = 0; i < turns.count && !exec_dead(e); i++) {
    exec_bind(e, s->local, turns.data[i].value);
    branch(e, term_and(e->terms, e->running, turns.data[i].when), s->body, NULL);
    if (term_is(e->running, 0)) return;
  }
}

static void loop(struct exec *e, const struct ir_stmt *s, uint64_t rounds, uint32_t nested);

// After a round: the next one, where the function has not returned.
static void go_on(struct exec *e, const struct ir_stmt *s, uint64_t rounds, uint32_t nested) {
  int decided = exec_decided(e, e->running);
  if (decided == 0 || exec_dead(e)) return;
  if (decided == 1) return loop(e, s, rounds, nested);
  struct branch b;
  exec_open(e, &b, e->running);
  loop(e, s, rounds, nested);
  exec_turn(e, &b);
  exec_close(e, &b);
}

static void loop(struct exec *e, const struct ir_stmt *s, uint64_t rounds, uint32_t nested) {
  size_t top = e->top;
  const struct term *when;
  for (;; rounds++) {
    when = exec_condition(e, s->expr);
    e->top = top;
    int decided = exec_decided(e, when);
    if (decided == 0 || exec_dead(e)) return;
    if (rounds >= s->limit) return exec_fault(e, when, s->site);
    if (rounds >= ROUNDS_MAX || nested >= NESTED_MAX)
      exec_refuse(e, "a loop does not end by itself after %" PRIu64 " rounds", rounds);
    if (decided < 0) break;
    exec_body(e, s->body);
    if (!term_is(e->running, 1)) return go_on(e, s, rounds + 1, nested + 1);
  }
  struct branch b;
  exec_open(e, &b, when);
  exec_body(e, s->body);
  go_on(e, s, rounds + 1, nested + 1);
  exec_turn(e, &b);
  exec_close(e, &b);
}

// --- what says something ---

static void cover(struct exec *e, const struct ir_stmt *s) {
  const struct term *when = exec_condition(e, s->expr);
  if (exec_dead(e)) return;
  struct relation_cover c = {s->cover, term_and(e->terms, e->base, when)};
  for (size_t i = 0; i < e->covers.count; i++)
    if (e->covers.data[i].property == c.property) {
      e->covers.data[i].when = term_or(e->terms, e->covers.data[i].when, c.when);
      return;
    }
  if (!term_is(c.when, 0)) VEC_PUSH(&e->covers, c);
}

// Nothing is printed, but finding out what would be can fail.
static void print(struct exec *e, const struct ir_stmt *s) {
  for (uint32_t i = 0; i < s->part_count; i++) {
    const struct ir_print *p = &s->parts[i];
    if (p->literal) continue;
    if (ir_expr_lvalue(p->expr) || !ir_type_scalar(p->expr->type))
      exec_place(e, p->expr);
    else
      exec_value(e, p->expr);
  }
}

static void statement(struct exec *e, const struct ir_stmt *s) {
  switch (s->kind) {
  case IR_ASSIGN: return assign(e, s);
  case IR_COPY: return copy(e, s);
  case IR_UNDEFINE:
  case IR_CLEAR:
  case IR_SORT: return fill_lhs(e, s);
  case IR_IF: return branch(e, exec_condition(e, s->expr), s->body, s->other);
  case IR_SWITCH: return choose_case(e, s->cases, exec_value(e, s->expr));
  case IR_FOR: return each(e, s);
  case IR_WHILE: return loop(e, s, 0, 0);
  case IR_CALL_STMT: exec_call(e, s->expr); return;
  case IR_RETURN: return give_back(e, s);
  case IR_ASSERT: return exec_fault(e, term_not(e->terms, exec_condition(e, s->expr)), s->site);
  case IR_ASSUME: return exec_assume(e, exec_condition(e, s->expr));
  case IR_COVER: return cover(e, s);
  case IR_PRINT: return print(e, s);
  case IR_FOREIGN: exec_refuse(e, "C code of the model");
  }
}

void exec_body(struct exec *e, const struct ir_stmt *s) {
  size_t top = e->top;
  for (; s && !exec_dead(e); s = s->next) {
    int decided = exec_decided(e, e->running);
    if (decided == 0) return;
    if (decided < 0) return branch(e, e->running, s, NULL); // the rest, where we are still here
    statement(e, s);
    exec_work(e, 1);
    e->top = top;
  }
}
