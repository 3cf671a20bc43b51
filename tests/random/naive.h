// SPDX-License-Identifier: Apache-2.0
// Chains through transient states as one would write them down: to hold reduce/chain.c against.
#pragma once

struct sys;

struct sys *naive_chain_new(struct sys *inner); // sys_free it before inner
