/* Deferred: operators of ONNX whose form depends on what is not known yet. What they compute must
 * be what they compute where all is known; when they are expanded, and what files say of them. */
#include "interp/interp.h"
#include "ir/shared.h"
#include "models.h"
#include "unit.h"

enum { MOST = 4 }; /* inputs, and outputs */

/* A model of TEXT, in operator set OPSET. */
static inlay_graph *read(int opset, const char *text)
{
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf b = {0};
    inlay_graph *g;

    inlay_strbuf_printf(
        &b, "<ir_version: 10, opset_import: [\"\" : %d, \"local\" : 1, \"com.microsoft\" : 1]>\n%s",
        opset, text);
    g = inlay_read_onnx("m.onnxtxt", b.bytes, b.n, NULL, NULL, d);
    if (!g)
        print_message("# %s\n", model_messages(d));
    assert_non_null(g);
    inlay_strbuf_free(&b);
    inlay_diags_free(d);
    return g;
}

static int count_in(const inlay_graph *g)
{
    int n = 0;

    for (const inlay_node *k = g->first; k; k = k->next) {
        n += (k->op->flags & INLAY_DEFERRED) != 0;
        for (int i = 0; i < k->n_bodies; i++)
            n += count_in(k->bodies[i].graph);
    }
    return n;
}

/* Tensors of these shapes ("f32[2,3]"), whose elements go up and down. */
static void make_inputs(const char *const *shapes, inlay_tensor **in)
{
    for (int i = 0; shapes[i]; i++) {
        const char *dims = strchr(shapes[i], '['), *why;
        inlay_shape s;
        int64_t sizes[INLAY_MAX_RANK];
        inlay_type type = *shapes[i] == 'f'   ? INLAY_F32
                          : *shapes[i] == 'i' ? INLAY_I64
                                              : INLAY_BOOLEAN;

        assert_true(inlay_shape_parse(dims, &s, &why));
        for (int k = 0; k < s.rank; k++)
            sizes[k] = s.dim[k].lo;
        in[i] = inlay_tensor_new(type, s.rank, sizes);
        assert_non_null(in[i]);
        for (int64_t k = 0; k < inlay_tensor_count(in[i]); k++)
            inlay_tensor_set_f64(in[i], k,
                                 (double)((k * 7 + i) % 5) - (type == INLAY_F32 ? 1.5 : 0));
    }
}

static void release(inlay_tensor **list, int n)
{
    for (int i = 0; i < n; i++)
        inlay_tensor_release(list[i]);
}

static bool run(const inlay_graph *g, bool planned, inlay_tensor **in, inlay_tensor **out,
                inlay_diags *d)
{
    inlay_evaluator e = planned ? inlay_planned_evaluator(NULL) : inlay_reference_evaluator(NULL);

    return e.eval_graph(e.ctx, g, (const inlay_tensor *const *)in, out, NULL, d);
}

/* What both executors make of IN in G is EXPECTED, or kept as it. */
static void runs_as(const inlay_graph *g, inlay_tensor **in, inlay_tensor **expected)
{
    for (int planned = 0; planned < 2; planned++) {
        inlay_tensor *out[MOST] = {NULL};
        inlay_diags *d = inlay_diags_new();

        if (!run(g, planned, in, out, d))
            print_message("# %s\n", model_messages(d));
        assert_null(inlay_diags_error(d));
        for (int i = 0; i < g->n_results; i++) {
            if (expected[i])
                assert_true(inlay_tensor_equal(out[i], expected[i]));
            else
                expected[i] = inlay_tensor_retain(out[i]);
        }
        release(out, MOST);
        inlay_diags_free(d);
    }
}

static inlay_graph *again(const inlay_graph *g, bool json)
{
    inlay_strbuf b = {0};
    inlay_sink sink = {inlay_strbuf_sink, &b};
    inlay_graph *copy;
    char why[500] = "";

    assert_true(json ? inlay_write_json(g, NULL, NULL, &sink, NULL, NULL)
                     : inlay_print(g, true, &sink, NULL));
    copy = json ? inlay_read_json("m.json", b.bytes, b.n, NULL, NULL)
                : inlay_read_text("m.inlay", b.bytes, b.n, NULL, NULL);
    assert_non_null(copy);
    if (!inlay_graph_equal(g, copy, why, sizeof why))
        print_message("# %s\n", why);
    assert_string_equal(why, "");
    inlay_strbuf_free(&b);
    return copy;
}

