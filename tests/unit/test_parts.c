/* Groups that read what a kernel hands over, part by part (interp/exec/build/follow.c): which steps
 * do so, that random convolutions with random steps behind them give the bits of the reference for
 * any number of threads, and that the audit finds what is planted wrong. */
#include "generate/rng.h"
#include "graphs.h"
#include "grouped.h"
#include "interp/audit/audit.h"
#include "models.h"
#include "passes/passes.h"
#include "seeds.h"

#include <math.h>

#define CONVOLUTION                                                                                \
    "%x = Parameter-1 {element_type = f32, shape = [1,16,20,20]}\n"                                \
    "%f = Parameter-1 {element_type = f32, shape = [16,16,3,3]}\n"                                 \
    "%b = Parameter-1 {element_type = f32, shape = [1,16,1,1]}\n"                                  \
    "%c = Convolution-1(%x, %f) {strides = [1, 1], pads_begin = [1, 1], pads_end = [1, 1], "       \
    "dilations = [1, 1]}\n"

static const exec_fused *follower_of(const grouped *s)
{
    return grouped_step(s, "c")->kernel.follower;
}

/* Checks how many operations follow convolution c in BODY, and how many of them it may do itself.
 */
static void check_follows(const char *body, int n_ops, int begun)
{
    grouped s = grouped_of(body, INLAY_KERNELS_PORTABLE);
    const exec_fused *f = follower_of(&s);

    if ((f ? f->n_ops : 0) != n_ops || (f ? f->begun : 0) != begun)
        fail_msg("%d operations follow, %d of them begun:\n%s", f ? f->n_ops : 0, f ? f->begun : 0,
                 body);
    grouped_free(&s);
}

