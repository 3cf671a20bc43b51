// SPDX-License-Identifier: Apache-2.0
// A trace as a message sequence chart in text: one lane per process, one row per statement. A
// rendezvous is one arrow; a message through a buffer is a number at its sender, and an arrow of
// that number where it is received. Sends and receives of a channel are matched first in, first
// out, among those of the same values; where the order in the channel is another one (!! and ??)
// and the values are not told, there are no arrows.
#include "report/chart.h"

#include "report/cycles.h"
#include "report/format.h"
#include "report/report.h"

#include "ir/eval.h"

#include <string.h>

#define MARGIN     8  // for the number of a step
#define LANE_MOST  28 // columns of a lane, its right gap included
#define LANE_GOOD  18 // where the width is not given, and messages are short
#define LANE_LEAST 9
#define AROUND     9 // a message: its number and what is left of the arrow

struct lane {
  int32_t agent;
  const char *process;
};

struct message { // sent through a buffer
  size_t number, lane;
  int64_t channel;
  char *values; // as they are shown; NULL: received
};

struct chart {
  const struct report_text *t;
  const struct ir_model *model;
  struct ir_eval *eval;
  VEC(struct lane) lanes; // by number of the process
  size_t longest;         // message, as it is written
  size_t lane_width, width;
  VEC(struct message) messages;
  VEC(int64_t) unordered; // channels of which it cannot be told what is received
  size_t sent;
  char *row; // width + 1 bytes
};

// ---------------------------------------------------------------------------------------------
// Lanes

static size_t lane_of(const struct chart *c, int32_t agent) {
  size_t i = 0;
  while (i < c->lanes.count && c->lanes.data[i].agent != agent) i++;
  return i;
}

static void add_lane(struct chart *c, const struct ir_line *l) {
  if (lane_of(c, l->agent) < c->lanes.count) return;
  VEC_PUSH(&c->lanes, ((struct lane){l->agent, l->process}));
  for (size_t i = c->lanes.count - 1; i > 0; i--) {
    struct lane *after = &c->lanes.data[i], *before = after - 1;
    if (before->agent < after->agent) break;
    struct lane moved = *before;
    *before = *after;
    *after = moved;
  }
}

static void add_lanes(struct chart *c, const struct trace *trace) {
  for (size_t i = 0; i < trace->steps.count; i++) {
    if (cycles_stutters(trace, i)) continue;
    const struct ir_rule *r = format_rule(c->model, false, trace->steps.data[i].instance);
    for (uint32_t k = 0; k < r->line_count; k++) {
      size_t length = r->lines[k].event != IR_EVENT_NONE ? strlen(r->lines[k].text) : 0;
      if (length > c->longest) c->longest = length;
      add_lane(c, &r->lines[k]);
    }
  }
}

// As wide as the terminal lets them be. False: not wide enough to be read.
static bool fit_lanes(struct chart *c, struct text *why) {
  size_t count = c->lanes.count, columns = c->t->columns;
  size_t wide = c->longest + AROUND > LANE_GOOD ? c->longest + AROUND : LANE_GOOD;
  if (columns > 0) wide = columns > MARGIN ? (columns - MARGIN) / (count > 0 ? count : 1) : 0;
  if (wide > LANE_MOST) wide = LANE_MOST;
  c->lane_width = wide;
  c->width = MARGIN + wide * count;
  if (columns == 0) c->width += LANE_GOOD; // for what the last lane says
  if (columns > c->width) c->width = columns;
  if (wide >= LANE_LEAST) return true;
  text_printf(why, "a chart of %zu processes needs %zu columns, and there are %zu", count,
              MARGIN + count * LANE_LEAST, columns);
  return false;
}

static size_t column(const struct chart *c, size_t lane) { return MARGIN + lane * c->lane_width; }

// ---------------------------------------------------------------------------------------------
// Rows

static void begin_row(struct chart *c, bool lines) {
  memset(c->row, ' ', c->width);
  for (size_t i = 0; lines && i < c->lanes.count; i++) c->row[column(c, i)] = '|';
}

static void end_row(struct chart *c) {
  size_t length = c->width;
  while (length > 0 && c->row[length - 1] == ' ') length--;
  fprintf(c->t->out, "%.*s\n", (int)length, c->row);
}

static void number_row(struct chart *c, size_t step) {
  char number[32];
  int length = snprintf(number, sizeof number, "%7zu", step);
  memcpy(c->row, number, (size_t)length < MARGIN ? (size_t)length : MARGIN - 1);
}

// How many bytes of s fit into so many columns: no character is cut in two.
static size_t fitting(const char *s, size_t columns) {
  size_t length = strlen(s);
  if (length <= columns) return length;
  while (columns > 0 && ((unsigned char)s[columns] & 0xc0) == 0x80) columns--;
  return columns;
}

// Puts a text into the row; where it is cut it ends in a dot.
static void put(struct chart *c, size_t at, const char *s, size_t columns) {
  if (at + columns > c->width) columns = c->width - at;
  size_t length = fitting(s, columns);
  memcpy(c->row + at, s, length);
  char *end = c->row + at + length;
  if (s[length] != '\0' && length > 1 && (unsigned char)end[-1] < 0x80) end[-1] = '.';
}

