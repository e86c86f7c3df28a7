/* Steps that several threads share (interp/exec/run/split.c, call_split in kernels): the results are
 * those of one thread, bit for bit, however the work is split. Here all work that can be split is
 * split. test_planned_random.c has random graphs, test_ops.c the cases of operations,
 * test_workers.c the threads themselves. */
#include "generate/rng.h"
#include "graphs.h"
#include "interp/session.h"
#include "ir/shared.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <pthread.h>

#include <glob.h>

enum { MOST_OUTPUTS = 16, MOST_INPUTS = 16 };

static const int thread_counts[] = {2, 3, 7};
enum { COUNTS = sizeof thread_counts / sizeof thread_counts[0] };

/* Draws numbers for a Parameter; open sizes are 3, integers are 0 and 1, which are indices of most
 * tensors. */
static inlay_tensor *any_tensor(const inlay_fact *f, rng *r)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *t;

    for (int i = 0; i < f->rank; i++)
        dims[i] = inlay_dim_is_static(f->dims[i]) ? f->dims[i].lo : 3;
    t = inlay_tensor_new(f->type, f->rank, dims);
    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (inlay_type_is_float(f->type))
            inlay_tensor_set_f64(t, i, (double)rng_in(r, -4000, 4000) / 1024);
        else
            inlay_tensor_set_i64(t, i, rng_in(r, 0, 1));
    }
    return t;
}

/* Holds what two runs gave, or why the first one failed. */
struct outcome {
    bool ok;
    char message[300];
    inlay_tensor *out[2][MOST_OUTPUTS];
    exec_worker_counts counts;
};

/* Runs G in a program that splits what costs twice LEAST; 0: the usual cost. */
static struct outcome run_twice(const inlay_graph *g, int threads, int64_t least,
                                inlay_tensor *const *in)
{
    inlay_exec_options o = {.mode = INLAY_EXEC_PLANNED, .threads = threads, .poison = true};
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    struct outcome r = {.ok = s != NULL};

    if (!s)
        fail_msg("%s", inlay_diags_at(d, 0)->text);
    program_split(p, least);
    for (int k = 0; r.ok && k < 2; k++)
        r.ok = inlay_session_run(s, (const inlay_tensor *const *)in, NULL, r.out[k], d);
    if (!r.ok)
        snprintf(r.message, sizeof r.message, "%s", inlay_diags_at(d, 0)->text);
    r.counts = program_worker_counts(p);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return r;
}

static void free_outcome(struct outcome *r)
{
    for (int i = 0; i < 2 * MOST_OUTPUTS; i++)
        inlay_tensor_release(r->out[i / MOST_OUTPUTS][i % MOST_OUTPUTS]);
}

static void same_outcome(const char *name, int threads, int n_out, const struct outcome *a,
                         const struct outcome *b)
{
    if (a->ok != b->ok || strcmp(a->message, b->message) != 0)
        fail_msg("%s: %d threads say \"%s\", one says \"%s\"", name, threads, b->message,
                 a->message);
    for (int i = 0; i < 2 * n_out; i++) {
        if (a->ok &&
            !inlay_tensor_equal(a->out[i / n_out][i % n_out], b->out[i / n_out][i % n_out]))
            fail_msg("%s: output %d differs with %d threads", name, i % n_out, threads);
    }
}

/* Returns how many parts were handed out, in the runs of G with several threads. */
static uint64_t check_threads(const char *name, const inlay_graph *g, bool *ok)
{
    inlay_tensor *in[MOST_INPUTS];
    rng r = {20261122};
    struct outcome one;
    uint64_t parts = 0;

    assert_in_range(g->n_results, 1, MOST_OUTPUTS);
    assert_in_range(g->n_params, 0, MOST_INPUTS);
    for (int i = 0; i < g->n_params; i++)
        in[i] = any_tensor(&g->params[i]->out[0].fact, &r);
    one = run_twice(g, 1, 1, in);
    assert_int_equal(one.counts.splits, 0);
    for (int k = 0; k < COUNTS; k++) {
        struct outcome many = run_twice(g, thread_counts[k], 1, in);

        same_outcome(name, thread_counts[k], g->n_results, &one, &many);
        parts += many.counts.parts;
        free_outcome(&many);
    }
    *ok = one.ok;
    free_outcome(&one);
    for (int i = 0; i < g->n_params; i++)
        inlay_tensor_release(in[i]);
    return parts;
}