/* G at the shapes of IN. */
static void set_shapes(inlay_graph *g, inlay_tensor **in)
{
    inlay_diags *d = inlay_diags_new();

    for (int i = 0; i < g->n_params; i++) {
        inlay_shape s = {.rank = in[i]->rank};

        for (int k = 0; k < s.rank; k++)
            s.dim[k] = inlay_dim_of(in[i]->dims[k]);
        assert_true(inlay_node_set_shape(g->params[i], "shape", &s, d));
    }
    if (!inlay_infer_graph(g, d))
        print_message("# %s\n", model_messages(d));
    assert_null(inlay_diags_error(d));
    assert_true(inlay_check_graph(g, d));
    inlay_diags_free(d);
}

/* A model as KNOWN says and one in which something is OPEN, on inputs of the same SHAPES. DATA: it
 * stays open until the elements of inputs are there. */
typedef struct pair {
    int opset;
    const char *known, *open;
    const char *shapes[MOST + 1];
    bool data;
} pair;

static void check_pair(const pair *p)
{
    inlay_graph *known = read(p->opset, p->known), *open = read(p->opset, p->open), *copy;
    inlay_tensor *in[MOST] = {NULL}, *out[MOST] = {NULL};
    int deferred = count_in(open);

    assert_int_equal(count_in(known), 0);
    if (deferred == 0)
        print_message("# %s\n", p->open);
    assert_true(deferred > 0);
    make_inputs(p->shapes, in);
    runs_as(known, in, out);
    runs_as(open, in, out);
    for (int json = 0; json < 2; json++) {
        copy = again(open, json);
        assert_int_equal(count_in(copy), deferred);
        runs_as(copy, in, out);
        set_shapes(copy, in);
        runs_as(copy, in, out);
        inlay_graph_free(copy);
    }
    copy = inlay_graph_clone(open, NULL);
    assert_non_null(copy);
    set_shapes(copy, in);
    if (!p->data && count_in(copy) > 0)
        print_message("# %s\n", p->open);
    assert_true(p->data || count_in(copy) == 0);
    runs_as(copy, in, out);
    inlay_graph_free(copy);
    release(in, MOST);
    release(out, MOST);
    inlay_graph_free(open);
    inlay_graph_free(known);
}

static void check_pairs(const pair *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check_pair(&list[i]);
}

#define CHECK(list) check_pairs(list, sizeof(list) / sizeof(list)[0])

#define RANK(opset, shape, node, ...)                                                              \
    {                                                                                              \
        opset, "m (float" shape " x) => (float[] y) {" node "}",                                   \
            "m (float[] x) => (float[] y) {" node "}", {__VA_ARGS__, NULL}, false                  \
    }

/* An operand whose number of axes is not known. */
static void test_ranks(void **state)
{
    static const pair list[] = {
        RANK(13, "[2,3,4]", "y = Flatten <axis = 2> (x)", "f32[2,3,4]"),
        RANK(13, "[2,3,4]", "y = ArgMax <axis = -1> (x)", "f32[2,3,4]"),
        RANK(13, "[2,3,4]", "y = ReduceMean <keepdims = 0> (x)", "f32[2,3,4]"),
        RANK(11, "[2,3,4]", "y = Softmax <axis = 1> (x)", "f32[2,3,4]"),
        RANK(13, "[2,3,4]", "y = GlobalAveragePool (x)", "f32[2,3,4]"),
        RANK(13, "[2,3,4]", "y = MaxPool <kernel_shape = [2]> (x)", "f32[2,3,4]"),
        RANK(13, "[2,3,4]", "y = AveragePool <kernel_shape = [2]> (x)", "f32[2,3,4]"),
        RANK(17, "[2,3,4]",
             "s = Constant <value_floats = [1.0, 2.0, 3.0, 4.0]> () y = LayerNormalization (x, s)",
             "f32[2,3,4]"),
        RANK(14, "[2,3,4]", "y = Trilu (x)", "f32[2,3,4]"),
        RANK(13, "[2,3,4]", "y, s, z = DynamicQuantizeLinear (x)", "f32[2,3,4]"),
        RANK(13, "[2,3,4]", "y = Hardmax (x)", "f32[2,3,4]"),
    };

    CHECK(list);
}

