/* What is known of the operands that say where a node works (ir/graph/known.c): its windows, its
 * axis. Expected windows follow from the document of Slice. */
#include "graphs.h"
#include "ir/shared.h"

static const char body[] =
    "%d = Parameter-1 {element_type = f32, shape = [6,4]}\n"
    "%e = Parameter-1 {element_type = f32, shape = [?,4]}\n"
    "%p = Parameter-1 {element_type = i64, shape = [1]}\n"
    "%k = Parameter-1 {element_type = i64, shape = []}\n"
    "%m5 = Const-1 {value = i64[1] [-5]}\n%one = Const-1 {value = i64[1] [1]}\n"
    "%five = Const-1 {value = i64[1] [5]}\n%far = Const-1 {value = i64[1] [99]}\n"
    "%two = Const-1 {value = i64[1] [2]}\n"
    "%last = Const-1 {value = i64[] -1}\n"
    "%even = Slice-8(%d, %m5, %far, %two)\n"           /* rows 1 3 5 */
    "%odd = Slice-8(%d, %one, %far, %two)\n"           /* the same, said otherwise */
    "%some = Slice-8(%d, %one, %five, %two)\n"         /* rows 1 3 */
    "%columns = Slice-8(%d, %one, %far, %two, %one)\n" /* columns 1 3 */
    "%open = Slice-8(%d, %p, %far, %two)\n"
    "%again = Slice-8(%d, %p, %far, %two)\n"
    "%other = Slice-8(%d, %p, %five, %two)\n"
    "%dynamic = Slice-8(%e, %one, %five, %two)\n"
    "%s:2 = Split-1(%d, %last) {num_splits = 2}\n"
    "%t:2 = Split-1(%d, %k) {num_splits = 2}\n"
    "%o0 = Result-1(%even)\n%o1 = Result-1(%odd)\n%o2 = Result-1(%some)\n"
    "%o3 = Result-1(%columns)\n%o4 = Result-1(%open)\n%o5 = Result-1(%again)\n"
    "%o6 = Result-1(%other)\n%o7 = Result-1(%dynamic)\n%o8 = Result-1(%s:0)\n%o9 = "
    "Result-1(%t:0)\n";

static const inlay_node *node_of(const inlay_graph *g, const char *name)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        if (strcmp(n->name, name) == 0)
            return n;
    }
    fail_msg("no node \"%s\"", name);
    return NULL;
}

/* Checks that the windows are those of TEXT, each of the form `begin:count:step`; "" when nothing
 * is known. */
static void check_windows(const inlay_node *n, const int64_t *dims, const char *text)
{
    inlay_window w[INLAY_MAX_RANK];
    char got[100] = "";

    if (inlay_node_windows(n, dims, w))
        snprintf(got, sizeof got, "%d:%d:%d %d:%d:%d", (int)w[0].begin, (int)w[0].count,
                 (int)w[0].step, (int)w[1].begin, (int)w[1].count, (int)w[1].step);
    assert_string_equal(got, text);
}

static void test_windows(void **state)
{
    inlay_graph *g = graph_of(body);
    const int64_t eight[] = {8, 4};

    check_windows(node_of(g, "even"), NULL, "1:3:2 0:4:1");
    check_windows(node_of(g, "even"), eight, "3:3:2 0:4:1");
    check_windows(node_of(g, "columns"), NULL, "0:6:1 1:2:2");
    check_windows(node_of(g, "open"), NULL, "");
    check_windows(node_of(g, "dynamic"), NULL, "");
    check_windows(node_of(g, "dynamic"), eight, "1:2:2 0:4:1");
    inlay_graph_free(g);
}

static void check_same(const inlay_graph *g, const char *a, const char *b, bool same)
{
    if (inlay_node_windows_same(node_of(g, a), node_of(g, b)) != same ||
        inlay_node_windows_same(node_of(g, b), node_of(g, a)) != same)
        fail_msg("%s and %s must%s be the same", a, b, same ? "" : " not");
}

