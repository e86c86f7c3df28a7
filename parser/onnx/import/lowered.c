/* Exports of operations for which ONNX has no operator: each becomes a few others. */
#include "ir/shared.h"
#include "parser/onnx/write.h"

#include <string.h>

enum { EXACT_TYPES = PUT_BIT(INLAY_F32) | PUT_BIT(INLAY_F64) };

/* round((x - low) / (high - low) * (levels - 1)) / (levels - 1) * (output high - output low) +
 * output low, and the ends of the output beyond those of the input. */
static bool export_fake_quantize(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), EXACT_TYPES);
    const char *in[5], *y, *steps = put_number(x, type, (double)inlay_node_int(x->n, "levels") - 1);

    for (int i = 0; i < 5; i++)
        in[i] = put_as(x, i, type);
    y = put_binary(x, "Div", put_binary(x, "Sub", in[0], in[1]),
                   put_binary(x, "Sub", in[2], in[1]));
    y = put(x, "Round", IN(put_binary(x, "Mul", y, steps)), NULL);
    y = put_binary(x, "Mul", put_binary(x, "Div", y, steps), put_binary(x, "Sub", in[4], in[3]));
    y = put_binary(x, "Add", y, in[3]);
    y = put(x, "Where",
            IN(put_binary(x, "Greater", in[0], put_binary(x, "Max", in[1], in[2])), in[4], y),
            NULL);
    y = put(x, "Where",
            IN(put_binary(x, "LessOrEqual", in[0], put_binary(x, "Min", in[1], in[2])), in[3], y),
            NULL);
    return put_give_as(x, 0, y, type);
}

static bool export_promote(onnx_export *x)
{
    bool ok = true;

    for (int i = 0; ok && i < 2; i++)
        ok = put_give(x, i, put_as(x, i, x->n->out[i].fact.type));
    return ok;
}

/* (weights - zero point) * scale, computed in the type of the scale, as a matrix. */
static bool export_compressed(onnx_export *x)
{
    bool turned = inlay_node_bool(x->n, "transpose_b"), scaled = inlay_node_input(x->n, 2) != NULL;
    inlay_type own = put_type(x, 0), type = scaled ? put_type(x, 2) : own;
    const char *w = put_as(x, 1, type);
    int rank = put_rank(x, 1);
    int64_t dims[2];

    if (rank < 2)
        return false;
    if (inlay_node_input(x->n, 3))
        w = put_binary(x, "Sub", w, put_as(x, 3, type));
    if (scaled)
        w = put_binary(x, "Mul", w, put_in(x, 2));
    dims[!turned] = put_size(x, 1, turned ? 0 : rank - 1);
    dims[turned] = -1;
    if (dims[!turned] < 0)
        return put_refuse(x, "the sizes of its weights are not known");
    w = rank > 2 ? put_reshape(x, w, dims, 2) : w;
    w = type == own ? w : put_cast(x, w, own);
    return put_give(x, 0,
                    put_binary(x, "MatMul", put_in(x, 0),
                               turned ? put_transpose(x, w, (int64_t[]){1, 0}, 2) : w));
}

/* Operand I, a list with an element per channel, with AFTER more axes of size 1 behind it; NULL: it
 * is absent. */
static const char *end_of(onnx_export *x, int i, int after)
{
    const inlay_value *v = inlay_node_input(x->n, i);
    int64_t dims[INLAY_MAX_RANK] = {-1};

    if (!v || after == 0)
        return v ? put_in(x, i) : NULL;
    for (int k = 1; k <= after; k++)
        dims[k] = 1;
    return put_reshape(x, put_in(x, i), dims, after + 1);
}

bool put_ends(onnx_export *x, const char *y, int after)
{
    enum { BIAS = 4, SCALE, SHIFT, FACTOR, DIVISOR, ZERO };
    static const char *const ops[] = {"Add", "Mul", "Add", "Mul", "Div", "Add"};
    inlay_type out = x->n->out[0].fact.type;
    const char *end;

    for (int i = BIAS; i <= ZERO; i++) {
        if (i == SCALE && out != INLAY_I32)
            y = put_cast(x, y, INLAY_F32);
        if (i == ZERO && out != INLAY_I32 && out != INLAY_F32)
            y = put(x, "Round", IN(y), NULL);
        if ((end = end_of(x, i, after)))
            y = put_binary(x, ops[i - BIAS], y, end);
    }
    if (out == INLAY_I32 || out == INLAY_F32)
        return put_give(x, 0, y);
    y = put(x, "Clip",
            IN(y, put_number(x, INLAY_F32, inlay_node_float(x->n, "min")),
               put_number(x, INLAY_F32, inlay_node_float(x->n, "max"))),
            NULL);
    return put_give(x, 0, put_cast(x, y, out));
}

