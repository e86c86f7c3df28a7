/* Proofs of whole graphs, on random ones: what is proven no trial may refute, both for a graph and
 * what the passes make of it, and for a graph and one that is not the same. */
#include "random_graphs.h"

#include "interp/interp.h"
#include "passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct tally {
    int graphs, proven, refuted;
};

/* Compares A and B both ways. The proof may make so many TERMS: with one it can only look at whole
 * values. */
static void check_with(uint64_t terms, struct tally *t, uint64_t seed, const inlay_graph *a,
                       const inlay_graph *b)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_symbolic_options o = {.evaluator = e, .max_terms = terms};
    inlay_verify_options trials = {.trials = 16, .may_mend = true};
    inlay_symbolic_result proof;
    inlay_verify_result tried;
    inlay_diags *d = inlay_diags_new();

    if (!inlay_symbolic_same(a, b, &o, &proof, d))
        fail_msg("seed %llu: it failed without an answer", (unsigned long long)seed);
    assert_int_equal(inlay_diags_count(d), 0);
    assert_int_equal(proof.proven, *proof.why == '\0');
    assert_true(inlay_verify(a, &e, b, &e, &trials, &tried, NULL));
    if (proof.proven && tried.verdict == INLAY_NOT_SAME)
        fail_msg("seed %llu: proven, but %s", (unsigned long long)seed, tried.why);
    t->graphs++;
    t->proven += proof.proven;
    t->refuted += tried.verdict == INLAY_NOT_SAME;
    inlay_diags_free(d);
}

static void check(struct tally *t, uint64_t seed, const inlay_graph *a, const inlay_graph *b)
{
    check_with(1 << 20, t, seed, a, b);
}

/* Another operand of the same type and shape for a node of G that has one; false: none was found.
 */
static bool reconnect(inlay_graph *g, rng *r)
{
    int64_t skip = rng_in(r, 0, (int64_t)g->n_nodes - 1);

    for (inlay_node *n = g->first; n; n = n->next) {
        if (skip-- > 0 || n->n_in < 2 || !n->in[0].value || !n->in[1].value ||
            n->in[0].value == n->in[1].value ||
            n->in[0].value->fact.type != n->in[1].value->fact.type ||
            !inlay_fact_same_shape(&n->in[0].value->fact, &n->in[1].value->fact))
            continue;
        return inlay_node_set_input(n, 0, n->in[1].value, NULL) && inlay_infer_graph(g, NULL);
    }
    return false;
}

static void check_seed(struct tally *same, struct tally *other, inlay_generate_mix mix,
                       uint64_t seed)
{
    generated_graph g = random_graph_of(mix, seed, NULL);
    inlay_graph *b = inlay_graph_clone(g.graph, NULL);
    rng r = {seed};

    assert_true(inlay_run_passes(b, &(inlay_pass_options){.passes = "simplify"}, NULL));
    check(same, seed, g.graph, b);
    inlay_graph_free(b);
    b = inlay_graph_clone(g.graph, NULL);
    if (reconnect(b, &r))
        check(other, seed, g.graph, b);
    inlay_graph_free(b);
    inlay_graph_free(g.graph);
}

static void of_random_graphs(void **state)
{
    seed_range seeds = seeds_to_try(150, 40);
    struct tally same = {0}, other = {0};

    (void)state;
    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++) {
        for (int mix = 0; mix < INLAY_GENERATE_MIXES; mix++)
            check_seed(&same, &other, (inlay_generate_mix)mix, seed);
    }
    print_message("# simplified: %d of %d proven; reconnected: %d of %d proven, %d refuted\n",
                  same.proven, same.graphs, other.proven, other.graphs, other.refuted);
    if (seeds.whole) {
        assert_true(same.proven * 5 > same.graphs * 2);
        assert_true(other.refuted > 0);
    }
}

/* Moves along axis 0 of %x [40,2] with constants that NUDGE changes: the constant number NUDGE,
 * from 0 on, is one more (-1: none). A window of what was cut before, a write into it, a part of a
 * Split, two parts joined, a list of rows taken. */
enum { ROWS = 40, MOVES = 5 };

struct moves {
    inlay_graph *g;
    rng r;
    int next, nudge; /* the number of the next constant */
};

/* A place from LO to HI. */
static int64_t place(struct moves *m, int64_t lo, int64_t hi)
{
    int64_t x = rng_in(&m->r, lo, hi);

    return m->next++ != m->nudge ? x : x < hi ? x + 1 : x - 1;
}

