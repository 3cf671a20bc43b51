// SPDX-License-Identifier: Apache-2.0
// Places in the text of a C program, as people and witnesses name them. Private to the room.
#pragma once

#include "base/base.h"

// The line that a span begins in, without the blanks around it.
void place_line(struct text *out, struct span span);
// The function that it is in, as far as the text's braces tell; nothing: in none.
void place_function(struct text *out, struct span span);
// Of a call: its closing parenthesis; the span itself where there is none.
struct span place_call_end(struct span call);
