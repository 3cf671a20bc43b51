// SPDX-License-Identifier: Apache-2.0
// Satisfiability: the one wrapper around CaDiCaL. A literal is a variable's number (from 1 on) or
// its negative; 0 is none. Several solvers may be open, each used by one thread. Private to the
// room.
#pragma once

#include "base/base.h"

typedef int32_t lit;

struct sat;
struct sat_config {
  bool (*goes_on)(void *context); // asked now and then while solving; NULL: always
  void *context;
};
struct sat *sat_new(const struct sat_config *c);
void sat_free(struct sat *s);

lit sat_var(struct sat *s);  // a fresh variable
lit sat_true(struct sat *s); // a literal that is true; its negative is false
void sat_clause(struct sat *s, const lit *lits, size_t count);
void sat_clause1(struct sat *s, lit a);
void sat_clause2(struct sat *s, lit a, lit b);
void sat_clause3(struct sat *s, lit a, lit b, lit c);

enum sat_answer { SAT_NO, SAT_YES, SAT_STOPPED }; // stopped: goes_on said no
// Under assumptions, which hold for this call only.
enum sat_answer sat_solve(struct sat *s, const lit *assumed, size_t count);
// After YES: the value of a literal. After NO: was it among the assumptions that did it?
bool sat_value(const struct sat *s, lit a);
bool sat_failed(const struct sat *s, lit a);

uint64_t sat_vars(const struct sat *s);
uint64_t sat_clauses(const struct sat *s);
size_t sat_bytes(const struct sat *s); // about
