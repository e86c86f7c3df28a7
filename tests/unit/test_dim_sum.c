/* Sizes that are sums of others. Sums that the functions build are compared with their values, for
 * many values of their terms; sizes that inference finds in a graph with those of its runs, for
 * many sizes of its inputs: two that are proven equal are always equal, and those of one function
 * must be proven so. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/graph/dim_sum.h"

enum { ATOMS = 5, VALUES = 24, SUMS = 300, LENGTHS = 7 };

/* A size of the graph, and its value in each of several runs. */
typedef struct sized {
    inlay_dim dim;
    int64_t value[VALUES];
} sized;

static bool same_values(const sized *a, const sized *b)
{
    return memcmp(a->value, b->value, sizeof a->value) == 0;
}

/* How many of the atoms, whose values are random, have a part in X: those that change it. */
static int count_terms(const int64_t *factor)
{
    int n = 0;

    for (int i = 0; i < ATOMS; i++)
        n += factor[i] != 0;
    return n;
}

/* FACTOR of a sum is known beside its values, so that it is known how many terms it has. */
static void test_random_sums(void **state)
{
    inlay_graph *g = inlay_graph_new("g", NULL);
    static sized x[SUMS];
    static int64_t factor[SUMS][ATOMS];
    rng r = {7};
    int named = 0;

    for (int i = 0; i < ATOMS; i++) {
        x[i].dim = (inlay_dim){0, INLAY_DIM_MAX, g->next_dim_id++};
        factor[i][i] = 1;
        for (int k = 0; k < VALUES; k++)
            x[i].value[k] = rng_in(&r, 0, 1000);
    }
    for (int i = ATOMS; i < SUMS; i++) {
        int a = (int)rng_in(&r, 0, i - 1), b = (int)rng_in(&r, 0, i - 1);
        int64_t times = rng_in(&r, -2, 2), more = rng_in(&r, -1, 1);
        inlay_dim_sum s = {0};
        bool known = inlay_dim_sum_add(g, &s, 1, x[a].dim) &&
                     inlay_dim_sum_add(g, &s, times, x[b].dim) &&
                     inlay_dim_sum_add(g, &s, 1, inlay_dim_of(more));

        for (int k = 0; k < ATOMS; k++)
            factor[i][k] = factor[a][k] + times * factor[b][k];
        for (int k = 0; k < VALUES; k++)
            x[i].value[k] = x[a].value[k] + times * x[b].value[k] + more;
        x[i].dim = inlay_dim_unknown_value();
        if (known) {
            assert_true(inlay_dim_sum_name(g, &s, &x[i].dim, NULL));
            assert_true(count_terms(factor[i]) <= INLAY_SUM_TERMS);
            named++;
        } else { /* begin anew, with an atom */
            x[i] = x[(int)rng_in(&r, 0, ATOMS - 1)];
            memset(factor[i], 0, sizeof factor[i]);
            for (int k = 0; k < ATOMS; k++)
                factor[i][k] = same_values(&x[i], &x[k]);
        }
        for (int k = 0; k < i; k++)
            assert_int_equal(inlay_dim_proven_equal(x[i].dim, x[k].dim), same_values(&x[i], &x[k]));
    }
    assert_true(named > SUMS / 2);
    inlay_graph_free(g);
}

/* What does not fit is not known, and never another number. */
static void test_limits(void **state)
{
    inlay_graph *g = inlay_graph_new("g", NULL);
    inlay_dim d[6];
    inlay_dim_sum s = {0}, big = {0}, gone = {0};

    for (int i = 0; i < 6; i++)
        d[i] = (inlay_dim){0, INLAY_DIM_MAX, g->next_dim_id++};
    for (int i = 5; i > 1; i--)
        assert_true(inlay_dim_sum_add(g, &s, 1, d[i]));
    assert_true(inlay_dim_sum_add(g, &s, 3, d[3]));
    assert_false(inlay_dim_sum_add(g, &s, 1, d[0])); /* a fifth term */
    assert_true(inlay_dim_sum_add(g, &big, INT64_MAX, d[0]));
    assert_false(inlay_dim_sum_add(g, &big, 1, d[0]));
    big = (inlay_dim_sum){.more = INT64_MAX};
    assert_false(inlay_dim_sum_add(g, &big, 1, inlay_dim_of(1)));
    assert_false(inlay_dim_sum_add(g, &gone, 1, inlay_dim_any())); /* it has no identity */
    gone = (inlay_dim_sum){0};
    assert_true(inlay_dim_sum_add(g, &gone, 0, inlay_dim_any())); /* nothing, whatever it is */
    assert_true(inlay_dim_sum_add(g, &gone, 2, d[0]) && inlay_dim_sum_add(g, &gone, -2, d[0]));
    assert_true(inlay_dim_sum_add(g, &gone, 1, inlay_dim_of(5)));
    assert_true(inlay_dim_sum_name(g, &gone, &d[1], NULL));
    assert_true(inlay_dim_is_static(d[1]) && d[1].lo == 5);
    inlay_graph_free(g);
}

