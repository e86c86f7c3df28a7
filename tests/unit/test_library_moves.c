/* Kernels that move, select or compare elements: what the planned executor makes of rows of random
 * sizes, types, strides and attributes, with any number of threads, against the reference. */
#include "node_case.h"
#include "seeds.h"
#include "unit.h"

#include <math.h>

static const inlay_type numbers[] = {INLAY_F32, INLAY_F16, INLAY_F64, INLAY_I64, INLAY_U64,
                                     INLAY_I32, INLAY_U8,  INLAY_I8,  INLAY_BF16};

static inlay_type any_type(rng *r)
{
    return rng_one_in(r, 2) ? INLAY_F32
                            : numbers[rng_in(r, 0, sizeof numbers / sizeof numbers[0] - 1)];
}

/* Returns a tensor of numbers of which many are equal, and some odd. */
static inlay_tensor *any_numbers(rng *r, inlay_type type, int rank, const int64_t *dims)
{
    bool floats = inlay_type_is_float(type), special = rng_one_in(r, 3), dense = rng_one_in(r, 2);
    int64_t most = rng_one_in(r, 2) ? 5 : 100;
    inlay_tensor *t = any_tensor(r, type, rank, dims, special, dense);

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (!floats)
            inlay_tensor_set_i64(t, i, rng_in(r, type == INLAY_U8 ? 0 : -most, most));
        else if (rng_one_in(r, 2))
            inlay_tensor_set_f64(t, i, (double)rng_in(r, -most, most) / 4);
    }
    return t;
}

static inlay_tensor *one_number(inlay_type type, double x)
{
    inlay_tensor *t = inlay_tensor_new(type, 0, NULL);

    assert_non_null(t);
    inlay_tensor_set_f64(t, 0, x);
    return t;
}

static void each_seed(void (*make)(rng *r, struct node_case *k), uint64_t usual, uint64_t slow)
{
    seed_range seeds = seeds_to_try(usual, slow);

    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        k.open = rng_one_in(&r, 3);
        make(&r, &k);
        check_case(&k, seeds.first + i);
    }
}

/* TopK */

static void topk_case(rng *r, struct node_case *k)
{
    static const char *const sorts[] = {"value", "index", "none"};
    int rank = (int)rng_in(r, 1, 3), axis = (int)rng_in(r, 0, rank - 1);
    int64_t dims[3], which = rng_in(r, 0, 3), most;

    for (int i = 0; i < rank; i++)
        dims[i] = i == axis ? rng_in(r, 1, rng_one_in(r, 4) ? 3000 : 400) : rng_in(r, 1, 6);
    if (axis < rank - 1 && rng_one_in(r, 3)) {
        dims[axis] = rng_in(r, 1, 20);
        dims[rank - 1] = rng_in(r, 200, 600);
    }
    if (axis > 0 && rng_one_in(r, 3)) { /* many short lines that follow each other */
        dims[axis] = rng_in(r, 1, 20);
        dims[0] = rng_in(r, 60, 600);
    }
    most = dims[axis];
    k->in[0] = any_numbers(r, any_type(r), rank, dims);
    k->in[1] = one_number(INLAY_I64, (double)(which == 0   ? 1
                                              : which == 1 ? most
                                              : which == 2 ? rng_in(r, 0, most < 30 ? most : 30)
                                                           : rng_in(r, 0, most)));
    k->constant[1] = rng_one_in(r, 2);
    snprintf(k->op, sizeof k->op, "TopK");
    snprintf(k->attrs, sizeof k->attrs, "axis=%d;mode=%s;sort=%s;index_element_type=%s", axis,
             rng_one_in(r, 2) ? "min" : "max", sorts[rng_in(r, 0, 2)],
             rng_one_in(r, 2) ? "i32" : "i64");
    k->output = (int)rng_in(r, 0, 1);
}

static void topk(void **state)
{
    each_seed(topk_case, 300, 40);
}