/* A constant operand of a deferred node stays a constant: it is packed for the first sizes, not for
 * each call, and no more often than for a few sizes. */
static void test_packed(void **state)
{
    inlay_graph *g = read(
        17,
        "m (float[] x) => (float[] y) {"
        "w = Constant <value = float[2,5] {1.0, 2.0, 3.0, 0.0, 0.0, 4.0, 5.0, 6.0, 0.0, 0.0}> () "
        "b = Constant <value_floats = [0.0, 0.0, 0.5, 0.0, 0.0]> () y = Gemm (x, w, b)}");
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, &(inlay_exec_options){.mode = INLAY_EXEC_PLANNED}, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    uint64_t first = 0;

    assert_non_null(s);
    assert_int_equal(count_in(g), 1);
    for (int64_t i = 0; i < 12; i++) {
        inlay_tensor *x = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){1 + i / 2, 2}), *y = NULL;
        inlay_exec_stats stats;

        inlay_tensor_set_f64(x, 1, 1);
        assert_true(inlay_session_run(s, (const inlay_tensor *const *)&x, NULL, &y, d));
        assert_true(inlay_tensor_get_f64(y, 2) == 6.5);
        inlay_session_stats(s, &stats);
        first = first ? first : stats.packed_bytes;
        assert_true(first > 0);
        assert_int_equal(stats.packed_bytes, (i / 2 < 4 ? 1 + i / 2 : 4) * (int64_t)first);
        inlay_tensor_release(x);
        inlay_tensor_release(y);
    }
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* Sizes and elements that are not known. */
static void test_sizes(void **state)
{
    static const pair list[] = {
        {11,
         "m (float[1,1,4] x, float[1,1,2] w) => (float[] y) {y = ConvTranspose <output_shape = "
         "[6]> (x, w)}",
         "m (float[1,1,N] x, float[1,1,K] w) => (float[] y) {y = ConvTranspose <output_shape = "
         "[6]> (x, w)}",
         {"f32[1,1,4]", "f32[1,1,2]"},
         false},
        {11,
         "m (float[1,2,4] x, float[2,1,2] w) => (float[] y) {y = Conv <group = 2> (x, w)}",
         "m (float[1,2,4] x, float[M,1,K] w) => (float[] y) {y = Conv <group = 2> (x, w)}",
         {"f32[1,2,4]", "f32[2,1,2]"},
         false},
        {17,
         "m (float[1,4,2] x) => (float[] y) {y = DFT <axis = 1> (x)}",
         "m (float[1,4,C] x) => (float[] y) {y = DFT <axis = 1> (x)}",
         {"f32[1,4,2]"},
         false},
        {8,
         "m (float[2,3] s, float[2,5,3] x) => (float[] t, float[] y) {t, y = Scan <num_scan_inputs "
         "= 1, body = b "
         "(float[3] s, float[3] e) => (float[3] t, float[3] o) {t = Add (s, e) o = Abs (t)}> "
         "(\"\", s, x)}",
         "m (float[N,3] s, float[N,5,3] x) => (float[] t, float[] y) {t, y = Scan <num_scan_inputs "
         "= 1, body = b "
         "(float[3] s, float[3] e) => (float[3] t, float[3] o) {t = Add (s, e) o = Abs (t)}> "
         "(\"\", s, x)}",
         {"f32[2,3]", "f32[2,5,3]"},
         false},
    };

    CHECK(list);
}

#define LSTM "Y, h, c = LSTM <hidden_size = 2> (x, w, r)"

