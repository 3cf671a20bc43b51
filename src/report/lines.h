// SPDX-License-Identifier: Apache-2.0
// Steps of models whose rules say which statement of which process they are (struct ir_line), in
// the words of SPIN's traces. Private to the room.
#pragma once

#include "base/base.h"

struct ir_line;
struct ir_rule;

// "proc  2 (sender:1)": its number, name and priority; what of that there is.
void lines_process(struct text *out, const struct ir_line *l);
// "model.pml:34 (state 5)"
void lines_place(struct text *out, const struct ir_line *l);
// How many of the rule's lines are statements of processes: all, or none where they name no
// process.
uint32_t lines_count(const struct ir_rule *r);
