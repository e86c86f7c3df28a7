/* DepthToSpace-1, SpaceToDepth-1: the elements of a block of the image are channels at one
 * position. SpaceToBatch-2, BatchToSpace-2: they are batches. ShuffleChannels-1: interleaves the
 * channels of groups. ExtractImagePatches-3: blocks, which may overlap, become channels. Col2Im-15
 * and ONNX Col2Im-18: the values of overlapping blocks for an element are added. */
#include "interp/kernels/block.h"
#include "interp/kernels/field.h"
#include "interp/kernels/moves.h"

#include <string.h>

/* Returns a view of the image T with the axes [batch, channel, position in the block..., block...].
 */
static struct view wide_view(const inlay_tensor *t, int64_t size)
{
    int axes = t->rank - 2;
    struct view v = {.rank = 2 + 2 * axes};

    for (int i = 0; i < 2; i++) {
        v.dims[i] = t->dims[i];
        v.strides[i] = t->strides[i];
    }
    for (int i = 0; i < axes; i++) {
        v.dims[2 + i] = size;
        v.strides[2 + i] = t->strides[2 + i];
        v.dims[2 + axes + i] = t->dims[2 + i] / size;
        v.strides[2 + axes + i] = t->strides[2 + i] * size;
    }
    return v;
}

/* Returns a view of T, whose channels combine the image's channels and the positions in the block,
 * with the axes of wide_view: [batch, channel, position in the block..., block...]. Either channels
 * or positions vary faster. */
static struct view deep_view(const inlay_call *c, const inlay_tensor *t, const struct view *w)
{
    bool blocks_first = strcmp(inlay_node_string(c->node, "mode"), "blocks_first") == 0;
    int axes = t->rank - 2;
    int64_t step = blocks_first ? w->dims[1] : 1;
    struct view v = {.rank = w->rank};

    memcpy(v.dims, w->dims, sizeof v.dims);
    v.strides[0] = t->strides[0];
    for (int i = axes - 1; i >= 0; i--) {
        v.strides[2 + i] = t->strides[1] * step;
        v.strides[2 + axes + i] = t->strides[2 + i];
        step *= v.dims[2 + i];
    }
    v.strides[1] = t->strides[1] * (blocks_first ? 1 : step);
    return v;
}

bool eval_depth_to_space(inlay_call *c)
{
    struct view wide = wide_view(c->out[0], inlay_node_int(c->node, "block_size"));
    struct view deep = deep_view(c, c->in[0], &wide);

    return move_output(c, 0, &wide, c->in[0], &deep);
}

bool eval_space_to_depth(inlay_call *c)
{
    struct view wide = wide_view(c->in[0], inlay_node_int(c->node, "block_size"));
    struct view deep = deep_view(c, c->out[0], &wide);

    return move_output(c, 0, &deep, c->in[0], &wide);
}

/* Returns a view of T with the axes [positions in a group, groups] in place of AXIS, its channels;
 * positions are PLACE channels apart, groups are GROUP channels apart. */
static struct view grouped_view(const inlay_tensor *t, int axis, int64_t groups, int64_t place,
                                int64_t group)
{
    struct view v = view_all(t);

    v.rank++;
    for (int i = v.rank - 1; i > axis + 1; i--) {
        v.dims[i] = t->dims[i - 1];
        v.strides[i] = t->strides[i - 1];
    }
    v.dims[axis] = t->dims[axis] / groups;
    v.strides[axis] = t->strides[axis] * place;
    v.dims[axis + 1] = groups;
    v.strides[axis + 1] = t->strides[axis] * group;
    return v;
}

/* Channel g * (C / group) + k becomes channel k * group + g. With 6 channels and group=2 the order
 * becomes 0 3 1 4 2 5. */
bool eval_shuffle_channels(inlay_call *c)
{
    const inlay_tensor *x = c->in[0];
    int64_t axis = inlay_node_int(c->node, "axis"), groups = inlay_node_int(c->node, "group");
    int at = (int)(axis < 0 ? axis + x->rank : axis);
    struct view from = grouped_view(x, at, groups, 1, x->dims[at] / groups);
    struct view to = grouped_view(c->out[0], at, groups, groups, 1);

    return move_output(c, 0, &to, x, &from);
}

