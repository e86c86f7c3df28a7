/* MoE of com.microsoft, a mixture of experts: of each token the K experts with the largest
 * probabilities, each two products with an activation between them, are summed up in proportion.
 * All experts are computed for all tokens; those that are not chosen weigh 0. */
#include "parser/onnx/import/make.h"

#include <math.h>
#include <string.h>

enum { MOE_X, MOE_ROUTER, MOE_FC1, MOE_BIAS1, MOE_FC2, MOE_BIAS2, MOE_FC3, MOE_BIAS3 };
enum { MOE_APART, MOE_INTERLEAVED, MOE_HALVES };

typedef struct moe {
    onnx_node *n;
    int64_t k, fusion;
    const char *activation;
    double alpha, beta, limit;
    bool normalize;
    inlay_type wide;
} moe;

static bool read_moe(moe *m)
{
    onnx_node *n = m->n;
    bool ok = true;

    m->k = onnx_attr_int(n, "k", 1, &ok);
    m->fusion = onnx_attr_int(n, "swiglu_fusion", 0, &ok);
    m->activation =
        onnx_attr_word(n, "activation_type", "relu", "relu gelu silu swiglu identity", &ok);
    m->alpha = onnx_attr_float(n, "activation_alpha", 1, &ok);
    m->beta = onnx_attr_float(n, "activation_beta", 0, &ok);
    m->limit = onnx_attr_float(n, "swiglu_limit", INFINITY, &ok);
    m->normalize = onnx_attr_int(n, "normalize_routing_weights", 0, &ok) != 0;
    m->wide = make_wide_type(n->in[MOE_X]->fact.type);
    if (!ok)
        return false;
    if (onnx_attr_int(n, "use_sparse_mixer", 0, &ok) != 0)
        return onnx_node_fail(n, "attribute \"use_sparse_mixer\" is not 0, which is not read");
    if (m->k < 1 || m->k > INT32_MAX || m->fusion < MOE_APART || m->fusion > MOE_HALVES)
        return onnx_node_fail(n,
                              "attributes \"k\" and \"swiglu_fusion\" are %lld and %lld, they must "
                              "be 1 or more, and 0 to 2",
                              (long long)m->k, (long long)m->fusion);
    return onnx_has_rank(n, MOE_X, 2, 3) && onnx_has_rank(n, MOE_ROUTER, 2, 2) &&
           onnx_has_rank(n, MOE_FC1, 3, 3) && onnx_has_rank(n, MOE_FC2, 3, 3);
}

/* How much each expert counts for each token: [experts, tokens, 1]. */
static inlay_value *shares(const moe *m)
{
    onnx_node *n = m->n;
    inlay_value *p = make_wide(n, n->in[MOE_ROUTER]), *in[4];
    inlay_node *top;

    p = onnx_make(n, "SoftMax", 1, &p, ATTRS(INT("axis", 1)));
    if (!p)
        return NULL;
    top = onnx_make_node(n, "TopK", 2, (inlay_value *[]){p, onnx_integer(n, m->k)},
                         ATTRS(INT("axis", 1), WORD("mode", "max"), WORD("sort", "value"),
                               TYPE("index_element_type", INLAY_I64)));
    if (!top)
        return NULL;
    in[0] = make_zeros(n, m->wide, onnx_shape_of(n, p));
    in[1] = &top->out[1];
    in[2] = &top->out[0];
    in[3] = onnx_integer(n, 1);
    if (m->normalize)
        in[2] =
            onnx_binary(n, "Divide", in[2],
                        make_reduce(n, "ReduceSum", in[2], onnx_list(n, (int64_t[]){1}, 1), true));
    p = onnx_make(n, "ScatterElementsUpdate", 4, in, NULL);
    return make_unsqueeze(n, make_transpose(n, p, (int64_t[]){1, 0}, 2), (int64_t[]){2}, 1);
}

/* X by the weights [experts, rows, columns], plus the bias [experts, rows]; operands WEIGHTS and
 * BIAS. */
static inlay_value *layer(const moe *m, inlay_value *x, int weights, int bias)
{
    onnx_node *n = m->n;
    inlay_value *in[] = {x, make_wide(n, n->in[weights])};
    inlay_value *y = onnx_make(n, "MatMul", 2, in, ATTRS(FLAG("transpose_b", true)));

    return onnx_in(n, bias)
               ? onnx_binary(n, "Add", y,
                             make_unsqueeze(n, make_wide(n, n->in[bias]), (int64_t[]){1}, 1))
               : y;
}