/* NonMaxSuppression and NMSRotated */

static void nms_case(rng *r, struct node_case *k)
{
    bool turned = rng_one_in(r, 4), soft = !turned && rng_one_in(r, 6);
    inlay_type type = rng_one_in(r, 2) ? INLAY_F32 : rng_one_in(r, 2) ? INLAY_F64 : INLAY_F16;
    int64_t boxes[] = {rng_in(r, 1, 2), rng_in(r, 0, rng_one_in(r, 4) ? 400 : 60), turned ? 5 : 4};
    int64_t scores[] = {boxes[0], rng_in(r, 1, 4), boxes[1]};
    double most = (double)rng_in(r, 0, rng_one_in(r, 2) ? 10 : 300);

    k->in[0] = any_tensor(r, type, 3, boxes, rng_one_in(r, 8), true);
    k->in[1] = any_numbers(r, type, 3, scores);
    k->in[2] = one_number(INLAY_I64, most);
    k->in[3] = one_number(INLAY_F32, rng_one_in(r, 8) ? -1 : (double)rng_in(r, 0, 10) / 10);
    k->in[4] = one_number(INLAY_F32, rng_one_in(r, 8)   ? (double)-INFINITY
                                     : rng_one_in(r, 8) ? (double)NAN
                                                        : (double)rng_in(r, -20, 20) / 4);
    if (!turned)
        k->in[5] = one_number(INLAY_F32, soft ? 0.5 : 0);
    for (int i = 0; i < 6; i++)
        k->constant[i] = rng_one_in(r, 3);
    snprintf(k->op, sizeof k->op, turned ? "NMSRotated" : "NonMaxSuppression");
    snprintf(k->attrs, sizeof k->attrs, "sort_result_descending=%s;%s",
             rng_one_in(r, 2) ? "true" : "false",
             turned             ? ""
             : rng_one_in(r, 2) ? "box_encoding=center"
                                : "");
    k->output = (int)rng_in(r, 0, 2);
}

static void nms(void **state)
{
    each_seed(nms_case, 200, 30);
}

/* Rows that only move elements */

enum { AXES = 4 };

static inlay_tensor *list(const int64_t *x, int n)
{
    int64_t dims[] = {n};
    inlay_tensor *t = inlay_tensor_new(INLAY_I64, 1, dims);

    assert_non_null(t);
    for (int i = 0; i < n; i++)
        inlay_tensor_set_i64(t, i, x[i]);
    return t;
}

/* Returns a list of N numbers from LO to HI. */
static inlay_tensor *any_list(rng *r, int n, int64_t lo, int64_t hi)
{
    int64_t x[AXES];

    for (int i = 0; i < n; i++)
        x[i] = rng_in(r, lo, hi);
    return list(x, n);
}

static void name_case(struct node_case *k, const char *op, const char *attrs)
{
    snprintf(k->op, sizeof k->op, "%s", op);
    snprintf(k->attrs, sizeof k->attrs, "%s", attrs);
}

static void transpose_case(rng *r, struct node_case *k, const int64_t *dims)
{
    int64_t order[AXES];

    (void)dims;
    for (int i = 0; i < AXES; i++) {
        int j = (int)rng_in(r, 0, i);

        order[i] = order[j];
        order[j] = i;
    }
    k->in[1] = list(order, AXES);
    name_case(k, "Transpose", "");
}

static void broadcast_case(rng *r, struct node_case *k, const int64_t *dims)
{
    int64_t target[AXES];

    for (int i = 0; i < AXES; i++)
        target[i] = dims[i] == 1 ? rng_in(r, 1, 20) : dims[i];
    k->in[1] = list(target, AXES);
    name_case(k, "Broadcast", "");
}

