// SPDX-License-Identifier: Apache-2.0
// Z3, loaded when it is first asked for. One context and one incremental solver; assertions stay,
// questions come as assumptions. While a question is asked, a second thread looks at the clock, the
// memory and the caller's goes_on, and interrupts.
#include "hybrid/smt.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <z3.h>

#define LOOK_NANOSECONDS 20000000 // between two looks of the second thread

#define FUNCTIONS(F)                                                                               \
  F(mk_config)                                                                                     \
  F(del_config)                                                                                    \
  F(set_param_value)                                                                               \
  F(mk_context)                                                                                    \
  F(del_context)                                                                                   \
  F(set_error_handler)                                                                             \
  F(get_error_code)                                                                                \
  F(get_error_msg)                                                                                 \
  F(interrupt)                                                                                     \
  F(mk_simple_solver)                                                                              \
  F(solver_inc_ref)                                                                                \
  F(solver_dec_ref)                                                                                \
  F(solver_push)                                                                                   \
  F(solver_pop)                                                                                    \
  F(solver_assert)                                                                                 \
  F(solver_check_assumptions)                                                                      \
  F(solver_get_model)                                                                              \
  F(solver_get_reason_unknown)                                                                     \
  F(model_inc_ref)                                                                                 \
  F(model_dec_ref)                                                                                 \
  F(model_eval)                                                                                    \
  F(get_numeral_int64)                                                                             \
  F(get_numeral_uint64)                                                                            \
  F(get_bool_value)                                                                                \
  F(get_sort)                                                                                      \
  F(get_sort_kind)                                                                                 \
  F(get_bv_sort_size)                                                                              \
  F(mk_string_symbol)                                                                              \
  F(mk_int_sort)                                                                                   \
  F(mk_bool_sort)                                                                                  \
  F(mk_bv_sort)                                                                                    \
  F(mk_const)                                                                                      \
  F(mk_int64)                                                                                      \
  F(mk_unsigned_int64)                                                                             \
  F(mk_numeral)                                                                                    \
  F(mk_add)                                                                                        \
  F(mk_sub)                                                                                        \
  F(mk_mul)                                                                                        \
  F(mk_div)                                                                                        \
  F(mk_mod)                                                                                        \
  F(mk_le)                                                                                         \
  F(mk_true)                                                                                       \
  F(mk_false)                                                                                      \
  F(mk_not)                                                                                        \
  F(mk_and)                                                                                        \
  F(mk_or)                                                                                         \
  F(mk_implies)                                                                                    \
  F(mk_eq)                                                                                         \
  F(mk_ite)                                                                                        \
  F(mk_bvadd)                                                                                      \
  F(mk_bvsub)                                                                                      \
  F(mk_bvmul)                                                                                      \
  F(mk_bvsdiv)                                                                                     \
  F(mk_bvudiv)                                                                                     \
  F(mk_bvsrem)                                                                                     \
  F(mk_bvurem)                                                                                     \
  F(mk_bvand)                                                                                      \
  F(mk_bvor)                                                                                       \
  F(mk_bvxor)                                                                                      \
  F(mk_bvshl)                                                                                      \
  F(mk_bvlshr)                                                                                     \
  F(mk_bvashr)                                                                                     \
  F(mk_bvslt)                                                                                      \
  F(mk_bvult)                                                                                      \
  F(mk_extract)                                                                                    \
  F(mk_sign_ext)                                                                                   \
  F(mk_zero_ext)

struct z3 {
  void *library;
#define FIELD(name) __typeof__(Z3_##name) *name;
  FUNCTIONS(FIELD)
#undef FIELD
};

struct smt {
  struct z3 z3;
  Z3_context z;
  Z3_solver solver;
  Z3_model model; // of the last yes; NULL
  Z3_sort int_sort, bool_sort;
  smt_term given, never; // Booleans: assumed in every question; false
  struct smt_config config;
  bool broken; // a question was interrupted
  const char *why;
  char said[80];
  // The second thread. All below is under the lock.
  pthread_t watch;
  pthread_mutex_t lock;
  pthread_cond_t change;
  bool asking, over;
  double until; // 0: no limit
  const char *stopped;
};

// --- life ---