/* A piece of an image, and where it is in the result or in the data: views of the same dims. */
struct piece {
    struct view image, other;
};

/* Makes axis I of P N elements long: those from AT on in the image, STEP apart, and those from
 * OTHER on. */
static void cut_axis(struct piece *p, int i, int64_t n, int64_t at, int64_t step, int64_t other)
{
    p->image.dims[i] = p->other.dims[i] = n > 0 ? n : 0;
    p->image.offset += n > 0 ? at * p->image.strides[i] : 0;
    p->image.strides[i] *= step;
    p->other.offset += n > 0 ? other * p->other.strides[i] : 0;
}

/* Channel (ky * width + kx) * depth + d of the result at [y, x] is channel d of the image at place
 * [ky, kx] of the patch there, zero where that is outside. */
bool eval_extract_image_patches(inlay_call *c)
{
    const inlay_tensor *x = c->in[0], *y = c->out[0];
    int n;
    const int64_t *sizes = inlay_node_ints(c->node, "sizes", &n);
    field w;

    field_of_node(c, 2, x->dims + 2, y->dims + 2, sizes, &w);
    tensor_zero_run(c->out[0], 0, inlay_tensor_count(y));
    for (int64_t k = 0; k < w.kernel; k++) {
        const int64_t place[] = {k / sizes[1], k % sizes[1]};
        struct piece p = {view_all(x), view_all(y)};

        cut_axis(&p, 1, x->dims[1], 0, 1, k * x->dims[1]);
        for (int i = 0; i < 2; i++) {
            const field_axis *a = &w.axis[FIELD_AXES - 2 + i];
            int64_t from, to;

            field_reach(a, place[i], &from, &to);
            cut_axis(&p, 2 + i, to - from, from * a->stride - a->pad + place[i] * a->dilation,
                     a->stride, from);
        }
        if (!move_piece(c, &p.other, x, &p.image))
            return false;
    }
    return true;
}

/* Says how an image and its blocks as batches correspond. On each axis, element x of the image,
 * counted from SKIP elements before it, is at position x % SIZE in block x / SIZE. The positions
 * come before the batches of the image. */
typedef struct batch_blocks {
    const int64_t *size, *skip;
} batch_blocks;

/* Returns the elements of IMAGE at one position of their blocks, PLACE on each axis but the first,
 * which is number AT of all, and where they are in DEEP, whose batches are blocks. */
static struct piece piece_at(const batch_blocks *b, const inlay_tensor *image,
                             const inlay_tensor *deep, const int64_t *place, int64_t at)
{
    struct piece p = {view_all(image), view_all(deep)};

    cut_axis(&p, 0, image->dims[0], 0, 1, at * image->dims[0]);
    for (int i = 1; i < image->rank; i++) {
        int64_t size = b->size[i], skip = b->skip[i] - place[i - 1];
        int64_t first = skip > 0 ? (skip + size - 1) / size : 0; /* block, in the image */
        int64_t from = first * size - skip, n = (image->dims[i] - from + size - 1) / size;

        cut_axis(&p, i, n, from, size, first);
    }
    return p;
}

/* Copies the image to its blocks, or BACK, position by position of a block. */
static bool move_blocks(inlay_call *c, bool back)
{
    const inlay_tensor *image = c->in[0], *deep = c->out[0];
    batch_blocks b = {load_i64(c, 1), load_i64(c, 2)};

    if (!b.size || !b.skip)
        return false;
    if (back) {
        image = c->out[0];
        deep = c->in[0];
    }
    if (inlay_tensor_count(image) == 0)
        return true;
    for (index_iter it = index_begin(image->rank - 1, b.size + 1); index_valid(&it);
         index_next(&it)) {
        struct piece p = piece_at(&b, image, deep, it.at, it.linear);

        if (!move_piece(c, back ? &p.image : &p.other, c->in[0], back ? &p.other : &p.image))
            return false;
    }
    return true;
}

