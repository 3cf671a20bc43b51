// SPDX-License-Identifier: Apache-2.0
// Parts of a result as JSON. Private to the files that know Jansson, json*.c.
#pragma once

#include "report/report.h"

#include <jansson.h>

// Null for NULL; what is not UTF-8 becomes question marks.
json_t *report_json_string(const char *s);
// "hints", "flows" and "race" of a result; null where the search has none.
void report_json_hints(json_t *result, const struct report_hints *h);
// "bdd", "bmc" and "hybrid" of a result; null for other engines.
void report_json_reasoning(json_t *result, const struct report_run *run);
json_t *report_json_guided(const struct report_guided *g); // null for NULL

#define REPORT_JSON_SCHEMA    "fathom-result/1"
#define REPORT_JSON_ENDS      4 // of enum trace_end
#define REPORT_JSON_DEADLOCKS 3 // of enum ir_deadlock
extern const char *const report_json_ends[REPORT_JSON_ENDS];
extern const char *const report_json_deadlocks[REPORT_JSON_DEADLOCKS];
json_t *report_json_trace(const struct ir_model *m, const struct trace *t, const struct replay *r);
