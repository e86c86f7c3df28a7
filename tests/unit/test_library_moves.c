/* Kernels that move, select or compare elements: what the planned executor makes of rows of random
 * sizes, types, strides and attributes, with any number of threads, against the reference. */
#include "node_case.h"
#include "seeds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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
    (void)state;
    each_seed(topk_case, 400, 40);
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
    (void)state;
    each_seed(nms_case, 300, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topk),
        cmocka_unit_test(nms),
    };

    return cmocka_run_group_tests_name("kernels that move elements", tests, NULL, NULL);
}
