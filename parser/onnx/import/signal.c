/* Windows and Fourier transforms. */
#include "parser/onnx/export.h"

#include <math.h>
#include <string.h>

/* Returns A0 - A1 * cos(x) + A2 * cos(2 * x), where x goes from 0 to 2 pi in SIZE steps, or in SIZE
 * - 1 where the window is symmetric. */
static inlay_value *window(onnx_node *n, inlay_value *size, bool periodic, const double *a)
{
    inlay_value *zero = onnx_number(n, INLAY_F32, 0), *one = onnx_number(n, INLAY_F32, 1),
                *two = onnx_number(n, INLAY_F32, 2);
    inlay_value *steps = onnx_convert(n, size, INLAY_F32), *x, *y, *in[] = {zero, steps, one};

    x = onnx_make(n, "Range", 3, in, ATTRS(TYPE("output_type", INLAY_F32)));
    if (!periodic)
        steps = onnx_binary(n, "Subtract", steps, one);
    x = onnx_binary(n, "Multiply", x,
                    onnx_binary(n, "Divide", onnx_number(n, INLAY_F32, 6.283185307179586), steps));
    y = onnx_binary(n, "Multiply", onnx_number(n, INLAY_F32, a[1]), onnx_unary(n, "Cos", x));
    y = onnx_binary(n, "Subtract", onnx_number(n, INLAY_F32, a[0]), y);
    if (a[2] == 0)
        return y;
    x = onnx_unary(n, "Cos", onnx_binary(n, "Multiply", x, two));
    return onnx_binary(n, "Add", y, onnx_binary(n, "Multiply", onnx_number(n, INLAY_F32, a[2]), x));
}

static bool give_window(onnx_node *n, const double *a)
{
    bool ok = true;
    bool periodic = onnx_attr_int(n, "periodic", 1, &ok) != 0;
    inlay_type type;

    if (!ok || !onnx_attr_type(n, "output_datatype", 1, &type))
        return false;
    return onnx_give(n, 0, onnx_convert(n, window(n, onnx_one(n, 0), periodic, a), type));
}

static bool import_hann(onnx_node *n)
{
    return give_window(n, (const double[]){0.5, 0.5, 0});
}

static bool import_hamming(onnx_node *n)
{
    return give_window(n, (const double[]){25.0 / 46, 1 - 25.0 / 46, 0});
}

static bool import_blackman(onnx_node *n)
{
    return give_window(n, (const double[]){0.42, 0.5, 0.08});
}

static inlay_value *one_axis(onnx_node *n, const char *type, inlay_value *x, int axis)
{
    return onnx_binary(n, type, x, onnx_list(n, (int64_t[]){axis}, 1));
}

/* Makes the scalar X a list; the result is NULL where X is. */
static inlay_value *listed(onnx_node *n, inlay_value *x)
{
    return onnx_reshape(n, x, onnx_list(n, (int64_t[]){1}, 1));
}

/* X, whose last axis has size 1, with zeros as imaginary parts. */
static inlay_value *as_complex(onnx_node *n, inlay_value *x)
{
    inlay_value *zeros =
        onnx_fill(n, x ? onnx_number(n, x->fact.type, 0) : NULL, onnx_shape_of(n, x));

    return onnx_make(n, "Concat", 2, (inlay_value *[]){x, zeros}, ATTRS(INT("axis", -1)));
}

/* Sets *COMPLEX to whether the last axis of X has 2 elements, a real and an imaginary part, or
 * 1. */
static bool is_complex(onnx_node *n, const inlay_value *x, bool *complex)
{
    int rank = onnx_rank(n, x);
    int64_t last = rank > 0 ? onnx_known_size(n, x, rank - 1) : 0;

    if (rank < 0 || last < 0)
        return false;
    if (rank < 2 || (last != 1 && last != 2))
        return onnx_node_fail(n, "the last axis of the data must have 1 or 2 elements");
    *complex = last == 2;
    return true;
}

/* OpenVINO counts axes without the last one, which ONNX counts: -2 is -1 there. */
static inlay_value *transformed_axes(onnx_node *n)
{
    bool ok = true;
    int64_t axis = n->version < 20 ? onnx_attr_int(n, "axis", 1, &ok) : -2;
    inlay_value *given =
        n->version < 20 ? NULL : listed(n, onnx_convert(n, onnx_one(n, 2), INLAY_I64));
    inlay_value *negative, *in[3];

    if (!ok || (!given && n->version >= 20 && onnx_in(n, 2)))
        return NULL;
    if (!given) {
        axis += axis < 0;
        return onnx_list(n, &axis, 1);
    }
    negative = onnx_binary(n, "Less", given, onnx_integer(n, 0));
    in[0] = negative;
    in[1] = onnx_binary(n, "Add", given, onnx_integer(n, 1));
    in[2] = given;
    return onnx_make(n, "Select", 3, in, NULL);
}

