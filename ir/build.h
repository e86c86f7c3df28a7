/* Building graphs: each function makes one node, checked and inferred. */
#ifndef INLAY_BUILD_H
#define INLAY_BUILD_H

#include "ir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* graph/build.c. NULL and an error when a node cannot be made; the graph has the nodes it had
 * before. */

INLAY_API inlay_value *inlay_build_parameter(inlay_graph *g, const char *name, inlay_type type,
                                             const inlay_shape *shape, inlay_diags *d);
INLAY_API inlay_value *inlay_build_const(inlay_graph *g, const char *name, const inlay_tensor *t,
                                         inlay_diags *d);
INLAY_API inlay_value *inlay_build_ints(inlay_graph *g, const char *name, inlay_type type, int rank,
                                        const int64_t *dims, const int64_t *elements,
                                        inlay_diags *d);
INLAY_API inlay_node *inlay_build_result(inlay_graph *g, const char *name, inlay_value *v,
                                         inlay_diags *d);
/* ATTRS: "axis=1; mode=same_upper" (XML spellings, separated by semicolons) or NULL. */
INLAY_API inlay_node *inlay_build(inlay_graph *g, const char *name, const char *type,
                                  const char *version, inlay_value *const *inputs, int n_in,
                                  const char *attrs, inlay_diags *d);

#ifdef __cplusplus
}
#endif

#endif
