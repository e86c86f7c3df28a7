/* unpack-sequences, of a loop: items that each iteration puts behind those before are joined by the
 * loop itself, if what reads them wants them joined, one of them, or their number.
 *
 *     s = Loop(n, go, SequenceConstruct())      body    p -> SequenceInsert(p, x)    comes back
 *     y = ConcatFromSequence(s, axis 0)
 *
 *     y = Loop(n, go)      body    -> x      joined along axis 0
 *
 * With a new axis, or where items are taken one by one, x gets an axis of size 1 first. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/control/control.h"

struct appending {
    inlay_node *n;
    struct control_ports ports;
    int back;          /* the number of the back edge over which the list comes, */
    int result, port;  /* of the Result that it leaves the body by, and of the output port */
    inlay_value *list; /* outside */
    const inlay_value *item;
    int64_t axis; /* along which items are joined, */
    bool is_new;  /* and whether they get it for that */
    inlay_diags *diags;
};

/* ---- is it one? ---- */

/* Returns what puts an item behind those of PARAM, and gives its list to nothing but RESULT; NULL:
 * there is none. */
static const inlay_node *insert_of(const inlay_node *param, const inlay_node *result)
{
    const inlay_value *list = inlay_node_input(result, 0), *p = &param->out[0];
    const inlay_node *insert = list->node;

    return inlay_node_is(insert, INLAY_OP_ONNX_SEQUENCE_INSERT) && !inlay_node_input(insert, 2) &&
                   inlay_node_input(insert, 0) == p && !p->uses->next && !list->uses->next
               ? insert
               : NULL;
}

/* Does an empty list enter PARAM, and one output alone take what RESULT gives? */
static bool begins_empty(struct appending *a, int param, int result)
{
    const inlay_body *b = a->n->bodies;
    int in = a->ports.entry[param], out = a->ports.leaving[result];
    const inlay_value *first = in < 0 ? NULL : inlay_node_input(a->n, b->in[in].outer);

    a->port = out;
    a->result = result;
    if (!first || !inlay_port_is_plain(&b->in[in]) || inlay_item_count(first) != 0 || out < 0 ||
        a->ports.next[out] >= 0 || b->out[out].outer < 0 || !inlay_port_is_plain(&b->out[out]))
        return false;
    a->list = &a->n->out[b->out[out].outer];
    return true;
}

/* The three that may read the list. */
static bool is_joined_by(const inlay_node *reader)
{
    return inlay_node_is(reader, INLAY_OP_ONNX_CONCAT_FROM_SEQUENCE);
}

static bool is_taken_by(const inlay_node *reader)
{
    return inlay_node_is(reader, INLAY_OP_ONNX_SEQUENCE_AT);
}

static bool is_counted_by(const inlay_node *reader)
{
    return inlay_node_is(reader, INLAY_OP_SHAPE_OF);
}

/* Sets *AXIS and *IS_NEW to how READER, operand 0 of which the list is, wants its items joined. */
static bool wants(const inlay_node *reader, int64_t rank, int64_t *axis, bool *is_new)
{
    if (is_joined_by(reader)) {
        *is_new = inlay_node_bool(reader, "new_axis");
        *axis = inlay_node_int(reader, "axis");
        *axis += *axis < 0 ? rank + *is_new : 0;
        return true;
    }
    *is_new = true;
    *axis = 0;
    return is_counted_by(reader) || (is_taken_by(reader) && reader->in[1].value->fact.rank == 0);
}

/* Is what READER refuses refused as before? A Concat demands items of one shape, which for others
 * must be known, and at least one; whoever takes an item, that it is there. */
static bool refuses_alike(const struct appending *a, const inlay_node *reader)
{
    int64_t dims[INLAY_MAX_RANK], count = inlay_node_iterations(a->n), at;

    if (is_joined_by(reader))
        return inlay_node_surely_iterates(a->n);
    if (is_taken_by(reader) && (!inlay_item_position(reader, 1, &at) || at >= count || at < -count))
        return false;
    return inlay_fact_dims(&a->item->fact, dims);
}

