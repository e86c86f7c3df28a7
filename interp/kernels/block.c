/* DepthToSpace-1, SpaceToDepth-1: the elements of a block of the image are channels at one place.
 * Col2Im-15 and ONNX Col2Im-18: what blocks, which may overlap, have at an element is added up. */
#include "interp/call/kernel.h"

#include <string.h>

/* The element of WIDE, an image, that the element AT of DEEP is: its channel is that of the image
 * and a place in the block, of which one is counted faster. */
static int64_t wide_element(const inlay_call *c, const inlay_tensor *wide, const int64_t *at)
{
    int64_t size = inlay_node_int(c->node, "block_size"), channels = wide->dims[1], count = 1;
    int64_t to[INLAY_MAX_RANK], channel = at[1], place;
    bool blocks_first = strcmp(inlay_node_string(c->node, "mode"), "blocks_first") == 0;

    for (int i = 2; i < wide->rank; i++)
        count *= size;
    place = blocks_first ? channel / channels : channel % count;
    to[0] = at[0];
    to[1] = blocks_first ? channel % channels : channel / count;
    for (int i = wide->rank - 1; i >= 2; i--) {
        to[i] = at[i] * size + place % size;
        place /= size;
    }
    return tensor_at(wide, to);
}

bool eval_depth_to_space(inlay_call *c)
{
    const inlay_tensor *deep = c->in[0];
    inlay_tensor *wide = c->out[0];

    for (index_iter it = index_begin(deep->rank, deep->dims); index_valid(&it); index_next(&it))
        tensor_move_element(wide, wide_element(c, wide, it.at), deep, tensor_at(deep, it.at));
    return true;
}

bool eval_space_to_depth(inlay_call *c)
{
    const inlay_tensor *wide = c->in[0];
    inlay_tensor *deep = c->out[0];

    for (index_iter it = index_begin(deep->rank, deep->dims); index_valid(&it); index_next(&it))
        tensor_move_element(deep, tensor_at(deep, it.at), wide, wide_element(c, wide, it.at));
    return true;
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