static bool load(struct z3 *z, struct text *why) {
  z->library = dlopen(FATHOM_Z3, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!z->library) {
    text_printf(why, "Z3 is not there (%s)", FATHOM_Z3);
    return false;
  }
  const char *missing = NULL;
#define LOAD(name)                                                                                 \
  *(void **)&z->name = dlsym(z->library, "Z3_" #name);                                             \
  if (!z->name) missing = #name;
  FUNCTIONS(LOAD)
#undef LOAD
  if (!missing) return true;
  text_printf(why, "Z3 has no function %s", missing);
  dlclose(z->library);
  return false;
}

// An error leaves its code behind: whoever calls asks for it.
static void on_error(Z3_context z, Z3_error_code code) {
  (void)z;
  (void)code;
}

static const char *trouble(const struct smt *s) {
  if (s->config.goes_on && !s->config.goes_on(s->config.context)) return "interrupted";
  if (s->config.mem_bytes && mem_resident() > s->config.mem_bytes) return "memory";
  if (s->until > 0 && clock_seconds() > s->until) return "time";
  return NULL;
}

static void wait_a_moment(struct smt *s) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += LOOK_NANOSECONDS;
  if (t.tv_nsec >= 1000000000) {
    t.tv_nsec -= 1000000000;
    t.tv_sec++;
  }
  pthread_cond_timedwait(&s->change, &s->lock, &t);
}

static void *watch(void *context) {
  struct smt *s = context;
  pthread_mutex_lock(&s->lock);
  while (!s->over) {
    if (!s->asking) {
      pthread_cond_wait(&s->change, &s->lock);
      continue;
    }
    wait_a_moment(s);
    if (!s->asking) continue;
    if (!s->stopped) s->stopped = trouble(s);
    if (!s->stopped) continue;
    s->broken = true;
    s->z3.interrupt(s->z);
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

struct smt *smt_new(const struct smt_config *c, struct text *why) {
  struct smt *s = mem_zalloc(1, sizeof *s);
  if (!load(&s->z3, why)) {
    mem_free(s);
    return NULL;
  }
  s->config = *c;
  Z3_config config = s->z3.mk_config();
  s->z3.set_param_value(config, "model", "true");
  s->z = s->z3.mk_context(config);
  s->z3.del_config(config);
  s->z3.set_error_handler(s->z, on_error);
  s->solver = s->z3.mk_simple_solver(s->z);
  s->z3.solver_inc_ref(s->z, s->solver);
  s->int_sort = s->z3.mk_int_sort(s->z);
  s->bool_sort = s->z3.mk_bool_sort(s->z);
  s->given = smt_truth(s, "given");
  s->never = smt_truth(s, "never");
  smt_assert(s, smt_not(s, s->never));
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->change, NULL);
  if (pthread_create(&s->watch, NULL, watch, s) != 0) mem_exhausted(0);
  return s;
}

void smt_free(struct smt *s) {
  if (!s) return;
  pthread_mutex_lock(&s->lock);
  s->over = true;
  pthread_cond_signal(&s->change);
  pthread_mutex_unlock(&s->lock);
  pthread_join(s->watch, NULL);
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->change);
  if (s->model) s->z3.model_dec_ref(s->z, s->model);
  s->z3.solver_dec_ref(s->z, s->solver);
  s->z3.del_context(s->z);
  dlclose(s->z3.library);
  mem_free(s);
}

// --- integers ---

static smt_term variable(struct smt *s, const char *name, Z3_sort sort) {
  return s->z3.mk_const(s->z, s->z3.mk_string_symbol(s->z, name), sort);
}

smt_term smt_int(struct smt *s, const char *name) { return variable(s, name, s->int_sort); }

smt_term smt_number(struct smt *s, int64_t value) {
  return s->z3.mk_int64(s->z, value, s->int_sort);
}

smt_term smt_power(struct smt *s, unsigned bits) {
  static const char *const two_to_64 = "18446744073709551616";
  if (bits == 64) return s->z3.mk_numeral(s->z, two_to_64, s->int_sort);
  return s->z3.mk_unsigned_int64(s->z, UINT64_C(1) << bits, s->int_sort);
}

smt_term smt_add(struct smt *s, smt_term a, smt_term b) {
  return s->z3.mk_add(s->z, 2, (Z3_ast[]){a, b});
}

