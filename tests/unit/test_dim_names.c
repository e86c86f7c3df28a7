/* Names of open sizes: which identity a name belongs to, what keeps it, and what sets its size. */
#include "parser/parser.h"
#include "passes/passes.h"
#include "tests/unit/graphs.h"
#include "tests/unit/models.h"
#include "unit.h"

#define TWO                                                                                        \
    "%a = Parameter {element_type = f32, shape = [?#batch,1..8#\"a b\",3]}\n"                      \
    "%b = Parameter {element_type = f32, shape = [?#batch,?,3]}\n"                                 \
    "%c = Concat(%a, %b) {axis = 1}\n"                                                             \
    "%n = NonZero(%c) : i64[3,?#count]\n"                                                          \
    "%r = Result(%c)\n%s = Result(%n)\n"

static const char *shape_of(const inlay_graph *g, const char *node)
{
    static char text[200];

    return inlay_value_shape_text(&inlay_graph_node(g, node)->out[0], text, sizeof text);
}

static void check_two(const inlay_graph *g)
{
    assert_string_equal(shape_of(g, "a"), "[?#batch,1..8#a b,3]");
    assert_string_equal(shape_of(g, "b"), "[?#batch,?,3]");
    assert_string_equal(shape_of(g, "c"), "[?#batch,1..,3]");
    assert_string_equal(shape_of(g, "n"), "[3,?#count]");
    assert_int_equal(inlay_graph_node(g, "a")->out[0].fact.dims[0].id,
                     inlay_graph_node(g, "b")->out[0].fact.dims[0].id);
}

/* One name is one identity, whichever of the two comes first. */
static void test_table(void **state)
{
    inlay_graph *g = inlay_graph_new("g", NULL);
    uint32_t a = inlay_graph_named_dim(g, "a", NULL), b = inlay_graph_named_dim(g, "b", NULL), c;

    assert_true(a != 0 && b != 0 && a != b);
    assert_int_equal(inlay_graph_named_dim(g, "a", NULL), a);
    assert_int_equal(inlay_graph_dim_id(g, "b"), b);
    assert_int_equal(inlay_graph_dim_id(g, "c"), 0);
    assert_string_equal(inlay_graph_dim_name(g, b), "b");
    assert_true(inlay_graph_name_dim(g, a, "c", NULL)); /* it has a name: nothing changes */
    assert_string_equal(inlay_graph_dim_name(g, a), "a");
    c = g->next_dim_id++;
    assert_null(inlay_graph_dim_name(g, c));
    assert_true(inlay_graph_name_dim(g, c, "b", NULL)); /* that is another's name */
    assert_null(inlay_graph_dim_name(g, c));
    assert_true(inlay_graph_name_dim(g, c, "c", NULL));
    assert_int_equal(inlay_graph_named_dim(g, "c", NULL), c);
    inlay_graph_free(g);
}

static void test_kept(void **state)
{
    inlay_graph *g = graph_of(TWO), *copy = inlay_graph_clone(g, NULL);
    inlay_pass_options o = {0};
    char why[200];

    check_two(g);
    check_two(copy);
    assert_true(inlay_run_passes(copy, &o, NULL));
    check_two(copy);
    assert_true(inlay_infer_graph(copy, NULL)); /* again: no new identities */
    check_two(copy);
    inlay_graph_free(copy);
    copy = graph_of("%a = Parameter {element_type = f32, shape = [?#batch,1..8,3]}\n"
                    "%b = Parameter {element_type = f32, shape = [?#batch,?,3]}\n"
                    "%c = Concat(%a, %b) {axis = 1}\n%n = NonZero(%c)\n"
                    "%r = Result(%c)\n%s = Result(%n)\n");
    assert_false(inlay_graph_equal(g, copy, why, sizeof why));
    assert_string_equal(why, "input \"a\" has dims of other names in the second graph");
    inlay_graph_free(copy);
    inlay_graph_free(g);
}

static bool to_buffer(void *ctx, const char *bytes, size_t n)
{
    inlay_strbuf_add(ctx, bytes, n);
    return true;
}

