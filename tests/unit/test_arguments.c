/* Each public function is handed what it cannot use: nothing, numbers out of range, types and
 * shapes that cannot be, graphs that are not finished. It says so, or does nothing; it never reads
 * beyond. test_arguments.sh holds the list of functions against this file. */
#include "front/front.h"
#include "generate/generate.h"
#include "inlay_ops.h"
#include "ir/shared.h"
#include "models.h"
#include "parser/parser.h"
#include "passes/passes.h"
#include "tests/unit/graphs.h"
#include "texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SOUND "%x = Parameter-1 {element_type = f32, shape = [2]}\n%b = ReLU(%x)\n%r = Result(%b)\n"

/* A sound graph to misuse functions on. */
typedef struct subject {
    inlay_graph *g;
    inlay_node *x, *b;
    inlay_diags *d;
} subject;

static subject subject_of(const char *body)
{
    subject s = {.g = graph_of(body), .d = inlay_diags_new()};

    s.x = inlay_graph_node(s.g, "x");
    s.b = inlay_graph_node(s.g, "b");
    return s;
}

static void subject_free(subject *s)
{
    inlay_graph_free(s->g);
    inlay_diags_free(s->d);
}

/* Expects that a call failed and said SAID, and nothing else. */
static void expect(const subject *s, const char *said)
{
    assert_string_equal(model_messages(s->d), said);
    assert_int_equal(inlay_diags_status(s->d), INLAY_INVALID);
    inlay_diags_clear(s->d);
}

/* Expects that a function that returns a pointer or a bool refuses its arguments. */
#define REFUSED(call, said)                                                                        \
    do {                                                                                           \
        if (call)                                                                                  \
            fail_msg("%s went well", #call);                                                       \
        expect(&s, said);                                                                          \
    } while (0)

/* Expects that a function without a message refuses its arguments. */
#define REFUSED_QUIETLY(call)                                                                      \
    do {                                                                                           \
        if (call)                                                                                  \
            fail_msg("%s went well", #call);                                                       \
    } while (0)

static const char no_graph[] = "error: no graph is given";
static const char no_node[] = "error: no node is given";
static const char no_value[] = "error: no value is given";
static const char no_tensor[] = "error: no tensor is given";
static const char no_name[] = "error: no name of an attribute is given";

static void test_diags(void **state)
{
    inlay_diags *d = inlay_diags_new();

    (void)state;
    inlay_diags_clear(NULL);
    inlay_diags_free(NULL);
    assert_int_equal(inlay_diags_count(NULL), 0);
    REFUSED_QUIETLY(inlay_diags_at(NULL, 0));
    REFUSED_QUIETLY(inlay_diags_at(d, 0));
    REFUSED_QUIETLY(inlay_diags_error(NULL));
    assert_int_equal(inlay_diags_status(NULL), INLAY_OK);
    REFUSED_QUIETLY(inlay_fail(NULL, NULL, "x"));
    REFUSED_QUIETLY(inlay_fail_resource(NULL, NULL, "x"));
    REFUSED_QUIETLY(inlay_fail_memory(NULL));
    inlay_warn(NULL, NULL, "x");
    inlay_warn_node(d, NULL, "x");
    inlay_note_node(d, NULL, "x");
    REFUSED_QUIETLY(inlay_fail_node(d, NULL, "x"));
    REFUSED_QUIETLY(inlay_fail_resource_node(d, NULL, "x"));
    assert_string_equal(model_messages(d), "warning: x\nnote: x\nerror: x\nerror: x");
    REFUSED_QUIETLY(inlay_diags_at(d, 4));
    inlay_diags_free(d);
}

static void test_arena(void **state)
{
    inlay_arena *a = inlay_arena_new();

    (void)state;
    inlay_arena_free(NULL);
    inlay_arena_clear(NULL);
    assert_int_equal(inlay_arena_bytes(NULL), 0);
    REFUSED_QUIETLY(inlay_arena_alloc(NULL, 8));
    REFUSED_QUIETLY(inlay_arena_alloc(a, SIZE_MAX));
    REFUSED_QUIETLY(inlay_arena_array(NULL, 1, 1));
    REFUSED_QUIETLY(inlay_arena_array(a, SIZE_MAX / 2, 4));
    REFUSED_QUIETLY(inlay_arena_strdup(a, NULL));
    REFUSED_QUIETLY(inlay_arena_strdup(NULL, "x"));
    REFUSED_QUIETLY(inlay_arena_strndup(a, NULL, 3));
    REFUSED_QUIETLY(inlay_arena_strndup(a, "x", SIZE_MAX));
    REFUSED_QUIETLY(inlay_arena_printf(NULL, "x"));
    inlay_arena_free(a);
}

static void test_types_and_dims(void **state)
{
    const inlay_dim turned = {5, 2, 0}, below = {INT64_MIN, INT64_MAX, 0}, top = {INT64_MAX, 1, 3};
    const inlay_dim list[] = {turned, below, top, {0, 0, 0}, {-1, -1, 0}};
    inlay_shape wide = {.rank = 77};
    const char *why = NULL;
    inlay_type type;
    inlay_dim dim;
    char buf[64];

    (void)state;
    assert_ptr_equal(inlay_type_info_of((inlay_type)9999), inlay_type_info_of(INLAY_DYNAMIC));
    assert_ptr_equal(inlay_type_info_of((inlay_type)-1), inlay_type_info_of(INLAY_DYNAMIC));
    REFUSED_QUIETLY(inlay_type_by_name(NULL, &type));
    REFUSED_QUIETLY(inlay_type_by_xml(NULL, &type));
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
            inlay_dim_proven_equal(list[i], list[k]);
            inlay_dim_compatible(list[i], list[k]);
            inlay_dim_merge(list[i], list[k], &dim);
            inlay_dim_union(list[i], list[k]);
            inlay_dim_add(list[i], list[k]);
            inlay_dim_sub(list[i], list[k]);
            inlay_dim_mul(list[i], list[k]);
            inlay_dim_min(list[i], list[k]);
            inlay_dim_max(list[i], list[k]);
        }
        for (int by = -1; by < 2; by++) {
            inlay_dim_div_floor(list[i], by);
            inlay_dim_div_ceil(list[i], by);
        }
        inlay_dim_div_floor(list[i], INT64_MIN);
        inlay_dim_div_ceil(list[i], INT64_MIN);
        inlay_dim_text(list[i], buf, sizeof buf);
        inlay_dim_text(list[i], buf, 0);
    }
    REFUSED_QUIETLY(inlay_shape_is_static(&wide));
    inlay_shape_of_rank(&wide, 77);
    assert_int_equal(wide.rank, -1);
    inlay_shape_of_rank(&wide, -7);
    assert_int_equal(wide.rank, -1);
    assert_string_equal(inlay_shape_text(1, list, buf, 3), "[5");
    assert_string_equal(inlay_shape_text(-7, NULL, buf, sizeof buf), "...");
    REFUSED_QUIETLY(inlay_shape_parse(NULL, &wide, &why));
    assert_string_equal(why, "there is no text");
    REFUSED_QUIETLY(inlay_dim_parse("", 0, &dim, &why));
}

static void test_slices(void **state)
{
    const int64_t one[] = {1}, zero[] = {0};
    inlay_slice slice = {.n = 1, .start = one, .stop = one, .step = zero, .step_name = "step"};
    inlay_strided_entry entry[1];
    inlay_window w[1];
    char why[100];
    int axis[1];

    (void)state;
    assert_int_equal(inlay_window_normalise(0, 5, 0, 5).count, 0);
    assert_int_equal(inlay_window_normalise(0, 5, 1, -5).count, 0);
    assert_int_equal(inlay_window_normalise(INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX).count, 0);
    assert_int_equal(inlay_window_length(0, 5, 0, inlay_dim_any()).hi, 0);
    REFUSED_QUIETLY(inlay_slice_axes(&slice, 1, axis, why, sizeof why));
    assert_string_equal(why, "step[0] is 0, it must not be zero");
    REFUSED_QUIETLY(inlay_slice_axes(&slice, 77, axis, why, sizeof why));
    assert_string_equal(why, "1 entry to slice of 77 dimensions");
    slice.n = -1;
    REFUSED_QUIETLY(inlay_slice_windows(&slice, 1, one, w, why, sizeof why));
    assert_string_equal(why, "-1 entries to slice of 1 dimension");
    REFUSED_QUIETLY(inlay_strided_entries(NULL, 1, 1, entry, why, sizeof why));
    assert_string_equal(why, "no node is given");
}

