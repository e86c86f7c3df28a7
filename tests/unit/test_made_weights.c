/* Weights that are made up: what is drawn, and how integers that are no weights are found. The
 * expected integers follow from the shapes that the ports declare, by hand. */
#include "tests/unit/models.h"
#include "unit.h"

#include <math.h>

#define PARAMETER(id, shape, dims)                                                                 \
    "<layer id='" id "' name='x" id "' type='Parameter' version='opset1'>"                         \
    "<data element_type='f32' shape='" shape "'/><output><port id='0' precision='FP32'>" dims      \
    "</port></output></layer>\n"
#define CONST(id, type, shape, offset, size)                                                       \
    "<layer id='" id "' name='c" id "' type='Const' version='opset1'>"                             \
    "<data element_type='" type "' shape='" shape "' offset='" offset "' size='" size "'/>"        \
    "<output><port id='0' precision='" type "'/></output></layer>\n"
#define PORT(id) "<port id='" id "'/>"
#define NODE(id, type, data, inputs, dims)                                                         \
    "<layer id='" id "' name='n" id "' type='" type "' version='opset8'>" data "<input>" inputs    \
    "</input><output><port id='9' precision='FP32'>" dims "</port></output></layer>\n"
#define RESULT(id)                                                                                 \
    "<layer id='" id "' name='r" id "' type='Result' version='opset1'><input><port id='0'/>"       \
    "</input></layer>\n"
#define D(n) "<dim>" #n "</dim>"
#define EDGE(from, from_port, to, to_port)                                                         \
    "<edge from-layer='" #from "' from-port='" #from_port "' to-layer='" #to                       \
    "' to-port='" #to_port "'/>"
#define NET(layers, edges)                                                                         \
    "<net name='m' version='11'><layers>\n" layers "</layers><edges>" edges "</edges></net>"

static inlay_graph *read_made(const char *xml, uint64_t seed, const char **said)
{
    inlay_read_options o = {.make_weights = true, .weights_seed = seed};

    return model_read_xml(xml, NULL, 0, &o, said);
}

static const inlay_tensor *value_of(const inlay_graph *g, const char *name)
{
    const inlay_node *n = inlay_graph_node(g, name);

    assert_non_null(n);
    return inlay_node_attr(n, "value")->as.tensor;
}

static bool equal(const inlay_tensor *a, const inlay_tensor *b)
{
    return inlay_tensor_bytes(a) == inlay_tensor_bytes(b) &&
           memcmp(a->data, b->data, inlay_tensor_bytes(a)) == 0;
}

static const char constants[] =
    NET(CONST("0", "f32", "64,3,7,7", "0", "37632") CONST("1", "f32", "1,64,1,1", "37632", "256")
            CONST("2", "f16", "40,30", "40000", "2400") CONST("3", "f32", "64,3,7,7", "0", "37632")
                CONST("4", "i8", "20,5", "50000", "100") CONST("5", "string", "3", "60000", "1")
                    RESULT("10") RESULT("11") RESULT("12") RESULT("13") RESULT("14") RESULT("15"),
        EDGE(0, 0, 10, 0) EDGE(1, 0, 11, 0) EDGE(2, 0, 12, 0) EDGE(3, 0, 13, 0) EDGE(4, 0, 14, 0)
            EDGE(5, 0, 15, 0));

static void test_the_seed_decides(void **state)
{
    inlay_graph *a = read_made(constants, 1, NULL), *b = read_made(constants, 1, NULL);
    inlay_graph *c = read_made(constants, 2, NULL);

    assert_true(a && b && c);
    assert_true(equal(value_of(a, "c0"), value_of(b, "c0")));
    assert_true(equal(value_of(a, "c2"), value_of(b, "c2")));
    assert_false(equal(value_of(a, "c0"), value_of(c, "c0")));
    inlay_graph_free(a);
    inlay_graph_free(b);
    inlay_graph_free(c);
}

