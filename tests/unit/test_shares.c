/* How much of nets one thread computes alone: work is counted, never time, so that a machine of
 * two processors says what sixteen would do. Layers have the sizes of ResNet-50, MobileNetV2 and BERT. */
#include "interp/session.h"
#include "ir/build.h"
#include "support.h"

/* A graph that grows at its end X, whose messages go to D. */
struct net {
    inlay_graph *g;
    inlay_diags *d;
    inlay_value *x;
};

static inlay_value *weights(struct net *n, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, rank, dims);
    inlay_value *v;

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)(i % 7 - 3) / 64);
    v = inlay_build_const(n->g, NULL, t, n->d);
    inlay_tensor_release(t);
    assert_non_null(v);
    return v;
}

/* Returns the output of OPERATION on A, and on B unless that is NULL. */
static inlay_value *op(struct net *n, const char *operation, inlay_value *a, inlay_value *b,
                       const char *attrs)
{
    inlay_value *in[] = {a, b};
    inlay_node *made = inlay_build(n->g, NULL, operation, in, b ? 2 : 1, attrs, n->d);

    if (!made)
        fail_msg("%s: %s", operation, inlay_diags_at(n->d, 0)->text);
    return &made->out[0];
}

/* Adds a convolution of SIDE x SIDE places with a bias, from IN to OUT channels, depthwise if IN is
 * 0; PLUS is added to it, NULL: nothing; and ACTIVATION, or NULL. */
static void convolve(struct net *n, int in, int out, int side, int stride, inlay_value *plus,
                     const char *activation)
{
    const int64_t filters[] = {out, in, side, side}, groups[] = {out, 1, 1, side, side};
    const int64_t bias[] = {1, out, 1, 1};
    inlay_value *f = in > 0 ? weights(n, 4, filters) : weights(n, 5, groups);
    char attrs[200];

    snprintf(attrs, sizeof attrs, "strides=%d,%d; pads_begin=%d,%d; pads_end=%d,%d; dilations=1,1",
             stride, stride, side / 2, side / 2, side / 2, side / 2);
    n->x = op(n, in > 0 ? "Convolution" : "GroupConvolution", n->x, f, attrs);
    n->x = op(n, "Add", n->x, weights(n, 4, bias), NULL);
    if (plus)
        n->x = op(n, "Add", n->x, plus, NULL);
    if (activation)
        n->x = op(n, activation, n->x, NULL, activation[0] == 'C' ? "min=0; max=6" : NULL);
}

/* Begins with an input of RANK DIMS. */
static struct net begin(int rank, const int64_t *dims)
{
    struct net n = {NULL, inlay_diags_new(), NULL};
    inlay_shape shape;

    n.g = inlay_graph_new("net", n.d);
    assert_non_null(n.g);
    inlay_shape_of_rank(&shape, rank);
    for (int i = 0; i < rank; i++)
        shape.dim[i] = inlay_dim_of(dims[i]);
    n.x = inlay_build_parameter(n.g, "x", INLAY_F32, &shape, n.d);
    assert_non_null(n.x);
    return n;
}

static struct net resnet(void)
{
    const int64_t dims[] = {1, 3, 224, 224};
    struct net n = begin(4, dims);

    convolve(&n, 3, 64, 7, 2, NULL, "ReLU");
    n.x = op(&n, "MaxPool@opset1", n.x, NULL,
             "strides=2,2; pads_begin=1,1; pads_end=1,1; kernel=3,3");
    for (int in = 64, wide = 64; wide <= 512; in = 4 * wide, wide *= 2) {
        inlay_value *first;

        convolve(&n, in, wide, 1, 1, NULL, "ReLU");
        convolve(&n, wide, wide, 3, wide == 64 ? 1 : 2, NULL, "ReLU");
        convolve(&n, wide, 4 * wide, 1, 1, NULL, "ReLU");
        first = n.x;
        convolve(&n, 4 * wide, wide, 1, 1, NULL, "ReLU");
        convolve(&n, wide, wide, 3, 1, NULL, "ReLU");
        convolve(&n, wide, 4 * wide, 1, 1, first, "ReLU");
    }
    return n;
}

static struct net mobilenet(void)
{
    static const int stages[][3] = {{24, 144, 2}, {32, 192, 2},  {64, 384, 2},
                                    {96, 576, 1}, {160, 960, 2}, {320, 1280, 1}};
    const int64_t dims[] = {1, 3, 224, 224};
    struct net n = begin(4, dims);

    convolve(&n, 3, 96, 3, 2, NULL, "Clamp");
    for (int i = 0, wide = 96; i < 6; wide = stages[i++][1]) {
        convolve(&n, 0, wide, 3, stages[i][2], NULL, "Clamp");
        convolve(&n, wide, stages[i][0], 1, 1, NULL, NULL);
        convolve(&n, stages[i][0], stages[i][1], 1, 1, NULL, "Clamp");
    }
    return n;
}

