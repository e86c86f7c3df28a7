/* More functions on rows of the op table. For the folders of this project, not installed. */
#ifndef INLAY_IR_OPS_ROWS_H
#define INLAY_IR_OPS_ROWS_H

#include "ir/base/arena.h"
#include "ir/op.h"

/* The built-in rows, by number. Other tables that are generated at build time point into it. */
extern const inlay_op inlay_op_table[];

/* Returns the row of OpenVINO's specification TYPE-VERSION (exact spelling), or NULL. */
const inlay_op *inlay_op_of_spec(const inlay_op_set *ops, const char *type, int version);
/* Writes the rows for TYPE (any letter case), of all versions and sets, to ROWS[ROOM], as many as
 * fit; returns how many exist. */
size_t inlay_op_of_type(const inlay_op_set *ops, const char *type, const inlay_op **rows,
                        size_t room);
/* Returns the index in op->attrs of the attribute with ROLE, or -1. */
int inlay_op_role_attr(const inlay_op *op, inlay_role role);

/* stand_in.c: makes a row in ARENA for TYPE of VERSION, which the table does not have. It has the
 * flag INLAY_STAND_IN; the attributes of such a node are node->extra, and its types and shapes are
 * set by inlay_value_set_fact. */
const inlay_op *inlay_op_stand_in(inlay_arena *arena, const char *type, const char *version,
                                  inlay_diags *d);

#endif
