/* Decision V: a slice, an output of a Split, a reshape or a transpose is a view of its operand and
 * copies nothing. */
#include "passes/inplace/view.h"
#include "ir/shared.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/chain.h"
#include "passes/inplace/overwrite.h"
#include "passes/inplace/reshape.h"
#include "passes/inplace/rows.h"

#include <stdlib.h>

/* A reader of X whose kernel accepts only dense operands, or NULL. It would get a dense copy, so
 * the view would save nothing. */
static const inlay_node *dense_reader(const inlay_value *x)
{
    for (const inlay_use *u = x->uses; u; u = u->next) {
        if (!(u->node->op->flags & (INLAY_STRIDED | INLAY_POINTWISE | INLAY_VIEW)))
            return u->node;
    }
    return NULL;
}

/* Is the buffer of OWNER allocated by a node of this graph, for this run alone? The buffer of an
 * input that is written over counts, too; but in a body it belongs to the node around it. */
static bool is_made_here(inplace_pass *p, const inlay_value *owner)
{
    const inlay_node *n = owner->node;

    if (inlay_node_is(n, INLAY_OP_PARAMETER))
        return !n->graph->owner && inplace_storage_is_written(&p->s, owner);
    return !(n->op->flags & INLAY_HAS_BODY) && !inlay_node_is(n, INLAY_OP_CONST) &&
           !inlay_node_is(n, INLAY_OP_READ_VALUE);
}

/* The layout of a view, as far as that is known. */
typedef struct view_form {
    bool dense, shown; /* shown: strides describe it */
    bool fills;        /* it is all of its buffer */
} view_form;

/* If X were a view with the layout LIES, would it be all of a buffer that a node of this graph
 * allocated? Then the buffer itself can be that output. */
static bool may_leave(inplace_pass *p, const inlay_value *x, const view_form *lies)
{
    return lies && lies->fills &&
           is_made_here(p, inplace_storage_root(&p->s, inlay_node_input(x->node, 0)));
}

/* A node that reads V at the end of the run, or may return it unchanged; or NULL. RESULTS: outputs
 * of the graph do not count. */
static const inlay_node *last_reader(const inplace_pass *p, const inlay_value *v, bool results)
{
    for (const inlay_use *u = v->uses; u; u = u->next) {
        if (inplace_runs(&p->s.order, u->node) && inplace_looks_last(&p->s.accesses, u) &&
            !(results && inlay_node_is(u->node, INLAY_OP_RESULT)))
            return u->node;
    }
    return NULL;
}

/* The same for OF and all values below it, except X. */
static const inlay_node *other_last_reader(inplace_pass *p, inlay_value *of, const inlay_value *x)
{
    size_t n = inplace_list_members(&p->s.aliases, of);
    const inlay_node *by = NULL;

    for (size_t i = 0; !by && i < n; i++)
        by = p->s.aliases.list[i] == x ? NULL : last_reader(p, p->s.aliases.list[i], false);
    return by;
}

/* A node that would need X after its buffer is gone, if X were a view with the layout LIES; or
 * NULL. If X leaves the run as a whole buffer, no other output or state may use that buffer. */
static const inlay_node *outliving_reader(inplace_pass *p, inlay_value *x, const view_form *lies)
{
    bool leaves = may_leave(p, x, lies);
    const inlay_node *by = last_reader(p, x, leaves);

    if (by || !leaves || !last_reader(p, x, false))
        return by;
    by = other_last_reader(p, x, x);
    return by ? by
              : other_last_reader(p, inplace_storage_root(&p->s, inlay_node_input(x->node, 0)), x);
}

/* If a row of packed data does not end at a byte boundary, the next row begins within a byte. Then
 * only a window in the first row, on all outer axes, is sure to begin at a byte boundary. */
bool inplace_splits_bytes(const inlay_node *slice)
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

/* Also true for values of unknown type, and for views that are not windows. */
static bool may_split_bytes(const inlay_value *x)
{
    if (x->fact.type == INLAY_DYNAMIC || x->fact.type != inlay_node_input(x->node, 0)->fact.type)
        return true;
    return inlay_type_info_of(x->fact.type)->bits < 8 &&
           (!inlay_node_reads_window(x->node) || inplace_splits_bytes(x->node));
}

/* X is overwritten. If it were a view of an input, a node that would overwrite what the caller can
 * see after an error; or NULL. */
static const inlay_node *find_trap(inplace_pass *p, inlay_value *x)
{
    const inlay_value *root = inplace_storage_root(&p->s, inlay_node_input(x->node, 0));

    return inlay_node_is(root->node, INLAY_OP_PARAMETER) ? inplace_failing_writer(p, x) : NULL;
}