smt_term smt_sub(struct smt *s, smt_term a, smt_term b) {
  return s->z3.mk_sub(s->z, 2, (Z3_ast[]){a, b});
}

smt_term smt_mul(struct smt *s, smt_term a, smt_term b) {
  return s->z3.mk_mul(s->z, 2, (Z3_ast[]){a, b});
}

smt_term smt_times(struct smt *s, int64_t factor, smt_term a) {
  return factor == 1 ? a : smt_mul(s, smt_number(s, factor), a);
}

smt_term smt_div(struct smt *s, smt_term a, smt_term b) { return s->z3.mk_div(s->z, a, b); }

smt_term smt_mod(struct smt *s, smt_term a, smt_term b) { return s->z3.mk_mod(s->z, a, b); }

smt_term smt_le(struct smt *s, smt_term a, smt_term b) { return s->z3.mk_le(s->z, a, b); }

// --- bit vectors ---

smt_term smt_bits(struct smt *s, const char *name, unsigned bits) {
  return variable(s, name, s->z3.mk_bv_sort(s->z, bits));
}

smt_term smt_bits_number(struct smt *s, int64_t value, unsigned bits) {
  uint64_t ones = bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
  Z3_sort sort = s->z3.mk_bv_sort(s->z, bits < 64 ? bits : 64);
  smt_term a = s->z3.mk_unsigned_int64(s->z, (uint64_t)value & ones, sort);
  return bits > 64 ? smt_extend(s, a, bits - 64, true) : a;
}

smt_term smt_bits_binary(struct smt *s, enum smt_bits_op op, smt_term a, smt_term b) {
  const struct z3 *z = &s->z3;
  switch (op) {
  case SMT_ADD: return z->mk_bvadd(s->z, a, b);
  case SMT_SUB: return z->mk_bvsub(s->z, a, b);
  case SMT_MUL: return z->mk_bvmul(s->z, a, b);
  case SMT_SDIV: return z->mk_bvsdiv(s->z, a, b);
  case SMT_UDIV: return z->mk_bvudiv(s->z, a, b);
  case SMT_SREM: return z->mk_bvsrem(s->z, a, b);
  case SMT_UREM: return z->mk_bvurem(s->z, a, b);
  case SMT_AND: return z->mk_bvand(s->z, a, b);
  case SMT_OR: return z->mk_bvor(s->z, a, b);
  case SMT_XOR: return z->mk_bvxor(s->z, a, b);
  case SMT_SHL: return z->mk_bvshl(s->z, a, b);
  case SMT_LSHR: return z->mk_bvlshr(s->z, a, b);
  case SMT_ASHR: return z->mk_bvashr(s->z, a, b);
  case SMT_SLT: return z->mk_bvslt(s->z, a, b);
  case SMT_ULT: return z->mk_bvult(s->z, a, b);
  }
  return NULL;
}

unsigned smt_width(struct smt *s, smt_term a) {
  return s->z3.get_bv_sort_size(s->z, s->z3.get_sort(s->z, a));
}

smt_term smt_extract(struct smt *s, smt_term a, unsigned high, unsigned low) {
  return s->z3.mk_extract(s->z, high, low, a);
}

smt_term smt_extend(struct smt *s, smt_term a, unsigned by, bool is_signed) {
  if (by == 0) return a;
  return is_signed ? s->z3.mk_sign_ext(s->z, by, a) : s->z3.mk_zero_ext(s->z, by, a);
}

// --- both ---

smt_term smt_truth(struct smt *s, const char *name) { return variable(s, name, s->bool_sort); }

smt_term smt_bool(struct smt *s, bool value) {
  return value ? s->z3.mk_true(s->z) : s->z3.mk_false(s->z);
}

smt_term smt_not(struct smt *s, smt_term a) { return s->z3.mk_not(s->z, a); }

smt_term smt_and(struct smt *s, const smt_term *args, unsigned count) {
  if (count == 1) return args[0];
  return s->z3.mk_and(s->z, count, (const Z3_ast *)args);
}

smt_term smt_or(struct smt *s, const smt_term *args, unsigned count) {
  if (count == 1) return args[0];
  return s->z3.mk_or(s->z, count, (const Z3_ast *)args);
}

