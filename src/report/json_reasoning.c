// SPDX-License-Identifier: Apache-2.0
// Settings of engines that reason, and of abstractions, as JSON (docs/json.md).
#include "report/json.h"

json_t *report_json_guided(const struct report_guided *g) {
  if (g == NULL) return json_null();
  json_t *o = json_object(), *weights = json_array();
  json_object_set_new(o, "abstract_depth",
                      g->abstract_depth >= 0 ? json_integer(g->abstract_depth) : json_null());
  json_object_set_new(o, "strength", report_json_string(g->strength));
  json_object_set_new(o, "strength_leaves", json_integer((json_int_t)g->strengths));
  json_object_set_new(o, "pattern", report_json_string(g->pattern));
  json_object_set_new(o, "pattern_nodes",
                      g->pattern_nodes > 0 ? json_integer((json_int_t)g->pattern_nodes)
                                           : json_null());
  json_array_append_new(weights, json_real(g->weight_h));
  json_array_append_new(weights, json_real(g->weight_g));
  json_object_set_new(o, "weights", weights);
  return o;
}

static json_t *make_bdd(const struct report_bdd *b) {
  if (b == NULL) return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "reorder", report_json_string(b->reorder));
  json_object_set_new(o, "reorder_every", json_integer((json_int_t)b->reorder_every));
  json_object_set_new(o, "order", report_json_string(b->order));
  json_object_set_new(o, "order_names", json_integer((json_int_t)b->names));
  json_object_set_new(o, "order_unknown", json_integer((json_int_t)b->names_unknown));
  json_object_set_new(o, "order_written", report_json_string(b->order_out));
  json_object_set_new(o, "cone", json_boolean(b->cone));
  json_object_set_new(o, "guided", report_json_guided(b->guided));
  return o;
}

static json_t *make_bmc(const struct report_bmc *b) {
  if (b == NULL) return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "proof", report_json_string(b->proof));
  json_object_set_new(o, "cone", json_boolean(b->cone));
  json_object_set_new(o, "depth_max",
                      b->depth_max > 0 ? json_integer((json_int_t)b->depth_max) : json_null());
  return o;
}

static json_t *make_hybrid(const struct report_hybrid *h) {
  if (h == NULL) return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "reached", json_boolean(h->reached));
  json_object_set_new(o, "partition", json_boolean(h->partition));
  json_object_set_new(o, "tsize", json_integer((json_int_t)h->tsize));
  json_object_set_new(o, "isize", json_integer((json_int_t)h->isize));
  json_object_set_new(o, "fsize", json_integer((json_int_t)h->fsize));
  json_object_set_new(o, "path_depth", json_integer((json_int_t)h->path_depth));
  json_object_set_new(o, "path_seconds", json_real(h->path_seconds));
  json_object_set_new(o, "glh_seconds", json_real(h->glh_seconds));
  json_object_set_new(o, "polyhedra", json_integer((json_int_t)h->polyhedra));
  json_object_set_new(o, "depth_max",
                      h->depth_max > 0 ? json_integer((json_int_t)h->depth_max) : json_null());
  return o;
}

void report_json_reasoning(json_t *result, const struct report_run *run) {
  json_object_set_new(result, "bdd", make_bdd(run->bdd));
  json_object_set_new(result, "bmc", make_bmc(run->bmc));
  json_object_set_new(result, "hybrid", make_hybrid(run->hybrid));
}
