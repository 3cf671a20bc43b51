// SPDX-License-Identifier: Apache-2.0
// A trace as a message sequence chart in text. Private to the room.
#pragma once

#include "base/base.h"

struct ir_model;
struct replay;
struct report_text;
struct trace;

// One lane per process that does something. False, with a sentence in why, when they do not fit.
bool chart_print(const struct report_text *t, const struct ir_model *m, const struct trace *trace,
                 const struct replay *replay, struct text *why);