/* These kernels run at odd sizes. The graph of each has "%y = " before it and a Result behind
 * it. */

#define PARAM(name, type, shape)                                                                   \
    "%" name " = Parameter-1 {element_type = " type ", shape = " shape "}\n"
#define AXES(list) "%axes = Const-1 {value = i64" list "}\n"

static const char *const kernels[] = {
    /* recorded blocks: long rows, short rows, rows with gaps, one number for all */
    PARAM("a", "f32", "[1000]") "%y = Exp-1(%a)\n",
    PARAM("a", "f64", "[7,129]") "%y = Sigmoid-1(%a)\n",
    PARAM("a", "f32", "[13,700]") PARAM("b", "f32", "[13,1]") "%y = Add-1(%a, %b)\n",
    PARAM("a", "f32", "[3,200]") PARAM("b", "f32", "[]") "%y = Divide-1(%a, %b)\n",
    PARAM("a", "f32",
          "[5,100]") "%b = Const-1 {value = i64[1] [3]}\n"
                     "%e = Const-1 {value = i64[1] [91]}\n"
                     "%s = Const-1 {value = i64[1] [1]}\n" AXES(
                         "[1] [1]") "%c = Slice-8(%a, %b, %e, %s, %axes)\n%y = Abs-1(%c)\n",
    /* copies: dense, transposed, of parts */
    PARAM("a", "f32", "[37,11]") "%o = Const-1 {value = i64[2] [1, 0]}\n%y = Transpose-1(%a, %o)\n",
    PARAM("a", "i8",
          "[3,2,501]") "%o = Const-1 {value = i64[3] [2, 1, 0]}\n%y = Transpose-1(%a, %o)\n",
    PARAM("a", "f32", "[3,70]") PARAM("b", "f32", "[3,130]") "%y = Concat-1(%a, %b) {axis = 1}\n",
    PARAM("a", "i32", "[1,77]") "%s = Const-1 {value = i64[2] [5, 77]}\n%y = Broadcast-3(%a, %s)\n",
    /* products: square, a row, a column, batches that are broadcast, transposed, other types */
    PARAM("a", "f32", "[17,31]") PARAM("b", "f32", "[31,65]") "%y = MatMul-1(%a, %b)\n",
    PARAM("a", "f32", "[1,33]") PARAM("b", "f32", "[33,1000]") "%y = MatMul-1(%a, %b)\n",
    PARAM("a", "f32", "[129,33]") PARAM("b", "f32", "[33]") "%y = MatMul-1(%a, %b)\n",
    PARAM("a", "f64", "[2,1,5,7]") PARAM("b", "f64", "[3,7,130]") "%y = MatMul-1(%a, %b)\n",
    PARAM("a", "f32", "[9,21]") PARAM("b", "f32", "[70,9]") "%y = MatMul-1(%a, %b) {transpose_a = "
                                                            "true, transpose_b = true}\n",
    PARAM("a", "i32", "[5,3,4]") PARAM("b", "i32", "[5,4,9]") "%y = MatMul-1(%a, %b)\n",
    PARAM("a", "f16", "[11,6]") PARAM("b", "f16", "[6,67]") "%y = MatMul-1(%a, %b)\n",
    /* convolutions */
    PARAM("a", "f32", "[2,3,9,7]")
        PARAM("b", "f32", "[5,3,3,3]") "%y = Convolution-1(%a, %b) {strides = [2,1], dilations = "
                                       "[1,1], pads_begin = [1,1], "
                                       "pads_end = [1,1]}\n",
    PARAM("a", "f64", "[1,6,13]")
        PARAM("b", "f64", "[3,5,2,4]") "%y = GroupConvolution-1(%a, %b) {strides = [1], dilations "
                                       "= [2], pads_begin = [0], "
                                       "pads_end = [3]}\n",
    PARAM("a", "f32", "[2,3,5,4]")
        PARAM("b", "f32", "[3,7,3,2]") "%y = ConvolutionBackpropData-1(%a, %b) {strides = [2,2], "
                                       "dilations = [1,1], pads_begin = "
                                       "[1,0], pads_end = [0,1]}\n",
    PARAM("a", "f32", "[3,4,3,3,3]")
        PARAM("b", "f32", "[2,2,3,2,2,2]") "%y = GroupConvolutionBackpropData-1(%a, %b) {strides = "
                                           "[1,2,1], dilations = [1,1,1], "
                                           "pads_begin = [0,0,0], pads_end = [0,0,0]}\n",
    PARAM("a", "i32", "[1,2,5,5]")
        PARAM("b", "i32", "[9,2,2,2]") "%y = Convolution-1(%a, %b) {strides = [1,1], dilations = "
                                       "[1,1], pads_begin = [0,0], "
                                       "pads_end = [0,0]}\n",
    /* poolings */
    PARAM("a", "f32", "[1,9,19,23]") "%y = MaxPool-1(%a) {kernel = [3,3], strides = [2,2], "
                                     "pads_begin = [1,1], pads_end = [1,1]}\n",
    PARAM("a", "f64", "[2,3,17]") "%y = AvgPool-1(%a) {kernel = [4], strides = [3], pads_begin = "
                                  "[1], pads_end = [2], "
                                  "exclude-pad = false}\n",
    PARAM("a", "f32", "[1,5,7,6]") "%p:2 = MaxPool-8(%a) {kernel = [2,2], strides = [1,2], "
                                   "pads_begin = [0,0], pads_end = "
                                   "[0,0]}\n%y = Abs-1(%p:1)\n",
    /* folds: along the first axis, the last one, those between, all */
    PARAM("a", "f32", "[50,211]") AXES("[1] [0]") "%y = ReduceSum-1(%a, %axes)\n",
    PARAM("a", "f32", "[50,211]") AXES("[1] [1]") "%y = ReduceMean-1(%a, %axes)\n",
    PARAM("a", "f64", "[5,6,7,3]") AXES("[2] [0, 2]") "%y = ReduceL2-4(%a, %axes)\n",
    PARAM("a", "f32", "[5,70,29]") AXES("[2] [0, 2]") "%y = ReduceL1-4(%a, %axes)\n",
    PARAM("a", "i32", "[5,6,7]") AXES("[1] [1]") "%y = ReduceMax-1(%a, %axes)\n",
    /* all elements are one row, which is never parted; it is too long for a tile, so that Abs is
     * shared and the fold is not */
    PARAM("a", "f64", "[5,120]") AXES("[2] [0, 1]") "%b = Abs-1(%a)\n%y = ReduceProd-1(%b, "
                                                    "%axes)\n",
    /* groups that fold rows: tiles of several rows, and what goes on behind the fold */
    PARAM("a", "f32", "[50,211]") AXES("[1] [1]") "%b = Abs-1(%a)\n%y = ReduceProd-1(%b, %axes)\n",
    PARAM("a", "f64", "[3,41,12]")
        AXES("[1] [2]") "%m = ReduceMean-1(%a, %axes) {keep_dims = true}\n"
                        "%c = Subtract-1(%a, %m)\n%r = Exp-1(%m)\n%y = Divide-1(%c, %r)\n",
    /* lines, and what is folded and spread again */
    PARAM("a", "f32", "[11,37]") "%y = SoftMax-8(%a) {axis = 1}\n",
    PARAM("a", "f64", "[3,5,19]") "%y = SoftMax-8(%a) {axis = 1}\n",
    PARAM("a", "f32", "[5,9,4]") "%y = LogSoftmax-5(%a) {axis = 0}\n",
    PARAM("a", "f32", "[3,7,10]")
        AXES("[1] [2]") "%y = MVN-6(%a, %axes) {eps = 0.001, normalize_variance = true, eps_mode = "
                        "\"inside_sqrt\"}\n",
    PARAM("a", "f64", "[4,5,6]") AXES(
        "[2] [1, 2]") "%y = MVN-6(%a, %axes) {eps = 0.001, normalize_variance = true, eps_mode = "
                      "\"outside_sqrt\"}\n",
    PARAM("a", "f32", "[6,2,31]")
        AXES("[1] [2]") "%y = NormalizeL2-1(%a, %axes) {eps = 0.01, eps_mode = \"max\"}\n",
    PARAM("a", "f32", "[2,7,4,3]")
        AXES("[1] [1]") "%y = LRN-1(%a, %axes) {alpha = 0.1, beta = 0.75, bias = 1.5, size = 3}\n",
    PARAM("a", "f32", "[3,5,11]")
        PARAM("b", "f32", "[5]") "%v = Multiply-1(%b, %b)\n"
                                 "%y = BatchNormInference-5(%a, %b, %b, %b, %v) {epsilon = 0.01}\n",
    /* elements that are moved by their places: rows, single ones, a choice */
    PARAM("a", "f32", "[5,7,3]") "%i = Const-1 {value = i64[2,3] [6, -7, 2, 0, 9, -1]}\n" AXES(
        "[] 1") "%y = Gather-8(%a, %i, %axes)\n",
    PARAM("a", "i8", "[4,5,6]") "%i = Const-1 {value = i64[4,3] [0, 4, -1, 1, 2, 3, 4, -5, 0, 1, "
                                "1, 1]}\n" AXES("[] 1") "%y = Gather-8(%a, %i, %axes) {batch_dims "
                                                        "= 1}\n",
    PARAM("a", "boolean", "[7,1,5]") PARAM("b", "f32", "[7,9,5]")
        PARAM("c", "f32", "[9,1]") "%y = Select-1(%a, %b, %c)\n",
    /* resizing */
    PARAM("a", "f32", "[2,3,5,7]") "%size = Const-1 {value = i64[2] [9, 4]}\n" AXES(
        "[2] [2, 3]") "%y = Interpolate-11(%a, %size, %axes) {mode = \"nearest\", "
                      "shape_calculation_mode = \"sizes\", pads_begin = [0, 0, 1, 0]}\n",
    PARAM("a", "f32", "[2,3,5,7]") "%size = Const-1 {value = i64[2] [9, 4]}\n" AXES(
        "[2] [2, 3]") "%y = Interpolate-11(%a, %size, %axes) {mode = \"linear_onnx\", "
                      "shape_calculation_mode = "
                      "\"sizes\"}\n",
    PARAM("a", "f32", "[1,2,6,5]") "%size = Const-1 {value = i64[2] [13, 11]}\n" AXES(
        "[2] [2, 3]") "%y = Interpolate-11(%a, %size, %axes) {mode = \"cubic\", "
                      "shape_calculation_mode = "
                      "\"sizes\"}\n",
};