static void test_counts(void **state)
{
    check_follows(CONVOLUTION "%a = Add-1(%c, %b)\n%r = ReLU-1(%a)\n%out = Result-1(%r)\n", 2, 2);
    check_follows(CONVOLUTION "%r = ReLU-1(%c)\n%out = Result-1(%r)\n", 1, 1);
    check_follows(CONVOLUTION "%a = Add-1(%b, %c)\n%r = Clamp-1(%a) {min = 0, max = 6}\n"
                              "%out = Result-1(%r)\n",
                  2, 2);
    check_follows(CONVOLUTION "%a = Add-1(%c, %b)\n%s = Sigmoid-1(%a)\n%m = Multiply-1(%s, %a)\n"
                              "%out = Result-1(%m)\n",
                  3, 1);
    /* another tensor, as a residual, of the same elements */
    check_follows(CONVOLUTION "%a = Add-1(%c, %b)\n%s = Add-1(%y, %a)\n%r = ReLU-1(%s)\n"
                              "%y = Parameter-1 {element_type = f32, shape = [1,16,20,20]}\n"
                              "%out = Result-1(%r)\n",
                  3, 3);
    check_follows(CONVOLUTION "%s = Add-1(%c, %y)\n%a = Add-1(%s, %b)\n%r = ReLU-1(%a)\n"
                              "%y = Parameter-1 {element_type = f32, shape = [1,16,20,20]}\n"
                              "%out = Result-1(%r)\n",
                  3, 1);
    check_follows(CONVOLUTION "%s = Add-1(%c, %y)\n%t = Add-1(%s, %y)\n"
                              "%y = Parameter-1 {element_type = f32, shape = [1,16,20,20]}\n"
                              "%out = Result-1(%t)\n",
                  2, 1);
    check_follows(CONVOLUTION "%s = HSwish-4(%c)\n%out = Result-1(%s)\n", 1, 0);
    check_follows(CONVOLUTION "%s = Swish-4(%c)\n%out = Result-1(%s)\n", 1, 0);
    check_follows(CONVOLUTION "%s = HardSigmoid-1(%c, %k, %l)\n%k = Const-1 {value = f32[] 0.2}\n"
                              "%l = Const-1 {value = f32[] 0.5}\n%out = Result-1(%s)\n",
                  1, 0);
    check_follows(CONVOLUTION "%m = Multiply-1(%c, %b)\n%a = Add-1(%m, %b)\n%out = Result-1(%a)\n",
                  2, 0);
    /* halves */
    check_follows("%x = Parameter-1 {element_type = f16, shape = [1,16,20,20]}\n"
                  "%f = Parameter-1 {element_type = f16, shape = [16,16,3,3]}\n"
                  "%b = Parameter-1 {element_type = f16, shape = [1,16,1,1]}\n"
                  "%c = Convolution-1(%x, %f) {strides = [1, 1], pads_begin = [1, 1], pads_end = "
                  "[1, 1], dilations = [1, 1]}\n"
                  "%a = Add-1(%c, %b)\n%r = ReLU-1(%a)\n%h = HSwish-4(%r)\n%out = Result-1(%h)\n",
                  3, 2);
    /* whole rows: means of planes, and what else needs all of one */
    check_follows(CONVOLUTION "%s = Sigmoid-1(%c)\n%m = Multiply-1(%s, %c)\n%a = Const-1 {value = "
                              "i64[2] [2, 3]}\n%p = ReduceMean-1(%m, %a) {keep_dims = true}\n"
                              "%q = Multiply-1(%m, %p)\n%out = Result-1(%q)\n",
                  4, 0);
    check_follows(CONVOLUTION "%a = Const-1 {value = i64[2] [2, 3]}\n%p = ReduceMax-1(%c, %a) "
                              "{keep_dims = true}\n%out = Result-1(%p)\n",
                  1, 0);
    check_follows(CONVOLUTION "%n = SoftMax-8(%c) {axis = 3}\n%out = Result-1(%n)\n", 0, 0);
    /* the convolution's own operand as residual: it follows, but not in that operand's place */
    check_follows("%p = Parameter-1 {element_type = f32, shape = [1,16,20,20]}\n"
                  "%f = Parameter-1 {element_type = f32, shape = [16,16,1,1]}\n%y = Abs-1(%p)\n"
                  "%c = Convolution-1(%y, %f) {strides = [1, 1], pads_begin = [0, 0], pads_end = "
                  "[0, 0], dilations = [1, 1]}\n%a = Add-1(%c, %y)\n%n = SoftMax-8(%a) {axis = "
                  "1}\n%out = Result-1(%n)\n",
                  1, 1);
    /* it is read elsewhere, too, or is a result */
    check_follows(CONVOLUTION "%r = ReLU-1(%c)\n%m = MatMul-1(%c, %r)\n%out = Result-1(%m)\n", 0,
                  0);
    check_follows(CONVOLUTION "%r = ReLU-1(%c)\n%out = Result-1(%r)\n%also = Result-1(%c)\n", 0, 0);
    /* other elements */
    check_follows(CONVOLUTION "%a = Add-1(%c, %p)\n%p = Parameter-1 {element_type = f32, "
                              "shape = [3,1,1,1]}\n%out = Result-1(%a)\n",
                  0, 0);
}

static exec_allocation *allocation_of(const grouped *s, const char *name)
{
    exec_allocation *u = &s->x->allocations[s->x->allocation[grouped_step(s, name)->out[0]]];

    return &s->x->allocations[u->same];
}

/* A result stands in the place of its residual, though the output of the convolution, which is
 * written nowhere, dies there, too. */
