// SPDX-License-Identifier: Apache-2.0
// The reduced system against the whole one: the same states up to symmetry, rules fired as many as
// representatives allow, and traces that become real executions.
#include "model.h"

#include "sys/sys.h"
#include "trace/trace.h"

// A lock handed on through a queue: fields, references, a global.
static const char queue[] =
    "type pid : scalarset(4); l : enum {Idle, Waits, Holds}; var s : array [pid] of l;"
    "  next : array [pid] of pid; tail : pid;"
    "startstate begin for i : pid do s[i] := Idle; end; end;"
    "ruleset i : pid do"
    "  rule \"take\" s[i] = Idle & isundefined(tail) ==> begin s[i] := Holds; tail := i; end;"
    "  rule \"wait\" s[i] = Idle & !isundefined(tail) ==>"
    "    begin s[i] := Waits; next[tail] := i; tail := i; end;"
    "  rule \"pass\" s[i] = Holds & !isundefined(next[i]) ==>"
    "    begin s[i] := Idle; s[next[i]] := Holds; undefine next[i]; end;"
    "  rule \"free\" s[i] = Holds & isundefined(next[i]) ==>"
    "    begin s[i] := Idle; undefine tail; end;"
    "  rule \"stumble\" s[i] = Waits & s[tail] = Waits ==> begin assert s[tail] = Waits; end;"
    "end;";

// Messages in a multiset, two scalarsets.
static const char mail[] =
    "type pid : scalarset(3); key : scalarset(2);"
    "  msg : record from : pid; what : key; end;"
    "var net : multiset [3] of msg; knows : array [pid] of array [key] of boolean;"
    "startstate begin for i : pid do for k : key do knows[i][k] := false; end; end; end;"
    "ruleset i : pid; k : key do"
    "  rule \"learn\" !knows[i][k] ==> begin knows[i][k] := true; end;"
    "  rule \"send\" knows[i][k] & multisetcount(m : net, true) < 3 ==>"
    "    var m : msg; begin m.from := i; m.what := k; multisetadd(m, net); end;"
    "end;"
    "choose m : net do"
    "  rule \"receive\" begin knows[net[m].from][net[m].what] := false;"
    "    multisetremove(m, net); end;"
    "end;";

static struct sys *interpreted(const struct ir_model *m) {
  return sys_new(m, &(struct sys_config){.mode = SYS_INTERPRETED});
}

// What a search of a system finds, breadth first.
struct found {
  struct states states;
  uint64_t fired;
  struct origin {
    size_t parent;
    struct sys_step step;
  } * origins;
};

static void arrive(struct found *f, const struct sys_out *out, size_t parent) {
  for (size_t i = 0; i < out->count; i++) {
    size_t number = f->states.count;
    if (out->steps[i].site || !states_add(&f->states, out->words + i * f->states.words)) continue;
    f->origins[number] = (struct origin){parent, out->steps[i]};
  }
}

static struct found explore(struct sys *s) {
  struct found f = {.origins = calloc(1 << 16, sizeof *f.origins)};
  struct sys_out out;
  states_init(&f.states, s->words, 1 << 16);
  sys_out_init(&out, s->words, s->model->properties.count);
  s->starts(s, &out);
  arrive(&f, &out, SIZE_MAX);
  for (size_t i = 0; i < f.states.count; i++) {
    sys_out_reset(&out);
    s->expand(s, f.states.data + i * s->words, &out);
    f.fired += out.fired;
    arrive(&f, &out, i);
  }
  sys_out_clear(&out);
  return f;
}

static void found_clear(struct found *f) {
  states_clear(&f->states);
  free(f->origins);
}

static void test_same_up_to_symmetry(void **context) {
  (void)context;
  const char *texts[] = {queue, mail};
  for (size_t k = 0; k < 2; k++) {
    struct ir_model *m = load(texts[k]);
    struct sys *whole = interpreted(m), *inner = interpreted(m);
    struct sys *reduced = reduce_symmetry_new(inner, false);
    struct symmetry *y = symmetry_new(m, false);
    struct found all = explore(whole), few = explore(reduced);
    struct states seen;
    states_init(&seen, whole->words, 1 << 16);
    for (size_t i = 0; i < all.states.count; i++) {
      uint64_t *state = all.states.data + i * whole->words;
      symmetry_canonical(y, state);
      states_add(&seen, state);
    }
    assert_int_equal(seen.count, few.states.count);
    for (size_t i = 0; i < few.states.count; i++)
      assert_false(states_add(&seen, few.states.data + i * whole->words));
    assert_true(few.states.count * 4 < all.states.count);
    assert_true(few.fired * 4 < all.fired);
    found_clear(&all);
    found_clear(&few);
    states_clear(&seen);
    symmetry_free(y);
    sys_free(reduced);
    sys_free(inner);
    sys_free(whole);
    ir_model_free(m);
  }
}