enum { KERNELS = sizeof kernels / sizeof kernels[0] };

static void test_kernels(void **state)
{
    char text[2000];

    for (int i = 0; i < KERNELS; i++) {
        inlay_graph *g;
        bool ok;

        snprintf(text, sizeof text, "%s%%out = Result-1(%%y)\n", kernels[i]);
        g = graph_of(text);
        if (check_threads(kernels[i], g, &ok) < 2 * COUNTS || !ok)
            fail_msg("nothing was split, or the run failed: %s", kernels[i]);
        inlay_graph_free(g);
    }
}

/* Groups (interp/exec/build/fuse.c) are split at the usual cost if their steps alone would be. */

/* Returns how many parts the steps TEXT of %a, a tensor of ROWS rows of LENGTH elements, are for
 * seven threads in two runs. */
static uint64_t usual_parts(const char *text, int rows, int length)
{
    char all[500];
    rng r = {3};
    inlay_graph *g;
    inlay_tensor *in;
    struct outcome o;

    snprintf(all, sizeof all,
             "%%a = Parameter-1 {element_type = f32, shape = [%d,%d]}\n"
             "%%axes = Const-1 {value = i64[1] [1]}\n%s%%out = Result-1(%%y)\n",
             rows, length, text);
    g = graph_of(all);
    in = any_tensor(&g->params[0]->out[0].fact, &r);
    o = run_twice(g, 7, 0, &in);
    assert_true(o.ok);
    free_outcome(&o);
    inlay_tensor_release(in);
    inlay_graph_free(g);
    return o.counts.parts;
}

