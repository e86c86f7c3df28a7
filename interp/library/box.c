/* LRN: rows of squares are added up, one after the other, so that all sums of a row go on side by
 * side in the order of the plain kernel. */
#include "inlay_ops.h"
#include "interp/kernels/axes.h"
#include "interp/kernels/clones.h"
#include "interp/library/library.h"
#include "interp/maths/maths.h"

#include <math.h>
#include <string.h>

enum {
    POWER_COST = 64, /* of a power, as the number of elements added */
    AT_ONCE = 256    /* elements that are divided at a time */
};

/* A row is what lies along the last axes, none of which a region extends over, or just the last
 * one. */
typedef struct work {
    int rank; /* of the axes before */
    const int64_t *dims;
    bool axes[INLAY_MAX_RANK]; /* over which regions extend */
    bool along;                /* so does the row's axis */
    int64_t rows, length, reach;
    double alpha, beta, bias;
    const void *x;
    void *squares, *y;
    bool *odd; /* of each row: a sum is not finite */
} work;

/* Sets the first and the number of the indices of axis I in the regions around AT. */
static void region_of(const work *w, const int64_t *at, int64_t *from, int64_t *n)
{
    for (int i = 0; i < w->rank; i++) {
        int64_t reach = w->axes[i] ? w->reach : 0, end = at[i] + reach + 1;

        from[i] = at[i] > reach ? at[i] - reach : 0;
        n[i] = (end < w->dims[i] ? end : w->dims[i]) - from[i];
    }
}

#define T float
#define NAME(name) name##_f32
#define POW maths_pow
#include "interp/library/box_loop.h"
#undef T
#undef NAME
#undef POW

#define T double
#define NAME(name) name##_f64
#define POW pow
#include "interp/library/box_loop.h"
#undef T
#undef NAME
#undef POW

/* Returns the largest size of T: a region that extends farther has the same elements. */
static int64_t largest_of(const inlay_tensor *t)
{
    int64_t most = 0;

    for (int i = 0; i < t->rank; i++)
        most = t->dims[i] > most ? t->dims[i] : most;
    return most;
}

static bool make_work(inlay_call *c, bool wide, work *w)
{
    const inlay_tensor *in = c->in[0];
    size_t size = wide ? sizeof(double) : sizeof(float);
    int last = in->rank - 1;

    if (!axes_of_operand(c, 1, in->rank, w->axes))
        return false;
    w->dims = in->dims;
    w->along = w->axes[last];
    w->reach = largest_of(in) < w->reach ? largest_of(in) : w->reach;
    for (int i = 0; i < in->rank; i++)
        w->alpha /= w->axes[i] ? (double)(inlay_node_int(c->node, "size")) : 1;
    while (last > 0 && !w->axes[last] && !w->axes[last - 1])
        last--;
    w->rank = last;
    w->rows = dims_product(in->dims, last);
    w->length = dims_product(in->dims + last, in->rank - last);
    w->x = wide ? (const void *)load_f64(c, 0) : load_f32(c, 0);
    w->y = wide ? (void *)place_f64(c, 0) : place_f32(c, 0);
    w->squares = inlay_call_memory(c, w->rows * w->length, size);
    w->odd = inlay_call_memory(c, w->rows, sizeof *w->odd);
    return w->x && w->y && w->squares && w->odd;
}

static bool takes(const inlay_call *c)
{
    return c->in[0]->rank > 0;
}

/* Sums that overflow are left to the plain kernel. */
static bool run(inlay_call *c, const void *packed)
{
    bool wide = c->in[0]->type == INLAY_F64;
    work w = {.reach = inlay_node_int(c->node, "size") / 2,
              .alpha = inlay_node_float(c->node, "alpha"),
              .beta = inlay_node_float(c->node, "beta"),
              .bias = inlay_node_float(c->node, "bias")};
    double cost;

    (void)packed;
    if (inlay_tensor_count(c->in[0]) == 0)
        return call_kernel_of(c->node->op)(c);
    if (!make_work(c, wide, &w))
        return false;
    cost = (double)w.length;
    call_split(c, w.rows, cost, wide ? square_f64 : square_f32, &w);
    for (int i = 0; i < c->in[0]->rank; i++)
        cost *= w.axes[i] ? (double)(2 * w.reach + 1) : 1;
    call_split(c, w.rows, cost + POWER_COST * (double)w.length, wide ? sum_f64 : sum_f32, &w);
    if (memchr(w.odd, 1, (size_t)w.rows))
        return call_kernel_of(c->node->op)(c);
    return wide ? store_f64(c, 0, w.y) : store_f32(c, 0, w.y);
}

const library_kernel library_lrn = {
    .op = INLAY_OP_LRN, .name = "boxes", .takes = takes, .packs = -1, .run = run};