static void test_residual(void **state)
{
    grouped s = grouped_of(
        "%p = Parameter-1 {element_type = f32, shape = [1,16,20,20]}\n"
        "%f = Parameter-1 {element_type = f32, shape = [16,16,1,1]}\n"
        "%b = Parameter-1 {element_type = f32, shape = [1,16,1,1]}\n"
        "%y = SoftMax-8(%p) {axis = 1}\n%z = SoftMax-8(%y) {axis = 1}\n"
        "%c = Convolution-1(%z, %f) {strides = [1, 1], pads_begin = [0, 0], pads_end = [0, 0], "
        "dilations = [1, 1]}\n"
        "%a = Add-1(%c, %b)\n%s = Add-1(%a, %y)\n%r = ReLU-1(%s)\n"
        "%n = SoftMax-8(%r) {axis = 1}\n%out = Result-1(%n)\n",
        INLAY_KERNELS_PORTABLE);

    assert_ptr_equal(allocation_of(&s, "r"), allocation_of(&s, "y"));
    assert_ptr_not_equal(allocation_of(&s, "r"), allocation_of(&s, "c"));
    grouped_free(&s);
}

/* Random convolutions */

enum { TEXT = 1 << 17, INPUTS = 4 };

struct model {
    char text[TEXT];
    size_t used;
    int n, n_in; /* values behind the convolution; inputs */
    bool same;   /* the convolution's operand has the dims of its output */
    int64_t batch, channels, size;
    inlay_type type;
    inlay_tensor *in[INPUTS];
};

static void put(struct model *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct model *m, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    m->used += (size_t)vsnprintf(m->text + m->used, TEXT - m->used, fmt, args);
    va_end(args);
    assert_true(m->used < TEXT);
}

static double any_number(rng *r)
{
    static const double odd[] = {0, -0.0, 1e-42, 3e38, INFINITY, -INFINITY, NAN};

    return rng_one_in(r, 60) ? odd[rng_in(r, 0, 6)] : (double)rng_in(r, -3000000, 3000000) / 999983;
}

/* Adds a Parameter of these dims. */
static void add_input(rng *r, struct model *m, const char *name, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(m->type, rank, dims);

    assert_true(t && m->n_in < INPUTS);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, any_number(r));
    put(m, "%%%s = Parameter-1 {element_type = %s, shape = [", name,
        inlay_type_info_of(m->type)->name);
    for (int i = 0; i < rank; i++)
        put(m, "%s%lld", i ? "," : "", (long long)dims[i]);
    put(m, "]}\n");
    m->in[m->n_in++] = t;
}

/* Adds filters, which are constant, so that they are packed. */
static void add_filters(rng *r, struct model *m, bool groups, int64_t channels, int64_t in,
                        int64_t kernel)
{
    int64_t n = channels * in * kernel * kernel;

    put(m, "%%f = Const-1 {value = %s[%lld,%lld,%s%lld,%lld] [", inlay_type_info_of(m->type)->name,
        (long long)channels, (long long)(groups ? 1 : in), groups ? "1," : "", (long long)kernel,
        (long long)kernel);
    for (int64_t i = 0; i < n; i++)
        put(m, "%s%.3f", i ? "," : "", (double)rng_in(r, -2000, 2000) / 1000);
    put(m, "]}\n");
}

/* Adds a step that reads value N - 1, and perhaps an earlier one. */
static void add_step(rng *r, struct model *m)
{
    static const char *const one[] = {"ReLU-1",     "Abs-1",  "Sigmoid-1", "HSwish-4",
                                      "HSigmoid-5", "Tanh-1", "Gelu-7"};
    static const char *const two[] = {"Add", "Multiply", "Subtract", "Maximum"};
    static const char *const folds[] = {"Mean-1", "Max-1", "Sum-1", "L2-4"};
    const char *const with[] = {"b", "y", "b", "v0", "k", m->same ? "w" : "y"};
    int last = m->n - 1;

    if (rng_one_in(r, 7))
        put(m,
            "%%p%d = Reduce%s(%%v%d, %%plane) {keep_dims = true}\n%%v%d = Multiply-1(%%v%d, "
            "%%p%d)\n",
            m->n, folds[rng_in(r, 0, 3)], last, m->n, last, m->n);
    else if (rng_one_in(r, 5))
        put(m, "%%v%d = Clamp-1(%%v%d) {min = -1.5, max = 2.5}\n", m->n, last);
    else if (rng_one_in(r, 2))
        put(m, "%%v%d = %s(%%v%d)\n", m->n, one[rng_in(r, 0, 6)], last);
    else if (rng_one_in(r, 3))
        put(m, "%%v%d = %s-1(%%%s, %%v%d)\n", m->n, two[rng_in(r, 0, 3)], with[rng_in(r, 0, 5)],
            last);
    else
        put(m, "%%v%d = %s-1(%%v%d, %%%s)\n", m->n, two[rng_in(r, 0, 3)], last,
            with[rng_in(r, 0, 5)]);
    m->n++;
}

