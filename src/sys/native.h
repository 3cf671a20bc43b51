// SPDX-License-Identifier: Apache-2.0
// Private to the room: native steps. A model becomes C, the C a shared object, and its functions
// take the place of the interpreter's. The compiler runs beside us and is asked after by polling.
#pragma once

#include <stdbool.h>

struct ir_model;
struct sys;

struct native; // one compilation

// Emits the C, looks in the cache, else starts the compiler in the background. NULL when that
// cannot be done; *why is then a sentence that lives for ever.
struct native *native_start(const struct ir_model *m, bool no_cache, const char **why);
// Only looks in the cache: NATIVE_READY, or NULL.
struct native *native_from_cache(const struct ir_model *m);

enum native_status { NATIVE_RUNNING, NATIVE_READY, NATIVE_FAILED };

// Looks after the compiler, and loads what it made. Comes back when the compiler has ended, when
// wait_seconds are over, or when an interrupt is pending.
enum native_status native_poll(struct native *n, double wait_seconds);

// Puts the native functions into s (all but starts) and the table they need into s->native_impl.
// They may be used until native_free. Only after NATIVE_READY.
void native_attach(struct native *n, struct sys *s);

const char *native_problem(const struct native *n); // a sentence, after NATIVE_FAILED
double native_seconds(const struct native *n);      // from start to ready; near 0 out of the cache
bool native_cached(const struct native *n);         // it came out of the cache
void native_free(struct native *n);                 // ends a running compiler, unloads

// runtime/fathom_native.h, as it was when Fathom was built.
extern const char native_header_text[];
