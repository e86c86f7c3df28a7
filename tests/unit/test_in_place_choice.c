/* Candidates that compete for buffers: in-place-windows saves no fewer bytes than it would if it
 * asked them in the order of the graph, or in the reversed order, and nearly always as many as in
 * the best of all orders, and of all ways to leave a scatter to the end. Of the graphs where it
 * saves fewer the seed and the bytes are printed. INLAY_SEED=N tries the graph of seed N. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "passes/inplace/held.h"
#include "seeds.h"

inlay_pass_fn pass_in_place_windows;

enum { USUAL = 150, MOST = 8, MAX_ROWS = 9, MAX_VALUES = 64 };

/* A graph as text, whose values v0, v1, ... have some rows of four elements. */
struct text {
    char bytes[1 << 14];
    size_t n;
    rng r;
    int rows[MAX_VALUES], values, candidates, most;
    bool is_candidate[MAX_VALUES], read[MAX_VALUES], held[MAX_VALUES];
};

static void add(struct text *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    t->n += (size_t)vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, fmt, args);
    va_end(args);
    assert_true(t->n < sizeof t->bytes);
}

static int any(struct text *t)
{
    return (int)rng_in(&t->r, 0, t->values - 1);
}

static int new_value(struct text *t, int rows)
{
    assert_true(t->values < MAX_VALUES);
    t->rows[t->values] = rows;
    return t->values++;
}

/* Rows FROM to TO of value A as names of constants. */
static void add_window(struct text *t, int v, int from, int to)
{
    add(t, "%%b%d = Const-1 {value = i64[1] [%d]}\n%%e%d = Const-1 {value = i64[1] [%d]}\n", v,
        from, v, to);
}

/* A scatter over A: of a constant row, or of what is computed of the window itself. */
static void add_scatter(struct text *t, int a)
{
    int v = new_value(t, t->rows[a]), from = (int)rng_in(&t->r, 0, t->rows[a] - 1);
    int to = (int)rng_in(&t->r, from + 1, t->rows[a]);

    t->is_candidate[v] = true;
    t->candidates++;
    t->read[a] = true;
    add_window(t, v, from, to);
    if (rng_one_in(&t->r, 2)) {
        add(t, "%%s%d = Slice-8(%%v%d, %%b%d, %%e%d, %%step)\n%%u%d = Exp-1(%%s%d)\n", v, a, v, v,
            v, v);
    } else {
        add(t, "%%z%d = Const-1 {value = i64[2] [%d, 4]}\n%%u%d = Broadcast-3(%%one, %%z%d)\n", v,
            to - from, v, v);
    }
    add(t, "%%v%d = SliceScatter-15(%%v%d, %%u%d, %%b%d, %%e%d, %%step)\n", v, a, v, v, v);
}

/* A reader of A that can come only behind B; its result has the size of A. */
static void add_reader(struct text *t, int a, int b)
{
    int v = new_value(t, t->rows[a]);

    t->read[a] = t->read[b] = true;
    add(t, "%%m%d = ReduceSum-1(%%v%d, %%axis) {keep_dims = true}\n%%v%d = Add-1(%%v%d, %%m%d)\n",
        v, b, v, a, v);
}

static void add_view(struct text *t, int a)
{
    int from = (int)rng_in(&t->r, 0, t->rows[a] - 1);
    int to = (int)rng_in(&t->r, from + 1, t->rows[a]), v = new_value(t, to - from);

    t->read[a] = true;
    add_window(t, v, from, to);
    add(t, "%%v%d = Slice-8(%%v%d, %%b%d, %%e%d, %%step)\n", v, a, v, v);
}

/* What a Concat holds is a candidate too. */
static void hold(struct text *t, int a)
{
    t->read[a] = true;
    t->candidates += !t->held[a] && !t->is_candidate[a];
    t->held[a] = true;
}