static void test_buffers(void **state)
{
    inlay_buffer *b = inlay_buffer_new(8);

    (void)state;
    REFUSED_QUIETLY(inlay_buffer_new(SIZE_MAX));
    inlay_buffer_release(inlay_buffer_wrap(NULL, 0, NULL, NULL));
    REFUSED_QUIETLY(inlay_buffer_retain(NULL));
    inlay_buffer_release(NULL);
    assert_int_equal(inlay_buffer_access(NULL), INLAY_ACCESS_NONE);
    inlay_buffer_set_access(NULL, INLAY_ACCESS_OWN);
    REFUSED_QUIETLY(inlay_buffer_data(NULL));
    assert_int_equal(inlay_buffer_size(NULL), 0);
    REFUSED_QUIETLY(inlay_buffer_keep(NULL, b));
    assert_true(inlay_buffer_keep(b, NULL));
    inlay_buffer_release(b);
}

static void test_tensors_without_a_form(void **state)
{
    const int64_t many[INLAY_MAX_RANK + 1] = {0}, negative[] = {-1}, two[] = {2};
    inlay_tensor *t;
    size_t bytes;

    (void)state;
    REFUSED_QUIETLY(inlay_count_elements(-1, two, NULL));
    REFUSED_QUIETLY(inlay_count_elements(1, NULL, NULL));
    REFUSED_QUIETLY(inlay_count_elements(1, negative, NULL));
    REFUSED_QUIETLY(inlay_count_bytes(INLAY_F32, 1, NULL, &bytes));
    REFUSED_QUIETLY(inlay_tensor_new(INLAY_F32, INLAY_MAX_RANK + 1, many));
    REFUSED_QUIETLY(inlay_tensor_new(INLAY_F32, -1, two));
    REFUSED_QUIETLY(inlay_tensor_new(INLAY_F32, 1, NULL));
    REFUSED_QUIETLY(inlay_tensor_new((inlay_type)9999, 1, two));
    REFUSED_QUIETLY(inlay_tensor_retain(NULL));
    inlay_tensor_release(NULL);
    REFUSED_QUIETLY(inlay_tensor_is_sole(NULL));
    assert_int_equal(inlay_tensor_count(NULL), 0);
    assert_int_equal(inlay_tensor_bytes(NULL), 0);
    REFUSED_QUIETLY(inlay_tensor_is_dense(NULL));
    REFUSED_QUIETLY(inlay_tensor_copy(NULL));
    REFUSED_QUIETLY(inlay_tensor_set_string(NULL, 0, "x", 1));
    t = inlay_tensor_new(INLAY_STRING, 1, two);
    REFUSED_QUIETLY(inlay_tensor_set_string(t, 2, "x", 1));
    REFUSED_QUIETLY(inlay_tensor_set_string(t, -1, "x", 1));
    REFUSED_QUIETLY(inlay_tensor_set_string(t, 0, NULL, 1));
    inlay_tensor_release(t);
}

/* Tries every window of a tensor of six elements: a window is accepted when all its elements are
 * among them. */
static void check_windows(inlay_type type, const char *text)
{
    inlay_tensor *t = tensor_of(text);
    int taken = 0;

    assert_int_equal(t->type, type);
    for (int64_t n = 0; n < 8; n++) {
        for (int64_t step = -3; step < 4; step++) {
            for (int64_t at = -3; at < 9; at++) {
                int64_t last = at + (n - 1) * step;
                bool inside = n == 0 || (at >= 0 && at < 6 && last >= 0 && last < 6);
                inlay_tensor *w = inlay_tensor_window(t, 1, &n, &step, at);

                if (inside != (w != NULL))
                    fail_msg("%s: %lld elements from %lld by %lld", text, (long long)n,
                             (long long)at, (long long)step);
                taken += w != NULL;
                inlay_tensor_release(w);
            }
        }
    }
    assert_true(taken > 84);
    inlay_tensor_release(t);
}

static void test_windows_on_tensors(void **state)
{
    inlay_tensor *t = tensor_of("f32[2,3] 1 2 3 4 5 6"), *w;
    const int64_t two[] = {2, 2}, huge[] = {INT64_MAX / 2, 1}, one[] = {1, 1};

    (void)state;
    check_windows(INLAY_F32, "f32[6] 1 2 3 4 5 6");
    check_windows(INLAY_F64, "f64[2,3] 1 2 3 4 5 6");
    REFUSED_QUIETLY(inlay_tensor_window(NULL, 0, NULL, NULL, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 1, two, NULL, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 1, NULL, one, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, INLAY_MAX_RANK + 1, two, one, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 2, two, huge, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 2, huge, huge, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 0, NULL, NULL, INT64_MAX));
    REFUSED_QUIETLY(inlay_tensor_window(t, 0, NULL, NULL, INT64_MIN));
    w = inlay_tensor_window(t, 0, NULL, NULL, 5);
    REFUSED_QUIETLY(inlay_tensor_window(w, 0, NULL, NULL, 1));
    inlay_tensor_release(inlay_tensor_window(w, 2, two, (int64_t[]){-3, -1}, 0));
    inlay_tensor_release(w);
    inlay_tensor_release(t);
}

/* Elements may be smaller than a byte: a buffer of one byte holds two of these. */
static void test_windows_on_packed_tensors(void **state)
{
    const int64_t one[] = {1}, two[] = {2}, three[] = {3}, back[] = {-1};
    inlay_tensor *t = tensor_of("u4[2] 1 2"), *w;

    (void)state;
    REFUSED_QUIETLY(inlay_tensor_window(t, 1, two, one, 1));
    REFUSED_QUIETLY(inlay_tensor_window(t, 1, three, one, 0));
    REFUSED_QUIETLY(inlay_tensor_window(t, 1, two, back, 0));
    w = inlay_tensor_window(t, 1, two, back, 1);
    assert_non_null(w);
    assert_int_equal(inlay_tensor_get_i64(w, 1), 1);
    inlay_tensor_release(w);
    inlay_tensor_release(t);
}

static void test_tensors_over_buffers(void **state)
{
    inlay_buffer *b = inlay_buffer_new(8);
    unsigned char *data = inlay_buffer_data(b);
    const int64_t two[] = {2}, three[] = {3}, none[] = {0};
    inlay_tensor *t = inlay_tensor_over(b, data, INLAY_F32, 1, two);

    (void)state;
    assert_non_null(t);
    inlay_tensor_release(t);
    t = inlay_tensor_over(b, data + 8, INLAY_F32, 1, none);
    assert_non_null(t);
    inlay_tensor_release(t);
    REFUSED_QUIETLY(inlay_tensor_over(b, data, INLAY_F32, 1, three));
    REFUSED_QUIETLY(inlay_tensor_over(b, data + 4, INLAY_F32, 1, two));
    REFUSED_QUIETLY(inlay_tensor_over(b, data - 1, INLAY_U8, 1, two));
    REFUSED_QUIETLY(inlay_tensor_over(b, NULL, INLAY_U8, 1, two));
    REFUSED_QUIETLY(inlay_tensor_over(b, data, (inlay_type)9999, 1, two));
    inlay_buffer_release(b);
}

static void test_pairs_of_tensors(void **state)
{
    inlay_tensor *t = tensor_of("f32[2] 1 2"), *other = tensor_of("i32[2] 1 2");
    char why[100];

    (void)state;
    REFUSED_QUIETLY(inlay_tensor_assign(t, other));
    REFUSED_QUIETLY(inlay_tensor_assign(NULL, t));
    REFUSED_QUIETLY(inlay_tensor_assign(t, NULL));
    REFUSED_QUIETLY(inlay_tensor_same_place(t, NULL));
    REFUSED_QUIETLY(inlay_tensor_same_place(NULL, NULL));
    REFUSED_QUIETLY(inlay_tensor_equal(t, NULL));
    REFUSED_QUIETLY(inlay_tensor_equal(NULL, t));
    REFUSED_QUIETLY(inlay_tensor_set_string(t, 0, "x", 1));
    REFUSED_QUIETLY(inlay_compare_tensors(t, NULL, NULL, why, sizeof why));
    assert_string_equal(why, "a tensor is missing");
    assert_true(inlay_compare_tensors(t, t, NULL, NULL, 0));
    inlay_tensor_release(t);
    inlay_tensor_release(other);
}

