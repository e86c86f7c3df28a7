/* Buffers: a new one, a layer on one, and whether a value may stand in one or be written there. See
 * walk.h. */
#include "ir/graph/node.h"
#include "ir/notes/walk.h"

/* V is written over WHERE of B. */
bool note_push(note_walker *w, note_buffer *b, const inlay_value *v, const note_region *where)
{
    return note_layers_push(&b->layers, w->arena, v, where) || note_out_of_memory(w);
}

/* NULL: out of memory. */
note_buffer *note_new_buffer(note_walker *w, const inlay_value *owner)
{
    note_buffer *b = inlay_arena_alloc(w->arena, sizeof *b);

    if (b)
        *b = (note_buffer){.owner = owner, .layers.rank = owner->fact.rank};
    else
        note_out_of_memory(w);
    return b;
}

/* Is N a Parameter of a body whose value goes when the iteration is over, because a back edge
 * brings the next one, or because the body runs once? */
static bool is_renewed(const inlay_node *n)
{
    const inlay_node *owner = n->graph->owner;
    int back = inlay_node_is(owner, INLAY_OP_IF);

    for (int i = 0; i < owner->n_bodies; i++) {
        const inlay_body *b = &owner->bodies[i];

        for (int k = 0; b->graph == n->graph && k < b->n_back; k++)
            back += b->graph->params[b->back[k].to] == n;
    }
    return back > 0;
}

/* The condition that is broken if N, a Parameter of a body, is written over though no back edge
 * brings another value: parts of a tensor may overlap. */
static inlay_condition unrenewed(const inlay_node *n)
{
    for (int i = 0; i < n->graph->owner->n_bodies; i++) {
        const inlay_body *b = &n->graph->owner->bodies[i];

        for (int k = 0; b->graph == n->graph && k < b->n_in; k++) {
            const inlay_port *p = &b->in[k];

            if (b->graph->params[p->inner] == n && p->has_axis && p->stride < p->part_size &&
                -p->part_size < p->stride)
                return INLAY_N11_ACROSS_ITERATIONS;
        }
    }
    return INLAY_B1_CARRIED_INPUT;
}

/* May V, of a body, be written over the buffer B? */
static bool check_body_root(note_walker *w, const inlay_value *v, const note_buffer *b)
{
    char owner[120];

    if (inlay_node_is(b->owner->node, INLAY_OP_PARAMETER) && !is_renewed(b->owner->node))
        return note_complain(w->c, v, unrenewed(b->owner->node),
                             "no back edge brings %s another value",
                             note_value_text(b->owner, owner, sizeof owner));
    if (inlay_node_is(b->owner->node, INLAY_OP_READ_VALUE))
        return note_complain(w->c, v, INLAY_B2_STATE_OF_A_BODY, "a body may not write the state %s",
                             note_value_text(b->owner, owner, sizeof owner));
    return true;
}

/* Is B a state that the bodies of V's node would write over? */
static bool is_state_inside(const inlay_value *v, const note_buffer *b)
{
    return (v->node->op->flags & INLAY_HAS_BODY) &&
           inlay_node_is(b->owner->node, INLAY_OP_READ_VALUE);
}

/* Can the node of V fail at an element, because an operand of whole numbers is zero or negative
 * there? */
static bool may_fail(const inlay_value *v)
{
    const inlay_value *x = inlay_node_input(v->node, v->node->op->faults);
    const inlay_tensor *t = x ? x->fact.content : NULL;
    int64_t n = t ? inlay_tensor_count(t) : 0;

    if (!x || inlay_type_is_float(x->fact.type))
        return false;
    while (n > 0 && inlay_tensor_get_i64(t, n - 1) > 0)
        n--;
    return !t || n > 0;
}

/* Can somebody see what is in B when the run has failed? */
static bool is_seen_after_errors(const note_buffer *b)
{
    return inlay_node_is(b->owner->node, INLAY_OP_READ_VALUE) ||
           inlay_node_is(b->owner->node, INLAY_OP_PARAMETER);
}

bool note_check_root(note_walker *w, const inlay_value *v, const note_buffer *b)
{
    char owner[120];

    if (is_state_inside(v, b))
        return note_complain(w->c, v, INLAY_B2_STATE_OF_A_BODY, "a body may not write the state %s",
                             note_value_text(b->owner, owner, sizeof owner));
    if (v->note != INLAY_VIEW_OF && inlay_node_is(b->owner->node, INLAY_OP_CONST))
        return note_complain(w->c, v, INLAY_O2_WRITABLE_ROOT, "the constant %s may not be written",
                             note_value_text(b->owner, owner, sizeof owner));
    if (v->note == INLAY_INTO && is_seen_after_errors(b) && may_fail(v))
        return note_complain(w->c, v, INLAY_I8_NO_TRAP_BETWEEN,
                             "it may fail when part of %s is written",
                             note_value_text(b->owner, owner, sizeof owner));
    return !w->g->owner || v->note == INLAY_VIEW_OF || check_body_root(w, v, b);
}

/* Are all operands of SCATTER but the updates made, so that V can be computed in its window? */
bool note_check_ready(note_walker *w, const inlay_value *v, const inlay_node *scatter)
{
    int updates = inlay_op_operand(scatter->op, INLAY_ROLE_UPDATES);
    char operand[120];

    for (int i = 0; i < scatter->n_in; i++) {
        const inlay_value *x = scatter->in[i].value;

        if (i == updates || !x || note_place_of(w, x)->made ||
            (i != scatter->op->overwrites && inlay_node_is(x->node, INLAY_OP_CONST)))
            continue;
        return note_complain(w->c, v,
                             i != scatter->op->overwrites  ? INLAY_N2_CHECKS_FIRST
                             : x->note == INLAY_OVERWRITES ? INLAY_I9_SAME_VERSION
                                                           : INLAY_N1_CONTENT_FIRST,
                             "%s, input %d of the %s, is made later",
                             note_value_text(x, operand, sizeof operand), i, scatter->op->name);
    }
    return true;
}
