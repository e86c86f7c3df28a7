/* RegionYolo-1 and ReorgYolo-1: the output layers of YOLO networks. */
#include "interp/call/kernel.h"
#include "interp/kernels/moves.h"
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

/* Sets Y, whose axes are not those of the view V of X, to its elements in row-major order. */
static void move_elements(inlay_tensor *y, const inlay_tensor *x, const struct view *v)
{
    for (index_iter it = index_begin(v->rank, v->dims); index_valid(&it); index_next(&it))
        tensor_move_element(y, inlay_tensor_index(y, it.linear), x,
                            x->offset + index_dot(v->rank, it.at, v->strides));
}

/* The data [N, C, H, W] is taken for an image [N, D, H * stride, W * stride] of D channels, and the
 * result for [N, C, H, W]: its channel b * D + d is position b of the blocks of channel d. */
bool eval_reorg_yolo(inlay_call *c)
{
    const int64_t *dims = c->in[0]->dims;
    int64_t stride = inlay_node_int(c->node, "stride"), deep = dims[1] / (stride * stride);
    const int64_t image[] = {dims[0], deep, dims[2], stride, dims[3], stride};
    static const int order[] = {0, 3, 5, 1, 2, 4}; /* of these axes, in the result */
    struct view all = view_dense(6, image), from = {.rank = 6}, to;

    for (int i = 0; i < from.rank; i++) {
        from.dims[i] = all.dims[order[i]];
        from.strides[i] = all.strides[order[i]];
    }
    if (!inlay_tensor_is_dense(c->out[0])) {
        move_elements(c->out[0], c->in[0], &from);
        return true;
    }
    to = view_dense(from.rank, from.dims);
    return move_piece(c, &to, c->in[0], &from);
}