/* The number of axes of an LSTM's operands is fixed, so that it waits for nothing. */
static void test_lstm(void **state)
{
    inlay_graph *g =
        read(14, "m (float[] x, float[1,8,3] w, float[1,8,2] r) => (float[] Y) {" LSTM "}");

    assert_int_equal(count_in(g), 0);
    assert_int_equal(g->results[0]->in[0].value->fact.rank, 4);
    inlay_graph_free(g);
}

#define BODY "ArgMax <axis = -1, keepdims = 0>"

/* In bodies, with what they capture, and in functions, whose attributes are those of the call. */
static void test_bodies(void **state)
{
    static const pair list[] = {
        {13,
         "m (float[2,3] x, bool c) => (float[] y) {y = If (c) <then_branch = a () => (float[] t) "
         "{t = Flatten <axis = 0> "
         "(x)}, else_branch = b () => (float[] e) {e = Neg (x)}>}",
         "m (float[] x, bool c) => (float[] y) {y = If (c) <then_branch = a () => (float[] t) {t = "
         "Flatten <axis = 0> "
         "(x)}, else_branch = b () => (float[] e) {e = Neg (x)}>}",
         {"f32[2,3]", "boolean[]"},
         false},
        {13,
         "m (float[2,3] x, int64 n) => (int64[] y, float[] z) {z, y = Loop (n, \"\", x) <body = b "
         "(int64 i, bool c, "
         "float[2,3] s) => (bool k, float[2,3] t, int64[] o) {k = Identity (c) t = Add (s, x) o "
         "= " BODY " (t)}>}",
         "m (float[] x, int64 n) => (int64[] y, float[] z) {z, y = Loop (n, \"\", x) <body = b "
         "(int64 i, bool c, "
         "float[] s) => (bool k, float[] t, int64[] o) {k = Identity (c) t = Add (s, x) o = " BODY
         " (t)}>}",
         {"f32[2,3]", "i64[]"},
         false},
        {13,
         "m (float[2,3] x, float[2,4,3] q) => (float[] t, int64[] y) {t, y = Scan <num_scan_inputs "
         "= 1, scan_input_axes "
         "= [-2], body = b (float[2,3] s, float[2,3] e) => (float[2,3] t, int64[] o) {u = Add (s, "
         "e) t = Mul (u, x) o = " BODY " "
         "(t)}> (x, q)}",
         "m (float[] x, float[] q) => (float[] t, int64[] y) {t, y = Scan <num_scan_inputs = 1, "
         "scan_input_axes "
         "= [-2], body = b (float[] s, float[] e) => (float[] t, int64[] o) {u = Add (s, e) t = "
         "Mul (u, x) o = " BODY " "
         "(t)}> (x, q)}",
         {"f32[2,3]", "f32[2,4,3]"},
         false},
        {13,
         "m (float[2,3,4] x) => (float[] y) {y = local.flat <at = 2> (x)}\n"
         "<domain: \"local\", opset_import: [\"\" : 13]> flat <at> (x) => (y) {z = Flatten <axis : "
         "int = @at> (x) y = Neg (z)}",
         "m (float[] x) => (float[] y) {y = local.flat <at = 2> (x)}\n"
         "<domain: \"local\", opset_import: [\"\" : 13]> flat <at> (x) => (y) {z = Flatten <axis : "
         "int = @at> (x) y = Neg (z)}",
         {"f32[2,3,4]"},
         false},
        {13,
         "m (float[2,4,3] q, float[2,3] s) => (int64[] y) {t, y = local.scan <at = 0> (s, q)}\n"
         "<domain: \"local\", opset_import: [\"\" : 13, \"local\" : 1]> scan <at> (s, q) => (t, y) "
         "{t, y = Scan "
         "<num_scan_inputs = 1, scan_input_axes = [-2], body = b (float[2,3] s, float[2,3] e) => "
         "(float[2,3] t, int64[] o) {t = "
         "local.sum (s, e) o = ArgMax <axis : int = @at> (t)}> (s, q)}\n"
         "<domain: \"local\", opset_import: [\"\" : 13]> sum (a, b) => (c) {c = Add (a, b)}",
         "m (float[] q, float[] s) => (int64[] y) {t, y = local.scan <at = 0> (s, q)}\n"
         "<domain: \"local\", opset_import: [\"\" : 13, \"local\" : 1]> scan <at> (s, q) => (t, y) "
         "{t, y = Scan "
         "<num_scan_inputs = 1, scan_input_axes = [-2], body = b (float[] s, float[] e) => "
         "(float[] t, int64[] o) {t = "
         "local.sum (s, e) o = ArgMax <axis : int = @at> (t)}> (s, q)}\n"
         "<domain: \"local\", opset_import: [\"\" : 13]> sum (a, b) => (c) {c = Add (a, b)}",
         {"f32[2,4,3]", "f32[2,3]"},
         false},
    };

    CHECK(list);
}