const char *put_zero_of(onnx_export *x, int i)
{
    inlay_type type = put_type(x, i);
    int64_t zero, least = type == INLAY_I8 ? INT8_MIN : 0;

    if (!inlay_node_input(x->n, 2 + i))
        return "";
    return put_seen(x, 2 + i, &zero, 1) == 1 && zero >= least && zero <= least + UINT8_MAX
               ? put_number(x, type, (double)zero)
               : NULL;
}

/* V of RANK axes with the last two exchanged, if attribute FLAG says so. */
static const char *turned(onnx_export *x, const char *v, int rank, const char *flag)
{
    return inlay_node_bool(x->n, flag) && rank > 1 ? put_moved(x, v, rank, rank - 2, rank - 1) : v;
}

/* Operand I less its zero point as i32. */
static const char *less_zero(onnx_export *x, int i)
{
    const char *v = put_as(x, i, INLAY_I32);

    return inlay_node_input(x->n, 2 + i) ? put_binary(x, "Sub", v, put_in(x, 2 + i)) : v;
}

static bool export_matmul_quantized(onnx_export *x)
{
    int a = put_rank(x, 0), b = a < 0 ? -1 : put_rank(x, 1);
    const char *a_zero = put_zero_of(x, 0), *b_zero = put_zero_of(x, 1);
    bool whole = a_zero && b_zero;

    if (b < 0)
        return false;
    return put_ends(x,
                    put(x, whole ? "MatMulInteger" : "MatMul",
                        IN(turned(x, whole ? put_in(x, 0) : less_zero(x, 0), a, "transpose_a"),
                           turned(x, whole ? put_in(x, 1) : less_zero(x, 1), b, "transpose_b"),
                           whole ? a_zero : NULL, b_zero),
                        NULL),
                    0);
}

/* For each v the count of sorted numbers before it: of Not(v <= sorted) or Not(v < sorted), which
 * are true for a NaN as well. */
static const char *places_in(onnx_export *x, const char *sorted, const char *v, const char *op)
{
    int64_t last = -1;
    const char *y = put_binary(x, op, put_unsqueeze(x, v, &last, 1), sorted);

    y = put_cast(x, put(x, "Not", IN(y), NULL), INLAY_I64);
    return put_reduce(x, "ReduceSum", y, &last, 1, false);
}

static bool export_bucketize(onnx_export *x)
{
    bool real = inlay_type_is_float(put_type(x, 0)) || inlay_type_is_float(put_type(x, 1));
    inlay_type type = real ? INLAY_F64 : INLAY_I64, out = x->n->out[0].fact.type;
    bool large = put_type(x, 0) == INLAY_U64 || put_type(x, 1) == INLAY_U64;
    const char *y;

    if (large && put_type(x, 0) != put_type(x, 1))
        return put_refuse(x, "u64 among other numbers");
    type = large ? INLAY_U64 : type;
    y = places_in(x, put_as(x, 1, type), put_as(x, 0, type),
                  inlay_node_bool(x->n, "with_right_bound") ? "LessOrEqual" : "Less");

    return put_give(x, 0, out == INLAY_I64 ? y : put_cast(x, y, out));
}

static bool export_search_sorted(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_NUM);
    const char *sorted = put_as(x, 0, type);
    int64_t before = -2;

    if (put_rank(x, 0) < 0)
        return false;
    if (put_fact(x, 0)->rank > 1)
        sorted = put_unsqueeze(x, sorted, &before, 1);
    return put_give(x, 0,
                    places_in(x, sorted, put_as(x, 1, type),
                              inlay_node_bool(x->n, "right") ? "Less" : "LessOrEqual"));
}

/* Part I of N of SIZE elements: from floor(I * SIZE / N) to before ceil((I + 1) * SIZE / N). */
static int64_t part_begin(int64_t i, int64_t n, int64_t size)
{
    return i * size / n;
}

static int64_t part_end(int64_t i, int64_t n, int64_t size)
{
    return ((i + 1) * size + n - 1) / n;
}

