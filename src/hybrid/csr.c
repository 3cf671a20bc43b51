// SPDX-License-Identifier: Apache-2.0
// Control state reachability (paper 003, III.C): what can be come to in so many steps if guards are
// left out.
#include "hybrid/efsm.h"

#include <string.h>

size_t csr_words(const struct efsm *e) { return e->states.count / 64 + 1; }

bool csr_has(const uint64_t *set, uint32_t state) { return set[state / 64] >> state % 64 & 1; }

void csr_add(uint64_t *set, uint32_t state) { set[state / 64] |= UINT64_C(1) << state % 64; }

void csr_step(const struct efsm *e, const uint64_t *from, uint64_t *to) {
  memset(to, 0, csr_words(e) * sizeof *to);
  for (uint32_t i = 0; i < e->states.count; i++) {
    if (!csr_has(from, i)) continue;
    const struct efsm_state *s = &e->states.data[i];
    for (size_t k = 0; k < s->out.count; k++) csr_add(to, e->edges.data[s->out.data[k]].to);
  }
}

uint64_t *csr_table(const struct efsm *e, uint32_t depth) {
  size_t n = csr_words(e);
  uint64_t *table = mem_zalloc(n * ((size_t)depth + 1), sizeof *table);
  uint64_t *entry = mem_zalloc(n, sizeof *entry);
  csr_add(entry, EFSM_ENTRY);
  csr_step(e, entry, table);
  for (uint32_t i = 1; i <= depth; i++) csr_step(e, table + (i - 1) * n, table + i * n);
  mem_free(entry);
  return table;
}