static void test_usual_cost(void **state)
{
    /* one row; rows of one tile, of more than one, of two elements; too few for two parts */
    static const int shapes[][2] = {{1, 300000}, {140, 1000}, {140, 1025}, {70000, 2}, {9, 600}};
    uint64_t most = 0;

    for (int i = 0; i < (int)(sizeof shapes / sizeof shapes[0]); i++) {
        const int *d = shapes[i];
        uint64_t abs = usual_parts("%y = Abs-1(%a)\n", d[0], d[1]);
        uint64_t fold = usual_parts("%y = ReduceMean-1(%a, %axes)\n", d[0], d[1]);
        uint64_t both = usual_parts("%b = Abs-1(%a)\n%y = ReduceMean-1(%b, %axes)\n", d[0], d[1]);

        if (both < abs || both < fold)
            fail_msg("%d rows of %d: %llu parts, %llu and %llu of one step alone", d[0], d[1],
                     (unsigned long long)both, (unsigned long long)abs, (unsigned long long)fold);
        most = both > most ? both : most;
    }
    assert_true(most > 2);
}

/* The models of the tree */

/* Returns whether a model is small. A model of the tree has inputs of hundreds of megabytes, and
 * would take a minute. */
static bool is_small(const inlay_graph *g)
{
    double elements = 0;

    for (int i = 0; i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;
        double n = 1;

        for (int k = 0; k < f->rank; k++)
            n *= inlay_dim_is_static(f->dims[k]) ? (double)f->dims[k].lo : 3;
        elements += n;
    }
    return elements < 1e6;
}

