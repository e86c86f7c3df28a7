/* Slice and SliceScatter: the documents' examples, every window against an oracle, every message.
 */
#include "ir/shared.h"
#include "op_forms.h"
#include "unit.h"

#include "interp/interp.h"

static void slice_8(const char *const *in, const char *want)
{
    check_forms("Slice", "opset8", NULL, in, RESULTS(want));
}

#define TEN "i32[10] 0 1 2 3 4 5 6 7 8 9"

/* These are the examples of OpenVINO's page, in order. */
static void slice_8_examples(void **state)
{
    slice_8(OPERANDS(TEN, "i64[1] 1", "i64[1] 8", "i64[1] 1", "i64[1] 0"), "i32[7] 1 2 3 4 5 6 7");
    slice_8(OPERANDS(TEN, "i64[1] 1", "i64[1] 8", "i64[1] 1"), "i32[7] 1 2 3 4 5 6 7");
    slice_8(OPERANDS(TEN, "i64[1] 1", "i64[1] 8", "i64[1] 2", "i64[1] 0"), "i32[4] 1 3 5 7");
    slice_8(OPERANDS(TEN, "i64[1] -100", "i64[1] 100", "i64[1] 1", "i64[1] 0"), TEN);
    slice_8(OPERANDS(TEN, "i64[1] 9", "i64[1] -11", "i64[1] -1", "i64[1] 0"),
            "i32[10] 9 8 7 6 5 4 3 2 1 0");
    slice_8(OPERANDS(TEN, "i64[1] 9", "i64[1] 0", "i64[1] -1", "i64[1] 0"),
            "i32[9] 9 8 7 6 5 4 3 2 1");
    slice_8(OPERANDS(TEN, "i64[1] 9", "i64[1] -10", "i64[1] -1", "i64[1] 0"),
            "i32[9] 9 8 7 6 5 4 3 2 1");
    slice_8(OPERANDS(TEN, "i64[1] 9", "i64[1] -11", "i64[1] -2", "i64[1] 0"), "i32[5] 9 7 5 3 1");
    slice_8(OPERANDS(TEN, "i64[1] 100", "i64[1] -100", "i64[1] -1", "i64[1] 0"),
            "i32[10] 9 8 7 6 5 4 3 2 1 0");
    slice_8(OPERANDS("i32[2,5] iota", "i64[2] 0 1", "i64[2] 2 4", "i64[2] 1 2", "i64[2] 0 1"),
            "i32[2,2] 1 3 6 8");
}

/* These are the eight backend examples of ONNX's page, with counted data in place of random
 * numbers. */
static void onnx_slice_examples(void **state)
{
    char *want[3];

    for (int k = 0; k < 3; k++) {
        inlay_strbuf b = {0};

        if (k == 0) { /* x[0:3, 0:10]: the first 150 */
            inlay_strbuf_puts(&b, "f32[3,10,5]");
            for (int i = 0; i < 150; i++)
                inlay_strbuf_printf(&b, " %d", i);
        } else if (k == 1) { /* x[:, 0:-1] */
            inlay_strbuf_puts(&b, "f32[20,9,5]");
            for (int i = 0; i < 1000; i++) {
                if (i % 50 < 45)
                    inlay_strbuf_printf(&b, " %d", i);
            }
        } else { /* x[:, :, 3:4] */
            inlay_strbuf_puts(&b, "f32[20,10,1]");
            for (int i = 3; i < 1000; i += 5)
                inlay_strbuf_printf(&b, " %d", i);
        }
        want[k] = b.bytes;
    }
    for (int v = 10; v <= 13; v++) {
        char set[8];

        snprintf(set, sizeof set, "onnx%d", v);
        check_forms(
            "Slice", set, NULL,
            OPERANDS("f32[20,10,5] iota", "i64[2] 0 0", "i64[2] 3 10", "i64[2] 0 1", "i64[2] 1 1"),
            RESULTS(want[0]));
        check_forms("Slice", set, NULL,
                    OPERANDS("f32[20,10,5] iota", "i64[1] 0", "i64[1] -1", "i64[1] 1", "i64[1] 1"),
                    RESULTS(want[1]));
        check_forms(
            "Slice", set, NULL,
            OPERANDS("f32[20,10,5] iota", "i64[1] 1000", "i64[1] 1000", "i64[1] 1", "i64[1] 1"),
            RESULTS("f32[20,0,5]"));
        check_forms("Slice", set, NULL,
                    OPERANDS("f32[20,10,5] iota", "i64[3] 0 0 3", "i64[3] 20 10 4"),
                    RESULTS(want[2]));
        check_forms("Slice", set, NULL,
                    OPERANDS("f32[20,10,5] iota", "i64[3] 0 0 3", "i64[3] 20 10 4", "i64[3] 0 1 2"),
                    RESULTS(want[2]));
        check_forms(
            "Slice", set, NULL,
            OPERANDS("f32[20,10,5] iota", "i64[3] 0 0 3", "i64[3] 20 10 4", "i64[3] 0 -2 -1"),
            RESULTS(want[2]));
        check_forms("Slice", set, NULL,
                    OPERANDS("i32[2,4] 1 2 3 4 5 6 7 8", "i64[2] 1 0", "i64[2] 2 3", "i64[2] 0 1",
                             "i64[2] 1 2"),
                    RESULTS("i32[1,2] 5 7"));
        check_forms("Slice", set, NULL,
                    OPERANDS("i32[2,4] 1 2 3 4 5 6 7 8", "i32[2] 0 1", "i32[2] -1 1000"),
                    RESULTS("i32[1,3] 2 3 4"));
    }
    for (int k = 0; k < 3; k++)
        free(want[k]);
}

