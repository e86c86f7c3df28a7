/* Recording a message. For the folders of this project, not installed. */
#ifndef INLAY_IR_RECORD_H
#define INLAY_IR_RECORD_H

#include "ir/diag.h"

/* Adds HEAD with a text of PREFIX and FMT, formatted with ARGS, at POS (may be NULL). */
void inlay_diags_record(inlay_diags *d, inlay_diag head, const inlay_pos *pos, const char *prefix,
                        const char *fmt, va_list args);
/* Was "out of memory" recorded, and nothing said of what did not fit? */
bool inlay_diags_out_of_memory(const inlay_diags *d);
/* Records an error with status INLAY_NO_RESOURCE at POS (may be NULL) in place of "out of memory",
 * when memory ended at a limit that the caller knows. Always false. */
bool inlay_fail_limit(inlay_diags *d, const inlay_pos *pos, const char *fmt, ...)
    INLAY_PRINTF(3, 4);

#endif
