/* Reads and writes, and their indexes over time. See access.h. */
#include "passes/inplace/access.h"
#include "ir/shared.h"
#include "passes/inplace/bodies.h"
#include "passes/query/scatter.h"

#include <stdlib.h>

/* The moment of a version; 0 for NULL. */
static size_t moment_of(const inplace_accesses *x, const inlay_node *version)
{
    return version ? inplace_moment(x->order, version) : 0;
}

const inlay_node **inplace_fence_of(const inplace_accesses *x, const inlay_use *u)
{
    return &x->fence[x->first_use[u->node->id] + (size_t)u->index];
}

/* What reads and what writes */

bool inplace_is_write(const inlay_value *v)
{
    return v->note == INLAY_INTO || (v->note == INLAY_OVERWRITES && !inlay_value_into_operand(v));
}

bool inplace_set_note(inplace_accesses *x, inlay_value *v, inlay_note_kind kind,
                      inlay_value *target)
{
    int views = (kind == INLAY_VIEW_OF) - (v->note == INLAY_VIEW_OF);

    x->outputs[v->node->id].views += views;
    x->outputs[v->node->id].others -= v->uses ? views : 0;
    return inlay_value_set_note(v, kind, target, x->order->diags);
}

/* Are all outputs of N that have readers views of an operand? N would copy any other output. */
static bool makes_only_views(const inplace_accesses *x, const inlay_node *n)
{
    return x->outputs[n->id].others == 0 && x->outputs[n->id].views > 0;
}

bool inplace_reads_nothing(const inplace_accesses *x, const inlay_use *u)
{
    const inlay_node *n = u->node;

    if (!inplace_runs(x->order, n) || (n->op->flags & INLAY_SHAPE_ONLY))
        return true;
    if (u->index == 0 && makes_only_views(x, n))
        return true;
    return query_is_scatter(n) && n->n_out > 0 && inlay_value_into_operand(&n->out[0]) &&
           u->index == inlay_op_operand(n->op, INLAY_ROLE_UPDATES);
}

void inplace_read_of(const inplace_accesses *x, const inlay_use *u, const inplace_member *m,
                     inplace_read *out)
{
    out->use = u;
    out->version = moment_of(x, m->version);
    out->moment =
        inplace_moment(x->order, u->node) + (inplace_looks_last(x, u) ? x->order->list.n : 0);
    if (inlay_node_reads_window(u->node) && u->index == 0)
        out->where = inlay_region_slice(m->where, u->node, &out->room);
    else
        out->where = m->where;
}

void inplace_write_of(const inplace_accesses *x, const inlay_value *v, const inlay_region *where,
                      inplace_write *out)
{
    out->value = v;
    out->moment = inplace_moment(x->order, v->node);
    if (v->note == INLAY_OVERWRITES && inlay_node_writes_window(v->node))
        out->where = inlay_region_slice(where, v->node, &out->room);
    else
        out->where = where;
}

/* The indexes */

/* Values that share their buffer with no other value are not in the indexes. */
bool inplace_index_read(inplace_accesses *x, const inlay_use *u)
{
    size_t place = x->place[x->first_use[u->node->id] + (size_t)u->index];
    inplace_span spans[2] = {{0}}; /* of the part that U reads, and of the whole buffer */

    ++*x->steps;
    if (u->value && inplace_set_of(x->aliases, u->value)->size > 1 &&
        !inplace_reads_nothing(x, u)) {
        const inplace_member *m = inplace_member_of(x->aliases, u->value);
        const inlay_node *fence = *inplace_fence_of(x, u);
        inplace_read read;

        if (!m)
            return false;
        inplace_read_of(x, u, m, &read);
        spans[inlay_region_is_whole(read.where)] =
            (inplace_span){.any = true,
                           .box = inlay_region_box(read.where),
                           .version = read.version,
                           .fence = fence ? inplace_moment(x->order, fence) : SIZE_MAX};
    }
    inplace_spans_set(&x->window_reads, place, &spans[0]);
    inplace_spans_set(&x->whole_reads, place, &spans[1]);
    return true;
}

bool inplace_index_reads_by(inplace_accesses *x, const inlay_node *n)
{
    for (int i = 0; inplace_runs(x->order, n) && i < n->n_in; i++) {
        if (!inplace_index_read(x, &n->in[i]))
            return false;
    }
    return true;
}

bool inplace_index_reads_of(inplace_accesses *x, const inlay_value *v)
{
    for (const inlay_use *u = v->uses; u; u = u->next) {
        if (inplace_runs(x->order, u->node) && !inplace_index_read(x, u))
            return false;
    }
    return true;
}

/* A node with bodies may overwrite several inputs, each as a whole. All other nodes write only
 * where their first output is. */