// --- traces ---

static void canonical(void *context, uint64_t *state) { symmetry_canonical(context, state); }

static struct trace trace_to(const struct found *f, size_t number) {
  struct trace t = {.end = TRACE_WITNESS};
  for (; f->origins[number].parent != SIZE_MAX; number = f->origins[number].parent)
    VEC_PUSH(&t.steps, ((struct trace_step){f->origins[number].step.instance,
                                            f->origins[number].step.choice}));
  for (size_t i = 0, j = t.steps.count; i + 1 < j; i++) {
    struct trace_step last = t.steps.data[--j];
    t.steps.data[j] = t.steps.data[i];
    t.steps.data[i] = last;
  }
  t.start_instance = f->origins[number].step.instance;
  return t;
}

// Makes the trace real, replays it, and checks that it ends in a state symmetric to `end`.
static void expect_real(const struct ir_model *m, struct sys *inner, struct symmetry *y,
                        struct trace *t, const uint64_t *end) {
  struct replay r;
  assert_true(trace_concretise(t, inner, (struct trace_symmetry){canonical, y}));
  if (!trace_replay(t, m, IR_DEADLOCK_OFF, &r)) fail_msg("%s", r.problem);
  if (end) {
    uint64_t *last = r.states[r.count - 1].words;
    symmetry_canonical(y, last);
    assert_memory_equal(last, end, m->layout->words * sizeof *end);
  }
  replay_clear(&r);
}

static void test_traces(void **context) {
  (void)context;
  const char *texts[] = {queue, mail};
  for (size_t k = 0; k < 2; k++) {
    struct ir_model *m = load(texts[k]);
    struct sys *inner = interpreted(m), *reduced = reduce_symmetry_new(inner, false);
    struct symmetry *y = symmetry_new(m, false);
    struct found f = explore(reduced);
    for (size_t i = 0; i < f.states.count; i++) {
      struct trace t = trace_to(&f, i);
      expect_real(m, inner, y, &t, f.states.data + i * inner->words);
      trace_clear(&t);
    }
    found_clear(&f);
    symmetry_free(y);
    sys_free(reduced);
    sys_free(inner);
    ir_model_free(m);
  }
}

// Every element counts, so the names change all the time; the last step fails.
static const char walk[] =
    "type pid : scalarset(5); var n : 0..60000; c : array [pid] of 0..9; last : pid;"
    "startstate begin n := 0; for i : pid do c[i] := 0; end; end;"
    "ruleset i : pid do"
    "  rule \"count\" n < 50000 ==> begin n := n + 1; c[i] := (c[i] + 1) % 10; last := i; end;"
    "  rule \"fail\" n = 50000 & last = i ==> begin error \"enough\"; end;"
    "end;";

// A long walk through the reduced system, always by the step that the seed picks.
static void test_long_trace(void **context) {
  (void)context;
  struct ir_model *m = load(walk);
  struct sys *inner = interpreted(m), *reduced = reduce_symmetry_new(inner, false);
  struct symmetry *y = symmetry_new(m, false);
  struct trace t = {.end = TRACE_SITE};
  struct sys_out out;
  struct rng r;
  rng_init(&r, 3);
  sys_out_init(&out, inner->words, m->properties.count);
  uint64_t *state = calloc(inner->words, sizeof *state);
  reduced->starts(reduced, &out);
  for (size_t pick = 0; !t.id;) {
    memcpy(state, out.words + pick * inner->words, inner->words * sizeof *state);
    sys_out_reset(&out);
    reduced->expand(reduced, state, &out);
    assert_true(out.count > 0);
    pick = rng_below(&r, out.count);
    VEC_PUSH(&t.steps, ((struct trace_step){out.steps[pick].instance, out.steps[pick].choice}));
    t.id = out.steps[pick].site;
  }
  assert_int_equal(t.steps.count, 50001);
  double began = clock_seconds();
  expect_real(m, inner, y, &t, NULL);
  assert_true(clock_seconds() - began < 20);
  free(state);
  sys_out_clear(&out);
  trace_clear(&t);
  symmetry_free(y);
  sys_free(reduced);
  sys_free(inner);
  ir_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_up_to_symmetry),
      cmocka_unit_test(test_traces),
      cmocka_unit_test(test_long_trace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