/* The largest of each part of AXIS. */
static const char *largest_parts(onnx_export *x, const char *v, int64_t axis, int64_t size,
                                 int64_t n)
{
    const char **parts = inlay_arena_array(x->w->a, (size_t)n + 1, sizeof *parts);

    for (int64_t i = 0; parts && i < n; i++)
        parts[i] =
            put_reduce(x, "ReduceMax",
                       put_cut(x, v, (int)axis, part_begin(i, n, size), part_end(i, n, size), 1),
                       &axis, 1, true);
    return !parts ? NULL : n == 1 ? parts[0] : put(x, "Concat", parts, ATTRS(INT("axis", axis)));
}

/* The mean of each part of AXIS, of RANK: a product with a matrix of shares. */
static const char *mean_parts(onnx_export *x, const char *v, int rank, int64_t axis, int64_t size,
                              int64_t n, inlay_type type)
{
    int64_t dims[] = {size, n};
    inlay_tensor *t = put_new(x, type, 2, dims);

    for (int64_t i = 0; t && i < n; i++) {
        int64_t begin = part_begin(i, n, size), end = part_end(i, n, size);

        for (int64_t k = begin; k < end; k++)
            inlay_tensor_set_f64(t, k * n + i, 1.0 / (double)(end - begin));
    }
    v = put_moved(x, v, rank, (int)axis, rank - 1);
    v = put_binary(x, "MatMul", v, put_own_tensor(x, "shares", t));
    return put_moved(x, v, rank, rank - 1, (int)axis);
}

static bool export_adaptive_pool(onnx_export *x)
{
    bool mean = x->n->n_out == 1;
    inlay_type type = put_wider(put_type(x, 0), EXACT_TYPES);
    int rank = put_rank(x, 0), count;
    int64_t sizes[INLAY_MAX_RANK];
    const char *v = put_as(x, 0, type);

    if (rank < 0 || (count = put_known(x, 1, sizes, INLAY_MAX_RANK)) < 0)
        return false;
    if (!mean && put_wants(x, 1))
        return put_refuse(x, "indices");
    for (int i = 0; i < count; i++) {
        int64_t axis = rank - count + i, size = put_size(x, 0, (int)axis);

        if (sizes[i] == 1 || (size > 0 && sizes[i] == size))
            v = sizes[i] == size
                    ? v
                    : put_reduce(x, mean ? "ReduceMean" : "ReduceMax", v, &axis, 1, true);
        else if (size < 1)
            return put_refuse(x, "a size that is not known");
        else
            v = mean ? mean_parts(x, v, rank, axis, size, sizes[i], type)
                     : largest_parts(x, v, axis, size, sizes[i]);
    }
    return put_give_as(x, 0, v, type);
}

/* Rows of the table, times weights, whose number of axes is OWN. */
static const char *rows_of(onnx_export *x, int weights, int own)
{
    int64_t axes[INLAY_MAX_RANK];
    int rank = put_rank(x, 0);
    const char *v = put(x, "Gather", IN(put_in(x, 0), put_in(x, 1)), ATTRS(INT("axis", 0))), *w;

    if (rank < 0 || !inlay_node_input(x->n, weights))
        return rank < 0 ? NULL : v;
    for (int i = 0; i + 1 < rank; i++)
        axes[i] = own + i;
    w = put_in(x, weights);
    return put_binary(x, "Mul", v, rank > 1 ? put_unsqueeze(x, w, axes, rank - 1) : w);
}

static bool is_mean(const onnx_export *x)
{
    return inlay_op_attr(x->n->op, "reduction") >= 0 &&
           strcmp(inlay_node_string(x->n, "reduction"), "mean") == 0;
}

/* A mean of narrow integers, whose sum may need more bits. */
static bool is_narrow_mean(onnx_export *x)
{
    return is_mean(x) && inlay_type_is_int(put_type(x, 0)) &&
           inlay_type_info_of(put_type(x, 0))->bits < 32;
}

static bool export_packed_bags(onnx_export *x)
{
    const char *v = rows_of(x, 2, 2), *y;
    int64_t one = 1, count = put_size(x, 1, 1);
    inlay_type type = put_type(x, 0), wide = put_wider(type, PUT_FLOAT | PUT_WIDE);

    if (is_mean(x) && (count < 1 || is_narrow_mean(x)))
        return put_refuse(x, "means of a number that is not known, or of nothing");
    y = put_reduce(x, "ReduceSum", wide == type ? v : put_cast(x, v, wide), &one, 1, false);
    y = wide == type ? y : put_cast(x, y, type);
    return put_give(x, 0,
                    is_mean(x) ? put_binary(x, "Div", y, put_number(x, type, (double)count)) : y);
}

