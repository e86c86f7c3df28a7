/* Complaints about notes. */
#include "ir/notes/notes.h"

#include <stdio.h>
#include <string.h>

bool note_complain(note_complaint *c, const inlay_value *v, inlay_condition broken, const char *fmt,
                   ...)
{
    size_t used;
    va_list args;

    c->bad = v;
    va_start(args, fmt);
    vsnprintf(c->text, sizeof c->text, fmt, args);
    va_end(args);
    used = strlen(c->text);
    if (broken)
        snprintf(c->text + used, sizeof c->text - used, " (%s)", inlay_condition_name(broken));
    return false;
}
