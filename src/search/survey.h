// SPDX-License-Identifier: Apache-2.0
// What a user wants to know of the states that were found (--stats), computed from the store after
// the search. Private to the room.
#pragma once

struct search;

// For a search that has ended and whose store is still there: fills in distinct and sampled, share
// and timed of its result's survey; levels, fired and fresh are the strategy's. A store that does
// not keep states can tell nothing. Takes about a second at most, and has its own boundary: what
// memory does not suffice for is left out.
void survey_fill(struct search *s);
