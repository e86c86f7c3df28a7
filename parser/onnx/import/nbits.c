/* MatMulNBits of the domain com.microsoft: a product with weights of few bits in blocks, as
 * exporters of language models write it (docs/ContribOperators.md of ONNX Runtime). The K weights
 * of each of N columns are contiguous, in blocks with a scale and a zero point each:
 *
 *     B u8 [N, blocks, block_size * bits / 8]  is  weights u4 [N, blocks, block_size]
 *     (Convert(weights) - Convert(zero points)) * scales [N, blocks, 1]  ->  [N, K]
 *
 * Pass keep-compressed recognises this form, so that weights stay as they are in the file. */
#include "ir/shared.h"
#include "parser/onnx/import/make.h"

/* The attributes, and the number of blocks in a column. */
struct sizes {
    int64_t k, n, bits, block, blocks;
    inlay_type type; /* of a weight */
};

static bool read_sizes(onnx_node *n, struct sizes *s)
{
    bool ok = true;

    s->k = onnx_attr_int(n, "K", 0, &ok);
    s->n = onnx_attr_int(n, "N", 0, &ok);
    s->bits = onnx_attr_int(n, "bits", 4, &ok);
    s->block = onnx_attr_int(n, "block_size", 0, &ok);
    onnx_attr_ignore(n, "accuracy_level"); /* how much less exactly it may be computed */
    if (ok && onnx_attr_int(n, "weight_prepacked", 0, &ok) != 0)
        return onnx_node_fail(n, "attribute \"weight_prepacked\" is not 0: the layout of B is one "
                                 "device's own");
    if (!ok)
        return false;
    if (s->k < 1 || s->n < 1 || s->k > INT32_MAX || s->n > INT32_MAX)
        return onnx_node_fail(
            n, "attributes \"K\" and \"N\" are %lld and %lld, they must be from 1 to %d",
            (long long)s->k, (long long)s->n, INT32_MAX);
    if (s->block < 16 || s->block > 1 << 30 || (s->block & (s->block - 1)) != 0)
        return onnx_node_fail(
            n, "attribute \"block_size\" is %lld, it must be a power of 2 from 16 to 2^30",
            (long long)s->block);
    if (s->bits != 2 && s->bits != 4 && s->bits != 8)
        return onnx_node_fail(n, "attribute \"bits\" is %lld, it must be 2, 4 or 8",
                              (long long)s->bits);
    s->type = s->bits == 2 ? INLAY_U2 : s->bits == 4 ? INLAY_U4 : INLAY_U8;
    s->blocks = (s->k - 1) / s->block + 1;
    return true;
}

/* Returns the packed numbers in the bytes of T, operand I, as a tensor. NULL: an error was
 * recorded. / */
static inlay_tensor *numbers_in(onnx_node *n, const inlay_tensor *t, int i, const char *name,
                                inlay_type type, const int64_t *dims, int rank)
{
    inlay_tensor *numbers;
    size_t bytes = 0;

    if (t->type != INLAY_U8 || !inlay_tensor_is_dense(t)) {
        onnx_node_fail(n, "operand %d, %s, has type %s, it must have u8", i, name,
                       inlay_type_info_of(t->type)->name);
        return NULL;
    }
    if (!inlay_count_bytes(type, rank, dims, &bytes) || bytes != inlay_tensor_bytes(t)) {
        onnx_node_fail(n, "operand %d, %s, has %zu byte%s, the attributes ask for %zu", i, name,
                       inlay_tensor_bytes(t), inlay_plural(inlay_tensor_bytes(t), "", "s"), bytes);
        return NULL;
    }
    numbers = inlay_tensor_over(t->buffer, (char *)t->data + t->offset, type, rank, dims);
    if (!numbers)
        inlay_fail_memory(n->d);
    return numbers;
}

