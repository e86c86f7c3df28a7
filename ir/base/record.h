/* Recording a message. Private to ir/. */
#ifndef INLAY_IR_RECORD_H
#define INLAY_IR_RECORD_H

#include "ir/diag.h"

/* Adds HEAD, with the text PREFIX and what FMT makes of ARGS, at POS (may be NULL). */
void inlay_diags_record(inlay_diags *d, inlay_diag head, const inlay_pos *pos, const char *prefix,
                        const char *fmt, va_list args);

#endif
