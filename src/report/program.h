// SPDX-License-Identifier: Apache-2.0
// Traces of C programs as people read them: inputs, and the lines of the text that were passed.
// Private to the room.
#pragma once

#include "report/report.h"

struct ir_stmt;

// Is it a C program, whose steps are blocks of statements?
bool program_is(const struct ir_model *m);
// Does the statement, or one inside of it, fail at that site?
bool program_fails_at(const struct ir_stmt *s, uint32_t site);
// The inputs, then the lines with what they changed.
void program_path(const struct report_text *t, const struct ir_model *m, const struct trace *trace,
                  const struct replay *replay);
