/* Which nodes of two graphs correspond to each other?
 *
 * Each method looks at the nodes that the methods before it left unpaired:
 *
 *     by name        "rows" Slice                  and "rows" Slice
 *     by origin      "rows" Slice                  and "rows_2" Slice, made of "rows" by a rule
 *     by operands    Add(x, y)                     and Add(x', y'), if x' and y' are partners
 *     by readers     the producer of input 1 of z  and that of input 1 of its partner z'
 *     by name alone  "rows" Slice                  and "rows" Const, which replaced it
 *
 * Each method is one walk; equal nodes are found by their hashes. */
#include "ir/graph/pair.h"
#include "ir/base/hash.h"
#include "ir/graph/attr.h"
#include "ir/graph/compare.h"
#include "ir/graph/memory.h"
#include "ir/graph/work.h"
#include "ir/tensor/storage.h"

#include <stdlib.h>
#include <string.h>

static bool is_single(const struct pairing *p, const inlay_node *a, const inlay_node *b)
{
    return a && b && !p->of_a[a->id] && !p->of_b[b->id];
}

static void join(struct pairing *p, const inlay_node *a, const inlay_node *b)
{
    p->of_a[a->id] = b;
    p->of_b[b->id] = a;
}

static bool is_alike(const inlay_node *a, const inlay_node *b)
{
    return strcmp(a->op->name, b->op->name) == 0 && a->n_out == b->n_out;
}

bool pairing_same_value(const struct pairing *p, const inlay_value *a, const inlay_value *b)
{
    if (!a || !b)
        return !a && !b;
    return p->of_a[a->node->id] == b->node && a->index == b->index;
}

static const char *name_of(const inlay_node *n)
{
    return n->name;
}

/* The node from which N was made, if the graph was rewritten or both were made from one file; or
 * NULL. */
static const char *origin_of(const inlay_node *n)
{
    return inlay_node_provenance(n).name;
}

/* Pairs nodes of B and A for which NAME gives the same name. ALIKE: only nodes of the same
 * operation. */
static void pair_by(struct pairing *p, const char *(*name)(const inlay_node *), bool alike)
{
    for (size_t i = 0; i < p->order_b.n; i++) {
        const inlay_node *b = p->order_b.nodes[i];
        const inlay_node *a = name(b) ? inlay_graph_node(p->a, name(b)) : NULL;

        inlay_count_node(b);
        if (is_single(p, a, b) && (!alike || is_alike(a, b)))
            join(p, a, b);
    }
}

/* A node of A without a partner, and the hash of what it computes. Those with one hash are
 * adjacent, in canonical order; the first of them knows from which one on some have no partner yet.
 */
struct entry {
    uint64_t hash;
    const inlay_node *node;
    size_t place, next; /* PLACE: position in the canonical order */
};

static uint64_t hash_constant(const inlay_node *n)
{
    const inlay_attr *value = inlay_node_attr(n, "value");
    const inlay_tensor *t = value ? value->as.tensor : NULL;
    int64_t count = t ? inlay_tensor_count(t) : 0;

    return t ? inlay_tensor_hash(t, 0, count < 64 ? count : 64) : 0;
}

/* A hash of what N computes, in terms of values of A. OF_B: N is of B; NULL: of A. *KNOWN is false
 * if an operand in B has no partner. */
static uint64_t hash_node(const inlay_node *n, const inlay_node *const *of_b, bool *known)
{
    uint64_t h = inlay_hash(n->op->name, strlen(n->op->name));

    *known = true;
    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const inlay_node *from = !v ? NULL : of_b ? of_b[v->node->id] : v->node;

        *known = *known && (!v || from);
        h = inlay_hash_join(h, from ? (uint64_t)from->id << 16 | (uint64_t)v->index : UINT64_MAX);
    }
    for (int i = 0; i < n->op->n_attrs; i++)
        h = inlay_hash_join(h, inlay_attr_hash(n->op->attrs[i].kind, inlay_node_attr_at(n, i)));
    return inlay_node_is(n, INLAY_OP_CONST) ? inlay_hash_join(h, hash_constant(n)) : h;
}

