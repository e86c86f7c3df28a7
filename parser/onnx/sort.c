/* Sorts nodes topologically. ONNX requires that order in a file, but tools that append nodes to the
 * list write others:
 *
 *     b = Neg(a)        a = Cast(x)
 *     a = Cast(x)   =>  b = Neg(a)
 *     c = Abs(x)        c = Abs(x)
 *
 * Nodes are taken in the order of the file, each after the nodes that it needs. So a list that is
 * in order stays as it is. */
#include "parser/onnx/onnx.h"

enum { MAX_SAID = 8 }; /* how many nodes of a cycle its error names */

typedef struct sorter {
    onnx_scope *s;
    Onnx__NodeProto *const *nodes; /* the list without its first BASE nodes */
    size_t base, n;
    uint32_t *needs; /* which nodes a node needs; those of one node are adjacent */
    size_t n_needs, room;
    size_t *first; /* by node: the index in NEEDS of its first need; one more entry at the end */
    size_t *next;  /* by node: the index in NEEDS to look at next */
    bool *entered, *done;
    uint32_t *order, *path; /* the sorted nodes; the nodes that wait for the next one in PATH */
    size_t n_order, n_path;
    uint32_t early, late; /* the first node that precedes one that it needs, and the latter */
    const char *name;     /* the value that it needs from it */
} sorter;

/* Before a name is defined, its LINE is the index of the node that will define it, plus 1. */
static bool announce(sorter *x)
{
    for (size_t i = 0; i < x->n; i++) {
        for (size_t k = 0; k < x->nodes[i]->n_output; k++) {
            assemble_name *name = assemble_lasting_name(x->s->names, x->nodes[i]->output[k]);

            if (!name)
                return false;
            if (!name->node && !name->line && *name->text)
                name->line = (unsigned)i + 1;
        }
    }
    return true;
}

/* Notes that node I uses the value NAME. */
static bool add_need(sorter *x, size_t i, const char *text)
{
    const assemble_name *name = assemble_lasting_name(x->s->names, text);

    if (!name)
        return false;
    if (name->node || !name->line)
        return true;
    if (!inlay_arena_grow(x->s->r->a.scratch, &x->needs, x->n_needs, &x->room, sizeof *x->needs))
        return inlay_fail_memory(x->s->r->a.d);
    x->needs[x->n_needs++] = name->line - 1;
    if (name->line > i && !x->name) {
        x->early = (uint32_t)i;
        x->late = name->line - 1;
        x->name = text;
    }
    return true;
}

/* Notes that node I uses what its bodies use of the outer graph. */
static bool add_needs_of_bodies(sorter *x, size_t i)
{
    onnx_uses u = {.seen = NULL};
    bool ok = true;

    for (size_t k = 0; ok && !u.seen && k < x->nodes[i]->n_attribute; k++) {
        if (x->nodes[i]->attribute[k]->g)
            ok = onnx_uses_begin(&u, x->s) && onnx_see_bodies(&u, x->nodes[i]);
    }
    for (size_t k = 0; ok && k < u.count; k++)
        ok = add_need(x, i, u.names[k]);
    return ok;
}

static bool list_needs(sorter *x)
{
    bool ok = true;

    for (size_t i = 0; ok && i < x->n; i++) {
        x->first[i] = x->n_needs;
        for (size_t k = 0; ok && k < x->nodes[i]->n_input; k++)
            ok = add_need(x, i, x->nodes[i]->input[k]);
        ok = ok && add_needs_of_bodies(x, i);
    }
    x->first[x->n] = x->n_needs;
    return ok;
}

static void *array_of(const sorter *x, size_t count, size_t size)
{
    void *array = inlay_arena_array(x->s->r->a.scratch, count, size);

    if (!array)
        inlay_fail_memory(x->s->r->a.d);
    return array;
}