static void test_operations(void **state)
{
    subject s = subject_of(SOUND);
    const inlay_op *rows[1];
    char buf[40];

    (void)state;
    REFUSED_QUIETLY(inlay_op_at(NULL, inlay_op_count(NULL)));
    REFUSED(inlay_op_find(NULL, NULL, NULL, NULL, s.d), "error: no type of an operation is given");
    REFUSED(inlay_op_find(NULL, "Add", "opset0", NULL, s.d),
            "error: operation Add is of unknown version \"opset0\"");
    REFUSED(inlay_op_stand_in(NULL, "a", "b", s.d), "error: no arena is given");
    REFUSED(inlay_op_stand_in(s.g->arena, NULL, "b", s.d),
            "error: no type of an operation is given");
    REFUSED(inlay_op_stand_in(s.g->arena, "a", NULL, s.d),
            "error: no version of an operation is given");
    REFUSED_QUIETLY(inlay_op_of_spec(NULL, NULL, 1));
    REFUSED_QUIETLY(inlay_op_of_spec(NULL, "Add", -1));
    assert_int_equal(inlay_op_of_type(NULL, NULL, rows, 1), 0);
    assert_true(inlay_op_of_type(NULL, "Slice", rows, 1) > 1);
    assert_string_equal(inlay_op_text(NULL, buf, sizeof buf), "no operation");
    assert_int_equal(inlay_op_attr(NULL, "axis"), -1);
    assert_int_equal(inlay_op_attr(s.b->op, NULL), -1);
    assert_int_equal(inlay_op_operand(NULL, INLAY_ROLE_DATA), -1);
    assert_int_equal(inlay_op_operand(s.b->op, INLAY_N_ROLES), -1);
    assert_int_equal(inlay_op_operand(s.b->op, (inlay_role)-1), -1);
    assert_int_equal(inlay_op_role_attr(NULL, INLAY_ROLE_AXIS), -1);
    assert_int_equal(inlay_op_role_attr(s.b->op, INLAY_N_ROLES), -1);
    subject_free(&s);
}

static bool infer_nothing(inlay_infer *cx)
{
    return inlay_infer_fail(cx, "nothing is known");
}

static void test_sets_of_operations(void **state)
{
    inlay_op_def def = {.type = "Mine", .opsets = "mine", .inputs = "T:num x", .outputs = "T"};
    subject s = subject_of(SOUND);
    const inlay_op_set *ops;

    (void)state;
    REFUSED(inlay_op_set_new(NULL, NULL, 1, s.d), "error: no list of operations is given");
    REFUSED(inlay_op_set_new(NULL, &def, 1000000, s.d),
            "error: more than 10000 operations are added");
    REFUSED(inlay_op_set_new(NULL, &def, 1, s.d), "error: operation Mine-0: it has no shape rule");
    def.infer = infer_nothing;
    def.inputs = NULL;
    ops = inlay_op_set_new(NULL, &def, 1, s.d);
    assert_non_null(ops);
    assert_ptr_equal(inlay_op_set_retain(ops), ops);
    inlay_op_set_release(ops);
    inlay_op_set_release(ops);
    assert_null(inlay_op_set_retain(NULL));
    inlay_op_set_release(NULL);
    def.outputs = def.opsets = NULL;
    REFUSED(inlay_op_set_new(NULL, &def, 1, s.d),
            "error: operation Mine-0: opsets: no set is named");
    def.type = NULL;
    REFUSED(inlay_op_set_new(NULL, &def, 1, s.d), "error: operation -0: the operation has no name");
    subject_free(&s);
}

static void test_facts(void **state)
{
    const inlay_fact known = {.type = INLAY_F32, .rank = 0}, wide = {.rank = 77};
    int64_t dims[INLAY_MAX_RANK];
    size_t bytes;

    (void)state;
    REFUSED_QUIETLY(inlay_fact_dims(NULL, dims));
    REFUSED_QUIETLY(inlay_fact_dims(&wide, dims));
    REFUSED_QUIETLY(inlay_fact_bytes(NULL, &bytes));
    REFUSED_QUIETLY(inlay_fact_is_empty(NULL));
    REFUSED_QUIETLY(inlay_fact_same_shape(NULL, &known));
    REFUSED_QUIETLY(inlay_fact_same_shape(&known, NULL));
}

static void test_graphs(void **state)
{
    subject s = subject_of(SOUND);

    (void)state;
    inlay_graph_free(NULL);
    inlay_graph_free(inlay_graph_new(NULL, s.d));
    inlay_graph_free(inlay_graph_new_of(NULL, NULL, s.d));
    REFUSED(inlay_graph_new_body(NULL, "b", s.d), no_node);
    REFUSED(inlay_node_set_bodies(NULL, 1, s.d), no_node);
    REFUSED(inlay_node_set_bodies(s.b, 1, s.d),
            "3: error: node \"b\" (ReLU-1): the operation cannot have 1 body");
    REFUSED(inlay_node_set_bodies(s.b, -1, s.d),
            "3: error: node \"b\" (ReLU-1): the operation cannot have -1 bodies");
    assert_int_equal(inlay_graph_depth(NULL), 0);
    REFUSED(inlay_graph_clone(NULL, s.d), no_graph);
    REFUSED_QUIETLY(inlay_graph_node(NULL, "x"));
    REFUSED_QUIETLY(inlay_graph_node(s.g, NULL));
    inlay_graph_drop_notes(NULL);
    subject_free(&s);
}

static void test_nodes(void **state)
{
    subject s = subject_of(SOUND);

    (void)state;
    REFUSED(inlay_node_new(NULL, s.b->op, "n", 1, 1, s.d), no_graph);
    REFUSED(inlay_node_new(s.g, NULL, "n", 1, 1, s.d), "error: no operation is given");
    REFUSED(inlay_node_new(s.g, s.b->op, "n", -1, 1, s.d),
            "error: a node cannot have -1 inputs and 1 output");
    REFUSED(inlay_node_rename(NULL, "n", s.d), no_node);
    REFUSED(inlay_node_rename(s.b, NULL, s.d), "error: no name is given");
    REFUSED(inlay_node_set_opset(NULL, "opset1", s.d), no_node);
    REFUSED(inlay_node_set_input(NULL, 0, NULL, s.d), no_node);
    REFUSED(inlay_node_set_input(s.b, -1, NULL, s.d),
            "3: error: node \"b\" (ReLU-1): there is no input -1, the node has 1");
    REFUSED_QUIETLY(inlay_node_input(s.b, -1));
    REFUSED(inlay_node_set_n_out(NULL, 1, s.d), no_node);
    REFUSED(inlay_node_drop_input(NULL, 0, s.d), no_node);
    REFUSED(inlay_node_drop_output(NULL, 0, s.d), no_node);
    REFUSED(inlay_node_drop_output(s.b, 7, s.d),
            "3: error: node \"b\" (ReLU-1): there is no output 7, the node has 1");
    REFUSED(inlay_node_set_n_out(s.b, -1, s.d),
            "3: error: node \"b\" (ReLU-1): a node cannot have -1 outputs");
    REFUSED(inlay_node_remove(NULL, s.d), no_node);
    assert_true(inlay_node_remove(s.g->results[0], s.d));
    assert_true(inlay_node_remove(s.b, s.d));
    REFUSED(inlay_node_remove(s.b, s.d),
            "3: error: node \"b\" (ReLU-1): the node is not in its graph any more");
    assert_int_equal(inlay_node_n_out(NULL), -1);
    subject_free(&s);
}

