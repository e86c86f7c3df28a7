/* Steps that are computed together, tile by tile (interp/exec/build/fuse.c): which steps these are,
 * and which values need no memory. */
#include "fused_graphs.h"
#include "interp/audit/audit.h"
#include "interp/library/library.h"
#include "interp/library/lookup.h"
#include "models.h"

#include <math.h>

/* Counts */

static void test_counts(void **state)
{
    grouped s = grouped_of(tree, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    assert_non_null(f);
    assert_int_equal(f->n_ops, 5);
    assert_int_equal(f->registers, 2);
    assert_ptr_equal(grouped_step(&s, "e")->fused, f);
    assert_true(in_register(&s, "a") && in_register(&s, "b") && in_register(&s, "c") &&
                in_register(&s, "d"));
    assert_false(in_register(&s, "e"));
    assert_null(grouped_step(&s, "m")->fused);
    assert_null(grouped_step(&s, "f")->fused);
    assert_int_equal(s.x->arena.bytes, 192); /* of m, 6 by 6: e and f are results */
    assert_int_equal(f->rows, 6);
    assert_int_equal(f->tiles, 1);
    grouped_free(&s);
}

/* What a step of a group makes for others lies over what only the group reads, though a later step
 * of the group makes something, too, which is smaller. */
static void test_over_operand(void **state)
{
    grouped s =
        grouped_of("%p = Parameter-1 {element_type = f32, shape = [6,6]}\n"
                   "%zero = Const-1 {value = f32[] 0}\n%first = Const-1 {value = i64[1] [0]}\n"
                   "%m = MatMul-1(%p, %p)\n"
                   "%a = Exp-1(%m)\n%b = Greater-1(%a, %zero)\n"
                   "%d = ReduceLogicalOr-1(%b, %first)\n"
                   "%e = Convert-1(%d) {destination_type = f32}\n"
                   "%c = MatMul-1(%a, %e)\n%r = Result-1(%c)\n",
                   INLAY_KERNELS_PORTABLE);

    assert_ptr_equal(grouped_step(&s, "a")->fused, grouped_step(&s, "b")->fused);
    assert_non_null(grouped_step(&s, "b")->fused);
    assert_int_equal(s.x->arena.bytes, 192 + 64 + 64); /* of a, b and d */
    grouped_free(&s);
}

static void test_reference_fuses_nothing(void **state)
{
    grouped s = grouped_of(tree, INLAY_KERNELS_REFERENCE);

    for (size_t i = 0; i < s.x->n; i++)
        assert_null(s.x->list[i].fused);
    grouped_free(&s);
}

/* Random chains and trees */

/* Casts */

/* A conversion is computed with the others; it cannot be computed in the register that it reads. */
static void test_casts(void **state)
{
    grouped s = grouped_of(casts, INLAY_KERNELS_PORTABLE);

    assert_non_null(grouped_step(&s, "a")->fused);
    assert_int_equal(grouped_step(&s, "a")->fused->n_ops, 6);
    assert_int_equal(grouped_step(&s, "a")->fused->registers, 2);
    assert_true(in_register(&s, "c") && in_register(&s, "e"));
    assert_int_equal(s.x->arena.bytes, 0);
    assert_int_equal(op_of(&s, "a")->size[1], 2);
    assert_int_equal(op_of(&s, "b")->reg[0], op_of(&s, "a")->reg[0]);
    assert_int_not_equal(op_of(&s, "c")->reg[0], op_of(&s, "b")->reg[0]);
    grouped_free(&s);
}

/* Integers and choices */

/* Integers, comparisons and choices are computed with the floats beside them. The registers are as
 * wide as the widest elements. */
static void test_choice(void **state)
{
    grouped s = grouped_of(choice, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    assert_non_null(f);
    assert_int_equal(f->n_ops, 5);
    assert_true(in_register(&s, "a") && in_register(&s, "b") && in_register(&s, "c") &&
                in_register(&s, "d"));
    assert_int_equal(op_of(&s, "b")->size[0], 1);
    assert_int_equal(op_of(&s, "d")->size[1], 1);
    assert_int_equal(op_of(&s, "d")->size[2], 4);
    assert_int_equal(s.x->blocks[op_of(&s, "d")->block].k.single, SINGLE_Z);
    assert_true(op_of(&s, "a")->each);
    assert_int_equal(s.x->arena.bytes, 0);
    grouped_free(&s);
}

/* Tables */

/* Runs a chain from bytes to bytes of TYPE on N numbers in rows of 8. */
static inlay_tensor *run_bytes(inlay_type type, int64_t n, inlay_exec_mode mode, int threads)
{
    static const char form[] =
        "%%x = Parameter-1 {element_type = %s, shape = [%lld,8]}\n"
        "%%m = Const-1 {value = f32[] [9]}\n%%s = Const-1 {value = f32[] [0.03]}\n"
        "%%a = Convert-1(%%x) {destination_type = f32}\n%%b = Subtract-1(%%a, %%m)\n"
        "%%c = Multiply-1(%%b, %%s)\n%%d = Tanh-1(%%c)\n%%e = Divide-1(%%d, %%s)\n"
        "%%f = Add-1(%%e, %%m)\n%%g = Clamp-1(%%f) {min = 0, max = 99}\n"
        "%%h = Convert-1(%%g) {destination_type = %s}\n%%out = Result-1(%%h)\n";
    const char *name = inlay_type_info_of(type)->name;
    inlay_exec_options o = {.mode = mode, .threads = threads, .poison = true};
    inlay_tensor *x = inlay_tensor_new(type, 2, (int64_t[]){n / 8, 8}), *out = NULL;
    const inlay_tensor *in = x;
    char body[800];
    runner r;

    snprintf(body, sizeof body, form, name, (long long)n / 8, name);
    r = runner_on(graph_of(body), &o);
    for (int64_t i = 0; i < n; i++)
        inlay_tensor_set_i64(x, i, i * 37 % 256 - (type == INLAY_I8 ? 128 : 0));
    assert_true(inlay_session_run(r.session, &in, NULL, &out, r.diags));
    inlay_tensor_release(x);
    runner_free(&r);
    return out;
}

/* What makes bytes of bytes is computed once for each byte. */
static void test_tables(void **state)
{
    for (int i = 0; i < 12; i++) {
        inlay_type type = i % 2 ? INLAY_I8 : INLAY_U8;
        int64_t n = (int64_t)8 << (4 + i);
        inlay_tensor *want, *have;

        n += 8 * (i % 5);
        want = run_bytes(type, n, INLAY_EXEC_REFERENCE, 1);
        have = run_bytes(type, n, INLAY_EXEC_PLANNED, 1 + i % 3);
        assert_memory_equal(want->data, have->data, (size_t)n);
        inlay_tensor_release(want);
        inlay_tensor_release(have);
    }
}

static void test_bytes(void **state)
{
    enum { MOST = 300 };
    uint8_t table[LOOKUP_ENTRIES], from[MOST], to[MOST + 1];

    for (int i = 0; i < LOOKUP_ENTRIES; i++)
        table[i] = (uint8_t)(i * 101 + 7);
    for (int i = 0; i < MOST; i++)
        from[i] = (uint8_t)(i * 59 + i / 256);
    for (int n = 0; n <= MOST; n++) {
        memset(to, 1, sizeof to);
        lookup_bytes(table, from, to, n);
        for (int i = 0; i < n; i++)
            assert_int_equal(to[i], table[from[i]]);
        assert_int_equal(to[n], 1);
    }
}

/* In one go */

static float number_of(int i)
{
    static const float special[] = {NAN, -INFINITY, INFINITY, 0.0f, -0.0f, 0.7f, -0.3f, 1e-40f};

    return i % 3 == 0 ? special[i / 3 % 8] : (float)(i % 41) / 20 - 1;
}

/* Checks the model TEXT on N operands of rank 2, whose sizes are DIMS. */
static void check_numbers(const char *text, int n, const int64_t (*dims)[2])
{
    struct model *m = calloc(1, sizeof *m);

    assert_non_null(m);
    snprintf(m->text, sizeof m->text, "%s", text);
    for (int k = 0; k < n; k++) {
        bool row = dims[k][0] == 0;

        m->in[k] = inlay_tensor_new(INLAY_F32, row ? 1 : 2, dims[k] + row);
        assert_non_null(m->in[k]);
        for (int64_t i = 0; i < inlay_tensor_count(m->in[k]); i++)
            inlay_tensor_set_f64(m->in[k], i, (double)number_of((int)i * (2 * k + 1) + k));
    }
    check_model(m, 0);
    for (int k = 0; k < n; k++)
        inlay_tensor_release(m->in[k]);
    free(m);
}

static void test_straight(void **state)
{
    grouped s = grouped_of(straight, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "z")->fused;

    assert_int_equal(f->n_ops, 17);
    assert_int_equal(f->n_runs, 3);
    assert_int_equal(f->runs[0].n, 10);
    assert_int_equal(f->runs[1].n, 6);
    grouped_free(&s);
    s = grouped_of(straight_norm, INLAY_KERNELS_PORTABLE);
    assert_int_equal(grouped_step(&s, "a")->fused->n_runs, 4);
    grouped_free(&s);
    check_numbers(straight, 3, (const int64_t[][2]){{5, 70}, {5, 1}, {0, 70}});
    check_numbers(straight_norm, 2, (const int64_t[][2]){{6, 80}, {0, 80}});
}

/* Codes on the way cost no loop of their own, if nothing is beyond them. */
static void test_codes(void **state)
{
    grouped s = grouped_of(codes, INLAY_KERNELS_PORTABLE);

    assert_int_equal(grouped_step(&s, "y")->fused->n_ops, 8);
    assert_int_equal(grouped_step(&s, "y")->fused->n_runs, 1);
    grouped_free(&s);
    s = grouped_of(codes_beyond, INLAY_KERNELS_PORTABLE);
    assert_int_equal(grouped_step(&s, "y")->fused->n_runs, 2);
    grouped_free(&s);
    check_numbers(codes, 1, (const int64_t[][2]){{5, 70}});
    check_numbers(codes_beyond, 1, (const int64_t[][2]){{5, 70}});
}

static void test_gates(void **state)
{
    grouped s = grouped_of(gates, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    assert_int_equal(f->n_ops, 9);
    assert_int_equal(f->n_runs, 6);
    assert_true(f->runs[0].gate && f->runs[1].gate);
    for (int i = 2; i < f->n_runs; i++)
        assert_false(f->runs[i].gate);
    grouped_free(&s);
    check_numbers(gates, 1, (const int64_t[][2]){{5, 70}});
}

/* Halves: no step of theirs is walked by a plain kernel that converts whole tensors, where one of
 * f32 is a group, blocks, or a kernel of the library. */

/* Returns an instance of BODY, in which each @ is the name of TYPE. */
static grouped grouped_as(const char *body, inlay_type type)
{
    const char *name = inlay_type_info_of(type)->name;
    char text[2000];
    size_t n = 0;

    for (; *body; body++) {
        n += (size_t)snprintf(text + n, sizeof text - n, *body == '@' ? "%s" : "%.1s",
                              *body == '@' ? name : body);
        assert_true(n < sizeof text);
    }
    return grouped_of(text, INLAY_KERNELS_PORTABLE);
}

static void test_halves(void **state)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F16, INLAY_BF16};
    static const char *const nodes[] = {
        "Abs-1(%x)",
        "Clamp-1(%x) {min = 0, max = 6}",
        "Exp-1(%x)",
        "Floor-1(%x)",
        "Gelu-7(%x)",
        "HSigmoid-5(%x)",
        "HSwish-4(%x)",
        "Mish-4(%x)",
        "ReLU-1(%x)",
        "Sigmoid-1(%x)",
        "Sqrt-1(%x)",
        "Swish-4(%x)",
        "Tanh-1(%x)",
        "Add-1(%x, %y)",
        "Divide-1(%x, %c)",
        "Maximum-1(%x, %y)",
        "Multiply-1(%c, %x)",
        "Power-1(%x, %y)",
        "PReLU-1(%x, %s)",
        "SquaredDifference-1(%x, %y)",
        "Less-1(%x, %y)",
        "IsNaN-10(%x)",
        "SoftMax-8(%x) {axis = 3}",
        "MVN-6(%x, %axis) {normalize_variance = true, eps = 0.1, eps_mode = inside_sqrt}",
        "ReduceMean-1(%x, %axis)",
        "ReduceMax-1(%x, %axis)",
    };

    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        bool plain = false;

        for (int k = 0; k < 3; k++) {
            char body[1000];
            grouped s;
            const exec_step *step;

            snprintf(body, sizeof body,
                     "%%x = Parameter-1 {element_type = @, shape = [1,8,9,70]}\n"
                     "%%y = Parameter-1 {element_type = @, shape = [1,8,9,70]}\n"
                     "%%c = Parameter-1 {element_type = @, shape = [1,8,1,1]}\n"
                     "%%s = Parameter-1 {element_type = @, shape = [8]}\n"
                     "%%axis = Const-1 {value = i64[1] [3]}\n"
                     "%%n = %s\n%%out = Result-1(%%n)\n",
                     nodes[i]);
            s = grouped_as(body, types[k]);
            step = grouped_step(&s, "n");
            if (k == 0)
                plain = step->kind == EXEC_KERNEL && !step->kernel.library;
            else if (step->kind == EXEC_KERNEL && !step->kernel.library && !plain)
                fail_msg("%s of %s is no group", nodes[i], inlay_type_info_of(types[k])->name);
            grouped_free(&s);
        }
    }
}