static void onnx_slice_1_examples(void **state)
{
    const char *const data[] = {"i32[2,4] 1 2 3 4 5 6 7 8", operands_end};

    check_forms("Slice", "onnx1", "axes=0,1;starts=1,0;ends=2,3", data, RESULTS("i32[1,3] 5 6 7"));
    check_forms("Slice", "onnx9", "starts=0,1;ends=-1,1000", data, RESULTS("i32[1,3] 2 3 4"));
    check_forms("Slice", "onnx1", "axes=-1;starts=2;ends=4", data, RESULTS("i32[2,2] 3 4 7 8"));
    check_forms("Slice", "onnx1", "starts=0,0;ends=1", data,
                RESULTS("error: starts has 2 elements, ends has 1"));
    check_forms("Slice", "onnx1", "starts=0,0;ends=1,1;axes=0", data,
                RESULTS("error: starts has 2 elements, axes has 1"));
    check_forms("Slice", "onnx1", "starts=0;ends=1;axes=2", data,
                RESULTS("error: axes[0] is 2, it must be in [-2, 1]"));
    check_forms("Slice", "onnx1", "starts=0,0,0;ends=1,1,1", data,
                RESULTS("error: 3 entries to slice, data has 2 dimensions"));
}

/* These are windows where ONNX's text and Python differ, where programs invent meanings, and at the
 * ends of the range. */
static void clamping(void **state)
{
    const char *const x = "i32[5] 0 1 2 3 4";

    slice_8(OPERANDS(x, "i64[1] -6", "i64[1] -9223372036854775808", "i64[1] -1"), "i32[1] 0");
    slice_8(OPERANDS(x, "i64[1] 4", "i64[1] 2147483647", "i64[1] -1"), "i32[0]");
    slice_8(OPERANDS(x, "i64[1] -1", "i64[1] -9223372036854775808", "i64[1] -9223372036854775808"),
            "i32[1] 4");
    slice_8(OPERANDS(x, "i64[1] 0", "i64[1] 9223372036854775807", "i64[1] 9223372036854775807"),
            "i32[1] 0");
    slice_8(OPERANDS(x, "u64[1] 1", "u64[1] 18446744073709551615", "u64[1] 1"), "i32[4] 1 2 3 4");
    slice_8(OPERANDS("i32[0]", "i64[1] -1", "i64[1] -9223372036854775808", "i64[1] -1"), "i32[0]");
    slice_8(OPERANDS(x, "i64[0]", "i64[0]", "i64[0]"), x);
}

