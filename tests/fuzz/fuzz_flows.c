// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, the reader of flows gives flows or located complaints, the readers of marks
// marks or a sentence, and none of them a crash; flows that are read can be followed.
#include "guide/guide.h"
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model_text[] =
    "model \"m\"; type Node : scalarset(3); type Mode : enum { Idle, Busy }; var x : bool;\n"
    "start \"s\" { x := true; }\n"
    "rule \"Send\" (i : Node) { x := true; }  rule \"Recv\" (i : Node) { x := false; }\n"
    "rule \"Grant\" (i : Node, k : 2..4) { x := true; }  rule \"odd, name\" (m : Mode) { x := "
    "true; }\n"
    "rule \"Tick\" { x := true; }\n";

static void follow(const struct guide_flows *f, const struct ir_model *m, const uint8_t *data,
                   size_t size) {
  static const uint32_t to[3] = {1, 2, 0};
  const struct guide_renaming turn = {m->rules.data[0]->frame.locals[0]->type, to};
  struct guide_monitor *o = guide_monitor_new(f, m, 0);
  uint32_t progress = 0;
  for (size_t i = 0; i < size; i++)
    progress = guide_monitor_step(o, progress, data[i] % m->rule_instances, &turn, data[i] >> 7);
  struct guide_flow_report *reports;
  size_t n = guide_monitor_report(o, &reports);
  guide_flow_reports_free(reports, n);
  guide_monitor_free(o);
}

static void read_flows(struct ir_model *m, const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct text why = {0};
  struct guide_flows *f =
      guide_flows_read(source_from_text("fuzz.flows", (const char *)data, size), m, &d);
  if (f ? d.errors > 0 : d.errors == 0 || !d.entries[0].span.source) abort();
  if (f) {
    struct guide_marks *g = guide_marks_new(m);
    if (guide_flows_mark(f, NULL, g, &why) != guide_marks_any(g)) abort();
    follow(f, m, data, size);
    guide_marks_free(g);
    guide_flows_free(f);
  }
  text_clear(&why);
  diag_clear(&d);
}

static void read_marks(struct ir_model *m, const uint8_t *data, size_t size) {
  struct guide_marks *g = guide_marks_new(m);
  struct text list = {0}, why = {0};
  text_add_n(&list, (const char *)data, size);
  if (!guide_marks_add(g, text_str(&list), NULL, &why) && why.count == 0) abort();
  text_clear(&why);
  if (!guide_marks_from_text(g, text_str(&list), "murphi", NULL, &why) && why.count == 0) abort();
  text_clear(&list);
  guide_marks_print(&list, g);
  text_clear(&why);
  text_clear(&list);
  guide_marks_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct diag d = {0};
  struct ir_model *m =
      ir_parse_model(source_from_text("fuzz.ir", model_text, sizeof model_text - 1), &d);
  if (!m) abort();
  diag_clear(&d);
  read_flows(m, data, size);
  read_marks(m, data, size);
  ir_model_free(m);
  return 0;
}