/* G * sigmoid(alpha * G) * (L + beta), where G and L are cut off at the limit. */
static inlay_value *swiglu(const moe *m, inlay_value *g, inlay_value *l)
{
    onnx_node *n = m->n;

    if (m->limit < INFINITY) {
        g = onnx_binary(n, "Minimum", g, onnx_number(n, m->wide, m->limit));
        l = onnx_make(n, "Clamp", 1, &l, ATTRS(REAL("min", -m->limit), REAL("max", m->limit)));
    }
    if (m->beta != 0)
        l = onnx_binary(n, "Add", l, onnx_number(n, m->wide, m->beta));
    g = onnx_binary(n, "Swish", g, onnx_number(n, m->wide, m->alpha));
    return onnx_binary(n, "Multiply", g, l);
}

/* Columns of X [experts, tokens, columns]: the even or odd ones, or one half. */
static inlay_value *columns(const moe *m, inlay_value *x, int i)
{
    onnx_node *n = m->n;
    inlay_value *size = make_size(n, x, 2), *zero = onnx_list(n, (int64_t[]){0}, 1), *half;

    if (m->fusion == MOE_INTERLEAVED)
        return make_cut(n, x, 2, onnx_list(n, (int64_t[]){i}, 1), size, 2);
    half = onnx_binary(n, "Divide", size, onnx_list(n, (int64_t[]){2}, 1));
    return make_cut(n, x, 2, i == 0 ? zero : half, i == 0 ? half : size, 1);
}

/* What the second product of each expert takes. */
static inlay_value *activated(const moe *m, inlay_value *x)
{
    onnx_node *n = m->n;
    inlay_value *y = layer(m, x, MOE_FC1, MOE_BIAS1), *l = NULL;
    bool gated = strcmp(m->activation, "swiglu") == 0;

    if (onnx_in(n, MOE_FC3))
        l = layer(m, x, MOE_FC3, MOE_BIAS3);
    if (gated && m->fusion != MOE_APART)
        return y ? swiglu(m, columns(m, y, 0), columns(m, y, 1)) : NULL;
    if (gated && !l)
        onnx_node_fail(n, "operand 6, the weights of the gate, is missing");
    if (gated)
        return l ? swiglu(m, y, l) : NULL;
    if (strcmp(m->activation, "relu") == 0)
        y = onnx_unary(n, "ReLU", y);
    else if (strcmp(m->activation, "gelu") == 0)
        y = onnx_make(n, "Gelu", 1, &y, ATTRS(WORD("approximation_mode", "tanh")));
    else if (strcmp(m->activation, "silu") == 0)
        y = onnx_unary(n, "Swish", y);
    return onnx_in(n, MOE_FC3) ? onnx_binary(n, "Multiply", y, l) : y;
}

static bool import_moe(onnx_node *n)
{
    moe m = {.n = n};
    inlay_value *x = n->in[MOE_X], *y, *sizes[2];
    int rank = onnx_rank(n, x);

    for (int i = MOE_FC1; i <= MOE_FC2; i += MOE_FC2 - MOE_FC1) {
        if (!onnx_in(n, i))
            return onnx_node_fail(n, "input[%d] is missing", i);
    }
    if (rank < 0 || !read_moe(&m))
        return false;
    sizes[0] = onnx_sizes(n, x, 0, rank - 1);
    sizes[1] = make_size(n, x, rank - 1);
    y = make_wide(n, rank == 2 ? x : make_reshape(n, x, sizes, 2));
    y = activated(&m, make_unsqueeze(n, y, (int64_t[]){0}, 1));
    y = layer(&m, y, MOE_FC2, MOE_BIAS2);
    y = onnx_binary(n, "Multiply", y, shares(&m));
    y = make_reduce(n, "ReduceSum", y, onnx_list(n, (int64_t[]){0}, 1), false);
    y = onnx_convert(n, y, x->fact.type);
    return onnx_give(n, 0, rank == 2 ? y : onnx_reshape(n, y, onnx_shape_of(n, x)));
}

const onnx_operator onnx_operators_moe[] = {
    {"com.microsoft.MoE", 1, import_moe, NULL, 3},
    {NULL, 0, NULL, NULL, 0},
};
