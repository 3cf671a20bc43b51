// SPDX-License-Identifier: Apache-2.0
// What the constraints of a set tell: bounds of its coordinates, values, the constraints
// themselves.
#include "hybrid/presburger_own.h"

typedef bool row_visit(void *context, bool equal, const zint *row, unsigned columns);

// The rows of a matrix: constant, coordinates, existentially quantified ones. Takes the matrix.
static bool matrix_rows(isl_mat *m, bool equal, row_visit *visit, void *context) {
  isl_size rows = isl_mat_rows(m), columns = isl_mat_cols(m);
  bool ok = rows >= 0 && columns >= 0;
  zint *row = mem_zalloc(ok ? (size_t)columns + 1 : 1, sizeof *row);
  for (int i = 0; ok && i < rows; i++) {
    for (int k = 0; ok && k < columns; k++)
      ok = presburger_number(isl_mat_get_element_val(m, i, k), &row[k]);
    ok = ok && visit(context, equal, row, (unsigned)columns);
  }
  mem_free(row);
  isl_mat_free(m);
  return ok;
}

static bool basic_rows(isl_basic_set *b, row_visit *visit, void *context) {
  return matrix_rows(isl_basic_set_equalities_matrix(b, isl_dim_cst, isl_dim_param, isl_dim_set,
                                                     isl_dim_div),
                     true, visit, context) &&
         matrix_rows(isl_basic_set_inequalities_matrix(b, isl_dim_cst, isl_dim_param, isl_dim_set,
                                                       isl_dim_div),
                     false, visit, context);
}

struct bounding {
  unsigned dims;
  zint *lo, *hi;
};

// Of a constraint on one coordinate alone.
static bool bound_row(void *context, bool equal, const zint *row, unsigned columns) {
  struct bounding *b = context;
  unsigned at = 0;
  for (unsigned k = 1; k < columns; k++) {
    if (row[k] && at) return true;
    if (row[k]) at = k;
  }
  if (!at || at > b->dims) return true;
  zint factor = row[at];
  if (factor > 0 || equal) { // factor * x + constant >= 0
    zint least = -floor_div(factor > 0 ? row[0] : -row[0], factor > 0 ? factor : -factor);
    if (least > b->lo[at - 1]) b->lo[at - 1] = least;
  }
  if (factor < 0 || equal) {
    zint most = floor_div(factor < 0 ? row[0] : -row[0], factor < 0 ? -factor : factor);
    if (most < b->hi[at - 1]) b->hi[at - 1] = most;
  }
  return true;
}

// Bounds of all are those that each polyhedron keeps.
static void widen(struct bounding *all, const struct bounding *one, bool first) {
  for (unsigned i = 0; i < all->dims; i++) {
    if (first || one->lo[i] < all->lo[i]) all->lo[i] = one->lo[i];
    if (first || one->hi[i] > all->hi[i]) all->hi[i] = one->hi[i];
  }
}

// Coordinates that have one value; true: all of them have.
static bool fixed_bounds(const zset *a, zint *lo, zint *hi) {
  isl_multi_val *fixed = isl_set_get_plain_multi_val_if_fixed((zset *)a);
  bool all = fixed != NULL;
  for (unsigned i = 0; fixed && i < zset_dims(a); i++) {
    isl_val *v = isl_multi_val_get_val(fixed, (int)i);
    zint only;
    if (isl_val_is_nan(v) == isl_bool_false && presburger_number(isl_val_copy(v), &only))
      lo[i] = hi[i] = only;
    else
      all = false;
    isl_val_free(v);
  }
  isl_multi_val_free(fixed);
  return all;
}

