/* Fourier transforms and the matrix of mel weights. */
#include "ir/infer/infer.h"
#include "ir/tensor/dim.h"

/* The axes that are transformed, in their order; N < 0: they are not known. */
typedef struct transformed {
    int n, axis[INLAY_MAX_RANK];
} transformed;

static bool read_transformed(inlay_infer *cx, int axes, transformed *t)
{
    int64_t list[INLAY_MAX_RANK];
    inlay_dim length, sizes;
    int n;

    t->n = -1;
    if (!in_length(cx, 1, false, &length))
        return false;
    if (in_has(cx, 2)) {
        if (!in_length(cx, 2, false, &sizes))
            return false;
        if (!inlay_dim_compatible(length, sizes))
            return inlay_infer_fail(cx, "input 2 \"signal_size\" has shape %s, axes has shape %s",
                                    in_text(cx, 2), in_text(cx, 1));
    }
    if (axes < 0 || !inlay_infer_ints(cx, 1, list, INLAY_MAX_RANK, &n))
        return true;
    t->n = n;
    return norm_axes(cx, "axes", list, n, axes, t->axis);
}

/* SIZE receives the length of transform number K, along an axis of FULL elements. */
static bool signal_size(inlay_infer *cx, int k, inlay_dim full, inlay_dim *size)
{
    int n;
    const inlay_dim *known = in_has(cx, 2) ? in_known(cx, 2, &n) : NULL;

    *size = full;
    if (!in_has(cx, 2))
        return true;
    if (!known || k >= n || !inlay_dim_is_static(known[k])) {
        *size = inlay_dim_any();
        return true;
    }
    if (known[k].lo < -1)
        return inlay_infer_fail(cx, "signal_size[%d] is %lld, it must be at least -1", k,
                                (long long)known[k].lo);
    if (known[k].lo != -1)
        *size = known[k];
    return true;
}

/* Checks that the last axis holds the real and the imaginary part. */
static bool check_complex(inlay_infer *cx)
{
    int rank = in_rank(cx, 0);

    if (!in_check_rank(cx, 0, 2, -1))
        return false;
    return rank < 0 || inlay_dim_compatible(in_dim(cx, 0, rank - 1), inlay_dim_of(2)) ||
           inlay_infer_fail(cx, "data has shape %s, its last axis must have 2 elements",
                            in_text(cx, 0));
}

static void forget(inlay_shape *s, int axes)
{
    for (int i = 0; i < axes; i++)
        s->dim[i] = inlay_dim_any();
}

