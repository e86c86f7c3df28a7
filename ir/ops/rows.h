/* More ways to find a row of the op table. For the folders of this project, not installed. */
#ifndef INLAY_IR_OPS_ROWS_H
#define INLAY_IR_OPS_ROWS_H

#include "ir/op.h"

/* The rows that are built in, by their numbers. Other tables that are made when the library is built
 * point into it. */
extern const inlay_op inlay_op_table[];

/* The row of OpenVINO's specification TYPE-VERSION (exact spelling), or NULL. */
const inlay_op *inlay_op_of_spec(const inlay_op_set *ops, const char *type, int version);
/* The rows for TYPE (any letter case), of whatever version and set, as many as there is ROOM for;
 * how many there are. */
size_t inlay_op_of_type(const inlay_op_set *ops, const char *type, const inlay_op **rows,
                        size_t room);

#endif
