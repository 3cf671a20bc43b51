// SPDX-License-Identifier: Apache-2.0
// Private to the room: steps by the interpreter.
#pragma once

#include "ir/eval.h"
#include "sys/sys.h"

struct interp;

struct interp *interp_new(const struct ir_model *m);
void interp_free(struct interp *p);
void interp_starts(struct interp *p, struct sys_out *out);
void interp_expand(struct interp *p, const uint64_t *state, struct sys_out *out);
struct sys_fault interp_check(struct interp *p, const uint64_t *state);
struct sys_fault interp_covers(struct interp *p, const uint64_t *state, uint64_t *bits);
struct sys_fault interp_atoms(struct interp *p, const uint64_t *state, uint64_t *bits);
uint64_t interp_ample(struct interp *p, const uint64_t *state);
bool interp_may_end(struct interp *p, const uint64_t *state);
enum ir_outcome interp_fire(struct interp *p, bool start, uint32_t instance, uint32_t choice,
                            uint64_t *state);
enum ir_outcome interp_fire_values(struct interp *p, bool start, uint32_t instance,
                                   const int64_t *choices, uint64_t *state);