bool eval_space_to_batch(inlay_call *c)
{
    tensor_zero_run(c->out[0], 0, inlay_tensor_count(c->out[0]));
    return move_blocks(c, false);
}

bool eval_batch_to_space(inlay_call *c)
{
    return move_blocks(c, true);
}

static int64_t listed(const inlay_call *c, const char *name, int i, int64_t absent)
{
    const inlay_attr *a = inlay_node_attr(c->node, name);

    return a && i < a->n ? a->as.ints[i] : absent;
}

/* Reads the attributes into B. PAD_END has, for each axis, the padding behind the image. */
static bool read_blocks(inlay_call *c, const int64_t *pad_end, blocks *b)
{
    int64_t image = 1, n;
    const int64_t *sizes = load_ints(c, 1, &n), *kernel = load_ints(c, 2, &n);

    if (!sizes || !kernel)
        return false;
    b->axes = (int)n;
    for (int i = 0; i < b->axes; i++) {
        int64_t room;

        b->image[i] = sizes[i];
        b->kernel[i] = kernel[i];
        b->stride[i] = listed(c, "strides", i, 1);
        b->dilation[i] = listed(c, "dilations", i, 1);
        room = sizes[i] + b->pad[i] + pad_end[i] - b->dilation[i] * (kernel[i] - 1) - 1;
        b->count[i] = room < 0 ? 0 : room / b->stride[i] + 1;
        image *= sizes[i];
    }
    b->planes = image > 0 ? inlay_tensor_count(c->out[0]) / image : 0;
    return true;
}

/* Returns the element of the image at position K of the block at P; -1: it is outside of the image.
 */
static int64_t image_element(const blocks *b, const int64_t *p, const int64_t *k)
{
    int64_t at = 0;

    for (int i = 0; i < b->axes; i++) {
        int64_t x = p[i] * b->stride[i] - b->pad[i] + k[i] * b->dilation[i];

        if (x < 0 || x >= b->image[i])
            return -1;
        at = at * b->image[i] + x;
    }
    return at;
}

#define T double
#define NAME(name) name##_f64
#include "interp/kernels/block_loop.h"
#undef T
#undef NAME

#define T uint64_t
#define NAME(name) name##_u64
#include "interp/kernels/block_loop.h"
#undef T
#undef NAME

static bool add_blocks(inlay_call *c, const blocks *b)
{
    int64_t n = inlay_tensor_count(c->out[0]);

    if (load_domain(c->in[0]->type) == DOMAIN_I64) {
        const int64_t *x = load_i64(c, 0);
        int64_t *y = inlay_call_memory(c, n, sizeof *y);

        return x && y && (add_u64(b, (const uint64_t *)x, (uint64_t *)y), store_i64(c, 0, y));
    }
    const double *x = load_f64(c, 0);
    double *y = inlay_call_memory(c, n, sizeof *y);

    return x && y && (add_f64(b, x, y), store_f64(c, 0, y));
}

bool blocks_read(inlay_call *c, blocks *b)
{
    bool plain = c->node->op->version == 18; /* ONNX */
    int axes = (int)inlay_tensor_count(c->in[1]);
    int64_t end[INLAY_MAX_RANK];

    *b = (blocks){.axes = axes};
    for (int i = 0; i < axes; i++) {
        b->pad[i] = listed(c, plain ? "pads" : "pads_begin", i, 0);
        end[i] = plain ? listed(c, "pads", axes + i, 0) : listed(c, "pads_end", i, 0);
    }
    return read_blocks(c, end, b);
}

bool eval_col2im(inlay_call *c)
{
    blocks b;

    return blocks_read(c, &b) && add_blocks(c, &b);
}

bool eval_onnx_col2im(inlay_call *c)
{
    blocks b;

    return blocks_read(c, &b) && add_blocks(c, &b);
}