/* A transform that is onesided is RDFT, and its inverse is IRDFT. The operand of RDFT and
 * the result of IRDFT are real and have no axis for the parts of a number. */
static bool import_dft(onnx_node *n)
{
    bool ok = true, complex = false;
    bool inverse = onnx_attr_int(n, "inverse", 0, &ok) != 0,
         half = onnx_attr_int(n, "onesided", 0, &ok) != 0;
    inlay_value *in[3] = {n->in[0], NULL, NULL}, *y;
    int last;

    if (!ok || !is_complex(n, in[0], &complex))
        return false;
    if (half && !inverse && complex)
        return onnx_node_fail(n, "is onesided, so the data must be real");
    last = in[0]->fact.rank - 1;
    in[1] = transformed_axes(n);
    in[2] = listed(n, onnx_one(n, 1));
    if (half && !inverse)
        in[0] = one_axis(n, "Squeeze", in[0], last);
    else if (!complex)
        in[0] = as_complex(n, in[0]);
    if (!in[0] || !in[1] || (onnx_in(n, 1) && !in[2]))
        return false;
    y = onnx_make(n, half ? inverse ? "IRDFT" : "RDFT" : inverse ? "IDFT" : "DFT", 3, in, NULL);
    if (half && inverse)
        y = one_axis(n, "Unsqueeze", y, last);
    return onnx_give(n, 0, y);
}

/* Returns the places of the elements of all frames of X along axis 1: [frames, LENGTH]. */
static inlay_value *frame_places(onnx_node *n, inlay_value *x, inlay_value *length,
                                 inlay_value *step)
{
    inlay_value *room = onnx_binary(n, "Subtract", onnx_size(n, x, 1), length), *first;
    inlay_value *frames =
        onnx_binary(n, "Add", onnx_binary(n, "Divide", room, step), onnx_integer(n, 1));

    first = onnx_binary(n, "Multiply", onnx_count(n, onnx_integer(n, 0), frames), step);
    return onnx_binary(n, "Add", one_axis(n, "Unsqueeze", first, 1),
                       onnx_count(n, onnx_integer(n, 0), length));
}

/* Multiplies the frames by the window, and makes the whole transform of each frame. */
static inlay_value *whole_stft(onnx_node *n, inlay_value *x, inlay_value *window,
                               inlay_value *length, inlay_value *step, bool complex)
{
    inlay_value *axes = onnx_list(n, (int64_t[]){2}, 1);

    x = onnx_take(n, x, frame_places(n, x, length, step), 1);
    x = onnx_binary(n, "Multiply", x, one_axis(n, "Unsqueeze", window, 1));
    if (!complex)
        x = as_complex(n, x);
    return onnx_binary(n, "DFT", x, axes);
}

static bool import_stft(onnx_node *n)
{
    bool ok = true, complex = false;
    bool half = onnx_attr_int(n, "onesided", 1, &ok) != 0;
    inlay_value *x = n->in[0], *window = onnx_in(n, 2), *in[4];
    inlay_value *step = onnx_convert(n, onnx_one(n, 1), INLAY_I64);
    inlay_value *length = onnx_convert(n, onnx_one(n, 3), INLAY_I64);

    if (!ok || !step || (!length && onnx_in(n, 3)) || !is_complex(n, x, &complex) ||
        !onnx_has_rank(n, 2, 1, 1))
        return false;
    if (!window && !length)
        return onnx_node_fail(n, "has neither a window nor a frame length");
    if (half && complex)
        return onnx_node_fail(n, "is onesided, so the data must be real");
    if (!length)
        length = onnx_size(n, window, 0);
    if (window && onnx_in(n, 3)) /* the run checks that both lengths agree */
        window = onnx_reshape(n, window, listed(n, length));
    if (!window)
        window = onnx_fill(n, onnx_number(n, x->fact.type, 1), listed(n, length));
    if (!half)
        return onnx_give(n, 0, whole_stft(n, x, window, length, step, complex));
    in[0] = one_axis(n, "Squeeze", x, x->fact.rank - 1);
    in[1] = window;
    in[2] = length;
    in[3] = step;
    return in[0] && in[1] && in[2] && in[3] &&
           onnx_give(n, 0, onnx_make(n, "STFT", 4, in, ATTRS(FLAG("transpose_frames", false))));
}

static bool import_mel_weight_matrix(onnx_node *n)
{
    inlay_value *in[5];
    inlay_type type;

    for (int i = 0; i < 5; i++) {
        if (!(in[i] = onnx_single(n, n->in[i])))
            return false;
    }
    return onnx_attr_type(n, "output_datatype", 1, &type) &&
           onnx_give(
               n, 0,
               onnx_make(n, "MelWeightMatrix@onnx17", 5, in, ATTRS(TYPE("output_datatype", type))));
}

