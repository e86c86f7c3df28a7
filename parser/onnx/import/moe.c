/* MoE and QMoE of com.microsoft, mixtures of experts: of each token the K experts with the largest
 * probabilities, each two products with an activation between them, are summed up in proportion.
 * All experts are computed for all tokens; those that are not chosen weigh 0. The weights of QMoE
 * are codes of few bits, which lie as MatMulNBits has them. */
#include "parser/onnx/import/nbits.h"

#include <math.h>
#include <string.h>

enum { MOE_X, MOE_ROUTER };
enum { MOE_APART, MOE_INTERLEAVED, MOE_HALVES };
enum { FC1, FC2, FC3 };

/* The operands of a layer; without SCALES, which are never the first one, its weights are floats. */
typedef struct moe_layer {
    int weights, scales, bias, zeros;
} moe_layer;

typedef struct moe {
    onnx_node *n;
    const moe_layer *layers;
    int weights; /* operand: weights of the experts if other numbers choose them; 0: none */
    int64_t k, fusion, bits;
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
    if (!ok || !onnx_attr_usual(n, "use_sparse_mixer", 0))
        return false;
    if (m->k < 1 || m->fusion < MOE_APART || m->fusion > MOE_HALVES)
        return onnx_node_fail(n,
                              "attributes \"k\" and \"swiglu_fusion\" are %lld and %lld, they must "
                              "be 1 or more, and 0 to 2",
                              (long long)m->k, (long long)m->fusion);
    return onnx_has_rank(n, MOE_X, 2, 3) && onnx_has_rank(n, MOE_ROUTER, 2, 2) &&
           onnx_has_rank(n, m->layers[FC1].weights, 3, 3) &&
           onnx_has_rank(n, m->layers[FC2].weights, 3, 3);
}

static inlay_value *softmax_of(const moe *m, inlay_value *x)
{
    return onnx_make(m->n, "SoftMax", 1, &x, ATTRS(INT("axis", 1)));
}

/* How much each expert counts for each token: [experts, tokens, 1]. QMoE has probabilities of the
 * chosen ones alone. */
static inlay_value *shares(const moe *m)
{
    onnx_node *n = m->n;
    inlay_value *p = make_wide(n, n->in[MOE_ROUTER]), *in[4];
    inlay_value *weights = m->weights > 0 ? make_wide(n, onnx_in(n, m->weights)) : NULL;
    inlay_node *top;

    p = m->bits > 0 ? p : softmax_of(m, p);
    if (!p)
        return NULL;
    top = onnx_make_node(n, "TopK", 2, (inlay_value *[]){p, onnx_integer(n, m->k)},
                         ATTRS(INT("axis", 1), WORD("mode", "max"), WORD("sort", "value"),
                               TYPE("index_element_type", INLAY_I64)));
    if (!top)
        return NULL;
    in[0] = make_zeros(n, m->wide, onnx_shape_of(n, p));
    in[1] = &top->out[1];
    in[2] = m->bits > 0 && !weights ? softmax_of(m, &top->out[0]) : &top->out[0];
    if (weights)
        in[2] = onnx_make(n, "GatherElements", 2, (inlay_value *[]){weights, in[1]},
                          ATTRS(INT("axis", 1)));
    in[3] = onnx_integer(n, 1);
    if (m->normalize && (m->bits == 0 || weights))
        in[2] =
            onnx_binary(n, "Divide", in[2],
                        make_reduce(n, "ReduceSum", in[2], onnx_list(n, (int64_t[]){1}, 1), true));
    p = onnx_make(n, "ScatterElementsUpdate", 4, in, NULL);
    return make_unsqueeze(n, make_transpose(n, p, (int64_t[]){1, 0}, 2), (int64_t[]){2}, 1);
}

/* The weights [experts, rows, columns] of a layer. */
static inlay_value *weights_of(const moe *m, const moe_layer *l)
{
    return l->scales == 0 ? make_wide(m->n, m->n->in[l->weights])
                          : nbits_matrices(m->n, m->bits, l->weights, l->scales, l->zeros, m->wide);
}