/* Each format gives the names back, and IR of version 10 says that it does not. */
static void test_formats(void **state)
{
    inlay_graph *g = graph_of(TWO), *again;
    inlay_strbuf text = {0}, xml = {0}, weights = {0};
    inlay_sink sink = {to_buffer, &text};
    const char *said;

    assert_true(inlay_print(g, true, &sink, NULL));
    again = inlay_read_text("t", text.bytes, text.n, NULL, NULL);
    check_two(again);
    inlay_graph_free(again);
    text.n = 0;
    assert_true(inlay_write_json(g, NULL, NULL, &sink, NULL, NULL));
    again = inlay_read_json("j", text.bytes, text.n, NULL, NULL);
    check_two(again);
    inlay_graph_free(again);
    assert_true(model_write_xml(g, 11, &xml, &weights, &said));
    assert_string_equal(said, "");
    again = model_read_xml(xml.bytes, weights.bytes, weights.n, NULL, &said);
    assert_string_equal(said, "");
    check_two(again);
    assert_null(inlay_graph_node(again, "a")->out[0].rt_info);
    inlay_graph_free(again);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    assert_true(model_write_xml(g, 10, &xml, &weights, &said));
    assert_string_equal(said, "warning: names of dimensions are not written: IR version 10 cannot "
                              "hold them, 11 can (--ir-version 11)");
    assert_null(strstr(xml.bytes, "inlay_dims"));
    inlay_strbuf_free(&text);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(g);
}

static void test_set(void **state)
{
    inlay_graph *g = graph_of(TWO);
    inlay_diags *d = inlay_diags_new();

    assert_false(inlay_graph_set_dim(g, "a b", 9, d));
    assert_string_equal(model_messages(d), "2: error: node \"a\" (Parameter-1): dimension 1, "
                                           "\"a b\", cannot be 9: it is 1..8");
    inlay_diags_clear(d);
    assert_true(inlay_graph_set_dim(g, "batch", 4, d));
    assert_string_equal(shape_of(g, "a"), "[4,1..8#a b,3]");
    assert_string_equal(shape_of(g, "b"), "[4,?,3]");
    assert_string_equal(shape_of(g, "c"), "[4,1..,3]");
    assert_false(inlay_graph_set_dim(g, "count", 4, d)); /* what is computed cannot be set */
    assert_string_equal(model_messages(d), "error: no input has a dimension called \"count\"");
    inlay_diags_free(d);
    inlay_graph_free(g);
}

/* Both executors compare inputs of one identity before anything runs, whether the identity has a
 * name or not. */
static void test_run(void **state)
{
    runner r = runner_of("%a = Parameter {element_type = f32, shape = [?#n]}\n"
                         "%b = Parameter {element_type = f32, shape = [2,?#n]}\n"
                         "%m = Parameter {element_type = f32, shape = [?#1]}\n"
                         "%k = Parameter {element_type = f32, shape = [?#1]}\n"
                         "%r = Result(%a)\n%s = Result(%b)\n%t = Result(%m)\n%u = Result(%k)\n",
                         NULL);

    check_run(&r, OPERANDS("f32[1] 1", "f32[2,1] 2 3", "f32[2] 1 2", "f32[2] 3 4"),
              OPERANDS("f32[1] 1", "f32[2,1] 2 3", "f32[2] 1 2", "f32[2] 3 4"));
    check_run_fails(&r, OPERANDS("f32[2] 1 1", "f32[2,1] 2 3", "f32[2] 1 2", "f32[2] 3 4"),
                    INLAY_INVALID,
                    "dimension 1 (\"n\") of the tensor given is 1, it must be 2 like dimension 0 "
                    "of \"a\"");
    check_run_fails(&r, OPERANDS("f32[1] 1", "f32[2,1] 2 3", "f32[2] 1 2", "f32[1] 3"),
                    INLAY_INVALID,
                    "dimension 0 of the tensor given is 1, it must be 2 like dimension 0 of \"m\"");
    check_run_fails(&r, OPERANDS("f32[1] 1", "f32[2,1] 2 3", "f32[2] 1 2", "f32[1,1] 3"),
                    INLAY_INVALID, "the tensor given has shape [1,1], [?] is wanted");
    runner_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_kept), cmocka_unit_test(test_formats),
        cmocka_unit_test(test_set),   cmocka_unit_test(test_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