/* com.microsoft's transforms of the last axes, as many as attribute signal_ndim says, of which the
 * last one is halved. */
static bool import_own_transform(onnx_node *n)
{
    bool ok = true;
    int64_t count = onnx_attr_int(n, "signal_ndim", 1, &ok),
            whole = onnx_attr_int(n, "onesided", 1, &ok),
            scaled = onnx_attr_int(n, "normalized", 0, &ok), axes[INLAY_MAX_RANK];
    bool inverse = n->op->as[0] == 'I';
    int rank = onnx_rank(n, n->in[0]) - (inverse ? 1 : 0);

    if (!ok || onnx_rank(n, n->in[0]) < 0)
        return false;
    if (whole != 1 || scaled != 0 || count < 1 || count > rank)
        return onnx_node_fail(n,
                              "attributes \"onesided\", \"normalized\" and \"signal_ndim\" are "
                              "%lld, %lld and %lld, they must be 1, 0 and from 1 to %d",
                              (long long)whole, (long long)scaled, (long long)count, rank);
    for (int i = 0; i < count; i++)
        axes[i] = rank - count + i;
    return onnx_give(n, 0, onnx_binary(n, n->op->as, n->in[0], onnx_list(n, axes, (int)count)));
}

const onnx_operator onnx_operators_signal[] = {
    {"BlackmanWindow", 17, import_blackman, NULL, 1},
    {"DFT", 20, import_dft, NULL, 1},
    {"DFT", 17, import_dft, NULL, 1},
    {"HammingWindow", 17, import_hamming, NULL, 1},
    {"HannWindow", 17, import_hann, NULL, 1},
    {"MelWeightMatrix", 17, import_mel_weight_matrix, NULL, 5},
    {"STFT", 17, import_stft, NULL, 2},
    {"com.microsoft.Irfft", 1, import_own_transform, "IRDFT", 1},
    {"com.microsoft.Rfft", 1, import_own_transform, "RDFT", 1},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* Transforms V along AXIS, of the data, to LENGTH numbers ("": all). */
static const char *transform(onnx_export *x, const char *v, int64_t axis, const char *length,
                             bool inverse, bool half)
{
    const char *at = x->version >= 20 ? put_int(x, axis) : "";

    return put(x, "DFT", IN(v, length, at),
               ATTRS(x->version < 20 ? INT("axis", axis) : WORD("axis", NULL),
                     INT("inverse", inverse), INT("onesided", half)));
}

/* Real numbers with an axis for the parts of a number: those that operand 0 was made of by leaving
 * it out. */
static const char *with_parts(onnx_export *x, const char *v)
{
    const inlay_value *own = x->n->in[0].value, *from = put_operand_of(own, "Squeeze", 0),
                      *axes = put_operand_of(own, "Squeeze", 1);
    int64_t last = -1, axis = 0;
    const inlay_tensor *t = axes ? axes->fact.content : NULL;

    if (t && inlay_tensor_count(t) == 1)
        axis = inlay_tensor_get_i64(t, 0);
    return t && (axis == -1 || (axis > 0 && axis == own->fact.rank)) && v == put_value(x, own)
               ? put_value(x, from)
               : put_unsqueeze(x, v, &last, 1);
}

/* The axis that an import has counted without the parts of a number where it is negative, as ONNX
 * has it. NULL: the axes come from elsewhere. */
static const char *unknown_axis(onnx_export *x)
{
    const inlay_value *v = x->n->in[1].value, *given = put_operand_of(v, "Select", 2),
                      *number = put_operand_of(given, "Reshape", 0);

    if (!number || number->fact.rank != 0 ||
        put_operand_of(put_operand_of(v, "Select", 1), "Add", 0) != given ||
        put_operand_of(put_operand_of(v, "Select", 0), "Less", 0) != given ||
        !put_needs(x, 20, "an axis that is not known"))
        return NULL;
    return put_value(x, number);
}

/* Transforms along one axis, which only the run knows. */
static bool export_dft_along(onnx_export *x, const char *axis, bool inverse, bool half)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC);
    int64_t last = -1;
    const char *v = put_as(x, 0, type), *length = inlay_node_input(x->n, 2) ? put_scalar(x, 2) : "";

    v = half && !inverse ? with_parts(x, v) : v;
    v = put(x, "DFT", IN(v, length, axis), ATTRS(INT("inverse", inverse), INT("onesided", half)));
    return put_give_as(x, 0, half && inverse ? put_squeeze(x, v, &last, 1) : v, type);
}

/* The last of the listed axes is that of a real transform, and comes first, or last if it goes
 * back. */