static void make_model(rng *r, struct model *m)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F16, INLAY_BF16};
    bool groups = rng_one_in(r, 3);
    int64_t kernel = rng_in(r, 1, 3), stride = rng_in(r, 1, 2);
    int64_t channels = rng_in(r, 9, 40);
    int64_t in = groups ? 1 : rng_one_in(r, 3) ? channels : rng_in(r, 1, 5);
    int64_t pad = rng_in(r, 0, kernel / 2);

    *m = (struct model){
        .n = 1, .batch = rng_in(r, 1, 2), .channels = channels, .type = types[rng_in(r, 0, 3)]};
    m->size = rng_in(r, kernel, 22);
    add_input(r, m, "x", 4, (int64_t[]){m->batch, groups ? m->channels : in, m->size, m->size});
    add_input(r, m, "b", 4, (int64_t[]){1, m->channels, 1, 1});
    m->size = (m->size + 2 * pad - kernel) / stride + 1;
    add_input(r, m, "y", 4, (int64_t[]){m->batch, m->channels, m->size, m->size});
    add_input(r, m, "k", 1, (int64_t[]){1});
    add_filters(r, m, groups, m->channels, in, kernel);
    m->same = m->in[0]->dims[1] == m->channels && m->in[0]->dims[2] == m->size;
    put(m,
        "%%plane = Const-1 {value = i64[2] [2, 3]}\n%%w = Abs-1(%%x)\n"
        "%%v0 = %s-1(%%w, %%f) {strides = [%lld, %lld], pads_begin = [%lld, %lld], pads_end = "
        "[%lld, %lld], dilations = [1, 1]}\n",
        groups ? "GroupConvolution" : "Convolution", (long long)stride, (long long)stride,
        (long long)pad, (long long)pad, (long long)pad, (long long)pad);
    if (rng_one_in(r, 2))
        put(m, "%%v%d = Add-1(%%v0, %%b)\n", m->n++);
    for (int64_t n = rng_in(r, 1, 6); n > 0; n--)
        add_step(r, m);
    if (rng_one_in(r, 3))
        put(m, "%%last = Concat-1(%%y, %%v%d) {axis = 1}\n", m->n - 1);
    else
        put(m, "%%last = Abs-1(%%v%d)\n", m->n - 1);
    put(m, "%%r0 = Result-1(%%last)\n");
    if (rng_one_in(r, 4))
        put(m, "%%r1 = Result-1(%%v%d)\n", (int)rng_in(r, 0, m->n - 1));
    else
        put(m, "%%r1 = Result-1(%%y)\n");
}

/* Runs the passes that make notes on G. */
static void make_notes(inlay_graph *g)
{
    inlay_diags *d = inlay_diags_new();

    if (!inlay_run_passes(g, &(inlay_pass_options){0}, d))
        fail_msg("%s", model_messages(d));
    inlay_diags_free(d);
}

/* Compares all results of the reference with those of the planned executor, behind the passes that
 * make notes. */