static inlay_value *fixed(struct moves *m, int64_t x)
{
    return inlay_build_i64_list(m->g, NULL, &x, 1, NULL);
}

static inlay_value *make(struct moves *m, const char *op, inlay_value *const *in, int n,
                         const char *attrs)
{
    inlay_node *made = inlay_build(m->g, NULL, op, in, n, attrs, NULL);

    assert_non_null(made);
    return &made->out[0];
}

/* COUNT rows of X from a place on. */
static inlay_value *cut(struct moves *m, inlay_value *x, int64_t count)
{
    int64_t at = place(m, 0, x->fact.dims[0].lo - count);
    inlay_value *in[] = {x, fixed(m, at), fixed(m, at + count), fixed(m, 1), fixed(m, 0)};

    return make(m, "Slice", in, 5, NULL);
}

/* X with half as many rows of Y written from a place on. */
static inlay_value *write(struct moves *m, inlay_value *x, inlay_value *y)
{
    int64_t count = x->fact.dims[0].lo / 2, at;
    inlay_value *part = cut(m, y, count < 30 ? count : 30);

    count = part->fact.dims[0].lo;
    at = place(m, 0, x->fact.dims[0].lo - count);
    return make(
        m, "SliceScatter",
        (inlay_value *[]){x, part, fixed(m, at), fixed(m, at + count), fixed(m, 1), fixed(m, 0)}, 6,
        NULL);
}

static inlay_value *gather(struct moves *m, inlay_value *x)
{
    int64_t index[] = {place(m, 0, x->fact.dims[0].lo - 1), 1, 0, 2, 3, 4, 5, 6, 7};
    inlay_value *list = inlay_build_i64_list(m->g, NULL, index, 9, NULL);

    return make(m, "Gather",
                (inlay_value *[]){x, list, inlay_build_i64_scalar(m->g, NULL, 0, NULL)}, 3, NULL);
}

static inlay_value *move(struct moves *m, inlay_value *x, inlay_value *y)
{
    int64_t size = x->fact.dims[0].lo;

    switch (rng_in(&m->r, 0, 4)) {
    case 0:
        return cut(m, x, size - 3);
    case 1:
        return write(m, x, y);
    case 2:
        return make(m, "Concat", (inlay_value *[]){cut(m, x, size / 2), cut(m, y, 4), cut(m, x, 3)},
                    3, "axis=0");
    case 3:
        return gather(m, x);
    default:
        return make(m, "Concat", (inlay_value *[]){y, x}, 2, "axis=0");
    }
}

static inlay_graph *moved(uint64_t seed, int nudge, int *constants)
{
    struct moves m = {inlay_graph_new("moves", NULL), {seed}, 0, nudge};
    inlay_shape shape;
    inlay_value *x, *y;

    inlay_shape_of_rank(&shape, 2);
    shape.dim[0] = inlay_dim_of(ROWS);
    shape.dim[1] = inlay_dim_of(2);
    x = y = inlay_build_parameter(m.g, "x", INLAY_F32, &shape, NULL);
    y = inlay_build_parameter(m.g, "y", INLAY_F32, &shape, NULL);
    for (int i = 0; i < MOVES && x->fact.dims[0].lo > 8; i++)
        x = move(&m, x, y);
    assert_non_null(inlay_build_result(m.g, "out", x, NULL));
    *constants = m.next;
    return m.g;
}

/* Proofs over whole values, which no number of terms bounds, of such graphs: of one and itself
 * after the passes, and of one and another in which one place is moved by one. */
static void of_moved_places(void **state)
{
    seed_range seeds = seeds_to_try(300, 100);
    struct tally same = {0}, other = {0};

    (void)state;
    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++) {
        int n, ignored;
        inlay_graph *a = moved(seed, -1, &n), *b = inlay_graph_clone(a, NULL);

        assert_true(inlay_run_passes(b, &(inlay_pass_options){.passes = "simplify"}, NULL));
        check_with(1, &same, seed, a, b);
        inlay_graph_free(b);
        for (int i = 0; i < n; i++) {
            b = moved(seed, i, &ignored);
            check_with(1, &other, seed, a, b);
            inlay_graph_free(b);
        }
        inlay_graph_free(a);
    }
    print_message("# moved: %d of %d proven; by one: %d of %d proven, %d refuted\n", same.proven,
                  same.graphs, other.proven, other.graphs, other.refuted);
    if (seeds.whole) {
        assert_true(same.proven * 3 > same.graphs * 2);
        assert_true(other.refuted * 2 > other.graphs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_random_graphs),
                                       cmocka_unit_test(of_moved_places)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
