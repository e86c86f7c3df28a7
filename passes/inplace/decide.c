/* in-place-windows: makes the storage notes that turn
 *
 *     x = Slice(d, w);  y = f(x);  r = SliceScatter(d, y, w)
 *
 * into writes to the window of d, and every other scatter over data that dies into a write to it.
 * Walks the scatters in reverse order, so that the last one gets the buffer (of several scatters of
 * one tensor the largest), and decides O for each (r overwrites d); then, in the same order, V (the
 * slices that the updates come from are views) and I (the updates are computed in the window). O
 * comes first for all because it saves a tensor, V and I a window. It says which condition forbade
 * what was not decided. Each decision is tried as a note and kept if the analysis in storage.c
 * finds no reader that would see a write too early. What must come before what, beyond data flow,
 * becomes an order edge. The letters and conditions are those of the design's catalogue.
 */
#include "passes/inplace/decide.h"
#include "ir/shared.h"
#include "passes/query/indices.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REORDERS = 256 };

uint64_t value_bytes(const inlay_value *v)
{
    size_t bytes;

    return inlay_fact_bytes(&v->fact, &bytes) ? bytes : 0;
}

void refuse(inlay_decision *d, const char *condition, const inlay_node *by)
{
    d->condition = condition;
    d->by = by;
}

/* A reader that stands after the write but does not need its result can run before it. That is in
 * vain for a scatter whose data another one has: each of the two reads what the other writes. */
static bool move_before(in_place *p, const inplace_conflict *c, inlay_decision *d, bool *moved)
{
    inlay_node *reader = c->read->node, *writer = c->write->node;

    *moved = false;
    if (inplace_looks_last(reader) || reader == writer || p->reorders_left == 0 ||
        inplace_order_depends(&p->s.order, reader, writer))
        return true;
    if (p->heir) {
        refuse(d, "O5 one-heir", p->heir);
        return true;
    }
    p->reorders_left--;
    *moved = true;
    return inplace_order_add_edge(&p->s.order, reader, writer) && inplace_storage_reorder(&p->s);
}

static bool is_other_heir(const inplace_conflict *c)
{
    const inlay_use *u = c->read;

    return query_is_scatter(u->node) && u->index == u->node->op->overwrites &&
           u->node->out[0].note == INLAY_OVERWRITES;
}

static const char *name_conflict(const inplace_conflict *c, const condition_names *names)
{
    const inlay_use *u = c->read;

    if (u->node->op->flags & INLAY_HAS_BODY)
        return "body";
    if (u->node->op->flags & INLAY_SINK)
        return names->observer;
    if (u->node == c->write->node) {
        if (query_is_scatter(u->node) && u->value == query_scatter_data(u->node))
            return "O7 same-value-twice";
        return u->value->fact.rank != c->write->fact.rank ||
                       value_bytes(u->value) < value_bytes(c->write)
                   ? names->broadcast
                   : names->same_node;
    }
    return is_other_heir(c) ? "O5 one-heir" : names->reader;
}

bool try_note(in_place *p, inlay_value *v, inlay_note_kind kind, inlay_value *target,
              const condition_names *names, inlay_in_place *what, inlay_decision *d)
{
    size_t edges = p->s.order.g->n_order_edges;
    bool moved = true;

    d->asked = true;
    while (moved) {
        inplace_conflict c;
        inplace_verdict verdict = inplace_storage_note(&p->s, v, kind, target, &c);

        if (verdict == INPLACE_FAILED)
            return false;
        if (verdict == INPLACE_FREE) {
            *d = (inlay_decision){.asked = true, .made = true};
            what->order_edges += (int)(p->s.order.g->n_order_edges - edges);
            return true;
        }
        refuse(d, name_conflict(&c, names), c.read->node);
        if (!move_before(p, &c, d, &moved))
            return false;
    }
    return inplace_storage_drop_edges(&p->s, edges); /* readers that were moved for nothing */
}

/* A variable's buffer may be written only if what is stored at the end stands in it, or in what R
 * is about to bring there: the result of the last write, which was decided first. There are no
 * views yet, so whatever stands there fills it. */
static bool check_variable(in_place *p, inlay_value *root, inlay_value *r, inlay_decision *d)
{
    const inlay_variable *variable = inlay_variable_of(root->node, INLAY_OP_READ_VALUE);
    const inlay_node *assign = variable ? p->assign[variable->index] : NULL;
    inlay_value *stored = assign ? inlay_node_input(assign, 0) : NULL;
    const inlay_node *inside = variable ? p->inside[variable->index] : NULL;

    if (inside) {
        refuse(d, "body", inside);
        d->remark = "a body uses the variable too";
        return false;
    }
    if (!stored) {
        refuse(d, "O2 writable-root", root->node);
        d->remark = "the variable keeps its value: nothing is assigned to it";
        return false;
    }
    if (inplace_storage_root(&p->s, stored) != root &&
        inplace_storage_root(&p->s, stored) != inplace_storage_root(&p->s, r)) {
        refuse(d, "O13 result-survives", assign);
        return false;
    }
    return true;
}

