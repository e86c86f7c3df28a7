/* Runs on tensors whose sizes do not fit: if a graph has unknown sizes, the shape rules refuse most
 * sizes that are drawn independently. All executors must give the same messages then. */
#include "cli/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Draws a small size that the Parameter allows, regardless of other sizes with the same name. */
static int64_t draw_size(inlay_dim d, uint64_t *state)
{
    const int64_t n = (int64_t)(fuzz_next(state) % 6);

    return n < d.lo ? d.lo : n > d.hi ? d.hi : n;
}

static void draw_shape(const inlay_fact *f, inlay_shape *s, uint64_t *state)
{
    inlay_shape_of_rank(s, f->rank < 0 ? (int)(fuzz_next(state) % 5) : f->rank);
    for (int k = 0; k < s->rank; k++)
        s->dim[k] = inlay_dim_of(draw_size(f->rank < 0 ? inlay_dim_any() : f->dims[k], state));
}

static bool is_closed(const inlay_graph *g)
{
    bool closed = true;

    for (int i = 0; i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;

        closed = closed && f->rank >= 0;
        for (int k = 0; k < f->rank; k++)
            closed = closed && inlay_dim_is_static(f->dims[k]);
    }
    return closed;
}

/* Runs G on IN; D says why it fails. */
static void run(const inlay_graph *g, const inlay_evaluator *e, inlay_tensor *const *in,
                inlay_diags *d)
{
    inlay_tensor **out = calloc((size_t)g->n_results + 1, sizeof *out);
    inlay_tensor **states = calloc((size_t)g->n_variables + 1, sizeof *states);

    if (out && states)
        e->eval_graph(e->ctx, g, (const inlay_tensor *const *)in, out, states, d);
    fuzz_release(out, g->n_results);
    fuzz_release(states, g->n_variables);
}

/* Running out of memory or over a limit is no difference: executors hold different amounts. */
static bool say_the_same(const inlay_diags *a, const inlay_diags *b, char *why, size_t size)
{
    const inlay_diag *x = inlay_diags_error(a), *y = inlay_diags_error(b);
    const char *first = x ? x->text : "nothing", *second = y ? y->text : "nothing";

    snprintf(why, size,
             "with sizes that may not fit together, the reference says: %s; the other executor: %s",
             first, second);
    return inlay_diags_status(a) == INLAY_NO_RESOURCE ||
           inlay_diags_status(b) == INLAY_NO_RESOURCE || strcmp(first, second) == 0;
}

/* Returns whether A and B do the same with the inputs of SEED. */
static bool agree(const inlay_graph *g, const inlay_evaluator *a, const inlay_evaluator *b,
                  inlay_shape *shapes, inlay_make_options *o, char *why, size_t size)
{
    inlay_tensor **in = calloc((size_t)g->n_params + 1, sizeof *in);
    inlay_diags *first = inlay_diags_new(), *second = inlay_diags_new();
    uint64_t state = o->seed;
    bool same = true;

    for (int i = 0; i < g->n_params; i++)
        draw_shape(&g->params[i]->out[0].fact, &shapes[i], &state);
    if (in && first && second && inlay_make_inputs(g, o, in, NULL)) {
        run(g, a, in, first);
        run(g, b, in, second);
        same = say_the_same(first, second, why, size);
    }
    inlay_diags_free(first);
    inlay_diags_free(second);
    fuzz_release(in, g->n_params);
    return same;
}

bool fuzz_refuse_alike(const inlay_graph *g, const inlay_evaluator *a, const inlay_evaluator *b,
                       const inlay_verify_options *how, char *why, size_t size)
{
    inlay_shape *shapes = calloc((size_t)g->n_params + 1, sizeof *shapes);
    inlay_make_options o = {.shapes = shapes, .max_memory = how->max_memory};
    bool same = true;

    for (int i = 0; shapes && same && i < how->trials && !is_closed(g); i++) {
        o.seed = how->seed + (uint64_t)i;
        same = agree(g, a, b, shapes, &o, why, size);
    }
    free(shapes);
    return same;
}
