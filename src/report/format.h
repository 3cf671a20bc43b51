// SPDX-License-Identifier: Apache-2.0
// How numbers, sizes, times, places and colours look in what users read. Private to the room.
#pragma once

#include "base/base.h"

#include <stdio.h>

struct report_text;
struct result;
struct trace;
struct ir_model;

#define FORMAT_BYTES 32
// Each writes into the caller's buffer of FORMAT_BYTES and returns it.
const char *format_count(char *buffer, uint64_t n);       // 1,234,567
const char *format_size(char *buffer, uint64_t bytes);    // 3.2 MiB
const char *format_seconds(char *buffer, double s);       // 4.1 ms, 0.31 s, 2 m 05 s
const char *format_rate(char *buffer, double per_second); // 3.5 M
const char *format_about(char *buffer, double n);         // 1,234,567, 1.23457e+25

// "12 states"; what no machine number holds also in all its digits, if they are known.
void format_states(struct text *out, const struct result *r);

// The path without its folders.
const char *format_basename(const char *path);
// "german.m:212:3" with the path as the user named it; nothing for a span that is nowhere.
void format_place(struct text *out, struct span span);

enum format_colour { FORMAT_RED, FORMAT_GREEN, FORMAT_YELLOW, FORMAT_BOLD, FORMAT_DIM };
// Prints s in that colour where the text may have colours.
void format_paint(const struct report_text *t, enum format_colour c, const char *s);

// What a trace shows in a few words: invariant "mutex", assertion failed: x < 3, deadlock.
void format_violation(struct text *out, const struct ir_model *m, const struct trace *trace);
struct span format_violation_span(const struct ir_model *m, const struct trace *trace);

// The rule of a step with the values of its parameters and choices, "SndReqE(n=Node_2)"; brief:
// without choices of SMV's steps.
#define FORMAT_START SIZE_MAX // in place of a step: the start
void format_step(struct text *out, const struct ir_model *m, const struct trace *t, size_t step,
                 bool brief);
// The formula of a property of an SMV model, whose name may be no more than a number; NULL: the
// name says it.
const char *format_formula(const struct ir_model *m, size_t property);
// The rule that an instance number belongs to.
const struct ir_rule *format_rule(const struct ir_model *m, bool start, uint32_t instance);
