// SPDX-License-Identifier: Apache-2.0
// Handshakes: a send on a channel without room and a receive of another process are one rule. It
// belongs to the sender; afterwards only the receiver may go on atomically, as in SPIN's verifier,
// which looks at the last transition alone.
#include "front/promela/lower.h"

bool lower_may_meet(struct lower *w, const struct seat *s, const struct ast_stmt *stmt) {
  const struct seat *outer = w->seat;
  w->seat = s;
  const struct channel *known = lower_static_channel(w, stmt->lhs);
  bool may = known && lower_is_rendezvous(known);
  struct numbers n = lower_numbers_of(w, stmt->lhs);
  for (size_t i = 0; !known && i < w->channels.count; i++) {
    const struct channel *c = &w->channels.data[i];
    may |= lower_is_rendezvous(c) && lower_may_be(&n, c);
  }
  w->seat = outer;
  return may;
}

// --- a pair that may meet ---

struct pair {
  const struct seat *s, *r;
  const struct pml_edge *send, *receive; // edges of the two graphs
  const struct ast_stmt *pattern;        // the receiving statement; inside a d_step, its first
  struct message sent, wanted;
  struct ir_expr *meet;         // same channel, matching message
  bool known;                   // which channel it is
  const struct channel *fields; // whose fields the message goes through; NULL: not known
};

static void pair_clear(struct pair *p) {
  lower_message_clear(&p->sent);
  lower_message_clear(&p->wanted);
}

static struct ir_expr *rendezvous_of(struct lower *w, const struct channel *c,
                                     struct ir_expr *index, const void *user) {
  (void)index;
  (void)user;
  return ir_bool(w->m, lower_is_rendezvous(c), c->sym->span);
}

static bool may_be_same(const struct lower *w, const struct chan_ref *a, const struct chan_ref *b,
                        struct width n) {
  for (size_t i = 0; i < w->channels.count; i++) {
    const struct channel *c = &w->channels.data[i];
    if (lower_is_rendezvous(c) && c->decl->field_count == n.fields && lower_may_be(&a->may, c) &&
        lower_may_be(&b->may, c))
      return true;
  }
  return false;
}

// Both mean the same channel, and it is a rendezvous one.
static struct ir_expr *same_channel(struct lower *w, struct chan_ref a, struct chan_ref b,
                                    struct width n) {
  if (a.known && b.known && a.known != b.known) return lower_false(w);
  const struct channel *c = a.known ? a.known : b.known;
  if (!c && !may_be_same(w, &a, &b, n)) return lower_false(w);
  if (c && !lower_may_be(a.known ? &b.may : &a.may, c) && !(a.known && b.known))
    return lower_false(w);
  if (c && (!lower_is_rendezvous(c) || c->decl->field_count != n.fields)) return lower_false(w);
  struct ir_expr *same = a.known && b.known ? lower_binary(w, IR_EQ, a.index, b.index, a.span)
                                            : lower_binary(w, IR_EQ, a.number, b.number, a.span);
  if (c) return same;
  return lower_and(w, same, lower_ask_channel(w, a, n, rendezvous_of, NULL, lower_false(w)));
}

// Where the channel is not known, any rendezvous one with that many fields.
static const struct channel *like(const struct lower *w, uint32_t fields) {
  for (size_t i = 0; i < w->channels.count; i++) {
    const struct channel *c = &w->channels.data[i];
    if (lower_is_rendezvous(c) && c->decl->field_count == fields) return c;
  }
  return NULL;
}

static struct ir_expr *through(struct lower *w, const struct pair *p, uint32_t i) {
  return lower_fit(w, &p->fields->decl->fields[i], p->sent.fields.data[i].value);
}

// The value that must match is none of those that are ever sent here. Not of fields that keep only
// some bits of what is sent.
static bool never_sent(struct lower *w, const struct pair *p, uint32_t i) {
  int64_t v;
  if (!p->known || !ir_expr_const(p->wanted.fields.data[i].value, &v)) return false;
  enum ast_base base = p->fields->decl->fields[i].base;
  if (base == AST_BIT || base == AST_UNSIGNED) return false;
  const struct seat *outer = w->seat;
  w->seat = p->s;
  struct numbers n = lower_numbers_of(w, p->send->stmt->args[i]);
  w->seat = outer;
  return v >= 0 && v < 256 && !lower_has_number(&n, (uint32_t)v);
}