bool inplace_index_write(inplace_accesses *x, const inlay_value *v)
{
    const inplace_member *m = inplace_member_of(x->aliases, v);
    inplace_span span = {0};
    inplace_write write;

    if (!m)
        return false;
    inplace_write_of(x, v, m->where, &write);
    for (int i = 0; i < v->node->n_out; i++)
        span.any = span.any || inplace_is_write(&v->node->out[i]);
    if (span.any)
        span = (inplace_span){.any = true,
                              .box = inlay_region_box(v->node->n_out == 1 ? write.where : NULL),
                              .fence = SIZE_MAX};
    inplace_spans_set(&x->writes, write.moment, &span);
    return true;
}

static bool index_writes_by(inplace_accesses *x, const inlay_node *n)
{
    bool ok = true;

    for (int i = 0; ok && i < n->n_out; i++)
        ok = !inplace_is_write(&n->out[i]) || inplace_index_write(x, &n->out[i]);
    return ok;
}

/* Numbers the reads in the order of their nodes; reads at the end of the run come last. */
static void place_reads(inplace_accesses *x)
{
    size_t place = 0;

    for (int last = 0; last < 2; last++) {
        for (size_t i = 0; i < x->order->list.n; i++) {
            const inlay_node *n = x->order->list.nodes[i];

            if (!last)
                x->first_read[n->id] = place;
            for (int k = 0; k < n->n_in; k++) {
                if (inplace_looks_last(x, &n->in[k]) != last)
                    continue;
                x->place[x->first_use[n->id] + (size_t)k] = place;
                x->reads[place++] = &n->in[k];
            }
        }
    }
}

bool inplace_index_all(inplace_accesses *x)
{
    place_reads(x);
    inplace_spans_clear(&x->window_reads);
    inplace_spans_clear(&x->whole_reads);
    inplace_spans_clear(&x->writes);
    for (size_t i = 0; i < x->order->list.n; i++) {
        const inlay_node *n = x->order->list.nodes[i];

        if (!inplace_index_reads_by(x, n) || !index_writes_by(x, n))
            return false;
    }
    return true;
}

/* Begin and end */

/* Finds the inputs of N that are read at the end of the run. */
static bool list_last(inplace_accesses *x, const inlay_node *n)
{
    bool *last = &x->last[x->first_use[n->id]];

    if (n->op->flags & INLAY_HAS_BODY)
        return inlay_node_handed(n, -1, last) || inlay_fail_memory(x->order->diags);
    for (int i = 0; i < n->n_in; i++)
        last[i] = (n->op->flags & INLAY_SINK) != 0;
    return true;
}

static bool make_room(inplace_accesses *x, size_t uses)
{
    const inlay_graph *g = x->order->g;
    size_t ids = (size_t)g->next_id + 1;

    x->outputs = inlay_take(inlay_graph_budget(g), ids, sizeof *x->outputs);
    x->fence = inlay_take(inlay_graph_budget(g), uses + 1, sizeof(inlay_node *));
    x->reads = inlay_take(inlay_graph_budget(g), uses + 1, sizeof(inlay_use *));
    x->last = inlay_take(inlay_graph_budget(g), uses + 1, sizeof *x->last);
    x->place = inlay_take(inlay_graph_budget(g), uses + 1, sizeof *x->place);
    x->first_read = inlay_take(inlay_graph_budget(g), ids, sizeof *x->first_read);
    return (x->outputs && x->fence && x->reads && x->last && x->place && x->first_read &&
            inplace_spans_begin(&x->window_reads, inlay_graph_budget(g), uses + 1, x->steps) &&
            inplace_spans_begin(&x->whole_reads, inlay_graph_budget(g), uses + 1, x->steps) &&
            inplace_spans_begin(&x->writes, inlay_graph_budget(g), g->n_nodes + 2, x->steps)) ||
           inlay_fail_memory(x->order->diags);
}

bool inplace_accesses_begin(inplace_accesses *x, inplace_order *order, inplace_aliases *aliases,
                            uint64_t *steps)
{
    const inlay_graph *g = order->g;
    size_t uses = 0;

    *x = (inplace_accesses){.order = order, .aliases = aliases, .steps = steps};
    x->first_use = inlay_take(inlay_graph_budget(g), (size_t)g->next_id + 1, sizeof *x->first_use);
    if (!x->first_use)
        return inlay_fail_memory(order->diags);
    for (const inlay_node *n = g->first; n; n = n->next) {
        x->first_use[n->id] = uses;
        uses += (size_t)n->n_in;
    }
    if (!make_room(x, uses))
        return false;
    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++)
            x->outputs[n->id].others += n->out[i].uses != NULL;
        if (!list_last(x, n))
            return false;
    }
    inlay_count_steps(g, 2 * g->n_nodes);
    return inplace_index_all(x);
}

void inplace_accesses_end(inplace_accesses *x)
{
    inplace_spans_end(&x->window_reads);
    inplace_spans_end(&x->whole_reads);
    inplace_spans_end(&x->writes);
    inlay_give(x->outputs);
    inlay_give(x->first_use);
    inlay_give(x->fence);
    inlay_give(x->reads);
    inlay_give(x->last);
    inlay_give(x->place);
    inlay_give(x->first_read);
}
