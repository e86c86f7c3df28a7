/* Complaints about notes, and what they call nodes and values. */
#include "ir/notes/notes.h"

#include <stdio.h>
#include <string.h>

char *note_node_text(const inlay_node *n, char *buf, size_t size)
{
    char op[80];

    snprintf(buf, size, "\"%.80s\" (%s)", n->name, inlay_op_text(n->op, op, sizeof op));
    return buf;
}

char *note_value_text(const inlay_value *v, char *buf, size_t size)
{
    if (v->node->n_out > 1)
        snprintf(buf, size, "\"%.80s.%d\"", v->node->name, v->index);
    else
        snprintf(buf, size, "\"%.80s\"", v->node->name);
    return buf;
}

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