static void test_text(void **state)
{
    inlay_graph *g = inlay_graph_new("g", NULL);
    inlay_dim s = {0, INLAY_DIM_MAX, inlay_graph_named_dim(g, "s", NULL)};
    inlay_dim t = {0, INLAY_DIM_MAX, inlay_graph_named_dim(g, "t", NULL)};
    inlay_dim u = {0, INLAY_DIM_MAX, g->next_dim_id++}, d = inlay_dim_any();
    inlay_dim_sum sum = {0};
    char text[40];

    assert_true(inlay_dim_sum_add(g, &sum, -2, t) && inlay_dim_sum_add(g, &sum, 1, s) &&
                inlay_dim_sum_add(g, &sum, -1, inlay_dim_of(3)));
    assert_true(inlay_dim_sum_name(g, &sum, &d, NULL));
    assert_true(inlay_dim_sum_text(g, d.id, text, sizeof text));
    assert_string_equal(text, "s - 2*t - 3");
    assert_false(inlay_dim_sum_text(g, d.id, text, 11)); /* it does not fit */
    assert_false(inlay_dim_sum_text(g, s.id, text, sizeof text));
    assert_true(inlay_dim_sum_add(g, &sum, 1, u)); /* a size without a name */
    assert_true(inlay_dim_sum_name(g, &sum, &d, NULL));
    assert_false(inlay_dim_sum_text(g, d.id, text, sizeof text));
    inlay_graph_free(g);
}

/* A copy of a graph has the same sums. */
static void test_copy(void **state)
{
    inlay_graph *g = graph_of("%a = Parameter {element_type = f32, shape = [?#s]}\n"
                              "%b = Const {value = f32[1] [0]}\n%c = Concat(%a, %b) {axis = 0}\n"
                              "%r = Result(%c)\n");
    inlay_graph *copy = inlay_graph_clone(g, NULL);
    inlay_dim s = inlay_graph_node(copy, "a")->out[0].fact.dims[0], d = inlay_dim_any();
    inlay_dim_sum sum = {0};
    char text[20];

    assert_true(inlay_dim_sum_add(copy, &sum, 1, s) &&
                inlay_dim_sum_add(copy, &sum, 1, inlay_dim_of(1)));
    assert_true(inlay_dim_sum_name(copy, &sum, &d, NULL));
    assert_int_equal(d.id, inlay_graph_node(copy, "c")->out[0].fact.dims[0].id);
    assert_true(inlay_dim_sum_text(copy, d.id, text, sizeof text));
    assert_string_equal(text, "s + 1");
    inlay_graph_free(g);
    inlay_graph_free(copy);
}

/* Sizes as models compute them, of x[s,4] and y[t,4]. Each line is a value whose axis 0 has the
 * length of which the comment tells; those of one letter must be proven to be equal. */
typedef struct line {
    char letter; /* ' ': nothing need be known */
    const char *name, *text;
} line;

#define SHAPE_OF(v, name)                                                                          \
    "%shape_" name " = ShapeOf(%" v ")\n%" name "_1 = Gather(%shape_" name ", %at_0, %zero)\n"     \
    "%" name " = Squeeze(%" name "_1, %at_0)\n"
#define EXPAND(list) "= Broadcast(%row, %" list ") {mode = bidirectional}\n"
#define SLICE(v, from, to) "= Slice(%" v ", %" from ", %" to ", %at_1, %at_0)\n"