static void test_shared_bytes_are_equal(void **state)
{
    inlay_graph *g = read_made(constants, 1, NULL);

    assert_true(equal(value_of(g, "c0"), value_of(g, "c3")));
    inlay_graph_free(g);
}

/* The least and the greatest element lie within LO and HI, and reach most of the way there. */
static void check_spread(const inlay_tensor *t, double lo, double hi)
{
    double least = INFINITY, most = -INFINITY;

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        double x = inlay_tensor_get_f64(t, i);

        least = x < least ? x : least;
        most = x > most ? x : most;
    }
    assert_true(least >= lo && least < lo + (hi - lo) / 8);
    assert_true(most <= hi && most > hi - (hi - lo) / 8);
}

static void test_sizes_of_weights(void **state)
{
    inlay_graph *g = read_made(constants, 1, NULL);
    double limit = sqrt(6.0 / (64 * 7 * 7));

    check_spread(value_of(g, "c0"), -limit, limit);
    check_spread(value_of(g, "c1"), 0.5, 1.5);
    check_spread(value_of(g, "c2"), -sqrt(6.0 / 40), sqrt(6.0 / 40));
    check_spread(value_of(g, "c4"), -3, 3);
    for (int64_t i = 0; i < 3; i++)
        assert_int_equal(inlay_tensor_get_string(value_of(g, "c5"), i).length, 1);
    inlay_graph_free(g);
}

/* The N integers of the constant NAME in the model XML. */
static void check_chosen(const char *xml, const char *name, const int64_t *wanted, int n)
{
    const char *said;
    inlay_graph *g = read_made(xml, 0, &said);
    const inlay_tensor *t;

    if (!g)
        fail_msg("%s", said);
    assert_non_null(strstr(said, "the weights are made up"));
    t = value_of(g, name);
    assert_int_equal(inlay_tensor_count(t), n);
    for (int i = 0; i < n; i++)
        assert_int_equal(inlay_tensor_get_i64(t, i), wanted[i]);
    inlay_graph_free(g);
}

static void test_an_order(void **state)
{
    static const char xml[] =
        NET(PARAMETER("0", "2,3,4,5", D(2) D(3) D(4) D(5)) CONST("1", "i64", "4", "0", "32")
                NODE("2", "Transpose", "", PORT("0") PORT("1"), D(4) D(2) D(5) D(3)) RESULT("3"),
            EDGE(0, 0, 2, 0) EDGE(1, 0, 2, 1) EDGE(2, 9, 3, 0));

    check_chosen(xml, "c1", (int64_t[]){2, 0, 3, 1}, 4);
}

static void test_a_shape(void **state)
{
    static const char xml[] =
        NET(PARAMETER("0", "?,3,4", D(-1) D(3) D(4)) CONST("1", "i32", "2", "0", "8")
                NODE("2", "Reshape", "<data special_zero='true'/>", PORT("0") PORT("1"),
                     D(-1) D(12)) RESULT("3"),
            EDGE(0, 0, 2, 0) EDGE(1, 0, 2, 1) EDGE(2, 9, 3, 0));

    check_chosen(xml, "c1", (int64_t[]){-1, 12}, 2);
}

#define WINDOW_INPUTS PORT("0") PORT("1") PORT("2") PORT("3") PORT("4")

/* Columns 0 to 3 of [?,5]: start, stop, step and axis are all missing, and 0 and 1 stand at places
 * that others share. Only together do they make the sizes of the port. */
static const char window[] =
    NET(PARAMETER("0", "?,5", D(-1) D(5)) CONST("1", "i64", "1", "0", "8")
            CONST("2", "i64", "1", "8", "8") CONST("3", "i64", "1", "16", "8")
                CONST("4", "i64", "1", "16", "8") NODE("5", "Slice", "", WINDOW_INPUTS, D(-1) D(4))
                    RESULT("6"),
        EDGE(0, 0, 5, 0) EDGE(1, 0, 5, 1) EDGE(2, 0, 5, 2) EDGE(3, 0, 5, 3) EDGE(4, 0, 5, 4)
            EDGE(5, 9, 6, 0));

