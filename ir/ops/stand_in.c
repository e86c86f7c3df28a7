/* Stand-ins: a row made on demand for an operation that the table does not have, so that a graph
 * with one can still be shown and written back. */
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/ops/rows.h"

/* In ir/infer/graph.c, as the rules of other rows are in their families. */
bool infer_stand_in(inlay_infer *cx);

static const inlay_operand_info any_operand[] = {
    {"value", ~(inlay_type_set)0, -1, "any", true, INLAY_ROLE_NONE},
};

const inlay_op *inlay_op_stand_in(inlay_arena *arena, const char *type, const char *version,
                                  inlay_diags *d)
{
    if (inlay_is_missing(arena, "arena", d) || inlay_is_missing(type, "type of an operation", d) ||
        inlay_is_missing(version, "version of an operation", d))
        return NULL;

    inlay_op *op = inlay_arena_alloc(arena, sizeof *op);

    if (!op || !(op->name = inlay_arena_strdup(arena, type)) ||
        !(op->written = inlay_arena_strdup(arena, version))) {
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
