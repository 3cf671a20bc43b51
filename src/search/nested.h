// SPDX-License-Identifier: Apache-2.0
// Nested depth-first search with several threads, which nested.c hands over to. Private to the
// room.
#pragma once

#include "search/common.h"

// As many workers as a search for cycles can have; 1: nested.c does it alone. (Which successors
// partial order reduction selects depends on the order of the search.)
unsigned cndfs_workers(const struct search_config *c);
size_t cndfs_payload(const struct search_config *c);
void search_cndfs(struct search *s);