static bool export_dft(onnx_export *x)
{
    bool inverse = strstr(x->how->as, "I") != NULL, half = strstr(x->how->as, "R") != NULL;
    int64_t axes[INLAY_MAX_RANK], sizes[INLAY_MAX_RANK], last = -1;
    const char *axis = put_seen(x, 1, axes, INLAY_MAX_RANK) < 0 ? unknown_axis(x) : NULL;

    if (axis)
        return export_dft_along(x, axis, inverse, half);

    int rank = put_rank(x, 0) - (!half || inverse),
        count = rank < 0 ? -1 : put_axes(x, 1, rank, axes);
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC);
    const char *v = put_as(x, 0, type);

    if (count < 1)
        return count == 0 && put_refuse(x, "no axes");
    for (int i = 0; i < count; i++)
        sizes[i] = -1;
    if (inlay_node_input(x->n, 2) && put_known(x, 2, sizes, INLAY_MAX_RANK) != count)
        return false;
    v = half && !inverse ? with_parts(x, v) : v;
    for (int k = 0; k < count; k++) {
        int i = half && !inverse ? count - 1 - k : k;
        bool real = half && i == count - 1;

        v = transform(x, v, axes[i], sizes[i] < 0 ? "" : put_int(x, sizes[i]), inverse, real);
    }
    if (half && inverse)
        v = put_squeeze(x, v, &last, 1);
    return put_give_as(x, 0, v, type);
}

/* The signal of ONNX has an axis for parts of a number, and there is a batch. */
static bool give_frames(onnx_export *x, const char *v, const char *window, const char *length)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC);
    int64_t first = 0;
    int rank = put_fact(x, 0)->rank;
    const char *y;

    v = with_parts(x, v);
    v = rank == 1 ? put_unsqueeze(x, v, &first, 1) : v;
    y = put(x, "STFT", IN(v, put_i64(x, 3), window, length), NULL);
    if (inlay_node_bool(x->n, "transpose_frames"))
        y = put_transpose(x, y, (int64_t[]){0, 2, 1, 3}, 4);
    return put_give_as(x, 0, rank == 1 ? put_squeeze(x, y, &first, 1) : y, type);
}

/* Whether V is a list of ones. */
static bool is_ones(const inlay_value *v)
{
    const inlay_value *one = put_operand_of(v, "Broadcast", 0);
    const inlay_tensor *t = one ? one->fact.content : NULL;

    return t && t->rank == 0 && inlay_tensor_get_f64(t, 0) == 1;
}

/* A window is centred in its frame, or it is one that an import has reshaped to the frame's length
 * or made of ones, whatever that is. */
static bool export_stft(onnx_export *x)
{
    inlay_type type = put_wider(put_type(x, 0), PUT_BASIC);
    int rank = put_rank(x, 0);
    int64_t size = put_size(x, 1, 0), length, pads[2];
    const inlay_value *own = x->n->in[1].value;
    const inlay_value *list =
        own->node->op->flags & INLAY_RESHAPES ? inlay_node_input(own->node, 0) : own;
    bool whole = is_ones(own);
    const char *v = put_as(x, 0, type);
    const char *window =
        list->fact.rank == 1 && list->fact.type == type ? put_value(x, list) : put_as(x, 1, type);

    if (rank >= 0 && put_seen(x, 2, &length, 1) != 1 && (whole || list != own))
        return give_frames(x, v, list == own ? "" : window, put_scalar(x, 2));
    if (rank < 0 || !put_known_one(x, 2, &length))
        return false;
    if (size < 0)
        return put_refuse(x, "a window whose size is not known");
    pads[0] = (length - size) / 2;
    pads[1] = length - size - pads[0];
    if (size < length)
        window = put(x, "Pad", IN(window, put_list(x, pads, 2)), NULL);
    return give_frames(x, v, window, put_i64(x, 2));
}

static bool export_mel_weight_matrix(onnx_export *x)
{
    const char *in[6] = {NULL};

    for (int i = 0; i < 5; i++)
        in[i] = put_scalar(x, i);
    return put_give(x, 0,
                    put(x, "MelWeightMatrix", in,
                        ATTRS(TYPE("output_datatype", inlay_node_type(x->n, "output_datatype")))));
}

const onnx_exporter onnx_exporters_signal[] = {
    {"DFT", export_dft, "", 0, PUT_ANY},
    {"IDFT", export_dft, "I", 0, PUT_ANY},
    {"IRDFT", export_dft, "IR", 0, PUT_ANY},
    {"MelWeightMatrix@onnx", export_mel_weight_matrix, NULL, 0, PUT_ANY},
    {"RDFT", export_dft, "R", 0, PUT_ANY},
    {"STFT", export_stft, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
