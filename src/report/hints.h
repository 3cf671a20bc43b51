// SPDX-License-Identifier: Apache-2.0
// What there is to say of a search that follows hints, in words, for text and HTML. Private to the
// room.
#pragma once

#include "report/report.h"

// What is marked, and how the search goes by it: lines 0 to HINTS_LINES - 1, some of them empty.
enum { HINTS_LINES = 3 };
void hints_plan(struct text *out, const struct report_run *run, int line);
// Who won the race; nothing when there was none.
void hints_winner(struct text *out, const struct report_race *r);
// What was seen of a flow: "began 12 times, completed 3, up to 2 at once".
void hints_flow(struct text *out, const struct guide_flow_report *f);
// Which of its events never fired; nothing when all did.
void hints_never(struct text *out, const struct guide_flow_report *f);
// How much was not followed; nothing when all was.
void hints_lost(struct text *out, const struct report_hints *h);
