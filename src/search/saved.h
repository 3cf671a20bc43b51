// SPDX-License-Identifier: Apache-2.0
// A bounded search that ended early, in a file: the frontier, the store, the counters. The file is
// written beside the old one and takes its place when it is whole; it names the model by a hash and
// ends with a checksum.
#pragma once

#include "search/search.h"

struct saved;

// Reads the file. NULL and a sentence in why: it is not there, not whole, or of another model or
// another way to search than `c` says (which needs model, store, hash_bits, bounding, frontier,
// meaning).
struct saved *saved_open(const char *path, const struct search_config *c, struct text *why);
void saved_close(struct saved *f);
// The `meaning` that it was saved with, for those who must know it before they have a model. False:
// there is none to be read; saved_open tells why.
bool saved_meaning(const char *path, struct text *out);
uint64_t saved_depth(const struct saved *f); // complete to this depth
