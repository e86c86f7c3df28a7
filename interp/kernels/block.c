/* DepthToSpace-1, SpaceToDepth-1: the elements of a block of the image are channels at one place.
 * Col2Im-15 and ONNX Col2Im-18: what blocks, which may overlap, have at an element is added up. */
#include "interp/kernels/moves.h"

#include <string.h>

/* The image T through axes [batch, channel, place in the block..., block...]. */
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

/* The same of T, whose channels are those of the image, W, and the places in the block, of which
 * one is counted faster. */
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

/* How blocks lie on an image of AXES axes: place K of the block number P on an axis is element
 * p * stride - pad + k * dilation. */
typedef struct blocks {
    int axes;
    int64_t image[INLAY_MAX_RANK], kernel[INLAY_MAX_RANK], count[INLAY_MAX_RANK];
    int64_t stride[INLAY_MAX_RANK], dilation[INLAY_MAX_RANK], pad[INLAY_MAX_RANK];
    int64_t planes; /* batches times channels */
} blocks;

static int64_t listed(const inlay_call *c, const char *name, int i, int64_t absent)
{
    const inlay_attr *a = inlay_node_attr(c->node, name);

    return a && i < a->n ? a->as.ints[i] : absent;
}

/* PAD_END: what is behind the image on each axis. */
static bool read_blocks(inlay_call *c, const int64_t *pad_end, blocks *b)
{
    int64_t total = 1, image = 1, n;
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
        total *= b->count[i];
        image *= sizes[i];
    }
    b->planes = image > 0 ? inlay_tensor_count(c->out[0]) / image : 0;
    n = c->in[0]->dims[c->in[0]->rank - 1];
    return n == total || inlay_call_fail(c, "data has %lld blocks, %lld fit the image",
                                         (long long)n, (long long)total);
}

/* The element of the image that place K of the block at P is; -1 outside. */
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

bool eval_col2im(inlay_call *c)
{
    blocks b = {.pad = {listed(c, "pads_begin", 0, 0), listed(c, "pads_begin", 1, 0)}};
    int64_t end[] = {listed(c, "pads_end", 0, 0), listed(c, "pads_end", 1, 0)};

    return read_blocks(c, end, &b) && add_blocks(c, &b);
}

bool eval_onnx_col2im(inlay_call *c)
{
    int axes = c->out[0]->rank - 2;
    int64_t end[INLAY_MAX_RANK];
    blocks b = {.axes = axes};

    for (int i = 0; i < axes; i++) {
        b.pad[i] = listed(c, "pads", i, 0);
        end[i] = listed(c, "pads", axes + i, 0);
    }
    return read_blocks(c, end, &b) && add_blocks(c, &b);
}
