/* in-place-windows: makes the storage notes that turn
 *
 *     x = Slice(d, w);  y = f(x);  r = SliceScatter(d, y, w)
 *
 * into writes to the window of d, and every other scatter over data that dies into a write to it.
 * Walks the scatters in reverse order, so that the last one gets the buffer; decides O (r
 * overwrites d), then V (the slices that the updates come from are views), then I (the updates are
 * computed in the window), and says which condition forbade what was not decided. Each decision is
 * tried as a note and kept if the analysis in storage.c finds no reader that would see a write too
 * early. What must come before what, beyond data flow, becomes an order edge. The letters and
 * conditions are those of the design's catalogue.
 */
#include "passes/in_place.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REORDERS = 256 };

uint64_t value_bytes(const inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK];
    size_t bytes;

    if (!inlay_fact_dims(&v->fact, dims))
        return 0;
    return inlay_count_bytes(v->fact.type, v->fact.rank, dims, &bytes) ? bytes : 0;
}

void refuse(inlay_decision *d, const char *condition, const inlay_node *by)
{
    d->made = false;
    d->condition = condition;
    d->by = by;
}

/* Walks against the edges from N; only nodes after WRITER in the order can lead there. */
bool depends_on(const in_place *p, inlay_node *n, const inlay_node *writer)
{
    const storage *s = &p->s;
    size_t depth = 0, room = s->order.n + 1;
    inlay_node **stack = malloc(room * sizeof *stack);
    unsigned char *seen = calloc((size_t)s->g->next_id + 1, 1);
    bool found = !stack || !seen; /* without memory: assume the worst */

    if (!found)
        stack[depth++] = n;
    while (!found && depth > 0) {
        inlay_node *m = stack[--depth];

        found = m == writer;
        for (int i = 0; !found && i < m->n_in; i++) {
            inlay_node *before = m->in[i].value ? m->in[i].value->node : NULL;

            if (before && !seen[before->id] && s->time[before->id] >= s->time[writer->id]) {
                seen[before->id] = 1;
                stack[depth++] = before;
            }
        }
        for (size_t i = 0; !found && i < s->g->n_order_edges; i++) {
            const inlay_order_edge *e = &s->g->order_edges[i];

            if (e->after == m && !seen[e->before->id] &&
                s->time[e->before->id] >= s->time[writer->id]) {
                seen[e->before->id] = 1;
                stack[depth++] = e->before;
            }
        }
    }
    free(stack);
    free(seen);
    return found;
}

/* A reader that stands after the write but does not need its result can run before it. */
static bool move_before(in_place *p, const storage_conflict *c, bool *moved)
{
    inlay_node *reader = c->read->use->node, *writer = c->write->value->node;

    *moved = false;
    if (c->read->time == SIZE_MAX || reader == writer || p->reorders_left == 0 ||
        depends_on(p, reader, writer))
        return true;
    p->reorders_left--;
    *moved = true;
    return inlay_graph_add_order_edge(p->s.g, reader, writer, p->s.diags) && storage_reorder(&p->s);
}

static bool is_other_heir(const storage_conflict *c)
{
    const inlay_use *u = c->read->use;

    return is_scatter(u->node) && u->index == u->node->op->overwrites &&
           u->node->out[0].note == INLAY_OVERWRITES;
}

static const char *name_conflict(const storage_conflict *c, const condition_names *names)
{
    const inlay_use *u = c->read->use;

    if (u->node->op->flags & INLAY_HAS_BODY)
        return "body";
    if (inlay_node_is(u->node, INLAY_OP_RESULT) || (u->node->op->flags & INLAY_SINK))
        return names->observer;
    if (u->node == c->write->value->node) {
        if (is_scatter(u->node) && u->value == scatter_data(u->node))
            return "O7 same-value-twice";
        return u->value->fact.rank != c->write->value->fact.rank ||
                       value_bytes(u->value) < value_bytes(c->write->value)
                   ? names->broadcast
                   : names->same_node;
    }
    return is_other_heir(c) ? "O5 one-heir" : names->reader;
}

/* The edges relied on are a set: one made before is not made again. */
static bool edge_exists(const inlay_graph *g, const inlay_node *before, const inlay_node *after)
{
    for (size_t i = 0; i < g->n_order_edges; i++) {
        if (g->order_edges[i].before == before && g->order_edges[i].after == after)
            return true;
    }
    return false;
}

