/* Messages about a node, which begin with its position and name. */
#include "ir/graph/fail.h"
#include "ir/base/record.h"
#include "ir/graph.h"

#include <stdio.h>
#include <string.h>

/* layer 17 "set" (SliceScatter-15):_ ; a long name is cut, the message is for reading. */
static const char *node_prefix(const inlay_node *n, char *buf, size_t size)
{
    char op[160];
    const char *name = n->label ? n->label : n->name;

    if (n->op->flags & INLAY_DEFERRED) /* is called like the operator that it is */
        snprintf(op, sizeof op, "%.100s-%lld", inlay_node_string(n, "operator"),
                 (long long)inlay_node_int(n, "version"));
    else
        inlay_op_text(n->op, op, sizeof op);
    if (n->place >= 0 && n->graph->place_word && strcmp(n->graph->place_word, "nodes") == 0)
        snprintf(buf, size, "nodes[%lld] \"%.200s\" (%s): ", (long long)n->place, name, op);
    else if (n->place >= 0 && n->graph->place_word)
        snprintf(buf, size, "%s %lld \"%.200s\" (%s): ", n->graph->place_word, (long long)n->place,
                 name, op);
    else
        snprintf(buf, size, "node \"%.200s\" (%s): ", name, op);
    return buf;
}

static void record_node(inlay_diags *d, inlay_diag head, const inlay_node *n, const char *fmt,
                        va_list args)
{
    inlay_pos pos = {n ? n->graph->file : head.file, n ? n->line : 0};
    char prefix[512];

    inlay_diags_record(d, head, &pos, n ? node_prefix(n, prefix, sizeof prefix) : "", fmt, args);
}

bool inlay_vfail_node(inlay_diags *d, const inlay_node *n, const char *fmt, va_list args)
{
    record_node(d, (inlay_diag){.severity = INLAY_ERROR, .status = INLAY_INVALID}, n, fmt, args);
    return false;
}

bool inlay_fail_node(inlay_diags *d, const inlay_node *n, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    inlay_vfail_node(d, n, fmt, args);
    va_end(args);
    return false;
}

void inlay_warn_node(inlay_diags *d, const inlay_node *n, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    record_node(d, (inlay_diag){.severity = INLAY_WARNING}, n, fmt, args);
    va_end(args);
}

void inlay_warn_claim(inlay_diags *d, const inlay_graph *g, const inlay_node *n, const char *fmt,
                      ...)
{
    va_list args;

    va_start(args, fmt);
    record_node(d,
                (inlay_diag){.severity = INLAY_WARNING, .status = INLAY_DIFFERENT, .file = g->file},
                n, fmt, args);
    va_end(args);
}

bool inlay_fail_resource_node(inlay_diags *d, const inlay_node *n, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    record_node(d, (inlay_diag){.severity = INLAY_ERROR, .status = INLAY_NO_RESOURCE}, n, fmt,
                args);
    va_end(args);
    return false;
}

void inlay_note_node(inlay_diags *d, const inlay_node *n, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    record_node(d, (inlay_diag){.severity = INLAY_NOTE}, n, fmt, args);
    va_end(args);
}

char *inlay_node_words(const inlay_node *n, char *buf, size_t size)
{
    char op[80];

    snprintf(buf, size, "\"%.80s\" (%s)", n->name, inlay_op_text(n->op, op, sizeof op));
    return buf;
}

char *inlay_value_words(const inlay_value *v, char *buf, size_t size)
{
    if (v->node->n_out > 1)
        snprintf(buf, size, "\"%.80s.%d\"", v->node->name, v->index);
    else
        snprintf(buf, size, "\"%.80s\"", v->node->name);
    return buf;
}