/* Adds each of ROWS to that of BAGS which PLACES, a list, says; rows of RANK - 1 axes. */
static const char *added(onnx_export *x, const char *bags, const char *places, const char *rows)
{
    int64_t last = -1;

    return put(x, "ScatterND", IN(bags, put_unsqueeze(x, places, &last, 1), rows),
               ATTRS(WORD("reduction", "add")));
}

/* Each index is in the bag of the last offset that is not behind it; those before the first one, in
 * a bag 0 that is cut off again. */
static bool export_bags(onnx_export *x)
{
    bool segments = strcmp(x->n->op->name, "EmbeddingSegmentsSum") == 0;
    int usual = segments ? 4 : 3, weights = usual + 1, rank = put_rank(x, 0);
    inlay_type type = put_type(x, 0);
    int64_t first = 0, axes[INLAY_MAX_RANK], number;
    const char *rows = rows_of(x, weights, 1), *places, *count, *sizes, *y, *counts, *none;

    if (rank < 0)
        return false;
    if (is_narrow_mean(x))
        return put_refuse(x, "means of narrow integers");
    for (int i = 0; i + 1 < rank; i++)
        axes[i] = i + 1;
    if (segments) {
        places = put_binary(x, "Add", put_i64(x, 2), put_int(x, 1));
        count = put_i64_list(x, 3);
    } else {
        const char *all = put(x, "Shape", IN(put_in(x, 1)), NULL);

        all =
            put(x, "Range", IN(put_int(x, 0), put_squeeze(x, all, &first, 1), put_int(x, 1)), NULL);
        places = places_in(x, put_i64(x, 2), all, "Less");
        count = put(x, "Shape", IN(put_in(x, 2)), NULL);
    }
    sizes = put_binary(x, "Add", count, put_int(x, 1));
    counts = put_binary(x, "Expand", put_number(x, type, 0), sizes);
    counts = added(
        x, counts, places,
        put_binary(x, "Expand", put_number(x, type, 1), put(x, "Shape", IN(put_in(x, 1)), NULL)));
    counts = put_cut(x, counts, 0, 1, INT64_MAX, 1);
    counts = rank > 1 ? put_unsqueeze(x, counts, axes, rank - 1) : counts;
    if (rank > 1)
        sizes =
            put(x, "Concat",
                IN(sizes, put_cut(x, put(x, "Shape", IN(put_in(x, 0)), NULL), 0, 1, INT64_MAX, 1)),
                ATTRS(INT("axis", 0)));
    y = added(x, put_binary(x, "Expand", put_number(x, type, 0), sizes), places, rows);
    y = put_cut(x, y, 0, 1, INT64_MAX, 1);
    if (is_mean(x))
        y = put_binary(x, "Div", y, put_binary(x, "Max", counts, put_number(x, type, 1)));
    if (!inlay_node_input(x->n, usual))
        return put_give(x, 0, y);
    if (put_seen(x, usual, &number, 1) == 1 && number < 0)
        return put_give(x, 0, y);
    if (put_seen(x, usual, &number, 1) != 1)
        return put_refuse(x, "a default that is not known");
    none = put(x, "Gather", IN(put_in(x, 0), put_int(x, number)), ATTRS(INT("axis", 0)));
    return put_give(
        x, 0,
        put(x, "Where", IN(put_binary(x, "Equal", counts, put_number(x, type, 0)), none, y), NULL));
}

/* The data are taken for an image of fewer channels, whose blocks become channels. */
static bool export_reorg(onnx_export *x)
{
    int64_t stride = inlay_node_int(x->n, "stride"), deep = put_size(x, 0, 1),
            high = put_size(x, 0, 2), wide = put_size(x, 0, 3);
    const char *y;

    if (deep < 0 || high < 0 || wide < 0)
        return put_refuse(x, "the sizes of its data are not known");
    y = put_reshape(x, put_in(x, 0),
                    (int64_t[]){0, deep / (stride * stride), high * stride, wide * stride}, 4);
    y = put(x, "SpaceToDepth", IN(y), ATTRS(INT("blocksize", stride)));
    return put_give(
        x, 0,
        put_reshape(x, y, (int64_t[]){0, deep * stride * stride, high / stride, wide / stride}, 4));
}

/* Patches of an image: on each of its two axes how long they are, how far apart their elements and
 * they themselves are, how many there are, and how much is put before the image and behind it. */
