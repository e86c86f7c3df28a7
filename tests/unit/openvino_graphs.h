/* What the tests of the OpenVINO writer build graphs with. */
#ifndef INLAY_TESTS_OPENVINO_GRAPHS_H
#define INLAY_TESTS_OPENVINO_GRAPHS_H

#include "ir/ir.h"
#include "unit.h"

static inline inlay_value *parameter(inlay_graph *g, const char *name, const char *shape,
                                     inlay_type type)
{
    inlay_shape s;
    const char *why;
    inlay_value *v;

    assert_true(inlay_shape_parse(shape, &s, &why));
    v = inlay_build_parameter(g, name, type, &s, NULL);
    assert_non_null(v);
    return v;
}

static inline inlay_value *unary(inlay_graph *g, const char *operation, const char *name,
                                 inlay_value *v)
{
    inlay_node *n = inlay_build(g, name, operation, &v, 1, NULL, NULL);

    assert_non_null(n);
    return &n->out[0];
}

static inline inlay_tensor *numbers(inlay_type type, int64_t n, int64_t first)
{
    inlay_tensor *t = inlay_tensor_new(type, 1, &n);

    for (int64_t i = 0; i < n; i++)
        inlay_tensor_set_i64(t, i, first + i);
    return t;
}

static inline void add_const(inlay_graph *g, const char *name, const inlay_tensor *t)
{
    inlay_value *v = inlay_build_const(g, name, t, NULL);

    assert_non_null(v);
    assert_non_null(inlay_build_result(g, NULL, v, NULL));
}

/* Makes a graph in which r overwrites x; e, which reads x too, comes before r. */
static inline inlay_graph *noted_graph(void)
{
    inlay_graph *g = inlay_graph_new("n", NULL);
    inlay_value *x = parameter(g, "x", "2", INLAY_F32), *r = unary(g, "ReLU@opset1", "r", x),
                *e = unary(g, "Exp@opset1", "e", x);

    inlay_build_result(g, "y", r, NULL);
    inlay_build_result(g, "z", e, NULL);
    assert_true(inlay_graph_add_order_edge(g, e->node, r->node, NULL));
    assert_true(inlay_value_set_note(r, INLAY_OVERWRITES, x, NULL));
    return g;
}

#endif