static const struct ast_stmt *receives(const struct pml_edge *e) {
  if (e->kind == PML_EDGE_D_STEP) e = lower_dstep_receives(e);
  if (!e || e->kind != PML_EDGE_STMT || !e->stmt) return NULL;
  return e->stmt->kind == AST_RECEIVE && !e->stmt->keep ? e->stmt : NULL;
}

// Fills in the pair; false when the two can never meet.
static bool pair_up(struct lower *w, struct pair *p) {
  p->pattern = receives(p->receive);
  if (!p->pattern || !lower_may_meet(w, p->r, p->pattern)) return false;
  w->seat = p->s;
  lower_sent(w, &p->sent, p->send->stmt);
  struct chan_ref from = lower_channel(w, p->send->stmt->lhs);
  w->seat = p->r;
  lower_pattern(w, &p->wanted, p->pattern->args, p->pattern->arg_count);
  struct chan_ref to = lower_channel(w, p->pattern->lhs);
  w->seat = NULL;
  uint32_t n = (uint32_t)p->sent.fields.count;
  if (p->wanted.fields.count > n) return false;
  p->meet = same_channel(w, from, to, (struct width){.fields = n});
  p->known = from.known || to.known;
  p->fields = from.known ? from.known : to.known ? to.known : like(w, n);
  if (lower_is_false(p->meet) || !p->fields) return false;
  for (uint32_t i = 0; i < p->wanted.fields.count; i++) {
    struct ir_expr *want = p->wanted.fields.data[i].value;
    if (want && never_sent(w, p, i)) return false;
    if (want)
      p->meet =
          lower_and(w, p->meet, lower_binary(w, IR_EQ, through(w, p, i), want, p->send->span));
  }
  return !lower_is_false(p->meet);
}

typedef void each_pair(struct lower *w, struct pair *p, void *user);

static void pairs_with(struct lower *w, struct pair p, each_pair *each, void *user) {
  const struct pml_graph *g = &p.r->proc->graph;
  for (uint32_t i = 0; i < g->states.count; i++) {
    for (uint32_t j = 0; p.r->place[i] && j < g->states.data[i].edge_count; j++) {
      struct pair q = {.s = p.s, .send = p.send, .r = p.r};
      q.receive = &g->edges.data[g->states.data[i].edges[j]];
      if (!receives(q.receive)) continue;
      each(w, &q, user);
      pair_clear(&q);
    }
  }
}

static void pairs(struct lower *w, const struct seat *s, const struct pml_edge *e, each_pair *each,
                  void *user) {
  for (size_t i = 0; i < w->seats.count; i++) {
    const struct seat *r = w->seats.data[i];
    if (r->pid != s->pid) pairs_with(w, (struct pair){.s = s, .send = e, .r = r}, each, user);
  }
}

// --- can it happen? ---

static struct ir_expr *partner_there(struct lower *w, const struct pair *p) {
  struct ir_expr *x = lower_equal(w, lower_at(w, p->r), p->r->place[p->receive->from]);
  return lower_and(w, x, lower_permitted(w, p->r));
}

// The receiver is held back by an escape only if that could receive the very same message.
static struct ir_expr *not_escaped(struct lower *w, const struct pair *p) {
  const struct pml_graph *g = &p->r->proc->graph;
  const struct pml_state *from = &g->states.data[p->receive->from];
  struct ir_expr *x = lower_true(w);
  for (uint32_t i = 0; i < from->edge_count; i++) {
    struct pair q = {.s = p->s, .send = p->send, .r = p->r};
    q.receive = &g->edges.data[from->edges[i]];
    if (q.receive->escape <= p->receive->escape || !receives(q.receive)) continue;
    if (pair_up(w, &q)) x = lower_and(w, x, lower_not(w, q.meet));
    pair_clear(&q);
  }
  return x;
}