static uint64_t check_model(const char *path, bool *ok)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_file(path, NULL, d);
    uint64_t parts = 0;

    if (!g || !inlay_run_passes(g, NULL, d))
        fail_msg("%s: %s", path, inlay_diags_at(d, 0)->text);
    *ok = true;
    if (is_small(g))
        parts = check_threads(path, g, ok);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return parts;
}

static void test_models(void **state)
{
    static const char *const patterns[] = {"models/*/*.xml", "models/*/*.inlay",
                                           "models/*/[a-z]*.json", "models/onnx/*/*.onnx"};
    int n = 0, good = 0;
    uint64_t parts = 0;

    for (int i = 0; i < 4; i++) {
        glob_t found = {0};

        assert_int_equal(glob(patterns[i], 0, NULL, &found), 0);
        for (size_t k = 0; k < found.gl_pathc; k++, n++) {
            bool ok;

            parts += check_model(found.gl_pathv[k], &ok);
            good += ok;
        }
        globfree(&found);
    }
    print_message("# %d models, %d runs went well, %llu parts\n", n, good,
                  (unsigned long long)parts);
    assert_true(n > 30 && good > n * 9 / 10 && parts > 2000);
}

/* Sessions of several threads share the program's workers. */

struct shared {
    const inlay_program *program;
    inlay_tensor *in, *expected;
    bool ok;
};

static void *run_session(void *arg)
{
    struct shared *w = arg;
    inlay_session *s = inlay_session_new(w->program, NULL);

    w->ok = s != NULL;
    for (int i = 0; w->ok && i < 40; i++) {
        inlay_tensor *out = NULL;

        w->ok = inlay_session_run(s, (const inlay_tensor *const[]){w->in}, NULL, &out, NULL) &&
                inlay_tensor_equal(out, w->expected);
        inlay_tensor_release(out);
    }
    inlay_session_free(s);
    return NULL;
}

static void test_sessions_share(void **state)
{
    inlay_graph *g = graph_of(PARAM("a", "f32", "[33,65]") "%b = MatMul-1(%a, %a) {transpose_b = "
                                                           "true}\n%c = Exp-1(%b)\n"
                                                           "%d = SoftMax-8(%c) {axis = 0}\n" AXES(
                                                               "[1] [0]") "%y = ReduceSum-1(%d, "
                                                                          "%axes)\n"
                                                                          "%out = Result-1(%y)\n");
    inlay_exec_options o = {.mode = INLAY_EXEC_PLANNED, .threads = 4};
    inlay_program *p = inlay_compile(g, &o, NULL);
    struct outcome one;
    struct shared w[3];
    pthread_t id[3];
    rng r = {7};
    inlay_tensor *in = any_tensor(&g->params[0]->out[0].fact, &r);

    one = run_twice(g, 1, 1, &in);
    program_split(p, 1);
    for (int i = 0; i < 3; i++) {
        w[i] = (struct shared){p, in, one.out[0][0], false};
        assert_int_equal(pthread_create(&id[i], NULL, run_session, &w[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(id[i], NULL);
        assert_true(w[i].ok);
    }
    assert_true(program_worker_counts(p).splits > 0);
    free_outcome(&one);
    inlay_tensor_release(in);
    inlay_program_free(p);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_usual_cost),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_sessions_share),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