/* The conditions on d itself; the readers come after. */
static bool may_overwrite(in_place *p, inlay_value *r, inlay_value *data, inlay_decision *d)
{
    inlay_value *root = inplace_storage_root(&p->s, data);

    d->asked = true;
    if (p->s.order.g->owner || (root->node->op->flags & INLAY_HAS_BODY)) {
        refuse(d, "body", p->s.order.g->owner ? p->s.order.g->owner : root->node);
        return false;
    }
    if (data->fact.type != r->fact.type || !inlay_fact_same_shape(&data->fact, &r->fact)) {
        refuse(d, "O1 same-storage", data->node);
        return false;
    }
    if (inlay_node_is(root->node, INLAY_OP_CONST)) {
        refuse(d, "O2 writable-root", root->node);
        d->remark = "a constant is copied once, the copy is then written in place";
        return false;
    }
    return !inlay_node_is(root->node, INLAY_OP_READ_VALUE) || check_variable(p, root, r, d);
}

/* What writing over the buffer of ROOT's result still copies. */
static const char *remark_on(const inlay_node *root)
{
    if (inlay_node_is(root, INLAY_OP_PARAMETER))
        return "unless the caller donates the input, it is copied once";
    if (inlay_node_is(root, INLAY_OP_READ_VALUE))
        return "what is written over is kept until the run has succeeded";
    return NULL;
}

static bool decide_overwrite(in_place *p, inlay_in_place *what)
{
    static const condition_names names = {"O3 last-read", "O4 not-observed", "O6 no-self-read",
                                          "O6 no-self-read"};
    inlay_node *scatter = (inlay_node *)what->scatter;
    inlay_value *data = query_scatter_data(scatter), *r = &scatter->out[0];

    if (!may_overwrite(p, r, data, &what->overwrite))
        return true;
    if (!try_note(p, r, INLAY_OVERWRITES, data, &names, what, &what->overwrite))
        return false;
    if (what->overwrite.made)
        what->overwrite.remark = remark_on(inplace_storage_root(&p->s, r)->node);
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
        if (u->node->op->flags & (INLAY_SINK | INLAY_HAS_BODY))
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
    if (last < 0 || !inlay_node_windows(slice, NULL, w))
        return true;
    for (int i = 0; data->dims[last].lo * bits % 8 != 0 && i < last; i++) {
        if (w[i].begin != 0 || w[i].count > 1)
            return true;
    }
    return w[last].step != 1 || w[last].begin * bits % 8 != 0 || w[last].count * bits % 8 != 0;
}

/* Of a type that is not known nobody can say. */
static bool may_split_bytes(const inlay_value *x)
{
    if (x->fact.type == INLAY_DYNAMIC)
        return true;
    return inlay_type_info_of(x->fact.type)->bits < 8 &&
           (!inlay_node_is(x->node, INLAY_OP_SLICE) || splits_bytes(x->node));
}

/* What a later decision writes over X it would write over a constant or a state, once X is a view
 * of it: the root when that is so. */
static const inlay_node *find_protected(in_place *p, const inlay_value *x)
{
    const inlay_node *root = inplace_storage_root(&p->s, inlay_node_input(x->node, 0))->node;
    bool is_protected =
        inlay_node_is(root, INLAY_OP_CONST) || inlay_node_is(root, INLAY_OP_READ_VALUE);

    return is_protected && inplace_storage_is_written(&p->s, x) ? root : NULL;
}

bool decide_view(in_place *p, inlay_value *x, inlay_in_place *what, inlay_decision *d)
{
    static const condition_names names = {"V1 read-before-write", "V3 does-not-outlive",
                                          "O6 no-self-read", "O6 no-self-read"};
    inlay_value *data = inlay_node_input(x->node, 0);
    const inlay_node *by;

    d->asked = true;
    if (p->s.order.g->owner ||
        (inplace_storage_root(&p->s, data)->node->op->flags & INLAY_HAS_BODY))
        refuse(d, "body", p->s.order.g->owner ? p->s.order.g->owner : data->node);
    else if ((by = outliving_reader(x)))
        refuse(d, "V3 does-not-outlive", by);
    else if ((by = dense_reader(x)))
        refuse(d, "V2 strided-readers", by);
    else if (may_split_bytes(x))
        refuse(d, "V4 whole-bytes", x->node);
    else if ((by = find_protected(p, x)))
        refuse(d, "O2 writable-root", by);
    else
        return try_note(p, x, INLAY_VIEW_OF, data, &names, what, d);
    return true;
}

