/* The time of each step of a run: a program that reports each step runs for a while, and the time
 * from one report to the next is the step's. */
#include "cli/bench.h"

#include <stdlib.h>

/* The nodes of a graph and of its bodies, sorted by address, to find the times of a step by its
 * node. */
struct profile {
    bench_step *all; /* by address */
    size_t n;
    size_t *order; /* of the steps that ran, in the order of their first run */
    size_t n_met;
    bench_step *now; /* the step that runs; NULL: none */
    double began, run_began;
    int runs;
};

static size_t count_nodes(const inlay_graph *g)
{
    size_t n = 0;

    for (const inlay_node *node = g->first; node; node = node->next) {
        n++;
        for (int i = 0; i < node->n_bodies; i++)
            n += node->bodies[i].graph ? count_nodes(node->bodies[i].graph) : 0;
    }
    return n;
}

static void add_nodes(struct profile *p, const inlay_graph *g)
{
    for (const inlay_node *node = g->first; node; node = node->next) {
        p->all[p->n++].node = node;
        for (int i = 0; i < node->n_bodies; i++) {
            if (node->bodies[i].graph)
                add_nodes(p, node->bodies[i].graph);
        }
    }
}

static int by_node(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const bench_step *)a)->node;
    uintptr_t y = (uintptr_t)((const bench_step *)b)->node;

    return (x > y) - (x < y);
}

static void end_step(struct profile *p, double now)
{
    bench_step *s = p->now;

    if (!s)
        return;
    s->us += now - p->began;
    if (s->first_us < 0)
        s->first_us = now - p->began;
    p->now = NULL;
}

static void on_step(void *ctx, const inlay_node *n, uint64_t steps)
{
    struct profile *p = ctx;
    const bench_step key = {.node = n};

    (void)steps;
    end_step(p, bench_now_us());
    p->now = bsearch(&key, p->all, p->n, sizeof key, by_node);
    if (p->now && p->now->calls++ == 0)
        p->order[p->n_met++] = (size_t)(p->now - p->all);
    p->began = bench_now_us();
    if (p->now && p->now->first < 0) {
        p->now->first = p->began - p->run_began;
        p->now->first_us = -1;
    }
}

static bool run_once(struct profile *p, inlay_session *s, const cli_inputs *in, inlay_tensor **out,
                     int n_out, inlay_diags *d)
{
    bool ok;

    for (size_t i = 0; i < p->n; i++)
        p->all[i].first = -1;
    p->run_began = bench_now_us();
    ok = inlay_session_run(s, (const inlay_tensor *const *)in->tensors, NULL, out, d);
    end_step(p, bench_now_us());
    for (int i = 0; i < n_out; i++)
        inlay_tensor_release(out[i]);
    p->runs++;
    return ok;
}

static void forget(struct profile *p)
{
    for (size_t i = 0; i < p->n; i++)
        p->all[i] = (bench_step){.node = p->all[i].node};
    p->n_met = 0;
    p->runs = 0;
}

/* Runs the session for SECONDS. The first run only warms up. */
static bool run_all(struct profile *p, inlay_session *s, const cli_inputs *in, double seconds,
                    inlay_tensor **out, int n_out, inlay_diags *d)
{
    enum { MOST = 1000 };
    bool ok = run_once(p, s, in, out, n_out, d);
    double until = bench_now_us() + seconds * 1e6;

    forget(p);
    do
        ok = ok && run_once(p, s, in, out, n_out, d);
    while (ok && p->runs < MOST && bench_now_us() < until);
    return ok;
}

/* Adds the bytes of V's elements to *BYTES. False where the size of V is not known. */
static bool add_bytes(const inlay_value *v, uint64_t *bytes)
{
    const inlay_fact *f = v ? &v->fact : NULL;
    uint64_t bits;

    if (!f)
        return true;
    if (f->rank < 0 || f->type == INLAY_DYNAMIC)
        return false;
    bits = (uint64_t)inlay_type_info_of(f->type)->bits;
    for (int i = 0; i < f->rank; i++) {
        if (!inlay_dim_is_static(f->dims[i]) ||
            __builtin_mul_overflow(bits, (uint64_t)f->dims[i].lo, &bits))
            return false;
    }
    *bytes += bits / 8;
    return true;
}

static uint64_t bytes_of_step(const inlay_node *n)
{
    uint64_t bytes = 0;
    bool known = true;

    for (int i = 0; known && i < n->n_in; i++)
        known = add_bytes(inlay_node_input(n, i), &bytes);
    for (int i = 0; known && i < n->n_out; i++)
        known = add_bytes(&n->out[i], &bytes);
    return known ? bytes : 0;
}

/* Makes the list from the steps that ran. */
static bool take_steps(const struct profile *p, bench_steps *out, inlay_diags *d)
{
    out->list = calloc(p->n_met + 1, sizeof *out->list);
    if (!out->list)
        return inlay_fail_memory(d);
    out->n = p->n_met;
    out->runs = p->runs;
    for (size_t i = 0; i < p->n_met; i++) {
        bench_step *s = &out->list[i];

        *s = p->all[p->order[i]];
        s->us /= p->runs;
        s->calls /= (uint64_t)p->runs;
        s->bytes = bytes_of_step(s->node);
    }
    return true;
}

static bool profile_begin(struct profile *p, const inlay_graph *g, inlay_diags *d)
{
    size_t n = count_nodes(g);

    *p = (struct profile){.all = calloc(n + 1, sizeof *p->all),
                          .order = calloc(n + 1, sizeof *p->order)};
    if (!p->all || !p->order)
        return inlay_fail_memory(d);
    add_nodes(p, g);
    qsort(p->all, p->n, sizeof *p->all, by_node);
    return true;
}

bool bench_profile(const inlay_graph *g, const inlay_exec_options *o, const cli_inputs *in,
                   double seconds, bench_steps *out, inlay_diags *d)
{
    struct profile p;
    inlay_exec_options told = *o;
    inlay_program *program = NULL;
    inlay_session *session = NULL;
    inlay_tensor **values = calloc((size_t)g->n_results + 1, sizeof(inlay_tensor *));
    bool ok = profile_begin(&p, g, d);

    *out = (bench_steps){0};
    told.progress = on_step;
    told.progress_ctx = &p;
    ok = ok && (values || inlay_fail_memory(d)) && (program = inlay_compile(g, &told, d)) &&
         (session = inlay_session_new(program, d)) &&
         run_all(&p, session, in, seconds, values, g->n_results, d) && take_steps(&p, out, d);
    inlay_session_free(session);
    inlay_program_free(program);
    free(values);
    free(p.all);
    free(p.order);
    return ok;
}

void bench_free_steps(bench_steps *s)
{
    free(s->list);
    *s = (bench_steps){0};
}