/* Every read that is right only because it happens to come before a write is made to. */
static bool add_order_edges(in_place *p, inlay_in_place *what)
{
    const storage_set *set = &p->s.set;

    for (size_t i = 0; i < set->n_reads; i++) {
        for (size_t k = (size_t)set->reads[i].version; k < set->n_writes; k++) {
            inlay_node *reader = set->reads[i].use->node, *writer = set->writes[k].value->node;

            if (!storage_relies_on_order(&set->reads[i], &set->writes[k]))
                continue;
            if (edge_exists(p->s.g, reader, writer) || depends_on(p, writer, reader))
                break; /* it is so already */
            if (!inlay_graph_add_order_edge(p->s.g, reader, writer, p->s.diags))
                return false;
            what->order_edges++;
            break; /* later writes come after this one */
        }
    }
    return true;
}

bool try_note(in_place *p, inlay_value *v, inlay_note_kind kind, inlay_value *target,
              const condition_names *names, inlay_in_place *what, inlay_decision *d)
{
    inlay_note_kind old = v->note;
    inlay_value *old_target = v->note_target;
    bool moved = true;

    d->asked = true;
    if (!storage_note(&p->s, v, kind, target))
        return false;
    while (moved) {
        storage_conflict c;

        if (!storage_collect(&p->s, storage_root(&p->s, v)))
            return false;
        if (!storage_find_conflict(&p->s, &c)) {
            d->made = true;
            d->condition = NULL;
            d->by = NULL;
            return add_order_edges(p, what);
        }
        refuse(d, name_conflict(&c, names), c.read->use->node);
        if (!move_before(p, &c, &moved))
            return false;
        what->order_edges += moved;
    }
    return storage_note(&p->s, v, old, old_target);
}

/* The Assign of the variable that ROOT reads; *N tells how many there are. */
static const inlay_node *assign_of(const inlay_graph *g, const inlay_node *root, int *n)
{
    const inlay_attr *a = inlay_node_attr(root, "variable_id");
    const inlay_node *found = NULL;

    *n = 0;
    for (const inlay_node *m = a ? g->first : NULL; m; m = m->next) {
        const inlay_attr *b =
            inlay_node_is(m, INLAY_OP_ASSIGN) ? inlay_node_attr(m, "variable_id") : NULL;

        if (b && b->as.variable == a->as.variable) {
            found = m;
            ++*n;
        }
    }
    return found;
}

/* Does V stand in the buffer of ROOT as ROOT does: all of it, in the same order? */
static bool fills_buffer(in_place *p, const inlay_value *v, inlay_value *root, bool *yes)
{
    inlay_value *from = (inlay_value *)v;

    while (from->note == INLAY_OVERWRITES)
        from = from->note_target;
    *yes = from->note == INLAY_FRESH;
    if (storage_root(&p->s, from) != root || *yes) {
        *yes = storage_root(&p->s, from) == root;
        return true;
    }
    if (!storage_collect(&p->s, root))
        return false;
    *yes = region_equal(&storage_member_of(&p->s, from)->where, &p->s.set.members[0].where);
    return true;
}

/* A variable's buffer may be written only if what is stored at the end stands in it: the result of
 * the last write. *MAY tells, and D why not. False: out of memory. */
static bool check_variable(in_place *p, inlay_value *root, inlay_value *r, inlay_decision *d,
                           bool *may)
{
    int n;
    const inlay_node *assign = assign_of(p->s.g, root->node, &n);
    const inlay_value *stored = n == 1 ? inlay_node_input(assign, 0) : NULL;

    *may = false;
    if (!stored) {
        refuse(d, "O2 writable-root", root->node);
        d->remark = "the variable keeps its value: nothing is assigned to it";
        return true;
    }
    if (!fills_buffer(p, stored == r ? scatter_data(r->node) : stored, root, may))
        return false;
    if (!*may) {
        refuse(d, "O13 result-survives", assign);
        d->remark = "something else is assigned to the variable";
    }
    return true;
}

/* The conditions on d itself; the readers come after. *MAY tells. False: out of memory. */
static bool may_overwrite(in_place *p, inlay_value *r, inlay_value *data, inlay_decision *d,
                          bool *may)
{
    inlay_value *root = storage_root(&p->s, data);

    d->asked = true;
    *may = false;
    if (p->s.g->owner || (root->node->op->flags & INLAY_HAS_BODY)) {
        refuse(d, "body", p->s.g->owner ? p->s.g->owner : root->node);
        return true;
    }
    if (data->fact.type != r->fact.type || !inlay_fact_same_shape(&data->fact, &r->fact)) {
        refuse(d, "O1 same-storage", data->node);
        return true;
    }
    if (inlay_node_is(root->node, INLAY_OP_CONST)) {
        refuse(d, "O2 writable-root", root->node);
        d->remark = "a constant is copied once, the copy is then written in place";
        return true;
    }
    for (int i = 0; i < r->node->n_in; i++) {
        if (i != r->node->op->overwrites && r->node->in[i].value == data) {
            refuse(d, "O7 same-value-twice", r->node);
            return true;
        }
    }
    *may = true;
    return !inlay_node_is(root->node, INLAY_OP_READ_VALUE) || check_variable(p, root, r, d, may);
}

