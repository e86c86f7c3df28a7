/* The order of the nodes of a graph in an OpenVINO file, and their names there. */
#include "ir/shared.h"
#include "parser/openvino/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of the file that contains N: 0 for Parameters, 1 for nodes with readers, 2 for the rest.
 */
static int part_of(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_PARAMETER) ? 0 : inlay_node_is_used(n) ? 1 : 2;
}

void ov_free_numbering(ov_numbering *num)
{
    inlay_give(num->nodes);
    inlay_give(num->ids);
    inlay_give(num->label_ok);
    inlay_give(num->edges);
}

/* Orders edges by the node that runs later; edges of one node stay in the order in which they were
 * made. */
static int compare_edges(const void *a, const void *b)
{
    const inlay_order_edge *p = *(const inlay_order_edge *const *)a;
    const inlay_order_edge *q = *(const inlay_order_edge *const *)b;

    if (p->after->id != q->after->id)
        return p->after->id < q->after->id ? -1 : 1;
    return (p > q) - (p < q);
}

static bool sort_edges(ov_writer *w, ov_numbering *num)
{
    const inlay_graph *g = num->graph;

    num->edges = inlay_take_raw(inlay_graph_budget(g), (g->n_order_edges + 1) * sizeof *num->edges);
    if (!num->edges)
        return xml_out_of_memory(&w->x);
    for (size_t i = 0; i < g->n_order_edges; i++) {
        const inlay_order_edge *e = &g->order_edges[i];

        if (num->ids[e->before->id] >= 0 && num->ids[e->after->id] >= 0)
            num->edges[num->n_edges++] = e;
    }
    qsort(num->edges, num->n_edges, sizeof *num->edges, compare_edges);
    return true;
}

size_t ov_order_edges(const ov_numbering *num, const inlay_node *n, size_t *first)
{
    size_t lo = 0, hi = num->n_edges, count = 0;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (num->edges[mid]->after->id < n->id)
            lo = mid + 1;
        else
            hi = mid;
    }
    *first = lo;
    while (lo + count < num->n_edges && num->edges[lo + count]->after == n)
        count++;
    return count;
}

bool ov_number(ov_writer *w, const inlay_graph *g, ov_numbering *num)
{
    inlay_order_list order;

    *num = (ov_numbering){.graph = g};
    if (!inlay_order(g, false, &order, w->x.d)) {
        w->x.failed = true;
        return false;
    }
    num->nodes = inlay_take_raw(inlay_graph_budget(g), (order.n + 1) * sizeof *num->nodes);
    num->ids = inlay_take_raw(inlay_graph_budget(g), ((size_t)g->next_id + 1) * sizeof *num->ids);
    num->label_ok = inlay_take(inlay_graph_budget(g), order.n + 1, sizeof *num->label_ok);
    if (!num->nodes || !num->ids || !num->label_ok) {
        inlay_order_free(&order);
        ov_free_numbering(num);
        return xml_out_of_memory(&w->x);
    }
    memset(num->ids, 0xff, ((size_t)g->next_id + 1) * sizeof *num->ids);
    for (int part = 0; part < 3; part++) {
        for (size_t i = 0; i < order.n; i++) {
            if (part_of(order.nodes[i]) != part)
                continue;
            num->ids[order.nodes[i]->id] = (int64_t)num->n;
            num->nodes[num->n++] = order.nodes[i];
        }
    }
    inlay_order_free(&order);
    if (!sort_edges(w, num)) {
        ov_free_numbering(num);
        return false;
    }
    return true;
}

int64_t ov_layer_id(const ov_numbering *num, const inlay_node *n)
{
    return num->ids[n->id];
}

/* Whether N can be written under its label, so that reading the file gives it its name again. Its
 * name is LABEL_k; the reader calls it so if layers before N are called LABEL, LABEL_2, ..., up to
 * k - 1. */
static bool check_label(ov_writer *w, const ov_numbering *num, const inlay_node *n)
{
    size_t len = strlen(n->label);
    char *name = inlay_take_raw(inlay_node_budget(n), len + 24);
    unsigned long k = 0;
    bool ok = false;

    if (!name)
        return xml_out_of_memory(&w->x);
    if (strncmp(n->name, n->label, len) == 0 && n->name[len] == '_')
        k = strtoul(n->name + len + 1, NULL, 10);
    snprintf(name, len + 24, "%s_%lu", n->label, k);
    if (strcmp(name, n->name) != 0)
        k = 0;
    while (k-- >= 2) {
        const inlay_node *before;

        snprintf(name, len + 24, k == 1 ? "%s" : "%s_%lu", n->label, k);
        before = inlay_graph_node(num->graph, name);
        if (!before || ov_layer_id(num, before) < 0 ||
            ov_layer_id(num, before) > ov_layer_id(num, n))
            break;
        ok = k == 1;
        if (ok || (before->label && strcmp(before->label, n->label) == 0)) {
            ok = ok || num->label_ok[ov_layer_id(num, before)];
            break;
        }
    }
    inlay_give(name);
    num->label_ok[ov_layer_id(num, n)] = ok;
    return ok;
}

const char *ov_layer_name(ov_writer *w, const ov_numbering *num, const inlay_node *n)
{
    return n->label && check_label(w, num, n) ? n->label : n->name;
}
