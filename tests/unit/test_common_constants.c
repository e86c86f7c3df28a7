/* eliminate-common reads of constants only what tells them apart: where they lie comes first, then
 * type and shape, then a few elements, and all elements only of those that agree in all that. The
 * bytes that it hashes are counted (ir/graph/work.h). */
#include "ir/shared.h"
#include "passes/passes.h"
#include "support.h"

enum {
    MANY = 1000,
    LARGE = 4096,
    SAMPLED = 2 * 32 * 4
}; /* bytes of f32 at most before all of it */

/* Makes an f32 tensor of COUNT elements, all FILL but for element AT, which is X. */
static inlay_tensor *filled(int64_t count, float fill, int64_t at, float x)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 1, &count);

    assert_non_null(t);
    for (int64_t i = 0; i < count; i++)
        inlay_tensor_set_f64(t, i, i == at ? x : fill);
    return t;
}

/* Makes a graph of the tensors, which it takes over; each is a constant that a node of its own
 * reads, and that node is an output. */
static inlay_graph *graph_with(inlay_tensor **t, int n)
{
    inlay_graph *g = inlay_graph_new("constants", NULL);

    for (int i = 0; i < n; i++) {
        inlay_value *c = inlay_build_const(g, NULL, t[i], NULL);
        inlay_node *shape = inlay_build(g, NULL, "ShapeOf", &c, 1, NULL, NULL);

        assert_non_null(shape);
        assert_non_null(inlay_build_result(g, NULL, &shape->out[0], NULL));
        inlay_tensor_release(t[i]);
    }
    return g;
}

static size_t count_constants(const inlay_graph *g)
{
    size_t n = 0;

    for (const inlay_node *node = g->first; node; node = node->next)
        n += inlay_node_is(node, INLAY_OP_CONST);
    return n;
}

/* Returns the bytes that the pass hashes when LEFT constants stay. */
static uint64_t hashed(inlay_tensor **t, int n, size_t left)
{
    inlay_graph *g = graph_with(t, n);
    inlay_pass_options o = {.passes = "eliminate-common", .check = true};
    uint64_t bytes;

    assert_true(inlay_run_passes(g, &o, NULL));
    assert_int_equal(count_constants(g), left);
    bytes = inlay_hashed(g);
    inlay_graph_free(g);
    return bytes;
}

static void another_shape_is_enough(void **state)
{
    inlay_tensor *t[MANY];

    for (int i = 0; i < MANY; i++)
        t[i] = filled(LARGE + i, 1, 0, 1);
    assert_int_equal(hashed(t, MANY, MANY), 0);
}

static void the_same_place_is_enough(void **state)
{
    inlay_tensor *t[MANY];

    t[0] = filled(LARGE, 1, 0, 1);
    for (int i = 1; i < MANY; i++)
        t[i] = inlay_tensor_retain(t[0]);
    assert_int_equal(hashed(t, MANY, 1), 0);
}

static void a_few_elements_tell_apart(void **state)
{
    inlay_tensor *t[MANY];

    for (int i = 0; i < MANY; i++)
        t[i] = filled(LARGE, 1, 0, (float)i);
    assert_true(hashed(t, MANY, MANY) <= MANY * SAMPLED);
    for (int i = 0; i < MANY; i++) /* padding in front */
        t[i] = filled(LARGE, 0, LARGE / 2, (float)i + 1);
    assert_true(hashed(t, MANY, MANY) <= MANY * SAMPLED);
}

/* Each constant is hashed once, however many there are. */
static void the_last_element_counts(void **state)
{
    inlay_tensor *t[MANY];

    for (int i = 0; i < MANY; i++)
        t[i] = filled(LARGE, 1, LARGE - 1, (float)(i % (MANY / 2)) + 2);
    assert_true(hashed(t, MANY, MANY / 2) <= MANY * (uint64_t)(LARGE * 4 + SAMPLED));
}

static void what_two_places_hold_may_be_one(void **state)
{
    inlay_tensor *t[4] = {filled(LARGE, 1, 5, 2), filled(LARGE, 1, 5, 2)};

    t[2] = inlay_tensor_retain(t[1]); /* the place of one that goes */
    t[3] = filled(LARGE, 1, 5, 3);
    assert_true(hashed(t, 4, 2) <= 3 * (uint64_t)(LARGE * 4 + SAMPLED));
}

static inlay_tensor *strings(const char *a, const char *b)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_STRING, 1, (int64_t[]){2});

    assert_true(inlay_tensor_set_string(t, 0, a, strlen(a)));
    assert_true(inlay_tensor_set_string(t, 1, b, strlen(b)));
    return t;
}

/* These types and layouts are not hashed in one piece: four of them are there twice. */
static void every_layout(void **state)
{
    static const char *const texts[] = {
        "u4[3] 1 2 3",  "u4[3] 1 2 3",           "u4[3] 1 2 4",
        "i8[3] 1 2 3",  "f32[2] nan 0",          "f32[2] nan -0",
        "f32[2] nan 0", "boolean[2] true false", "boolean[2] true true"};
    enum { N = sizeof texts / sizeof texts[0] };
    inlay_tensor *t[N + 5], *wide = tensor_of("i8[6] 1 9 2 9 3 9");

    for (int i = 0; i < N; i++)
        t[i] = tensor_of(texts[i]);
    t[N] = inlay_tensor_window(wide, 1, (int64_t[]){3}, (int64_t[]){2}, 0); /* 1 2 3 */
    t[N + 1] = inlay_tensor_window(wide, 1, (int64_t[]){3}, (int64_t[]){2}, 1);
    t[N + 2] = strings("ab", "c");
    t[N + 3] = strings("a", "bc");
    t[N + 4] = strings("ab", "c");
    inlay_tensor_release(wide);
    hashed(t, N + 5, N + 5 - 4);
}

/* Nodes that differ in an attribute only are told apart by its hash: each is compared with few. */
static void attributes_count(void **state)
{
    inlay_graph *g = inlay_graph_new("attributes", NULL);
    inlay_shape shape;
    inlay_value *x, *out[MANY];
    inlay_pass_options o = {.passes = "eliminate-common"};
    uint64_t before;

    inlay_shape_of_rank(&shape, 1);
    x = inlay_build_parameter(g, "x", INLAY_F32, &shape, NULL);
    for (int i = 0; i < MANY; i++) {
        char alpha[32];

        snprintf(alpha, sizeof alpha, "alpha=%d", i);
        out[i] = &inlay_build(g, NULL, "Elu", &x, 1, alpha, NULL)->out[0];
    }
    x = &inlay_build(g, NULL, "Concat", out, MANY, "axis=0", NULL)->out[0];
    assert_non_null(inlay_build_result(g, "r", x, NULL));
    before = inlay_steps(g);
    assert_true(inlay_run_passes(g, &o, NULL));
    assert_int_equal(g->n_nodes, MANY + 3);
    assert_true(inlay_steps(g) - before < 20 * MANY);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_shape_is_enough),
        cmocka_unit_test(the_same_place_is_enough),
        cmocka_unit_test(a_few_elements_tell_apart),
        cmocka_unit_test(the_last_element_counts),
        cmocka_unit_test(what_two_places_hold_may_be_one),
        cmocka_unit_test(every_layout),
        cmocka_unit_test(attributes_count),
    };

    return cmocka_run_group_tests_name("common constants", tests, NULL, NULL);
}
