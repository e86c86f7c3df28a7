/* Queries about a row. */
#include "ir/op.h"

#include <stdio.h>
#include <string.h>

char *inlay_op_text(const inlay_op *op, char *buf, size_t size)
{
    if (!op)
        snprintf(buf, size, "no operation");
    else if (op->flags & INLAY_STAND_IN)
        snprintf(buf, size, "%s of %s", op->name, op->written);
    else if (op->version > 0)
        snprintf(buf, size, "%s-%d", op->name, op->version);
    else
        snprintf(buf, size, "%s", op->name);
    return buf;
}

int inlay_op_attr(const inlay_op *op, const char *name)
{
    for (int i = 0; op && name && i < op->n_attrs; i++) {
        if (strcmp(op->attrs[i].name, name) == 0)
            return i;
    }
    return -1;
}

static int at_role(const signed char *of, inlay_role role)
{
    return of && (unsigned)role < INLAY_N_ROLES ? of[role] : -1;
}

int inlay_op_operand(const inlay_op *op, inlay_role role)
{
    return op ? at_role(op->in_of, role) : -1;
}

int inlay_op_role_attr(const inlay_op *op, inlay_role role)
{
    return op ? at_role(op->attr_of, role) : -1;
}
