/* Links of chains of writes (passes/rules/chain.h) say what a walk along the chain finds: on random
 * trees of writes, also after operands and readers have changed. */
#include "generate/rng.h"
#include "ir/shared.h"
#include "passes/rules/chain.h"
#include "passes/rules/vocabulary/vocabulary.h"
#include "seeds.h"
#include "unit.h"

enum { MAX_WRITES = 60, AXES = 2 };

struct tree {
    inlay_graph *g;
    inlay_value *data, *one, *runtime;
    inlay_node *writes[MAX_WRITES];
    inlay_window windows[MAX_WRITES][AXES];
    bool known[MAX_WRITES];
    int n, rows;
    rng r;
};

static inlay_value *ints(struct tree *t, int64_t a, int64_t b)
{
    int64_t dims[1] = {AXES};
    inlay_tensor *x = inlay_tensor_new(INLAY_I64, 1, dims);
    inlay_value *v;

    assert_non_null(x);
    inlay_tensor_set_i64(x, 0, a);
    inlay_tensor_set_i64(x, 1, b);
    v = inlay_build_const(t->g, "i", x, NULL);
    inlay_tensor_release(x);
    assert_non_null(v);
    return v;
}

static inlay_value *parameter(struct tree *t, const char *name, inlay_type type, int64_t rows,
                              int64_t columns)
{
    inlay_shape s;
    inlay_value *v;

    inlay_shape_of_rank(&s, columns ? 2 : 1);
    s.dim[0] = inlay_dim_of(rows);
    if (columns)
        s.dim[1] = inlay_dim_of(columns);
    v = inlay_build_parameter(t->g, name, type, &s, NULL);
    assert_non_null(v);
    return v;
}

/* Returns a value; it is often the end of the longest chain, so that chains get long. */
static inlay_value *any_value(struct tree *t)
{
    int64_t i = rng_one_in(&t->r, 6) ? rng_in(&t->r, -1, t->n - 1) : t->n - 1;

    return i < 0 ? t->data : &t->writes[i]->out[0];
}

static void random_windows(struct tree *t, inlay_window *w)
{
    int64_t begin = rng_in(&t->r, 0, t->rows - 1);
    int64_t most = rng_one_in(&t->r, 8) ? t->rows - begin : 1;

    w[0] = (inlay_window){begin, rng_in(&t->r, 1, most), 1};
    w[1] = (inlay_window){0, rng_one_in(&t->r, 8) ? 1 : 2, 1};
}

static void add_write(struct tree *t)
{
    inlay_window *w = t->windows[t->n];
    inlay_value *in[5] = {any_value(t)};
    inlay_node *n;

    random_windows(t, w);
    in[1] = parameter(t, "u", INLAY_F32, w[0].count, w[1].count);
    t->known[t->n] = !rng_one_in(&t->r, 25);
    in[2] = t->known[t->n] ? ints(t, w[0].begin, 0) : t->runtime;
    in[3] = ints(t, w[0].begin + w[0].count, w[1].count);
    in[4] = t->one;
    n = inlay_build(t->g, "write", "SliceScatter", in, 5, NULL, NULL);
    assert_non_null(n);
    t->writes[t->n++] = n;
}

static int index_of(const struct tree *t, const inlay_value *v)
{
    for (int i = 0; i < t->n; i++) {
        if (v->node == t->writes[i])
            return i;
    }
    return -1;
}

static inlay_value *walk_under(const struct tree *t, inlay_value *v, const inlay_window *w)
{
    for (int i = index_of(t, v); i >= 0; i = index_of(t, v)) {
        if (!t->known[i] || inlay_windows_meet(w, t->windows[i], AXES))
            break;
        v = t->writes[i]->in[0].value;
    }
    return v;
}

/* Do the writes that end with I write as many rows as there are, each row ONCE or not? */
static bool walk_fills(const struct tree *t, int i, bool once)
{
    bool filled[MAX_WRITES] = {false};
    int missing = t->rows;
    bool again = false;

    while (i >= 0 && missing > 0) {
        const inlay_window *w = t->windows[i];
        inlay_value *below = t->writes[i]->in[0].value;

        if (!t->known[i] || w[1].count < 2 || w[0].count == t->rows)
            return false;
        for (int64_t k = w[0].begin; k < w[0].begin + w[0].count; k++) {
            again = again || filled[k];
            filled[k] = true;
            missing--;
        }
        i = missing > 0 && rule_used_once(below) ? index_of(t, below) : -1;
    }
    return missing == 0 && again == !once;
}

static int check_all(struct tree *t, rule_match *m, uint64_t seed)
{
    int fills = 0;

    for (int k = 0; k < 2 * t->n; k++) {
        rule_window w = {.known = true, .rank = AXES};
        inlay_value *v = any_value(t);
        int i = index_of(t, v);
        bool filled = i >= 0 && walk_fills(t, i, true);

        random_windows(t, w.axis);
        if (rule_chain_under(m, v, &w) != walk_under(t, v, w.axis))
            fail_msg("seed %llu: not the value under the writes", (unsigned long long)seed);
        if (filled && !rule_chain_may_fill(m, v->node, 0))
            fail_msg("seed %llu: the writes do fill the axis", (unsigned long long)seed);
        if (i >= 0 && walk_fills(t, i, false) && rule_chain_may_fill(m, v->node, 0))
            fail_msg("seed %llu: a row is written twice", (unsigned long long)seed);
        fills += filled;
    }
    return fills;
}

/* Gives a write another operand; the links are also told which node became the only reader of the
 * old operand. */
static void change(struct tree *t, rule_match *m)
{
    int i = (int)rng_in(&t->r, 0, t->n - 1);
    inlay_value *was = t->writes[i]->in[0].value;
    int64_t to = rng_in(&t->r, -1, i - 1);

    assert_true(
        inlay_node_set_input(t->writes[i], 0, to < 0 ? t->data : &t->writes[to]->out[0], NULL));
    rule_chains_forget(m->chains, t->writes[i]);
    if (was->uses && !was->uses->next)
        rule_chains_forget(m->chains, was->uses->node);
}

static int check_seed(uint64_t seed)
{
    struct tree t = {.r = {seed}};
    rule_match m = {0};
    int fills = 0;

    t.g = inlay_graph_new("tree", NULL);
    assert_non_null(t.g);
    t.rows = (int)rng_in(&t.r, 2, 6);
    t.data = parameter(&t, "data", INLAY_F32, t.rows, 2);
    t.one = ints(&t, 1, 1);
    t.runtime = parameter(&t, "begin", INLAY_I64, AXES, 0);
    m.chains = rule_chains_new(t.g);
    assert_non_null(m.chains);
    assert_true(rule_chains_reset(m.chains));
    while (t.n < MAX_WRITES) {
        add_write(&t);
        if (rng_one_in(&t.r, 3))
            change(&t, &m);
        fills += check_all(&t, &m, seed);
    }
    assert_false(m.no_memory);
    rule_chains_free(m.chains);
    inlay_graph_free(t.g);
    return fills;
}

static void links_are_walks(void **state)
{
    const seed_range s = seeds_to_try(200, 100);
    int fills = 0;

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++)
        fills += check_seed(seed);
    if (s.whole)
        assert_true(fills > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(links_are_walks)};

    return cmocka_run_group_tests_name("rule chains", tests, NULL, NULL);
}