static void test_dim_names(void **state)
{
    subject s = subject_of("%x = Parameter-1 {element_type = f32, shape = [1..4#n]}\n"
                           "%b = ReLU(%x)\n%r = Result(%b)\n");
    char text[40];

    (void)state;
    REFUSED(inlay_graph_carry(NULL, &(inlay_carried){0, 0}, 1, s.d), no_graph);
    REFUSED(inlay_graph_carry(s.g, NULL, 1, s.d), "error: no list of pairs is given");
    REFUSED(inlay_graph_carry(s.g, &(inlay_carried){9, 0}, 1, s.d),
            "error: there is no output 9, or no input 0");
    REFUSED(inlay_graph_named_dim(NULL, "n", s.d), no_graph);
    REFUSED(inlay_graph_named_dim(s.g, NULL, s.d), "error: no name of a dimension is given");
    REFUSED(inlay_graph_named_dim(s.g, "", s.d), "error: the name of a dimension is empty");
    REFUSED(inlay_graph_name_dim(NULL, 1, "n", s.d), no_graph);
    REFUSED(inlay_graph_name_dim(s.g, 1, NULL, s.d), "error: no name of a dimension is given");
    REFUSED(inlay_graph_name_dim(s.g, 1, "", s.d), "error: the name of a dimension is empty");
    REFUSED(inlay_graph_name_dim(s.g, 0, "m", s.d),
            "error: the graph has no identity 0 of a dimension");
    REFUSED(inlay_graph_name_dim(s.g, 99, "m", s.d),
            "error: the graph has no identity 99 of a dimension");
    assert_int_equal(inlay_graph_dim_id(NULL, "n"), 0);
    assert_int_equal(inlay_graph_dim_id(s.g, NULL), 0);
    assert_null(inlay_graph_dim_name(NULL, 1));
    assert_null(inlay_graph_dim_name(s.g, 0));
    assert_null(inlay_value_dim_name(NULL, 0));
    assert_null(inlay_value_dim_name(&s.b->out[0], -1));
    assert_null(inlay_value_dim_name(&s.b->out[0], 1));
    assert_string_equal(inlay_value_shape_text(NULL, text, sizeof text), "...");
    assert_string_equal(inlay_value_shape_text(&s.b->out[0], text, 4), "[1.");
    REFUSED(inlay_graph_set_dim(NULL, "n", 1, s.d), no_graph);
    REFUSED(inlay_graph_set_dim(s.g, NULL, 1, s.d), "error: no name of a dimension is given");
    REFUSED(inlay_graph_set_dim(s.g, "n", -1, s.d), "error: dimension \"n\" cannot be -1");
    REFUSED(inlay_graph_set_dim(s.g, "m", 1, s.d), "error: no input has a dimension called \"m\"");
    subject_free(&s);
}

static void test_values(void **state)
{
    subject s = subject_of(SOUND);
    const char *const names[] = {"a", NULL};
    const inlay_dim turned[] = {{3, 1, 0}}, many[INLAY_MAX_RANK + 1] = {{0, 0, 0}};
    inlay_value *v = &s.b->out[0];

    (void)state;
    REFUSED_QUIETLY(inlay_value_same(v, NULL));
    REFUSED_QUIETLY(inlay_value_is_output(NULL));
    REFUSED(inlay_value_replace(NULL, v, s.d), no_value);
    REFUSED(inlay_value_replace(v, NULL, s.d), "error: no value to replace it is given");
    REFUSED(inlay_value_set_names(NULL, names, 1, s.d), no_value);
    REFUSED(inlay_value_set_names(v, NULL, 1, s.d), "error: no list of names is given");
    REFUSED(inlay_value_set_names(v, names, -1, s.d), "error: a list of -1 names is given");
    REFUSED(inlay_value_set_names(v, names, 2, s.d),
            "error: entry 1 of the list of names is missing");
    REFUSED(inlay_value_add_name(NULL, "n", s.d), no_value);
    REFUSED(inlay_value_add_name(v, NULL, s.d), "error: entry 0 of the list of names is missing");
    REFUSED(inlay_value_add_names(NULL, names, 1, s.d), no_value);
    REFUSED(inlay_value_add_names(v, NULL, 1, s.d), "error: no list of names is given");
    REFUSED(inlay_value_add_names(v, names, -1, s.d), "error: a list of -1 names is given");
    REFUSED(inlay_value_set_fact(NULL, INLAY_F32, 0, NULL, s.d), no_value);
    REFUSED(inlay_value_set_fact(v, INLAY_F32, INLAY_MAX_RANK + 1, many, s.d),
            "3: error: node \"b\" (ReLU-1): a shape has rank 33, it must be in [-1, 32]");
    REFUSED(inlay_value_set_fact(v, INLAY_F32, -2, many, s.d),
            "3: error: node \"b\" (ReLU-1): a shape has rank -2, it must be in [-1, 32]");
    REFUSED(inlay_value_set_fact(v, INLAY_F32, 1, NULL, s.d),
            "3: error: node \"b\" (ReLU-1): a shape of rank 1 has no dimensions");
    REFUSED(inlay_value_set_fact(v, INLAY_F32, 1, turned, s.d),
            "3: error: node \"b\" (ReLU-1): dimension 0 of a shape goes from 3 to 1");
    REFUSED(inlay_value_set_fact(v, (inlay_type)9999, 0, NULL, s.d),
            "3: error: node \"b\" (ReLU-1): there is no element type 9999");
    subject_free(&s);
}

static void test_variables(void **state)
{
    subject s = subject_of(SOUND);
    inlay_variable *v = inlay_graph_variable(s.g, "v", s.d);
    const inlay_dim turned[] = {{3, 1, 0}};
    const inlay_node *inside = NULL;

    (void)state;
    REFUSED(inlay_graph_variable(NULL, "v", s.d), no_graph);
    REFUSED(inlay_graph_variable(s.g, NULL, s.d), "error: no name of a variable is given");
    REFUSED_QUIETLY(inlay_variable_of(NULL, INLAY_OP_ASSIGN));
    inlay_variables_in_bodies(NULL, &inside);
    inlay_variables_in_bodies(s.g, NULL);
    assert_null(inside);
    REFUSED(inlay_variable_set(NULL, v, INLAY_F32, -1, NULL, s.d), no_graph);
    REFUSED(inlay_variable_set(s.g, NULL, INLAY_F32, -1, NULL, s.d), "error: no variable is given");
    REFUSED(inlay_variable_set(s.g, v, (inlay_type)-1, -1, NULL, s.d),
            "error: there is no element type -1");
    REFUSED(inlay_variable_set(s.g, v, INLAY_F32, 50, turned, s.d),
            "error: a shape has rank 50, it must be in [-1, 32]");
    REFUSED(inlay_variable_set(s.g, v, INLAY_F32, 1, turned, s.d),
            "error: dimension 0 of a shape goes from 3 to 1");
    REFUSED(inlay_settle_variables(NULL, s.d), no_graph);
    subject_free(&s);
}

static void test_setters_without_a_node(void **state)
{
    subject s = subject_of(SOUND);
    const inlay_attr attr = {.set = true};

    (void)state;
    REFUSED(inlay_node_set_bool(NULL, "a", true, s.d), no_node);
    REFUSED(inlay_node_set_int(s.b, NULL, 1, s.d), no_name);
    REFUSED(inlay_node_set_float(NULL, "a", 1, s.d), no_node);
    REFUSED(inlay_node_set_number(s.b, NULL, true, 1, 1, s.d), no_name);
    REFUSED(inlay_node_set_string(NULL, "a", "b", s.d), no_node);
    REFUSED(inlay_node_set_string(s.b, NULL, "b", s.d), no_name);
    REFUSED(inlay_node_set_type(NULL, "a", INLAY_F32, s.d), no_node);
    REFUSED(inlay_node_set_ints(NULL, "a", NULL, 0, s.d), no_node);
    REFUSED(inlay_node_set_floats(NULL, "a", NULL, 0, s.d), no_node);
    REFUSED(inlay_node_set_strings(NULL, "a", NULL, 0, s.d), no_node);
    REFUSED(inlay_node_set_types(NULL, "a", NULL, 0, s.d), no_node);
    REFUSED(inlay_node_set_shape(NULL, "a", NULL, s.d), no_node);
    REFUSED(inlay_node_set_tensor(NULL, "a", NULL, s.d), no_node);
    REFUSED(inlay_node_set_attr(NULL, "a", &attr, s.d), no_node);
    REFUSED(inlay_node_set_attr(s.b, NULL, &attr, s.d), no_name);
    REFUSED(inlay_node_set_attr(s.b, "a", NULL, s.d), "error: no attribute is given");
    REFUSED(inlay_node_set_attr_text(NULL, 0, "a", s.d), no_node);
    subject_free(&s);
}