/* Do all that read the list want its items joined in one way? */
static bool readers_agree(struct appending *a)
{
    int rank = a->item->fact.rank, outputs = 0;
    int64_t axis;
    bool is_new;

    for (const inlay_use *u = a->list->uses; u; u = u->next) {
        const inlay_node *reader = u->node;

        if (u->index != 0 || !wants(reader, rank, &axis, &is_new) ||
            (u != a->list->uses && (axis != a->axis || is_new != a->is_new)) ||
            !refuses_alike(a, reader))
            return false;
        outputs += is_joined_by(reader) && inlay_value_is_output(&reader->out[0]);
        a->axis = axis;
        a->is_new = is_new;
    }
    return a->list->uses && outputs < 2 && a->axis >= 0 && a->axis < rank + a->is_new &&
           (a->is_new || inlay_dim_is_static(a->item->fact.dims[a->axis]));
}

static bool is_one(struct appending *a, int back)
{
    const inlay_body *b = a->n->bodies;
    const inlay_back_edge *e = &b->back[back];
    const inlay_node *insert = insert_of(b->graph->params[e->to], b->graph->results[e->from]);

    a->back = back;
    a->item = insert ? inlay_node_input(insert, 1) : NULL;
    return a->item && a->item->fact.type != INLAY_ITEM && a->item->fact.type != INLAY_DYNAMIC &&
           a->item->fact.rank >= 0 && begins_empty(a, e->to, e->from) && readers_agree(a);
}

/* ---- what takes its place ---- */

static inlay_value *unsqueezed(const struct appending *a, inlay_graph *g, inlay_value *x)
{
    inlay_value *in[] = {x, inlay_build_i64_list(g, NULL, &a->axis, 1, a->diags)};
    inlay_node *n = in[1] ? inlay_build(g, NULL, "Unsqueeze", in, 2, NULL, a->diags) : NULL;

    return n ? &n->out[0] : NULL;
}

/* Lets the body of M, a copy of the node, give its items to be joined. */
static bool join(const struct appending *a, inlay_node *m)
{
    inlay_body *b = m->bodies;
    inlay_node *result = b->graph->results[a->result], *insert = result->in[0].value->node;
    inlay_value *item = inlay_node_input(insert, 1);
    inlay_port *out = &b->out[a->port];

    out->has_axis = true;
    out->axis = a->axis;
    out->start = 0;
    out->end = -1;
    out->stride = 1;
    out->part_size = a->is_new ? 1 : a->item->fact.dims[a->axis].lo;
    if (a->is_new)
        item = unsqueezed(a, b->graph, item);
    for (int i = a->back; i + 1 < b->n_back; i++)
        b->back[i] = b->back[i + 1];
    b->n_back--;
    return item && inlay_node_set_input(result, 0, item, a->diags) &&
           inlay_node_remove(insert, a->diags);
}

static inlay_node *make_joining(const struct appending *a)
{
    inlay_value **in =
        inlay_take(inlay_node_budget(a->n), (size_t)a->n->n_in + 1, sizeof(inlay_value *));
    inlay_node *m;

    for (int i = 0; in && i < a->n->n_in; i++)
        in[i] = a->n->in[i].value;
    m = in ? inlay_node_clone(a->n->graph, a->n, in, a->diags) : NULL;
    inlay_give(in);
    if (!m)
        return inlay_fail_memory(a->diags), NULL;
    /* What the list was called is no name of the items joined. */
    return join(a, m) && inlay_value_set_names(&m->out[a->list->index], NULL, 0, a->diags) &&
                   inlay_infer_node(m, a->diags)
               ? m
               : NULL;
}

/* Elements of X along axis 0: AT. */
static inlay_value *taken(const struct appending *a, inlay_value *x, inlay_value *at)
{
    inlay_graph *g = a->n->graph;
    int64_t zero = 0;
    inlay_value *axis = inlay_build_ints(g, NULL, INLAY_I64, 0, NULL, &zero, a->diags);
    inlay_value *in[] = {x, at, axis};
    inlay_node *n = x && at && axis ? inlay_build(g, NULL, "Gather", in, 3, NULL, a->diags) : NULL;

    return n ? &n->out[0] : NULL;
}

