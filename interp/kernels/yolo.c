/* RegionYolo-1 and ReorgYolo-1: the output layers of YOLO networks. */
#include "interp/call/kernel.h"
#include "interp/maths/maths.h"

#include <math.h>

/* The channels of a region are its coordinates, the confidence, the classes. Their numbers are
 * AREA apart. */
typedef struct regions {
    int64_t coords, classes, area;
    bool softmax;
} regions;

static double sigmoid(double x)
{
    return 1 / (1 + maths_exp_f64(-x));
}

/* Turns N numbers into probabilities that add up to 1. */
static void softmax(double *y, const double *x, int64_t n, int64_t step)
{
    double most = -INFINITY, sum = 0;

    for (int64_t i = 0; i < n; i++)
        most = fmax(most, x[i * step]);
    for (int64_t i = 0; i < n; i++)
        sum += y[i * step] = maths_exp_f64(x[i * step] - most);
    for (int64_t i = 0; i < n; i++)
        y[i * step] /= sum;
}

static void compute_region(const regions *r, double *y, const double *x)
{
    int64_t all = r->coords + 1 + r->classes;

    for (int64_t k = 0; k < all; k++) {
        bool kept = (k >= 2 && k < r->coords) || (k > r->coords && r->softmax);

        for (int64_t i = k * r->area; i < (k + 1) * r->area; i++)
            y[i] = kept ? x[i] : sigmoid(x[i]);
    }
    for (int64_t i = (r->coords + 1) * r->area; r->softmax && i < (r->coords + 2) * r->area; i++)
        softmax(y + i, x + i, r->classes, r->area);
}

bool eval_region_yolo(inlay_call *c)
{
    const int64_t *dims = c->in[0]->dims;
    const double *x = load_f64(c, 0);
    int64_t count = inlay_tensor_count(c->out[0]), all, num;
    double *y = inlay_call_memory(c, count, sizeof *y), *to = y;
    regions r = {.coords = inlay_node_int(c->node, "coords"),
                 .classes = inlay_node_int(c->node, "classes"),
                 .area = dims[2] * dims[3],
                 .softmax = inlay_node_bool(c->node, "do_softmax")};

    if (!x || !y)
        return false;
    all = (r.coords + 1 + r.classes) * r.area;
    num = all > 0 && dims[0] > 0 ? count / all / dims[0] : 0;
    for (int64_t n = 0; n < dims[0]; n++) { /* the data may have more channels than the regions use
                                               */
        for (int64_t i = 0; i < num; i++, to += all)
            compute_region(&r, to, x + n * dims[1] * r.area + i * all);
    }
    return store_f64(c, 0, y);
}

/* Returns which element of the data the element at position LINEAR of the result is. DIMS are those
 * of the data [N, C, H, W], which is taken for [N, D, H * stride, W * stride] with D channels:
 * channel b * D + d of the result is position b of the blocks of channel d. */
static int64_t source_of(const int64_t *dims, int64_t stride, int64_t linear)
{
    int64_t deep = dims[1] / (stride * stride), high = dims[2] * stride, wide = dims[3] * stride;
    int64_t w = linear % dims[3], h = linear / dims[3] % dims[2];
    int64_t k = linear / (dims[2] * dims[3]) % dims[1];
    int64_t n = linear / (dims[1] * dims[2] * dims[3]), place = k / deep;

    h = h * stride + place / stride;
    w = w * stride + place % stride;
    return ((n * deep + k % deep) * high + h) * wide + w;
}

bool eval_reorg_yolo(inlay_call *c)
{
    const inlay_tensor *x = c->in[0];
    inlay_tensor *y = c->out[0];
    int64_t stride = inlay_node_int(c->node, "stride");

    for (index_iter it = index_begin(4, y->dims); index_valid(&it); index_next(&it))
        tensor_move_element(y, tensor_at(y, it.at), x,
                            x->offset + source_of(x->dims, stride, it.linear));
    return true;
}
