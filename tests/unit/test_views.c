/* Each operation that makes views is tried before each kernel that reads strides: a run copies no
 * more bytes than where the kernel's operand is an ordinary tensor, and computes the same. */
#include "graphs.h"
#include "ir/shared.h"
#include "passes/passes.h"

/* Makes %x, f32[3,1,4], of %d, which is computed from the input of this shape. */
static const struct maker {
    const char *name, *shape, *open, *x;
} makers[] = {
    {"nothing", "[3,1,4]", "[?,?,?]", "%x = Negative(%d)\n"},
    {"Slice", "[3,1,9]", "[?,?,?]",
     "%one = Const {value = i64[1] [1]}\n%nine = Const {value = i64[1] [9]}\n"
     "%two = Const {value = i64[1] [2]}\n%x = Slice(%d, %one, %nine, %two, %two)\n"},
    {"StridedSlice", "[3,1,9]", "[?,?,?]",
     "%from = Const {value = i64[3] [0, 0, 1]}\n%to = Const {value = i64[3] [0, 0, 5]}\n"
     "%x = StridedSlice(%d, %from, %to) {begin_mask = [1, 1, 0], end_mask = [1, 1, 0]}\n"},
    {"Split", "[3,1,8]", "[?,?,8]",
     "%last = Const {value = i64[] [2]}\n%x:2 = Split(%d, %last) {num_splits = 2}\n"},
    {"Reshape", "[6,2]", "[?,?]",
     "%shape = Const {value = i64[3] [3, 1, 4]}\n"
     "%x = Reshape(%d, %shape) {special_zero = false}\n"},
    {"Squeeze", "[3,1,1,4]", "[?,?,1,?]",
     "%one = Const {value = i64[1] [2]}\n%x = Squeeze(%d, %one)\n"},
    {"Unsqueeze", "[3,4]", "[?,?]",
     "%one = Const {value = i64[1] [1]}\n%x = Unsqueeze(%d, %one)\n"},
    {"Transpose", "[4,3,1]", "[?,?,?]",
     "%order = Const {value = i64[3] [1, 2, 0]}\n%x = Transpose(%d, %order)\n"},
};

/* Makes %y of %x. */
static const char *const readers[] = {
    "%y = Abs(%x)\n",
    "%y = Exp(%x)\n",
    "%y = Clamp(%x) {min = -1, max = 1}\n",
    "%k = Const {value = f32[4] [1, 2, 3, 4]}\n%y = Add(%x, %k)\n",
    "%k = Const {value = f32[3,1,1] [1, 2, 3]}\n%y = Divide(%k, %x)\n",
    "%y = Multiply(%x, %x)\n",
    "%k = Const {value = f32[] [0.5]}\n%y = Less(%x, %k)\n",
    "%k = Const {value = f32[1] [0.5]}\n%y = PReLU(%x, %k)\n",
    "%k = Const {value = f32[] [0]}\n%c = Greater(%x, %k)\n%y = Select(%c, %x, %k)\n",
    "%y = Convert(%x) {destination_type = f16}\n",
    "%k = Const {value = i32[] [0]}\n%y = ConvertLike(%x, %k)\n",
    "%y = SoftMax(%x) {axis = 0}\n",
    "%y = LogSoftmax(%x) {axis = 2}\n",
    "%k = Const {value = i64[] [2]}\n%y = CumSum(%x, %k)\n",
    "%k = Const {value = i64[1] [0]}\n%y = ReduceSum(%x, %k)\n",
    "%k = Const {value = i64[1] [2]}\n%y = ReduceMean(%x, %k) {keep_dims = true}\n",
    "%k = Const {value = i64[2] [0, 2]}\n%y = ReduceMax(%x, %k)\n",
    "%k = Const {value = f32[4,2] [1, 2, 3, 4, 5, 6, 7, 8]}\n%y = MatMul(%x, %k)\n",
    "%k = Const {value = f32[2,3,4] [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, "
    "8, "
    "9, 10, 11, 12]}\n%s = Const {value = i64[1] [1]}\n"
    "%m = Squeeze(%x, %s)\n%y = MatMul(%k, %m) {transpose_b = true}\n",
    "%i = Const {value = i64[2] [3, 0]}\n%a = Const {value = i64[] [2]}\n%y = Gather(%x, %i, %a)\n",
    "%i = Const {value = i64[1,1,4] [2, 0, 1, 2]}\n%y = GatherElements(%x, %i) {axis = 0}\n",
    "%i = Const {value = i64[2,2] [2, 0, 1, 0]}\n%y = GatherND(%x, %i)\n",
    "%k = Const {value = f32[3,2,4] [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, "
    "8, "
    "9, 10, 11, 12]}\n%y = Concat(%x, %k) {axis = 1}\n",
    "%b = Const {value = i64[3] [1, 0, 2]}\n%e = Const {value = i64[3] [0, 1, 0]}\n"
    "%y = Pad(%x, %b, %e) {pad_mode = constant}\n",
    "%r = Const {value = i64[3] [1, 2, 2]}\n%y = Tile(%x, %r)\n",
    "%s = Const {value = i64[3] [3, 2, 4]}\n%y = Broadcast(%x, %s)\n",
    "%n = Const {value = i64[3] [2, 1, 2]}\n%y = ReverseSequence(%x, %n) {batch_axis = 0, "
    "seq_axis = 2}\n",
    "%s = Const {value = i64[1] [1]}\n%a = Const {value = i64[1] [2]}\n%y = Roll(%x, %s, %a)\n",
    "%i = Const {value = i64[1] [1]}\n%a = Const {value = i64[] [0]}\n"
    "%k = Const {value = f32[5,1,4] [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0]}\n"
    "%j = Const {value = i64[3] [4, 0, 1]}\n%t = Tanh(%k)\n%y = ScatterUpdate(%t, %j, %x, %a)\n",
    "%g = Const {value = f32[1] [1]}\n%y = BatchNormInference(%x, %g, %g, %g, %g) {epsilon = 1}\n",
};

