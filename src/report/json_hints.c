// SPDX-License-Identifier: Apache-2.0
// Hints, flows and races as JSON (docs/json.md).
#include "report/json.h"

#include "guide/guide.h"

// 0: the search has no such setting.
static json_t *make_setting(uint64_t n) {
  return n > 0 ? json_integer((json_int_t)n) : json_null();
}

static json_t *make_pattern(const struct report_pattern *p) {
  if (p == NULL) return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "settings", report_json_guided(p->settings));
  json_object_set_new(o, "described", report_json_string(p->described));
  json_object_set_new(o, "aside", report_json_string(p->aside));
  json_object_set_new(o, "seconds", json_real(p->seconds));
  json_object_set_new(o, "shortest", json_boolean(p->shortest));
  json_object_set_new(o, "proves", json_boolean(p->proves));
  return o;
}

static json_t *make_hints(const struct report_hints *h) {
  json_t *o = json_object();
  json_object_set_new(o, "marks", report_json_string(h->marks));
  json_object_set_new(o, "heuristic", report_json_string(h->heuristic));
  json_object_set_new(o, "bias_limit", make_setting(h->bias_limit));
  json_object_set_new(o, "agents", make_setting(h->agents));
  json_object_set_new(o, "pattern", make_pattern(h->pattern));
  return o;
}

static json_t *make_flow(const struct guide_flow_report *f) {
  json_t *o = json_object(), *never = json_array();
  for (size_t i = 0; i < f->never.count; i++)
    json_array_append_new(never, report_json_string(f->never.data[i]));
  json_object_set_new(o, "name", report_json_string(f->name));
  json_object_set_new(o, "started", json_integer((json_int_t)f->started));
  json_object_set_new(o, "completed", json_integer((json_int_t)f->completed));
  json_object_set_new(o, "at_once", json_integer(f->at_once));
  json_object_set_new(o, "never", never);
  return o;
}

static json_t *make_flows(const struct report_hints *h) {
  if (h->flows == NULL) return json_null();
  json_t *o = json_object(), *list = json_array();
  for (size_t i = 0; i < h->flow_count; i++) json_array_append_new(list, make_flow(&h->flows[i]));
  json_object_set_new(o, "file", report_json_string(h->flows_path));
  json_object_set_new(o, "flows", list);
  json_object_set_new(o, "steps_lost", json_integer((json_int_t)h->flows_lost));
  return o;
}

static json_t *make_race(const struct report_race *r) {
  if (r->count == 0) return json_null();
  json_t *o = json_object(), *list = json_array();
  for (size_t i = 0; i < r->count; i++)
    json_array_append_new(list, report_json_string(r->searches[i]));
  json_object_set_new(o, "searches", list);
  json_object_set_new(o, "winner", report_json_string(r->winner));
  json_object_set_new(o, "figures_of", report_json_string(r->figures_of));
  return o;
}

void report_json_hints(json_t *result, const struct report_hints *h) {
  json_object_set_new(result, "hints", h != NULL ? make_hints(h) : json_null());
  json_object_set_new(result, "flows", h != NULL ? make_flows(h) : json_null());
  json_object_set_new(result, "race", h != NULL ? make_race(&h->race) : json_null());
}