static void every_kind_of_element_moves(void **state)
{
    slice_8(OPERANDS("u1[11] 1 0 1 1 0 0 1 0 1 1 1", "i64[1] 3", "i64[1] 11", "i64[1] 2"),
            "u1[4] 1 0 0 1");
    slice_8(OPERANDS("i4[5] 1 -2 3 -4 5", "i64[1] 1", "i64[1] 4", "i64[1] 1"), "i4[3] -2 3 -4");
    slice_8(OPERANDS("string[3] a bc def", "i64[1] 2", "i64[1] -4", "i64[1] -2"),
            "string[2] def a");
    slice_8(OPERANDS("bf16[3] 1 2.5 nan", "i64[1] 1", "i64[1] 9", "i64[1] 1"), "bf16[2] 2.5 nan");
    slice_8(OPERANDS("boolean[3] 0 1 0", "i64[1] 1", "i64[1] 9", "i64[1] 1"), "boolean[2] 1 0");
    check_forms(
        "SliceScatter", "opset15", NULL,
        OPERANDS("u1[11] 1 0 1 1 0 0 1 0 1 1 1", "u1[3] 0 1 0", "i64[1] 1", "i64[1] 8", "i64[1] 3"),
        RESULTS("u1[11] 1 0 1 1 1 0 1 0 1 1 1"));
    check_forms("SliceScatter", "opset15", NULL,
                OPERANDS("i4[5] 1 -2 3 -4 5", "i4[3] -8 0 7", "i64[1] 1", "i64[1] 4", "i64[1] 1"),
                RESULTS("i4[5] 1 -8 0 7 5"));
    check_forms("SliceScatter", "opset15", NULL,
                OPERANDS("boolean[3] 0 1 0", "boolean[1] 1", "i64[1] 0", "i64[1] 1", "i64[1] 1"),
                RESULTS("boolean[3] 1 1 0"));
}

static void slice_scatter_examples(void **state)
{
    const char *const data = "f32[2,5] iota";

    check_forms(
        "SliceScatter", "opset15", NULL,
        OPERANDS(data, "f32[1,5] 10 20 30 40 50", "i32[1] 0", "i32[1] 1", "i32[1] 1", "i32[1] 0"),
        RESULTS("f32[2,5] 10 20 30 40 50 5 6 7 8 9"));
    check_forms("SliceScatter", "opset15", NULL,
                OPERANDS(data, "f32[2,3] 10 20 30 40 50 60", "i32[1] -25", "i32[1] 25", "i32[1] 2",
                         "i32[1] 1"),
                RESULTS("f32[2,5] 10 1 20 3 30 40 6 50 8 60"));
    check_forms(
        "SliceScatter", "opset15", NULL,
        OPERANDS("f32[3,5] iota", "f32[2,2] 50 60 70 80", "i32[2] 0 1", "i32[2] 3 5", "i32[2] 2 2"),
        RESULTS("f32[3,5] 0 50 2 60 4 5 6 7 8 9 10 70 12 80 14"));
    check_forms("SliceScatter", "opset15", NULL,
                OPERANDS(data, "f32[2,0]", "i32[1] 3", "i32[1] 3", "i32[1] 1", "i32[1] 1"),
                RESULTS(data));
    check_forms("SliceScatter", "opset15", NULL,
                OPERANDS(data, "f32[2,5] 4 3 2 1 0 9 8 7 6 5", "i32[1] -1", "i32[1] -6",
                         "i32[1] -1", "i32[1] -1"),
                RESULTS(data));
}

static void slice_messages(void **state)
{
    const char *const x = "f32[2,5] iota", *const one = "i64[1] 1", *const two = "i64[2] 1 1";

#define REFUSED(text, ...)                                                                         \
    check_forms("Slice", "opset8", NULL, OPERANDS(__VA_ARGS__), RESULTS("error: " text))
    REFUSED("step[0] is 0, it must not be zero", x, one, one, "i64[1] 0");
    REFUSED("axes[1] is -2: axis 0 is repeated", x, two, two, two, "i64[2] 0 -2");
    REFUSED("axes[0] is 2, it must be in [-2, 1]", x, one, one, one, "i64[1] 2");
    REFUSED("axes[0] is -3, it must be in [-2, 1]", x, one, one, one, "i64[1] -3");
    REFUSED("3 entries to slice, data has 2 dimensions", x, "i64[3] 1 1 1", "i64[3] 1 1 1",
            "i64[3] 1 1 1");
    REFUSED("input 2 \"stop\" has shape [2]: axis 0 is 2, it must be 1", x, one, two, one);
    REFUSED("input 3 \"step\" has shape [2]: axis 0 is 2, it must be 1", x, one, one, two);
    REFUSED("input 4 \"axes\" has shape [1]: axis 0 is 1, it must be 2", x, two, two, two, one);
    REFUSED("input 1 \"start\" has shape [], it must have rank 1", x, "i64[] 1", one, one);
    REFUSED("input 0 \"data\" has shape [], it must have rank 1 or more", "f32[] 1", one, one, one);
#undef REFUSED
    check_forms("Slice", "onnx13", NULL, OPERANDS(x, one, one, "i64[1] 7"),
                RESULTS("error: axes[0] is 7, it must be in [-2, 1]"));
    check_forms("Slice", "onnx13", NULL, OPERANDS(x, one, one, "i64[1] 1", "i64[1] 0"),
                RESULTS("error: steps[0] is 0, it must not be zero"));
    check_forms("Slice", "onnx10", NULL, OPERANDS(x, one, one, "i64[1] 1", "i64[1] 0"),
                RESULTS("error: steps[0] is 0, it must not be zero"));
    check_rule("Slice", "onnx11", NULL, OPERANDS("bf16[2]", one, one), "error: input 0 \"data\"");
    check_rule("Slice", "onnx13", NULL, OPERANDS(x, "i16[1] 1", "i16[1] 1"),
               "error: input 1 \"starts\"");
}