static void slice_case(rng *r, struct node_case *k, const int64_t *dims)
{
    int64_t start[AXES], stop[AXES], step[AXES];

    for (int i = 0; i < AXES; i++) {
        start[i] = rng_in(r, -dims[i], dims[i]);
        stop[i] = rng_in(r, -dims[i] - 1, dims[i] + 1);
        step[i] = rng_one_in(r, 2) ? 1 : rng_one_in(r, 2) ? rng_in(r, 2, 4) : rng_in(r, -3, -1);
    }
    k->in[1] = list(start, AXES);
    k->in[2] = list(stop, AXES);
    k->in[3] = list(step, AXES);
    name_case(k, "Slice", "");
}

static void pad_case(rng *r, struct node_case *k, const int64_t *dims)
{
    static const char *const modes[] = {"constant", "edge", "reflect", "symmetric"};
    int64_t mode = rng_in(r, 0, 3), pads[2][AXES];

    for (int i = 0; i < AXES; i++) {
        int64_t most = mode < 2 ? 4 : dims[i] - (mode == 2);

        pads[0][i] = rng_in(r, mode ? 0 : -1, most < 4 ? most : 4);
        pads[1][i] = rng_in(r, 0, most < 4 ? most : 4);
    }
    k->in[1] = list(pads[0], AXES);
    k->in[2] = list(pads[1], AXES);
    name_case(k, "Pad", "pad_mode=");
    strcat(k->attrs, modes[mode]);
}

static void tile_case(rng *r, struct node_case *k, const int64_t *dims)
{
    (void)dims;
    k->in[1] = any_list(r, AXES, 1, 4);
    name_case(k, "Tile", "");
}

static void roll_case(rng *r, struct node_case *k, const int64_t *dims)
{
    (void)dims;
    k->in[1] = any_list(r, 2, -9, 9);
    k->in[2] = any_list(r, 2, 0, AXES - 1);
    name_case(k, "Roll", "");
}

static void reverse_case(rng *r, struct node_case *k, const int64_t *dims)
{
    int64_t axes[] = {rng_in(r, 0, 1), rng_in(r, 2, 3)}, lengths[64];

    if (rng_one_in(r, 2)) {
        k->in[1] = list(axes, 2);
        name_case(k, "Reverse@opset1", "mode=index");
        return;
    }
    for (int64_t i = 0; i < dims[axes[0]]; i++)
        lengths[i] = rng_in(r, 1, dims[axes[1]]);
    k->in[1] = list(lengths, (int)dims[axes[0]]);
    snprintf(k->attrs, sizeof k->attrs, "batch_axis=%d;seq_axis=%d", (int)axes[0], (int)axes[1]);
    snprintf(k->op, sizeof k->op, "ReverseSequence");
}

static void concat_case(rng *r, struct node_case *k, const int64_t *dims)
{
    int axis = (int)rng_in(r, 0, AXES - 1);
    int64_t other[AXES];

    memcpy(other, dims, sizeof other);
    for (int i = 1; i < 3; i++) {
        other[axis] = rng_in(r, 1, 9);
        k->in[i] = any_numbers(r, k->in[0]->type, AXES, other);
    }
    snprintf(k->attrs, sizeof k->attrs, "axis=%d", axis);
    snprintf(k->op, sizeof k->op, "Concat");
}

static void split_case(rng *r, struct node_case *k, const int64_t *dims)
{
    int64_t axis = rng_in(r, 0, AXES - 1), lengths[] = {rng_in(r, 0, dims[axis]), -1};

    k->in[1] = one_number(INLAY_I64, (double)axis);
    k->in[2] = list(lengths, 2);
    k->constant[1] = k->constant[2] = true;
    k->output = (int)rng_in(r, 0, 1);
    name_case(k, "VariadicSplit", "");
}