/* Describes node I in B, for a message. */
static void say_need(const sorter *x, inlay_strbuf *b, uint32_t i)
{
    const Onnx__NodeProto *p = x->nodes[i];
    bool named = p->name && *p->name;

    inlay_strbuf_printf(b, "node[%zu] %s%.100s%s(%.100s)", x->base + i, named ? "\"" : "",
                        named ? p->name : "", named ? "\" " : "", p->op_type ? p->op_type : "");
}

/* Reports the nodes of the path from AGAIN on, which need each other. */
static bool fail_cycle(const sorter *x, uint32_t again)
{
    onnx_place at = onnx_node_place(x->s, x->nodes[again], x->base + again);
    size_t begin = x->n_path, count;
    inlay_strbuf b = {0};

    onnx_enter(x->s->r, x->nodes[again]);
    if (x->path[x->n_path - 1] == again)
        return onnx_fail(x->s->r, &at, "needs its own result");

    while (x->path[--begin] != again)
        ;
    count = x->n_path - begin;
    for (size_t i = 1; i < count && i <= MAX_SAID; i++) {
        say_need(x, &b, x->path[begin + i]);
        inlay_strbuf_printf(&b,
                            i == MAX_SAID && i + 1 < count ? ", and so on to " : ", which needs ");
    }
    if (b.failed)
        inlay_fail_memory(x->s->r->a.d);
    else
        onnx_fail(x->s->r, &at, "is one of %zu node%s that need each other: it needs %sit", count,
                  inlay_plural(count, "", "s"), b.bytes);
    inlay_strbuf_free(&b);
    return false;
}

static void enter(sorter *x, uint32_t i)
{
    x->entered[i] = true;
    x->next[i] = x->first[i];
    x->path[x->n_path++] = i;
}

/* Appends node I to the order, after all nodes that it needs. */
static bool take(sorter *x, uint32_t i)
{
    enter(x, i);
    while (x->n_path > 0) {
        uint32_t at = x->path[x->n_path - 1], need;

        if (x->next[at] == x->first[at + 1]) {
            x->done[at] = true;
            x->order[x->n_order++] = at;
            x->n_path--;
            continue;
        }
        need = x->needs[x->next[at]++];
        if (!x->entered[need])
            enter(x, need);
        else if (!x->done[need])
            return fail_cycle(x, need);
    }
    return true;
}

static bool sort(sorter *x)
{
    x->next = array_of(x, x->n, sizeof *x->next);
    x->entered = array_of(x, x->n, sizeof *x->entered);
    x->done = array_of(x, x->n, sizeof *x->done);
    x->order = array_of(x, x->n, sizeof *x->order);
    x->path = array_of(x, x->n, sizeof *x->path);
    if (!x->next || !x->entered || !x->done || !x->order || !x->path)
        return false;
    for (size_t i = 0; i < x->n; i++) {
        if (!x->entered[i] && !take(x, (uint32_t)i))
            return false;
    }
    return true;
}

/* Warns, once per file. */
static void warn(const sorter *x)
{
    onnx_place at = onnx_node_place(x->s, x->nodes[x->early], x->base + x->early);
    unsigned before = onnx_enter(x->s->r, x->nodes[x->early]);

    if (!x->s->r->unsorted)
        onnx_warn(x->s->r, &at,
                  "uses \"%.200s\", which the later node[%zu] makes; the nodes are sorted", x->name,
                  x->base + x->late);
    x->s->r->unsorted = true;
    x->s->r->line = before;
}

bool onnx_sort_nodes(onnx_scope *s, Onnx__NodeProto *const *nodes, size_t base, size_t n,
                     const uint32_t **order)
{
    sorter x = {.s = s, .nodes = nodes + base, .base = base, .n = n - base};

    *order = NULL;
    if (n >= UINT32_MAX)
        return onnx_fail(s->r, s->at, "has %zu node%s", n, inlay_plural(n, "", "s"));
    x.first = array_of(&x, x.n + 1, sizeof *x.first);
    if (!x.first || !announce(&x) || !list_needs(&x))
        return false;
    if (!x.name)
        return true;
    if (!sort(&x))
        return false;
    warn(&x);
    *order = x.order;
    return true;
}
