// SPDX-License-Identifier: Apache-2.0
// isl behind its wrapper: numbers in and out, affine functions, sets and what is asked of them. isl
// goes on after an error (a limit, memory) with NULL, which every function here hands on.
#include "hybrid/presburger_own.h"

#include <gmp.h>

struct presburger {
  isl_ctx *ctx;
};

#define SIMPLE_OPERATIONS 20000 // to make a set simpler, at most

// --- limits ---

static void *number_realloc(void *p, size_t old, size_t bytes) {
  (void)old;
  return mem_realloc(p, bytes);
}

static void number_free(void *p, size_t bytes) {
  (void)bytes;
  mem_free(p);
}

struct presburger *presburger_new(void) {
  struct presburger *p = mem_zalloc(1, sizeof *p);
  mp_set_memory_functions(mem_alloc, number_realloc, number_free); // GMP's own abort the program
  p->ctx = isl_ctx_alloc();
  if (!p->ctx) mem_exhausted(sizeof *p);
  isl_options_set_on_error(p->ctx, ISL_ON_ERROR_CONTINUE);
  return p;
}

void presburger_free(struct presburger *p) {
  if (!p) return;
  isl_ctx_free(p->ctx);
  mem_free(p);
}

void presburger_begin(struct presburger *p, uint64_t operations) {
  isl_ctx_reset_error(p->ctx);
  isl_ctx_reset_operations(p->ctx);
  isl_ctx_set_max_operations(p->ctx, operations);
}

bool presburger_failed(const struct presburger *p) {
  return isl_ctx_last_error(p->ctx) != isl_error_none;
}

const char *presburger_why(const struct presburger *p) {
  return isl_ctx_last_error(p->ctx) == isl_error_alloc ? "memory" : "operations";
}

// --- numbers ---

static isl_val *val(isl_ctx *ctx, zint v) {
  if (v >= INT64_MIN && v <= INT64_MAX) return isl_val_int_from_si(ctx, (long)v);
  unsigned __int128 u = v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;
  uint64_t chunks[2] = {(uint64_t)u, (uint64_t)(u >> 64)};
  isl_val *r = isl_val_int_from_chunks(ctx, 2, sizeof chunks[0], chunks);
  return v < 0 ? isl_val_neg(r) : r;
}

static bool large_number(isl_val *v, zint *out) {
  uint64_t chunks[2] = {0, 0};
  isl_size n = v && isl_val_is_int(v) == isl_bool_true ? isl_val_n_abs_num_chunks(v, 8) : -1;
  bool ok = n >= 0 && n <= 2 && isl_val_get_abs_num_chunks(v, 8, chunks) == isl_stat_ok;
  if (!ok || chunks[1] >> 62) return false;
  *out = (zint)((unsigned __int128)chunks[1] << 64 | chunks[0]);
  if (isl_val_is_neg(v) == isl_bool_true) *out = -*out;
  return true;
}

bool presburger_number(isl_val *v, zint *out) {
  bool ok = v != NULL;
  if (ok && isl_val_is_zero(v) == isl_bool_true)
    *out = 0;
  else if (ok && isl_val_is_int(v) == isl_bool_true && isl_val_cmp_si(v, INT32_MAX) <= 0 &&
           isl_val_cmp_si(v, INT32_MIN) >= 0)
    *out = isl_val_get_num_si(v);
  else
    ok = large_number(v, out);
  isl_val_free(v);
  return ok;
}

// --- affine functions ---

static isl_local_space *local_space(struct presburger *p, unsigned dims) {
  return isl_local_space_from_space(isl_space_set_alloc(p->ctx, 0, dims));
}

zaff *zaff_const(struct presburger *p, unsigned dims, zint value) {
  return isl_aff_val_on_domain(local_space(p, dims), val(p->ctx, value));
}

zaff *zaff_dim(struct presburger *p, unsigned dims, unsigned dim) {
  return isl_aff_var_on_domain(local_space(p, dims), isl_dim_set, dim);
}

zaff *zaff_copy(const zaff *a) { return isl_aff_copy((zaff *)a); }

void zaff_drop(zaff *a) { isl_aff_free(a); }

zaff *zaff_add(const zaff *a, const zaff *b) { return isl_aff_add(zaff_copy(a), zaff_copy(b)); }

zaff *zaff_sub(const zaff *a, const zaff *b) { return isl_aff_sub(zaff_copy(a), zaff_copy(b)); }

