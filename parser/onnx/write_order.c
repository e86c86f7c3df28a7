/* The order of nodes and initializers in the file: that in which a reader of the file finds them
 * again, so that a file that is read and written again stays as it is. Nodes stand as a walk from
 * the outputs leaves them, operand by operand, as in the canonical order (ir/graph/order.c);
 * initializers in the order of their first use. */
#include "parser/onnx/write.h"

#include <string.h>

/* Adds what USES tells of names to the list of a node. */
typedef struct uses {
    onnx_writer *w;
    const onnx_taken *made; /* by name: 1 + the index of what it names */
    unsigned *list;         /* indices of what is used */
    size_t n, cap;
} uses;

static void use(uses *u, const char *name)
{
    const struct onnx_taken_name *slot = onnx_taken_slot(u->made, name);

    if (!slot || !slot->name)
        return;
    if (!inlay_arena_grow(u->w->a, &u->list, u->n, &u->cap, sizeof *u->list))
        onnx_out_of_memory(u->w);
    else
        u->list[u->n++] = slot->next - 1;
}

/* What P reads, and then what its bodies read of the graph around them. */
static void use_all(uses *u, const Onnx__NodeProto *p)
{
    for (size_t i = 0; i < p->n_input; i++)
        use(u, p->input[i]);
    for (size_t i = 0; i < p->n_attribute; i++) {
        const Onnx__GraphProto *body = p->attribute[i]->g;

        for (size_t k = 0; body && k < body->n_node; k++)
            use_all(u, body->node[k]);
        for (size_t k = 0; body && k < body->n_output; k++)
            use(u, body->output[k]->name);
    }
}

/* A walk over the nodes of G. Node I uses those of LIST from begin[i] to before begin[i + 1]; AT[I]
 * is the next of them to look at, 0: the node has not been visited. */
typedef struct walk {
    uses u;
    size_t *begin, *at;
    unsigned *stack;
    Onnx__NodeProto **sorted;
    size_t n_sorted;
} walk;

static void visit(walk *k, Onnx__NodeProto *const *nodes, unsigned root)
{
    size_t depth = 0;

    if (k->at[root] > 0)
        return;
    k->stack[depth++] = root;
    k->at[root] = k->begin[root] + 1;
    while (depth > 0) {
        unsigned i = k->stack[depth - 1], next;

        if (k->at[i] > k->begin[i + 1]) {
            k->sorted[k->n_sorted++] = nodes[i];
            depth--;
            continue;
        }
        next = k->u.list[k->at[i]++ - 1];
        if (k->at[next] == 0) {
            k->stack[depth++] = next;
            k->at[next] = k->begin[next] + 1;
        }
    }
}

static bool begin_walk(walk *k, onnx_writer *w, const Onnx__GraphProto *g, onnx_taken *made)
{
    size_t n = g->n_node;

    *k = (walk){.u = {.w = w, .made = made}};
    k->begin = inlay_arena_array(w->a, n + 1, sizeof *k->begin);
    k->at = inlay_arena_array(w->a, n + 1, sizeof *k->at);
    k->stack = inlay_arena_array(w->a, n + 1, sizeof *k->stack);
    k->sorted = inlay_arena_array(w->a, n + 1, sizeof(Onnx__NodeProto *));
    if (!k->begin || !k->at || !k->stack || !k->sorted)
        return onnx_out_of_memory(w);
    for (size_t i = 0; i < n && !w->failed; i++) {
        for (size_t j = 0; j < g->node[i]->n_output && !w->failed; j++) {
            struct onnx_taken_name *slot = onnx_take_name(w, made, g->node[i]->output[j]);

            if (slot)
                slot->next = (unsigned)i + 1;
        }
    }
    for (size_t i = 0; i < n && !w->failed; i++) {
        use_all(&k->u, g->node[i]);
        k->begin[i + 1] = k->u.n;
    }
    return !w->failed;
}

static void sort_nodes(onnx_writer *w, const Onnx__GraphProto *g)
{
    onnx_taken made = {0};
    walk k;

    if (!begin_walk(&k, w, g, &made))
        return;
    for (size_t i = 0; i < g->n_output; i++) {
        const struct onnx_taken_name *slot = onnx_taken_slot(&made, g->output[i]->name);

        if (slot && slot->name)
            visit(&k, g->node, slot->next - 1);
    }
    if (k.n_sorted == g->n_node)
        memcpy(g->node, k.sorted, g->n_node * sizeof(Onnx__NodeProto *));
}

static void sort_initializers(onnx_writer *w, const Onnx__GraphProto *g)
{
    size_t n = g->n_initializer, count = 0;
    Onnx__TensorProto **all = inlay_arena_array(w->a, n + 1, sizeof(Onnx__TensorProto *));
    onnx_taken made = {0};
    uses u = {.w = w, .made = &made};

    for (size_t i = 0; all && i < n && !w->failed; i++) {
        struct onnx_taken_name *slot = onnx_take_name(w, &made, g->initializer[i]->name);

        if (slot)
            slot->next = (unsigned)i + 1;
        all[i] = g->initializer[i];
    }
    for (size_t i = 0; all && i < g->n_node && !w->failed; i++)
        use_all(&u, g->node[i]);
    for (size_t i = 0; i < g->n_output && !w->failed; i++)
        use(&u, g->output[i]->name);
    if (!all || w->failed) {
        onnx_out_of_memory(w);
        return;
    }
    for (size_t i = 0; i < u.n; i++) {
        if (all[u.list[i]])
            g->initializer[count++] = all[u.list[i]];
        all[u.list[i]] = NULL;
    }
    for (size_t i = 0; i < n; i++) { /* those that only a body's own graph could know of */
        if (all[i])
            g->initializer[count++] = all[i];
    }
}

void onnx_put_in_order(onnx_writer *w, const Onnx__GraphProto *g)
{
    sort_nodes(w, g);
    if (!w->failed)
        sort_initializers(w, g);
}
