// SPDX-License-Identifier: Apache-2.0
// Violation witnesses, format 2.0 of SV-COMP (YAML): one segment for each input, which says what
// the call returns, and one for where the error is. Every execution with these inputs is that of
// the trace, so that nothing more needs to be said.
#include "report/format.h"
#include "report/place.h"
#include "report/report.h"
#include "report/sha256.h"

#include "ir/ir.h"

#include <inttypes.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

// A string in double quotes.
static void add_string(struct text *out, const char *s) {
  text_char(out, '"');
  for (; *s != '\0'; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      text_printf(out, "\\%c", c);
    else if (c < ' ')
      text_printf(out, "\\x%02x", c);
    else
      text_char(out, *s);
  }
  text_char(out, '"');
}

static void add_entry(struct text *out, const char *before, const char *key, const char *value) {
  text_printf(out, "%s%s: ", before, key);
  add_string(out, value);
  text_char(out, '\n');
}

// Version 4: random but for the bits that say so.
static void add_uuid(struct text *out) {
  uint8_t b[16] = {0};
  if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
    memcpy(b, &(time_t){time(NULL)}, sizeof(time_t));
  b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);
  b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);
  text_add(out, "    uuid: \"");
  for (int i = 0; i < 16; i++)
    text_printf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
  text_add(out, "\"\n");
}

static void add_time(struct text *out) {
  char s[32];
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  strftime(s, sizeof s, "%Y-%m-%dT%H:%M:%SZ", &utc);
  add_entry(out, "    ", "creation_time", s);
}

// What is violated, in SV-COMP's words.
static const char *specification(const struct ir_model *m, const struct trace *t) {
  enum ir_fault fault = t->end == TRACE_SITE ? m->sites.data[t->id].fault : IR_FAULT_ASSERT;
  switch (fault) {
  case IR_FAULT_LEAK: return "CHECK( init(main()), LTL(G valid-memcleanup) )";
  case IR_FAULT_MEMORY:
  case IR_FAULT_INDEX: return "CHECK( init(main()), LTL(G valid-deref) )";
  case IR_FAULT_OVERFLOW: return "CHECK( init(main()), LTL(G ! overflow) )";
  case IR_FAULT_DIVISION:
  case IR_FAULT_UNDEFINED: return "CHECK( init(main()), LTL(G def-behavior) )";
  default: return "CHECK( init(main()), LTL(G ! call(reach_error())) )";
  }
}

static void add_hash(struct text *out, const struct source *s) {
  char hash[SHA256_TEXT];
  const char *why;
  struct source *file = strcmp(s->path, "-") == 0 ? NULL : source_read(s->path, &why);
  const struct source *read = file != NULL ? file : s; // a text may have been tidied since
  sha256_text(read->text, read->bytes, hash);
  text_add(out, "        ");
  add_string(out, s->path);
  text_printf(out, ": \"%s\"\n", hash);
  if (file != NULL) source_free(file);
}

static void add_metadata(struct text *out, const struct report_run *run, const struct trace *t) {
  const struct source *s = run->model->sources.data[0];
  const char *said = run->program != NULL ? run->program->specification : NULL;
  text_add(out, "  metadata:\n    format_version: \"2.0\"\n");
  add_uuid(out);
  add_time(out);
  text_add(out, "    producer:\n");
  add_entry(out, "      ", "name", "Fathom");
  add_entry(out, "      ", "version", run->version);
  text_add(out, "    task:\n      input_files:\n        - ");
  add_string(out, s->path);
  text_add(out, "\n      input_file_hashes:\n");
  add_hash(out, s);
  add_entry(out, "      ", "specification", said != NULL ? said : specification(run->model, t));
  add_entry(out, "      ", "data_model", "LP64");
  add_entry(out, "      ", "language", "C");
}

static void add_location(struct text *out, struct span span) {
  struct text function = {0};
  place_function(&function, span);
  text_add(out, "          location:\n");
  add_entry(out, "            ", "file_name", span.source->path);
  text_printf(out, "            line: %u\n            column: %u\n", span.line, span.column);
  if (function.count > 0) add_entry(out, "            ", "function", text_str(&function));
  text_clear(&function);
}

static void add_waypoint(struct text *out, const char *type) {
  text_add(out, "    - segment:\n      - waypoint:\n");
  add_entry(out, "          ", "type", type);
  add_entry(out, "          ", "action", "follow");
}

// A call returns what it does: the place is that of its closing parenthesis.
static void add_input(struct text *out, const struct report_input *in) {
  struct text value = {0};
  if (in->span.source == NULL) return;
  add_waypoint(out, "function_return");
  add_location(out, place_call_end(in->span));
  bool wide = in->type->kind == IR_TYPE_INT && in->type->bits == 64;
  if (wide && !in->type->is_signed)
    text_printf(&value, "\\result == %" PRIu64 "U", (uint64_t)in->value);
  else if (wide && in->value == INT64_MIN)
    text_add(&value, "\\result == -9223372036854775807 - 1");
  else
    text_printf(&value, "\\result == %" PRId64, in->value);
  text_add(out, "          constraint:\n");
  add_entry(out, "            ", "value", text_str(&value));
  add_entry(out, "            ", "format", "ext_c_expression");
  text_clear(&value);
}

bool report_witness(FILE *out, const struct report_run *run, const struct trace *t) {
  struct text text = {0};
  struct report_inputs in;
  struct span end = format_violation_span(run->model, t);
  text_add(&text, "- entry_type: \"violation_sequence\"\n");
  add_metadata(&text, run, t);
  text_add(&text, "  content:\n");
  report_inputs_init(&in, run->model, t);
  for (size_t i = 0; i < in.list.count; i++) add_input(&text, &in.list.data[i]);
  report_inputs_clear(&in);
  add_waypoint(&text, "target");
  if (end.source != NULL) add_location(&text, end);
  fwrite(text_str(&text), 1, text.count, out);
  text_clear(&text);
  return !ferror(out);
}