static void or_pair(struct lower *w, struct pair *p, void *user) {
  struct ir_expr **x = user;
  if (pair_up(w, p)) *x = lower_or(w, *x, lower_and(w, partner_there(w, p), p->meet));
}

struct ir_expr *lower_rendezvous_executable(struct lower *w, const struct seat *s,
                                            const struct pml_edge *e) {
  const struct seat *outer = w->seat;
  struct ir_expr *x = lower_false(w);
  pairs(w, s, e, or_pair, &x);
  w->seat = outer;
  return x;
}

// --- the rules ---

static bool reads_state(const struct ir_expr *e) {
  if (e->op == IR_VAR) return true;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (reads_state(e->args[i])) return true;
  return false;
}

// All that is sent is evaluated before anything is received.
static void hand_over(struct lower *w, struct pair *p, struct ir_chain *out) {
  uint32_t n = (uint32_t)p->wanted.fields.count, places = 0;
  for (uint32_t i = 0; i < n; i++) places += p->wanted.fields.data[i].place != NULL;
  struct ir_expr **v = mem_zalloc(n + 1, sizeof(*v));
  for (uint32_t i = 0; i < n; i++) {
    v[i] = through(w, p, i);
    if (places > 1 && p->wanted.fields.data[i].place && reads_state(v[i]))
      v[i] = lower_temporary(w, v[i], out);
  }
  for (uint32_t i = 0; i < n; i++) {
    const struct field *f = &p->wanted.fields.data[i];
    if (f->place) lower_assign(w, f->place, lower_fit(w, f->type, v[i]), out, p->pattern->span);
  }
  mem_free(v);
}

static void move_sender(struct lower *w, const struct pair *p, struct ir_chain *out) {
  const struct seat *s = p->s;
  if (s->place[p->send->to] == s->place[p->send->from]) return;
  struct ir_expr *to = lower_number(w, s->place[p->send->to], p->send->span);
  lower_assign(w, lower_at(w, s), to, out, p->send->span);
}

static void pair_rule(struct lower *w, struct pair *p, void *user) {
  (void)user;
  struct ir_frame scratch = {0};
  w->frame = &scratch;
  if (!pair_up(w, p)) return;
  const char *name = arena_printf(w->prog->syntax, "%s %s -> %s %s", lower_name(w, p->s),
                                  p->send->text, lower_name(w, p->r), p->receive->shown);
  struct ir_rule *r = lower_rule_new(w, p->s, name, p->send->span);
  r->partner = p->r->var;
  if (scratch.count) { // again, in the rule's frame
    pair_clear(p);
    pair_up(w, p);
  }
  r->guard = lower_and(w, lower_there(w, p->s, p->send->from), partner_there(w, p));
  r->guard = lower_and(w, r->guard, p->meet);
  r->guard = lower_and(w, r->guard, lower_permitted(w, p->s));
  r->guard = lower_and(w, r->guard, lower_not_escaped(w, p->s, p->send));
  r->guard = lower_and(w, r->guard, not_escaped(w, p));
  lower_line(w, r, p->s, p->send);
  lower_line(w, r, p->r, p->receive);
  struct ir_chain out = {0};
  hand_over(w, p, &out);
  move_sender(w, p, &out);
  if (p->receive->kind == PML_EDGE_D_STEP) lower_dstep_rest(w, p->r, p->receive, &out);
  lower_reset_dead(w, p->s, p->send, &out);
  lower_reset_dead(w, p->r, p->receive, &out);
  if (w->last)
    lower_assign(w, ir_var_ref(w->m, w->last, p->send->span),
                 lower_number(w, p->r->pid, p->send->span), &out, p->send->span);
  bool atomic = lower_arrive(w, p->r, p->receive, r, &out);
  lower_hold(w, atomic ? (int64_t)p->r->pid + 1 : 0, p->s->held[p->send->from], &out);
  r->body = out.first;
}

void lower_rendezvous(struct lower *w, const struct seat *s, const struct pml_edge *e) {
  pairs(w, s, e, pair_rule, NULL);
  w->seat = NULL;
}
