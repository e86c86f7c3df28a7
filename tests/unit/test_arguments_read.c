/* Functions that read, write and walk are misused, and graphs that are not finished: see
 * test_arguments.c. */
#include "ir/shared.h"
#include "misused.h"
#include "passes/passes.h"
#include "tests/unit/graphs.h"
#include "texts.h"
#include "unit.h"

static bool swallow(void *ctx, const char *bytes, size_t n)
{
    (void)ctx, (void)bytes, (void)n;
    return true;
}

static const inlay_sink nowhere = {swallow, NULL}, empty_sink = {NULL, NULL};

static void test_walks_over_no_graph(void **state)
{
    inlay_diff diff;
    misused s = misused_of(SOUND);
    inlay_fact out[1];
    inlay_order_list order;
    char why[100];
    bool equal;

    REFUSED(inlay_order(NULL, true, &order, s.d), no_graph);
    inlay_order_free(&order);
    REFUSED(inlay_infer_node(NULL, s.d), no_node);
    REFUSED(inlay_infer_graph(NULL, s.d), no_graph);
    REFUSED(inlay_infer_facts(NULL, NULL, s.g->arena, out, s.d), no_node);
    REFUSED(inlay_infer_facts(s.b, NULL, s.g->arena, out, s.d), "error: no list of facts is given");
    REFUSED(inlay_infer_facts(s.b, NULL, NULL, out, s.d), "error: no arena is given");
    REFUSED(inlay_infer_bodies(NULL, NULL, s.g->arena, out, s.d), no_node);
    REFUSED(inlay_infer_bodies(s.b, NULL, s.g->arena, out, s.d),
            "error: no list of facts is given");
    assert_int_equal(inlay_batch_norm_data(-1, -1), -1);
    REFUSED(inlay_check_graph(NULL, s.d), no_graph);
    REFUSED(inlay_check_node(NULL, s.d), no_node);
    REFUSED_QUIETLY(inlay_graph_equal(s.g, NULL, why, sizeof why));
    REFUSED(inlay_graph_compare(s.g, NULL, &equal, why, sizeof why, s.d), no_graph);
    assert_string_equal(why, "a graph is missing");
    REFUSED(inlay_print(NULL, true, &nowhere, s.d), no_graph);
    REFUSED(inlay_print(s.g, true, NULL, s.d), "error: no sink is given");
    REFUSED(inlay_print(s.g, true, &empty_sink, s.d), "error: a sink is empty");
    REFUSED(inlay_print_provenance(NULL, &nowhere, s.d), no_graph);
    REFUSED(inlay_print_provenance(s.g, &empty_sink, s.d), "error: a sink is empty");
    REFUSED(inlay_print_node(NULL, false, &nowhere, s.d), "error: no node is given");
    REFUSED(inlay_print_node(s.b, false, &empty_sink, s.d), "error: a sink is empty");
    REFUSED(inlay_diff_graphs(s.g, NULL, &diff, s.d), no_graph);
    REFUSED(inlay_diff_graphs(NULL, s.g, &diff, s.d), no_graph);
    inlay_diff_free(&diff);
    inlay_diff_free(NULL);
    assert_null(inlay_node_provenance(NULL).name);
    REFUSED(inlay_print_dot(NULL, &nowhere, s.d), no_graph);
    REFUSED(inlay_print_dot(s.g, NULL, s.d), "error: no sink is given");
    REFUSED(inlay_result_names(NULL, s.d), no_graph);
    assert_int_equal(inlay_graph_bytes(NULL), 0);
    assert_int_equal(inlay_graph_find_input(NULL, "x", 1), INLAY_NO_SUCH);
    assert_int_equal(inlay_graph_find_input(s.g, NULL, 1), INLAY_NO_SUCH);
    assert_int_equal(inlay_graph_find_output(s.g, NULL, "r", 1), INLAY_NO_SUCH);
    misused_free(&s);
}