static int by_hash(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Fills TABLE, which has room for all nodes of A; returns the number of entries. */
static size_t list_singles(const struct pairing *p, struct entry *table)
{
    size_t n = 0;
    bool known;

    for (size_t i = 0; i < p->order_a.n; i++) {
        const inlay_node *a = p->order_a.nodes[i];

        if (!p->of_a[a->id])
            table[n++] = (struct entry){hash_node(a, NULL, &known), a, i, 0};
    }
    if (n > 1)
        qsort(table, n, sizeof *table, by_hash);
    for (size_t i = 0; i < n; i++)
        table[i].next = i;
    return n;
}

static size_t first_of(const struct entry *table, size_t n, uint64_t hash)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (table[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool computes_same(const struct pairing *p, const inlay_node *a, const inlay_node *b)
{
    if (!compare_ops(a->op, b->op) || a->n_in != b->n_in || a->n_out != b->n_out ||
        !inlay_node_same_attrs(a, b, NULL))
        return false;
    for (int i = 0; i < a->n_in; i++) {
        if (!pairing_same_value(p, a->in[i].value, b->in[i].value))
            return false;
    }
    return true;
}

/* Finds B's partner among the entries of TABLE that begin at FIRST. */
static void pair_with_equal(struct pairing *p, struct entry *table, size_t n, size_t first,
                            const inlay_node *b)
{
    uint64_t hash = table[first].hash;
    size_t i = table[first].next;

    while (i < n && table[i].hash == hash && p->of_a[table[i].node->id])
        i++;
    table[first].next = i;
    for (; i < n && table[i].hash == hash; i++) {
        inlay_count_node(b);
        if (is_single(p, table[i].node, b) && computes_same(p, table[i].node, b)) {
            join(p, table[i].node, b);
            return;
        }
    }
}

/* Operands come before their readers, so one walk finds whole chains. */
static bool pair_by_operands(struct pairing *p, inlay_diags *d)
{
    struct entry *table =
        inlay_take_raw(inlay_graph_budget(p->a), (p->order_a.n + 1) * sizeof *table);
    size_t n;

    if (!table)
        return inlay_fail_memory(d);
    n = list_singles(p, table);
    for (size_t i = 0; i < p->order_b.n; i++) {
        const inlay_node *b = p->order_b.nodes[i];
        bool known;
        uint64_t hash = p->of_b[b->id] ? 0 : hash_node(b, p->of_b, &known);
        size_t first = p->of_b[b->id] || !known ? n : first_of(table, n, hash);

        if (first < n && table[first].hash == hash)
            pair_with_equal(p, table, n, first, b);
    }
    inlay_give(table);
    return true;
}

static void pair_operands(struct pairing *p, const inlay_node *a, const inlay_node *b)
{
    for (int i = 0; i < a->n_in && i < b->n_in; i++) {
        const inlay_value *x = a->in[i].value, *y = b->in[i].value;

        if (x && y && x->index == y->index && is_single(p, x->node, y->node) &&
            is_alike(x->node, y->node))
            join(p, x->node, y->node);
    }
}

static void pair_by_readers(struct pairing *p)
{
    for (size_t i = p->order_b.n; i-- > 0;) {
        const inlay_node *b = p->order_b.nodes[i];

        inlay_count_node(b);
        if (p->of_b[b->id])
            pair_operands(p, p->of_b[b->id], b);
    }
}

bool pairing_make(const inlay_graph *a, const inlay_graph *b, struct pairing *p, inlay_diags *d)
{
    *p = (struct pairing){.a = a, .b = b};
    p->of_a = inlay_take(inlay_graph_budget(a), (size_t)a->next_id + 1, sizeof *p->of_a);
    p->of_b = inlay_take(inlay_graph_budget(a), (size_t)b->next_id + 1, sizeof *p->of_b);
    if (!p->of_a || !p->of_b)
        return inlay_fail_memory(d);
    if (!inlay_order(a, true, &p->order_a, d) || !inlay_order(b, true, &p->order_b, d))
        return false;
    pair_by(p, name_of, true);
    pair_by(p, origin_of, true);
    if (!pair_by_operands(p, d))
        return false;
    pair_by_readers(p);
    pair_by(p, name_of, false);
    return true;
}

void pairing_free(struct pairing *p)
{
    inlay_order_free(&p->order_a);
    inlay_order_free(&p->order_b);
    inlay_give(p->of_a);
    inlay_give(p->of_b);
}
