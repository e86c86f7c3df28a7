/* Weights of a mapped file that are packed are in memory once: the pages of the file are given back
 * to the system, and who reads them finds them as they were. The counts are those of
 * /proc/self/smaps. */
#include "interp/interp.h"
#include "ir/shared.h"
#include "parser/file.h"
#include "unit.h"

#include <unistd.h>

enum { ROWS = 2048, COLS = 1024, BYTES = ROWS * COLS * 4 };

/* A file of numbers, mapped. ASKEW: as many bytes stand before them. */
static inlay_buffer *mapped_weights(size_t askew, inlay_diags *d)
{
    char path[] = "/tmp/inlay-unload-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
    inlay_budget *little = inlay_budget_new(4096, d); /* so the file is mapped */
    inlay_buffer *b;

    assert_non_null(f);
    fwrite("   ", 1, askew, f);
    for (int i = 0; i < ROWS * COLS; i++) {
        float x = (float)(i % 1009) / 1009 - 0.5f;

        fwrite(&x, sizeof x, 1, f);
    }
    assert_int_equal(fclose(f), 0);
    b = file_map(path, 0, (file_memory){.budget = little}, d);
    inlay_budget_free(little);
    unlink(path);
    assert_non_null(b);
    return b;
}

/* Returns how many bytes of B are in memory. */
static long resident(const inlay_buffer *b)
{
    FILE *f = fopen("/proc/self/smaps", "r");
    char line[400];
    unsigned long from, to, at = (unsigned long)(uintptr_t)inlay_buffer_data(b);
    bool inside = false;
    long kib = -1;

    assert_non_null(f);
    while (kib < 0 && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            inside = from <= at && at < to;
        else if (inside)
            sscanf(line, "Rss: %ld kB", &kib);
    }
    fclose(f);
    assert_true(kib >= 0);
    return kib * 1024;
}

/* A product with the weights. */
static inlay_graph *graph_of(inlay_buffer *weights, size_t askew, inlay_diags *d)
{
    inlay_graph *g = inlay_graph_new("g", d);
    const int64_t dims[] = {ROWS, COLS};
    inlay_tensor *t =
        inlay_tensor_over(weights, (char *)inlay_buffer_data(weights) + askew, INLAY_F32, 2, dims);
    inlay_shape shape = {.rank = 2, .dim = {{.lo = 8, .hi = 8}, {.lo = ROWS, .hi = ROWS}}};
    inlay_value *in[2] = {inlay_build_parameter(g, "x", INLAY_F32, &shape, d),
                          inlay_build_const(g, "w", t, d)};
    inlay_node *n = inlay_build(g, "n", "MatMul", in, 2, NULL, d);

    assert_non_null(n);
    assert_non_null(inlay_build_result(g, "y", &n->out[0], d));
    inlay_tensor_release(t);
    return g;
}

static inlay_tensor *run(inlay_graph *g, const inlay_tensor *x, inlay_exec_mode mode,
                         inlay_diags *d)
{
    inlay_program *p = inlay_compile(g, &(inlay_exec_options){.mode = mode}, d);
    inlay_session *s = inlay_session_new(p, d);
    inlay_tensor *y = NULL;

    assert_true(inlay_session_run(s, &x, NULL, &y, d));
    inlay_session_free(s);
    inlay_program_free(p);
    return y;
}

static void check(size_t askew)
{
    inlay_diags *d = inlay_diags_new();
    inlay_buffer *weights = mapped_weights(askew, d);
    inlay_graph *g = graph_of(weights, askew, d);
    const int64_t dims[] = {8, ROWS};
    inlay_tensor *x = inlay_tensor_new(INLAY_F32, 2, dims), *y, *wanted;

    for (int i = 0; i < 8 * ROWS; i++)
        inlay_tensor_set_f64(x, i, (i % 7) - 3);
    y = run(g, x, INLAY_EXEC_PLANNED, d);
    assert_true(resident(weights) < BYTES / 20);
    wanted = run(g, x, INLAY_EXEC_REFERENCE, d);
    assert_true(inlay_tensor_equal(y, wanted));
    assert_true(resident(weights) >= BYTES);
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    inlay_tensor_release(wanted);
    inlay_graph_free(g);
    inlay_buffer_release(weights);
    inlay_diags_free(d);
}

static void packed_weights(void **state)
{
    check(0);
}

static void weights_that_stand_askew(void **state)
{
    check(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packed_weights),
                                       cmocka_unit_test(weights_that_stand_askew)};

    return cmocka_run_group_tests_name("weights in memory", tests, NULL, NULL);
}