/* Returns X by weights of IN and OUT. */
static inlay_value *linear(struct net *n, inlay_value *x, int in, int out)
{
    const int64_t dims[] = {in, out}, bias[] = {out};

    return op(n, "Add", op(n, "MatMul", x, weights(n, 2, dims), NULL), weights(n, 1, bias), NULL);
}

/* Returns X by weights, as heads. */
static inlay_value *heads(struct net *n, inlay_value *x)
{
    const int64_t parts[] = {1, 128, 12, 64}, order[] = {0, 2, 1, 3};
    inlay_value *y = op(n, "Reshape", linear(n, x, 768, 768),
                        inlay_build_i64_list(n->g, NULL, parts, 4, n->d), "special_zero=false");

    return op(n, "Transpose", y, inlay_build_i64_list(n->g, NULL, order, 4, n->d), NULL);
}

/* Returns X + Y, normalised. */
static inlay_value *join(struct net *n, inlay_value *x, inlay_value *y)
{
    const int64_t last[] = {-1};

    return op(n, "MVN", op(n, "Add", x, y, NULL), inlay_build_i64_list(n->g, NULL, last, 1, n->d),
              "eps=1e-5; normalize_variance=true; eps_mode=inside_sqrt");
}

static struct net bert(void)
{
    const int64_t dims[] = {1, 128, 768}, order[] = {0, 2, 1, 3};
    struct net n = begin(3, dims);
    inlay_value *q = heads(&n, n.x), *k = heads(&n, n.x), *v = heads(&n, n.x), *y;

    y = op(&n, "MatMul", q, k, "transpose_b=true");
    y = op(&n, "MatMul", op(&n, "Softmax", y, NULL, "axis=-1"), v, NULL);
    y = op(&n, "Transpose", y, inlay_build_i64_list(n.g, NULL, order, 4, n.d), NULL);
    y = op(&n, "Reshape", y, inlay_build_i64_list(n.g, NULL, dims, 3, n.d), "special_zero=false");
    n.x = join(&n, n.x, linear(&n, y, 768, 768));
    y = op(&n, "Gelu", linear(&n, n.x, 768, 3072), NULL, NULL);
    n.x = join(&n, n.x, linear(&n, y, 3072, 768));
    return n;
}

/* Returns what THREADS threads count in a run of N. */
static exec_worker_counts count(const struct net *n, int threads)
{
    inlay_exec_options o = {.mode = INLAY_EXEC_PLANNED, .threads = threads};
    inlay_program *p = inlay_compile(n->g, &o, n->d);
    inlay_session *s = p ? inlay_session_new(p, n->d) : NULL;
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *in, *out;
    exec_worker_counts counts;

    if (!s)
        fail_msg("%s", inlay_diags_at(n->d, 0)->text);
    program_split(p, 0);
    assert_true(inlay_fact_dims(&n->g->params[0]->out[0].fact, dims));
    in = inlay_tensor_new(INLAY_F32, n->g->params[0]->out[0].fact.rank, dims);
    assert_non_null(in);
    for (int64_t i = 0; i < inlay_tensor_count(in); i++)
        inlay_tensor_set_f64(in, i, (double)(i % 11 - 5) / 8);
    assert_true(inlay_session_run(s, (const inlay_tensor *const *)&in, NULL, &out, n->d));
    counts = program_worker_counts(p);
    inlay_tensor_release(in);
    inlay_tensor_release(out);
    inlay_session_free(s);
    inlay_program_free(p);
    return counts;
}

/* Where the threads of a net need not wait for anything but the largest share of each step, it is
 * so many times as fast as with one. */
static void test_shares(void **state)
{
    static const struct {
        const char *name;
        struct net (*make)(void);
        double two, four, sixteen; /* threads */
    } nets[] = {{"ResNet-50", resnet, 1.9, 3.8, 13},
                {"MobileNetV2", mobilenet, 1.9, 3.4, 8},
                {"BERT", bert, 1.9, 3.8, 12}};

    for (int i = 0; i < (int)(sizeof nets / sizeof nets[0]); i++) {
        struct net n = nets[i].make();

        assert_non_null(inlay_build_result(n.g, "y", n.x, n.d));
        for (int threads = 2; threads <= 16; threads *= threads) {
            exec_worker_counts c = count(&n, threads);
            double times = (double)c.cost / (double)c.longest;

            if (times < (threads == 2   ? nets[i].two
                         : threads == 4 ? nets[i].four
                                        : nets[i].sixteen))
                fail_msg("%s: %d threads are at most %.2f times as fast as one", nets[i].name,
                         threads, times);
        }
        inlay_graph_free(n.g);
        inlay_diags_free(n.d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shares)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