/* Constant factors and filters have packed forms. */
static void test_packed_halves(void **state)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F16, INLAY_BF16};
    static const char *const bodies[] = {
        "%x = Parameter-1 {element_type = @, shape = [4,3]}\n"
        "%w = Const-1 {value = @[3,5] [1,2,3,4,5,6,7,8,9,1,2,3,4,5,6]}\n"
        "%n = MatMul-1(%x, %w)\n%out = Result-1(%n)\n",
        "%x = Parameter-1 {element_type = @, shape = [1,2,9,9]}\n"
        "%w = Const-1 {value = @[2,2,1,1] [1,2,3,4]}\n"
        "%n = Convolution-1(%x, %w) {strides = [1, 1], pads_begin = [0, 0], pads_end = [0, 0], "
        "dilations = [1, 1]}\n%out = Result-1(%n)\n",
        "%x = Parameter-1 {element_type = @, shape = [1,2,9,9]}\n"
        "%w = Const-1 {value = @[2,1,1,1,2] [1,2,3,4]}\n"
        "%n = GroupConvolution-1(%x, %w) {strides = [1, 1], pads_begin = [0, 0], pads_end = [0, "
        "1], dilations = [1, 1]}\n%out = Result-1(%n)\n"};

    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            grouped s = grouped_as(bodies[i], types[k]);
            const exec_step *step = grouped_step(&s, "n");
            const inlay_node *w = grouped_step(&s, "w")->step->node;

            assert_non_null(step->kernel.library);
            assert_true(step->kernel.library->packed_bytes(
                            step->step->node, inlay_node_attr(w, "value")->as.tensor) > 0);
            grouped_free(&s);
        }
    }
}

