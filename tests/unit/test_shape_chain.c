/* Shapes are computed from shapes: this tests what ShapeOf, Gather, Add, Concat and Reshape know
 * between them. */
#include "ir/ir.h"
#include "unit.h"

static inlay_diags *diags;

static inlay_value *ints(inlay_graph *g, int rank, int64_t n, const int64_t *elements)
{
    return inlay_build_ints(g, NULL, INLAY_I64, rank, &n, elements, diags);
}

static inlay_value *build(inlay_graph *g, const char *op, const char *attrs, int n,
                          inlay_value *const *in)
{
    inlay_node *node = inlay_build(g, NULL, op, in, n, attrs, diags);

    assert_non_null(node);
    return &node->out[0];
}

#define BUILD(op, attrs, n, ...) build(g, op, attrs, n, (inlay_value *[]){__VA_ARGS__})

static void check_shape(const inlay_value *v, const char *want)
{
    char text[256];

    assert_string_equal(inlay_shape_text(v->fact.rank, v->fact.dims, text, sizeof text), want);
}

static int setup(void **state)
{
    diags = inlay_diags_new();
    *state = inlay_graph_new("chain", diags);
    return *state == NULL;
}

static int teardown(void **state)
{
    inlay_graph_free(*state);
    inlay_diags_free(diags);
    return 0;
}

/* x is [?, 3, 1..8]. Reshape x to [batch, channels + 1 - 1, -1]: the batch is the same
 * dimension. */
static void partly_dynamic(void **state)
{
    inlay_graph *g = *state;
    inlay_shape s = {.rank = 3, .dim = {inlay_dim_any(), inlay_dim_of(3), {1, 8, 0}}};
    inlay_value *x = inlay_build_parameter(g, "x", INLAY_F32, &s, diags);
    inlay_value *shape = BUILD("ShapeOf", NULL, 1, x), *zero = ints(g, 0, 0, (int64_t[]){0});
    inlay_value *batch = BUILD("Gather", NULL, 3, shape, ints(g, 1, 1, (int64_t[]){0}), zero);
    inlay_value *channels = BUILD("Gather", NULL, 3, shape, ints(g, 1, 1, (int64_t[]){1}), zero);
    inlay_value *four = BUILD("Add", NULL, 2, channels, ints(g, 1, 1, (int64_t[]){1}));
    inlay_value *three = BUILD("Subtract", NULL, 2, four, ints(g, 1, 1, (int64_t[]){1}));
    inlay_value *rest = ints(g, 1, 1, (int64_t[]){-1});
    inlay_value *target = BUILD("Concat", "axis=0", 3, batch, three, rest);
    inlay_value *y = BUILD("Reshape", "special_zero=true", 2, x, target);

    assert_int_equal(four->fact.known[0].lo, 4);
    assert_true(inlay_dim_is_static(four->fact.known[0]));
    check_shape(y, "[?,3,1..8]");
    assert_true(inlay_dim_proven_equal(y->fact.dims[0], x->fact.dims[0]));
    assert_true(inlay_dim_proven_equal(y->fact.dims[2], x->fact.dims[2]));
}

/* The list has the batch and -1: an empty batch leaves 0 for the -1, unless a 0 in the list copies
 * the axis. */
static void beside_an_empty_batch(void **state)
{
    inlay_graph *g = *state;
    inlay_shape some = {.rank = 2, .dim = {{1, INLAY_DIM_MAX, 0}, inlay_dim_of(4)}};
    inlay_shape any = {.rank = 2, .dim = {inlay_dim_any(), inlay_dim_of(4)}};
    inlay_value *x[] = {inlay_build_parameter(g, "x", INLAY_F32, &some, diags),
                        inlay_build_parameter(g, "y", INLAY_F32, &any, diags)};
    inlay_value *first = ints(g, 1, 1, (int64_t[]){0}), *rest = ints(g, 1, 1, (int64_t[]){-1});

    for (int i = 0; i < 2; i++) {
        inlay_value *shape = BUILD("ShapeOf", NULL, 1, x[i]);
        inlay_value *batch = BUILD("Gather", NULL, 3, shape, first, ints(g, 0, 0, (int64_t[]){0}));
        inlay_value *target = BUILD("Concat", "axis=0", 2, batch, rest);

        check_shape(BUILD("Reshape", "special_zero=false", 2, x[i], target),
                    i == 0 ? "[1..,4]" : "[?,..4]");
        check_shape(BUILD("Reshape", "special_zero=true", 2, x[i], target),
                    i == 0 ? "[1..,4]" : "[?,4]");
    }
}

