/* Finds the values that a caller wants to keep, by their names. */
#include "interp/call/steps.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* Says how a name that is asked for names a value: as "node.0", as "node" (its output 0), or as one
 * of the names of its tensor. A later way is a better fit. */
enum fit { NO_FIT, FITS_PORT, FITS_NODE, FITS_TENSOR };

/* Several values may have one name: the value that the name fits best is meant, and the first of
 * equals. */
struct wanted {
    const char *name;
    const inlay_value *best;
    enum fit fit;
};

/* The list is sorted by name. A name that is asked for twice stands in it twice, and the search
 * finds the same entry each time. */
struct search {
    struct wanted *list;
    size_t n;
    inlay_strbuf text;
};

static int by_name(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static struct wanted *find_wanted(const struct search *q, const char *name)
{
    struct wanted key = {.name = name};

    return bsearch(&key, q->list, q->n, sizeof key, by_name);
}

static void offer(const struct search *q, const inlay_value *v, const char *name, enum fit fit)
{
    struct wanted *w = find_wanted(q, name);

    inlay_count_steps(v->node->graph, 1);
    if (w && fit > w->fit) {
        w->best = v;
        w->fit = fit;
    }
}

static void offer_outputs(struct search *q, const inlay_node *n)
{
    for (int k = 0; k < n->n_out; k++) {
        const inlay_value *v = &n->out[k];

        for (int i = 0; i < v->n_names; i++)
            offer(q, v, v->names[i], FITS_TENSOR);
        if (k == 0)
            offer(q, v, n->name, FITS_NODE);
        q->text.n = 0;
        inlay_strbuf_printf(&q->text, "%s.%d", n->name, k);
        if (!q->text.failed)
            offer(q, v, q->text.bytes, FITS_PORT);
    }
}

/* Returns the node in G or in a body below G that makes the one value that Q is searching for, or
 * NULL. */
static const inlay_node *find_below(const inlay_graph *g, struct search *q)
{
    const inlay_node *n = NULL;

    do {
        n = inlay_graph_walk(g, n);
        if (n)
            offer_outputs(q, n);
    } while (n && !q->list->best);
    return n;
}

static bool fail_keep(const graph_steps *s, const char *name, inlay_diags *d)
{
    struct wanted w = {.name = name};
    struct search q = {.list = &w, .n = 1};
    const inlay_node *n = find_below(s->graph, &q);
    inlay_pos pos = {s->graph->file, 0};

    inlay_strbuf_free(&q.text);
    if (n && n->graph->owner)
        return inlay_fail(
            d, &pos,
            "value \"%s\" stands in the body of \"%s\", which may run many times: only "
            "values of the outermost graph can be kept",
            name, n->graph->owner->name);
    return inlay_fail(d, &pos,
                      "there is no value \"%s\" to keep among those that are computed; a pass may "
                      "have removed it (--passes none)",
                      name);
}

static bool keep_found(graph_steps *s, const struct search *q, const char *const *names,
                       inlay_diags *d)
{
    for (int i = 0; i < s->n_keep; i++) {
        const struct wanted *w = find_wanted(q, names[i]);

        if (!w->best)
            return fail_keep(s, names[i], d);
        s->keep[i] = steps_slot(s, w->best);
        s->uses[s->keep[i]]++;
    }
    return true;
}

bool steps_keep(graph_steps *s, const char *const *names, int n, inlay_diags *d)
{
    struct search q = {.list =
                           inlay_take(inlay_graph_budget(s->graph), (size_t)n + 1, sizeof *q.list),
                       .n = (size_t)n};
    bool ok;

    s->n_keep = n;
    s->keep = inlay_take(inlay_graph_budget(s->graph), (size_t)n + 1, sizeof *s->keep);
    ok = (q.list && s->keep) || inlay_fail_memory(d);
    for (int i = 0; ok && i < n; i++)
        q.list[i].name = names[i];
    if (ok)
        qsort(q.list, q.n, sizeof *q.list, by_name);
    for (size_t i = 0; ok && n > 0 && i < s->n; i++)
        offer_outputs(&q, s->list[i].node);
    ok = ok && (!q.text.failed || inlay_fail_memory(d)) && keep_found(s, &q, names, d);
    if (ok)
        steps_mark_initial(s);
    inlay_strbuf_free(&q.text);
    inlay_give(q.list);
    return ok;
}
