/* A run allocates nothing once it is warm: with outputs in the caller's tensors, with variables
 * that are written in place, and with a loop of many links; also where threads share the steps, and
 * where sizes are new in each run. */
#include "graphs.h"
#include "interp/session.h"
#include "models.h"
#include "passes/passes.h"

#include <dirent.h>

#if defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

#if defined(__GLIBC__) && !SANITIZED && !defined(__SANITIZE_ADDRESS__) &&                          \
    !defined(__SANITIZE_THREAD__)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static long allocations;

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    allocations++;
    return __libc_realloc(old, size);
}

/* Runs BODY with the operands IN; its only output goes to T, or it has none. There are so many runs
 * that it shows when a count of what is kept from run to run grows. */
static void check_warm(const char *body, const char *const *in, int n_in, const char *t)
{
    inlay_pass_options o = {.passes = "in-place-windows"};
    inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED, .threads = 3};
    inlay_tensor *operand[4], *bound = t ? tensor_of(t) : NULL, *out[1];
    inlay_graph *g = graph_of(body);
    long before = 0;
    runner r;

    assert_true(inlay_run_passes(g, &o, NULL));
    r = runner_on(g, &planned);
    program_split(r.program, 1);
    for (int i = 0; i < n_in; i++)
        operand[i] = tensor_of(in[i]);
    assert_true(!bound || inlay_session_bind_output(r.session, 0, bound, r.diags));
    for (int i = 0; i < 2000; i++) {
        if (i == 10)
            before = allocations;
        if (!inlay_session_run(r.session, (const inlay_tensor *const *)operand, NULL, out, r.diags))
            fail_msg("%s", inlay_diags_at(r.diags, 0)->text);
        if (bound)
            inlay_tensor_release(out[0]);
    }
    assert_int_equal(allocations - before, 0);
    for (int i = 0; i < n_in; i++)
        inlay_tensor_release(operand[i]);
    inlay_tensor_release(bound);
    runner_free(&r);
}

#define WARM(body, t, ...)                                                                         \
    check_warm(body, (const char *const[]){__VA_ARGS__},                                           \
               sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), t)

static void test_elementwise(void **state)
{
    WARM("%x = Parameter-1 {element_type = f32, shape = [2,2]}\n"
         "%y = Parameter-1 {element_type = f32, shape = [2]}\n"
         "%a = Add-1(%x, %y)\n%b = Multiply-1(%a, %a)\n%c = Exp-1(%b)\n%out = Result-1(%c)\n",
         "f32[2,2] 0 0 0 0", "f32[2,2] 1 2 3 4", "f32[2] 1 2");
}

static void test_other_kernels(void **state)
{
    WARM("%x = Parameter-1 {element_type = f32, shape = [2,3]}\n"
         "%p = Const-1 {value = i64[2] [1, 0]}\n%t = Transpose-1(%x, %p)\n"
         "%m = MatMul-1(%x, %t)\n%s = SoftMax-8(%m) {axis = 1}\n"
         "%c = Concat-1(%s, %m) {axis = 0}\n%out = Result-1(%c)\n",
         "f32[4,2] 0 0 0 0 0 0 0 0", "f32[2,3] 1 2 3 4 5 6");
}

static void test_variable(void **state)
{
    WARM("%row = Parameter-1 {element_type = f32, shape = [1,4]}\n"
         "%place = Parameter-1 {element_type = i64, shape = [1]}\n"
         "%axis = Const-1 {value = i64[] 0}\n%all = Const-1 {value = i64[2] [0, 1]}\n"
         "%old = ReadValue-6 {variable_id = \"v\", variable_type = f32, variable_shape = [8,4]}\n"
         "%new = ScatterUpdate-3(%old, %place, %row, %axis)\n"
         "%save = Assign-6(%new) {variable_id = \"v\"}\n"
         "%back = Gather-8(%new, %place, %axis)\n%y = ReduceSum-1(%back, %all)\n"
         "%out = Result-1(%y)\n",
         "f32[] 0", "f32[1,4] 1 2 3 4", "i64[1] 3");
}

