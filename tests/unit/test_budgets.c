/* A budget bounds what a program holds that links the library: on each path from a file to an answer
 * all memory is charged, nothing exceeds the limit, and all is given back. What is charged is held
 * against what the C library was asked for, which this program counts. */
#include "front/front.h"
#include "ir/shared.h"
#include "scaling_graphs.h"
#include "unit.h"

#include <malloc.h>
#include <stdatomic.h>

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#ifndef SANITIZED
#define COUNTED
#endif
#endif

static _Atomic size_t live, most; /* bytes that malloc and its kin gave */

#ifdef COUNTED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void __libc_free(void *p);

static void *count(void *p)
{
    size_t now = atomic_fetch_add(&live, p ? malloc_usable_size(p) : 0);

    now += p ? malloc_usable_size(p) : 0;
    if (now > atomic_load(&most))
        atomic_store(&most, now);
    return p;
}

void *malloc(size_t size)
{
    return count(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return count(__libc_calloc(n, size));
}

void *realloc(void *p, size_t size)
{
    size_t before = p ? malloc_usable_size(p) : 0;
    void *q = __libc_realloc(p, size);

    if (!q)
        return NULL;
    atomic_fetch_sub(&live, before);
    return count(q);
}

void free(void *p)
{
    atomic_fetch_sub(&live, p ? malloc_usable_size(p) : 0);
    __libc_free(p);
}
#endif

static bool swallow(void *ctx, const char *bytes, size_t n)
{
    (void)ctx, (void)bytes, (void)n;
    return true;
}

static const inlay_sink nowhere = {swallow, NULL};

/* the paths: false when it failed */
typedef bool path_fn(inlay_graph *g, inlay_diags *d);

static bool nothing(inlay_graph *g, inlay_diags *d)
{
    (void)g, (void)d;
    return true;
}

static bool clone(inlay_graph *g, inlay_diags *d)
{
    inlay_graph *copy = inlay_graph_clone(g, d);

    inlay_graph_free(copy);
    return copy != NULL;
}

static bool passes(inlay_graph *g, inlay_diags *d)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.evaluator = &reference};

    return inlay_run_passes(g, &o, d);
}

static bool print(inlay_graph *g, inlay_diags *d)
{
    return inlay_print(g, true, &nowhere, d);
}

static bool write_xml(inlay_graph *g, inlay_diags *d)
{
    return inlay_write_xml(g, NULL, &nowhere, &nowhere, d);
}

static bool write_json(inlay_graph *g, inlay_diags *d)
{
    return inlay_write_json(g, NULL, NULL, &nowhere, NULL, d);
}

static bool write_onnx(inlay_graph *g, inlay_diags *d)
{
    return inlay_write_onnx(g, NULL, NULL, &nowhere, NULL, d);
}

static bool run_as(inlay_graph *g, inlay_exec_mode mode, inlay_diags *d)
{
    inlay_exec_options o = {.mode = mode, .threads = 1};
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    inlay_tensor *in[1] = {NULL}, *out[1] = {NULL};
    bool ok = s && inlay_make_inputs(g, NULL, in, d);

    ok = ok && inlay_session_run(s, (const inlay_tensor *const *)in, NULL, out, d);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_tensor_release(in[0]);
    inlay_tensor_release(out[0]); /* it outlives what made it */
    return ok;
}

static bool run_planned(inlay_graph *g, inlay_diags *d)
{
    return run_as(g, INLAY_EXEC_PLANNED, d);
}

static bool run_reference(inlay_graph *g, inlay_diags *d)
{
    return run_as(g, INLAY_EXEC_REFERENCE, d);
}

static bool plan(inlay_graph *g, inlay_diags *d)
{
    inlay_memory_plan memory = {0};
    inlay_program_plan steps = {0};
    bool ok = inlay_memory_plan_make(g, &memory, d) &&
              inlay_program_plan_make(g, INLAY_KERNELS_PORTABLE, &steps, d);

    inlay_memory_plan_free(&memory);
    inlay_program_plan_free(&steps);
    return ok;
}