static const char given[] =
    "%x = Parameter {element_type = f32, shape = [?#s,4]}\n"
    "%y = Parameter {element_type = f32, shape = [?#t,4]}\n"
    "%row = Const {value = f32[1,4] [1, 2, 3, 4]}\n"
    "%zero = Const {value = i64[] 0}\n%one = Const {value = i64[] 1}\n"
    "%two = Const {value = i64[] 2}\n%at_0 = Const {value = i64[1] [0]}\n"
    "%at_1 = Const {value = i64[1] [1]}\n%at_2 = Const {value = i64[1] [2]}\n"
    "%but_1 = Const {value = i64[1] [-1]}\n%end = Const {value = i64[1] [9223372036854775807]}\n"
    "%four = Const {value = i64[1] [4]}\n%one_i32 = Const {value = i32[1] [1]}\n"
    "%none = Const {value = i64[2] [0, 0]}\n%first = Const {value = i64[2] [1, 0]}\n"
    "%pad = Const {value = f32[] 0}\n"
    "%halves = Const {value = i64[2] [-1, 2]}\n" SHAPE_OF("x", "s") SHAPE_OF(
        "y", "t") "%s_more = Add(%s, %one)\n%list_1 = Unsqueeze(%s_more, %at_0)\n"
                  "%list = Concat(%list_1, %four) {axis = 0}\n%st = Add(%s, %t)\n%st_less = "
                  "Subtract(%st, %t)\n"
                  "%st_1 = Unsqueeze(%st, %at_0)\n%st_list = Concat(%st_1, %four) {axis = 0}\n"
                  "%less_1 = Unsqueeze(%st_less, %at_0)\n%less_list = Concat(%less_1, %four) "
                  "{axis = 0}\n"
                  "%s_i32 = Convert(%s_1) {destination_type = i32}\n%more_i32 = Add(%s_i32, "
                  "%one_i32)\n"
                  "%list_i32 = Concat(%more_i32, %four_i32) {axis = 0}\n%four_i32 = Const "
                  "{value = i32[1] [4]}\n"
                  "%twice = Multiply(%s, %two)\n%twice_1 = Unsqueeze(%twice, %at_0)\n"
                  "%twice_list = Concat(%twice_1, %four) {axis = 0}\n";

static const line lines[] = {
    {'a', "more", "= Concat(%x, %row) {axis = 0}\n"},        /* s + 1 */
    {'a', "more_before", "= Concat(%row, %x) {axis = 0}\n"}, /* s + 1 */
    {'a', "expanded", EXPAND("list")},                       /* s + 1 */
    {' ', "expanded_i32", EXPAND("list_i32")}, /* s + 1, which may not fit into an i32 */
    {'a', "as_long", "= Broadcast(%more, %list) {mode = bidirectional}\n"},    /* s + 1 */
    {'a', "counted", "= Range(%zero, %s_more, %one) {output_type = i64}\n"},   /* s + 1 */
    {'a', "padded", "= Pad(%x, %first, %none, %pad) {pad_mode = constant}\n"}, /* s + 1 */
    {'a', "cut_one_of_two", SLICE("two_more", "at_1", "end")},                 /* (s + 2) - 1 */
    {'a', "cut_last_of_two", SLICE("two_more", "at_0", "but_1")},              /* (s + 2) - 1 */
    {'a', "cut_to_length", SLICE("two_more", "at_0", "list_1")},               /* s + 1 of s + 2 */
    {'b', "two_more", "= Concat(%row, %x, %row) {axis = 0}\n"},                /* s + 2 */
    {'b', "twice_more", "= Concat(%more, %row) {axis = 0}\n"},                 /* s + 2 */
    {'s', "all", "= Abs(%x)\n"},                                               /* s */
    {'s', "rolled", SLICE("more", "at_1", "end")},                             /* (s + 1) - 1 */
    {'s', "without_last", SLICE("more", "at_0", "but_1")},                     /* (s + 1) - 1 */
    {'s', "there_and_back", EXPAND("less_list")},                              /* s + t - t */
    {'c', "joined", "= Concat(%x, %y) {axis = 0}\n"},                          /* s + t */
    {'c', "joined_turned", "= Concat(%y, %x) {axis = 0}\n"},                   /* t + s */
    {'c', "joined_as_number", EXPAND("st_list")},                              /* s + t */
    {'d', "doubled", "= Concat(%x, %x) {axis = 0}\n"},                         /* 2 s */
    {'d', "doubled_as_number", EXPAND("twice_list")},                          /* 2 s */
    {'d', "in_halves", "= Reshape(%x, %halves) {special_zero = false}\n"},     /* 4 s / 2 */
    {'1', "distance", "= Range(%s, %s_more, %one) {output_type = i64}\n"},     /* 1 */
    {'1', "newest", SLICE("more", "s_1", "end")},                              /* (s + 1) - s */
    {'1', "newest_row", SLICE("more", "but_1", "end")},                        /* 1 */
    {' ', "less", SLICE("x", "at_1", "end")},                                  /* s - 1, or 0 */
    {' ', "less_still", SLICE("more", "at_2", "end")},                         /* s - 1, or 0 */
    {' ', "at_most", SLICE("y", "at_0", "list_1")},                            /* min(t, s + 1) */
    {' ', "behind", SLICE("y", "s_1", "end")},                                 /* max(t - s, 0) */
    {' ', "difference", "= Range(%s, %t, %one) {output_type = i64}\n"},        /* max(t - s, 0) */
};

enum { LINES = sizeof lines / sizeof *lines };