/* The same of operand I, whose elements must be known. */
static inlay_tensor *numbers_of(onnx_node *n, int i, const char *name, inlay_type type,
                                const int64_t *dims, int rank)
{
    inlay_tensor *t = onnx_elements(n, n->in[i]);
    inlay_tensor *numbers = t ? numbers_in(n, t, i, name, type, dims, rank) : NULL;

    inlay_tensor_release(t);
    return numbers;
}

static inlay_value *give_constant(onnx_node *n, inlay_tensor *t)
{
    inlay_value *v = onnx_constant(n, t);

    inlay_tensor_release(t);
    return v;
}

static inlay_value *weights(onnx_node *n, const struct sizes *s)
{
    const int64_t dims[] = {s->n, s->blocks, s->block};

    return give_constant(n, numbers_of(n, 1, "B", s->type, dims, 3));
}

/* Zero points of a column begin with a byte of their own. */
static inlay_value *packed_zeros(onnx_node *n, const struct sizes *s)
{
    const int64_t each = 8 / s->bits, wide = (s->blocks - 1) / each * each + each;
    const int64_t dims[] = {s->n, wide}, own[] = {s->n, s->blocks, 1};
    inlay_tensor *all = numbers_of(n, 3, "zero_points", s->type, dims, 2);
    inlay_tensor *zeros = all ? inlay_tensor_new(s->type, 3, own) : NULL;

    if (all && !zeros)
        inlay_fail_memory(n->d);
    for (int64_t i = 0; zeros && i < s->n * s->blocks; i++)
        inlay_tensor_set_i64(zeros, i,
                             inlay_tensor_get_i64(all, i / s->blocks * wide + i % s->blocks));
    inlay_tensor_release(all);
    return give_constant(n, zeros);
}

static inlay_value *zero_points(onnx_node *n, const struct sizes *s)
{
    const int64_t dims[] = {s->n, s->blocks, 1};
    inlay_value *v = onnx_in(n, 3);

    if (!v)
        return onnx_number(n, s->type, (double)(1 << (s->bits - 1)));
    return v->fact.type == INLAY_U8 ? packed_zeros(n, s) : make_regrouped(n, v, dims, 3);
}

/* The weights as a matrix [N, K] of the scales' type. */
static inlay_value *matrix(onnx_node *n, const struct sizes *s)
{
    const int64_t dims[] = {s->n, s->blocks, 1}, two[] = {s->n, s->blocks * s->block}, none = 0;
    inlay_type type = n->in[2]->fact.type;
    inlay_value *w = onnx_convert(n, weights(n, s), type), *k;

    w = onnx_binary(n, "Subtract", w, onnx_convert(n, zero_points(n, s), type));
    w = onnx_binary(n, "Multiply", w, make_regrouped(n, n->in[2], dims, 3));
    w = make_shaped(n, w, two, 2);
    if (!w || s->k == two[1])
        return w;
    k = onnx_list(n, &s->k, 1);
    return make_cut(n, w, 1, onnx_list(n, &none, 1), k, 1);
}

static bool import_matmul_nbits(onnx_node *n)
{
    struct sizes s;
    inlay_value *w, *y, *bias = NULL;

    if (!read_sizes(n, &s))
        return false;
    if (onnx_in(n, 4))
        return onnx_node_fail(n, "operand 4, g_idx, is deprecated, and not read");
    if (onnx_in(n, 5) && !(bias = onnx_counted(n, 5, s.n)))
        return false;
    w = matrix(n, &s);
    y = onnx_make(n, "MatMul", 2, (inlay_value *[]){n->in[0], w}, ATTRS(FLAG("transpose_b", true)));
    if (y && bias)
        y = onnx_binary(n, "Add", y, bias);
    return onnx_give(n, 0, y);
}

const onnx_operator onnx_operators_nbits[] = {
    {"com.microsoft.MatMulNBits", 1, import_matmul_nbits, NULL, 3},
    {NULL, 0, NULL, NULL, 0},
};