static void check_model(const struct model *m, uint64_t seed)
{
    inlay_graph *g = graph_of(m->text);
    inlay_tensor *want[2], *got[2];

    grouped_run(g, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE}, m->in, m->text, want);
    make_notes(g);
    for (int threads = 1; threads <= 3; threads++) {
        grouped_run(g, &(inlay_exec_options){.threads = threads, .poison = threads == 2}, m->in,
                    m->text, got);
        for (int i = 0; i < 2; i++) {
            if (!grouped_same(want[i], got[i]))
                fail_msg("INLAY_SEED=%llu, %d threads: result %d differs:\n%.3000s",
                         (unsigned long long)seed, threads, i, m->text);
            inlay_tensor_release(got[i]);
        }
    }
    for (int i = 0; i < 2; i++)
        inlay_tensor_release(want[i]);
    inlay_graph_free(g);
}

static void test_random(void **state)
{
    seed_range seeds = seeds_to_try(150, 20);
    struct model *m = malloc(sizeof *m);

    assert_non_null(m);
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        grouped s;

        make_model(&r, m);
        s = grouped_of(m->text, INLAY_KERNELS_PORTABLE); /* audits it */
        grouped_free(&s);
        check_model(m, seeds.first + i);
        for (int k = 0; k < m->n_in; k++)
            inlay_tensor_release(m->in[k]);
    }
    free(m);
}

/* What the audit must refuse */

static const char mistaken[] =
    "%x = Parameter-1 {element_type = f32, shape = [1,16,20,20]}\n"
    "%f = Parameter-1 {element_type = f32, shape = [16,16,3,3]}\n"
    "%b = Parameter-1 {element_type = f32, shape = [1,16,1,1]}\n"
    "%y = SoftMax-8(%x) {axis = 1}\n"
    "%c = Convolution-1(%y, %f) {strides = [1, 1], pads_begin = [1, 1], pads_end = [1, 1], "
    "dilations = [1, 1]}\n"
    "%a = Add-1(%c, %b)\n%r = ReLU-1(%a)\n%e = Exp-1(%r)\n%n = SoftMax-8(%e) {axis = 1}\n"
    "%out = Result-1(%n)\n";

static exec_fused *changed(const grouped *s)
{
    return (exec_fused *)grouped_step(s, "a")->fused;
}

static void over_its_operand(const grouped *s)
{
    s->x->allocations[s->x->allocation[grouped_step(s, "e")->out[0]]].same =
        (size_t)(allocation_of(s, "y") - s->x->allocations);
}

static void alive_too_late(const grouped *s)
{
    exec_step *e = grouped_step(s, "e");

    allocation_of(s, "e")->first = exec_time((size_t)(e - s->x->list));
}

static void parts_of_another_step(const grouped *s)
{
    changed(s)->follows--;
}

static void handed_to_nobody(const grouped *s)
{
    grouped_step(s, "c")->kernel.follower = NULL;
}

static void lane_of_no_part(const grouped *s)
{
    changed(s)->ops[0].parts = 0;
}

static void another_lane(const grouped *s)
{
    changed(s)->ops[2].parts = 2;
}

static void begun_too_far(const grouped *s)
{
    changed(s)->begun = 3;
}

static void rest_of_another_value(const grouped *s)
{
    changed(s)->rest->ops[0].parts = 0;
}

static void test_mistakes(void **state)
{
    static const struct {
        const char *name;
        void (*plant)(const grouped *s);
    } mistakes[] = {
        {"an output over what the kernel reads", over_its_operand},
        {"an output that others use while the kernel runs", alive_too_late},
        {"parts of another step", parts_of_another_step},
        {"parts that are handed to nobody", handed_to_nobody},
        {"a lane of parts that is read in memory", lane_of_no_part},
        {"parts in another lane", another_lane},
        {"a kernel that does too much", begun_too_far},
        {"a rest that reads no parts", rest_of_another_value},
    };

    check_follows(mistaken, 3, 2);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        grouped s = grouped_of(mistaken, INLAY_KERNELS_PORTABLE);

        mistakes[i].plant(&s);
        if (audit_instance(s.x, s.diags))
            fail_msg("the audit accepts %s", mistakes[i].name);
        grouped_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_residual),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