static inlay_node *new_node(const subject *s, const char *type)
{
    inlay_node *n =
        inlay_node_new(s->g, inlay_op_find(NULL, type, NULL, NULL, s->d), "n", 0, 0, s->d);

    assert_non_null(n);
    return n;
}

/* Attributes cannot have these values, also when they are another node's attribute. */
static void test_values_of_attributes(void **state)
{
    subject s = subject_of(SOUND);
    inlay_node *p = new_node(&s, "Parameter"), *c = new_node(&s, "Const"),
               *pool = new_node(&s, "MaxPool"), *assign = new_node(&s, "Assign");
    inlay_shape wide = {.rank = 77}, turned = {.rank = 1, .dim = {{9, 1, 0}}};
    const inlay_attr nothing = {.set = true}, wide_attr = {.set = true, .as.shape = &wide};

    (void)state;
    REFUSED(inlay_node_set_type(p, "element_type", (inlay_type)9999, s.d),
            "error: node \"n\" (Parameter-1): there is no element type 9999");
    REFUSED(inlay_node_set_shape(p, "shape", NULL, s.d), "error: no shape is given");
    REFUSED(inlay_node_set_shape(p, "shape", &wide, s.d),
            "error: node \"n\" (Parameter-1): a shape has rank 77, it must be in [-1, 32]");
    REFUSED(inlay_node_set_shape(p, "shape", &turned, s.d),
            "error: node \"n\" (Parameter-1): dimension 0 of a shape goes from 9 to 1");
    REFUSED(inlay_node_set_attr(p, "shape", &nothing, s.d), "error: no shape is given");
    REFUSED(inlay_node_set_attr(p, "shape", &wide_attr, s.d),
            "error: node \"n\" (Parameter-1): a shape has rank 77, it must be in [-1, 32]");
    REFUSED(inlay_node_set_tensor(c, "value", NULL, s.d), no_tensor);
    REFUSED(inlay_node_set_attr(c, "value", &nothing, s.d), no_tensor);
    REFUSED(inlay_node_set_attr(assign, "variable_id", &nothing, s.d),
            "error: no variable is given");
    REFUSED(inlay_node_set_string(assign, "variable_id", NULL, s.d), "error: no string is given");
    REFUSED(inlay_node_set_string(pool, "rounding_type", NULL, s.d), "error: no string is given");
    REFUSED(inlay_node_set_ints(pool, "strides", NULL, 2, s.d),
            "error: no list of elements is given");
    REFUSED(inlay_node_set_ints(pool, "strides", NULL, -1, s.d),
            "error: a list of -1 elements is given");
    REFUSED(inlay_node_set_attr_text(pool, 99, "1", s.d),
            "error: node \"n\" (MaxPool-14): there is no attribute 99, the operation has 9");
    REFUSED(inlay_node_set_attr_text(pool, -1, "1", s.d),
            "error: node \"n\" (MaxPool-14): there is no attribute -1, the operation has 9");
    REFUSED(inlay_node_set_attr_text(pool, 0, NULL, s.d), "error: no text is given");
    subject_free(&s);
}

static void test_reading_attributes(void **state)
{
    subject s = subject_of(SOUND);
    const inlay_attr attr = {.set = true};
    bool is;
    int n;

    (void)state;
    REFUSED_QUIETLY(inlay_bool_parse(NULL, &is));
    REFUSED_QUIETLY(inlay_node_attr(NULL, "axis"));
    REFUSED_QUIETLY(inlay_node_attr(s.b, NULL));
    REFUSED_QUIETLY(inlay_node_bool(NULL, "axis"));
    REFUSED_QUIETLY(inlay_node_int(NULL, "axis"));
    REFUSED_QUIETLY(inlay_node_float(NULL, "axis") != 0);
    REFUSED_QUIETLY(inlay_node_string(NULL, "axis"));
    assert_int_equal(inlay_node_type(NULL, "axis"), INLAY_DYNAMIC);
    REFUSED_QUIETLY(inlay_node_ints(NULL, "axis", &n));
    assert_int_equal(n, 0);
    REFUSED_QUIETLY(inlay_attr_equal(INLAY_ATTR_INT, &attr, NULL));
    subject_free(&s);
}

static void test_building(void **state)
{
    subject s = subject_of(SOUND);
    inlay_shape shape = {.rank = 0}, wide = {.rank = 77}, turned = {.rank = 1, .dim = {{9, 1, 0}}};
    const int64_t two[] = {2};
    inlay_value *none[] = {NULL};

    (void)state;
    REFUSED(inlay_build_parameter(NULL, "p", INLAY_F32, &shape, s.d), no_graph);
    REFUSED(inlay_build_parameter(s.g, "p", INLAY_F32, NULL, s.d), "error: no shape is given");
    REFUSED(inlay_build_parameter(s.g, "q", (inlay_type)9999, &shape, s.d),
            "error: node \"q\" (Parameter-1): there is no element type 9999");
    REFUSED(inlay_build_parameter(s.g, "w", INLAY_F32, &wide, s.d),
            "error: node \"w\" (Parameter-1): a shape has rank 77, it must be in [-1, 32]");
    REFUSED(inlay_build_parameter(s.g, "t", INLAY_F32, &turned, s.d),
            "error: node \"t\" (Parameter-1): dimension 0 of a shape goes from 9 to 1");
    REFUSED(inlay_build_const(s.g, "c", NULL, s.d), no_tensor);
    REFUSED(inlay_build_ints(s.g, "i", INLAY_I64, 1, two, NULL, s.d),
            "error: these are no elements of a constant of type i64 and rank 1");
    REFUSED(inlay_build_ints(s.g, "i", INLAY_I64, 77, NULL, two, s.d),
            "error: these are no elements of a constant of type i64 and rank 77");
    REFUSED(inlay_build_ints(s.g, "i", (inlay_type)9999, 1, two, two, s.d),
            "error: there is no element type 9999");
    REFUSED(inlay_build_i64(NULL, "i", 1, s.d), no_graph);
    REFUSED(inlay_build_i64_scalar(NULL, "i", 1, s.d), no_graph);
    REFUSED(inlay_build_i64_list(s.g, "i", NULL, 1, s.d), "error: no list of elements is given");
    REFUSED(inlay_build_i64_list(s.g, "i", two, -1, s.d), "error: a list of -1 elements is given");
    REFUSED(inlay_build_f32(NULL, "i", 1, s.d), no_graph);
    REFUSED(inlay_build_f32_scalar(NULL, "i", 1, s.d), no_graph);
    REFUSED(inlay_build_f32_list(s.g, "i", NULL, 1, s.d), "error: no list of elements is given");
    REFUSED(inlay_build_begin(NULL, "n", "ReLU", none, 1, s.d), no_graph);
    REFUSED(inlay_build_begin(s.g, "n", "ReLU", NULL, 1, s.d), "error: no list of inputs is given");
    REFUSED_QUIETLY(inlay_build_end(NULL, true, s.d));
    assert_string_equal(inlay_version(), INLAY_VERSION);
    REFUSED(inlay_build_result(s.g, "o", NULL, s.d),
            "error: node \"o\" (Result-1): input 0 \"value\" is missing");
    REFUSED(inlay_build(NULL, "n", "ReLU", none, 1, NULL, s.d), no_graph);
    REFUSED(inlay_build(s.g, "n", NULL, none, 1, NULL, s.d),
            "error: no type of an operation is given");
    REFUSED(inlay_build(s.g, "n", "ReLU", NULL, 1, NULL, s.d), "error: no list of inputs is given");
    REFUSED(inlay_build(s.g, "n", "ReLU", none, -1, NULL, s.d),
            "error: a list of -1 inputs is given");
    REFUSED(inlay_build(s.g, "n", "ReLU", none, 1, NULL, s.d),
            "error: node \"n\" (ReLU-1): input 0 \"x\" is missing");
    REFUSED(inlay_build(s.g, "n", "ReLU", none, 1, "a=b", s.d),
            "error: node \"n\" (ReLU-1): there is no attribute \"a\"");
    /* what was not built is not there */
    assert_int_equal(s.g->n_nodes, 3);
    assert_int_equal(s.g->n_params, 1);
    assert_int_equal(s.g->n_results, 1);
    assert_true(inlay_check_graph(s.g, s.d));
    subject_free(&s);
}

