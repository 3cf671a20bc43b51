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
  bool many; // small questions, thousands of them: nothing is prepared before or between
};
// Out of memory inside unwinds to the caller's boundary (base/mem.h), as everywhere; the solver is
// lost then and may only be freed. What C++ had at hand at that moment leaks.
struct sat *sat_new(const struct sat_config *c);
void sat_free(struct sat *s);

bool sat_goes_on(struct sat *s); // asks the run, as sat_solve does now and then

lit sat_var(struct sat *s);  // a fresh variable
lit sat_true(struct sat *s); // a literal that is true; its negative is false
void sat_clause(struct sat *s, const lit *lits, size_t count);
void sat_clause1(struct sat *s, lit a);
void sat_clause2(struct sat *s, lit a, lit b);
void sat_clause3(struct sat *s, lit a, lit b, lit c);

// A clause and a limit for the next call of sat_solve only. An empty limit (0) is none.
void sat_clause_once(struct sat *s, const lit *lits, size_t count);
void sat_limit(struct sat *s, uint32_t conflicts);

enum sat_answer { SAT_NO, SAT_YES, SAT_STOPPED, SAT_LIMIT }; // stopped: goes_on said no
// Under assumptions, which hold for this call only.
enum sat_answer sat_solve(struct sat *s, const lit *assumed, size_t count);
// After YES: the value of a literal (until the next clause; false of a variable made since). After
// NO: was it among the assumptions that did it?
bool sat_value(const struct sat *s, lit a);
bool sat_failed(const struct sat *s, lit a);

uint64_t sat_vars(const struct sat *s);
uint64_t sat_clauses(const struct sat *s);
size_t sat_bytes(const struct sat *s); // about
// A measure of work done that is the same in each run: calls, and times goes_on was asked.
uint64_t sat_work(const struct sat *s);