/* Blocks: the axes of the data become such that they fit. */
static void block_case(rng *r, struct node_case *k, const int64_t *dims)
{
    bool deep = rng_one_in(r, 2);
    int64_t size = rng_in(r, 1, 3),
            fit[] = {dims[0], dims[1] * (deep ? size * size : 1), dims[2] * (deep ? 1 : size),
                     dims[3] * (deep ? 1 : size)};

    inlay_tensor_release(k->in[0]);
    k->in[0] = any_numbers(r, any_type(r), AXES, fit);
    snprintf(k->op, sizeof k->op, deep ? "DepthToSpace" : "SpaceToDepth");
    snprintf(k->attrs, sizeof k->attrs, "block_size=%d;mode=%s", (int)size,
             rng_one_in(r, 2) ? "blocks_first" : "depth_first");
}

/* Blocks that become batches, and back: what of the image is left out comes back as padding. */
static void batch_case(rng *r, struct node_case *k, const int64_t *dims)
{
    int64_t size[AXES] = {1}, before[AXES] = {0}, behind[AXES] = {0}, fit[AXES], blocks = 1;
    bool back = rng_one_in(r, 2);

    for (int i = 1; i < AXES; i++) {
        size[i] = rng_in(r, 1, 3);
        before[i] = rng_in(r, 0, size[i] - 1);
        behind[i] = back ? rng_in(r, 0, size[i] - 1 - before[i])
                         : (size[i] - (dims[i] + before[i]) % size[i]) % size[i];
        blocks *= size[i];
    }
    memcpy(fit, dims, sizeof fit);
    fit[0] *= back ? blocks : 1;
    inlay_tensor_release(k->in[0]);
    k->in[0] = any_numbers(r, any_type(r), AXES, fit);
    k->in[1] = list(size, AXES);
    k->in[2] = list(before, AXES);
    k->in[3] = list(behind, AXES);
    name_case(k, back ? "BatchToSpace" : "SpaceToBatch", "");
}

static void patches_case(rng *r, struct node_case *k, const int64_t *dims)
{
    static const char *const pads[] = {"valid", "same_upper", "same_lower"};
    int64_t size[2], rate[2];

    for (int i = 0; i < 2; i++) {
        size[i] = rng_in(r, 1, dims[2 + i] < 3 ? dims[2 + i] : 3);
        rate[i] = size[i] == 1 || (size[i] - 1) * 2 < dims[2 + i] ? rng_in(r, 1, 2) : 1;
    }
    snprintf(k->op, sizeof k->op, "ExtractImagePatches");
    snprintf(k->attrs, sizeof k->attrs, "sizes=%d,%d;strides=%d,%d;rates=%d,%d;auto_pad=%s",
             (int)size[0], (int)size[1], (int)rng_in(r, 1, 3), (int)rng_in(r, 1, 3), (int)rate[0],
             (int)rate[1], pads[rng_in(r, 0, 2)]);
}

static void nearest_case(rng *r, struct node_case *k, const int64_t *dims)
{
    static const char *const coordinates[] = {"half_pixel", "asymmetric", "align_corners",
                                              "tf_half_pixel_for_nn"};
    static const char *const rounding[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                           "ceil", "simple"};
    int64_t sizes[2], axes[] = {2, 3};
    bool pads = rng_one_in(r, 4);

    for (int i = 0; i < 2; i++)
        sizes[i] = rng_one_in(r, 2) ? dims[2 + i] * rng_in(r, 1, 4) : rng_in(r, 1, 2 * dims[2 + i]);
    k->in[1] = list(sizes, 2);
    k->in[2] = list(axes, 2);
    k->constant[2] = true;
    snprintf(k->op, sizeof k->op, "Interpolate");
    snprintf(k->attrs, sizeof k->attrs,
             "mode=nearest;shape_calculation_mode=sizes;coordinate_transformation_mode=%s;"
             "nearest_mode=%s;%s",
             coordinates[rng_in(r, 0, 3)], rounding[rng_in(r, 0, 4)],
             pads ? "pads_begin=0,0,1,2;pads_end=0,0,2,0" : "");
}

