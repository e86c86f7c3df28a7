/* Products of matrices. */
#include "parser/onnx/import/make.h"
#include "parser/onnx/write.h"

#include <string.h>

/* alpha * A B + beta * C. */
static inlay_value *gemm(onnx_node *n)
{
    bool ok = true;
    bool a = onnx_attr_int(n, "transA", 0, &ok) != 0, b = onnx_attr_int(n, "transB", 0, &ok) != 0;
    bool fits = ok && onnx_has_rank(n, 0, 2, 2) && onnx_has_rank(n, 1, 2, 2);
    inlay_value *product = fits ? onnx_make(n, "MatMul", 2, n->in,
                                            ATTRS(FLAG("transpose_a", a), FLAG("transpose_b", b)))
                                : NULL;

    onnx_attr_ignore(n, "broadcast"); /* of version 1: the shapes of the operands tell it */
    onnx_attr_ignore(n, "beta");      /* without a third operand */
    product = make_factor(n, product, "alpha");
    if (product && onnx_in(n, 2))
        product = onnx_binary(n, "Add", product,
                              onnx_fit(n, 2, make_factor(n, n->in[2], "beta"), product));
    return product;
}

static bool import_gemm(onnx_node *n)
{
    return onnx_give(n, 0, gemm(n));
}

/* The activation of a product, whose parameters are attributes of their own. */
static inlay_value *activated(onnx_node *n, inlay_value *x)
{
    static const char *const names[] = {"activation_alpha", "activation_beta", "activation_gamma"};
    bool ok = true;
    const char *name = onnx_attr_string(n, "activation", "", &ok);
    double p[MAKE_PARAMETERS];
    int count = 0;

    for (int i = 0; i < MAKE_PARAMETERS; i++) {
        p[i] = onnx_attr_float(n, names[i], 0, &ok);
        count = onnx_attr(n, names[i]) ? i + 1 : count;
    }
    return ok ? make_activation(n, x, name, p, count) : NULL;
}

static bool import_fused_gemm(onnx_node *n)
{
    return onnx_give(n, 0, activated(n, gemm(n)));
}

/* Moves the first axis of X, the rows if attribute NAME is set, behind the batches: [M, a, b, K]
 * becomes [a, b, M, K]. */
static inlay_value *batches_first(onnx_node *n, inlay_value *x, const char *name)
{
    bool ok = true;
    int rank;

    if (onnx_attr_int(n, name, 0, &ok) == 0)
        return ok ? x : NULL;
    rank = onnx_rank(n, x);
    return rank < 3 ? rank < 0 ? NULL : x : make_moved(n, x, rank, 0, rank - 2);
}

static inlay_value *fused_product(onnx_node *n)
{
    bool ok = true;
    bool a = onnx_attr_int(n, "transA", 0, &ok) != 0, b = onnx_attr_int(n, "transB", 0, &ok) != 0;
    inlay_value *in[] = {batches_first(n, n->in[0], "transBatchA"),
                         batches_first(n, n->in[1], "transBatchB")};

    return ok && in[0] && in[1]
               ? make_factor(n,
                             onnx_make(n, "MatMul", 2, in,
                                       ATTRS(FLAG("transpose_a", a), FLAG("transpose_b", b))),
                             "alpha")
               : NULL;
}

static bool import_fused_matmul(onnx_node *n)
{
    return onnx_give(n, 0, fused_product(n));
}

static bool import_activated_matmul(onnx_node *n)
{
    onnx_attr_ignore(n, "activation_axis"); /* no activation that is known has an axis */
    return onnx_give(n, 0, activated(n, fused_product(n)));
}

static bool import_fast_gelu_product(onnx_node *n)
{
    inlay_value *x = make_sum(n, onnx_make(n, "MatMul", 2, n->in, NULL), 2);

    return onnx_give(n, 0, onnx_make(n, "Gelu", 1, &x, ATTRS(WORD("approximation_mode", "tanh"))));
}

static bool import_inverse(onnx_node *n)
{
    return onnx_give(n, 0, onnx_make(n, "Inverse", 1, n->in, ATTRS(FLAG("adjoint", false))));
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
    {"com.microsoft.FusedGemm", 1, import_fused_gemm, NULL, 2},
    {"com.microsoft.FusedMatMul", 1, import_fused_matmul, NULL, 2},
    {"com.microsoft.FusedMatMulActivation", 1, import_activated_matmul, NULL, 2},
    {"com.microsoft.GemmFastGelu", 1, import_fast_gelu_product, NULL, 2},
    {"com.microsoft.Inverse", 1, import_inverse, NULL, 1},
    {"com.microsoft.TransposeMatMul", 1, import_fused_matmul, NULL, 2},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* Gemm takes flags for transposed matrices; operands with more axes are transposed first. An
 * operand of one axis is a row or a column, and the flags do not apply to it. */
static bool export_matmul(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_FLOAT | PUT_WIDE);
    bool flags[2] = {inlay_node_bool(x->n, "transpose_a"), inlay_node_bool(x->n, "transpose_b")};
    const char *in[3] = {NULL};
    int ranks[2];

    if (type == INLAY_DYNAMIC)
        return put_refuse(x, "products of %s", inlay_type_info_of(put_type(x, 0))->name);
    for (int i = 0; i < 2; i++) {
        in[i] = put_as(x, i, type);
        ranks[i] = flags[i] ? put_rank(x, i) : put_fact(x, i)->rank;
        if (flags[i] && ranks[i] < 0)
            return false;
    }
    if ((flags[0] || flags[1]) && ranks[0] == 2 && ranks[1] == 2)
        return put_give_as(
            x, 0, put(x, "Gemm", in, ATTRS(INT("transA", flags[0]), INT("transB", flags[1]))),
            type);
    for (int i = 0; i < 2; i++) {
        if (flags[i] && ranks[i] >= 2)
            in[i] = put_moved(x, in[i], ranks[i], ranks[i] - 2, ranks[i] - 1);
    }
    return put_give_as(x, 0, put(x, "MatMul", in, NULL), type);
}

static bool export_einsum(onnx_export *x)
{
    const char **in = inlay_arena_array(x->w->a, (size_t)x->n->n_in + 1, sizeof *in);
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC | PUT_INT);

    for (int i = 0; in && i < x->n->n_in; i++)
        in[i] = put_as(x, i, type);
    return in && put_give_as(x, 0,
                             put(x, "Einsum", in,
                                 ATTRS(WORD("equation", inlay_node_string(x->n, "equation")))),
                             type);
}

const onnx_exporter onnx_exporters_matmul[] = {
    {"Det@onnx", NULL, "Det", 0, PUT_BASIC},
    {"Einsum", export_einsum, NULL, 0, PUT_ANY},
    {"MatMul", export_matmul, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