zaff *zaff_scale(const zaff *a, zint factor) {
  return a ? isl_aff_scale_val(zaff_copy(a), val(isl_aff_get_ctx((zaff *)a), factor)) : NULL;
}

zaff *zaff_shift(const zaff *a, zint by) {
  return a ? isl_aff_add_constant_val(zaff_copy(a), val(isl_aff_get_ctx((zaff *)a), by)) : NULL;
}

zaff *zaff_floor(const zaff *a, zint divisor) {
  if (!a) return NULL;
  isl_val *by = val(isl_aff_get_ctx((zaff *)a), divisor);
  return isl_aff_floor(isl_aff_scale_down_val(zaff_copy(a), by));
}

// --- making sets ---

zset *zset_all(struct presburger *p, unsigned dims) {
  return isl_set_universe(isl_space_set_alloc(p->ctx, 0, dims));
}

zset *zset_none(struct presburger *p, unsigned dims) {
  return isl_set_empty(isl_space_set_alloc(p->ctx, 0, dims));
}

zset *zset_point(struct presburger *p, unsigned dims, const zint *values) {
  isl_point *point = isl_point_zero(isl_space_set_alloc(p->ctx, 0, dims));
  for (unsigned i = 0; i < dims; i++)
    point = isl_point_set_coordinate_val(point, isl_dim_set, (int)i, val(p->ctx, values[i]));
  return isl_set_from_point(point);
}

zset *zset_copy(const zset *a) { return isl_set_copy((zset *)a); }

void zset_drop(zset *a) { isl_set_free(a); }

void zset_take(zset **to, zset *a) {
  isl_set_free(*to);
  *to = a;
}

unsigned zset_dims(const zset *a) {
  isl_size n = a ? isl_set_dim((zset *)a, isl_dim_set) : 0;
  return n < 0 ? 0 : (unsigned)n;
}

zset *zset_at_most(const zaff *a, zint bound) {
  return presburger_set(isl_aff_neg_basic_set(zaff_shift(a, -bound - 1)));
}

zset *zset_at_least(const zaff *a, zint bound) {
  zaff *negated = zaff_scale(a, -1);
  zset *r = zset_at_most(negated, -bound);
  zaff_drop(negated);
  return r;
}

zset *zset_is(const zaff *a, zint value) {
  return presburger_set(isl_aff_zero_basic_set(zaff_shift(a, -value)));
}

zset *zset_is_not(const zaff *a, zint value) {
  return isl_set_union(zset_at_most(a, value - 1), zset_at_least(a, value + 1));
}

zset *zset_within(const zset *a, unsigned dim, zint lo, zint hi) {
  if (!a) return NULL;
  isl_ctx *ctx = isl_set_get_ctx((zset *)a);
  zset *r = isl_set_lower_bound_val(zset_copy(a), isl_dim_set, dim, val(ctx, lo));
  return isl_set_upper_bound_val(r, isl_dim_set, dim, val(ctx, hi));
}

// --- sets out of sets ---

zset *zset_meet(const zset *a, const zset *b) {
  return isl_set_intersect(zset_copy(a), zset_copy(b));
}

zset *zset_join(const zset *a, const zset *b) { return isl_set_union(zset_copy(a), zset_copy(b)); }

zset *zset_minus(const zset *a, const zset *b) {
  return isl_set_subtract(zset_copy(a), zset_copy(b));
}

zset *zset_extend(const zset *a, unsigned dims) {
  return dims ? isl_set_add_dims(zset_copy(a), isl_dim_set, dims) : zset_copy(a);
}

zset *zset_project(const zset *a, unsigned first, unsigned count) {
  return count ? isl_set_project_out(zset_copy(a), isl_dim_set, first, count) : zset_copy(a);
}

static isl_multi_aff *function(isl_ctx *ctx, unsigned from, zaff *const *to, unsigned count) {
  isl_space *space = isl_space_alloc(ctx, 0, from, count);
  isl_aff_list *list = isl_aff_list_alloc(ctx, (int)count);
  for (unsigned i = 0; i < count; i++) list = isl_aff_list_add(list, zaff_copy(to[i]));
  return isl_multi_aff_from_aff_list(space, list);
}

