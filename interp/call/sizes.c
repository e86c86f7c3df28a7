/* The check of sizes.h. Identities that occur twice are found once, when a graph is compiled. */
#include "interp/call/sizes.h"
#include "ir/shared.h"

#include <stdlib.h>

struct place {
    uint32_t id;
    int param, axis;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *p = a, *q = b;

    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    if (p->param != q->param)
        return p->param < q->param ? -1 : 1;
    return (p->axis > q->axis) - (p->axis < q->axis);
}

/* Lists every open dim of G's inputs with an identity, in PLACES if that is not NULL. */
static size_t list_places(const inlay_graph *g, struct place *places)
{
    size_t n = 0;

    for (int i = 0; i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;

        for (int k = 0; k < f->rank; k++) {
            if (f->dims[k].id == 0 || inlay_dim_is_static(f->dims[k]))
                continue;
            if (places)
                places[n] = (struct place){f->dims[k].id, i, k};
            n++;
        }
    }
    return n;
}

/* Pairs PLACES, which are sorted: those of one identity are adjacent, the first input first. */
static void pair(const struct place *places, size_t n, equal_sizes *out)
{
    const struct place *first = places;

    for (const struct place *p = places; p < places + n; p++) {
        if (p->id != first->id)
            first = p;
        else if (p != first)
            out->list[out->n++] = (equal_size){p->param, p->axis, first->param, first->axis};
    }
}

bool equal_sizes_find(const inlay_graph *g, equal_sizes *out, inlay_diags *d)
{
    size_t n = g->owner ? 0 : list_places(g, NULL);
    struct place *places;

    *out = (equal_sizes){NULL, 0};
    if (n < 2)
        return true;
    places = inlay_take(inlay_graph_budget(g), n, sizeof *places);
    out->list = inlay_take(inlay_graph_budget(g), n, sizeof *out->list);
    if (places && out->list) {
        list_places(g, places);
        qsort(places, n, sizeof *places, compare_places);
        pair(places, n, out);
    }
    inlay_give(places);
    return (places && out->list) || inlay_fail_memory(d);
}

static bool has_dim(const inlay_tensor *t, const inlay_node *param, int axis)
{
    return t && t->rank == param->out[0].fact.rank && axis < t->rank;
}

static bool fail(const inlay_graph *g, const equal_size *e, const inlay_tensor *const *in,
                 inlay_diags *d)
{
    const inlay_node *param = g->params[e->param], *first = g->params[e->first];
    const char *name = inlay_value_dim_name(&param->out[0], e->axis);

    return inlay_fail_node(d, param,
                           "dimension %d%s%.100s%s of the tensor given is %lld, it must be %lld "
                           "like dimension %d of \"%.200s\"",
                           e->axis, name ? " (\"" : "", name ? name : "", name ? "\")" : "",
                           (long long)in[e->param]->dims[e->axis],
                           (long long)in[e->first]->dims[e->first_axis], e->first_axis,
                           first->name);
}

bool equal_sizes_hold(const equal_sizes *s, const inlay_graph *g, const inlay_tensor *const *in,
                      inlay_diags *d)
{
    for (size_t i = 0; i < s->n; i++) {
        const equal_size *e = &s->list[i];
        const inlay_tensor *t = in[e->param], *first = in[e->first];

        if (has_dim(t, g->params[e->param], e->axis) &&
            has_dim(first, g->params[e->first], e->first_axis) &&
            t->dims[e->axis] != first->dims[e->first_axis])
            return fail(g, e, in, d);
    }
    return true;
}
