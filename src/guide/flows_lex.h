// SPDX-License-Identifier: Apache-2.0
// Private to the room: the words of a file of flows.
#pragma once

#include "base/base.h"

enum flow_token_kind {
  FLOW_END,
  FLOW_NAME,   // letters, digits, _ and '; #1 for a value of a scalarset without a name
  FLOW_STRING, // a name in double quotes
  FLOW_NUMBER,
  FLOW_ARROW,
  FLOW_SIGN, // one of ( ) { } , ;
  FLOW_BAD,
};

struct flow_token {
  enum flow_token_kind kind;
  char sign;
  const char *text;    // NAME, STRING, NUMBER: in the arena
  const char *problem; // BAD
  struct span span;
};

struct flow_lexer {
  const struct source *source;
  struct arena *arena;
  size_t at;
  uint32_t line, column;
};

// Every call but those at the end moves forward, whatever the bytes.
struct flow_token guide_flow_lex(struct flow_lexer *l);