static bool verify(inlay_graph *g, inlay_diags *d)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_evaluator planned = inlay_planned_evaluator(NULL);
    inlay_verify_options o = {.trials = 2};
    inlay_verify_result result;

    return inlay_verify(g, &reference, g, &planned, &o, &result, d) && result.verdict == INLAY_SAME;
}

static bool view(inlay_graph *g, inlay_diags *d)
{
    inlay_view *v = inlay_view_new(NULL, d);
    bool ok = v && inlay_view_add(v, &(inlay_view_graph){.graph = g}, d) &&
              inlay_view_write(v, &nowhere, d);

    inlay_view_free(v);
    return ok;
}

static const struct path {
    const char *name;
    path_fn *go;
} paths[] = {{"nothing", nothing},
             {"clone", clone},
             {"passes", passes},
             {"print", print},
             {"write XML", write_xml},
             {"write JSON", write_json},
             {"write ONNX", write_onnx},
             {"run, planned", run_planned},
             {"run, reference", run_reference},
             {"plan", plan},
             {"verify", verify},
             {"view", view}};

enum { PATHS = sizeof paths / sizeof paths[0], LIMITS = 6 };

/* A model in each form. */
typedef inlay_graph *reader_fn(const char *name, const char *bytes, size_t n,
                               const inlay_read_options *o, inlay_diags *d);

static inlay_graph *as_xml(const char *name, const char *bytes, size_t n,
                           const inlay_read_options *o, inlay_diags *d)
{
    return inlay_read_xml(name, bytes, n, NULL, o, d);
}

static inlay_graph *as_onnx(const char *name, const char *bytes, size_t n,
                            const inlay_read_options *o, inlay_diags *d)
{
    return inlay_read_onnx(name, bytes, n, NULL, o, d);
}

struct form {
    const char *name;
    reader_fn *read;
    inlay_strbuf bytes;
};

static bool go(const struct form *f, path_fn *path, inlay_budget *b, inlay_diags *d)
{
    const inlay_read_options o = {.budget = b};
    inlay_graph *g = f->read("m", f->bytes.bytes, f->bytes.n, &o, d);
    bool ok = g && path(g, d);

    inlay_graph_free(g);
    return ok;
}

/* Without a limit: what was charged is what malloc gave, and pages that are mapped besides. */
static uint64_t check_charges(const struct form *f, const struct path *p)
{
    enum { LITTLE = 96 << 10 }; /* messages, libxml2, threads */
    inlay_budget *b = inlay_budget_new(0, NULL);
    inlay_diags *d = inlay_diags_new();
    size_t before = atomic_load(&live);
    uint64_t peak;

    assert_non_null(b);
    atomic_store(&most, before);
    if (!go(f, p->go, b, d))
        fail_msg("%s, %s: %s", f->name, p->name, inlay_diags_error(d)->text);
    peak = inlay_budget_peak(b);
    if (atomic_load(&most) - before > peak + LITTLE)
        fail_msg("%s, %s: %zu bytes were held, %llu charged", f->name, p->name,
                 atomic_load(&most) - before, (unsigned long long)peak);
    if (inlay_budget_used(b) != 0)
        fail_msg("%s, %s: %llu bytes are never given back", f->name, p->name,
                 (unsigned long long)inlay_budget_used(b));
    inlay_budget_free(b);
    inlay_diags_free(d);
    return peak;
}

static void check_limit(const struct form *f, const struct path *p, uint64_t limit)
{
    inlay_budget *b = inlay_budget_new(limit, NULL);
    inlay_diags *d = inlay_diags_new();
    char number[40];

    snprintf(number, sizeof number, "%llu", (unsigned long long)limit);
    if (go(f, p->go, b, d))
        assert_int_equal(inlay_diags_status(d), INLAY_OK);
    else if (inlay_diags_status(d) != INLAY_NO_RESOURCE ||
             !strstr(inlay_diags_error(d)->text, number))
        fail_msg("%s, %s, %s bytes: %s", f->name, p->name, number,
                 inlay_diags_error(d) ? inlay_diags_error(d)->text : "no error");
    assert_true(inlay_budget_peak(b) <= limit);
    if (inlay_budget_used(b) != 0)
        fail_msg("%s, %s, %s bytes: %llu are never given back", f->name, p->name, number,
                 (unsigned long long)inlay_budget_used(b));
    inlay_budget_free(b);
    inlay_diags_free(d);
}

