/* Building graphs: each function makes one node, checked and inferred. */
#ifndef INLAY_BUILD_H
#define INLAY_BUILD_H

#include "ir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* graph/build.c. NULL and an error when a node cannot be made; the graph is then unchanged. */

/* An input of the graph, and an output. */
INLAY_API inlay_value *inlay_build_parameter(inlay_graph *g, const char *name, inlay_type type,
                                             const inlay_shape *shape, inlay_diags *d);
INLAY_API inlay_node *inlay_build_result(inlay_graph *g, const char *name, inlay_value *v,
                                         inlay_diags *d);

/* Constants: a tensor (retained); a list of one or of N elements, as start, stop, step, axes and
 * patterns of shapes are; a scalar; integers of any TYPE and shape. */
INLAY_API inlay_value *inlay_build_const(inlay_graph *g, const char *name, const inlay_tensor *t,
                                         inlay_diags *d);
INLAY_API inlay_value *inlay_build_i64(inlay_graph *g, const char *name, int64_t x, inlay_diags *d);
INLAY_API inlay_value *inlay_build_i64_list(inlay_graph *g, const char *name, const int64_t *x,
                                            int n, inlay_diags *d);
INLAY_API inlay_value *inlay_build_i64_scalar(inlay_graph *g, const char *name, int64_t x,
                                              inlay_diags *d);
INLAY_API inlay_value *inlay_build_f32(inlay_graph *g, const char *name, float x, inlay_diags *d);
INLAY_API inlay_value *inlay_build_f32_list(inlay_graph *g, const char *name, const float *x, int n,
                                            inlay_diags *d);
INLAY_API inlay_value *inlay_build_f32_scalar(inlay_graph *g, const char *name, float x,
                                              inlay_diags *d);
INLAY_API inlay_value *inlay_build_ints(inlay_graph *g, const char *name, inlay_type type, int rank,
                                        const int64_t *dims, const int64_t *elements,
                                        inlay_diags *d);

/* Any operation: OPERATION is its type, or type and version ("MaxPool", the newest;
 * "MaxPool@opset8", "ScatterND@onnx13"). An entry of INPUTS that is NULL is absent. ATTRS: "axis=1;
 * mode=same_upper", values as in OpenVINO's XML, separated by semicolons; or NULL. */
INLAY_API inlay_node *inlay_build(inlay_graph *g, const char *name, const char *operation,
                                  inlay_value *const *inputs, int n_in, const char *attrs,
                                  inlay_diags *d);
/* The same in two steps; attributes are set between them:
 *
 *     inlay_node *n = inlay_build_begin(g, "pool", "MaxPool@opset8", &x, 1, d);
 *     bool ok = n && inlay_node_set_ints(n, "strides", strides, 2, d) && ...;
 *
 *     n = inlay_build_end(n, ok, d);
 *
 * Begin makes a node that is neither checked nor inferred. End checks and infers it; when OK is
 * false, or the node is not as its row says, it removes the node. N may be NULL. */
INLAY_API inlay_node *inlay_build_begin(inlay_graph *g, const char *name, const char *operation,
                                        inlay_value *const *inputs, int n_in, inlay_diags *d);
INLAY_API inlay_node *inlay_build_end(inlay_node *n, bool ok, inlay_diags *d);

#ifdef __cplusplus
}
#endif

#endif
