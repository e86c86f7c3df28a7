#include "node_case.h"
#include "unit.h"

#include <math.h>

/* Numbers */

double any_number(rng *r, bool special)
{
    static const double odd[] = {0, -0.0, 1, -1, 1e-42, 3e38, -3e38};

    if (special && rng_one_in(r, 40)) {
        int64_t i = rng_in(r, 0, 2);

        return i == 0 ? (double)NAN : i == 1 ? (double)INFINITY : (double)-INFINITY;
    }
    if (rng_one_in(r, 8))
        return odd[rng_in(r, 0, 6)];
    return (double)rng_in(r, -1000000, 1000000) / 999983;
}

int64_t any_size(rng *r)
{
    return rng_one_in(r, 12)  ? rng_in(r, 0, 1)
           : rng_one_in(r, 8) ? rng_in(r, 250, 600)
                              : rng_in(r, 1, 70);
}

inlay_tensor *any_tensor(rng *r, inlay_type type, int rank, const int64_t *dims, bool special,
                         bool dense)
{
    int64_t larger[INLAY_MAX_RANK], strides[INLAY_MAX_RANK], step = 1;
    inlay_tensor *all, *t;

    for (int i = rank - 1; i >= 0; i--) {
        larger[i] = dims[i] + (dense ? 0 : rng_in(r, 0, 2));
        strides[i] = step;
        step *= larger[i];
    }
    all = inlay_tensor_new(type, rank, larger);
    assert_non_null(all);
    for (int64_t i = 0; i < inlay_tensor_count(all); i++)
        inlay_tensor_set_f64(all, i, any_number(r, special));
    t = inlay_tensor_window(all, rank, dims, strides, 0);
    assert_non_null(t);
    inlay_tensor_release(all);
    return t;
}

bool same_numbers(const inlay_tensor *a, const inlay_tensor *b)
{
    size_t size = (size_t)inlay_type_info_of(a->type)->bits / 8;
    bool same = inlay_tensor_count(a) == inlay_tensor_count(b);

    for (int64_t i = 0; same && i < inlay_tensor_count(a); i++) {
        double x = inlay_tensor_get_f64(a, i), y = inlay_tensor_get_f64(b, i);

        same = (x != x && y != y) || memcmp((const char *)a->data + (size_t)i * size,
                                            (const char *)b->data + (size_t)i * size, size) == 0;
    }
    return same;
}

/* Whether A is what is wanted for K, W. */
static bool is_wanted(const struct node_case *k, const inlay_tensor *a, const inlay_tensor *w)
{
    for (int64_t i = 0; k->bounds && i < inlay_tensor_count(a); i++) {
        double x = inlay_tensor_get_f64(a, i), y = inlay_tensor_get_f64(w, i);

        if (!(fabs(x - y) <= k->bounds[i] || x == y || isinf(k->bounds[i]) || (x != x && y != y)))
            return false;
    }
    return k->bounds || same_numbers(a, w);
}

static const char *shape_of(const inlay_tensor *t, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", inlay_type_info_of(t->type)->name);

    for (int i = 0; i < t->rank; i++)
        used += (size_t)snprintf(text + used, size - used, ",%lld", (long long)t->dims[i]);
    return text;
}

/* Runs */

static inlay_graph *graph_of_case(const struct node_case *k, inlay_diags *d)
{
    inlay_graph *g = inlay_graph_new("case", d);
    inlay_value *in[MOST_OPERANDS];
    inlay_node *n;
    char name[16];
    int n_in = 0;

    for (int i = 0; i < MOST_OPERANDS && k->in[i]; i++) {
        inlay_shape shape = {.rank = k->in[i]->rank};

        for (int a = 0; a < shape.rank; a++)
            shape.dim[a] = k->open ? (inlay_dim){.lo = 0, .hi = INLAY_DIM_MAX}
                                   : (inlay_dim){.lo = k->in[i]->dims[a], .hi = k->in[i]->dims[a]};
        snprintf(name, sizeof name, "in%d", i);
        n_in++;
        in[i] = k->constant[i] ? inlay_build_const(g, name, k->in[i], d)
                               : inlay_build_parameter(g, name, k->in[i]->type, &shape, d);
    }
    n = inlay_build(g, "node", k->op, in, n_in, k->attrs, d);
    if (!n || !inlay_build_result(g, "out", &n->out[k->output], d))
        fail_msg("%s %s: %s", k->op, k->attrs, inlay_diags_at(d, 0)->text);
    return g;
}

/* Returns what G gives for the operands of K, run with the options O. The second of two runs in a
 * session finds everything there. */
static inlay_tensor *run_case(const struct node_case *k, const inlay_graph *g,
                              const inlay_exec_options *o, int64_t least)
{
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    const inlay_tensor *in[MOST_OPERANDS];
    inlay_tensor *out = NULL, *again = NULL;
    int n = 0;

    for (int i = 0; i < MOST_OPERANDS && k->in[i]; i++) {
        if (!k->constant[i])
            in[n++] = k->in[i];
    }
    if (p)
        program_split(p, least);
    if (!s || !inlay_session_run(s, in, NULL, &out, d) ||
        !inlay_session_run(s, in, NULL, &again, d))
        fail_msg("%s %s: %s", k->op, k->attrs, inlay_diags_at(d, 0)->text);
    assert_true(same_numbers(out, again));
    inlay_tensor_release(again);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
    return out;
}

static void fail_case(const struct node_case *k, uint64_t seed, int threads,
                      const inlay_tensor *out, const inlay_tensor *wanted)
{
    char a[200], b[200] = "nothing";
    int64_t i = 0;

    while (i < inlay_tensor_count(out) &&
           inlay_tensor_get_f64(out, i) == inlay_tensor_get_f64(wanted, i))
        i++;
    fail_msg("seed %llu: %s %s of %s and %s with %d threads: element %lld is %g, not %g",
             (unsigned long long)seed, k->op, k->attrs, shape_of(k->in[0], a, sizeof a),
             k->in[1] ? shape_of(k->in[1], b, sizeof b) : b, threads, (long long)i,
             inlay_tensor_get_f64(out, i), inlay_tensor_get_f64(wanted, i));
}

void check_case(struct node_case *k, uint64_t seed)
{
    static const int threads[] = {1, 2, 3, 7};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of_case(k, d);
    inlay_tensor *wanted = run_case(k, g, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE}, 0);
    inlay_tensor *first = NULL; /* what one thread gives */

    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        inlay_exec_options o = {.threads = threads[i], .poison = true};
        inlay_tensor *out = run_case(k, g, &o, 1);

        if (!is_wanted(k, out, wanted) || (first && !same_numbers(out, first)))
            fail_case(k, seed, threads[i], out, wanted);
        inlay_tensor_release(first);
        first = out;
    }
    inlay_tensor_release(first);
    for (int i = 0; i < MOST_OPERANDS && k->in[i]; i++)
        inlay_tensor_release(k->in[i]);
    inlay_tensor_release(wanted);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

void try_cases(seed_range seeds, node_case_fn *make, node_case_fn *change)
{
    for (uint64_t i = 0; i < seeds.n; i++) {
        rng r = {seeds.first + i};
        struct node_case k = {0};

        make(&r, &k);
        if (change)
            change(&r, &k);
        check_case(&k, seeds.first + i);
    }
}