/* X by the weights, plus the bias [experts, rows]. */
static inlay_value *layer(const moe *m, inlay_value *x, const moe_layer *l)
{
    onnx_node *n = m->n;
    inlay_value *in[] = {x, weights_of(m, l)};
    inlay_value *y = onnx_make(n, "MatMul", 2, in, ATTRS(FLAG("transpose_b", true)));

    return onnx_in(n, l->bias)
               ? onnx_binary(n, "Add", y,
                             make_unsqueeze(n, make_wide(n, n->in[l->bias]), (int64_t[]){1}, 1))
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
    inlay_value *y = layer(m, x, &m->layers[FC1]), *l = NULL;
    bool gated = strcmp(m->activation, "swiglu") == 0;
    bool apart = onnx_in(n, m->layers[FC3].weights) != NULL;

    if (apart)
        l = layer(m, x, &m->layers[FC3]);
    if (gated && m->fusion != MOE_APART)
        return y ? swiglu(m, columns(m, y, 0), columns(m, y, 1)) : NULL;
    if (gated && !l)
        onnx_node_fail(n, "operand %d, the weights of the gate, is missing",
                       m->layers[FC3].weights);
    if (gated)
        return l ? swiglu(m, y, l) : NULL;
    if (strcmp(m->activation, "relu") == 0)
        y = onnx_unary(n, "ReLU", y);
    else if (strcmp(m->activation, "gelu") == 0)
        y = onnx_make(n, "Gelu", 1, &y, ATTRS(WORD("approximation_mode", "tanh")));
    else if (strcmp(m->activation, "silu") == 0)
        y = onnx_unary(n, "Swish", y);
    return apart ? onnx_binary(n, "Multiply", y, l) : y;
}

static bool give_mixture(moe *m)
{
    onnx_node *n = m->n;
    inlay_value *x = n->in[MOE_X], *y, *sizes[2];
    int rank = onnx_rank(n, x);

    for (int i = FC1; i <= FC2; i++) {
        if (!onnx_in(n, m->layers[i].weights))
            return onnx_node_fail(n, "input[%d] is missing", m->layers[i].weights);
    }
    if (rank < 0 || !read_moe(m))
        return false;
    sizes[0] = onnx_sizes(n, x, 0, rank - 1);
    sizes[1] = make_size(n, x, rank - 1);
    y = make_wide(n, rank == 2 ? x : make_reshape(n, x, sizes, 2));
    y = activated(m, make_unsqueeze(n, y, (int64_t[]){0}, 1));
    y = layer(m, y, &m->layers[FC2]);
    y = onnx_binary(n, "Multiply", y, shares(m));
    y = make_reduce(n, "ReduceSum", y, onnx_list(n, (int64_t[]){0}, 1), false);
    y = onnx_convert(n, y, x->fact.type);
    return onnx_give(n, 0, rank == 2 ? y : onnx_reshape(n, y, onnx_shape_of(n, x)));
}

static bool import_moe(onnx_node *n)
{
    static const moe_layer layers[] = {{2, 0, 3, 0}, {4, 0, 5, 0}, {6, 0, 7, 0}};

    return give_mixture(&(moe){.n = n, .layers = layers});
}

/* Weights for processors: rows of columns. What a device has put in its own order looks the same,
 * but where the file says so. */
static bool import_quantized_moe(onnx_node *n)
{
    static const moe_layer layers[] = {{2, 3, 4, 11}, {5, 6, 7, 12}, {8, 9, 10, 13}};
    moe m = {.n = n, .layers = layers, .weights = onnx_in(n, 14) ? 14 : 0};
    bool ok = true;

    m.bits = onnx_attr_int(n, "expert_weight_bits", 4, &ok);
    onnx_attr_word(n, "quant_type", "int", "int", &ok);
    onnx_attr_ignore(n, "block_size"); /* the scales say it */
    if (ok && m.bits != 2 && m.bits != 4 && m.bits != 8)
        return onnx_node_fail(n, "attribute \"expert_weight_bits\" is %lld, it must be 2, 4 or 8",
                              (long long)m.bits);
    if (ok && onnx_attr_int(n, "weights_prepacked", 0, &ok) > 0)
        return onnx_node_fail(n, "attribute \"weights_prepacked\" is not 0: the layout of the "
                                 "weights is one device's own");
    return ok && give_mixture(&m);
}

const onnx_operator onnx_operators_moe[] = {
    {"com.microsoft.MoE", 1, import_moe, NULL, 3},
    {"com.microsoft.QMoE", 1, import_quantized_moe, NULL, 4},
    {NULL, 0, NULL, NULL, 0},
};
