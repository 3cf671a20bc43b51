// SPDX-License-Identifier: Apache-2.0
// Several searches at once: the first answer wins.
#pragma once

#include <stddef.h>

struct result;
struct search_config;
struct search_strategy;

// Runs them like search_run, each in a thread of its own (config.threads counts for none) and with
// its share of the memory. The result is that of the first which says `violated` or `holds`, or
// whose reason not to would be every other's too; *winner is its name then. Else the result of the
// one that found most states, and *winner is NULL. Time, depth and states are limited for each.
// A race is not saved, does not go on from what was, and does not watch flows. Progress is told of
// all together, from the caller's thread.
void search_race(const struct search_strategy *const *strategies, size_t count,
                 const struct search_config *c, struct result *r, const char **winner);