typedef struct patches {
    int64_t size[2], rate[2], stride[2], count[2], before[2], behind[2];
} patches;

/* False: a size is not known. */
static bool find_patches(const onnx_export *x, patches *p)
{
    const char *mode = inlay_node_string(x->n, "auto_pad");
    const inlay_fact *y = &x->n->out[0].fact;
    int n;

    for (int i = 0; i < 2; i++) {
        int64_t large = put_size(x, 0, 2 + i), room;

        if (large < 0 || y->rank != 4 || !inlay_dim_is_static(y->dims[2 + i]))
            return false;
        p->size[i] = inlay_node_ints(x->n, "sizes", &n)[i];
        p->rate[i] = inlay_node_ints(x->n, "rates", &n)[i];
        p->stride[i] = inlay_node_ints(x->n, "strides", &n)[i];
        p->count[i] = y->dims[2 + i].lo;
        room = (p->count[i] - 1) * p->stride[i] + (p->size[i] - 1) * p->rate[i] + 1 - large;
        room = strcmp(mode, "valid") == 0 || p->count[i] == 0 || room < 0 ? 0 : room;
        p->before[i] = strcmp(mode, "same_upper") == 0 ? room / 2 : room - room / 2;
        p->behind[i] = room - p->before[i];
    }
    return true;
}

enum { MOST_PLACES = 1024 }; /* of a patch: each is an operator */

/* What stands at one place of all patches is a slice of the image; the slices become channels. */
static bool export_patches(onnx_export *x)
{
    patches p = {.size = {0}};
    int64_t pads[8] = {0}, axes[] = {2, 3}, begin[2], end[2];
    const char *in[MOST_PLACES + 1] = {NULL}, *image = put_in(x, 0);
    int count = 0;

    if (!find_patches(x, &p))
        return put_refuse(x, "the sizes of its data are not known");
    if (p.size[0] > MOST_PLACES || p.size[1] > MOST_PLACES / p.size[0])
        return put_refuse(x, "patches of more than %d elements", MOST_PLACES);
    for (int i = 0; i < 2; i++) {
        pads[2 + i] = p.before[i];
        pads[6 + i] = p.behind[i];
    }
    if (pads[2] || pads[3] || pads[6] || pads[7])
        image = put(x, "Pad", IN(image, put_list(x, pads, 8)), NULL);
    for (int64_t at = 0; image && at < p.size[0] * p.size[1]; at++) {
        for (int i = 0; i < 2; i++) {
            begin[i] = (i == 0 ? at / p.size[1] : at % p.size[1]) * p.rate[i];
            end[i] = begin[i] + (p.count[i] > 0 ? (p.count[i] - 1) * p.stride[i] + 1 : 0);
        }
        in[count] = put(x, "Slice",
                        IN(image, put_list(x, begin, 2), put_list(x, end, 2), put_list(x, axes, 2),
                           put_list(x, p.stride, 2)),
                        NULL);
        if (!in[count++])
            return false;
    }
    return image && put_give(x, 0, put(x, "Concat", in, ATTRS(INT("axis", 1))));
}

const onnx_exporter onnx_exporters_lowered[] = {
    {"AdaptiveAvgPool", export_adaptive_pool, NULL, 0, PUT_ANY},
    {"AdaptiveMaxPool", export_adaptive_pool, NULL, 0, PUT_ANY},
    {"Bucketize", export_bucketize, NULL, 0, PUT_ANY},
    {"ConvertPromoteTypes", export_promote, NULL, 0, PUT_ANY},
    {"EmbeddingBagOffsets", export_bags, NULL, 0, PUT_ANY},
    {"EmbeddingBagOffsetsSum", export_bags, NULL, 0, PUT_ANY},
    {"EmbeddingBagPacked", export_packed_bags, NULL, 0, PUT_ANY},
    {"EmbeddingBagPackedSum", export_packed_bags, NULL, 0, PUT_ANY},
    {"EmbeddingSegmentsSum", export_bags, NULL, 0, PUT_ANY},
    {"ExtractImagePatches", export_patches, NULL, 0, PUT_ANY},
    {"FakeQuantize", export_fake_quantize, NULL, 0, PUT_ANY},
    {"MatMulCompressed@inlay", export_compressed, NULL, 0, PUT_ANY},
    {"MatMulQuantized@inlay", export_matmul_quantized, NULL, 0, PUT_ANY},
    {"ReorgYolo", export_reorg, NULL, 0, PUT_ANY},
    {"SearchSorted", export_search_sorted, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