/* What is known only when the elements of an input are there. */
static void test_data(void **state)
{
    static const pair list[] = {
        {13,
         "m (float[2,3,4] x, int64[1] s) => (int64[] y) {k = Constant <value_ints = [1, -1]> () "
         "z = Reshape (x, k) y = ArgMax <axis = -1> (z)}",
         "m (float[2,3,4] x, int64[N] s) => (int64[] y) {m = Neg (s) k = Concat <axis = 0> (s, m) "
         "z = Reshape (x, k) y = ArgMax <axis = -1> (z)}",
         {"f32[2,3,4]", "i64[1]"},
         true},
        {20,
         "m (float[1,2,3] x, int64[1] s) => (float[] y) {k = Constant <value_ints = [1, 1, 1, 1]> "
         "() y = AffineGrid (x, k)}",
         "m (float[1,2,3] x, int64[N] s) => (float[] y) {k = Concat <axis = 0> (s, s, s, s) "
         "y = AffineGrid (x, k)}",
         {"f32[1,2,3]", "i64[1]"},
         true},
    };

    CHECK(list);
}

/* What a body captures is known as in the graph around, once it is connected. */
static void test_captured(void **state)
{
    inlay_graph *g = read(
        17, "m (float[1,16] x, bool c) => (float[] y) <uint8[1,1,8] b = {1, 2, 3, 4, 5, 6, 7, 8}, "
            "float[1] s = {0.5}> {y = If (c) <then_branch = t () => (float[] u) {u = "
            "com.microsoft.MatMulNBits <K = 16, N = 1, block_size = 16> (x, b, s)}, else_branch = "
            "e () => (float[] v) {v = Abs (x)}>}");

    assert_int_equal(count_in(g), 0);
    inlay_graph_free(g);
}

/* The names of values and nodes are those of the file, whenever the nodes are made. */
static void test_names(void **state)
{
    static const char *const text =
        "m (float[] x) => (float[] z) {[flat] y = Flatten (x) [sum] z = "
        "ReduceSum <keepdims = 0> (y)}";
    inlay_tensor *in[MOST] = {NULL};
    inlay_graph *g = read(13, text);
    const inlay_node *flat;

    flat = inlay_graph_node(g, "flat");
    assert_non_null(flat);
    assert_true(flat->op->flags & INLAY_DEFERRED);
    make_inputs((const char *const[]){"f32[2,3,4]", NULL}, in);
    set_shapes(g, in);
    flat = inlay_graph_node(g, "flat");
    assert_non_null(flat);
    assert_string_equal(flat->op->name, "Reshape");
    assert_string_equal(flat->out[0].names[0], "y");
    assert_non_null(inlay_graph_node(g, "sum"));
    assert_string_equal(g->results[0]->in[0].value->names[0], "z");
    release(in, MOST);
    inlay_graph_free(g);
}