enum { N_MAKERS = sizeof makers / sizeof *makers, N_READERS = sizeof readers / sizeof *readers };

/* Returns whether AT is the end of "%x" in the text of a reader. */
static bool is_x(const char *at)
{
    return at[0] == 'x' && at[-1] == '%';
}

static inlay_graph *make(const struct maker *m, const char *reader, bool open)
{
    bool split = strcmp(m->name, "Split") == 0; /* its first part is x */
    inlay_strbuf body = {0};
    inlay_graph *g;

    inlay_strbuf_printf(&body,
                        "%%in = Parameter {element_type = f32, shape = %s}\n%%d = Sin(%%in)\n%s",
                        open ? m->open : m->shape, m->x);
    for (const char *at = reader; *at; at++)
        inlay_strbuf_printf(&body, "%c%s", *at, split && is_x(at) ? ":0" : "");
    inlay_strbuf_puts(&body, "%end = Convert(%y) {destination_type = f64}\n%out = Result(%end)\n");
    g = graph_of(body.bytes);
    inlay_strbuf_free(&body);
    return g;
}

/* Runs G on 0, 1, 2, ... of SHAPE. */
static inlay_tensor *run(const inlay_graph *g, const char *shape, inlay_exec_mode mode,
                         uint64_t *copied)
{
    inlay_exec_options o = {.mode = mode, .poison = true};
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    inlay_tensor *in, *out = NULL;
    inlay_exec_stats stats;
    inlay_shape sizes;
    const char *why;
    int64_t dims[4];

    assert_true(inlay_shape_parse(shape, &sizes, &why));
    for (int i = 0; i < sizes.rank; i++)
        dims[i] = sizes.dim[i].lo;
    in = inlay_tensor_new(INLAY_F32, sizes.rank, dims);
    for (int64_t i = 0; i < inlay_tensor_count(in); i++)
        inlay_tensor_set_f64(in, i, (double)i);
    if (!s || !inlay_session_run(s, (const inlay_tensor *const *)&in, NULL, &out, d))
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    inlay_session_stats(s, &stats);
    *copied = stats.copied_bytes;
    inlay_tensor_release(in);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return out;
}

/* Returns the bytes that a run copies; the run computes what the reference computes. */
static uint64_t copied(const struct maker *m, const char *reader, bool open)
{
    inlay_graph *g = make(m, reader, open);
    const inlay_pass_options passes = {.passes = "in-place-windows"};
    inlay_compare_options exact = {0};
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *a, *b;
    uint64_t bytes, ignored;
    char why[512];

    assert_true(inlay_run_passes(g, &passes, d));
    a = run(g, m->shape, INLAY_EXEC_PLANNED, &bytes);
    b = run(g, m->shape, INLAY_EXEC_REFERENCE, &ignored);
    if (!inlay_compare_tensors(a, b, &exact, why, sizeof why))
        fail_msg("%s before %s: %s", m->name, reader, why);
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return bytes;
}

