/* Exports of CTC greedy decoding (the likeliest class of each step, blanks and repetitions dropped)
 * and of SegmentMax. */
#include "parser/onnx/export.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The size of AXIS of V, a list of one. */
static const char *size_along(onnx_export *x, const char *v, int axis)
{
    return put(x, "Shape", IN(v), ATTRS(INT("start", axis), INT("end", axis + 1)));
}

/* A tensor of I64 in the sizes that a list says, all of whose elements are N. */
static const char *all_of(onnx_export *x, const char *sizes, int64_t n)
{
    return put(x, "Expand", IN(put_int(x, n), sizes), NULL);
}

/* The elements of PATH [batch, steps], i64, that are KEPT, moved to the front, and -1 behind them.
 */
static const char *joined(onnx_export *x, const char *path, const char *kept, const char **count)
{
    static const int64_t steps_axis[] = {1};
    const char *ones = put_cast(x, kept, INLAY_I64), *one = put_int(x, 1),
               *steps = size_along(x, path, 1), *more = put_binary(x, "Add", steps, one), *sizes,
               *places = put_binary(x, "Sub", put(x, "CumSum", IN(ones, one), NULL), one);

    *count = put_reduce(x, "ReduceSum", ones, steps_axis, 1, false);
    places = put(x, "Where", IN(kept, places, steps), NULL); /* what is dropped goes behind all */
    sizes = put(x, "Concat", IN(size_along(x, path, 0), more), ATTRS(INT("axis", 0)));
    path = put(x, "ScatterElements", IN(all_of(x, sizes, -1), places, path), ATTRS(INT("axis", 1)));
    return put_cut(x, path, 1, 0, -1, 1);
}

/* Which elements of PATH [batch, steps] are no BLANK and, with MERGE, do not repeat the one before.
 */
static const char *changes(onnx_export *x, const char *path, const char *blank, bool merge)
{
    static const int64_t one_before[] = {0, 1, 0, 0};
    const char *kept = put(x, "Not", IN(put_binary(x, "Equal", path, blank)), NULL), *before;

    if (!merge)
        return kept;
    before =
        put(x, "Pad", IN(put_cut(x, path, 1, 0, -1, 1), put_list(x, one_before, 4), put_int(x, -1)),
            NULL);
    before = put(x, "Not", IN(put_binary(x, "Equal", path, before)), NULL);
    return put_binary(x, "And", kept, before);
}

static const char *likeliest(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC);

    return put(x, "ArgMax", IN(put_as(x, 0, type)), ATTRS(INT("axis", -1), INT("keepdims", 0)));
}

/* The class behind all others is blank unless operand I says another one. */
static const char *blank_of(onnx_export *x, int i)
{
    return inlay_node_input(x->n, i)
               ? put_i64_list(x, i)
               : put_binary(x, "Sub", size_along(x, put_in(x, 0), 2), put_int(x, 1));
}

static bool export_decoder(onnx_export *x)
{
    static const int64_t ends[] = {2, 3}, first[] = {0};
    const char *path = likeliest(x), *mask = put_as(x, 1, put_wider(put_type(x, 1), PUT_BASIC)),
               *kept, *count;
    inlay_type type = x->n->out[0].fact.type;

    path = put_transpose(x, path, (int64_t[]){1, 0}, 2);
    mask = put_cast(x, put_cast(x, mask, INLAY_BOOLEAN), INLAY_I64);
    mask = put(x, "CumSum", IN(put_binary(x, "Sub", put_int(x, 1), mask), put_int(x, first[0])),
               NULL); /* 0 as long as no step is left out */
    mask = put_binary(x, "Equal", put_transpose(x, mask, (int64_t[]){1, 0}, 2), put_int(x, 0));
    kept = changes(x, path, blank_of(x, 3), inlay_node_bool(x->n, "ctc_merge_repeated"));
    path = joined(x, path, put_binary(x, "And", kept, mask), &count);
    return put_give(x, 0, put_unsqueeze(x, put_cast(x, path, type), ends, 2));
}

