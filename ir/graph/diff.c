/* The differences between two graphs: compares paired nodes, and merges the two canonical orders
 * into one list. */
#include "ir/diff.h"
#include "ir/graph/argument.h"
#include "ir/graph/attr.h"
#include "ir/graph/compare.h"
#include "ir/graph/memory.h"
#include "ir/graph/pair.h"

#include <stdlib.h>
#include <string.h>

static bool same_inputs(const struct pairing *p, const inlay_node *a, const inlay_node *b)
{
    int n = a->n_in > b->n_in ? a->n_in : b->n_in;

    for (int i = 0; i < n; i++) {
        if (!pairing_same_value(p, inlay_node_input(a, i), inlay_node_input(b, i)))
            return false;
    }
    return true;
}

static bool same_outputs(const inlay_node *a, const inlay_node *b)
{
    for (int i = 0; i < a->n_out && i < b->n_out; i++) {
        if (!compare_facts(&a->out[i].fact, &b->out[i].fact))
            return false;
    }
    return a->n_out == b->n_out;
}

static bool same_maps(const inlay_node *a, const inlay_node *b)
{
    for (int i = 0; i < a->n_bodies && i < b->n_bodies; i++) {
        if (!compare_maps(&a->bodies[i], &b->bodies[i]))
            return false;
    }
    return a->n_bodies == b->n_bodies;
}

static unsigned changes_of(const struct pairing *p, const inlay_node *a, const inlay_node *b)
{
    bool same = compare_ops(a->op, b->op) && inlay_node_same_attrs(a, b, NULL) && same_maps(a, b);

    return (same ? 0 : INLAY_CHANGED) | (same_inputs(p, a, b) ? 0 : INLAY_RECONNECTED) |
           (same_outputs(a, b) ? 0 : INLAY_RETYPED);
}

static bool add(inlay_diff *out, const inlay_node *a, const inlay_node *b, unsigned changes,
                inlay_diags *d)
{
    /* The list doubles: it is full when N is a power of two. */
    if ((out->n & (out->n - 1)) == 0) {
        inlay_node_pair *grown = inlay_retake(inlay_node_budget(a), out->pairs,
                                              (out->n ? out->n * 2 : 1) * sizeof *grown);

        if (!grown)
            return inlay_fail_memory(d);
        out->pairs = grown;
    }
    out->pairs[out->n++] = (inlay_node_pair){a, b, changes};
    return true;
}

static bool add_graphs(inlay_diff *out, const inlay_graph *a, const inlay_graph *b, inlay_diags *d);

/* Adds the differences of bodies. A missing body is a change of its node. The recursion is bounded,
 * because the nesting of bodies is. */
static bool add_bodies(inlay_diff *out, const inlay_node *a, const inlay_node *b, inlay_diags *d)
{
    for (int i = 0; i < a->n_bodies && i < b->n_bodies; i++) {
        if (a->bodies[i].graph && b->bodies[i].graph &&
            !add_graphs(out, a->bodies[i].graph, b->bodies[i].graph, d))
            return false;
    }
    return true;
}

static bool add_pair(inlay_diff *out, const struct pairing *p, const inlay_node *a,
                     const inlay_node *b, inlay_diags *d)
{
    if (!a)
        return add(out, NULL, b, INLAY_ADDED, d);
    return add(out, a, b, changes_of(p, a, b), d) && add_bodies(out, a, b, d);
}

/* Adds the nodes of A without a partner, from position *NEXT of A's order up to the node UNTIL
 * (NULL: to the end). There are none if UNTIL is before that position. */
static bool add_removed(inlay_diff *out, const struct pairing *p, size_t *next, const size_t *place,
                        const inlay_node *until, inlay_diags *d)
{
    size_t end = until ? place[until->id] : p->order_a.n;

    for (; *next < end; ++*next) {
        const inlay_node *a = p->order_a.nodes[*next];

        if (!p->of_a[a->id] && !add(out, a, NULL, INLAY_REMOVED, d))
            return false;
    }
    return true;
}

static bool merge(inlay_diff *out, const struct pairing *p, const size_t *place, inlay_diags *d)
{
    size_t next = 0;

    for (size_t i = 0; i < p->order_b.n; i++) {
        const inlay_node *b = p->order_b.nodes[i], *a = p->of_b[b->id];

        if ((a && !add_removed(out, p, &next, place, a, d)) || !add_pair(out, p, a, b, d))
            return false;
    }
    return add_removed(out, p, &next, place, NULL, d);
}

static bool add_graphs(inlay_diff *out, const inlay_graph *a, const inlay_graph *b, inlay_diags *d)
{
    size_t *place = inlay_take(inlay_graph_budget(a), (size_t)a->next_id + 1, sizeof *place);
    struct pairing p = {0};
    bool ok = (place || inlay_fail_memory(d)) && pairing_make(a, b, &p, d);

    for (size_t i = 0; ok && i < p.order_a.n; i++)
        place[p.order_a.nodes[i]->id] = i;
    ok = ok && merge(out, &p, place, d);
    pairing_free(&p);
    inlay_give(place);
    return ok;
}

bool inlay_diff_graphs(const inlay_graph *a, const inlay_graph *b, inlay_diff *out, inlay_diags *d)
{
    *out = (inlay_diff){0};
    if (!inlay_graph_is_whole(a, d) || !inlay_graph_is_whole(b, d))
        return false;
    if (add_graphs(out, a, b, d))
        return true;
    inlay_diff_free(out);
    return false;
}

void inlay_diff_free(inlay_diff *diff)
{
    if (!diff)
        return;
    inlay_give(diff->pairs);
    *diff = (inlay_diff){0};
}
