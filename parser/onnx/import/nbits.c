/* MatMulNBits of the domain com.microsoft: a product with weights of few bits in blocks, as
 * exporters of language models write it (docs/ContribOperators.md of ONNX Runtime). The K weights
 * of each of N columns are contiguous, in blocks with a scale and a zero point each:
 *
 *     B u8 [N, blocks, block_size * bits / 8]  is  weights u4 [N, blocks, block_size]
 *     (Convert(weights) - Convert(zero points)) * scales [N, blocks, 1]  ->  [N, K]
 *
 * Pass keep-compressed recognises this form, so that weights stay as they are in the file. */
#include "parser/onnx/import/nbits.h"
#include "ir/shared.h"

#include <string.h>

/* The attributes, and the number of blocks in a column. */
struct sizes {
    int64_t k, n, bits, block, blocks;
    inlay_type type; /* of a weight */
};

static inlay_type type_of_bits(int64_t bits)
{
    return bits == 2 ? INLAY_U2 : bits == 4 ? INLAY_U4 : INLAY_U8;
}

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
    s->type = type_of_bits(s->bits);
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

/* Asks for all sizes of V. */
static bool known_sizes(onnx_node *n, inlay_value *v, int64_t *dims)
{
    int rank = onnx_rank(n, v);

    for (int i = 0; i < rank; i++) {
        if ((dims[i] = onnx_known_size(n, v, i)) < 0)
            return false;
    }
    return rank >= 0;
}

/* Operand I, codes of few bits in bytes, as numbers of these bits; the last axis is LAST of them. */
static inlay_value *unpacked(onnx_node *n, int64_t bits, int i, const char *name, int64_t last)
{
    inlay_value *v = n->in[i];
    const inlay_type type = type_of_bits(bits);
    int64_t dims[INLAY_MAX_RANK], wide, one = last;
    int rank;

    if (!known_sizes(n, v, dims))
        return NULL;
    rank = v->fact.rank;
    if (rank < 1 || dims[rank - 1] > INT32_MAX)
        return (onnx_node_fail(n, "operand %d, %s, has no rows of codes", i, name), NULL);
    wide = dims[rank - 1] * (8 / bits);
    if (last > wide || last < 0) {
        onnx_node_fail(n, "operand %d, %s, has %lld numbers in a row, the scales ask for %lld", i,
                       name, (long long)wide, (long long)last);
        return NULL;
    }
    dims[rank - 1] = wide;
    v = give_constant(n, numbers_of(n, i, name, type, dims, rank));
    if (!v || last == wide)
        return v;
    return make_cut(n, v, rank - 1, onnx_list(n, (int64_t[]){0}, 1), onnx_list(n, &one, 1), 1);
}

/* V [count, rows, blocks], or [count, rows], for blocks of numbers in a row. */
static inlay_value *for_blocks(onnx_node *n, inlay_value *v, const int64_t *dims)
{
    const int64_t own[] = {dims[0], dims[1], dims[2], 1};

    return v ? make_regrouped(n, v, own, 4) : NULL;
}