static void test_ports(void **state)
{
    inlay_port p = {.start = -1, .end = INT64_MIN, .stride = 1, .part_size = 1};
    int64_t first, count;
    subject s = subject_of(SOUND);

    (void)state;
    REFUSED_QUIETLY(inlay_port_parts(&p, INT64_MIN, &first, &count));
    REFUSED_QUIETLY(inlay_port_parts(&p, 4, &first, &count));
    REFUSED(inlay_check_bodies(NULL, s.d), no_node);
    REFUSED(inlay_check_bodies(s.b, s.d), "3: error: node \"b\" (ReLU-1): body is missing");
    subject_free(&s);
}

static void test_notes_and_metadata(void **state)
{
    subject s = subject_of(SOUND);
    inlay_meta *m = inlay_meta_new(s.g, "tag", s.d);
    inlay_value *v = &s.b->out[0];

    (void)state;
    REFUSED(inlay_value_set_note(NULL, INLAY_FRESH, v, s.d), no_value);
    REFUSED(inlay_value_set_note(v, (inlay_note_kind)7, v, s.d),
            "3: error: node \"b\" (ReLU-1): there is no kind 7 of storage notes");
    REFUSED(inlay_value_state_grounds(NULL, s.d), no_value);
    REFUSED(inlay_value_add_ground(NULL, INLAY_O3_NO_LATER_READ, s.x, s.d), no_value);
    REFUSED(inlay_value_add_ground(v, INLAY_O3_NO_LATER_READ, NULL, s.d), no_node);
    assert_null(inlay_ground_name(NULL));
    assert_null(inlay_ground_name(&(inlay_ground){.condition = 1000}));
    assert_string_equal(inlay_ground_text(NULL), "");
    assert_false(inlay_ground_is_ordered(NULL, v));
    assert_false(inlay_ground_is_ordered(&(inlay_ground){.node = s.x}, NULL));
    REFUSED(inlay_graph_add_order_edge(NULL, s.x, s.b, s.d), no_graph);
    REFUSED(inlay_graph_add_order_edge(s.g, NULL, s.b, s.d), no_node);
    REFUSED(inlay_graph_add_order_edge(s.g, s.x, NULL, s.d), no_node);
    REFUSED_QUIETLY(inlay_note_text((inlay_note_kind)7));
    REFUSED(inlay_check_notes(NULL, NULL, NULL, s.d), no_graph);
    REFUSED(inlay_check_notes(s.g, NULL, NULL, s.d), "error: no order is given");
    REFUSED(inlay_drop_illegal_notes(NULL, s.d), no_graph);
    REFUSED(inlay_meta_new(NULL, "tag", s.d), no_graph);
    REFUSED(inlay_meta_new(s.g, NULL, s.d), "error: no tag is given");
    REFUSED(inlay_meta_set(NULL, m, "a", "b", s.d), no_graph);
    REFUSED(inlay_meta_set(s.g, NULL, "a", "b", s.d), "error: no element of metadata is given");
    REFUSED(inlay_meta_set(s.g, m, NULL, "b", s.d), no_name);
    REFUSED(inlay_meta_set(s.g, m, "a", NULL, s.d), no_value);
    subject_free(&s);
}

static bool swallow(void *ctx, const char *bytes, size_t n)
{
    (void)ctx, (void)bytes, (void)n;
    return true;
}

static const inlay_sink nowhere = {swallow, NULL}, empty_sink = {NULL, NULL};

static void test_walks_over_no_graph(void **state)
{
    inlay_diff diff;
    subject s = subject_of(SOUND);
    inlay_fact out[1];
    inlay_order_list order;
    char why[100];

    (void)state;
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
    subject_free(&s);
}

static void test_texts(void **state)
{
    subject s = subject_of(SOUND);
    const double x = 1;
    inlay_strbuf b = {0};
    inlay_guess guess = {0};
    inlay_lexer l;
    char buf[40];
    double y;

    (void)state;
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
    subject_free(&s);
}

static void test_files(void **state)
{
    subject s = subject_of(SOUND);
    inlay_files *files = inlay_files_new(s.d);
    inlay_tensor *t = tensor_of("f32 1");

    (void)state;
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
    subject_free(&s);
}

static void test_models_in_memory(void **state)
{
    subject s = subject_of(SOUND);
    const inlay_read_options o = {0};

    (void)state;
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
    subject_free(&s);
}

static void test_rules(void **state)
{
    char call[40];
    inlay_proof proof;
    inlay_check check;
    subject s = subject_of(SOUND);

    (void)state;
    REFUSED_QUIETLY(inlay_pass_at(NULL, inlay_pass_count(NULL)).name);
    REFUSED_QUIETLY(inlay_pipeline_at(NULL, inlay_pipeline_count(NULL)).name);
    assert_string_equal(inlay_decision_text(NULL), "");
    assert_string_equal(inlay_decision_text(&(inlay_decision){.by = s.b}), "");
    assert_string_equal(inlay_exactness_text((inlay_exactness)9), "");
    REFUSED(inlay_rules_parse(NULL, "", 0, s.d), "error: no name of a file is given");
    REFUSED(inlay_rules_parse("x", NULL, 9, s.d), "error: no text is given");
    REFUSED(inlay_rules_parse_of(NULL, NULL, "", 0, s.d), "error: no name of a file is given");
    REFUSED(inlay_prove(NULL, 3, NULL, &proof, s.d), "error: there is no rule 3");
    REFUSED(inlay_prove(inlay_rules_builtin("turn", NULL), 0, NULL, &proof, s.d),
            "error: no solver is given");
    inlay_proof_free(NULL);
    REFUSED(inlay_check_rule(NULL, 3, NULL, &check, s.d), "error: there is no rule 3");
    REFUSED(inlay_check_rule(inlay_rules_builtin("turn", NULL), 0, NULL, &check, s.d),
            "error: no evaluator is given");
    inlay_check_free(NULL);
    inlay_rules_free(NULL);
    assert_int_equal(inlay_rules_count(NULL), 0);
    REFUSED_QUIETLY(inlay_rules_at(NULL, 0).name);
    REFUSED_QUIETLY(inlay_rule_set_at(SIZE_MAX));
    REFUSED_QUIETLY(inlay_rule_function_at(SIZE_MAX).name);
    assert_string_equal(inlay_rule_function_text(SIZE_MAX, call, sizeof call), "");
    REFUSED(inlay_rules_builtin(NULL, s.d), "error: no name of a set of rules is given");
    subject_free(&s);
}

static void test_passes(void **state)
{
    subject s = subject_of(SOUND);
    const inlay_evaluator empty = {NULL, NULL, NULL};
    const inlay_rules *none[] = {NULL};
    const char *const names[] = {NULL};

    (void)state;
    REFUSED(inlay_run_passes(NULL, NULL, s.d), no_graph);
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.n_disable = 1}, s.d),
            "error: no list of passes to leave out is given");
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.disable = names, .n_disable = 1}, s.d),
            "error: entry 0 of the list of passes to leave out is missing");
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.n_rules = -1}, s.d),
            "error: a list of -1 sets of rules is given");
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.rules = none, .n_rules = 1}, s.d),
            "error: no set of rules is given");
    REFUSED(inlay_run_passes(s.g, &(inlay_pass_options){.evaluator = &empty}, s.d),
            "error: an evaluator is empty");
    subject_free(&s);
}

static bool no_pass(inlay_graph *g, inlay_pass_run *r)
{
    (void)g;
    (void)r;
    return true;
}

static bool add_none(inlay_pass_registry *p, inlay_diags *d)
{
    (void)p;
    (void)d;
    return true;
}

