/* Buffers: making them, adding layers, and who may write into them. See walk.h. */
#include "ir/graph/node.h"
#include "ir/notes/walk.h"

bool note_push(note_walker *w, note_buffer *b, const inlay_value *v, const inlay_region *where)
{
    return note_check_earlier_reads(w, v, b, where) &&
           (note_layers_push(&b->layers, w->arena, &(note_layer){v, NULL, where}) ||
            note_out_of_memory(w));
}

note_buffer *note_new_buffer(note_walker *w, const inlay_value *owner)
{
    note_buffer *b = inlay_arena_alloc(w->arena, sizeof *b);

    if (b)
        *b = (note_buffer){.owner = owner};
    else
        note_out_of_memory(w);
    return b;
}

/* The condition that is broken by a write over N, a Parameter of a body. Its value must be needed
 * in this iteration only: because a back edge brings the next one, or because the body runs once.
 * And parts of a tensor may overlap those of other iterations. */
static inlay_condition param_condition(const inlay_node *n)
{
    if (!inlay_node_loops(n->graph->owner) || inlay_param_is_carried(n))
        return INLAY_NO_CONDITION;
    return inlay_param_overlaps(n) ? INLAY_N11_DISJOINT_ITERATIONS : INLAY_B1_CARRIED_INPUT;
}

/* The condition that V breaks if it is written into B. */
static inlay_condition root_condition(const inlay_graph *g, const inlay_value *v,
                                      const note_buffer *b)
{
    const inlay_node *n = b->owner->node;
    bool param = inlay_node_is(n, INLAY_OP_PARAMETER),
         state = inlay_node_is(n, INLAY_OP_READ_VALUE),
         bodies = v->node->op->flags & INLAY_HAS_BODY;

    if (state && g->owner)
        return INLAY_B2_NOT_A_STATE;
    if (inlay_node_is(n, INLAY_OP_CONST))
        return INLAY_O2_WRITABLE_BUFFER;
    if (v->note == INLAY_INTO && (state || param) &&
        (bodies || inlay_node_may_fail(v->node))) /* who sees it after the error? */
        return INLAY_I8_NO_FAILURE_MIDWAY;
    return param && g->owner ? param_condition(n) : INLAY_NO_CONDITION;
}

bool note_check_root(note_walker *w, const inlay_value *v, const note_buffer *b)
{
    inlay_condition broken = root_condition(w->g, v, b);
    const inlay_value *by = broken == INLAY_I8_NO_FAILURE_MIDWAY ? v : b->owner;

    return !broken || note_complain(w->c, v, broken, "%s %s", note_value_words(w->c, by),
                                    inlay_condition_text(broken));
}

/* The condition that demands that input I of SCATTER is made before its window is written. */
static inlay_condition ready_condition(const inlay_node *scatter, int i)
{
    if (i != scatter->op->overwrites)
        return INLAY_N2_CHECKS_FIRST;
    return scatter->in[i].value->note == INLAY_OVERWRITES ? INLAY_I9_SAME_VERSION
                                                          : INLAY_N1_CONTENT_MADE_FIRST;
}

bool note_check_ready(note_walker *w, const inlay_value *v, const inlay_node *scatter)
{
    int updates = inlay_op_operand(scatter->op, INLAY_ROLE_UPDATES);

    for (int i = 0; i < scatter->n_in; i++) {
        const inlay_value *x = scatter->in[i].value;

        if (i == updates || !x ||
            (i != scatter->op->overwrites && inlay_node_is(x->node, INLAY_OP_CONST)))
            continue;
        if (!note_place_of(w, x)->made)
            return note_complain(w->c, v, ready_condition(scatter, i),
                                 "%s, input %d of the %s, is made later", note_value_words(w->c, x),
                                 i, scatter->op->name);
        if (!note_rely(w, v, ready_condition(scatter, i), x->node))
            return false;
    }
    return true;
}