/* Operations on halves that follow one another are computed in one go. */
static void test_straight_halves(void **state)
{
    grouped s = grouped_as("%x = Parameter-1 {element_type = @, shape = [6,100]}\n"
                           "%y = Parameter-1 {element_type = @, shape = [6,100]}\n"
                           "%a = Add-1(%x, %y)\n%b = ReLU-1(%a)\n%c = Multiply-1(%b, %y)\n"
                           "%out = Result-1(%c)\n",
                           INLAY_F16);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    assert_int_equal(f->n_ops, 3);
    assert_int_equal(f->n_runs, 1);
    grouped_free(&s);
}

/* Rows */

/* A softmax along the last dim is computed with what stands around it, on tiles of whole rows: what
 * it reads and makes has no memory. */
static void test_rows(void **state)
{
    grouped s = grouped_of(rows, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    assert_non_null(f);
    assert_int_equal(f->n_ops, 4);
    assert_true(in_register(&s, "a") && in_register(&s, "b") && in_register(&s, "c"));
    assert_int_equal(f->registers, 1);
    assert_int_equal(f->length, 1000);
    assert_int_equal(f->rows, 1);
    assert_int_equal(s.x->arena.bytes, 0);
    grouped_free(&s);
}

/* So is a normalisation along the last dim. */
static void test_norms(void **state)
{
    grouped s = grouped_of("%x = Parameter-1 {element_type = f32, shape = [6,8,100]}\n"
                           "%m = Parameter-1 {element_type = f32, shape = [8,100]}\n"
                           "%axis = Const-1 {value = i64[1] [-1]}\n"
                           "%a = Abs-1(%x)\n"
                           "%b = MVN-6(%a, %axis) {normalize_variance = true, eps = 0.01, "
                           "eps_mode = inside_sqrt}\n"
                           "%c = Multiply-1(%b, %m)\n"
                           "%out = Result-1(%c)\n",
                           INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    assert_non_null(f);
    assert_int_equal(f->n_ops, 3);
    assert_true(in_register(&s, "a") && in_register(&s, "b"));
    assert_int_equal(f->length, 100);
    assert_int_equal(s.x->arena.bytes, 0);
    grouped_free(&s);
}

/* Folds */

/* A layer normalisation is one group. What has one element for each row is in registers, too. */
static void test_folds(void **state)
{
    grouped s = grouped_of(norm, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = grouped_step(&s, "a")->fused;

    assert_non_null(f);
    assert_int_equal(f->n_ops, 8);
    assert_ptr_equal(grouped_step(&s, "h")->fused, f);
    assert_true(in_register(&s, "a") && in_register(&s, "d") && in_register(&s, "g"));
    assert_true(op_of(&s, "a")->folds && op_of(&s, "a")->narrow[0] && !op_of(&s, "a")->narrow[1]);
    assert_true(op_of(&s, "b")->each && op_of(&s, "b")->narrow[2]);
    assert_true(op_of(&s, "f")->narrow[0] && op_of(&s, "f")->narrow[1] && op_of(&s, "f")->flat);
    assert_int_equal(f->rank, 2); /* 48 rows */
    assert_int_equal(f->length, 100);
    assert_int_equal(s.x->arena.bytes, 0);
    grouped_free(&s);
}

/* The last two axes are one row, if they lie one behind the other in all that is read. */
static void test_two_axes(void **state)
{
    static const char body[] = "%%x = Parameter-1 {element_type = f32, shape = [6,7,7]}\n"
                               "%%y = Parameter-1 {element_type = f32, shape = [%s]}\n"
                               "%%axes = Const-1 {value = i64[2] [1, 2]}\n"
                               "%%a = Multiply-1(%%x, %%y)\n"
                               "%%b = ReduceSum-1(%%a, %%axes)\n"
                               "%%out = Result-1(%%b)\n";
    static const struct {
        const char *dims;
        bool fused;
    } cases[] = {{"6,7,7", true}, {"6,1,1", true}, {"7,7", true}, {"6,7,1", false}, {"7", false}};
    char text[600];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        grouped s;
        const exec_fused *f;

        snprintf(text, sizeof text, body, cases[i].dims);
        s = grouped_of(text, INLAY_KERNELS_PORTABLE);
        f = grouped_step(&s, "b")->fused;
        if (!f != !cases[i].fused)
            fail_msg("y[%s]: the fold is %sfused", cases[i].dims, f ? "" : "not ");
        assert_true(!f || (f->row_length == 49 && in_register(&s, "a")));
        grouped_free(&s);
    }
}

/* Axes that no constant holds, but that are known before the run, are parameters, too. */
static void test_known_axes(void **state)
{
    grouped s = grouped_of("%x = Parameter-1 {element_type = f64, shape = [4,6]}\n"
                           "%i = Const-1 {value = i64[2] [0, 1]}\n"
                           "%axes = Convert-1(%i) {destination_type = i32}\n"
                           "%sum = ReduceSum-1(%x, %axes)\n"
                           "%y = Tanh-1(%sum)\n"
                           "%out = Result-1(%y)\n",
                           INLAY_KERNELS_PORTABLE);

    assert_non_null(grouped_step(&s, "sum")->fused);
    if (!audit_instance(s.x, s.diags))
        fail_msg("%s", model_messages(s.diags));
    grouped_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_straight),
                                       cmocka_unit_test(test_codes),
                                       cmocka_unit_test(test_gates),
                                       cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_reference_fuses_nothing),
                                       cmocka_unit_test(test_over_operand),
                                       cmocka_unit_test(test_casts),
                                       cmocka_unit_test(test_choice),
                                       cmocka_unit_test(test_tables),
                                       cmocka_unit_test(test_bytes),
                                       cmocka_unit_test(test_folds),
                                       cmocka_unit_test(test_two_axes),
                                       cmocka_unit_test(test_known_axes),
                                       cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_norms),
                                       cmocka_unit_test(test_halves),
                                       cmocka_unit_test(test_packed_halves),
                                       cmocka_unit_test(test_straight_halves)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