/* An operand that is refused is refused by the run, or by the shape that is set. */
static void test_refused(void **state)
{
    inlay_graph *g = read(13, "m (float[] x) => (float[] y) {y = Flatten <axis = 3> (x)}");
    inlay_tensor *in[MOST] = {NULL}, *out[MOST] = {NULL};
    static const char said[] =
        "2: error: graph.node[0] (Flatten-13): axis is 3, it must be from -2 to 2";
    inlay_shape s = {.rank = 2, .dim = {{2, 2, 0}, {3, 3, 0}}};
    inlay_diags *d = inlay_diags_new();

    make_inputs((const char *const[]){"f32[2,3]", NULL}, in);
    for (int planned = 0; planned < 2; planned++) {
        assert_false(run(g, planned, in, out, d));
        assert_string_equal(model_messages(d), said);
        inlay_diags_clear(d);
    }
    assert_true(inlay_node_set_shape(g->params[0], "shape", &s, d));
    assert_false(inlay_infer_graph(g, d));
    assert_string_equal(model_messages(d), said);
    assert_int_equal(inlay_diags_status(d), INLAY_INVALID);
    inlay_diags_free(d);
    release(in, MOST);
    inlay_graph_free(g);
}

/* What a file says that is no operator is refused when it is read. */
static void test_malformed(void **state)
{
    static const char *const models[] = {
        "", "A", "?", "CAo=", "AAAA", "CAo6IwocCgF4EgF5IgdGbGF0dGVuKgsKBGF4aXMYAaABAloDCgF4QgQ"};

    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        inlay_strbuf b = {0};
        inlay_diags *d = inlay_diags_new();

        inlay_strbuf_printf(&b,
                            "graph \"g\" {\n%%x = Parameter {element_type = f32, shape = [2]}\n%%y "
                            "= Deferred-1@inlay(%%x) {operator = \"Abs\", version = 13, model = "
                            "\"%s\"}\n%%r = Result(%%y)\n}",
                            models[i]);
        assert_null(inlay_read_text("m.inlay", b.bytes, b.n, NULL, d));
        assert_string_equal(model_messages(d),
                            "3: error: node \"y\" (Abs-13): attribute \"model\" is no operator "
                            "with 1 operand in base64");
        inlay_strbuf_free(&b);
        inlay_diags_free(d);
    }
}

/* In a branch that is never taken nothing is refused. */
static void test_branches(void **state)
{
    inlay_graph *g =
        read(13, "m (float[] x, bool c) => (float[] y) {y = If (c) <then_branch = a () "
                 "=> (float[] t) {t = Flatten <axis = 3> (x)}, else_branch = b () => "
                 "(float[] e) {e = Neg (x)}>}");
    inlay_tensor *in[MOST] = {NULL}, *out[MOST] = {NULL};

    make_inputs((const char *const[]){"f32[2,3]", "boolean[]", NULL}, in);
    inlay_tensor_set_f64(in[1], 0, 0);
    runs_as(g, in, out);
    release(in, MOST);
    release(out, MOST);
    inlay_graph_free(g);
}

/* OpenVINO's IR has no such node, which is said with what would help. */
static void test_xml(void **state)
{
    inlay_graph *g = read(13, "m (float[] x, float[N,2] z) => (float[] y) {w = Neg (x) y = Flatten "
                              "(w) v = Abs (z)}");

    check_not_written(g, 11,
                      "2: error: node 1 \"y\" (Flatten-13): has no form in OpenVINO's IR yet: the "
                      "number of axes of \"w\" is not known before the run; say --shape x=...");
    inlay_graph_free(g);
}

/* A size that has a name is set by its name. */
static void test_dim(void **state)
{
    inlay_graph *g = read(11, "m (float[1,1,length] x, float[1,1,2] w) => (float[] y) {y = "
                              "ConvTranspose <auto_pad = \"SAME_UPPER\"> (x, w)}");

    assert_int_equal(count_in(g), 1);
    assert_int_equal(g->results[0]->in[0].value->fact.rank, 3);
    assert_true(inlay_graph_set_dim(g, "length", 5, NULL));
    assert_int_equal(count_in(g), 0);
    assert_int_equal(g->results[0]->in[0].value->fact.dims[2].lo, 5);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks),     cmocka_unit_test(test_packed),
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_lstm),
        cmocka_unit_test(test_bodies),    cmocka_unit_test(test_data),
        cmocka_unit_test(test_names),     cmocka_unit_test(test_captured),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_branches),
        cmocka_unit_test(test_malformed), cmocka_unit_test(test_xml),
        cmocka_unit_test(test_dim),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
