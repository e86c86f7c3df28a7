/* Products of matrices. */
#include "parser/onnx/import.h"

#include <string.h>

/* Multiplies X by attribute FACTOR. */
static inlay_value *scaled(onnx_node *n, inlay_value *x, const char *factor)
{
    bool ok = true;
    double f = onnx_attr_float(n, factor, 1, &ok);

    if (!ok || !x || f == 1)
        return ok ? x : NULL;
    return onnx_binary(n, "Multiply", x, onnx_number(n, x->fact.type, f));
}

static bool import_gemm(onnx_node *n)
{
    bool ok = true;
    bool a = onnx_attr_int(n, "transA", 0, &ok) != 0, b = onnx_attr_int(n, "transB", 0, &ok) != 0;
    bool fits = ok && onnx_has_rank(n, 0, 2, 2) && onnx_has_rank(n, 1, 2, 2);
    inlay_value *product = fits ? onnx_make(n, "MatMul", 2, n->in,
                                            ATTRS(FLAG("transpose_a", a), FLAG("transpose_b", b)))
                                : NULL;

    onnx_attr_ignore(n, "broadcast"); /* of version 1: the shapes of the operands say it, too */
    onnx_attr_ignore(n, "beta");      /* without a third operand */
    product = scaled(n, product, "alpha");
    if (product && onnx_in(n, 2))
        product =
            onnx_binary(n, "Add", product, onnx_fit(n, 2, scaled(n, n->in[2], "beta"), product));
    return onnx_give(n, 0, product);
}

static bool import_einsum(onnx_node *n)
{
    bool ok = true;
    const char *equation = onnx_attr_string(n, "equation", NULL, &ok);

    if (ok && !equation)
        return onnx_node_fail(n, "attribute \"equation\" is missing");
    if (ok && strpbrk(equation, ";\"\\"))
        return onnx_node_fail(n, "equation \"%.100s\" has something that is no label", equation);
    return ok &&
           onnx_give(n, 0,
                     onnx_make(n, "Einsum", n->n_in, n->in, ATTRS(WORD("equation", equation))));
}

const onnx_operator onnx_operators_matmul[] = {
    {"Det", 11, onnx_same, "Det@onnx11", 1},
    {"Einsum", 12, import_einsum, NULL, 1},
    {"Gemm", 1, import_gemm, NULL, 2},
    {"MatMul", 1, onnx_same, "MatMul", 2},
    {NULL, 0, NULL, NULL, 0},
};
