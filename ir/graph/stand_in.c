/* Stand-ins: a row made on the spot for an operation that the table does not have, so that a graph
 * that holds one can still be shown and written back. */
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/graph/argument.h"
#include "ir/graph/node.h"
#include "ir/infer/infer.h"

#include <string.h>

/* A stand-in's types and shapes are what its file said. */
static bool infer_stand_in(inlay_infer *cx)
{
    for (int i = 0; i < cx->n_out; i++)
        cx->out[i] = cx->node->out[i].fact;
    return true;
}

static const inlay_operand_info any_operand[] = {
    {"value", ~(inlay_type_set)0, -1, "any", true, INLAY_ROLE_NONE},
};

const inlay_op *inlay_op_stand_in(inlay_graph *g, const char *type, const char *version,
                                  inlay_diags *d)
{
    if (inlay_is_missing(g, "graph", d) || inlay_is_missing(type, "type of an operation", d) ||
        inlay_is_missing(version, "version of an operation", d))
        return NULL;

    inlay_op *op = inlay_arena_alloc(g->arena, sizeof *op);

    if (!op || !(op->name = inlay_arena_strdup(g->arena, type)) ||
        !(op->written = inlay_arena_strdup(g->arena, version))) {
        inlay_fail_memory(d);
        return NULL;
    }
    op->kind = INLAY_OP_STAND_IN;
    op->set = "";
    op->in = op->out = any_operand;
    op->n_in = 1;
    op->variadic_in = true;
    op->n_out = op->count_in = op->overwrites = op->faults = op->row = -1;
    op->flags = INLAY_STAND_IN | INLAY_EFFECT;
    op->infer = infer_stand_in;
    return op;
}

bool inlay_value_set_fact(inlay_value *v, inlay_type type, int rank, const inlay_dim *dims,
                          inlay_diags *d)
{
    inlay_dim *copy = NULL;

    if (inlay_is_missing(v, "value", d) || !inlay_type_is_sound(type, v->node, d) ||
        !inlay_shape_is_sound(rank, dims, v->node, d))
        return false;
    if (rank > 0) {
        copy = inlay_arena_array(v->node->graph->arena, (size_t)rank, sizeof *copy);
        if (!copy)
            return inlay_fail_memory(d);
        memcpy(copy, dims, (size_t)rank * sizeof *copy);
    }
    v->fact = (inlay_fact){.type = type, .rank = rank, .dims = copy};
    return true;
}