/* Every slice of the data that a link of the chain reads should be a view before the links are
 * judged: whether they may compute in the window depends on what they read of it. */
static bool view_operands(in_place *p, const inlay_node *reader, const inlay_node *scatter,
                          inlay_in_place *what)
{
    p->s.steps += (uint64_t)reader->n_in;
    for (int i = 0; i < reader->n_in; i++) {
        inlay_value *x = reader->in[i].value;
        inlay_decision *d = x ? &p->views[x->node->id] : NULL;

        if (!x || d->asked || !slices_data(p, x, scatter) || inlay_fact_is_empty(&x->fact))
            continue;
        if (!decide_view(p, x, what, d))
            return false;
        p->run->changes += d->made;
    }
    return true;
}

static bool decide_views(in_place *p, const inlay_node *scatter, const in_place_chain *c,
                         inlay_in_place *what)
{
    if (!view_operands(p, scatter, scatter, what))
        return false;
    for (int i = 0; i < c->n_links; i++) {
        if (!view_operands(p, c->links[i]->node, scatter, what))
            return false;
    }
    if (c->slice)
        what->view = p->views[c->slice->id];
    return true;
}

/* A slice that two scatters speak of is copied once. */
static void count_bytes(const in_place *p, inlay_in_place *what)
{
    const inlay_value *updates = query_scatter_updates(what->scatter);

    what->copies_updates = updates && !inlay_fact_is_empty(&updates->fact) && !what->into.asked &&
                           scatter_replaces(what->scatter);
    if (what->copies_updates)
        what->update_bytes = value_bytes(updates);
    if (!what->overwrite.made)
        what->overwrite.bytes = value_bytes(query_scatter_data(what->scatter));
    if (what->view.asked && !what->view.made && !p->named[what->slice->id])
        what->view.bytes = value_bytes(&what->slice->out[0]);
    if (what->into.asked && !what->into.made)
        what->into.bytes = value_bytes(query_scatter_updates(what->scatter));
}

/* V and I, and the words about all three. */
static bool decide_window(in_place *p, inlay_in_place *what)
{
    inlay_node *scatter = (inlay_node *)what->scatter;
    in_place_chain chain = {0};
    bool ok;

    p->words = inlay_arena_new();
    if (!p->words)
        return inlay_fail_memory(p->run->diags);
    ok = find_chain(p, scatter, &chain);
    what->slice = chain.slice;
    ok = ok && decide_views(p, scatter, &chain, what) && decide_into(p, scatter, &chain, what);
    count_bytes(p, what);
    if (what->slice && what->view.asked)
        p->named[what->slice->id] = true;
    p->run->changes += what->overwrite.made + what->into.made;
    ok = ok && pass_tell(p->run, &(inlay_event){.kind = INLAY_EVENT_DECIDED, .as.in_place = what});
    free_chain(&chain);
    inlay_arena_free(p->words);
    return ok;
}

/* The outputs of a window that no chain has asked about. */
static bool view_parts(in_place *p, inlay_node *n)
{
    inlay_in_place what = {0};

    for (int k = 0; k < n->n_out; k++) {
        inlay_decision d = {0};

        if (p->views[n->id].asked || inlay_fact_is_empty(&n->out[k].fact))
            continue;
        if (!decide_view(p, &n->out[k], &what, &d))
            return false;
        p->run->changes += d.made;
    }
    return true;
}

/* Slices that are part of no chain may be views as well. Each is asked once: the order to go by is
 * the one from before a decision moved nodes. */
static bool view_the_rest(in_place *p)
{
    size_t n = p->s.order.list.n;
    inlay_node **nodes = calloc(n + 1, sizeof(inlay_node *));
    bool ok = nodes || inlay_fail_memory(p->run->diags);

    for (size_t i = 0; ok && i < n; i++)
        nodes[i] = p->s.order.list.nodes[i];
    for (size_t i = n; ok && i-- > 0;) {
        if (nodes[i]->op->flags & INLAY_CUTS)
            ok = view_parts(p, nodes[i]);
    }
    free(nodes);
    return ok;
}

