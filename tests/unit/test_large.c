/* A graph of 250,000 nodes: building, verifying, printing, reading, comparing and cloning it cost
 * what four times a quarter of it cost, and nothing recurses by its depth: all runs in a thread
 * with a stack of 256 KiB. Work is counted, not timed: bytes of memory and bytes of text. */
#include "ir/shared.h"
#include "tests/unit/texts.h"
#include "unit.h"

#include <pthread.h>

typedef inlay_graph *build_fn(int n);

static inlay_value *parameter(inlay_graph *g)
{
    inlay_shape s;

    inlay_shape_of_rank(&s, 1);
    return inlay_build_parameter(g, "x", INLAY_F32, &s, NULL);
}

static inlay_value *relu(inlay_graph *g, inlay_value *v)
{
    inlay_node *n = inlay_build(g, NULL, "ReLU@opset8", &v, 1, NULL, NULL);

    return n ? &n->out[0] : NULL;
}

/* Makes x -> relu -> relu -> ... -> result, which is as deep as it is long. */
static inlay_graph *chain(int n)
{
    inlay_graph *g = inlay_graph_new("chain", NULL);
    inlay_value *v = g ? parameter(g) : NULL;

    for (int i = 0; v && i < n - 2; i++)
        v = relu(g, v);
    return v && inlay_build_result(g, "r", v, NULL) ? g : NULL;
}

/* Makes one value with N uses, nearly, and one node with as many inputs. */
static inlay_graph *fan(int n)
{
    inlay_graph *g = inlay_graph_new("fan", NULL);
    inlay_value *x = g ? parameter(g) : NULL, **middle = calloc((size_t)n, sizeof *middle);
    inlay_node *join = NULL;
    bool ok = x && middle;

    for (int i = 0; ok && i < n - 3; i++)
        ok = (middle[i] = relu(g, x)) != NULL;
    if (ok)
        join = inlay_build(g, "join", "Concat", middle, n - 3, "axis=0", NULL);
    free(middle);
    return join && inlay_build_result(g, "r", &join->out[0], NULL) ? g : NULL;
}

static bool count_bytes(void *ctx, const char *bytes, size_t n)
{
    (void)bytes;
    *(size_t *)ctx += n;
    return true;
}

struct work {
    build_fn *build;
    int n;
    bool ok;
    size_t arena_bytes, text_bytes, dot_bytes, read_bytes, clone_bytes;
};

static bool go_there_and_back(struct work *w, const inlay_graph *g)
{
    inlay_strbuf text = {0};
    inlay_sink to = {inlay_strbuf_sink, &text};
    inlay_graph *back = NULL, *copy = inlay_graph_clone(g, NULL);
    bool ok = copy && inlay_print(g, true, &to, NULL);

    if (ok)
        back = inlay_read_text("large", text.bytes, text.n, NULL, NULL);
    ok = back && inlay_graph_equal(g, back, NULL, 0) && inlay_graph_equal(copy, back, NULL, 0);
    if (ok) {
        w->read_bytes = inlay_arena_bytes(back->arena);
        w->clone_bytes = inlay_arena_bytes(copy->arena);
    }
    inlay_graph_free(back);
    inlay_graph_free(copy);
    inlay_strbuf_free(&text);
    return ok;
}

static void *work_through(void *ctx)
{
    struct work *w = ctx;
    inlay_graph *g = w->build(w->n);
    inlay_sink text = {count_bytes, &w->text_bytes}, dot = {count_bytes, &w->dot_bytes};

    w->ok = g && inlay_check_graph(g, NULL) && inlay_infer_graph(g, NULL) &&
            inlay_print(g, true, &text, NULL) && inlay_print_dot(g, &dot, NULL) &&
            go_there_and_back(w, g) && g->n_nodes == (size_t)w->n;
    if (w->ok)
        w->arena_bytes = inlay_arena_bytes(g->arena);
    inlay_graph_free(g);
    return NULL;
}

static void run_in_small_stack(struct work *w)
{
    pthread_attr_t attr;
    pthread_t thread;

    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstacksize(&attr, 256 * 1024), 0);
    assert_int_equal(pthread_create(&thread, &attr, work_through, w), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attr);
    assert_true(w->ok);
}

/* LARGE is four times SMALL, give or take the digits of longer names. */
static void check_linear(const char *what, size_t small, size_t large)
{
    assert_true(small > 0);
    if (large < small * 3.6 || large > small * 4.6)
        fail_msg("%s: %zu for a quarter, %zu for the whole", what, small, large);
}

static void check(build_fn *build)
{
    int n = getenv("INLAY_SLOW") ? 100000 : 250000;
    struct work small = {.build = build, .n = n / 4}, large = {.build = build, .n = n};

    run_in_small_stack(&small);
    run_in_small_stack(&large);
    check_linear("memory", small.arena_bytes, large.arena_bytes);
    check_linear("memory of what was read", small.read_bytes, large.read_bytes);
    check_linear("memory of the clone", small.clone_bytes, large.clone_bytes);
    check_linear("text", small.text_bytes, large.text_bytes);
    check_linear("dot", small.dot_bytes, large.dot_bytes);
    assert_true(large.arena_bytes / (size_t)n < 1024);
}

static void a_long_chain(void **state)
{
    check(chain);
}

static void a_wide_fan(void **state)
{
    check(fan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_chain),
        cmocka_unit_test(a_wide_fan),
    };

    return cmocka_run_group_tests_name("large", tests, NULL, NULL);
}