// Is there a polyhedron with quantified numbers?
static bool is_quantified(const zset *a) {
  isl_basic_set_list *list = presburger_polyhedra(a);
  bool found = false;
  for (size_t i = 0; i < zset_polyhedra(a) && !found; i++) {
    isl_basic_set *b = isl_basic_set_list_get_basic_set(list, (int)i);
    found = isl_basic_set_dim(b, isl_dim_div) > 0;
    isl_basic_set_free(b);
  }
  isl_basic_set_list_free(list);
  return found;
}

// x mod 17 = 2 between 0 and 16 is x = 2.
static zset *tidied(zset *a) { return a && is_quantified(a) ? isl_set_detect_equalities(a) : a; }

// With one more coordinate behind the others for each of these functions.
static zset *with_functions(zset *a, zaff *const *to, unsigned count) {
  unsigned dims = zset_dims(a), more = 0;
  for (unsigned i = 0; i < count; i++) more += to[i] != NULL;
  a = isl_set_add_dims(a, isl_dim_set, more);
  for (unsigned i = 0, at = dims; i < count; i++) {
    if (!to[i]) continue;
    zaff *f = isl_aff_add_dims(zaff_copy(to[i]), isl_dim_in, more);
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(a));
    zaff *own = isl_aff_var_on_domain(space, isl_dim_set, at++);
    a = isl_set_intersect(a, presburger_set(isl_aff_zero_basic_set(isl_aff_sub(own, f))));
  }
  return a;
}

// Without those coordinates below `dims` that are not kept.
static zset *without_others(zset *a, unsigned dims, const int *keep, zaff *const *to,
                            unsigned count) {
  unsigned end = dims; // those from here on are done
  for (unsigned i = count; i-- > 0;) {
    if (to[i]) continue;
    unsigned kept = (unsigned)keep[i];
    if (end > kept + 1) a = isl_set_project_out(a, isl_dim_set, kept + 1, end - kept - 1);
    end = kept;
  }
  return end ? isl_set_project_out(a, isl_dim_set, 0, end) : a;
}

// By way of a parameter: isl moves nothing inside of a tuple.
static zset *moved(zset *a, unsigned from, unsigned to) {
  if (from == to) return a;
  a = isl_set_move_dims(a, isl_dim_param, 0, isl_dim_set, from, 1);
  return isl_set_move_dims(a, isl_dim_set, to, isl_dim_param, 0, 1);
}

zset *zset_image(const zset *a, const int *keep, zaff *const *to, unsigned count) {
  if (!a) return NULL;
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++) kept += to[i] == NULL;
  zset *r = with_functions(zset_copy(a), to, count);
  r = without_others(r, zset_dims(a), keep, to, count);
  for (unsigned i = 0, at = kept; i < count; i++)
    if (to[i]) r = moved(r, at++, i);
  return tidied(r);
}

zset *zset_before(const zset *a, zaff *const *to, unsigned count, unsigned dims) {
  if (!a) return NULL;
  isl_multi_aff *f = function(isl_set_get_ctx((zset *)a), dims, to, count);
  return isl_set_preimage_multi_aff(zset_copy(a), f);
}

// --- questions ---

int zset_empty(const zset *a) { return (int)isl_set_is_empty((zset *)a); }

int zset_part(const zset *a, const zset *b) { return (int)isl_set_is_subset((zset *)a, (zset *)b); }

int zset_same(const zset *a, const zset *b) {
  return (int)isl_set_plain_is_equal((zset *)a, (zset *)b);
}

int zset_meets(const zset *a, const zset *b) {
  isl_bool apart = isl_set_is_disjoint((zset *)a, (zset *)b);
  return apart == isl_bool_error ? -1 : apart == isl_bool_false;
}

size_t zset_polyhedra(const zset *a) {
  isl_size n = a ? isl_set_n_basic_set((zset *)a) : 0;
  return n < 0 ? 0 : (size_t)n;
}

// --- polyhedra ---

zset *zset_some(const zset *a, size_t first, size_t count) {
  if (!a) return NULL;
  isl_basic_set_list *list = presburger_polyhedra(a);
  zset *r = isl_set_empty(isl_set_get_space((zset *)a));
  for (size_t i = first; i < first + count; i++)
    r = isl_set_union(r, presburger_set(isl_basic_set_list_get_basic_set(list, (int)i)));
  isl_basic_set_list_free(list);
  return r;
}

