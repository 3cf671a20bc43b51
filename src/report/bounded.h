// SPDX-License-Identifier: Apache-2.0
// What there is to say of a bounded search, in words, for text and HTML. Private to the room.
#pragma once

#include "report/report.h"

// How it goes: "deepens by 100 to depth 1,000, ...".
void bounded_settings(struct text *out, const struct report_bounded *b);
// What it goes on from; nothing when it begins at the start.
void bounded_resumed(struct text *out, const struct report_bounded *b);
// What it cost, two lines of figures: line 0 and 1.
void bounded_figures(struct text *out, const struct stats *s, int line);
// What became of --save-frontier; nothing when that was not asked for.
void bounded_saved(struct text *out, const struct report_bounded *b, const struct result *r);
// How to go on after it ended early; nothing when there is nothing to go on with.
void bounded_advice(struct text *out, const struct report_bounded *b, const struct result *r);