static void slice_scatter_messages(void **state)
{
    const char *const x = "f32[2,5] iota", *const u = "f32[1,5] 1 2 3 4 5";
    const char *const zero = "i64[1] 0", *const one = "i64[1] 1", *const two = "i64[2] 0 0";

#define REFUSED(text, ...)                                                                         \
    check_forms("SliceScatter", "opset15", NULL, OPERANDS(__VA_ARGS__), RESULTS("error: " text))
    REFUSED("step[0] is 0, it must not be zero", x, u, zero, one, zero);
    REFUSED("axes[1] is -2: axis 0 is repeated", x, u, two, two, "i64[2] 1 1", "i64[2] 0 -2");
    REFUSED("axes[0] is -3, it must be in [-2, 1]", x, u, zero, one, one, "i64[1] -3");
    REFUSED("input 3 \"stop\" has shape [2]: axis 0 is 2, it must be 1", x, u, zero, two, one);
    REFUSED("input 1 \"updates\" has shape [5], it must have rank 2", x, "f32[5] 1 2 3 4 5", zero,
            one, one);
    REFUSED("input 0 \"data\" has shape [], it must have rank 1 or more", "f32[] 1", "f32[] 1",
            zero, one, one);
    REFUSED("axis 0", x, "f32[2,5] iota", zero, one, one); /* too long */
    REFUSED("axis 1", x, "f32[1,1] 3", zero, one, one);    /* nothing broadcasts */
    REFUSED("axis 0", x, "f32[0,5]", zero, one, one);
#undef REFUSED
    check_rule("SliceScatter", "opset15", NULL, OPERANDS("f32[2,5]", "i32[1,5]", zero, one, one),
               "error: input 1 \"updates\"");
    check_rule("SliceScatter", "opset15", NULL,
               OPERANDS("f32[2,5]", "f32[1,5]", "f32[1]", "f32[1]", one),
               "error: input 2 \"start\"");
    check_rule("SliceScatter", "opset15", NULL, OPERANDS("f32[2,5]", "f32[1,4]", zero, one, one),
               "error: input 1 \"updates\" has shape [1,4]: axis 1 is 4, it must be 5");
    check_rule("SliceScatter", "opset14", NULL, OPERANDS("f32[2]", "f32[1]", zero, one, one),
               "error: ");
}

