// SPDX-License-Identifier: Apache-2.0
// Guided searches (paper 004): one goal after the other, states in the order in which an
// abstraction of the model tells them to be near it. Private to the room.
#pragma once

struct guided;
struct reach;

// In place of reach_run, for x->config->search other than bfs. Looks for what reach_run looks for
// while it goes; properties that need all states are left unknown. The judge knows what was found,
// what was shown not to be there, and how it ended.
void guided_run(struct reach *x);
void guided_free(struct guided *g); // what it left in x->guided; NULL is fine