static void test_registry(void **state)
{
    subject s = subject_of(SOUND);
    inlay_pass_registry *p = inlay_pass_registry_new(NULL);
    const inlay_pass_info info = {"mine", "One."}, nameless = {NULL, "One."}, mute = {"mine", NULL};
    const char *const none[] = {NULL};
    const inlay_plugin sound = {INLAY_PLUGIN_VERSION, INLAY_PLUGIN_LAYOUT, add_none};
    const inlay_plugin empty = {INLAY_PLUGIN_VERSION, INLAY_PLUGIN_LAYOUT, NULL};
    bool done;

    (void)state;
    assert_non_null(p);
    REFUSED(inlay_pass_register(NULL, &info, no_pass, NULL, s.d),
            "error: no registry of passes is given");
    REFUSED(inlay_pass_register(p, NULL, no_pass, NULL, s.d),
            "error: no description of a pass is given");
    REFUSED(inlay_pass_register(p, &nameless, no_pass, NULL, s.d),
            "error: no name of a pass is given");
    REFUSED(inlay_pass_register(p, &mute, no_pass, NULL, s.d),
            "error: no summary of a pass is given");
    REFUSED(inlay_pass_register(p, &info, NULL, NULL, s.d), "error: pass \"mine\" has no function");
    REFUSED(inlay_pipeline_register(NULL, "mine", none, s.d),
            "error: no registry of passes is given");
    REFUSED(inlay_pipeline_register(p, NULL, none, s.d), "error: no name of a pipeline is given");
    REFUSED(inlay_pipeline_register(p, "mine", NULL, s.d), "error: no list of passes is given");
    REFUSED(inlay_plugin_add(p, "x.so", NULL, s.d), "error: no plugin is given");
    REFUSED(inlay_plugin_add(NULL, "x.so", &sound, s.d), "error: no registry of passes is given");
    REFUSED(inlay_plugin_add(p, "x.so", &empty, s.d),
            "error: the plugin adds nothing: it has no function");
    inlay_pass_registry_free(p);
    inlay_pass_registry_free(NULL);
    assert_null(inlay_pass_diags(NULL));
    assert_null(inlay_pass_context(NULL));
    assert_null(inlay_pass_evaluator(NULL));
    inlay_pass_changed(NULL, 1);
    assert_false(inlay_pass_begin(NULL, s.b));
    assert_false(inlay_pass_end(NULL, true));
    assert_false(inlay_pass_each_graph(NULL, no_pass, NULL));
    REFUSED(inlay_replace_by_old(NULL, &s.b->out[0], &done, s.d), "error: no value is given");
    REFUSED(inlay_replace_by_old(&s.b->out[0], NULL, &done, s.d), "error: no value is given");
    REFUSED(inlay_replace_by_new(NULL, &s.b->out[0], s.d), "error: no value is given");
    REFUSED(inlay_replace_by_new(&s.b->out[0], NULL, s.d), "error: no value is given");
    subject_free(&s);
    s = subject_of(SOUND "%k = Const-1 {value = i64[] 0}\n%p:2 = Split(%x, %k) {num_splits = 2}\n");
    REFUSED(inlay_replace_by_new(&s.b->out[0], &inlay_graph_node(s.g, "p")->out[0], s.d),
            "6: error: node \"p\" (Split-1): a node of 2 outputs cannot replace one of 1");
    subject_free(&s);
}

static void test_proving(void **state)
{
    subject s = subject_of(SOUND);
    inlay_evaluator e = inlay_reference_evaluator(NULL), empty = {NULL, NULL, NULL};
    inlay_shape wide = {.rank = 77};
    inlay_fill fill = (inlay_fill)99;
    inlay_verify_result result;
    inlay_tensor *in[] = {NULL};

    (void)state;
    REFUSED_QUIETLY(inlay_fill_by_name(NULL, &fill));
    REFUSED(inlay_make_inputs(NULL, NULL, in, s.d), no_graph);
    REFUSED(inlay_make_inputs(s.g, NULL, NULL, s.d), "error: no list of inputs is given");
    REFUSED(inlay_make_inputs(s.g, &(inlay_make_options){.fills = &fill}, in, s.d),
            "error: there is no way 99 to fill a tensor");
    REFUSED(inlay_make_inputs(s.g, &(inlay_make_options){.shapes = &wide}, in, s.d),
            "error: a shape has rank 77, it must be in [-1, 32]");
    REFUSED(inlay_verify(NULL, &e, s.g, &e, NULL, &result, s.d), no_graph);
    REFUSED(inlay_verify(s.g, &e, NULL, &e, NULL, &result, s.d), no_graph);
    REFUSED(inlay_verify(s.g, NULL, s.g, &e, NULL, &result, s.d), "error: no evaluator is given");
    REFUSED(inlay_verify(s.g, &e, s.g, &empty, NULL, &result, s.d), "error: an evaluator is empty");
    REFUSED(inlay_verify(s.g, &e, s.g, &e, &(inlay_verify_options){.shapes = &wide}, &result, s.d),
            "error: a shape has rank 77, it must be in [-1, 32]");
    assert_non_null(
        inlay_node_new(s.g, inlay_op_find(NULL, "Parameter", NULL, NULL, s.d), "bare", 0, 0, s.d));
    REFUSED(inlay_make_inputs(s.g, NULL, (inlay_tensor *[2]){NULL}, s.d),
            "error: node \"bare\" (Parameter-1): has 0 outputs, it must have 1");
    REFUSED(inlay_verify(s.g, &e, s.g, &e, NULL, &result, s.d),
            "error: node \"bare\" (Parameter-1): has 0 outputs, it must have 1");
    subject_free(&s);
}

static void explorations(void **state)
{
    subject s = subject_of(SOUND);
    inlay_explore_options none = {.n_rules = 0};
    inlay_exploration found;
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    const inlay_tensor *nothing = NULL;
    inlay_verify_result tried;
    inlay_value_difference difference;
    inlay_symbolic_options terms = {.max_terms = 1};
    inlay_symbolic_result proof;
    inlay_measure measure;
    char text[80];

    (void)state;
    REFUSED(inlay_explore(NULL, &none, &found, s.d), no_graph);
    assert_null(found.graphs);
    REFUSED(inlay_explore(s.g, NULL, &found, s.d), "error: no list of options is given");
    inlay_exploration_free(&found);
    inlay_exploration_free(NULL);
    REFUSED(inlay_verify_exhaustive(NULL, &e, s.g, &e, NULL, 1, &tried, s.d), no_graph);
    assert_false(inlay_verify_untried(NULL, NULL, text, sizeof text));
    assert_false(inlay_verify_untried(s.g, NULL, text, 0));
    REFUSED(inlay_find_difference(NULL, &e, s.g, &e, &nothing, NULL, &difference, s.d), no_graph);
    REFUSED(inlay_find_difference(s.g, &e, s.g, &e, NULL, NULL, &difference, s.d),
            "error: no list of inputs is given");
    REFUSED(inlay_symbolic_same(s.g, NULL, &terms, &proof, s.d), no_graph);
    REFUSED(inlay_symbolic_same(NULL, s.g, &terms, &proof, s.d), no_graph);
    REFUSED(inlay_symbolic_same(s.g, s.g, NULL, &proof, s.d), "error: no list of options is given");
    REFUSED(inlay_measure_graph(NULL, &measure, s.d), no_graph);
    assert_int_equal(inlay_measure_compare(&measure, &measure), 0);
    assert_null(inlay_measure_name(INLAY_MEASURES));
    subject_free(&s);
}

static void test_reducing(void **state)
{
    subject s = subject_of(SOUND);
    inlay_reduce_options nobody = {.tries = 1};
    inlay_reduce_result result;

    (void)state;
    REFUSED(inlay_reduce(NULL, &nobody, &result, s.d), no_graph);
    REFUSED(inlay_reduce(s.g, NULL, &result, s.d), "error: no list of options is given");
    REFUSED(inlay_reduce(s.g, &nobody, &result, s.d), "error: nobody says what a graph is to keep");
    assert_null(result.graph);
    subject_free(&s);
}

static void test_generating(void **state)
{
    subject s = subject_of(SOUND);
    static const char *const none[] = {"no such family", NULL};

    (void)state;
    REFUSED(inlay_generate(NULL, s.d), "error: no list of options is given");
    REFUSED(inlay_generate(&(inlay_generate_options){.mix = (inlay_generate_mix)9}, s.d),
            "error: there is no mix 9");
    REFUSED(inlay_generate(&(inlay_generate_options){.families = none}, s.d),
            "error: no operation is allowed that a graph can be made of");
    subject_free(&s);
}