smt_term smt_implies(struct smt *s, smt_term a, smt_term b) { return s->z3.mk_implies(s->z, a, b); }

smt_term smt_equal(struct smt *s, smt_term a, smt_term b) { return s->z3.mk_eq(s->z, a, b); }

smt_term smt_ite(struct smt *s, smt_term c, smt_term a, smt_term b) {
  return s->z3.mk_ite(s->z, c, a, b);
}

// --- questions ---

void smt_push(struct smt *s) { s->z3.solver_push(s->z, s->solver); }

void smt_pop(struct smt *s) { s->z3.solver_pop(s->z, s->solver, 1); }

void smt_assert(struct smt *s, smt_term a) { s->z3.solver_assert(s->z, s->solver, a); }

void smt_assert_fact(struct smt *s, smt_term a) { smt_assert(s, smt_implies(s, s->given, a)); }

bool smt_broken(const struct smt *s) { return s->broken; }

void smt_digest(struct smt *s) {
  s->z3.solver_check_assumptions(s->z, s->solver, 1, (Z3_ast[]){s->never});
}

// False: there is no use in asking.
static bool begin(struct smt *s, double seconds) {
  pthread_mutex_lock(&s->lock);
  s->asking = true;
  s->until = seconds > 0 ? clock_seconds() + seconds : 0;
  s->stopped = trouble(s);
  pthread_cond_signal(&s->change);
  bool goes_on = !s->stopped;
  pthread_mutex_unlock(&s->lock);
  return goes_on;
}

static void end(struct smt *s) {
  pthread_mutex_lock(&s->lock);
  s->asking = false;
  pthread_mutex_unlock(&s->lock);
}

static void tell_unknown(struct smt *s) {
  const char *z3 = s->z3.get_error_code(s->z) == Z3_OK
                       ? s->z3.solver_get_reason_unknown(s->z, s->solver)
                       : s->z3.get_error_msg(s->z, s->z3.get_error_code(s->z));
  snprintf(s->said, sizeof s->said, "%s", z3 ? z3 : "");
  s->why = s->stopped ? s->stopped : strstr(s->said, "memory") ? "memory" : s->said;
}

enum smt_answer smt_check(struct smt *s, const smt_term *assumptions, unsigned count,
                          double seconds) {
  if (s->model) s->z3.model_dec_ref(s->z, s->model);
  s->model = NULL;
  bool goes_on = begin(s, seconds);
  Z3_lbool answer = Z3_L_UNDEF;
  Z3_ast *all = mem_alloc((count + 1) * sizeof *all);
  for (unsigned i = 0; i < count; i++) all[i] = assumptions[i];
  all[count] = s->given;
  if (goes_on) answer = s->z3.solver_check_assumptions(s->z, s->solver, count + 1, all);
  mem_free(all);
  end(s);
  if (answer == Z3_L_FALSE) return SMT_NO;
  if (answer == Z3_L_UNDEF) {
    tell_unknown(s);
    return SMT_UNKNOWN;
  }
  s->model = s->z3.solver_get_model(s->z, s->solver);
  if (s->model) s->z3.model_inc_ref(s->z, s->model);
  return SMT_YES;
}

const char *smt_why(struct smt *s) { return s->why; }

int64_t smt_value(struct smt *s, smt_term a, bool is_signed) {
  Z3_ast v = NULL;
  uint64_t bits = 0;
  int64_t number = 0;
  assert(s->model);
  if (!s->z3.model_eval(s->z, s->model, a, true, &v)) return 0;
  Z3_sort sort = s->z3.get_sort(s->z, v);
  Z3_sort_kind kind = s->z3.get_sort_kind(s->z, sort);
  if (kind == Z3_BOOL_SORT) return s->z3.get_bool_value(s->z, v) == Z3_L_TRUE;
  if (kind == Z3_INT_SORT) {
    if (!s->z3.get_numeral_int64(s->z, v, &number)) return 0;
    return number;
  }
  if (!s->z3.get_numeral_uint64(s->z, v, &bits)) return 0;
  unsigned width = s->z3.get_bv_sort_size(s->z, sort);
  if (is_signed && width < 64 && bits >> (width - 1)) bits |= ~UINT64_C(0) << width;
  return (int64_t)bits;
}