static bool decide_overwrite(in_place *p, inlay_node *scatter, inlay_in_place *what)
{
    static const condition_names names = {"O3 last-read", "O4 not-observed", "O6 no-self-read",
                                          "O6 no-self-read"};
    inlay_value *data = scatter_data(scatter), *r = &scatter->out[0];
    bool may;

    if (!may_overwrite(p, r, data, &what->overwrite, &may))
        return false;
    if (!may)
        return true;
    if (!try_note(p, r, INLAY_OVERWRITES, data, &names, what, &what->overwrite))
        return false;
    if (what->overwrite.made && inlay_node_is(storage_root(&p->s, r)->node, INLAY_OP_PARAMETER))
        what->overwrite.remark = "unless the caller donates the input, it is copied once";
    return true;
}

/* Kernels that read dense operands only would make the copy that the view avoids. */
static const inlay_node *dense_reader(const inlay_value *x)
{
    for (const inlay_use *u = x->uses; u; u = u->next) {
        if (!(u->node->op->flags & (INLAY_STRIDED | INLAY_POINTWISE | INLAY_VIEW)))
            return u->node;
    }
    return NULL;
}

static const inlay_node *outliving_reader(const inlay_value *x)
{
    for (const inlay_use *u = x->uses; u; u = u->next) {
        if (inlay_node_is(u->node, INLAY_OP_RESULT) || (u->node->op->flags & INLAY_SINK) ||
            (u->node->op->flags & INLAY_HAS_BODY))
            return u->node;
    }
    return NULL;
}

/* A packed row that begins within a byte makes all that lie on other axes do so too. */
bool splits_bytes(const inlay_node *slice)
{
    inlay_window w[INLAY_MAX_RANK];
    const inlay_fact *data = &slice->in[0].value->fact;
    int bits = inlay_type_info_of(data->type)->bits, last = data->rank - 1;

    if (bits >= 8)
        return false;
    if (last < 0 || !window_of_slice(slice, w))
        return true;
    for (int i = 0; data->dims[last].lo * bits % 8 != 0 && i < last; i++) {
        if (w[i].begin != 0 || w[i].count > 1)
            return true;
    }
    return w[last].step != 1 || w[last].begin * bits % 8 != 0 || w[last].count * bits % 8 != 0;
}

/* What a later decision writes over X it would write over a constant or a state, once X is a view
 * of it. *BY: the root, when that is so. False: out of memory. */
static bool find_protected(in_place *p, inlay_value *x, const inlay_node **by)
{
    const inlay_node *root = storage_root(&p->s, inlay_node_input(x->node, 0))->node;

    *by = NULL;
    if (!inlay_node_is(root, INLAY_OP_CONST) && !inlay_node_is(root, INLAY_OP_READ_VALUE))
        return true;
    if (!storage_collect(&p->s, x))
        return false;
    if (p->s.set.n_writes > 0)
        *by = root;
    return true;
}

bool decide_view(in_place *p, inlay_value *x, inlay_in_place *what, inlay_decision *d)
{
    static const condition_names names = {"V1 read-before-write", "V3 does-not-outlive",
                                          "O6 no-self-read", "O6 no-self-read"};
    inlay_value *data = inlay_node_input(x->node, 0);
    const inlay_node *by, *protected;

    d->asked = true;
    if (!find_protected(p, x, &protected))
        return false;
    if (p->s.g->owner || (storage_root(&p->s, data)->node->op->flags & INLAY_HAS_BODY))
        refuse(d, "body", p->s.g->owner ? p->s.g->owner : data->node);
    else if ((by = outliving_reader(x)))
        refuse(d, "V3 does-not-outlive", by);
    else if ((by = dense_reader(x)))
        refuse(d, "V2 strided-readers", by);
    else if (inlay_type_info_of(x->fact.type)->bits < 8 &&
             (!inlay_node_is(x->node, INLAY_OP_SLICE) || splits_bytes(x->node)))
        refuse(d, "V4 whole-bytes", x->node);
    else if (protected)
        refuse(d, "O2 writable-root", protected);
    else
        return try_note(p, x, INLAY_VIEW_OF, data, &names, what, d);
    return true;
}

/* Every slice of the data that a link of the chain reads should be a view before the links are
 * judged: whether they may compute in the window depends on what they read of it. */
static bool view_operands(in_place *p, const inlay_node *reader, const inlay_node *scatter,
                          const in_place_chain *c, inlay_in_place *what)
{
    for (int i = 0; i < reader->n_in; i++) {
        inlay_value *x = reader->in[i].value;
        inlay_decision d = {0};

        if (!x || x->note != INLAY_FRESH || !slices_data(p, x, scatter) ||
            inlay_fact_is_empty(&x->fact))
            continue;
        if (!decide_view(p, x, what, &d))
            return false;
        p->run->changes += d.made;
        if (x->node == c->slice)
            what->view = d;
    }
    return true;
}