static void add_join(struct text *t, int a, int b)
{
    int v = new_value(t, t->rows[a] + t->rows[b]);

    hold(t, a);
    hold(t, b);
    add(t, "%%v%d = Concat-1(%%v%d, %%v%d) {axis = 0}\n", v, a, b);
}

static void add_node(struct text *t)
{
    int a = any(t), b = any(t), kind = (int)rng_in(&t->r, 0, 9);

    if (kind <= 3 && t->candidates < t->most)
        add_scatter(t, a);
    else if (kind <= 6)
        add_reader(t, a, b);
    else if (kind == 7)
        add_view(t, a);
    else if (t->candidates + 2 <= t->most)
        add_join(t, a, b);
}

static void add_graph(struct text *t)
{
    add(t, "%%one = Parameter-1 {element_type = f32, shape = [1,4]}\n"
           "%%step = Const-1 {value = i64[1] [1]}\n%%axis = Const-1 {value = i64[1] [0]}\n");
    for (int64_t n = rng_in(&t->r, 1, 3); n > 0; n--) {
        int v = new_value(t, (int)rng_in(&t->r, 1, MAX_ROWS));

        add(t, "%%p%d = Parameter-1 {element_type = f32, shape = [%d,4]}\n%%v%d = Tanh-1(%%p%d)\n",
            v, t->rows[v], v, v);
    }
    for (int64_t n = rng_in(&t->r, 5, 14); n > 0; n--)
        add_node(t);
    for (int v = 0; v < t->values; v++) {
        if (!t->read[v])
            add(t, "%%n%d = ReduceSum-1(%%v%d, %%axis)\n%%o%d = Result-1(%%n%d)\n", v, v, v, v);
    }
}

/* One graph, and the nodes of its candidates. */
struct subject {
    inlay_graph *graph;
    int *rank;
    uint32_t ids[MOST];
    bool scatter[MOST];
    int n;
    inlay_diags *d;
};

static uint64_t saved_with(const struct subject *s, const int *rank)
{
    inlay_pass_options o = {0};
    pass_run run = {.options = &o, .diags = s->d, .ranks = rank};

    assert_true(pass_in_place_windows(s->graph, &run));
    return inplace_saved_bytes(s->graph);
}

/* The notes that the pass has just made are legal. */
static void check_notes(const struct subject *s)
{
    inlay_order_list order;

    assert_true(inlay_order(s->graph, false, &order, s->d));
    if (!inlay_check_notes(s->graph, &order, NULL, s->d))
        fail_msg("%s", inlay_diags_at(s->d, 0)->text);
    inlay_order_free(&order);
}

static uint64_t saved_in_order(const struct subject *s, const int *order)
{
    for (int i = 0; i < s->n; i++)
        s->rank[s->ids[order[i]]] = i;
    return saved_with(s, s->rank);
}

/* The next permutation of the N numbers of ORDER; false: that was the last one. */
static bool next_order(int *order, int n)
{
    int i = n - 2, k = n - 1, old;

    while (i >= 0 && order[i] > order[i + 1])
        i--;
    if (i < 0)
        return false;
    while (order[k] < order[i])
        k--;
    old = order[i];
    order[i] = order[k];
    order[k] = old;
    for (int a = i + 1, b = n - 1; a < b; a++, b--) {
        old = order[a];
        order[a] = order[b];
        order[b] = old;
    }
    return true;
}

/* Bytes saved by the best and the worst of all orders, and of all choices of scatters that are left
 * to the end; in the order of the graph, in the reversed one, and in that which the pass begins
 * with. */
struct found {
    uint64_t best, worst, forwards, backwards, first;
};