static inlay_graph *graph_of_lines(void)
{
    inlay_strbuf b = {0};
    inlay_graph *g;

    inlay_strbuf_puts(&b, given);
    for (int i = 0; i < LINES; i++)
        inlay_strbuf_printf(&b, "%%%s %s%%r%d = Result(%%%s)\n", lines[i].name, lines[i].text, i,
                            lines[i].name);
    assert_false(b.failed);
    g = graph_of(b.bytes);
    inlay_strbuf_free(&b);
    return g;
}

/* Runs R with S and T rows, and records the lengths of its results as those of run K. */
static void run_lengths(runner *r, int64_t s, int64_t t, sized *x, int k)
{
    inlay_tensor *in[2] = {inlay_tensor_new(INLAY_F32, 2, (int64_t[]){s, 4}),
                           inlay_tensor_new(INLAY_F32, 2, (int64_t[]){t, 4})};
    inlay_tensor *out[LINES];

    for (int i = 0; i < 2; i++) {
        for (int64_t e = 0; e < inlay_tensor_count(in[i]); e++)
            inlay_tensor_set_f64(in[i], e, (double)e);
    }
    run_with(r, (const inlay_tensor *const *)in, NULL, out);
    for (int i = 0; i < LINES; i++) {
        x[i].value[k] = out[i]->dims[0];
        inlay_tensor_release(out[i]);
    }
    inlay_tensor_release(in[0]);
    inlay_tensor_release(in[1]);
}

static void test_sizes_of_a_graph(void **state)
{
    runner r = runner_on(graph_of_lines(), NULL);
    static sized x[LINES];
    rng random = {3};

    for (int i = 0; i < LINES; i++)
        x[i].dim = inlay_graph_node(r.graph, lines[i].name)->out[0].fact.dims[0];
    for (int k = 0; k < VALUES; k++) {
        int64_t s = k < LENGTHS ? k : rng_in(&random, 0, LENGTHS);

        run_lengths(&r, s, rng_in(&random, 0, LENGTHS), x, k);
    }
    for (int i = 0; i < LINES; i++) {
        for (int k = 0; k < i; k++) {
            bool proven = inlay_dim_proven_equal(x[i].dim, x[k].dim);
            bool named = lines[i].letter != ' ' && lines[i].letter == lines[k].letter;

            if ((proven && !same_values(&x[i], &x[k])) || (named && !proven))
                fail_msg("%s and %s: %s", lines[i].name, lines[k].name,
                         proven ? "not equal" : "not proven to be equal");
        }
    }
    runner_free(&r);
}

/* Are the states K and V, both s rows long in the first run, known to be of one length in all runs?
 * V gets MORE rows in each, and M is an input of the caller's. */
static bool stay_equal(const char *more, const char *m)
{
    const inlay_carried pairs[2] = {{0, 0}, {1, 1}};
    char text[1000];
    inlay_graph *g;
    const inlay_fact *k, *v;
    bool equal;

    snprintf(text, sizeof text,
             "%%k = Parameter {element_type = f32, shape = [?#s,4]}\n"
             "%%v = Parameter {element_type = f32, shape = [?#s,4]}\n"
             "%%m = Parameter {element_type = f32, shape = [?#%s,4]}\n"
             "%%row = Const {value = f32[1,4] [1, 2, 3, 4]}\n"
             "%%two = Const {value = f32[2,4] [1, 2, 3, 4, 5, 6, 7, 8]}\n"
             "%%next_k = Concat(%%k, %%row) {axis = 0}\n%%next_v = Concat(%%v, %%%s) {axis = 0}\n"
             "%%present_k = Result(%%next_k)\n%%present_v = Result(%%next_v)\n"
             "%%abs_k = Abs(%%k)\n%%abs_v = Abs(%%v)\n%%abs_m = Abs(%%m)\n"
             "%%a = Result(%%abs_k)\n%%b = Result(%%abs_v)\n%%c = Result(%%abs_m)\n",
             m, more);
    g = graph_of(text);
    assert_true(inlay_graph_carry(g, pairs, 2, NULL));
    k = &inlay_graph_node(g, "abs_k")->out[0].fact;
    v = &inlay_graph_node(g, "abs_v")->out[0].fact;
    equal = inlay_dim_proven_equal(k->dims[0], v->dims[0]);
    assert_false(
        inlay_dim_proven_equal(inlay_graph_node(g, "abs_m")->out[0].fact.dims[0], k->dims[0]));
    inlay_graph_free(g);
    return equal;
}

static void test_states(void **state)
{
    assert_true(stay_equal("row", "t"));
    assert_false(stay_equal("two", "t")); /* from the second run on they are not */
    assert_false(stay_equal("row", "s")); /* the caller's is not s + 1 rows long then */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_sums),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_sizes_of_a_graph),
        cmocka_unit_test(test_states),
    };

    return cmocka_run_group_tests_name("sums of sizes", tests, NULL, NULL);
}