/* The loop has a carried value, and the number of the iteration. */
static void test_loop(void **state)
{
    WARM("%trip = Parameter-1 {element_type = i64, shape = []}\n"
         "%x = Parameter-1 {element_type = f32, shape = [4]}\n"
         "%go = Const-1 {value = boolean[] true}\n"
         "%l:1 = Loop-5(%trip, %go, %x)\n"
         "body \"b\" {\n"
         "%a = Parameter-1 {element_type = f32, shape = [4]}\n"
         "%i = Parameter-1 {element_type = i64, shape = []}\n"
         "%f = Convert-1(%i) {destination_type = f32}\n"
         "%s = Add-1(%a, %f)\n"
         "%max = Const-1 {value = i64[] 6}\n"
         "%less = Less-1(%i, %max)\n"
         "%c = Result-1(%less)\n"
         "%r = Result-1(%s)\n"
         "}\n"
         "in 2 -> %a\n"
         "in none -> %i iteration\n"
         "out %c -> none condition\n"
         "out %r -> 0\n"
         "back %r -> %a\n"
         "%out = Result-1(%l)\n",
         "f32[4] 0 0 0 0", "i64 9", "f32[4] 1 2 3 4");
}

/* Rows enter, are added up, and are joined; the sum is looked at, too. */
static void test_iterator(void **state)
{
    WARM("%x = Parameter-1 {element_type = f32, shape = [5,3]}\n"
         "%zero = Const-1 {value = f32[1,3] [0, 0, 0]}\n"
         "%ti:2 = TensorIterator-1(%x, %zero)\n"
         "body \"b\" {\n"
         "%row = Parameter-1 {element_type = f32, shape = [1,3]}\n"
         "%acc = Parameter-1 {element_type = f32, shape = [1,3]}\n"
         "%s = Add-1(%row, %acc)\n"
         "%r = Result-1(%s)\n"
         "}\n"
         "in 0 -> %row axis 0 start 0 end -1 stride 1 part_size 1\n"
         "in 1 -> %acc\n"
         "out %r -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n"
         "out %r -> 1\n"
         "back %r -> %acc\n"
         "%y = Subtract-1(%ti:0, %ti:1)\n"
         "%out = Result-1(%y)\n",
         "f32[5,3] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "f32[5,3] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
}

static void test_if(void **state)
{
    WARM("%cond = Parameter-1 {element_type = boolean, shape = []}\n"
         "%x = Parameter-1 {element_type = f32, shape = [4]}\n"
         "%if:1 = If-8(%cond, %x)\n"
         "then_body \"t\" {\n"
         "%a = Parameter-1 {element_type = f32, shape = [4]}\n"
         "%s = Exp-1(%a)\n"
         "%r = Result-1(%s)\n"
         "}\n"
         "in 1 -> %a\n"
         "out %r -> 0\n"
         "else_body \"e\" {\n"
         "%a = Parameter-1 {element_type = f32, shape = [4]}\n"
         "%r = Result-1(%a)\n"
         "}\n"
         "in 1 -> %a\n"
         "out %r -> 0\n"
         "%y = Abs-1(%if)\n"
         "%out = Result-1(%y)\n",
         "f32[4] 0 0 0 0", "boolean true", "f32[4] 1 2 3 4");
}

/* A loop is in a loop: what the inner one gives is carried by the outer one. */
static void test_nested_loops(void **state)
{
    WARM("%x = Parameter-1 {element_type = f32, shape = [4]}\n"
         "%trip = Const-1 {value = i64[] 3}\n"
         "%go = Const-1 {value = boolean[] true}\n"
         "%l:1 = Loop-5(%trip, %go, %x)\n"
         "body \"outer\" {\n"
         "%a = Parameter-1 {element_type = f32, shape = [4]}\n"
         "%n = Const-1 {value = i64[] 5}\n"
         "%yes = Const-1 {value = boolean[] true}\n"
         "%m:1 = Loop-5(%n, %yes, %a)\n"
         "body \"inner\" {\n"
         "%b = Parameter-1 {element_type = f32, shape = [4]}\n"
         "%on = Const-1 {value = boolean[] true}\n"
         "%s = Add-1(%b, %b)\n"
         "%c = Result-1(%on)\n"
         "%r = Result-1(%s)\n"
         "}\n"
         "in 2 -> %b\n"
         "out %c -> none condition\n"
         "out %r -> 0\n"
         "back %r -> %b\n"
         "%c = Result-1(%yes)\n"
         "%r = Result-1(%m)\n"
         "}\n"
         "in 2 -> %a\n"
         "out %c -> none condition\n"
         "out %r -> 0\n"
         "back %r -> %a\n"
         "%out = Result-1(%l)\n",
         "f32[4] 0 0 0 0", "f32[4] 1 2 3 4");
}

/* A state is another tensor after each run: two buffers take turns. */
static void test_other_state(void **state)
{
    WARM("%x = Parameter-1 {element_type = f32, shape = [4]}\n"
         "%old = ReadValue-6 {variable_id = \"v\", variable_type = f32, variable_shape = [4]}\n"
         "%new = Add-1(%old, %x)\n%save = Assign-6(%new) {variable_id = \"v\"}\n"
         "%y = Multiply-1(%old, %new)\n%out = Result-1(%y)\n",
         "f32[4] 0 0 0 0", "f32[4] 1 2 3 4");
}

/* Scratch memory of more than a page stays with the session. */
static void test_scratch(void **state)
{
    WARM("%x = Parameter-1 {element_type = f16, shape = [1,1,1,4]}\n"
         "%n = Const-1 {value = i64[4] [1, 8, 32, 1]}\n%t = Tile-1(%x, %n)\n"
         "%e = Const-1 {value = i64[1] [2]}\n%m = ReduceMean-1(%t, %e) {keep_dims = true}\n"
         "%s = Subtract-1(%t, %m)\n%f = SoftMax-8(%s) {axis = 2}\n"
         "%a = Const-1 {value = i64[4] [0, 1, 2, 3]}\n%r = ReduceSum-1(%f, %a)\n"
         "%out = Result-1(%r)\n",
         "f16[] 0", "f16[1,1,1,4] 1 2 3 4");
}

/* Sizes that are new in each run */

/* A graph whose only output is a number, run with inputs of other sizes each time. */
typedef struct changing {
    runner r;
    inlay_tensor *in[2], *sum;
} changing;

static changing begin_changing(const char *body)
{
    inlay_pass_options o = {.passes = "in-place-windows"};
    inlay_exec_options planned = {.mode = INLAY_EXEC_PLANNED, .threads = 1};
    changing c = {.sum = tensor_of("f32[] 0"),
                  .r = {.graph = graph_of(body), .diags = inlay_diags_new()}};

    assert_true(inlay_run_passes(c.r.graph, &o, NULL));
    c.r.program = inlay_compile(c.r.graph, &planned, c.r.diags); /* without audits */
    c.r.session = inlay_session_new(c.r.program, c.r.diags);
    assert_non_null(c.r.session);
    assert_true(inlay_session_bind_output(c.r.session, 0, c.sum, c.r.diags));
    return c;
}

/* Gives input I another tensor, of ones, and counts the allocations of a run. */
static long count_run(changing *c, int i, int rank, const int64_t *dims)
{
    inlay_tensor *out[1];
    long before;
    bool ok;

    inlay_tensor_release(c->in[i]);
    c->in[i] = inlay_tensor_new(INLAY_F32, rank, dims);
    for (int64_t k = 0; k < inlay_tensor_count(c->in[i]); k++)
        inlay_tensor_set_f64(c->in[i], k, 1);
    if (!c->in[0] || !c->in[1])
        return 0;
    before = allocations;
    ok = inlay_session_run(c->r.session, (const inlay_tensor *const *)c->in, NULL, out, c->r.diags);
    before = allocations - before;
    if (!ok)
        fail_msg("%s", inlay_diags_at(c->r.diags, 0)->text);
    inlay_tensor_release(out[0]);
    return before;
}

static void end_changing(changing *c)
{
    inlay_tensor_release(c->in[0]);
    inlay_tensor_release(c->in[1]);
    inlay_tensor_release(c->sum);
    runner_free(&c->r);
}

/* A cache of two heads that grows by a row a step. What is allocated is room for more: for the
 * state twice in so many steps, for values whose size follows its length as often as that grows by
 * a quarter. */
static void test_growing_cache(void **state)
{
    enum { WARM = 150, STEPS = 250 };
    changing c = begin_changing(
        "%token = Parameter-1 {element_type = f32, shape = [1,2,1,4]}\n"
        "%mask = Parameter-1 {element_type = f32, shape = [1,1,1,?]}\n"
        "%past = ReadValue-6 {variable_id = \"v\", variable_type = f32, "
        "variable_shape = [1,2,?,4]}\n"
        "%new = Concat-1(%past, %token) {axis = 2}\n"
        "%save = Assign-6(%new) {variable_id = \"v\"}\n"
        "%q = MatMul-1(%token, %new) {transpose_b = true}\n"
        "%masked = Add-1(%q, %mask)\n%s = SoftMax-8(%masked) {axis = 3}\n"
        "%y = MatMul-1(%s, %new)\n"
        "%all = Const-1 {value = i64[4] [0, 1, 2, 3]}\n%sum = ReduceSum-1(%y, %all)\n"
        "%out = Result-1(%sum)\n");
    inlay_tensor *none = inlay_tensor_new(INLAY_F32, 4, (int64_t[]){1, 2, 0, 4});
    int grown = 0;

    assert_true(inlay_session_set_variable(c.r.session, 0, none, c.r.diags));
    inlay_tensor_release(none);
    count_run(&c, 0, 4, (int64_t[]){1, 2, 1, 4});
    for (int64_t i = 1; i <= STEPS; i++) {
        long n = count_run(&c, 1, 4, (int64_t[]){1, 1, 1, i});

        assert_true(inlay_tensor_get_f64(c.sum, 0) > 7.99 && inlay_tensor_get_f64(c.sum, 0) < 8.01);
        grown += i > WARM && n > 0;
        assert_true(i <= WARM || n <= 10);
    }
    if (grown > 4)
        fail_msg("%d of %d steps allocate", grown, STEPS - WARM);
    end_changing(&c);
}

/* Sizes come in any order, and are never as large as in the beginning. */
static void test_other_sizes(void **state)
{
    changing c =
        begin_changing("%x = Parameter-1 {element_type = f32, shape = [?,8]}\n"
                       "%y = Parameter-1 {element_type = f32, shape = [?,8]}\n"
                       "%both = Concat-1(%x, %y) {axis = 0}\n%p = Const-1 {value = i64[2] [1, 0]}\n"
                       "%t = Transpose-1(%both, %p)\n%m = MatMul-1(%x, %t)\n%e = Tanh-1(%m)\n"
                       "%all = Const-1 {value = i64[2] [0, 1]}\n%sum = ReduceSum-1(%e, %all)\n"
                       "%out = Result-1(%sum)\n");

    count_run(&c, 0, 2, (int64_t[]){40, 8});
    for (int64_t i = 0; i < 200; i++) {
        long n = count_run(&c, 1, 2, (int64_t[]){i == 0 ? 997 : 1 + i * 617 % 997, 8});

        assert_true(i < 50 || n == 0);
    }
    end_changing(&c);
}

/* Models of the tree */

enum { MOST = 8, OPEN = 3 };

/* Makes a tensor of zeros for each Parameter, with OPEN for each size that is open. */
static void make_inputs(const inlay_graph *g, inlay_tensor **in)
{
    assert_true(g->n_params <= MOST && g->n_results <= MOST);
    for (int i = 0; i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;
        int64_t dims[INLAY_MAX_RANK];

        assert_true(f->rank >= 0);
        for (int k = 0; k < f->rank; k++)
            dims[k] = inlay_dim_is_static(f->dims[k]) ? f->dims[k].lo : OPEN;
        in[i] = inlay_tensor_new(f->type, f->rank, dims);
    }
}

/* Binds the outputs to tensors of the caller's, of the form that the first run gives them. */
static bool bind_outputs(inlay_session *s, const inlay_graph *g, inlay_tensor *const *in,
                         inlay_diags *d)
{
    inlay_tensor *out[MOST];
    bool ok = inlay_session_run(s, (const inlay_tensor *const *)in, NULL, out, d);

    for (int i = 0; ok && i < g->n_results; i++) {
        inlay_tensor *bound = inlay_tensor_new(out[i]->type, out[i]->rank, out[i]->dims);

        ok = inlay_session_bind_output(s, i, bound, d);
        inlay_tensor_release(bound);
        inlay_tensor_release(out[i]);
    }
    return ok;
}

/* Counts the allocations in ten warm runs; below 0: a run failed. */
static long count_warm(inlay_session *s, const inlay_graph *g, inlay_diags *d)
{
    inlay_tensor *in[MOST] = {NULL}, *out[MOST];
    long before = 0;
    bool ok;

    make_inputs(g, in);
    ok = bind_outputs(s, g, in, d);
    for (int i = 0; ok && i < 20; i++) {
        before = i == 10 ? allocations : before;
        ok = inlay_session_run(s, (const inlay_tensor *const *)in, NULL, out, d);
        for (int k = 0; ok && k < g->n_results; k++)
            inlay_tensor_release(out[k]);
    }
    for (int i = 0; i < g->n_params; i++)
        inlay_tensor_release(in[i]);
    return ok ? allocations - before : -1;
}

/* Returns whether warm runs of the model allocate nothing. */
static bool check_model(const char *path)
{
    inlay_diags *d = inlay_diags_new();
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_pass_options passes = {.evaluator = &e};
    inlay_exec_options o = {.mode = INLAY_EXEC_PLANNED, .threads = 1};
    inlay_graph *g = inlay_read_file(path, NULL, d);
    inlay_program *p = g && inlay_run_passes(g, &passes, d) ? inlay_compile(g, &o, d) : NULL;
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    long n = s ? count_warm(s, g, d) : -1;

    if (n != 0)
        print_error("%s: %ld allocations in ten warm runs %s\n", path, n, model_messages(d));
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return n == 0;
}

static bool is_model(const char *name)
{
    static const char *const ends[] = {".inlay", ".xml", ".json", ".onnx"};
    const char *dot = strrchr(name, '.');
    bool is = false;

    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        is = is || strcmp(dot, ends[i]) == 0;
    return is && strcmp(name, "graph.schema.json") != 0;
}

/* Returns how many of the models in the folder PATH and below allocate nothing. *ALL counts all
 * models. */
static int check_folder(const char *path, int *all)
{
    DIR *dir = opendir(path);
    int n = 0;

    for (struct dirent *e; dir && (e = readdir(dir));) {
        char name[600];

        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (is_model(e->d_name)) {
            n += check_model(name);
            ++*all;
        } else if (!strchr(e->d_name, '.')) {
            n += check_folder(name, all);
        }
    }
    if (dir)
        closedir(dir);
    return n;
}

static void test_models(void **state)
{
    int all = 0, n = check_folder("models", &all);

    assert_int_equal(n, all);
    assert_true(all >= 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elementwise),  cmocka_unit_test(test_other_kernels),
        cmocka_unit_test(test_variable),     cmocka_unit_test(test_loop),
        cmocka_unit_test(test_iterator),     cmocka_unit_test(test_if),
        cmocka_unit_test(test_nested_loops), cmocka_unit_test(test_other_state),
        cmocka_unit_test(test_scratch),      cmocka_unit_test(test_growing_cache),
        cmocka_unit_test(test_other_sizes),  cmocka_unit_test(test_models),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* A sanitizer, or another C library, has functions of its own in the place of those that count. */
int main(void)
{
    printf("1..1\nok 1 - allocations are counted without a sanitizer, with the C library of GNU\n");
    return 0;
}

#endif