/* Is the value that ROOT's variable is assigned in the buffer of its state, so that writes to that
 * buffer are intended? */
static bool keeps_its_buffer(inplace_pass *p, const inlay_value *root)
{
    const inlay_variable *v = inlay_variable_of(root->node, INLAY_OP_READ_VALUE);
    const inlay_node *assign = v && !root->node->graph->owner ? p->assign[v->index] : NULL;
    const inlay_value *stored = assign ? inlay_node_input(assign, 0) : NULL;

    return stored && !p->inside[v->index] && inplace_storage_root(&p->s, stored) == root;
}

/* The constant or ReadValue that would be written over by a scatter over X, if X were a view of it;
 * or NULL. */
static const inlay_node *find_protected(inplace_pass *p, const inlay_value *x)
{
    const inlay_value *root = inplace_storage_root(&p->s, inlay_node_input(x->node, 0));
    bool is_protected =
        inlay_node_is(root->node, INLAY_OP_CONST) ||
        (inlay_node_is(root->node, INLAY_OP_READ_VALUE) && !keeps_its_buffer(p, root));

    return is_protected && inplace_storage_is_written(&p->s, x) ? root->node : NULL;
}

/* X is overwritten in a body. The condition that a view would violate: loop invariants are read
 * again in each iteration. */
static inlay_condition condition_of_body(inplace_pass *p, const inlay_value *x)
{
    const inlay_value *root = inplace_storage_root(&p->s, inlay_node_input(x->node, 0));
    inlay_condition broken = inplace_body_condition(root);

    return broken != INLAY_NO_CONDITION && inplace_storage_is_written(&p->s, x)
               ? broken
               : INLAY_NO_CONDITION;
}

/* The remark on the view X: through it, an input or a state is overwritten that was not before; or
 * NULL. */
static const char *remark_on_view(inplace_pass *p, const inlay_value *x)
{
    const inlay_value *data = inlay_node_input(x->node, 0);
    const char *remark = inplace_remark_on(inplace_storage_root(&p->s, data)->node);

    return remark && inplace_storage_is_written(&p->s, x) &&
                   !inplace_storage_is_written(&p->s, data)
               ? remark
               : NULL;
}

static bool repeats(const inlay_value *x)
{
    return x->node->op->flags & INLAY_REPEATS;
}

/* A view that repeats elements may only be read, and nothing may be computed into it. A node that
 * would violate this if X were a view; or NULL. */
static const inlay_node *find_repeater(const inlay_value *x)
{
    const inlay_value *data = inlay_node_input(x->node, 0);

    if (repeats(data) && data->note == INLAY_VIEW_OF)
        return data->node;
    for (const inlay_use *u = repeats(x) ? x->uses : NULL; u; u = u->next) {
        for (int k = 0; k < u->node->n_out; k++) {
            if (u->node->out[k].note_target == x)
                return x->node;
        }
    }
    return NULL;
}

/* Decides on X as a view whose readers must accept its layout LIES (NULL: as its node may make
 * it). */
static bool decide_view(inplace_pass *p, inlay_value *x, const view_form *lies,
                        inlay_in_place *what, inlay_decision *d)
{
    static const inplace_names names = {INLAY_V1_READ_BEFORE_WRITE, INLAY_V3_DOES_NOT_OUTLIVE,
                                        INLAY_O6_NO_OVERLAPPING_OPERAND,
                                        INLAY_O6_NO_OVERLAPPING_OPERAND};
    inlay_value *data = inlay_node_input(x->node, 0);
    const char *remark = remark_on_view(p, x);
    inlay_condition broken;
    const inlay_node *by;

    d->asked = true;
    if (x->note != INLAY_FRESH) /* a selected row may already be stored in a part of another value
                                   */
        inplace_refuse(d, INLAY_N10_ONE_PLACE, x->note_target->node);
    else if ((by = outliving_reader(p, x, lies)))
        inplace_refuse(d, INLAY_V3_DOES_NOT_OUTLIVE, by);
    else if (lies && !lies->shown)
        inplace_refuse(d, INLAY_V2_STRIDED_READERS, x->node);
    else if ((!lies || !lies->dense) && (by = dense_reader(x)))
        inplace_refuse(d, INLAY_V2_STRIDED_READERS, by);
    else if ((by = find_repeater(x)))
        inplace_refuse(d, INLAY_O8_DISTINCT_ELEMENTS, by);
    else if (may_split_bytes(x))
        inplace_refuse(d, INLAY_V4_WHOLE_BYTES, x->node);
    else if ((by = find_protected(p, x)))
        inplace_refuse(d, INLAY_O2_WRITABLE_BUFFER, by);
    else if ((broken = condition_of_body(p, x)))
        inplace_refuse(d, broken, inplace_storage_root(&p->s, data)->node);
    else if ((by = find_trap(p, x)))
        inplace_refuse(d, INLAY_I8_NO_FAILURE_MIDWAY, by);
    else if (!inplace_try_note(p, x, INLAY_VIEW_OF, data, &names, what, d))
        return false;
    if (d->made && last_reader(p, x, false))
        inplace_set_of(&p->s.aliases, x)->leaves = true;
    d->remark = d->made ? remark : d->remark;
    return true;
}

