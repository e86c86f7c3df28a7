/* Decision I: nodes that compute the updates of a scatter of a window compute them in the window
 * itself. */
#include "passes/inplace/into.h"
#include "passes/inplace/attempt.h"
#include "passes/inplace/bodies.h"
#include "passes/inplace/chain.h"
#include "passes/inplace/copies.h"
#include "passes/inplace/reshape.h"
#include "passes/inplace/rows.h"
#include "passes/inplace/view.h"

const inlay_node *inplace_find_trap(inplace_pass *p, const inlay_value *v, const inlay_value *r)
{
    const inlay_node *root = inplace_storage_root(&p->s, r)->node;

    if (!inlay_node_is(root, INLAY_OP_READ_VALUE) && !inlay_node_is(root, INLAY_OP_PARAMETER))
        return NULL;
    return inplace_may_fail(v->node) ? v->node : inplace_failing_writer(p, (inlay_value *)v);
}

/* V is computed in a window or part of R. Are its elements there known not to be contiguous? */
static bool has_gaps(inplace_pass *p, const inlay_value *v, const inlay_value *r)
{
    inlay_window w[INLAY_MAX_RANK];

    if (inplace_holds(r))
        return inlay_node_has_part(r->node, v, p->late_sizes) &&
               !inlay_node_part_follows(r->node, v);
    return (inlay_node_windows(r->node, NULL, w) || inlay_node_windows_written(r->node, w)) &&
           !inplace_window_follows(r, w);
}

/* Is an output of N of unknown size only because bodies determine it? */
static bool sizes_itself(const inplace_pass *p, const inlay_node *n)
{
    bool itself = p->late_sizes[n->id];

    for (int i = 0; i < n->n_in && itself; i++)
        itself = !n->in[i].value || !p->late_sizes[n->in[i].value->node->id];
    return itself;
}

bool inplace_check_made(inplace_pass *p, const inlay_value *v, const inlay_value *r,
                        inlay_decision *d)
{
    bool gaps, twice;

    if (!(v->node->op->flags & INLAY_HAS_BODY))
        return true;
    if (!inlay_value_is_given_twice(v, &twice))
        return inlay_fail_memory(p->run->diags);
    gaps = has_gaps(p, v, r);
    if (twice || gaps)
        inplace_refuse(d, INLAY_N4_ONE_OUTPUT, v->node);
    else if (v->fact.type != r->fact.type)
        inplace_refuse(d, INLAY_I6_ELEMENT_WIDTH, v->node);
    else if (inlay_type_info_of(v->fact.type)->bits < 8)
        inplace_refuse(d, INLAY_O12_WHOLE_BYTE_WINDOW, r->node);
    else if (!inplace_holds(r) && sizes_itself(p, v->node))
        inplace_refuse(d, INLAY_N2_CHECKS_FIRST, v->node);
    if (twice)
        d->remark = "what bodies make here may be another output, too";
    else if (gaps)
        d->remark = "what bodies make has elements that follow each other";
    return true;
}

bool inplace_remark_made(inplace_pass *p, const inlay_value *v, inlay_decision *d)
{
    bool through;

    if (!d->made || !(v->node->op->flags & INLAY_HAS_BODY))
        return true;
    if (!inlay_value_is_handed(v, &through))
        return inlay_fail_memory(p->run->diags);
    if (through)
        d->remark = "what a body hands through is copied";
    return true;
}

/* The conditions on link V itself; inplace_try_note judges the readers. R is the scatter's result.
 */