/* What takes the place of READER's result, the items being joined in JOINED. */
static inlay_value *make_read(const struct appending *a, const inlay_node *reader,
                              inlay_value *joined)
{
    int64_t zero = 0;
    inlay_node *sizes;

    if (is_joined_by(reader))
        return joined;
    if (is_taken_by(reader))
        return taken(a, joined, reader->in[1].value);
    sizes = inlay_node_clone(a->n->graph, reader, &joined, a->diags);
    return sizes && inlay_infer_node(sizes, a->diags)
               ? taken(a, &sizes->out[0],
                       inlay_build_i64_list(a->n->graph, NULL, &zero, 1, a->diags))
               : NULL;
}

/* BY receives what takes the place of each reader's result, in the order of uses. */
static bool make_reads(const struct appending *a, inlay_value *joined, inlay_value **by)
{
    for (const inlay_use *u = a->list->uses; u; u = u->next, by++) {
        inlay_value *old = &u->node->out[0];
        bool take = false;

        *by = make_read(a, u->node, joined);
        if (!*by || (old->fact.type != INLAY_DYNAMIC && old->fact.type != (*by)->fact.type) ||
            !pass_ask_readers(old, *by, &take, a->diags) || !take)
            return false;
    }
    return true;
}

/* OUT receives the outputs of M, but not that of the list. */
static bool other_outputs(const struct appending *a, inlay_node *m, inlay_value **out,
                          uint32_t first_id)
{
    for (int i = 0; i < m->n_out; i++) {
        out[i] = i == a->list->index ? NULL : &m->out[i];
        if (out[i] && !control_may_replace(&a->n->out[i], out[i], first_id))
            return false;
    }
    return pass_readers_take_all(a->n, out, a->diags);
}

static bool replace_readers(const struct appending *a, inlay_value *const *by)
{
    while (a->list->uses) {
        inlay_node *reader = a->list->uses->node;
        inlay_value *now = *by++;

        if (!is_joined_by(reader)) /* it is the node now */
            inlay_node_swap_names(now->node, reader);
        else if (!control_keep_name(&reader->out[0], now, a->diags))
            return false;
        if (!inlay_value_replace(&reader->out[0], now, a->diags) ||
            !inlay_node_remove(reader, a->diags))
            return false;
    }
    return true;
}

static size_t count_readers(const struct appending *a)
{
    size_t n = 0;

    for (const inlay_use *u = a->list->uses; u; u = u->next)
        n++;
    return n;
}

/* Builds all beside the node, asks whether everyone takes it, and then puts it in its place. */
static bool replace(struct appending *a, bool *done)
{
    size_t readers = count_readers(a), outputs = (size_t)a->n->n_out;
    inlay_value **by = inlay_take(inlay_node_budget(a->n), readers + outputs + 1, sizeof *by),
                **out;
    uint32_t first_id = a->n->graph->next_id;
    inlay_node *m = by ? make_joining(a) : NULL;
    bool ok = by != NULL;

    out = by ? by + readers : NULL;
    *done = m && make_reads(a, &m->out[a->list->index], by) && other_outputs(a, m, out, first_id);
    if (*done) {
        const char *name = a->n->name;

        out[a->list->index] = &m->out[a->list->index];
        ok = replace_readers(a, by) && control_replace(a->n, out, a->diags) &&
             inlay_node_rename(m, name, a->diags);
    } else if (ok) {
        ok = control_undo(a->n->graph, first_id, a->diags) &&
             inlay_diags_status(a->diags) != INLAY_NO_RESOURCE;
    }
    inlay_give(by);
    return ok;
}

bool control_join_appended(inlay_node *n, bool *done, pass_run *r)
{
    struct appending a = {.n = n};
    bool ok = control_ports_make(&a.ports, n->bodies, r->diags);
    int back = 0;

    *done = false;
    while (ok && back < n->bodies->n_back && !is_one(&a, back))
        back++;
    if (ok && back < n->bodies->n_back && inlay_pass_begin(r, n)) {
        a.diags = inlay_diags_new(); /* what shape rules refuse is left to the run */
        ok = (a.diags && replace(&a, done)) || inlay_fail_memory(r->diags);
        inlay_diags_free(a.diags);
        ok = ok && inlay_pass_end(r, *done);
    }
    control_ports_free(&a.ports);
    return ok && !r->failed;
}
