/* Sizes that are sums of others, as the length of a cache behind a step is s + 1. Equal sums have
 * one identity, so that whoever compares identities need not know of sums. For the folders of this
 * project, not installed. */
#ifndef INLAY_IR_GRAPH_DIM_SUM_H
#define INLAY_IR_GRAPH_DIM_SUM_H

#include "ir/graph.h"

enum { INLAY_SUM_TERMS = 4 };

/* times[0] * id[0] + ... + more. Identities ascend, none is a sum itself, and no factor is 0;
 * behind the last term all are 0. The number is exact modulo 2^64: so it is that of a size, and of
 * an i64 element whose arithmetic wraps. */
typedef struct inlay_dim_sum {
    int64_t times[INLAY_SUM_TERMS], more;
    uint32_t id[INLAY_SUM_TERMS];
} inlay_dim_sum;

/* Adds TIMES * D to *S. False: D has no identity, a factor does not fit into 64 bits, or there are
 * more than INLAY_SUM_TERMS; *S is lost then. */
bool inlay_dim_sum_add(const inlay_graph *g, inlay_dim_sum *s, int64_t times, inlay_dim d);
/* Gives *D, bounds of the sum S, its number or its identity in G. False: out of memory. */
bool inlay_dim_sum_name(inlay_graph *g, const inlay_dim_sum *s, inlay_dim *d, inlay_diags *diags);
/* Writes "s + 1" for identity ID of G to BUF. False: it is no sum of sizes that have names, a name
 * looks like a sum itself, or the text does not fit. */
bool inlay_dim_sum_text(const inlay_graph *g, uint32_t id, char *buf, size_t size);
/* How people are shown which size D of G is: its name, or in BUF the sum that it is, if that is no
 * other size's name; NULL: neither. */
const char *inlay_dim_shown_name(const inlay_graph *g, inlay_dim d, char *buf, size_t size);

#endif