bool inplace_decide_view(inplace_pass *p, inlay_value *x, inlay_in_place *what, inlay_decision *d)
{
    return decide_view(p, x, NULL, what, d);
}

/* Decides V for the slice X, unless it is decided. */
static bool view_slice(inplace_pass *p, inlay_value *x, inlay_in_place *what)
{
    inlay_decision *d = &p->views[x->node->id];

    if (d->asked || inlay_fact_is_empty(&x->fact) || inlay_node_lists_rows(x->node))
        return true;
    if (p->late && inplace_list_members(&p->s.aliases, x) > 1) {
        d->asked = true;
        inplace_refuse(d, INLAY_N10_ONE_PLACE, x->node); /* other values share its present bytes */
        return true;
    }
    if (!inplace_decide_view(p, x, what, d))
        return false;
    p->run->changes += d->made;
    return true;
}

bool inplace_view_reshape(inplace_pass *p, inlay_value *x, inlay_in_place *what, inlay_decision *d)
{
    inlay_decision view = p->views[x->node->id];

    if (!view.asked) {
        if (!inplace_decide_view(p, x, what, &view))
            return false;
        p->run->changes += view.made;
        p->relies = p->relies || view.made;
    }
    if (view.made) /* if not, it is tried again when its layout is known */
        p->views[x->node->id] = view;
    *d = view;
    return true;
}

/* Decides V for X, a reshape of the slice OF, which has SCATTER's own window; links may read X. */
static bool view_reshaped_slice(inplace_pass *p, inlay_value *x, const inlay_value *of,
                                const inlay_node *scatter, inlay_in_place *what)
{
    inlay_decision d;

    return of->note != INLAY_VIEW_OF || inlay_fact_is_empty(&x->fact) ||
           !inlay_node_windows_same(of->node, scatter) || !inplace_window_shows(of->node, x, of) ||
           inplace_view_reshape(p, x, what, &d);
}

/* Decides V for the slices of SCATTER's data that READER reads. This comes before decision I,
 * because READER can compute in the window only if these reads allow it. */
static bool view_operands(inplace_pass *p, const inlay_node *reader, const inlay_node *scatter,
                          inlay_in_place *what)
{
    p->s.steps += (uint64_t)reader->n_in;
    for (int i = 0; i < reader->n_in; i++) {
        inlay_value *x = reader->in[i].value, *of = x ? inplace_unshaped(x) : NULL;

        if (of && inplace_slices_data(p, of, scatter) &&
            (!view_slice(p, of, what) ||
             (x != of && !view_reshaped_slice(p, x, of, scatter, what))))
            return false;
    }
    return true;
}

bool inplace_decide_views(inplace_pass *p, const inlay_node *scatter, const inplace_chain *c,
                          inlay_in_place *what)
{
    inlay_value *below = inplace_window_below(p, query_scatter_updates(scatter), scatter);

    if (!view_operands(p, scatter, scatter, what) || (below && !view_slice(p, below, what)))
        return false;
    for (int i = 0; i < c->n_links; i++) {
        if (!view_operands(p, c->links[i]->node, scatter, what))
            return false;
    }
    if (c->slice)
        what->view = p->views[c->slice->id];
    return true;
}

/* Decides V for X, selected rows of SCATTER's data. */
static bool view_rows(inplace_pass *p, inlay_value *x, const inlay_node *scatter,
                      inlay_in_place *what)
{
    inlay_decision *d = &p->views[x->node->id];
    const inlay_node *other = NULL;

    if (d->asked || inlay_fact_is_empty(&x->fact))
        return true;
    d->asked = true;
    if (!what->into.made || !inplace_feeds_only(p, x, scatter, &other))
        inplace_refuse(d, INLAY_V2_STRIDED_READERS, other ? other : scatter);
    else if (!inplace_decide_view(p, x, what, d))
        return false;
    p->run->changes += d->made;
    return true;
}