inlay_value *nbits_matrices(onnx_node *n, int64_t bits, int weights, int scales, int zeros,
                            inlay_type type)
{
    inlay_value *w = n->in[weights], *s = onnx_in(n, scales), *zero;
    int64_t dims[INLAY_MAX_RANK], wide[INLAY_MAX_RANK], blocks[4], last;

    if (!s || !known_sizes(n, w, wide) || !known_sizes(n, s, dims))
        return s ? NULL : (onnx_node_fail(n, "operand %d, scales, is missing", scales), NULL);
    if (w->fact.rank != 3 || s->fact.rank < 2 || s->fact.rank > 3 || wide[2] > INT32_MAX)
        return (
            onnx_node_fail(n, "operand %d, scales, must have 2 or 3 axes, and weights 3", scales),
            NULL);
    last = dims[s->fact.rank - 1];
    dims[2] = s->fact.rank == 3 ? last : 1;
    wide[2] *= 8 / bits;
    if (dims[2] < 1 || wide[2] % dims[2] != 0)
        return (onnx_node_fail(n, "operand %d has %lld weights in a row, which are not %lld blocks",
                               weights, (long long)wide[2], (long long)dims[2]),
                NULL);
    memcpy(blocks, (const int64_t[]){dims[0], dims[1], dims[2], wide[2] / dims[2]}, sizeof blocks);
    w = make_regrouped(n, unpacked(n, bits, weights, "weights", wide[2]), blocks, 4);
    zero = onnx_in(n, zeros) ? for_blocks(n, unpacked(n, bits, zeros, "zero_points", last), dims)
                             : onnx_number(n, type_of_bits(bits), (double)(1 << (bits - 1)));
    w = onnx_binary(n, "Subtract", onnx_convert(n, w, type), onnx_convert(n, zero, type));
    w = onnx_binary(n, "Multiply", w, for_blocks(n, onnx_convert(n, s, type), dims));
    return make_shaped(n, w, wide, 3);
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
    inlay_tensor *zeros = all ? assemble_tensor(&n->s->r->a, s->type, 3, own) : NULL;

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

/* V [N, blocks, 1], or one number, for each of K weights of a column, by the list of their blocks. */
static inlay_value *by_block(onnx_node *n, const struct sizes *s, inlay_value *v, inlay_value *list)
{
    const int64_t dims[] = {s->n, s->blocks};

    return v && v->fact.rank != 0 ? onnx_take(n, make_regrouped(n, v, dims, 2), list, 1) : v;
}

/* The same where operand 4 says the block of each weight, which need not be its neighbours'. */
static inlay_value *scattered_matrix(onnx_node *n, const struct sizes *s)
{
    const int64_t two[] = {s->n, s->blocks * s->block}, none = 0;
    inlay_type type = n->in[2]->fact.type;
    inlay_value *w = onnx_convert(n, weights(n, s), type), *zero = onnx_list(n, &none, 1);
    inlay_value *k = onnx_list(n, &s->k, 1), *list;

    if (!onnx_has_rank(n, 4, 1, 1))
        return NULL;
    list = make_cut(n, n->in[4], 0, zero, k, 1);
    w = make_cut(n, make_shaped(n, w, two, 2), 1, zero, k, 1);
    w = onnx_binary(n, "Subtract", w,
                    by_block(n, s, onnx_convert(n, zero_points(n, s), type), list));
    return onnx_binary(n, "Multiply", w, by_block(n, s, n->in[2], list));
}

static bool import_matmul_nbits(onnx_node *n)
{
    struct sizes s;
    inlay_value *w, *y, *bias = NULL;

    if (!read_sizes(n, &s))
        return false;
    if (onnx_in(n, 5) && !(bias = onnx_counted(n, 5, s.n)))
        return false;
    w = onnx_in(n, 4) ? scattered_matrix(n, &s) : matrix(n, &s);
    y = onnx_make(n, "MatMul", 2, (inlay_value *[]){n->in[0], w}, ATTRS(FLAG("transpose_b", true)));
    if (y && bias)
        y = onnx_binary(n, "Add", y, bias);
    return onnx_give(n, 0, y);
}

/* MatMulBnb4: a code of 4 bits is the place of a number in a table, the first of two in the high
 * half of a byte. Blocks of the flattened weights have a scale each. */
static const float table_of_fp4[] = {
    0,     5.208333333e-03F,  0.66666667F,  1,  0.33333333F,  0.5F,  0.16666667F,  0.25F,
    -0.0F, -5.208333333e-03F, -0.66666667F, -1, -0.33333333F, -0.5F, -0.16666667F, -0.25F};
static const float table_of_nf4[] = {-1,
                                     -0.6961928009986877F,
                                     -0.5250730514526367F,
                                     -0.39491748809814453F,
                                     -0.28444138169288635F,
                                     -0.18477343022823334F,
                                     -0.09105003625154495F,
                                     0,
                                     0.07958029955625534F,
                                     0.16093020141124725F,
                                     0.24611230194568634F,
                                     0.33791524171829224F,
                                     0.44070982933044434F,
                                     0.5626170039176941F,
                                     0.7229568362236023F,
                                     1};

/* The numbers that the codes of operand 1 stand for, COUNT of them. */
static inlay_value *looked_up(onnx_node *n, const float *table, int64_t count)
{
    const int64_t dims[] = {(count + 1) / 2 * 2};
    inlay_tensor *codes = numbers_of(n, 1, "B", INLAY_U4, dims, 1);
    inlay_tensor *numbers = codes ? assemble_tensor(&n->s->r->a, INLAY_F32, 1, &count) : NULL;

    for (int64_t i = 0; numbers && i < count; i++)
        inlay_tensor_set_f64(numbers, i, (double)table[inlay_tensor_get_i64(codes, i ^ 1)]);
    inlay_tensor_release(codes);
    return give_constant(n, numbers);
}

/* The block of each of COUNT numbers. */
static inlay_value *blocks_of(onnx_node *n, int64_t count, int64_t size)
{
    inlay_value *all = onnx_count(n, onnx_integer(n, 0), onnx_integer(n, count));

    return onnx_binary(n, "Divide", all, onnx_integer(n, size));
}

static bool import_matmul_bnb4(onnx_node *n)
{
    struct sizes s;
    bool ok = true;
    int64_t kind = onnx_attr_int(n, "quant_type", 0, &ok), dims[2];
    bool by_rows = onnx_attr_int(n, "transB", 1, &ok) != 0;
    inlay_value *w, *scales;
    inlay_type type = n->in[0]->fact.type;

    onnx_attr_ignore(n, "training_mode"); /* of gradients */
    if (!ok || !read_sizes(n, &s))
        return false;
    if (kind != 0 && kind != 1)
        return onnx_node_fail(n, "attribute \"quant_type\" is %lld, it must be 0 or 1",
                              (long long)kind);
    dims[0] = s.n;
    dims[1] = s.k;
    w = looked_up(n, kind == 0 ? table_of_fp4 : table_of_nf4, s.n * s.k);
    scales = onnx_take(n, onnx_convert(n, onnx_flat(n, n->in[2]), INLAY_F32),
                       w ? blocks_of(n, s.n * s.k, s.block) : NULL, 0);
    w = onnx_convert(n, make_shaped(n, onnx_binary(n, "Multiply", w, scales), dims, 2), type);
    return onnx_give(n, 0,
                     onnx_make(n, "MatMul", 2, (inlay_value *[]){n->in[0], w},
                               ATTRS(FLAG("transpose_b", by_rows))));
}

/* GatherBlockQuantized: rows of a table of codes, of which those that are taken are made floats. */
typedef struct table {
    onnx_node *n;
    int gather, quantize; /* the axes */
    int64_t block, bits;
    inlay_value *codes, *zeros; /* zeros: NULL, there are none */
} table;

static bool is_power(int64_t x)
{
    return x >= 16 && x <= 1 << 30 && (x & (x - 1)) == 0;
}

static bool read_table(table *t)
{
    onnx_node *n = t->n;
    bool ok = true;
    int rank = onnx_rank(n, n->in[0]);
    int64_t gather = onnx_attr_int(n, "gather_axis", 0, &ok),
            quantize = onnx_attr_int(n, "quantize_axis", 1, &ok);
    bool is_float = inlay_type_is_float(n->in[0]->fact.type);

    t->block = onnx_attr_int(n, "block_size", 128, &ok);
    t->bits = onnx_attr_int(n, "bits", 4, &ok);
    if (!ok || rank < 0 || onnx_rank(n, n->in[2]) < 0)
        return false;
    if (rank < 1 || n->in[2]->fact.rank != rank ||
        (onnx_in(n, 3) && onnx_rank(n, n->in[3]) != rank))
        return onnx_node_fail(n, "data, scales and zero points must have as many axes, 1 or more");
    if (!is_power(t->block) && !(is_float && t->block == 0))
        return onnx_node_fail(
            n, "attribute \"block_size\" is %lld, it must be a power of 2 from 16 to 2^30",
            (long long)t->block);
    if (t->bits != 2 && t->bits != 4 && t->bits != 8)
        return onnx_node_fail(n, "attribute \"bits\" is %lld, it must be 2, 4 or 8",
                              (long long)t->bits);
    t->gather = onnx_axis(n, gather, rank);
    t->quantize = t->gather < 0 ? -1 : onnx_axis(n, quantize, rank);
    return t->quantize >= 0;
}

/* Codes in bytes that have fewer bits lie in the last axis. Zero points that are left out are 0,
 * or for bytes the middle of the range. */
static bool unpack_table(table *t)
{
    onnx_node *n = t->n;
    inlay_value *data = n->in[0];
    bool bytes = data->fact.type == INLAY_U8;
    int last = data->fact.rank - 1;

    t->codes = data;
    t->zeros = onnx_in(n, 3);
    if (bytes && t->bits < 8) {
        int64_t size = onnx_known_size(n, data, last), own = onnx_known_size(n, n->in[2], last);

        if (size < 0 || own < 0 || size > INT32_MAX)
            return false;
        t->codes = unpacked(n, t->bits, 0, "data", size * (8 / t->bits));
        t->zeros = t->zeros ? unpacked(n, t->bits, 3, "zero_points", own) : NULL;
        if (onnx_in(n, 3) && !t->zeros)
            return false;
    }
    if (t->codes && bytes && !t->zeros)
        t->zeros = onnx_number(n, t->codes->fact.type, (double)(1 << (t->bits - 1)));
    return t->codes != NULL;
}

/* Elements of V, scales or zero points, for what the indices take of the codes. Along the axis in
 * which blocks lie there is one of them for each block. */
static inlay_value *taken(const table *t, inlay_value *v)
{
    onnx_node *n = t->n;
    inlay_value *at = onnx_convert(n, n->in[1], INLAY_I64), *size, *all, *zero;
    int axis = t->quantize;

    if (!v || v->fact.rank == 0)
        return v;
    size = onnx_size(n, t->codes, axis);
    zero = onnx_integer(n, 0);
    if (t->gather != axis && inlay_dim_proven_equal(v->fact.dims[t->gather], inlay_dim_of(1)))
        at = onnx_binary(n, "Multiply", at, zero); /* one for all */
    if (t->block == 0)
        return t->gather == axis ? onnx_take(n, v, onnx_binary(n, "Multiply", at, zero), axis)
                                 : onnx_take(n, v, at, t->gather);
    if (t->gather == axis) {
        at = make_select(n, onnx_binary(n, "Less", at, zero), onnx_binary(n, "Add", at, size), at);
        return onnx_take(n, v, onnx_binary(n, "Divide", at, onnx_integer(n, t->block)), axis);
    }
    all = onnx_binary(n, "Divide", onnx_count(n, zero, size), onnx_integer(n, t->block));
    v = onnx_take(n, v, at, t->gather);
    if (axis > t->gather)
        axis += n->in[1]->fact.rank - 1;
    return onnx_take(n, v, all, axis);
}

static bool import_gather_block(onnx_node *n)
{
    table t = {.n = n};
    inlay_type type = n->in[2]->fact.type;
    inlay_value *y;

    if (onnx_rank(n, n->in[1]) < 0 || !read_table(&t) || !unpack_table(&t))
        return false;
    y = onnx_convert(n, onnx_take(n, t.codes, n->in[1], t.gather), INLAY_F32);
    if (t.zeros)
        y = onnx_binary(n, "Subtract", y, onnx_convert(n, taken(&t, t.zeros), INLAY_F32));
    y = onnx_binary(n, "Multiply", y, onnx_convert(n, taken(&t, n->in[2]), INLAY_F32));
    return onnx_give(n, 0, onnx_convert(n, y, type));
}

const onnx_operator onnx_operators_nbits[] = {
    {"com.microsoft.GatherBlockQuantized", 1, import_gather_block, NULL, 3},
    {"com.microsoft.MatMulBnb4", 1, import_matmul_bnb4, NULL, 3},
    {"com.microsoft.MatMulNBits", 1, import_matmul_nbits, NULL, 3},
    {NULL, 0, NULL, NULL, 0},
};