static void check_path(const struct form *f, const struct path *p)
{
    uint64_t peak = check_charges(f, p);

    for (uint64_t i = 0; i < LIMITS; i++)
        check_limit(f, p, peak * (2 * i + 1) / (2 * LIMITS));
}

static void make_forms(struct form *forms, const char *kind)
{
    inlay_graph *g;
    inlay_sink to = {inlay_strbuf_sink, NULL};

    forms[0] = (struct form){"text", inlay_read_text, {0}};
    forms[1] = (struct form){"XML", as_xml, {0}};
    forms[2] = (struct form){"JSON", inlay_read_json, {0}};
    forms[3] = (struct form){"ONNX", as_onnx, {0}};
    for (size_t i = 0; scaling_kind(i); i++) {
        if (strcmp(scaling_kind(i), kind) == 0)
            scaling_text(i, 3000, &forms[0].bytes);
    }
    g = inlay_read_text("m", forms[0].bytes.bytes, forms[0].bytes.n, NULL, NULL);
    assert_non_null(g);
    to.ctx = &forms[1].bytes;
    assert_true(inlay_write_xml(g, NULL, &to, &nowhere, NULL));
    to.ctx = &forms[2].bytes;
    assert_true(inlay_write_json(g, NULL, NULL, &to, NULL, NULL));
    to.ctx = &forms[3].bytes;
    assert_true(inlay_write_onnx(g, NULL, NULL, &to, NULL, NULL));
    inlay_graph_free(g);
}

/* All paths from the text form, and reading from all others. */
static void check_kind(const char *kind)
{
    struct form forms[4];

    make_forms(forms, kind);
    for (size_t i = 0; i < PATHS; i++)
        check_path(&forms[0], &paths[i]);
    for (int i = 1; i < 4; i++) {
        if (strcmp(kind, "chain") == 0 || i != 1) /* the XML form of others has weights beside it */
            check_path(&forms[i], &paths[0]);
    }
    for (int i = 0; i < 4; i++)
        inlay_strbuf_free(&forms[i].bytes);
}

static void test_chain(void **state)
{
    check_kind("chain");
}

static void test_windows(void **state)
{
    check_kind("windows-in-turn");
}

static void test_slices(void **state)
{
    check_kind("many-slices");
}

/* Inputs, what is in between, and outputs are a megabyte each. */
static void test_values(void **state)
{
    struct form f = {"text", inlay_read_text, {0}};

    inlay_strbuf_puts(&f.bytes, "graph \"g\" {\n"
                                "%x = Parameter-1 {element_type = f32, shape = [250000]}\n"
                                "%y = Exp-1(%x)\n%z = Sin-1(%y)\n%r = Result-1(%z)\n}\n");
    for (size_t i = 0; i < PATHS; i++)
        check_path(&f, &paths[i]);
    inlay_strbuf_free(&f.bytes);
}

/* In ONNX this pool is a product with a matrix of 1,000 by 300. */
static void test_made_constants(void **state)
{
    struct form f = {"text", inlay_read_text, {0}};

    inlay_strbuf_puts(&f.bytes, "graph \"g\" {\n"
                                "%x = Parameter-1 {element_type = f32, shape = [1,1,1000]}\n"
                                "%n = Const-1 {value = i64[1] [300]}\n"
                                "%y = AdaptiveAvgPool-8(%x, %n)\n%r = Result-1(%y)\n}\n");
    check_path(&f, &(struct path){"write ONNX", write_onnx});
    inlay_strbuf_free(&f.bytes);
}

