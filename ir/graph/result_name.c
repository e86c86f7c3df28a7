/* The name of an output: its first tensor name, else the name of the node that makes it. */
#include "ir/base/arena.h"
#include "ir/base/argument.h"
#include "ir/base/table.h"
#include "ir/graph.h"
#include "ir/graph/memory.h"
#include "ir/graph/work.h"
#include "ir/strbuf.h"

#include <stdlib.h>
#include <string.h>

/* The smallest of the names "a,b" (a comma inside a name is written \,) in OUT; false when there is
 * none. */
static bool first_written_name(const char *text, inlay_strbuf *out)
{
    inlay_strbuf name = {0};
    bool found = false;

    for (const char *p = text; !name.failed && !out->failed; p++) {
        if (*p && *p != ',') {
            p += *p == '\\' && p[1] == ',';
            inlay_strbuf_add(&name, p, 1);
            continue;
        }
        if (name.n > 0 && (!found || strcmp(name.bytes, out->bytes) < 0)) {
            out->n = 0;
            inlay_strbuf_puts(out, name.bytes);
            found = true;
        }
        name.n = 0;
        if (!*p)
            break;
    }
    out->failed |= name.failed;
    inlay_strbuf_free(&name);
    return found;
}

/* The name of output I before it is made unique; OUT is used where it must be put together. */
static const char *base_name(const inlay_graph *g, int i, inlay_strbuf *out)
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
    inlay_strbuf_printf(out, "%s.%d", v->node->name, v->index);
    return out->failed ? n->name : out->bytes;
}

/* A base name that some output has. */
struct base {
    const char *name;
    int number; /* the last one tried after it; 0: the name itself was not given yet */
    UT_hash_handle hh;
};

struct naming {
    const inlay_graph *g;
    inlay_arena *arena; /* of the names */
    const char **names; /* for each output its base name, and later its own name */
    struct base *bases; /* as many as outputs, enough for all */
    struct base **of;   /* by output */
    struct base *table;
    inlay_strbuf scratch;
};

static struct base *find_base(const struct naming *n, const char *name)
{
    struct base *found = NULL;

    inlay_count_steps(n->g, 1);
    HASH_FIND(hh, n->table, name, strlen(name), found);
    return found;
}

/* Finds the base name of output I. The text lives in the arena, or as long as the graph. */
static bool take_base(struct naming *n, int i)
{
    const char *name = base_name(n->g, i, &n->scratch);
    inlay_budget *table_budget = inlay_graph_budget(n->g);
    bool table_oom = false;

    if (name == n->scratch.bytes)
        name = inlay_arena_strdup(n->arena, name);
    if (!name || n->scratch.failed)
        return false;
    n->names[i] = name;
    n->of[i] = find_base(n, name);
    if (!n->of[i]) {
        n->of[i] = &n->bases[i];
        n->of[i]->name = name;
        HASH_ADD_KEYPTR(hh, n->table, name, strlen(name), n->of[i]);
    }
    return !table_oom;
}

/* The first output of a base name has it, the next ones _2, _3, ...; numbers that would give
 * another output's base name are passed over, so every name is given once. */
static const char *own_name(struct naming *n, struct base *b)
{
    if (b->number == 0) {
        b->number = 1;
        return b->name;
    }
    for (;;) {
        char *name = inlay_arena_printf(n->arena, "%s_%d", b->name, ++b->number);

        if (!name || !find_base(n, name))
            return name;
    }
}

static bool name_all(struct naming *n)
{
    for (int i = 0; i < n->g->n_results; i++) {
        if (!take_base(n, i))
            return false;
    }
    for (int i = 0; i < n->g->n_results; i++) {
        if (!(n->names[i] = own_name(n, n->of[i])))
            return false;
    }
    return true;
}

const char *const *inlay_result_names_in(const inlay_graph *g, inlay_arena *arena, inlay_diags *d)
{
    struct naming n = {.g = g, .arena = arena};
    size_t count = (size_t)g->n_results + 1;
    bool ok;

    n.names = inlay_arena_array(arena, count, sizeof *n.names);
    n.bases = inlay_take(inlay_graph_budget(g), count, sizeof *n.bases);
    n.of = inlay_take(inlay_graph_budget(g), count, sizeof *n.of);
    ok = n.names && n.bases && n.of && name_all(&n);
    HASH_CLEAR(hh, n.table);
    inlay_give(n.bases);
    inlay_give(n.of);
    inlay_strbuf_free(&n.scratch);
    if (ok)
        return n.names;
    inlay_fail_memory(d);
    return NULL;
}

const char *const *inlay_result_names(const inlay_graph *g, inlay_diags *d)
{
    return inlay_is_missing(g, "graph", d) ? NULL : inlay_result_names_in(g, g->arena, d);
}