/* Slice(SliceScatter(x, u, W), W) = u, and SliceScatter(x, Slice(x, W), W) = x, for every W. */
static void what_is_written_is_read(void **state)
{
    static const int64_t marks[] = {-6, -5, -4, -1, 0, 1, 4, 5, 6, INT64_MAX, INT64_MIN};
    static const int64_t steps[] = {1, -1, 2, -2, 5, -6, INT64_MAX, INT64_MIN};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("test", d);
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_shape any = {.rank = -1};
    inlay_value *v[5] = {inlay_build_parameter(g, "x", INLAY_I32, &any, d),
                         inlay_build_parameter(g, "u", INLAY_I32, &any, d)};
    inlay_tensor *x = forms_tensor("i32[5] 0 1 2 3 4");
    inlay_node *slice, *scatter;

    for (int i = 2; i < 5; i++)
        v[i] = inlay_build_parameter(g, NULL, INLAY_I64, &any, d);
    scatter = inlay_build(g, "scatter", "SliceScatter@opset15", v, 5, NULL, d);
    v[1] = v[0];
    slice = inlay_build(g, "slice", "Slice@opset8", v + 1, 4, NULL, d);
    assert_true(slice && scatter);
    for (size_t i = 0; i < 11 * 11 * 8; i++) {
        int64_t one = 1, bounds[3] = {marks[i / 88], marks[i / 8 % 11], steps[i % 8]}, at;
        inlay_window w = inlay_window_normalise(bounds[0], bounds[1], bounds[2], 5);
        inlay_tensor *in[5] = {x, inlay_tensor_new(INLAY_I32, 1, &w.count)}, *a, *b, *c;

        for (int k = 0; k < 3; k++) {
            in[2 + k] = inlay_tensor_new(INLAY_I64, 1, &one);
            inlay_tensor_set_i64(in[2 + k], 0, bounds[k]);
        }
        for (int64_t k = 0; k < w.count; k++)
            inlay_tensor_set_i64(in[1], k, 10 + k);
        assert_true(e.eval_node(e.ctx, scatter, (const inlay_tensor *const *)in, &a, d));
        for (int64_t k = 0; k < 5; k++) { /* the oracle: is k in the window, and where? */
            at = -1;
            for (int64_t m = 0; m < w.count; m++) {
                if (k == (m == 0 ? w.begin : w.begin + m * w.step))
                    at = m;
            }
            assert_int_equal(inlay_tensor_get_i64(a, k), at < 0 ? k : 10 + at);
        }
        assert_true(e.eval_node(e.ctx, slice, (const inlay_tensor *const[]){a, in[2], in[3], in[4]},
                                &b, d));
        assert_true(inlay_tensor_equal(b, in[1]));
        inlay_tensor_release(b);
        assert_true(e.eval_node(e.ctx, slice, (const inlay_tensor *const[]){x, in[2], in[3], in[4]},
                                &b, d));
        assert_true(e.eval_node(e.ctx, scatter,
                                (const inlay_tensor *const[]){x, b, in[2], in[3], in[4]}, &c, d));
        assert_true(inlay_tensor_equal(c, x));
        for (int k = 1; k < 5; k++)
            inlay_tensor_release(in[k]);
        inlay_tensor_release(a);
        inlay_tensor_release(b);
        inlay_tensor_release(c);
    }
    inlay_tensor_release(x);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void shapes_in_the_dark(void **state)
{
    const char *const zero = "i64[1] 0", *const max = "i64[1] 9223372036854775807";

#define SLICE(want, ...) check_rule("Slice", "opset8", NULL, OPERANDS(__VA_ARGS__), want)
    SLICE("f32[...]", "f32[...]", zero, max, "i64[1] 1");
    SLICE("f32[?a,3]", "f32[?a,3]", zero, max, "i64[1] 1");
    SLICE("f32[?a,3]", "f32[?a,3]", "i64[1] -1", "i64[1] -9223372036854775808", "i64[1] -1");
    SLICE("f32[..4,3]", "f32[?a,3]", zero, "i64[1] 4", "i64[1] 1");
    SLICE("f32[2..8,3]", "f32[4..16a,3]", zero, max, "i64[1] 2");
    SLICE("f32[..2,3]", "f32[?,3]", "i64[1] -3", "i64[1] 2", "i64[1] 1");
    SLICE("f32[..8,3]", "f32[8,3]", "i64[1]", max, "i64[1] 1", zero);
    SLICE("f32[..4,3]", "f32[8,3]", "i64[1]", max, "i64[1] -2", zero);
    SLICE("f32[..8,..3]", "f32[8,3]", zero, max, "i64[1] 1", "i64[1]");
    SLICE("f32[..8,..3]", "f32[8,3]", "i64[?]", "i64[?]", "i64[?]");
    SLICE("i64[2]={3,4}", "i64[5] 1 2 3 4 5", "i64[1] 2", "i64[1] 4", "i64[1] 1");
    SLICE("error: step[0] is 0", "f32[...]", zero, max, "i64[1] 0");
#undef SLICE
#define SCATTER(want, ...) check_rule("SliceScatter", "opset15", NULL, OPERANDS(__VA_ARGS__), want)
    SCATTER("f32[?a,3]", "f32[?a,3]", "f32[?,3]", "i64[1]", "i64[1]", "i64[1]", "i64[1]");
    SCATTER("f32[...]", "f32[...]", "f32[?,3]", "i64[1]", "i64[1]", "i64[1]", "i64[1]");
    SCATTER("error: input 1 \"updates\" has shape [?,4]: axis 1 is 4, it must be 3", "f32[?a,3]",
            "f32[?,4]", zero, max, "i64[1] 1");
#undef SCATTER
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slice_8_examples),
        cmocka_unit_test(onnx_slice_examples),
        cmocka_unit_test(onnx_slice_1_examples),
        cmocka_unit_test(clamping),
        cmocka_unit_test(every_kind_of_element_moves),
        cmocka_unit_test(slice_scatter_examples),
        cmocka_unit_test(slice_messages),
        cmocka_unit_test(slice_scatter_messages),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(shapes_in_the_dark),
    };

    return cmocka_run_group_tests_name("slice", tests, NULL, NULL);
}