bool infer_dft(inlay_infer *cx)
{
    int rank = in_rank(cx, 0);
    transformed t;
    inlay_shape s;

    if (!check_complex(cx) || !read_transformed(cx, rank < 0 ? -1 : rank - 1, &t))
        return false;
    inlay_infer_shape(cx, 0, &s);
    if (t.n < 0)
        forget(&s, rank - 1);
    for (int k = 0; k < t.n; k++) {
        if (!signal_size(cx, k, s.dim[t.axis[k]], &s.dim[t.axis[k]]))
            return false;
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* Half of the last transformed axis stays, and its middle: of 8 elements 5. */
bool infer_rdft(inlay_infer *cx)
{
    int rank = in_rank(cx, 0);
    transformed t;
    inlay_shape s;

    if (!in_check_rank(cx, 0, 1, INLAY_MAX_RANK - 1) || !read_transformed(cx, rank, &t))
        return false;
    if (rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    inlay_infer_shape(cx, 0, &s);
    if (t.n < 0)
        forget(&s, rank);
    for (int k = 0; k < t.n; k++) {
        inlay_dim *d = &s.dim[t.axis[k]];

        if (!signal_size(cx, k, *d, d))
            return false;
        if (k == t.n - 1)
            *d = inlay_dim_add(inlay_dim_div_floor(*d, 2), inlay_dim_of(1));
    }
    s.dim[s.rank++] = inlay_dim_of(2);
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

bool infer_irdft(inlay_infer *cx)
{
    int rank = in_rank(cx, 0);
    transformed t;
    inlay_shape s;

    if (!check_complex(cx) || !read_transformed(cx, rank < 0 ? -1 : rank - 1, &t))
        return false;
    if (rank < 0)
        return set_out_unknown(cx, 0, cx->in[0]->type);
    inlay_infer_shape(cx, 0, &s);
    s.rank = rank - 1;
    if (t.n < 0)
        forget(&s, s.rank);
    for (int k = 0; k < t.n; k++) {
        inlay_dim full = s.dim[t.axis[k]];

        if (k == t.n - 1)
            full = inlay_dim_mul(inlay_dim_sub(full, inlay_dim_of(1)), inlay_dim_of(2));
        full.lo = full.lo < 0 ? 0 : full.lo;
        full.hi = full.hi < 0 ? 0 : full.hi; /* an axis without elements stays one */
        if (!signal_size(cx, k, full, &s.dim[t.axis[k]]))
            return false;
    }
    return inlay_infer_set_out(cx, 0, cx->in[0]->type, &s);
}

/* D receives what is known of operand I, one number, which must not be below LEAST. */
static bool positive(inlay_infer *cx, int i, int64_t least, inlay_dim *d)
{
    int n;
    const inlay_dim *known = in_known(cx, i, &n);

    *d = (inlay_dim){least, INLAY_DIM_MAX, 0};
    if (!in_check_one(cx, i))
        return false;
    if (!known || n != 1)
        return true;
    if (known[0].hi < least)
        return inlay_infer_fail(cx, "%s is %lld, it must be at least %lld", in_name(cx, i),
                                (long long)known[0].hi, (long long)least);
    *d = known[0];
    d->lo = d->lo < least ? least : d->lo;
    return true;
}

/* FRAME and STEP receive the length of a frame and how far frames lie apart: operands 2 and 3. The
 * window, operand 1, is no longer than a frame. */
static bool frames_fit(inlay_infer *cx, inlay_dim *frame, inlay_dim *step)
{
    inlay_dim window;

    if (!in_length(cx, 1, false, &window) || !positive(cx, 2, 1, frame) ||
        !positive(cx, 3, 1, step))
        return false;
    return window.lo <= frame->hi ||
           inlay_infer_fail(cx, "input 1 \"window\" has shape %s, a frame has %lld element%s",
                            in_text(cx, 1), (long long)frame->hi, inlay_plural(frame->hi, "", "s"));
}

/* [batch, frames, frame / 2 + 1, 2], where the batch may be missing */
bool infer_stft(inlay_infer *cx)
{
    bool transpose = inlay_node_bool(cx->node, "transpose_frames");
    inlay_dim frame, step, length, frames = inlay_dim_any(), bins;
    int rank = in_rank(cx, 0);
    inlay_shape s;

    if (!in_check_rank(cx, 0, 1, 2) || !frames_fit(cx, &frame, &step))
        return false;
    if (rank < 0)
        return set_out_unknown(cx, 0, shared_type(cx));
    length = in_dim(cx, 0, rank - 1);
    if (length.hi < frame.lo)
        return inlay_infer_fail(cx, "data has shape %s, which is shorter than a frame of %lld",
                                in_text(cx, 0), (long long)frame.lo);
    if (inlay_dim_is_static(frame) && inlay_dim_is_static(step))
        frames = inlay_dim_add(inlay_dim_div_floor(inlay_dim_sub(length, frame), step.lo),
                               inlay_dim_of(1));
    frames.lo = frames.lo < 1 ? 1 : frames.lo;
    bins = inlay_dim_add(inlay_dim_div_floor(frame, 2), inlay_dim_of(1));
    s.rank = rank + 2;
    s.dim[0] = in_dim(cx, 0, 0);
    s.dim[rank - 1] = transpose ? bins : frames;
    s.dim[rank] = transpose ? frames : bins;
    s.dim[rank + 1] = inlay_dim_of(2);
    return inlay_infer_set_out(cx, 0, shared_type(cx), &s);
}

/* D receives the number of samples of an ISTFT of FRAMES frames. */
static bool samples(inlay_infer *cx, inlay_dim frame, inlay_dim step, inlay_dim frames,
                    inlay_dim *d)
{
    if (in_has(cx, 4))
        return positive(cx, 4, 0, d);
    *d = inlay_dim_any();
    if (frames.lo < 1)
        frames.lo = 1;
    if (inlay_dim_is_static(step) && inlay_dim_is_static(frame)) {
        *d = inlay_dim_mul(inlay_dim_sub(frames, inlay_dim_of(1)), step);
        if (!inlay_node_bool(cx->node, "center"))
            *d = inlay_dim_add(*d, frame);
    }
    return true;
}

/* [batch, samples], where the batch may be missing */
bool infer_istft(inlay_infer *cx)
{
    inlay_dim frame, step, bins, found, length;
    int rank = in_rank(cx, 0);
    inlay_shape s;

    if (!in_check_rank(cx, 0, 3, 4) || !frames_fit(cx, &frame, &step))
        return false;
    if (!samples(cx, frame, step, rank < 0 ? inlay_dim_any() : in_dim(cx, 0, rank - 2), &length))
        return false;
    if (rank < 0)
        return set_out_unknown(cx, 0, shared_type(cx));
    bins = inlay_dim_add(inlay_dim_div_floor(frame, 2), inlay_dim_of(1));
    found = inlay_dim_of(2);
    if (!merge_dim(cx, 0, rank - 3, in_dim(cx, 0, rank - 3), &bins) ||
        !merge_dim(cx, 0, rank - 1, in_dim(cx, 0, rank - 1), &found))
        return false;
    if (in_dim(cx, 0, rank - 2).hi < 1)
        return inlay_infer_fail(cx, "data has shape %s, which has no frames", in_text(cx, 0));
    s.rank = rank - 2;
    s.dim[0] = in_dim(cx, 0, 0);
    s.dim[rank - 3] = length;
    return inlay_infer_set_out(cx, 0, shared_type(cx), &s);
}

/* [dft_length / 2 + 1, num_mel_bins] */
bool infer_mel_weight_matrix(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "output_datatype");
    inlay_dim length, rate;
    inlay_shape s = {.rank = 2};

    if (!inlay_type_is_int(type) && !inlay_type_is_float(type))
        return inlay_infer_fail(cx, "output_datatype is %s, it must be numeric",
                                inlay_type_info_of(type)->name);
    if (!positive(cx, 0, 0, &s.dim[1]) || !positive(cx, 1, 0, &length) ||
        !positive(cx, 2, 1, &rate) || !in_check_one(cx, 3) || !in_check_one(cx, 4))
        return false;
    s.dim[0] = inlay_dim_add(inlay_dim_div_floor(length, 2), inlay_dim_of(1));
    return inlay_infer_set_out(cx, 0, type, &s);
}
