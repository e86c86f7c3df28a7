/* Out of memory while a model of ONNX is read: whichever allocation fails, memory ran out or the
 * graph is as ever, and all is freed. Of the models of onnx_variants.py, and of ONNX's own node
 * tests where they are there: each fails at some places, other ones in each model. */
#ifndef __SANITIZE_ADDRESS__ /* which has a malloc of its own */
#include "../oom/failing_malloc.c"
#include "unit.h"
#endif
#include "folder.h"
#include "ir/print.h"
#include "models.h"

#include <glob.h>

#ifdef __SANITIZE_ADDRESS__
static long fail_at, calls, live;
static int counting;
#endif

/* What reading a model came to. */
struct outcome {
    inlay_strbuf graph; /* as text, where there is one */
    inlay_status status;
    char said[200];
    long made, left; /* blocks of memory that were made, and not freed */
};

/* Reads the model BYTES of N bytes, whose allocation AT fails (0: none). */
static void read_model(const char *name, const char *bytes, size_t n, long at, struct outcome *out)
{
    const inlay_read_options o = {.max_memory = 1 << 26};
    inlay_diags *d = inlay_diags_new();
    long before = live, first = calls;
    inlay_graph *g;

    *out = (struct outcome){0};
    fail_at = at ? first + at : 0;
    g = inlay_read_onnx(name, bytes, n, NULL, &o, d);
    fail_at = 0;
    out->made = calls - first;
    out->status = inlay_diags_status(d);
    snprintf(out->said, sizeof out->said, "%s", model_messages(d));
    if (g)
        assert_true(inlay_print(g, true, &(inlay_sink){inlay_strbuf_sink, &out->graph}, NULL));
    inlay_graph_free(g);
    inlay_diags_clear(d);
    out->left = live - before - (out->graph.bytes != NULL);
    inlay_diags_free(d);
}

static bool is_as_good(const struct outcome *x, const struct outcome *good)
{
    if (!x->graph.bytes || x->left != 0)
        return x->left == 0 && x->status == INLAY_NO_RESOURCE;
    return x->status == INLAY_OK && strcmp(x->graph.bytes, good->graph.bytes) == 0;
}

/* Lets at most TRIES allocations fail. Returns how many were tried; those that go wrong are added to
 * *WRONG. */
static int try_bytes(const char *path, const char *bytes, size_t n, long tries, int number,
                     int *wrong)
{
    struct outcome good, x;
    long step;
    int tried = 0;

    read_model(path, bytes, n, 0, &good);
    if (good.left != 0)
        print_error("%s: %ld blocks are never freed\n", path, good.left), (*wrong)++;
    step = good.made / tries + 1;
    for (long at = 1 + number % step; good.graph.bytes && at <= good.made; at += step, tried++) {
        read_model(path, bytes, n, at, &x);
        if (!is_as_good(&x, &good))
            print_error("%s: allocation %ld of %ld: %s, %ld blocks are never freed: %s\n", path, at,
                        good.made, x.graph.bytes ? "a graph" : "none", x.left, x.said),
                (*wrong)++;
        inlay_strbuf_free(&x.graph);
    }
    inlay_strbuf_free(&good.graph);
    return tried;
}

static int try_model(const char *path, int number, int *wrong)
{
    size_t n;
    char *bytes = model_load(path, &n);
    int tried = try_bytes(path, bytes, n, 40, number, wrong);

    free(bytes);
    return tried;
}

/* Makes the models in the folder the tests run in. Returns whether there are any. */
static bool make_models(void)
{
    const char *root = getenv("ROOT"), *shared = getenv("INLAY_SHARED");
    char command[1000];
    bool any = false;

    snprintf(command, sizeof command,
             "for p in python3 /usr/bin/python3; do $p -B -c 'import numpy' 2>/dev/null && exec $p "
             "-B '%s/tests/reference/onnx_variants.py' node; done; exit 1",
             root ? root : ".");
    any = system(command) == 0;
    if (!shared || !*shared)
        return any;
    snprintf(command, sizeof command, "tar -xf '%s/conformance/onnx-node.tar.xz'", shared);
    return system(command) == 0 || any;
}

static void test_reading(void **state)
{
    int tried = 0, wrong = 0;
    glob_t found;

#ifdef __SANITIZE_ADDRESS__
    skip();
#endif
    if (!make_models())
        skip();
    assert_int_equal(glob("node/*/model.onnx", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (!getenv("INLAY_SLOW") || i % 3 == 0)
            tried += try_model(found.gl_pathv[i], (int)i, &wrong);
    }
    print_message("# %zu models, %d failures\n", found.gl_pathc, tried);
    globfree(&found);
    assert_int_equal(system("rm -rf node LICENSE NOTICE"), 0);
    assert_int_equal(wrong, 0);
}

/* A scale and its zero point of unknown sizes are held to one another by nodes: each allocation
 * fails. */
static void test_pairs(void **state)
{
    static const char model[] =
        "<ir_version: 10, opset_import: [\"\" : 21]>\n"
        "pairs (uint8[2,3] a, float[n] s, uint8[n1] z, uint8[3,4] b, float[k] t, uint8[k1] y, "
        "float[m] u, uint8[m1] w) => (c)\n{ c = QLinearMatMul (a, s, z, b, t, y, u, w) }\n";
    int wrong = 0;

#ifdef __SANITIZE_ADDRESS__
    skip();
#endif
    assert_true(try_bytes("pairs.onnxtxt", model, strlen(model), 100000, 0, &wrong) > 10);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_reading)};

    counting = 1;
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