static void test_programs(void **state)
{
    subject s = subject_of(SOUND);
    inlay_program *p = inlay_compile(s.g, NULL, s.d);
    const char *const names[] = {NULL};
    inlay_memory_plan plan;
    inlay_program_plan steps;

    (void)state;
    assert_non_null(p);
    REFUSED(inlay_compile(NULL, NULL, s.d), no_graph);
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.n_keep = 1}, s.d),
            "error: no list of values to keep is given");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.n_keep = 1, .keep = names}, s.d),
            "error: entry 0 of the list of values to keep is missing");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.mode = (inlay_exec_mode)5}, s.d),
            "error: there is no mode 5 with 0 threads");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.kernels = (inlay_kernels)5}, s.d),
            "error: there are no kernels 5");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.threads = -1}, s.d),
            "error: there is no mode 0 with -1 threads");
    REFUSED(inlay_compile(s.g, &(inlay_exec_options){.threads = INLAY_MAX_THREADS + 1}, s.d),
            "error: a program cannot have 1025 threads, the most is 1024");
    assert_in_range(inlay_processors(), 1, INLAY_MAX_THREADS);
    inlay_program_free(NULL);
    REFUSED(inlay_session_new(NULL, s.d), "error: no program is given");
    REFUSED(inlay_memory_plan_make(NULL, &plan, s.d), no_graph);
    REFUSED(inlay_program_plan_make(NULL, INLAY_KERNELS_PORTABLE, &steps, s.d), no_graph);
    inlay_program_plan_free(NULL);
    inlay_memory_plan_free(NULL);
    inlay_program_free(p);
    subject_free(&s);
}

static void test_models(void **state)
{
    subject s = subject_of(SOUND);
    inlay_load_options o = {.exec.threads = -1};

    (void)state;
    inlay_model_free(NULL);
    REFUSED(inlay_load(NULL, NULL, s.d), "error: no path is given");
    REFUSED(inlay_load_graph(NULL, NULL, s.d), no_graph);
    REFUSED(inlay_load_graph(inlay_graph_clone(s.g, s.d), &o, s.d),
            "error: there is no mode 0 with -1 threads");
    subject_free(&s);
}

static void test_sessions(void **state)
{
    subject s = subject_of(SOUND);
    inlay_program *p = inlay_compile(s.g, NULL, s.d);
    inlay_session *session = inlay_session_new(p, s.d);
    const inlay_tensor *in[] = {NULL};
    inlay_tensor *out[1];
    inlay_input given = {NULL, NULL, false};
    inlay_output wanted = {NULL, NULL};
    inlay_exec_stats stats;

    (void)state;
    inlay_session_free(NULL);
    REFUSED(inlay_session_run(NULL, in, NULL, out, s.d), "error: no session is given");
    REFUSED(inlay_session_run(session, NULL, NULL, out, s.d), "error: no list of inputs is given");
    REFUSED(inlay_session_run(session, in, NULL, NULL, s.d), "error: no list of outputs is given");
    REFUSED(inlay_session_run(session, in, NULL, out, s.d),
            "2: error: node \"x\" (Parameter-1): no tensor is given for this input");
    REFUSED(inlay_session_run_named(NULL, &given, 1, &wanted, 1, s.d),
            "error: no session is given");
    REFUSED(inlay_session_run_named(session, NULL, 1, &wanted, 1, s.d),
            "error: no list of inputs is given");
    REFUSED(inlay_session_run_named(session, &given, 1, NULL, 1, s.d),
            "error: no list of outputs is given");
    REFUSED(inlay_session_run_named(session, &given, 1, &wanted, 1, s.d),
            "error: no name of an input is given");
    given.name = "x";
    REFUSED(inlay_session_run_named(session, &given, 1, &wanted, 1, s.d),
            "error: no tensor is given");
    REFUSED(inlay_session_run_named(session, NULL, 0, &wanted, 1, s.d),
            "error: input \"x\" is not given");
    REFUSED_QUIETLY(inlay_session_kept(NULL, 0));
    REFUSED_QUIETLY(inlay_session_kept(session, 0));
    REFUSED_QUIETLY(inlay_session_variable(NULL, 0));
    REFUSED_QUIETLY(inlay_session_variable(session, -1));
    REFUSED(inlay_session_set_variable(NULL, 0, NULL, s.d), "error: no session is given");
    REFUSED(inlay_session_set_variable(session, 0, NULL, s.d),
            "error: there is no variable 0, the graph has 0");
    REFUSED(inlay_session_bind_output(NULL, 0, NULL, s.d), "error: no session is given");
    REFUSED(inlay_session_bind_output(session, 7, NULL, s.d),
            "error: there is no output 7, the graph has 1");
    inlay_session_cancel(NULL);
    inlay_session_reset(NULL);
    inlay_session_stats(NULL, &stats);
    assert_int_equal(stats.nodes, 0);
    inlay_session_free(session);
    inlay_program_free(p);
    subject_free(&s);
}

static void test_evaluators(void **state)
{
    subject s = subject_of(SOUND);
    inlay_evaluator list[] = {inlay_reference_evaluator(NULL), inlay_planned_evaluator(NULL)};
    const inlay_tensor *in[] = {NULL};
    inlay_tensor *out[1];

    (void)state;
    for (int i = 0; i < 2; i++) {
        REFUSED(list[i].eval_node(list[i].ctx, NULL, in, out, s.d), no_node);
        REFUSED(list[i].eval_node(list[i].ctx, s.b, NULL, out, s.d),
                "error: no list of operands is given");
        REFUSED(list[i].eval_node(list[i].ctx, s.b, in, out, s.d),
                "3: error: node \"b\" (ReLU-1): the tensor given for input 0 is missing");
        REFUSED(list[i].eval_graph(list[i].ctx, NULL, in, out, NULL, s.d), no_graph);
        REFUSED(list[i].eval_graph(list[i].ctx, s.g, NULL, out, NULL, s.d),
                "error: no list of inputs is given");
    }
    subject_free(&s);
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
    (void)state;
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        for (int with = 0; with < 8; with++) {
            subject s = subject_of(SOUND);
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
            subject_free(&s);
        }
    }
}

/* A body is there, but nothing says what enters and leaves it. */
static void test_unfinished_bodies(void **state)
{
    static const char *const types[] = {"If", "Loop", "TensorIterator"};

    (void)state;
    for (int i = 0; i < 3; i++) {
        subject s = subject_of(SOUND);
        const inlay_op *op = inlay_op_find(NULL, types[i], NULL, NULL, s.d);
        inlay_node *n = inlay_node_new(s.g, op, "n", 1, 1, s.d);

        assert_true(inlay_node_set_input(n, 0, &s.b->out[0], s.d));
        assert_true(inlay_node_set_bodies(n, 2, s.d));
        n->bodies[0].role = i == 0 ? "then_body" : "body";
        n->bodies[0].graph = inlay_graph_new_body(n, "b", s.d);
        use(s.g);
        subject_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diags),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_types_and_dims),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_tensors_without_a_form),
        cmocka_unit_test(test_windows_on_tensors),
        cmocka_unit_test(test_windows_on_packed_tensors),
        cmocka_unit_test(test_tensors_over_buffers),
        cmocka_unit_test(test_pairs_of_tensors),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_sets_of_operations),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_graphs),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_dim_names),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_setters_without_a_node),
        cmocka_unit_test(test_values_of_attributes),
        cmocka_unit_test(test_reading_attributes),
        cmocka_unit_test(test_building),
        cmocka_unit_test(test_ports),
        cmocka_unit_test(test_notes_and_metadata),
        cmocka_unit_test(test_walks_over_no_graph),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_models_in_memory),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_registry),
        cmocka_unit_test(test_proving),
        cmocka_unit_test(explorations),
        cmocka_unit_test(test_reducing),
        cmocka_unit_test(test_generating),
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_sessions),
        cmocka_unit_test(test_evaluators),
        cmocka_unit_test(test_unfinished_nodes),
        cmocka_unit_test(test_unfinished_bodies),
    };

    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
