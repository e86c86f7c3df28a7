/* The passes of a run, and what an application of a pass or a rule did. */
#include "cli/bisect.h"

#include <stdlib.h>
#include <string.h>

bool bisect_add_pass(bisect *b, const char *name, size_t n, inlay_diags *d)
{
    char **grown = realloc(b->passes, (b->n_passes + 1) * sizeof *grown);

    if (!grown)
        return inlay_fail_memory(d);
    b->passes = grown;
    grown[b->n_passes] = strndup(name, n);
    return grown[b->n_passes++] || inlay_fail_memory(d);
}

void bisect_forget_passes(bisect *b)
{
    for (size_t i = 0; i < b->n_passes; i++)
        free(b->passes[i]);
    free(b->passes);
    b->passes = NULL;
    b->n_passes = 0;
}

void bisect_free_found(bisect_found *f)
{
    free(f->pass);
    free(f->rule);
    free(f->rule_name);
    free(f->at);
    free(f->replaced);
    free(f->made);
    *f = (bisect_found){0};
}

static void add_node(inlay_strbuf *b, const inlay_node *n)
{
    inlay_strbuf_printf(b, "%s\"%s\" (%s-%d)", b->n ? ", " : "", n->name, n->op->name,
                        n->op->version);
}

char *bisect_taken(inlay_strbuf *b)
{
    char *text = b->failed ? NULL : strdup(b->bytes ? b->bytes : "");

    inlay_strbuf_free(b);
    return text;
}

bool bisect_keep(bisect_found *f, const inlay_event *e, inlay_diags *d)
{
    const inlay_application *a = e->as.application;
    inlay_strbuf rule = {0}, at = {0}, replaced = {0}, made = {0};

    bisect_free_found(f);
    if (a->rule)
        inlay_strbuf_printf(&rule, "%s (%s:%u)", a->rule->name, a->rule->file, a->rule->line);
    add_node(&at, a->at);
    if (a->at->line > 0)
        inlay_strbuf_printf(&at, ", line %u", a->at->line);
    for (size_t i = 0; i < a->n_replaced; i++)
        add_node(&replaced, a->replaced[i]);
    for (const inlay_node *n = a->made; n; n = n->next)
        add_node(&made, n);
    *f = (bisect_found){a->serial,           strdup(e->pass),
                        bisect_taken(&rule), strdup(a->rule ? a->rule->name : ""),
                        bisect_taken(&at),   bisect_taken(&replaced),
                        bisect_taken(&made)};
    return (f->pass && f->rule && f->rule_name && f->at && f->replaced && f->made) ||
           inlay_fail_memory(d);
}