static void try_all_orders(const struct subject *s, struct found *f)
{
    int order[MOST], reversed[MOST];

    for (int i = 0; i < s->n; i++) {
        order[i] = i;
        reversed[i] = s->n - 1 - i;
    }
    f->forwards = f->worst = saved_in_order(s, order);
    f->backwards = saved_in_order(s, reversed);
    do {
        uint64_t saved = saved_in_order(s, order);

        f->best = saved > f->best ? saved : f->best;
        f->worst = saved < f->worst ? saved : f->worst;
    } while (next_order(order, s->n));
    for (unsigned late = 0; late < 1u << s->n; late++) {
        uint64_t saved;

        for (int i = 0; i < s->n; i++)
            s->rank[s->ids[i]] = late >> i & 1 && s->scatter[i] ? INPLACE_LATE : 0;
        saved = saved_with(s, s->rank);
        check_notes(s);
        f->first = late == 0 ? saved : f->first;
        f->best = saved > f->best ? saved : f->best;
    }
}

static void list_candidates(const struct text *t, struct subject *s)
{
    for (int v = 0; v < t->values; v++) {
        char name[16];
        inlay_node *n;

        snprintf(name, sizeof name, "v%d", v);
        n = inlay_graph_node(s->graph, name);
        if (!n || (!t->is_candidate[v] && !t->held[v]))
            continue;
        assert_true(s->n < MOST);
        s->scatter[s->n] = t->is_candidate[v];
        s->ids[s->n++] = n->id;
    }
}

struct totals {
    uint64_t graphs, matters, improved, below;
};

static void check_seed(struct text *t, uint64_t seed, struct totals *sum)
{
    struct subject s = {.d = inlay_diags_new()};
    struct found f = {0};
    uint64_t saved;

    /* eight candidates have 40,320 orders */
    *t = (struct text){.r = {seed}, .most = seed % 500 == 0 ? MOST : 3 + (int)(seed % 4)};
    add_graph(t);
    s.graph = graph_of(t->bytes);
    s.rank = calloc((size_t)s.graph->next_id + 1, sizeof *s.rank);
    assert_non_null(s.rank);
    list_candidates(t, &s);
    try_all_orders(&s, &f);
    saved = saved_with(&s, NULL);
    check_notes(&s);
    if (saved < f.forwards || saved < f.backwards)
        fail_msg("seed %llu: %llu bytes, in the order of the graph %llu, reversed %llu\n%s",
                 (unsigned long long)seed, (unsigned long long)saved,
                 (unsigned long long)f.forwards, (unsigned long long)f.backwards, t->bytes);
    if (saved < f.best)
        print_message("# below: seed %llu, %llu bytes of %llu\n", (unsigned long long)seed,
                      (unsigned long long)saved, (unsigned long long)f.best);
    sum->graphs++;
    sum->matters += f.best > f.worst;
    sum->improved += saved > f.first;
    sum->below += saved < f.best;
    free(s.rank);
    inlay_graph_free(s.graph);
    inlay_diags_free(s.d);
}

static void test_choice(void **state)
{
    const seed_range seeds = seeds_to_try(USUAL, 50);
    struct totals sum = {0};
    struct text *t = malloc(sizeof *t);

    assert_non_null(t);
    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++)
        check_seed(t, seed, &sum);
    free(t);
    print_message("# %llu graphs, the order matters in %llu, another than the first is chosen in "
                  "%llu, below the best in %llu\n",
                  (unsigned long long)sum.graphs, (unsigned long long)sum.matters,
                  (unsigned long long)sum.improved, (unsigned long long)sum.below);
    assert_true(!seeds.whole || sum.matters * 10 > sum.graphs);
    assert_true(!seeds.whole || seeds.n < USUAL || sum.improved > 0);
    assert_true(sum.below * 20 <= sum.graphs);
}

/* What was once below the best: only two candidates that are moved at once save more. */
static void test_two_at_once(void **state)
{
    struct totals sum = {0};
    struct text *t = malloc(sizeof *t);

    assert_non_null(t);
    check_seed(t, 8312042, &sum);
    check_seed(t, 9940710, &sum);
    free(t);
    assert_int_equal(sum.below, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_at_once),
                                       cmocka_unit_test(test_choice)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