static void test_texts(void **state)
{
    misused s = misused_of(SOUND);
    const double x = 1;
    inlay_strbuf b = {0};
    inlay_guess guess = {0};
    inlay_lexer l;
    char buf[40];
    double y;

    assert_string_equal(inlay_element_text(INLAY_STRING, &x, 0, buf, sizeof buf), "?");
    assert_string_equal(inlay_element_text((inlay_type)9999, &x, 0, buf, sizeof buf), "?");
    REFUSED_QUIETLY(inlay_element_parse(INLAY_F64, NULL, &y, 0));
    REFUSED_QUIETLY(inlay_element_parse((inlay_type)9999, "1", &y, 0));
    inlay_locale_leave(inlay_locale_enter());
    inlay_locale_leave(NULL);
    assert_true(inlay_word_compare(NULL, "a") < 0);
    inlay_guess_try(NULL, "a");
    inlay_guess_try(&guess, NULL);
    inlay_guess_try(&guess, "a");
    assert_null(guess.best);
    assert_string_equal(inlay_guess_text(&guess, buf, sizeof buf), "");
    assert_null(inlay_guess_text(NULL, NULL, 0));
    inlay_lexer_start(&l, NULL, NULL, 3, s.d);
    assert_true(inlay_lexer_next(&l));
    assert_int_equal(l.now.kind, INLAY_TOKEN_END);
    REFUSED(inlay_lexer_fail(&l, "a word"), "1: error: found the end of the text, expected a word");
    REFUSED_QUIETLY(inlay_token_is_word(NULL));
    REFUSED_QUIETLY(inlay_token_is_name(NULL));
    inlay_strbuf_puts(&b, NULL);
    inlay_strbuf_add(&b, NULL, 0);
    inlay_strbuf_printf(&b, "%d", 1);
    assert_string_equal(b.bytes, "1");
    assert_true(inlay_strbuf_sink(&b, NULL, 0));
    inlay_strbuf_free(&b);
    misused_free(&s);
}

static void test_files(void **state)
{
    misused s = misused_of(SOUND);
    inlay_files *files = inlay_files_new(s.d);
    inlay_tensor *t = tensor_of("f32 1");

    REFUSED(inlay_read_file(NULL, NULL, s.d), "error: no path is given");
    REFUSED(inlay_write_file(NULL, "a.json", NULL, s.d), no_graph);
    REFUSED(inlay_write_file(s.g, NULL, NULL, s.d), "error: no path is given");
    inlay_files_free(NULL);
    REFUSED(inlay_files_bytes(NULL, "x", "x", 1, s.d), "error: no list of files is given");
    REFUSED(inlay_files_npy(files, "x", NULL, s.d), no_tensor);
    REFUSED(inlay_files_npy(files, NULL, t, s.d), "error: no path is given");
    REFUSED(inlay_files_bytes(files, "x", NULL, 1, s.d), "error: no list of bytes is given");
    REFUSED(inlay_files_commit(NULL, s.d), "error: no list of files is given");
    inlay_files_free(files);
    REFUSED(inlay_read_npy(NULL, s.d), "error: no path is given");
    REFUSED(inlay_read_tensor(NULL, 0, s.d), "error: no path is given");
    REFUSED(inlay_read_value(NULL, INLAY_ITEM, 1, 0, s.d), "error: no path is given");
    REFUSED(inlay_read_image(NULL, 3, 0, s.d), "error: no path is given");
    REFUSED(inlay_read_image("x", 2, 0, s.d), "error: a picture has 1, 3 or 4 channels, not 2");
    assert_non_null(inlay_image_formats());
    REFUSED(inlay_read_npy_bytes("x", NULL, 9, s.d), "error: no list of bytes is given");
    REFUSED_QUIETLY(inlay_read_npy_bytes(NULL, "x", 1, NULL));
    REFUSED(inlay_write_npy(NULL, "x.npy", s.d), no_tensor);
    REFUSED(inlay_write_npy(t, NULL, s.d), "error: no path is given");
    REFUSED(inlay_npz_open(NULL, 0, s.d), "error: no path is given");
    inlay_npz_close(NULL);
    assert_int_equal(inlay_npz_count(NULL), 0);
    REFUSED_QUIETLY(inlay_npz_name(NULL, 0));
    REFUSED(inlay_npz_read(NULL, 0, 0, s.d), "error: no archive is given");
    inlay_tensor_release(t);
    misused_free(&s);
}

static void test_models_in_memory(void **state)
{
    misused s = misused_of(SOUND);
    const inlay_read_options o = {0};
    const inlay_write_options old = {.opset = 16};

    REFUSED(inlay_read_xml(NULL, NULL, 1, NULL, &o, s.d), "error: no text is given");
    REFUSED(inlay_read_json(NULL, NULL, 1, &o, s.d), "error: no text is given");
    REFUSED(inlay_read_text(NULL, NULL, 1, &o, s.d), "error: no text is given");
    REFUSED(inlay_read_onnx(NULL, NULL, 1, NULL, &o, s.d), "error: no list of bytes is given");
    REFUSED_QUIETLY(inlay_read_onnx(NULL, "\x08", 1, NULL, NULL, NULL));
    REFUSED_QUIETLY(inlay_read_xml(NULL, "<net", 4, NULL, NULL, NULL));
    REFUSED_QUIETLY(inlay_read_json(NULL, "{", 1, NULL, NULL));
    REFUSED_QUIETLY(inlay_read_text(NULL, "graph", 5, NULL, NULL));
    REFUSED(inlay_write_xml(NULL, NULL, &nowhere, &nowhere, s.d), no_graph);
    REFUSED(inlay_write_xml(s.g, NULL, NULL, &nowhere, s.d), "error: no sink is given");
    REFUSED(inlay_write_xml(s.g, NULL, &nowhere, &empty_sink, s.d), "error: a sink is empty");
    REFUSED(inlay_write_xml(s.g, NULL, &nowhere, NULL, s.d), "error: no sink is given");
    REFUSED(inlay_write_json(NULL, NULL, NULL, &nowhere, NULL, s.d), no_graph);
    REFUSED(inlay_write_json(s.g, NULL, NULL, &empty_sink, NULL, s.d), "error: a sink is empty");
    REFUSED(inlay_write_json(s.g, NULL, NULL, &nowhere, &nowhere, s.d),
            "error: no name of the weights is given");
    REFUSED(inlay_write_onnx(NULL, NULL, NULL, &nowhere, NULL, s.d), no_graph);
    REFUSED(inlay_write_onnx(s.g, NULL, NULL, &empty_sink, NULL, s.d), "error: a sink is empty");
    REFUSED(inlay_write_onnx(s.g, NULL, NULL, &nowhere, &nowhere, s.d),
            "error: no name of the weights is given");
    REFUSED(inlay_write_onnx(s.g, NULL, &old, &nowhere, NULL, s.d),
            "error: operator set 16 cannot be written, only 17 to 28");
    misused_free(&s);
}