/* A graph that is made without a file, whose budget comes later. */
static void test_moved(void **state)
{
    inlay_budget *b = inlay_budget_new(1 << 20, NULL), *little = inlay_budget_new(100, NULL);
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("g", d);

    assert_null(inlay_graph_budget(g));
    assert_true(inlay_graph_set_budget(g, b, d));
    assert_ptr_equal(inlay_graph_budget(g), b);
    assert_true(inlay_budget_used(b) > 0);
    assert_false(inlay_graph_set_budget(g, little, d));
    assert_int_equal(inlay_diags_status(d), INLAY_NO_RESOURCE);
    assert_ptr_equal(inlay_graph_budget(g), b);
    assert_true(inlay_graph_set_budget(g, NULL, d));
    assert_int_equal(inlay_budget_used(b), 0);
    assert_true(inlay_graph_set_budget(g, b, d));
    inlay_budget_free(b); /* it goes with the graph */
    inlay_budget_free(little);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* What counts in a budget counts in the one around it, too. */
static void test_within(void **state)
{
    inlay_budget *outer = inlay_budget_new(1000, NULL);
    inlay_budget *inner = inlay_budget_within(outer, 600, NULL);
    void *p = inlay_take(inner, 1, 400), *q;

    assert_non_null(p);
    assert_int_equal(inlay_budget_used(inner), inlay_budget_used(outer));
    assert_true(inlay_budget_used(inner) >= 400);
    assert_null(inlay_take(inner, 1, 400));
    assert_int_equal(inlay_budget_refused(inner), 600);
    assert_int_equal(inlay_budget_refused(outer), 0);
    q = inlay_take(outer, 1, 400);
    assert_non_null(q);
    assert_null(inlay_take(inner, 1, 110));
    assert_int_equal(inlay_budget_refused(inner), 1000);
    p = inlay_retake(NULL, p, 80);
    assert_true(inlay_budget_used(inner) < 150);
    inlay_budget_free(inner);
    inlay_give(p);
    inlay_give(q);
    assert_int_equal(inlay_budget_used(outer), 0);
    inlay_budget_free(outer);
}

/* Neither products nor sums of sizes overflow. */
static void test_sizes(void **state)
{
    inlay_budget *b = inlay_budget_new(0, NULL);
    volatile size_t all = SIZE_MAX; /* or the compiler knows */

    assert_null(inlay_take(b, all / 2, 4));
    assert_null(inlay_take(b, 1, all));
    assert_null(inlay_take_raw(b, all - 8));
    assert_false(inlay_budget_charge(b, UINT64_MAX));
    assert_int_equal(inlay_budget_used(b), 0);
    inlay_budget_free(b);
}

/* Whatever a loop over strings, which are copied, has no memory for, the rest is given back. */
static void test_refused_in_a_loop(void **state)
{
    const struct path run = {"run, planned", run_planned};
    struct form f = {"text", inlay_read_text, {0}};
    uint64_t peak;

    inlay_strbuf_puts(&f.bytes,
                      "graph \"g\" {\n%x = Const-1 {value = string[3] [\"a\", \"b\", \"c\"]}\n"
                      "%t:1 = TensorIterator-1(%x)\nbody \"b\" {\n"
                      "%row = Parameter-1 {element_type = string, shape = [1]}\n"
                      "%out = Result-1(%row)\n}\n"
                      "in 0 -> %row axis 0 start 0 end -1 stride 1 part_size 1\n"
                      "out %out -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n"
                      "%r = Result-1(%t)\n}\n");
    peak = check_charges(&f, &run);
    for (uint64_t limit = peak / 2; limit < peak; limit += 16)
        check_limit(&f, &run, limit);
    inlay_strbuf_free(&f.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_within),
        cmocka_unit_test(test_moved),          cmocka_unit_test(test_chain),
        cmocka_unit_test(test_windows),        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_values),         cmocka_unit_test(test_refused_in_a_loop),
        cmocka_unit_test(test_made_constants),
    };

    return cmocka_run_group_tests_name("budgets", tests, NULL, NULL);
}
