// SPDX-License-Identifier: Apache-2.0
// k-induction: if no path of k steps without a repeated state leads from states that are not bad to
// one that is, and no bad state is within fewer than k steps of a start, there is none. Only the
// pairs of states are told to differ that some path repeated. Private to the room.
#pragma once

#include "bmc/prove.h"

// What the step's proof needs to be checked again.
struct induction_pair {
  size_t a, b;
};
struct induction_proof {
  size_t k;
  VEC(struct induction_pair) apart; // times whose states differ
};

struct induction;
struct induction *induction_new(const struct prove_config *c, struct text *why);
void induction_free(struct induction *x);
// One question or some about the present k, then perhaps the next k. HOLDS means only the step: the
// base is the caller's.
enum prove_answer induction_step(struct induction *x);
const struct induction_proof *induction_proof(const struct induction *x);
uint64_t induction_work(const struct induction *x); // sat_work
const struct sat *induction_sat(const struct induction *x);