bool inplace_decide_listed_views(inplace_pass *p, const inlay_node *scatter, const inplace_chain *c,
                                 inlay_in_place *what)
{
    if (!c->slice || !inlay_node_lists_rows(c->slice) || !inlay_node_lists_rows(scatter))
        return true;
    if (!view_rows(p, &c->slice->out[0], scatter, what))
        return false;
    what->view = p->views[c->slice->id];
    return true;
}

/* Decides V for all outputs of N. The decision on N is no if one of them is copied. */
static bool view_outputs(inplace_pass *p, inlay_node *n)
{
    inlay_decision *all = &p->views[n->id];
    inlay_in_place what = {0};

    for (int k = 0; k < n->n_out; k++) {
        inlay_value *x = &n->out[k];
        inlay_decision d = {0};
        view_form lies;
        const inlay_region *r;

        if (inlay_fact_is_empty(&x->fact))
            continue;
        r = inplace_view_region(&p->s.aliases, x, &lies.shown);
        lies.dense = r && inlay_region_is_dense(r);
        lies.fills = r && inlay_region_fills(r);
        if (!r || !decide_view(p, x, &lies, &what, &d))
            return false;
        p->run->changes += d.made;
        if (!all->asked || (all->made && !d.made))
            *all = d;
    }
    return true;
}

/* Is V still to be decided for N, which repeats elements of its operand? Not if the output has a
 * place already, or if its operand is to be computed in it: then the elements are copied anyway. */
static bool may_repeat(inplace_pass *p, const inlay_node *n)
{
    return n->out[0].note == INLAY_FRESH &&
           inplace_storage_root(&p->s, inlay_node_input(n, 0)) != &n->out[0];
}

/* Does N select a single row that has no place yet, and into which nothing is computed? */
static bool may_show_row(inplace_pass *p, const inlay_node *n)
{
    return inlay_node_picks_row(n) && n->out[0].note == INLAY_FRESH &&
           inplace_list_members(&p->s.aliases, &n->out[0]) <= 1;
}

/* Are the outputs of N elements of its first operand? */
static bool can_be_views(inplace_pass *p, const inlay_node *n)
{
    return ((n->op->flags & INLAY_VIEW) || may_show_row(p, n)) && inlay_node_input(n, 0) &&
           (!(n->op->flags & INLAY_REPEATS) || may_repeat(p, n));
}

bool inplace_moves_on(const inlay_node *n, const inlay_value *x)
{
    return (n->op->flags & INLAY_HOLDS) || inlay_node_operand(n, INLAY_ROLE_UPDATES) == x;
}

/* Should the output of N be a view that repeats elements? Then its operand need not be computed in
 * a part of the output. */
static bool repeats_for_readers(inplace_pass *p, const inlay_node *n)
{
    bool best = (n->op->flags & INLAY_REPEATS) && can_be_views(p, n) &&
                !inlay_fact_is_empty(&n->out[0].fact);

    for (const inlay_use *u = best ? n->out[0].uses : NULL; u && best; u = u->next)
        best = !inplace_moves_on(u->node, &n->out[0]);
    return best;
}

static bool view_repeated(inplace_pass *p, inlay_node *n)
{
    inlay_in_place what = {0};

    if (!decide_view(p, &n->out[0], NULL, &what, &p->views[n->id]))
        return false;
    p->run->changes += p->views[n->id].made;
    return true;
}

/* The nodes are listed first because decisions may change the order. */
static bool view_each(inplace_pass *p, bool (*is_asked)(inplace_pass *p, const inlay_node *n),
                      bool (*view)(inplace_pass *p, inlay_node *n))
{
    size_t n = p->s.order.list.n;
    inlay_node **nodes = inlay_take(inlay_graph_budget(p->s.order.g), n + 1, sizeof(inlay_node *));
    bool ok = nodes || inlay_fail_memory(p->run->diags);

    for (size_t i = 0; ok && i < n; i++)
        nodes[i] = p->s.order.list.nodes[i];
    for (size_t i = 0; ok && i < n; i++) {
        if (is_asked(p, nodes[i]) && !p->views[nodes[i]->id].asked)
            ok = view(p, nodes[i]);
    }
    inlay_give(nodes);
    return ok;
}

bool inplace_view_repeated(inplace_pass *p)
{
    return view_each(p, repeats_for_readers, view_repeated);
}

/* Goes from the first node to the last, because whether a value can be reshaped as a view depends
 * on the layout of its operand. */
bool inplace_view_the_rest(inplace_pass *p)
{
    return view_each(p, can_be_views, view_outputs);
}
