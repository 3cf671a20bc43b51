// SPDX-License-Identifier: Apache-2.0
// Private to the room: conjunctions of pieces in clusters, with variables quantified as soon as
// nothing that follows speaks of them, one way and the other.
#pragma once

#include "symbolic/dd.h"

typedef VEC(dd) dd_list;
typedef VEC(unsigned) var_list;

// The clusters in one order; after each, the cube of variables that go.
struct cluster_chain {
  size_t count;
  unsigned *which;
  dd *cube;
};

struct clusters {
  dd_list part;
  struct cluster_chain forward, backward;
};

// Takes the pieces over. forward, backward: what is quantified each way. local: variables of both
// that come from nowhere else, such as those of choices: they go within a cluster where they can.
void clusters_init(struct clusters *c, dd_list *pieces, const var_list *forward,
                   const var_list *backward, const var_list *local);
// The same with fewer attempts to join two: for clusters that are not used often.
void clusters_init_in_haste(struct clusters *c, dd_list *pieces, const var_list *forward,
                            const var_list *backward, const var_list *local);
void clusters_clear(struct clusters *c);
// from and all clusters, with the variables of the chain quantified.
dd clusters_product(const struct clusters *c, const struct cluster_chain *chain, dd from);
// The same, and also within a set that has variables which stay: it joins after the first cluster.
dd clusters_product_in(const struct clusters *c, const struct cluster_chain *chain, dd from,
                       dd within);
// The product as long as it stays small, and false otherwise; the set becomes the product, or part
// of it. SIZE_MAX: no limit, and nobody counts.
bool clusters_product_within(const struct clusters *c, const struct cluster_chain *chain,
                             size_t nodes_max, dd *set);