static bool only_moves(const inlay_node *n)
{
    if (!inlay_node_input(n, 0) || n->n_out == 0)
        return false;
    if (n->op->flags & INLAY_CONVERTS)
        return n->in[0].value->fact.type == n->out[0].fact.type &&
               n->out[0].fact.type != INLAY_DYNAMIC;
    return n->op->flags & (INLAY_MOVES | INLAY_VIEW);
}

/* V, made by an operation that only moves elements, is copied: it is no view, and does not stand in
 * the window that the operation reads. */
static bool is_copied(const inlay_value *v)
{
    bool apart = v->note == INLAY_FRESH ||
                 (v->note == INLAY_INTO && v->node->in[0].value->note == INLAY_FRESH);

    return apart && !inlay_fact_is_empty(&v->fact);
}

/* What is copied beside what was decided. */
static bool tell_copies(const in_place *p)
{
    bool ok = true;

    for (size_t i = 0; ok && i < p->s.order.list.n; i++) {
        const inlay_node *n = p->s.order.list.nodes[i];
        bool copies = false, known = true;
        uint64_t bytes = 0;

        for (int k = 0; only_moves(n) && !p->named[n->id] && k < n->n_out; k++) {
            if (!is_copied(&n->out[k]))
                continue;
            copies = true;
            known = known && value_bytes(&n->out[k]) > 0;
            bytes += value_bytes(&n->out[k]);
        }
        ok = !copies ||
             pass_tell(p->run, &(inlay_event){.kind = INLAY_EVENT_COPIES,
                                              .as.copy = &(inlay_copy){n, known ? bytes : 0}});
    }
    return ok;
}

/* The scatters, in the order of the graph as it was before any edge was added. A scatter over
 * nothing leaves nothing to decide. */
static bool list_scatters(in_place *p, inlay_in_place **out, size_t *n)
{
    const inlay_order_list *order = &p->s.order.list;
    inlay_in_place *list = calloc(order->n + 1, sizeof *list);

    *n = 0;
    *out = list;
    for (size_t i = 0; list && i < order->n; i++) {
        const inlay_node *node = order->nodes[i];
        const inlay_value *data = query_is_scatter(node) ? query_scatter_data(node) : NULL;

        if (data)
            p->origin[node->id] = p->origin[data->node->id] ? p->origin[data->node->id] : data;
        if (data && !inlay_fact_is_empty(&data->fact))
            list[(*n)++].scatter = node;
    }
    return list || inlay_fail_memory(p->run->diags);
}

/* Every order of decisions must be right; the analysis does not rely on the one that is best. */
static void shuffle(inlay_in_place *list, size_t n, uint64_t seed)
{
    for (size_t i = n; seed && i > 1; i--) {
        size_t k;
        inlay_in_place last = list[i - 1];

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        k = (size_t)(seed >> 33) % i;
        list[i - 1] = list[k];
        list[k] = last;
    }
}

static uint64_t written_bytes(const inlay_node *scatter)
{
    const inlay_value *v = query_scatter_updates(scatter);

    return v ? value_bytes(v) : 0;
}

/* The scatters of one tensor, the largest first, of equals in the order of its uses: they have the
 * most to gain. Those before NEXT are decided. */
typedef struct heir {
    inlay_in_place *what;
    uint64_t bytes;
    size_t order;
} heir;

typedef struct heirs {
    heir *list;
    size_t n, next;
    const inlay_node *has; /* the one that writes over the tensor */
} heirs;

