/* Operations of a model that are not in the table, and constants without their bytes: what
 * --allow-unknown accepts. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Recursive; readers limit the depth of bodies. */
static size_t count_nodes(const inlay_graph *g)
{
    size_t n = 0;

    for (const inlay_node *node = g->first; node; node = node->next) {
        n += (node->op->flags & INLAY_STAND_IN) != 0;
        for (int i = 0; i < node->n_bodies; i++)
            n += count_nodes(node->bodies[i].graph);
    }
    return n;
}

static void take_nodes(const inlay_graph *g, cli_unknown *list, size_t *n)
{
    for (const inlay_node *node = g->first; node; node = node->next) {
        if (node->op->flags & INLAY_STAND_IN) {
            list[*n] =
                (cli_unknown){node->op->name, node->op->written, 1, node->name, node->line, *n};
            (*n)++;
        }
        for (int i = 0; i < node->n_bodies; i++)
            take_nodes(node->bodies[i].graph, list, n);
    }
}

static int by_kind(const cli_unknown *a, const cli_unknown *b)
{
    int type = strcmp(a->type, b->type);

    return type ? type : strcmp(a->version, b->version);
}

static int by_kind_and_place(const void *a, const void *b)
{
    const cli_unknown *x = a, *y = b;
    int kind = by_kind(x, y), line = (x->line > y->line) - (x->line < y->line);

    if (kind || line)
        return kind ? kind : line;
    return (x->place > y->place) - (x->place < y->place);
}

bool cli_find_unknown(const inlay_graph *g, cli_unknown **list, size_t *n, inlay_diags *d)
{
    size_t all = count_nodes(g), taken = 0;
    cli_unknown *l = *list = malloc((all + 1) * sizeof *l);

    *n = 0;
    if (!l)
        return inlay_fail_memory(d);
    take_nodes(g, l, &taken);
    qsort(l, taken, sizeof *l, by_kind_and_place);
    for (size_t i = 0; i < taken; i++) {
        if (*n > 0 && by_kind(&l[*n - 1], &l[i]) == 0)
            l[*n - 1].count++;
        else
            l[(*n)++] = l[i];
    }
    return true;
}

bool cli_is_missing_const(const cli_unknown *u)
{
    return strcmp(u->type, "Const") == 0;
}

char *cli_unknown_text(const cli_unknown *u, char *buf, size_t size)
{
    snprintf(buf, size, "%s%s%s", u->type, *u->version ? " of " : "", u->version);
    return buf;
}

char *cli_unknown_place(const cli_unknown *u, char *buf, size_t size)
{
    if (u->line > 0)
        snprintf(buf, size, "line %u", u->line);
    else
        snprintf(buf, size, "node \"%s\"", u->node);
    return buf;
}

static void name_kinds(FILE *f, const cli_unknown *list, size_t n)
{
    const char *between = "";

    for (size_t i = 0; i < n; i++) {
        const cli_unknown *u = &list[i];
        char op[160], place[160];

        if (cli_is_missing_const(u))
            continue;
        fprintf(f, "%s%s (", between, cli_unknown_text(u, op, sizeof op));
        if (u->count > 1)
            fprintf(f, "%zu time%s, first on ", u->count, inlay_plural(u->count, "", "s"));
        fprintf(f, "%s)", cli_unknown_place(u, place, sizeof place));
        between = ", ";
    }
}

/* Reports all such operations, after the reader's own error, which names only the first. */
static void fail_kinds(const char *path, const cli_unknown *list, size_t n, inlay_diags *d)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);

    if (f)
        name_kinds(f, list, n);
    if (f && fclose(f) == 0 && text && *text)
        inlay_fail(d, &(inlay_pos){path, 0},
                   "Inlay does not know these operations: %s; `inlay info --allow-unknown` shows "
                   "the rest of the model",
                   text);
    free(text);
}

void cli_name_unknown(const char *path, const inlay_read_options *o, inlay_diags *d)
{
    inlay_read_options again = *o;
    inlay_diags *unsaid = inlay_diags_new();
    inlay_graph *g = NULL;
    cli_unknown *list = NULL;
    struct stat s;
    size_t n;

    again.allow_unknown = true;
    if (unsaid && !o->allow_unknown && stat(path, &s) == 0 && S_ISREG(s.st_mode))
        g = inlay_read_file(path, &again, unsaid);
    if (g && cli_find_unknown(g, &list, &n, unsaid))
        fail_kinds(path, list, n, d);
    free(list);
    inlay_graph_free(g);
    inlay_diags_free(unsaid);
}