static void test_a_window(void **state)
{
    check_chosen(window, "c4", (int64_t[]){1}, 1);
}

/* An axis 0 satisfies the first node, and only the second one shows that it was none. */
static void test_a_choice_is_taken_back(void **state)
{
    static const char xml[] = NET(
        PARAMETER("0", "3,3,2", D(3) D(3) D(2)) CONST("1", "i64", "", "0", "8")
            NODE("2", "CumSum", "", PORT("0") PORT("1"), D(3) D(3) D(2))
                NODE("3", "Unsqueeze", "", PORT("0") PORT("1"), D(3) D(3) D(1) D(2)) RESULT("4"),
        EDGE(0, 0, 2, 0) EDGE(1, 0, 2, 1) EDGE(2, 9, 3, 0) EDGE(1, 0, 3, 1) EDGE(3, 9, 4, 0));

    check_chosen(xml, "c1", (int64_t[]){2}, 1);
}

/* A port may be wrong: what the rules accept is taken then. */
static void test_wrong_ports(void **state)
{
    static const char xml[] =
        NET(PARAMETER("0", "2,3", D(2) D(3)) CONST("1", "i64", "2", "0", "16")
                NODE("2", "Transpose", "", PORT("0") PORT("1"), D(7) D(7)) RESULT("3"),
            EDGE(0, 0, 2, 0) EDGE(1, 0, 2, 1) EDGE(2, 9, 3, 0));
    const char *said;
    inlay_graph *g = read_made(xml, 0, &said);

    assert_non_null(g);
    assert_non_null(strstr(said, "of the ports, as far as that was possible"));
    inlay_graph_free(g);
}

static void test_nothing_fits(void **state)
{
    static const char xml[] =
        NET(PARAMETER("0", "2,3", D(2) D(3)) CONST("1", "i64", "1", "0", "8")
                NODE("2", "Broadcast", "", PORT("0") PORT("1"), D(2) D(3)) RESULT("3"),
            EDGE(0, 0, 2, 0) EDGE(1, 0, 2, 1) EDGE(2, 9, 3, 0));
    const char *said;

    assert_null(read_made(xml, 0, &said));
    assert_string_equal(said, "4: error: layer 2 \"n2\" (Broadcast-3): weights cannot be made up: "
                              "it depends on integers that say a shape, an axis or a place, and "
                              "none were found that the shape rules accept");
}

/* What no choice can mend has the message that it has with weights. */
static void test_a_fault_of_the_model(void **state)
{
    static const char xml[] = NET(
        PARAMETER("0", "2,3", D(2) D(3)) PARAMETER("1", "2,4", D(2) D(4))
            CONST("2", "i64", "2", "0", "16") NODE("3", "Add", "", PORT("0") PORT("1"), D(2) D(3))
                NODE("4", "Transpose", "", PORT("0") PORT("1"), D(2) D(3)) RESULT("5"),
        EDGE(0, 0, 3, 0) EDGE(1, 0, 3, 1) EDGE(3, 9, 4, 0) EDGE(2, 0, 4, 1) EDGE(4, 9, 5, 0));
    const char *said;

    assert_null(read_made(xml, 0, &said));
    assert_non_null(strstr(said, "layer 3 \"n3\" (Add-1): "));
    assert_null(strstr(said, "made up"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_seed_decides),
        cmocka_unit_test(test_shared_bytes_are_equal),
        cmocka_unit_test(test_sizes_of_weights),
        cmocka_unit_test(test_an_order),
        cmocka_unit_test(test_a_shape),
        cmocka_unit_test(test_a_window),
        cmocka_unit_test(test_a_choice_is_taken_back),
        cmocka_unit_test(test_wrong_ports),
        cmocka_unit_test(test_nothing_fits),
        cmocka_unit_test(test_a_fault_of_the_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