static void moved_case(rng *r, struct node_case *k)
{
    typedef void case_fn(rng * r, struct node_case * k, const int64_t *dims);
    static case_fn *const all[] = {transpose_case, broadcast_case, slice_case,   pad_case,
                                   tile_case,      roll_case,      reverse_case, concat_case,
                                   split_case,     block_case,     nearest_case, batch_case,
                                   patches_case};
    int64_t dims[AXES];

    for (int i = 0; i < AXES; i++)
        dims[i] = rng_one_in(r, 3) ? 1 : rng_one_in(r, 4) ? rng_in(r, 8, 40) : rng_in(r, 1, 5);
    k->in[0] = any_numbers(r, any_type(r), AXES, dims);
    all[rng_in(r, 0, sizeof all / sizeof all[0] - 1)](r, k, dims);
    for (int i = 1; i < MOST_OPERANDS && k->in[i]; i++)
        k->constant[i] = k->constant[i] || rng_one_in(r, 2);
}

static void moved(void **state)
{
    each_seed(moved_case, 400, 40);
}

/* Rows that move elements to places, or from places, that are data */

/* Returns indices of an axis of SIZE elements; NEGATIVE: some count from its end. */
static inlay_tensor *any_indices(rng *r, int rank, const int64_t *dims, int64_t size, bool negative)
{
    inlay_tensor *t = inlay_tensor_new(rng_one_in(r, 2) ? INLAY_I32 : INLAY_I64, rank, dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_i64(t, i, rng_in(r, negative ? -size : 0, size - 1));
    return t;
}

static void gather_case(rng *r, struct node_case *k, const int64_t *dims)
{
    int axis = (int)rng_in(r, 0, 2);
    int64_t places[] = {rng_in(r, 1, 9), rng_in(r, 1, 30)}, few[3];

    if (rng_one_in(r, 2)) {
        k->in[1] = any_indices(r, 2, places, dims[axis], true);
        k->in[2] = one_number(INLAY_I64, axis);
        name_case(k, "Gather", "");
        return;
    }
    memcpy(few, dims, sizeof few);
    few[axis] = places[1];
    k->in[1] = any_indices(r, 3, few, dims[axis], false);
    snprintf(k->op, sizeof k->op, "GatherElements");
    snprintf(k->attrs, sizeof k->attrs, "axis=%d", axis);
}

/* Tuples that name elements, or rows of them. */
static inlay_tensor *any_tuples(rng *r, const int64_t *dims, int n)
{
    int64_t shape[] = {rng_in(r, 1, 50), n};
    inlay_tensor *t = inlay_tensor_new(INLAY_I64, 2, shape);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_i64(t, i, rng_in(r, -dims[i % n], dims[i % n] - 1));
    return t;
}

static void gather_nd_case(rng *r, struct node_case *k, const int64_t *dims)
{
    k->in[1] = any_tuples(r, dims, (int)rng_in(r, 1, 3));
    name_case(k, "GatherND", "");
}

static void scatter_case(rng *r, struct node_case *k, const int64_t *dims)
{
    static const char *const ways[] = {"none", "sum", "prod", "min", "max", "mean"};
    int axis = (int)rng_in(r, 0, 2);
    int64_t shape[3];

    for (int i = 0; i < 3; i++)
        shape[i] = i == axis ? rng_in(r, 1, 30) : rng_in(r, 1, dims[i]);
    k->in[1] = any_indices(r, 3, shape, dims[axis], true);
    k->in[2] = any_numbers(r, k->in[0]->type, 3, shape);
    k->in[3] = one_number(INLAY_I64, axis);
    snprintf(k->op, sizeof k->op, "ScatterElementsUpdate");
    snprintf(k->attrs, sizeof k->attrs, "reduction=%s;use_init_val=%s", ways[rng_in(r, 0, 5)],
             rng_one_in(r, 4) ? "false" : "true");
}

static void scatter_nd_case(rng *r, struct node_case *k, const int64_t *dims)
{
    static const char *const ways[] = {"none", "sum", "sub", "prod", "min", "max"};
    int n = (int)rng_in(r, 1, 3);
    int64_t shape[] = {0, dims[1], dims[2]};

    k->in[1] = any_tuples(r, dims, n);
    shape[0] = k->in[1]->dims[0];
    if (n == 2)
        shape[1] = dims[2];
    k->in[2] = any_numbers(r, k->in[0]->type, 4 - n, shape);
    name_case(k, "ScatterNDUpdate", "reduction=");
    strcat(k->attrs, ways[rng_in(r, 0, 5)]);
}

static void one_hot_case(rng *r, struct node_case *k, const int64_t *dims)
{
    inlay_type type = k->in[0]->type;

    inlay_tensor_release(k->in[0]);
    k->in[0] = any_indices(r, 3, dims, 12, true);
    k->in[1] = one_number(INLAY_I64, (double)rng_in(r, 1, 10));
    k->in[2] = one_number(type, 1);
    k->in[3] = one_number(type, 3);
    snprintf(k->op, sizeof k->op, "OneHot");
    snprintf(k->attrs, sizeof k->attrs, "axis=%d;negative_indices_mode=%s", (int)rng_in(r, -1, 3),
             rng_one_in(r, 2) ? "normalize" : "ignore-negative");
}

static void select_case(rng *r, struct node_case *k, const int64_t *dims)
{
    inlay_tensor *data = k->in[0], *cond;
    int from[3];
    int64_t narrow[3];

    for (int i = 0; i < 3; i++) {
        narrow[i] = rng_one_in(r, 4) ? 1 : dims[i];
        from[i] = (int)rng_in(r, 0, 2);
    }
    cond = any_tensor(r, INLAY_BOOLEAN, 3, narrow, false, rng_one_in(r, 2));
    for (int64_t i = 0; i < inlay_tensor_count(cond); i++)
        inlay_tensor_set_i64(cond, i, rng_one_in(r, 2));
    k->in[0] = cond;
    k->in[1] = data;
    k->in[2] = any_numbers(r, data->type, 3 - from[0], dims + from[0]);
    name_case(k, "Select", "");
}

static void non_zero_case(rng *r, struct node_case *k, const int64_t *dims)
{
    (void)r, (void)dims;
    name_case(k, "NonZero", rng_one_in(r, 2) ? "output_type=i32" : "");
}

static void unique_case(rng *r, struct node_case *k, const int64_t *dims)
{
    (void)dims;
    if (rng_one_in(r, 2)) {
        k->in[1] = one_number(INLAY_I64, (double)rng_in(r, 0, 2));
        k->constant[1] = true;
    }
    name_case(k, "Unique", rng_one_in(r, 2) ? "sorted=false" : "");
    k->output = (int)rng_in(r, 0, 3);
}

static void indexed_case(rng *r, struct node_case *k)
{
    typedef void case_fn(rng * r, struct node_case * k, const int64_t *dims);
    static case_fn *const all[] = {gather_case,  gather_nd_case, scatter_case,  scatter_nd_case,
                                   one_hot_case, select_case,    non_zero_case, unique_case};
    int64_t dims[3];

    for (int i = 0; i < 3; i++)
        dims[i] = rng_one_in(r, 5) ? rng_in(r, 10, 70) : rng_in(r, 1, 6);
    if (rng_one_in(r, 8))
        dims[2] = rng_in(r, 300, 700);
    k->in[0] = any_numbers(r, any_type(r), 3, dims);
    all[rng_in(r, 0, sizeof all / sizeof all[0] - 1)](r, k, dims);
    for (int i = 0; i < MOST_OPERANDS && k->in[i]; i++)
        k->constant[i] = k->constant[i] || rng_one_in(r, 3);
}

static void indexed(void **state)
{
    each_seed(indexed_case, 400, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topk),
        cmocka_unit_test(nms),
        cmocka_unit_test(moved),
        cmocka_unit_test(indexed),
    };

    return cmocka_run_group_tests_name("kernels that move elements", tests, NULL, NULL);
}