static void print_header(struct chart *c) {
  begin_row(c, false);
  for (size_t i = 0; i < c->lanes.count; i++) {
    const struct lane *l = &c->lanes.data[i];
    const char *process = l->process != NULL ? l->process : "proc";
    struct text name = {0}, number = {0};
    text_printf(&number, ":%d", l->agent);
    size_t room = c->lane_width - 1;
    text_add_n(&name, process, fitting(process, room - number.count));
    text_add(&name, text_str(&number));
    put(c, column(c, i), text_str(&name), room);
    text_clear(&name);
    text_clear(&number);
  }
  end_row(c);
}

// What a process does by itself, in its lane; what matters (`whole`) goes on over others.
static void print_statement(struct chart *c, size_t step, size_t lane, const char *text,
                            bool whole) {
  begin_row(c, true);
  if (step > 0) number_row(c, step);
  bool last = lane + 1 == c->lanes.count;
  put(c, column(c, lane), text, last || whole ? c->width - column(c, lane) : c->lane_width - 1);
  end_row(c);
}

// An arrow with its label in it, or in a row above where that is too long.
static void print_arrow(struct chart *c, size_t step, size_t from, size_t to, const char *label,
                        char stroke) {
  size_t a = column(c, from < to ? from : to), b = column(c, from < to ? to : from);
  size_t length = strlen(label), room = b - a - 1;
  bool inside = length + 4 <= room;
  begin_row(c, true);
  if (!inside) {
    put(c, a + 2, label, c->width - a - 2);
    end_row(c);
    begin_row(c, true);
  }
  if (step > 0) number_row(c, step);
  memset(c->row + a + 1, stroke, room);
  c->row[from < to ? b - 1 : a + 1] = from < to ? '>' : '<';
  if (inside) memcpy(c->row + a + 1 + (room - length) / 2, label, length);
  end_row(c);
}

// ---------------------------------------------------------------------------------------------
// Messages

// "msg,2" as it was sent or received; nothing when the line does not say, or it cannot be told.
static void add_values(struct chart *c, struct text *out, const struct ir_rule *r,
                       const struct ir_line *l, const uint64_t *before) {
  for (uint32_t i = 0; i < l->value_count; i++) {
    int64_t value;
    if (ir_eval_int(c->eval, &r->frame, l->values[i], before, &value) != IR_OK) return;
    if (i > 0) text_char(out, ',');
    const struct ir_type *type = l->types[i] != NULL ? l->types[i] : l->values[i]->type;
    ir_type_print_value(out, type, value);
  }
}

// The statement with the values in place of its expressions: "toR!msg,2".
static void add_message(struct text *out, const struct ir_line *l, const char *values) {
  size_t head = strcspn(l->text, "!?");
  head += strspn(l->text + head, "!?");
  if (*values == '\0')
    text_add(out, l->text);
  else
    text_printf(out, "%.*s%s", (int)head, l->text, values);
}

static int64_t channel_of(struct chart *c, const struct ir_rule *r, const struct ir_line *l,
                          const uint64_t *before) {
  int64_t channel = 0;
  if (l->channel == NULL) return 0;
  return ir_eval_int(c->eval, &r->frame, l->channel, before, &channel) == IR_OK ? channel : 0;
}

static bool is_unordered(const struct chart *c, int64_t channel) {
  for (size_t i = 0; i < c->unordered.count; i++)
    if (c->unordered.data[i] == channel) return true;
  return false;
}

static void print_send(struct chart *c, size_t step, const struct ir_line *l, int64_t channel,
                       const char *values) {
  struct text label = {0};
  size_t lane = lane_of(c, l->agent);
  text_printf(&label, "#%zu ", ++c->sent);
  add_message(&label, l, values);
  if (strstr(l->text, "!!") != NULL) VEC_PUSH(&c->unordered, channel);
  VEC_PUSH(&c->messages, ((struct message){c->sent, lane, channel, mem_strdup(values)}));
  print_statement(c, step, lane, text_str(&label), true);
  text_clear(&label);
}

// The oldest message of that channel and those values that was not received; else the oldest.
static struct message *find_message(struct chart *c, int64_t channel, const char *values) {
  struct message *oldest = NULL;
  if (*values == '\0' && is_unordered(c, channel)) return NULL;
  for (size_t i = 0; i < c->messages.count; i++) {
    struct message *m = &c->messages.data[i];
    if (m->channel != channel || m->values == NULL) continue;
    if (strcmp(m->values, values) == 0) return m;
    if (oldest == NULL) oldest = m;
  }
  return oldest;
}

// q?<x> leaves the message where it is.
static bool only_copies(const struct ir_line *l) {
  const char *what = l->text + strcspn(l->text, "?");
  what += strspn(what, "?");
  return *what == '<';
}

