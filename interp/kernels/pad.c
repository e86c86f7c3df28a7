/* Pad: every element of the output is an element of data, or padding.
 *
 * The output is divided into boxes: the data itself, which may have been computed there, and the
 * boxes around it, which are copied from the data or filled. */
#include "interp/kernels/moves.h"
#include "ir/shared.h"

#include <string.h>

enum mode { CONSTANT, EDGE, REFLECT, SYMMETRIC };

static enum mode mode_of(const char *name)
{
    static const char *const names[] = {"constant", "edge", "reflect", "symmetric"};
    int m = CONSTANT;

    while (m < SYMMETRIC && strcmp(names[m], name) != 0)
        m++;
    return (enum mode)m;
}

/* Returns which element of an axis of D elements appears at X, which may lie outside of the axis;
 * -1: padding. `reflect` mirrors at the middle of the outermost element, `symmetric` at its outer
 * edge: around a b c, `reflect` shows c b | a b c | b a, and `symmetric` b a | a b c | c b. */
static int64_t shown_at(enum mode mode, int64_t x, int64_t d)
{
    if (x >= 0 && x < d)
        return x;
    switch (mode) {
    case EDGE:
        return x < 0 ? 0 : d - 1;
    case REFLECT:
        return x < 0 ? -x : 2 * (d - 1) - x;
    case SYMMETRIC:
        return x < 0 ? -x - 1 : 2 * d - 1 - x;
    default:
        return -1;
    }
}

/* Returns AT - BEGIN; a difference that does not fit into 64 bits is beyond the end of any axis. */
static int64_t place_in_data(int64_t at, int64_t begin)
{
    int64_t x;

    return __builtin_sub_overflow(at, begin, &x) ? INT64_MAX : x;
}

/* COUNT positions of an axis of the output from TO on, and the elements of data that appear there:
 * FROM and others STEP apart. */
struct segment {
    int64_t to, count, from, step;
};

/* The part of an axis of the output before the data, within it, and after it. */
struct axis {
    struct segment part[3];
};
enum { BEFORE, WITHIN, BEHIND };

static int64_t clamp(int64_t x, int64_t lo, int64_t hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static struct segment segment_of(enum mode mode, int64_t to, int64_t end, int64_t begin, int64_t d,
                                 bool within)
{
    struct segment s = {.to = to, .count = end - to, .step = within ? 1 : mode == EDGE ? 0 : -1};

    if (s.count > 0 && (within || mode != CONSTANT))
        s.from = shown_at(mode, place_in_data(to, begin), d);
    return s;
}

/* The data's axis, D elements, begins at BEGIN of the output's, which has SIZE. */
static struct axis axis_of(enum mode mode, int64_t begin, int64_t d, int64_t size)
{
    int64_t end, first = clamp(begin, 0, size), last;

    if (__builtin_add_overflow(begin, d, &end))
        end = INT64_MAX;
    last = clamp(end, first, size);
    return (struct axis){{segment_of(mode, 0, first, begin, d, false),
                          segment_of(mode, first, last, begin, d, true),
                          segment_of(mode, last, size, begin, d, false)}};
}

/* The box of the output with the segment OF[i] of each axis. */
static struct view box_of(const inlay_tensor *out, const struct segment *of)
{
    struct view v = view_all(out);

    for (int i = 0; i < v.rank; i++) {
        v.dims[i] = of[i].count;
        v.offset += of[i].count > 0 ? of[i].to * out->strides[i] : 0;
    }
    return v;
}

/* Copies to a box the elements of data that appear in it. */
static bool copy_box(inlay_call *c, const struct segment *of)
{
    const inlay_tensor *data = c->in[0];
    struct view to = box_of(c->out[0], of), from = to;

    from.offset = 0;
    for (int i = 0; i < to.rank; i++) {
        from.strides[i] = of[i].step * data->strides[i];
        from.offset += of[i].count > 0 ? of[i].from * data->strides[i] : 0;
    }
    return move_piece(c, &to, data, &from);
}

/* Fills a box with the padding: operand 3, or zeros. */
static bool fill_box(inlay_call *c, const struct segment *of)
{
    struct view to = box_of(c->out[0], of), from = to;
    inlay_string none = {0}; /* no element is larger */
    inlay_tensor *zero;
    bool ok;

    from.offset = 0;
    for (int i = 0; i < to.rank; i++)
        from.strides[i] = 0;
    if (call_has(c, 3))
        return move_piece(c, &to, c->in[3], &from);
    if (!call_settle(c))
        return false;
    zero = inlay_tensor_over(NULL, &none, c->out[0]->type, 0, NULL);
    ok = zero ? move_piece(c, &to, zero, &from) : inlay_fail_memory(c->diags);
    inlay_tensor_release(zero);
    return ok;
}

static bool is_empty(const struct segment *of, int rank)
{
    bool empty = false;

    for (int i = 0; i < rank; i++)
        empty = empty || of[i].count == 0;
    return empty;
}

/* Fills everything but the data: along one axis after the other, the parts before and after the
 * data, with only the data's part of the axes before, and all of the axes after. */
static bool fill_frame(inlay_call *c, const struct axis *axes)
{
    int rank = c->out[0]->rank;
    struct segment of[INLAY_MAX_RANK];
    bool ok = true;

    for (int i = 0; i < rank; i++)
        of[i] = axes[i].part[WITHIN];
    for (int i = 0; ok && i < rank; i++) {
        for (int k = i + 1; k < rank; k++)
            of[k] = (struct segment){.count = c->out[0]->dims[k]};
        for (int side = BEFORE; ok && side <= BEHIND; side += BEHIND - BEFORE) {
            of[i] = axes[i].part[side];
            ok = is_empty(of, rank) || fill_box(c, of);
        }
        of[i] = axes[i].part[WITHIN];
    }
    return ok;
}

/* Copies data to each box that consists of one of the three segments on every axis. The box of the
 * data itself comes first, because the others are copied from it. */
static bool copy_boxes(inlay_call *c, const struct axis *axes)
{
    static const int order[] = {WITHIN, BEFORE, BEHIND};
    int64_t three[INLAY_MAX_RANK];
    struct segment of[INLAY_MAX_RANK];
    int rank = c->out[0]->rank;

    for (int i = 0; i < rank; i++)
        three[i] = axes[i].part[BEFORE].count + axes[i].part[BEHIND].count > 0 ? 3 : 1;
    for (index_iter it = index_begin(rank, three); index_valid(&it); index_next(&it)) {
        for (int i = 0; i < rank; i++)
            of[i] = axes[i].part[order[it.at[i]]];
        if (!is_empty(of, rank) && !copy_box(c, of))
            return false;
    }
    return true;
}

bool eval_pad(inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *out = c->out[0];
    enum mode mode = mode_of(inlay_node_string(c->node, "pad_mode"));
    struct axis axes[INLAY_MAX_RANK];
    struct segment within[INLAY_MAX_RANK];
    int64_t n;
    const int64_t *begin = load_ints(c, 1, &n);

    if (!begin)
        return false;
    if (inlay_tensor_count(out) == 0)
        return true;
    for (int i = 0; i < out->rank; i++) {
        axes[i] = axis_of(mode, begin[i], data->dims[i], out->dims[i]);
        within[i] = axes[i].part[WITHIN];
    }
    if (mode != CONSTANT)
        return copy_boxes(c, axes);
    return (is_empty(within, out->rank) || copy_box(c, within)) && fill_frame(c, axes);
}