static bool may_go_into(inplace_pass *p, const inlay_value *v, const inplace_chain *c,
                        const inlay_value *r, inlay_decision *d)
{
    const inlay_value *updates = c->links[0];
    const inlay_node *by;

    if (v->note != INLAY_FRESH) {
        inplace_refuse(d, INLAY_N10_ONE_PLACE, v->note_target->node);
        p->contested = true;
        return false;
    }
    if (p->late && inplace_list_members(&p->s.aliases, (inlay_value *)v) > 1) {
        inplace_refuse(d, INLAY_N10_ONE_PLACE, v->node); /* other values share its present bytes */
        return false;
    }
    if (v == updates && inlay_node_lists_rows(r->node)) {
        if (!inplace_has_row_function(v->node))
            inplace_refuse(d, INLAY_V2_STRIDED_READERS, v->node);
        else if (!inplace_feeds_only(p, v, r->node, &by)) /* strides cannot describe it for other
                                                             readers */
            inplace_refuse(d, INLAY_I5_SOLE_CONSUMER, by);
        if (d->condition)
            return false;
    }
    if (v != updates && !inlay_fact_same_shape(&v->fact, &updates->fact)) {
        inplace_refuse(d, INLAY_I2_POINTWISE, v->node); /* it may be broadcast to the window's size
                                                           */
        return false;
    }
    if (inlay_type_info_of(v->fact.type)->bits != inlay_type_info_of(r->fact.type)->bits) {
        inplace_refuse(d, INLAY_I6_ELEMENT_WIDTH, v->node);
        return false;
    }
    if (inplace_splits_bytes(r->node)) {
        inplace_refuse(d, INLAY_O12_WHOLE_BYTE_WINDOW, r->node);
        return false;
    }
    if ((by = inplace_find_trap(p, v, r))) {
        p->contested = p->contested || by != v->node;
        inplace_refuse(d, INLAY_I8_NO_FAILURE_MIDWAY, by);
        return false;
    }
    return true;
}

bool inplace_window_first(inplace_pass *p, const inlay_node *scatter, inlay_node *link,
                          const inlay_node **late, inlay_in_place *what)
{
    int updates = inlay_op_operand(scatter->op, INLAY_ROLE_UPDATES);

    *late = NULL;
    p->s.steps += (uint64_t)scatter->n_in;
    for (int i = 0; i < scatter->n_in && !*late; i++) {
        inlay_node *before =
            i != updates && scatter->in[i].value ? scatter->in[i].value->node : NULL;

        if (!before || inlay_node_is(before, INLAY_OP_CONST))
            continue;
        if (!inplace_comes_first(p, before, link, late, what))
            return false;
    }
    return true;
}

inlay_condition inplace_late_condition(const inlay_node *scatter, const inlay_node *late)
{
    const inlay_value *data = query_scatter_data(scatter);

    if (data->node != late)
        return INLAY_N2_CHECKS_FIRST;
    return data->note == INLAY_OVERWRITES ? INLAY_I9_SAME_VERSION : INLAY_N1_CONTENT_MADE_FIRST;
}

/* The condition that forbids I if U, the updates, are not computed by pointwise nodes. */
static inlay_condition no_chain(const inlay_node *scatter, const inlay_value *u)
{
    if (u->node->op->flags & (INLAY_SINK | INLAY_EFFECT))
        return INLAY_I10_NO_EFFECTS;
    if (inlay_node_reads_window(u->node))
        return INLAY_I1_SAME_WINDOW;
    if (inplace_unshaped(u) != u && inplace_is_computed(inplace_unshaped(u)))
        return INLAY_V2_STRIDED_READERS; /* strides cannot describe the window with other axes */
    return query_scatter_data(scatter) == u ? INLAY_O7_DATA_USED_ONCE : INLAY_I2_POINTWISE;
}

/* Adds the remark that the chain ends with the refused LINK: the links after it are computed in the
 * window, it and those before it are not. */
static void tell_rest(inplace_pass *p, inlay_in_place *what, const inlay_decision *link)
{
    what->into.remark = inlay_arena_printf(
        p->words, "the links before are computed outside (%s%s%s%s)", link->condition,
        link->by ? ": \"" : "", link->by ? link->by->name : "", link->by ? "\"" : "");
}

/* If the updates are a reshape of the first link of C, the reshape must be a view; otherwise LINK
 * is refused. */