/* A value that is computed stands in its part of what holds it, or in the rows of the scatter whose
 * updates it is; some views of one do; other views are copied. Returns how many bytes that may be.
 */
static uint64_t copied_of_views(const char *reader)
{
    const uint64_t bytes_of_x = 3 * 1 * 4 * sizeof(float);
    bool holds = strstr(reader, "Concat") || strstr(reader, "Pad") || strstr(reader, "Tile") ||
                 strstr(reader, "Broadcast") || strstr(reader, "ScatterUpdate");

    return holds ? bytes_of_x : 0;
}

static void check(bool open)
{
    for (int r = 0; r < N_READERS; r++) {
        uint64_t computed = copied(&makers[0], readers[r], open);

        for (int m = 1; m < N_MAKERS; m++) {
            uint64_t least = computed + copied_of_views(readers[r]);
            uint64_t bytes = copied(&makers[m], readers[r], open);

            if (bytes != least && bytes != computed)
                fail_msg("%s before %s: %llu bytes are copied instead of %llu", makers[m].name,
                         readers[r], (unsigned long long)bytes, (unsigned long long)least);
        }
    }
}

static void known_shapes(void **state)
{
    check(false);
}

static void open_shapes(void **state)
{
    check(true);
}

/* Strides show the elements of one tensor in other dims, or there are no such strides: the expected
 * ones are worked out by hand. Axes of one element have no stride to speak of. */
static void strides_of_shapes(void **state)
{
    static const struct {
        int rank;
        int64_t dims[3], strides[3];
        int to_rank;
        int64_t to[3], wanted[3]; /* wanted[0] of 0: none */
    } cases[] = {
        {2, {4, 6}, {12, 1}, 3, {2, 2, 6}, {24, 12, 1}},
        {2, {4, 6}, {12, 1}, 3, {4, 3, 2}, {12, 2, 1}},
        {2, {4, 6}, {12, 1}, 1, {24}, {0}},
        {2, {4, 6}, {12, 1}, 2, {2, 12}, {0}},
        {2, {4, 6}, {12, 1}, 2, {8, 3}, {0}},
        {3, {2, 3, 4}, {24, 8, 1}, 2, {6, 4}, {8, 1}},
        {3, {2, 3, 4}, {24, 8, 1}, 3, {3, 2, 4}, {16, 8, 1}},
        {3, {2, 3, 4}, {24, 8, 1}, 2, {2, 12}, {0}},
        {3, {2, 3, 4}, {36, 4, 1}, 2, {2, 12}, {36, 1}},
        {3, {2, 3, 4}, {36, 4, 1}, 2, {6, 4}, {0}},
        {3, {2, 2, 2}, {4, 2, 1}, 1, {8}, {1}},
        {3, {2, 2, 2}, {8, 2, 1}, 1, {8}, {0}},
        {2, {3, 4}, {1, 3}, 3, {3, 2, 2}, {1, 6, 3}},
        {2, {3, 4}, {1, 3}, 1, {12}, {0}},
        {2, {3, 4}, {-8, -2}, 1, {12}, {-2}},
        {1, {6}, {-2}, 2, {2, 3}, {-6, -2}},
        {3, {3, 1, 4}, {8, 99, 2}, 1, {12}, {2}},
        {3, {3, 1, 4}, {9, 99, 2}, 3, {3, 1, 4}, {9, 1, 2}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_tensor *one = inlay_tensor_new(INLAY_F32, 1, (const int64_t[]){200});
        inlay_tensor *t =
            inlay_tensor_window(one, cases[i].rank, cases[i].dims, cases[i].strides, 100);
        int64_t found[3] = {0};
        bool any;

        assert_non_null(t);
        any = inlay_strides_reshaped(t->rank, t->dims, t->strides, cases[i].to_rank, cases[i].to,
                                     found);
        if (any != (cases[i].wanted[0] != 0))
            fail_msg("case %zu: %s", i, any ? "strides are found" : "no strides are found");
        for (int k = 0; any && k < cases[i].to_rank; k++) {
            if (cases[i].to[k] != 1)
                assert_int_equal(found[k], cases[i].wanted[k]);
        }
        inlay_tensor_release(t);
        inlay_tensor_release(one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_shapes),
        cmocka_unit_test(open_shapes),
        cmocka_unit_test(strides_of_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