static void print_receive(struct chart *c, size_t step, const struct ir_line *l, int64_t channel,
                          const char *values) {
  struct text label = {0};
  size_t lane = lane_of(c, l->agent);
  if (strstr(l->text, "??") != NULL && *values == '\0') VEC_PUSH(&c->unordered, channel);
  struct message *m = find_message(c, channel, values);
  if (m != NULL) text_printf(&label, "#%zu ", m->number);
  add_message(&label, l, m != NULL ? m->values : values);
  if (m == NULL || m->lane == lane)
    print_statement(c, step, lane, text_str(&label), true);
  else
    print_arrow(c, step, m->lane, lane, text_str(&label), '.');
  if (m != NULL && !only_copies(l)) {
    mem_free(m->values);
    m->values = NULL;
  }
  text_clear(&label);
}

// Do the first two lines meet without a buffer?
static bool is_rendezvous(const struct ir_rule *r) {
  return r->line_count >= 2 && r->lines[0].event == IR_EVENT_SEND &&
         r->lines[1].event == IR_EVENT_RECEIVE && r->lines[0].agent != r->lines[1].agent;
}

static void print_rendezvous(struct chart *c, size_t step, const struct ir_rule *r,
                             const uint64_t *before) {
  struct text label = {0}, values = {0};
  add_values(c, &values, r, &r->lines[0], before);
  add_message(&label, &r->lines[0], text_str(&values));
  print_arrow(c, step, lane_of(c, r->lines[0].agent), lane_of(c, r->lines[1].agent),
              text_str(&label), '-');
  text_clear(&label);
  text_clear(&values);
}

static void print_line(struct chart *c, size_t step, const struct ir_rule *r,
                       const struct ir_line *l, const uint64_t *before) {
  struct text values = {0};
  add_values(c, &values, r, l, before);
  int64_t channel = channel_of(c, r, l, before);
  if (l->event == IR_EVENT_SEND)
    print_send(c, step, l, channel, text_str(&values));
  else if (l->event == IR_EVENT_RECEIVE)
    print_receive(c, step, l, channel, text_str(&values));
  else
    print_statement(c, step, lane_of(c, l->agent), l->text, false);
  text_clear(&values);
}

// ---------------------------------------------------------------------------------------------

static void print_output(struct chart *c, const struct ir_rule *r, const char *prints) {
  size_t lane = lane_of(c, r->lines[0].agent);
  while (prints != NULL && *prints != '\0') {
    size_t length = strcspn(prints, "\n");
    struct text said = {0};
    text_add(&said, "prints ");
    text_add_n(&said, prints, length);
    print_statement(c, 0, lane, text_str(&said), true);
    text_clear(&said);
    prints += length + (prints[length] == '\n');
  }
}

// A row across all lanes, which may go on behind them.
static void print_across(struct chart *c, size_t number, const char *text) {
  if (number > 0)
    fprintf(c->t->out, "%7zu %s\n", number, text);
  else
    fprintf(c->t->out, "%*s%s\n", MARGIN, "", text);
}

// `number`: as the trace counts it; 0: it goes on in a chain.
static void print_step(struct chart *c, size_t step, size_t number, const struct ir_rule *r,
                       const struct replay *replay) {
  const uint64_t *before = replay->states[step - 1].words;
  uint32_t k = 0;
  if (is_rendezvous(r)) {
    print_rendezvous(c, number, r, before);
    k = 2;
  }
  for (; k < r->line_count; k++) print_line(c, k == 0 ? number : 0, r, &r->lines[k], before);
  if (step < replay->count && r->line_count > 0) print_output(c, r, replay->states[step].prints);
}

static void chart_clear(struct chart *c) {
  for (size_t i = 0; i < c->messages.count; i++) mem_free(c->messages.data[i].values);
  VEC_CLEAR(&c->messages);
  VEC_CLEAR(&c->unordered);
  VEC_CLEAR(&c->lanes);
  if (c->eval != NULL) ir_eval_free(c->eval);
  mem_free(c->row);
}

bool chart_print(const struct report_text *t, const struct ir_model *m, const struct trace *trace,
                 const struct replay *replay, struct text *why) {
  struct chart c = {.t = t, .model = m};
  add_lanes(&c, trace);
  bool fits = fit_lanes(&c, why);
  if (fits) {
    c.eval = ir_eval_new(m);
    c.row = mem_zalloc(c.width + 1, 1);
    fputc('\n', t->out);
    print_header(&c);
    size_t number = 0;
    for (size_t i = 0; i < trace->steps.count && i < replay->count; i++) {
      bool inner = trace_inner(replay, m, i);
      const char *heading = cycles_heading(trace, i);
      if (heading != NULL) print_across(&c, 0, heading);
      number += !inner;
      if (cycles_stutters(trace, i)) {
        print_across(&c, number, CYCLES_STUTTER);
        continue;
      }
      print_step(&c, i + 1, inner ? 0 : number,
                 format_rule(m, false, trace->steps.data[i].instance), replay);
    }
  }
  chart_clear(&c);
  return fits;
}