static bool export_decoder_of_lengths(onnx_export *x)
{
    static const int64_t second[] = {1}, first[] = {0};
    const char *path = likeliest(x), *kept, *count, *steps;

    steps = put_squeeze(x, size_along(x, path, 1), first, 1);
    steps = put(x, "Range", IN(put_int(x, 0), steps, put_int(x, 1)), NULL);
    steps = put_binary(x, "Less", steps, put_unsqueeze(x, put_i64(x, 1), second, 1));
    kept = changes(x, path, blank_of(x, 2), inlay_node_bool(x->n, "merge_repeated"));
    path = joined(x, path, put_binary(x, "And", kept, steps), &count);
    return put_give(x, 0, put_cast(x, path, x->n->out[0].fact.type)) &&
           put_give(x, 1, put_cast(x, count, x->n->out[1].fact.type));
}

/* The least finite number of TYPE. */
static double least_of(inlay_type type)
{
    const inlay_type_info *info = inlay_type_info_of(type);

    return info->cls == INLAY_CLASS_SIGNED ? -ldexp(1, info->bits - 1)
           : type == INLAY_F16             ? -65504
           : type == INLAY_BF16            ? -0x1.fep127
           : type == INLAY_F32             ? (double)-FLT_MAX
           : type == INLAY_F64             ? -DBL_MAX
                                           : 0;
}

/* A segment behind the others takes the rows that are left out. What is in no segment is 0 or the
 * lowest number. */
static bool export_segment_max(onnx_export *x)
{
    static const int64_t second[] = {1}, first[] = {0};
    int rank = put_rank(x, 0);
    inlay_type type = put_type(x, 0), wide = put_wider(type, PUT_BASIC | PUT_WIDE);
    bool low = strcmp(inlay_node_string(x->n, "fill_mode"), "LOWEST") == 0;
    const char *ids = put_i64(x, 1), *data = put_as(x, 0, wide), *count, *sizes, *y, *seen, *none;

    if (rank < 1 || !put_needs(x, 18, "SegmentMax"))
        return false;
    count = inlay_node_input(x->n, 2)
                ? put_i64_list(x, 2)
                : put_binary(x, "Add", put_cut(x, ids, 0, -1, INT64_MAX, 1), put_int(x, 1));
    ids = put_unsqueeze(x, put_binary(x, "Min", ids, count), second, 1);
    sizes = put_binary(x, "Add", count, put_int(x, 1));
    seen = put(x, "ScatterND", IN(all_of(x, sizes, 0), ids, all_of(x, size_along(x, data, 0), 1)),
               NULL);
    sizes = put(x, "Concat", IN(sizes, put(x, "Shape", IN(data), ATTRS(INT("start", 1)))),
                ATTRS(INT("axis", 0)));
    y = put(x, "Expand", IN(put_number(x, wide, (double)-INFINITY), sizes), NULL);
    y = put(x, "ScatterND", IN(y, ids, data), ATTRS(WORD("reduction", "max")));
    none = put_number(x, wide, low ? least_of(type) : 0);
    for (int i = 1; i < rank; i++)
        seen = put_unsqueeze(x, seen, second, 1);
    y = put(x, "Where", IN(put_cast(x, seen, INLAY_BOOLEAN), y, none), NULL);
    y = put(x, "Slice", IN(y, put_list(x, first, 1), count, put_list(x, first, 1)), NULL);
    return put_give(x, 0, type == wide ? y : put_cast(x, y, type));
}

const onnx_exporter onnx_exporters_paths[] = {
    {"CTCGreedyDecoder", export_decoder, NULL, 0, PUT_ANY},
    {"CTCGreedyDecoderSeqLen", export_decoder_of_lengths, NULL, 0, PUT_ANY},
    {"SegmentMax", export_segment_max, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