static bool show_updates(inplace_pass *p, const inplace_chain *c, inlay_in_place *what,
                         inlay_decision *link)
{
    inlay_decision view;

    if (!c->shown || c->links[0]->note != INLAY_FRESH)
        return true;
    if (!inplace_view_reshape(p, c->shown, what, &view))
        return false;
    if (!view.made)
        inplace_refuse(link, inlay_condition_named(view.condition), view.by);
    return true;
}

static bool note_links(inplace_pass *p, inlay_node *scatter, const inplace_chain *c,
                       inlay_in_place *what)
{
    bool own = c->slice && inlay_node_windows_same(c->slice, scatter);
    inplace_names names = {INLAY_I5_SOLE_CONSUMER, INLAY_I5_SOLE_CONSUMER,
                           own ? INLAY_I3_OPERANDS_IN_STEP : INLAY_I1_SAME_WINDOW,
                           INLAY_I4_NO_BROADCAST_OF_WINDOW};
    inplace_names at_once = {INLAY_I5_SOLE_CONSUMER, INLAY_I5_SOLE_CONSUMER, INLAY_I2_POINTWISE,
                             INLAY_I2_POINTWISE};
    inlay_value *r = &scatter->out[0];

    for (int i = 0; i < c->n_links; i++) {
        inlay_value *v = c->links[i];
        inlay_decision link = {0};
        const inlay_node *late;
        bool pointwise = inplace_is_pointwise(v->node) || inplace_holds(v);

        link.asked = true;
        if (!inplace_check_made(p, v, r, &link) ||
            (i == 0 && !link.condition && !show_updates(p, c, what, &link)))
            return false;
        if (!link.condition && may_go_into(p, v, c, r, &link)) {
            if (!inplace_window_first(p, scatter, v->node, &late, what) ||
                (!late && i == 0 && inlay_node_lists_rows(scatter) &&
                 !inplace_rows_together(p, scatter, &late, what)) ||
                (!late && (!inplace_try_note(p, v, INLAY_INTO, r, pointwise ? &names : &at_once,
                                             what, &link) ||
                           !inplace_remark_made(p, v, &link))))
                return false;
            p->contested = p->contested || late;
            if (late)
                inplace_refuse(&link, inplace_late_condition(scatter, late), late);
        }
        if (i == 0)
            what->into = link;
        else if (!link.made && !inlay_node_lists_rows(scatter)) /* otherwise it needs no memory of
                                                                   its own */
            tell_rest(p, what, &link);
        if (!link.made)
            break;
    }
    return true;
}

static bool stands_in_window(inplace_pass *p, inlay_value *u, const inlay_node *scatter)
{
    const inlay_value *below = inplace_window_below(p, u, scatter);

    return below && below->note == INLAY_VIEW_OF &&
           inplace_storage_root(&p->s, below) == inplace_storage_root(&p->s, &scatter->out[0]);
}

bool inplace_decide_into(inplace_pass *p, inlay_node *scatter, const inplace_chain *c,
                         inlay_in_place *what)
{
    inlay_value *u = query_scatter_updates(scatter);
    const inlay_node *by = inplace_may_repeat(p, scatter);

    if (by) {
        what->into.asked = true;
        inplace_refuse(&what->into, INLAY_I11_DISTINCT_ROWS, by);
        return true;
    }
    if (!inlay_node_writes_window(scatter) || inlay_node_is(u->node, INLAY_OP_CONST) ||
        inlay_node_is(u->node, INLAY_OP_PARAMETER) || inlay_node_is(u->node, INLAY_OP_READ_VALUE) ||
        (inlay_node_lists_rows(scatter) && c->n_links == 0))
        return true; /* nothing is computed that could go into the window */
    what->into.asked = true;
    if (!what->overwrite.made)
        inplace_refuse(&what->into, INLAY_O_REFUSED, NULL);
    else if (stands_in_window(p, u, scatter))
        what->into = (inlay_decision){.asked = true, .made = true, .remark = INPLACE_STANDING};
    else if (c->n_links == 0)
        inplace_refuse(&what->into, no_chain(scatter, u), u->node);
    else
        return note_links(p, scatter, c, what);
    return true;
}