static int by_bytes(const void *a, const void *b)
{
    const heir *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* RECORD: by node id, NULL for what is not to be decided. ROOM is for those of DATA. */
static void list_heirs(const inlay_value *data, inlay_in_place *const *record, heir *room,
                       heirs *out)
{
    *out = (heirs){.list = room};
    for (const inlay_use *u = data->uses; u; u = u->next) {
        inlay_in_place *what = query_is_scatter(u->node) && u->index == u->node->op->overwrites
                                   ? record[u->node->id]
                                   : NULL;

        inlay_count_steps(u->node->graph, 1);
        if (what) {
            room[out->n] = (heir){what, written_bytes(u->node), out->n};
            out->n++;
        }
    }
    if (out->n > 0)
        qsort(room, out->n, sizeof *room, by_bytes);
}

/* WHAT, or one that has more to gain and is not decided yet. */
static inlay_in_place *first_heir(heirs *all, inlay_in_place *what)
{
    while (all->next < all->n && all->list[all->next].what->overwrite.asked)
        all->next++;
    if (all->next < all->n && all->list[all->next].bytes > written_bytes(what->scatter))
        return all->list[all->next].what;
    return what;
}

/* What decide_overwrites needs to look up, by node id of a scatter. */
typedef struct heir_table {
    inlay_in_place **record;
    heirs **heirs; /* with whom it shares its data */
    heirs *groups;
    heir *room;
    size_t n_groups, used;
} heir_table;

static heirs *heirs_of(heir_table *t, const inlay_node *scatter)
{
    heirs *group = t->heirs[scatter->id];

    if (group)
        return group;
    group = &t->groups[t->n_groups++];
    list_heirs(query_scatter_data(scatter), t->record, t->room + t->used, group);
    t->used += group->n;
    for (size_t i = 0; i < group->n; i++)
        t->heirs[group->list[i].what->scatter->id] = group;
    return group;
}

static bool writes_nothing(const inlay_node *scatter)
{
    const inlay_value *v = query_scatter_updates(scatter);

    return v && inlay_fact_is_empty(&v->fact);
}

/* Decides on WHAT or one that comes first. Who writes nothing is in nobody's way. */
static bool decide_heir(in_place *p, heirs *all, inlay_in_place *what)
{
    bool nothing;

    what = first_heir(all, what);
    nothing = writes_nothing(what->scatter);
    p->heir = nothing ? NULL : all->has;
    if (!decide_overwrite(p, what))
        return false;
    p->heir = NULL;
    if (what->overwrite.made && !nothing)
        all->has = what->scatter;
    return true;
}

static bool decide_overwrites(in_place *p, inlay_in_place *list, size_t n)
{
    size_t ids = (size_t)p->s.order.g->next_id + 1;
    heir_table t = {.record = calloc(ids, sizeof *t.record),
                    .heirs = calloc(ids, sizeof *t.heirs),
                    .groups = calloc(n + 1, sizeof *t.groups),
                    .room = calloc(n + 1, sizeof *t.room)};
    bool ok = (t.record && t.heirs && t.groups && t.room) || inlay_fail_memory(p->run->diags);

    for (size_t i = 0; ok && i < n; i++)
        t.record[list[i].scatter->id] = &list[i];
    for (size_t i = n; ok && i-- > 0;) {
        while (ok && !list[i].overwrite.asked)
            ok = decide_heir(p, heirs_of(&t, list[i].scatter), &list[i]);
    }
    free(t.record);
    free(t.heirs);
    free(t.groups);
    free(t.room);
    return ok;
}

/* Bodies have no variables of their own, and nothing in them is written in place. A variable is
 * assigned once. */
static bool list_variables(in_place *p, const inlay_graph *g)
{
    size_t n = g->owner ? 0 : (size_t)g->n_variables;

    p->assign = calloc(n + 1, sizeof *p->assign);
    p->inside = calloc(n + 1, sizeof *p->inside);
    for (const inlay_node *a = n && p->assign ? g->first : NULL; a; a = a->next) {
        const inlay_variable *v = inlay_variable_of(a, INLAY_OP_ASSIGN);

        inlay_count_steps(g, 1);
        if (v)
            p->assign[v->index] = a;
    }
    if (n && p->inside)
        inlay_variables_in_bodies(g, p->inside);
    return (p->assign && p->inside) || inlay_fail_memory(p->run->diags);
}

static bool decide_graph(inlay_graph *g, pass_run *r)
{
    in_place p = {.run = r, .reorders_left = MAX_REORDERS};
    inlay_in_place *scatters = NULL;
    size_t n = 0;
    bool ok;

    inlay_graph_drop_notes(g);
    p.views = calloc((size_t)g->next_id + 1, sizeof *p.views);
    p.origin = calloc((size_t)g->next_id + 1, sizeof *p.origin);
    p.named = calloc((size_t)g->next_id + 1, sizeof *p.named);
    ok = (p.views && p.origin && p.named) || inlay_fail_memory(r->diags);
    ok = ok && list_variables(&p, g) && inplace_storage_begin(&p.s, g, r->diags) &&
         list_scatters(&p, &scatters, &n);
    if (ok)
        shuffle(scatters, n, r->shuffle);
    ok = ok && decide_overwrites(&p, scatters, n);
    while (ok && n > 0)
        ok = decide_window(&p, &scatters[--n]);
    ok = ok && view_the_rest(&p) && (!r->options->events.receive || tell_copies(&p));
    r->looks += p.s.steps;
    inlay_count_steps(g, p.s.steps);
    free(scatters);
    free(p.views);
    free(p.origin);
    free(p.assign);
    free(p.inside);
    free(p.named);
    inplace_storage_end(&p.s);
    return ok;
}

bool pass_in_place_windows(inlay_graph *g, pass_run *r)
{
    return inlay_pass_each_graph(g, decide_graph, r);
}