/* Flatten is made of slices of the shape: [2, 3, 4] becomes [2, 12]. */
static void all_static(void **state)
{
    inlay_graph *g = *state;
    inlay_shape s = {.rank = 3, .dim = {inlay_dim_of(2), inlay_dim_of(3), inlay_dim_of(4)}};
    inlay_value *x = inlay_build_parameter(g, "x", INLAY_F32, &s, diags);
    inlay_value *shape = BUILD("ShapeOf", NULL, 1, x), *one = ints(g, 1, 1, (int64_t[]){1});
    inlay_value *head = BUILD("Slice", NULL, 4, shape, ints(g, 1, 1, (int64_t[]){0}), one, one);
    inlay_value *tail = BUILD("StridedSlice", "begin_mask=0;end_mask=1", 3, shape, one,
                              ints(g, 1, 1, (int64_t[]){0}));
    inlay_value *size =
        BUILD("ReduceProd", "keep_dims=true", 2, tail, ints(g, 1, 1, (int64_t[]){0}));
    inlay_value *scalar = BUILD("Squeeze", NULL, 1, size), *list;
    inlay_value *target;

    list = BUILD("Unsqueeze", NULL, 2, scalar, ints(g, 1, 1, (int64_t[]){0}));
    target = BUILD("Concat", "axis=0", 2, head, list);
    assert_int_equal(tail->fact.n_known, 2);
    check_shape(BUILD("Reshape", "special_zero=false", 2, x, target), "[2,12]");
}

/* One element of a list is taken by an index that is only known to be 1 or 2. */
static void one_of_a_list(void **state)
{
    inlay_graph *g = *state;
    inlay_shape s = {.rank = 1, .dim = {{1, 2, 0}}};
    inlay_value *x = inlay_build_parameter(g, "x", INLAY_F32, &s, diags);
    inlay_value *list = ints(g, 1, 3, (int64_t[]){10, 30, 20}),
                *zero = ints(g, 0, 0, (int64_t[]){0});
    inlay_value *one = BUILD("Gather", NULL, 3, list, BUILD("ShapeOf", NULL, 1, x), zero);

    assert_int_equal(one->fact.known[0].lo, 10);
    assert_int_equal(one->fact.known[0].hi, 30);
}

/* Identities travel through a Broadcast to another tensor's shape, a Range as long as an axis, and
 * a slice up to the size of an axis. */
static void identities_travel(void **state)
{
    inlay_graph *g = *state;
    inlay_shape s = {.rank = 2, .dim = {inlay_dim_any(), inlay_dim_any()}};
    inlay_value *x = inlay_build_parameter(g, "x", INLAY_F32, &s, diags);
    inlay_value *shape = BUILD("ShapeOf", NULL, 1, x), *zero = ints(g, 0, 0, (int64_t[]){0});
    inlay_value *n = BUILD("Gather", NULL, 3, shape, zero, zero), *list;
    inlay_value *range, *wide, *cut, *one = ints(g, 1, 1, (int64_t[]){1});

    range = BUILD("Range", "output_type=i64", 3, zero, n, ints(g, 0, 0, (int64_t[]){1}));
    wide = BUILD("Broadcast", NULL, 2, ints(g, 0, 0, (int64_t[]){7}), shape);
    list = BUILD("Unsqueeze", NULL, 2, n, zero);
    cut = BUILD("Slice", NULL, 5, x, ints(g, 1, 1, (int64_t[]){0}), list, one,
                ints(g, 1, 1, (int64_t[]){0}));
    assert_true(inlay_dim_proven_equal(range->fact.dims[0], x->fact.dims[0]));
    assert_true(inlay_dim_proven_equal(wide->fact.dims[0], x->fact.dims[0]));
    assert_true(inlay_dim_proven_equal(wide->fact.dims[1], x->fact.dims[1]));
    assert_true(inlay_dim_proven_equal(cut->fact.dims[0], x->fact.dims[0]));
    assert_true(inlay_dim_proven_equal(cut->fact.dims[1], x->fact.dims[1]));
}

/* So many axes go that a Negative of a list says; which ones, only the run knows. */
static void some_axes_go(void **state)
{
    inlay_graph *g = *state;
    inlay_shape s = {.rank = 3, .dim = {inlay_dim_of(2), inlay_dim_of(3), {4, 8, 0}}};
    inlay_shape one = {.rank = 1, .dim = {inlay_dim_of(1)}}, two = {.rank = 1};
    inlay_value *x = inlay_build_parameter(g, "x", INLAY_F32, &s, diags), *axis, *axes, *ones;

    two.dim[0] = inlay_dim_of(2);
    axis = inlay_build_parameter(g, "axis", INLAY_I64, &one, diags);
    axes = inlay_build_parameter(g, "axes", INLAY_I64, &two, diags);
    check_shape(BUILD("ReduceSum", "keep_dims=false", 2, x, axis), "[2..3,3..8]");
    check_shape(BUILD("ReduceMax", "keep_dims=false", 2, x, axes), "[2..8]");
    check_shape(BUILD("ReduceMax", "keep_dims=true", 2, x, axes), "[1..2,1..3,1..8]");
    ones = BUILD("Negative", NULL, 1, ints(g, 1, 2, (int64_t[]){-3, -1}));
    check_shape(BUILD("Broadcast", NULL, 2, ints(g, 0, 0, (int64_t[]){7}), ones), "[3,1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(partly_dynamic, setup, teardown),
        cmocka_unit_test_setup_teardown(beside_an_empty_batch, setup, teardown),
        cmocka_unit_test_setup_teardown(all_static, setup, teardown),
        cmocka_unit_test_setup_teardown(one_of_a_list, setup, teardown),
        cmocka_unit_test_setup_teardown(identities_travel, setup, teardown),
        cmocka_unit_test_setup_teardown(some_axes_go, setup, teardown),
    };

    return cmocka_run_group_tests_name("shape chain", tests, NULL, NULL);
}