void zset_split(const zset *a, zset **out) {
  isl_basic_set_list *list = presburger_polyhedra(a);
  for (size_t i = 0; i < zset_polyhedra(a); i++)
    out[i] = presburger_set(isl_basic_set_list_get_basic_set(list, (int)i));
  isl_basic_set_list_free(list);
}

// --- fewer polyhedra ---

// Its polyhedra with quantified numbers (integer divisions), or those without.
static zset *polyhedra_with(const zset *a, bool quantified) {
  isl_basic_set_list *list = presburger_polyhedra(a);
  zset *r = isl_set_empty(isl_set_get_space((zset *)a));
  for (size_t i = 0; i < zset_polyhedra(a); i++) {
    isl_basic_set *b = isl_basic_set_list_get_basic_set(list, (int)i);
    isl_size n = isl_basic_set_dim(b, isl_dim_div);
    if (n >= 0 && (n > 0) == quantified)
      r = isl_set_union(r, presburger_set(b));
    else
      isl_basic_set_free(b);
  }
  isl_basic_set_list_free(list);
  return r;
}

// isl 0.25 makes { x mod 3 = 0 and 0 <= x <= 6 or 0 <= x <= 1 } larger than it is: with quantified
// numbers the result counts only if it holds nothing new. Takes a.
static zset *coalesced(struct presburger *p, zset *a, bool quantified) {
  if (zset_polyhedra(a) < 2) return a;
  presburger_begin(p, SIMPLE_OPERATIONS);
  zset *r = isl_set_coalesce(zset_copy(a));
  bool right =
      r && (!quantified || (zset_polyhedra(r) < zset_polyhedra(a) && zset_part(r, a) == 1));
  presburger_begin(p, 0);
  zset_drop(right ? a : r);
  return right ? r : a;
}

zset *zset_simple(struct presburger *p, const zset *a) {
  if (!a || zset_polyhedra(a) < 2) return zset_copy(a);
  zset *plain = coalesced(p, polyhedra_with(a, false), false);
  return isl_set_union(plain, coalesced(p, polyhedra_with(a, true), true));
}

// A polyhedron that holds two.
static isl_basic_set *hull_of(isl_basic_set_list *list, int i, int k) {
  zset *both = isl_set_union(presburger_set(isl_basic_set_list_get_basic_set(list, i)),
                             presburger_set(isl_basic_set_list_get_basic_set(list, k)));
  return isl_set_simple_hull(both);
}

// The pair whose hull keeps most constraints becomes that hull.
static isl_basic_set_list *merge_nearest(isl_basic_set_list *list, int count) {
  isl_basic_set *best = NULL;
  int first = 0, second = 1;
  isl_size most = -1;
  for (int i = 0; i < count; i++) {
    for (int k = i + 1; k < count; k++) {
      isl_basic_set *hull = hull_of(list, i, k);
      isl_size n = isl_basic_set_n_constraint(hull);
      if (n > most) {
        isl_basic_set_free(best);
        best = isl_basic_set_copy(hull);
        most = n, first = i, second = k;
      }
      isl_basic_set_free(hull);
    }
  }
  list = isl_basic_set_list_drop(list, (unsigned)second, 1);
  return isl_basic_set_list_set_basic_set(list, first, best);
}

#define HULL_PAIRS 8 // of more polyhedra the last ones are merged without looking

zset *zset_hull(const zset *a, size_t most) {
  zset *plain = isl_set_remove_divs(zset_copy(a));
  if (!plain || zset_polyhedra(plain) <= most) return plain;
  if (most <= 1) return presburger_set(isl_set_simple_hull(plain));
  size_t head = most + HULL_PAIRS, count = zset_polyhedra(plain);
  isl_basic_set_list *list = presburger_polyhedra(plain);
  if (count > head) {
    zset *tail = zset_some(plain, head - 1, count - head + 1);
    list = isl_basic_set_list_drop(list, (unsigned)(head - 1), (unsigned)(count - head + 1));
    list = isl_basic_set_list_add(list, isl_set_simple_hull(tail));
    count = head;
  }
  for (; count > most && list; count--) list = merge_nearest(list, (int)count);
  zset *r = isl_set_empty(isl_set_get_space(plain));
  for (size_t i = 0; i < count; i++)
    r = isl_set_union(r, presburger_set(isl_basic_set_list_get_basic_set(list, (int)i)));
  isl_basic_set_list_free(list);
  isl_set_free(plain);
  return r;
}