static bool decide_views(in_place *p, const inlay_node *scatter, const in_place_chain *c,
                         inlay_in_place *what)
{
    if (!view_operands(p, scatter, scatter, c, what))
        return false;
    for (int i = 0; i < c->n_links; i++) {
        if (!view_operands(p, c->links[i]->node, scatter, c, what))
            return false;
    }
    if (c->slice && !what->view.asked) /* decided with a scatter that came later */
        what->view = (inlay_decision){.asked = true,
                                      .made = c->slice->out[0].note == INLAY_VIEW_OF,
                                      .condition = "V1 read-before-write"};
    return true;
}

static void count_bytes(inlay_in_place *what)
{
    if (!what->overwrite.made)
        what->overwrite.bytes = value_bytes(scatter_data(what->scatter));
    if (what->view.asked && !what->view.made)
        what->view.bytes = value_bytes(&what->slice->out[0]);
    if (what->into.asked && !what->into.made)
        what->into.bytes = value_bytes(inlay_node_input(what->scatter, 1));
}

static bool decide(in_place *p, inlay_node *scatter)
{
    inlay_in_place what = {.scatter = scatter};
    in_place_chain chain = {0};
    inlay_value *data = scatter_data(scatter);
    bool ok;

    if (!data || inlay_fact_is_empty(&data->fact))
        return true; /* a scatter over nothing leaves nothing to decide */
    p->words = inlay_arena_new();
    if (!p->words)
        return inlay_fail_memory(p->s.diags);
    ok = decide_overwrite(p, scatter, &what) && find_chain(p, scatter, &chain);
    what.slice = chain.slice;
    ok = ok && decide_views(p, scatter, &chain, &what) && decide_into(p, scatter, &chain, &what);
    count_bytes(&what);
    p->run->changes += what.overwrite.made + what.into.made;
    if (ok && p->run->options->explain)
        p->run->options->explain(p->run->options->ctx, &what);
    free_chain(&chain);
    inlay_arena_free(p->words);
    return ok;
}

/* Slices that are part of no chain may be views as well. */
static bool view_the_rest(in_place *p)
{
    for (size_t i = p->s.order.n; i-- > 0;) {
        inlay_node *n = p->s.order.nodes[i];
        inlay_in_place what = {0};
        bool is_window = inlay_node_is(n, INLAY_OP_SLICE) || inlay_node_is(n, INLAY_OP_SPLIT) ||
                         inlay_node_is(n, INLAY_OP_VARIADIC_SPLIT);

        for (int k = 0; is_window && k < n->n_out; k++) {
            inlay_decision d = {0};

            if (n->out[k].note != INLAY_FRESH || inlay_fact_is_empty(&n->out[k].fact))
                continue;
            if (!decide_view(p, &n->out[k], &what, &d))
                return false;
            p->run->changes += d.made;
        }
    }
    return true;
}

/* The scatters, in the order of the graph as it was before any edge was added. */
static bool list_scatters(const storage *s, inlay_node ***out, size_t *n)
{
    inlay_node **list = malloc((s->order.n + 1) * sizeof *list);

    *n = 0;
    *out = list;
    for (size_t i = 0; list && i < s->order.n; i++) {
        if (is_scatter(s->order.nodes[i]))
            list[(*n)++] = s->order.nodes[i];
    }
    return list || inlay_fail_memory(s->diags);
}

/* Every order of decisions must be right; the analysis does not rely on the one that is best. */
static void shuffle(inlay_node **list, size_t n, uint64_t seed)
{
    for (size_t i = n; seed && i > 1; i--) {
        size_t k;
        inlay_node *last = list[i - 1];

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        k = (size_t)(seed >> 33) % i;
        list[i - 1] = list[k];
        list[k] = last;
    }
}

static bool decide_graph(inlay_graph *g, pass_run *r)
{
    in_place p = {.run = r, .reorders_left = MAX_REORDERS};
    inlay_node **scatters = NULL;
    size_t n = 0;
    bool ok;

    inlay_graph_drop_notes(g);
    ok = storage_begin(&p.s, g, r->diags) && list_scatters(&p.s, &scatters, &n);
    if (ok)
        shuffle(scatters, n, r->shuffle);
    while (ok && n > 0)
        ok = decide(&p, scatters[--n]);
    ok = ok && view_the_rest(&p);
    free(scatters);
    storage_end(&p.s);
    return ok;
}

bool pass_in_place_windows(inlay_graph *g, pass_run *r)
{
    return pass_each_graph(g, decide_graph, r);
}