static void test_same(void **state)
{
    inlay_graph *g = graph_of(body);

    check_same(g, "even", "odd", true);
    check_same(g, "even", "some", false);
    check_same(g, "even", "columns", false);
    check_same(g, "even", "open", false);
    check_same(g, "open", "again", true);
    check_same(g, "open", "other", false);
    check_same(g, "some", "dynamic", false);
    inlay_graph_free(g);
}

static void test_axis(void **state)
{
    inlay_graph *g = graph_of(body);
    int axis = -7;

    assert_true(inlay_node_axis(node_of(g, "s"), 2, &axis));
    assert_int_equal(axis, 1);
    assert_true(inlay_node_axis(node_of(g, "s"), 3, &axis));
    assert_int_equal(axis, 2);
    assert_false(inlay_node_axis(node_of(g, "s"), 0, &axis));
    assert_false(inlay_node_axis(node_of(g, "s"), -1, &axis));
    assert_false(inlay_node_axis(node_of(g, "t"), 2, &axis));
    assert_false(inlay_node_axis(node_of(g, "even"), 2, &axis));
    inlay_graph_free(g);
}

/* A SliceScatter of UPDATES rows over rows START to STOP of data of unknown sizes, and a Slice. */
static inlay_graph *open_window(int start, int stop, int step, int updates)
{
    char text[600];

    snprintf(text, sizeof text,
             "%%d = Parameter-1 {element_type = f32, shape = [?]}\n"
             "%%u = Parameter-1 {element_type = f32, shape = [%d]}\n"
             "%%b = Const-1 {value = i64[1] [%d]}\n%%e = Const-1 {value = i64[1] [%d]}\n"
             "%%s = Const-1 {value = i64[1] [%d]}\n%%x = Slice-8(%%d, %%b, %%e, %%s)\n"
             "%%r = SliceScatter-15(%%d, %%u, %%b, %%e, %%s)\n"
             "%%ox = Result-1(%%x)\n%%or = Result-1(%%r)\n",
             updates, start, stop, step);
    return graph_of(text);
}

/* Whatever size DATA has, its window lies in what is said of all sizes, and is what is written, if
 * the updates fit there. */
static void check_sizes(const inlay_graph *g, int64_t updates, int found[2])
{
    inlay_window within, written, now;
    bool known = inlay_node_windows_within(node_of(g, "x"), &within);
    bool writes = inlay_node_windows_written(node_of(g, "r"), &written);

    for (int64_t size = 0; size < 12; size++) {
        assert_true(inlay_node_windows(node_of(g, "x"), &size, &now));
        if (known)
            assert_true(inlay_window_inside(now, within));
        if (writes && now.count == updates)
            assert_true(inlay_window_equal(now, written));
    }
    found[0] += known;
    found[1] += writes;
}

/* What such a window has of data of 11 elements or fewer. */
static int most_rows(int start, int stop, int step)
{
    int64_t most = 0;

    for (int64_t size = 0; size < 12 && step != 0; size++) {
        inlay_window w = inlay_window_normalise(start, stop, step, size);

        most = w.count > most ? w.count : most;
    }
    return (int)most;
}

static void test_open_sizes(void **state)
{
    int found[2] = {0};

    for (int start = -3; start <= 6; start++) {
        for (int stop = -3; stop <= 9; stop++) {
            for (int step = -2; step <= 3; step++) {
                int updates = most_rows(start, stop, step);
                inlay_graph *g = step == 0 ? NULL : open_window(start, stop, step, updates);

                if (g)
                    check_sizes(g, updates, found);
                inlay_graph_free(g);
            }
        }
    }
    assert_int_equal(found[0], 7 * 13 * 3); /* those that begin at a place and go forwards */
    assert_true(found[1] > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_windows), cmocka_unit_test(test_same),
                                       cmocka_unit_test(test_axis),
                                       cmocka_unit_test(test_open_sizes)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