/* Calls all functions that take a graph on one that may be half made: they may refuse it, and must
 * not crash. */
static void use(inlay_graph *g)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_pass_options passes = {.passes = "default,rules", .evaluator = &e};
    inlay_tensor *in[2] = {NULL};
    inlay_memory_plan plan;
    inlay_verify_result result;
    inlay_graph *copy = inlay_graph_clone(g, NULL);

    inlay_check_graph(g, NULL);
    inlay_print(g, true, &nowhere, NULL);
    inlay_print_dot(g, &nowhere, NULL);
    inlay_write_json(g, NULL, NULL, &nowhere, NULL, NULL);
    inlay_write_xml(g, NULL, &nowhere, &nowhere, NULL);
    inlay_write_onnx(g, NULL, NULL, &nowhere, NULL, NULL);
    inlay_program_free(inlay_compile(g, NULL, NULL));
    if (inlay_memory_plan_make(g, &plan, NULL))
        inlay_memory_plan_free(&plan);
    inlay_result_names(g, NULL);
    if (copy) {
        inlay_graph_equal(g, copy, NULL, 0);
        inlay_verify(g, &e, copy, &e, NULL, &result, NULL);
    }
    inlay_make_inputs(g, NULL, in, NULL);
    for (int i = 0; i < 2; i++)
        inlay_tensor_release(in[i]);
    inlay_infer_graph(g, NULL);
    inlay_run_passes(g, &passes, NULL);
    inlay_graph_free(copy);
}

/* Beside the sound nodes there is one node of each row that has nothing set, with and without its
 * inputs. */
static void test_unfinished_nodes(void **state)
{
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        for (int with = 0; with < 8; with++) {
            misused s = misused_of(SOUND);
            const inlay_op *op = inlay_op_at(NULL, i);
            int n_out = op->n_out < 0 ? 1 : op->n_out;
            inlay_node *n = inlay_node_new(s.g, op, "n", op->n_in, with & 2 ? 0 : n_out, s.d);

            for (int k = 0; with & 1 && k < op->n_in; k++)
                assert_true(inlay_node_set_input(n, k, &s.b->out[0], s.d));
            if (with & 4 && n->n_out > 0)
                assert_non_null(inlay_node_set_input(s.g->results[0], 0, &n->out[0], s.d) ? s.g
                                                                                          : NULL);
            if (op->flags & INLAY_HAS_BODY)
                assert_true(inlay_node_set_bodies(n, 1 + (with & 1), s.d));
            use(s.g);
            misused_free(&s);
        }
    }
}

/* A body is there, but nothing says what enters and leaves it. */
static void test_unfinished_bodies(void **state)
{
    static const char *const types[] = {"If", "Loop", "TensorIterator"};

    for (int i = 0; i < 3; i++) {
        misused s = misused_of(SOUND);
        const inlay_op *op = inlay_op_find(NULL, types[i], NULL, NULL, s.d);
        inlay_node *n = inlay_node_new(s.g, op, "n", 1, 1, s.d);

        assert_true(inlay_node_set_input(n, 0, &s.b->out[0], s.d));
        assert_true(inlay_node_set_bodies(n, 2, s.d));
        n->bodies[0].role = i == 0 ? "then_body" : "body";
        n->bodies[0].graph = inlay_graph_new_body(n, "b", s.d);
        use(s.g);
        misused_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks_over_no_graph),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_models_in_memory),
        cmocka_unit_test(test_unfinished_nodes),
        cmocka_unit_test(test_unfinished_bodies),
    };

    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
