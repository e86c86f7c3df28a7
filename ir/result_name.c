/* What users call an output: its first tensor name, else the name of the node that makes it. */
#include "ir/work.h"

#include <string.h>

/* The smallest of the names "a,b" (a comma inside a name is written \,) in OUT; false when there is
 * none. */
static bool first_written_name(const char *text, inlay_buf *out)
{
    inlay_buf name = {0};
    bool found = false;

    for (const char *p = text; !name.failed && !out->failed; p++) {
        if (*p && *p != ',') {
            p += *p == '\\' && p[1] == ',';
            inlay_buf_add(&name, p, 1);
            continue;
        }
        if (name.n > 0 && (!found || strcmp(name.bytes, out->bytes) < 0)) {
            out->n = 0;
            inlay_buf_puts(out, name.bytes);
            found = true;
        }
        name.n = 0;
        if (!*p)
            break;
    }
    out->failed |= name.failed;
    inlay_buf_free(&name);
    return found;
}

/* The name of output I before it is made unique; OUT is used where it must be put together. */
static const char *base_name(const inlay_graph *g, int i, inlay_buf *out)
{
    const inlay_node *n = g->results[i];
    const inlay_value *v = inlay_node_input(n, 0);

    inlay_count_steps(g, 1);
    out->n = 0;
    if (n->result_names && first_written_name(n->result_names, out))
        return out->bytes;
    if (!v)
        return n->name;
    if (v->n_names > 0)
        return v->names[0];
    if (v->node->n_out == 1)
        return v->node->name;
    inlay_buf_printf(out, "%s.%d", v->node->name, v->index);
    return out->failed ? n->name : out->bytes;
}

static bool is_base_name(const inlay_graph *g, const char *name, inlay_buf *scratch)
{
    for (int i = 0; i < g->n_results; i++) {
        if (strcmp(base_name(g, i, scratch), name) == 0)
            return true;
    }
    return false;
}

/* The outputs before RESULT that have the same base name took _2, _3, ...; numbers that would give
 * another output's base name are passed over, so every name is given once. */
static const char *numbered(const inlay_graph *g, const char *base, int before, inlay_buf *scratch)
{
    for (int number = 2;; number++) {
        char *name = inlay_arena_printf(g->arena, "%s_%d", base, number);

        if (!name || (!is_base_name(g, name, scratch) && --before == 0))
            return name;
    }
}

const char *inlay_result_name(const inlay_graph *g, int result, inlay_diags *d)
{
    inlay_buf scratch = {0};
    const char *name = inlay_arena_strdup(g->arena, base_name(g, result, &scratch));
    int before = 0;

    for (int i = 0; name && i < result; i++)
        before += strcmp(base_name(g, i, &scratch), name) == 0;
    if (name && before > 0)
        name = numbered(g, name, before, &scratch);
    if (scratch.failed)
        name = NULL;
    inlay_buf_free(&scratch);
    if (!name)
        inlay_fail_memory(d);
    return name;
}