bool zset_bounds(const zset *a, zint *lo, zint *hi) {
  unsigned dims = zset_dims(a);
  size_t count = zset_polyhedra(a);
  if (!a || !count) return a != NULL;
  if (fixed_bounds(a, lo, hi)) return true;
  zint *room = mem_alloc((4 * (size_t)dims + 1) * sizeof *room);
  struct bounding one = {dims, room, room + dims};
  struct bounding all = {dims, room + 2 * dims, room + 3 * dims};
  isl_basic_set_list *list = presburger_polyhedra(a);
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) {
    for (unsigned k = 0; k < dims; k++) one.lo[k] = lo[k], one.hi[k] = hi[k];
    isl_basic_set *b = isl_basic_set_list_get_basic_set(list, (int)i);
    ok = basic_rows(b, bound_row, &one);
    isl_basic_set_free(b);
    widen(&all, &one, i == 0);
  }
  for (unsigned k = 0; k < dims && ok; k++) lo[k] = all.lo[k], hi[k] = all.hi[k];
  isl_basic_set_list_free(list);
  mem_free(room);
  return ok;
}

bool zset_range(const zset *a, const zaff *f, zint *lo, zint *hi) {
  return a && f && presburger_number(isl_set_min_val((zset *)a, (zaff *)f), lo) &&
         presburger_number(isl_set_max_val((zset *)a, (zaff *)f), hi);
}

bool zset_sample(const zset *a, int64_t *values) {
  isl_point *p = isl_set_sample_point(zset_copy(a));
  bool ok = p && isl_point_is_void(p) == isl_bool_false;
  for (unsigned i = 0; ok && i < zset_dims(a); i++) {
    zint v;
    ok = presburger_number(isl_point_get_coordinate_val(p, isl_dim_set, (int)i), &v);
    ok = ok && v >= INT64_MIN && v <= INT64_MAX;
    if (ok) values[i] = (int64_t)v;
  }
  isl_point_free(p);
  return ok;
}

struct telling {
  zrow_visit *visit;
  void *context;
  size_t polyhedron;
  unsigned unknowns;
};

static bool tell_row(void *context, bool equal, const zint *row, unsigned columns) {
  struct telling *t = context;
  int64_t *narrow = mem_alloc(columns * sizeof *narrow);
  bool ok = true;
  for (unsigned i = 0; i < columns && ok; i++) {
    ok = row[i] > INT64_MIN && row[i] <= INT64_MAX;
    narrow[i] = (int64_t)row[i];
  }
  struct zrow out = {equal, narrow[0], narrow + 1};
  ok = ok && t->visit(t->context, t->polyhedron, t->unknowns, &out);
  mem_free(narrow);
  return ok;
}

// What a quantified number can be: one row for its least value, one for its greatest.
static bool tell_bounds(struct telling *t, const zset *lifted, unsigned dim) {
  unsigned columns = zset_dims(lifted) + 1;
  zint lo, hi, *row = mem_zalloc(columns, sizeof *row);
  bool ok = presburger_number(isl_set_dim_min_val(zset_copy(lifted), (int)dim), &lo) &&
            presburger_number(isl_set_dim_max_val(zset_copy(lifted), (int)dim), &hi);
  if (ok) {
    row[0] = -lo, row[dim + 1] = 1;
    ok = tell_row(t, false, row, columns);
    row[0] = hi, row[dim + 1] = -1;
    ok = ok && tell_row(t, false, row, columns);
  }
  mem_free(row);
  return ok;
}

// Takes b. Its quantified numbers become coordinates behind the others.
static bool tell_basic(struct telling *t, isl_basic_set *b, unsigned dims) {
  b = isl_basic_set_flatten(isl_basic_set_lift(b));
  zset *lifted = presburger_set(isl_basic_set_copy(b));
  bool ok = lifted != NULL;
  t->unknowns = zset_dims(lifted) - dims;
  ok = ok && basic_rows(b, tell_row, t);
  for (unsigned i = 0; i < t->unknowns && ok; i++) ok = tell_bounds(t, lifted, dims + i);
  zset_drop(lifted);
  isl_basic_set_free(b);
  return ok;
}

bool zset_rows(const zset *a, zrow_visit *visit, void *context) {
  isl_basic_set_list *list = a ? presburger_polyhedra(a) : NULL;
  bool ok = list != NULL;
  for (size_t i = 0; ok && i < zset_polyhedra(a); i++) {
    struct telling t = {visit, context, i, 0};
    ok = tell_basic(&t, isl_basic_set_list_get_basic_set(list, (int)i), zset_dims(a));
  }
  isl_basic_set_list_free(list);
  return ok;
}
