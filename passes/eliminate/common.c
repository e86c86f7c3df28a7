/* eliminate-common: of several nodes that compute the same, the first stays.
 *
 *     a = Relu(x);  b = Relu(x)      =>      a = Relu(x), used for both
 *
 * Same means: the same row of the op table, the same effective attributes (an explicit default
 * equals an absent one), the same operands (of a commutative operation in either order), and for
 * constants the same type, shape and bytes, NaN included. Nodes with effects and with bodies stay,
 * except ReadValues of one variable, and so does a node whose value is an output, because names of
 * outputs must not change. */
#include "ir/shared.h"
#include "passes/eliminate/constant_table.h"
#include "passes/pass.h"

#include <stdlib.h>
#include <string.h>

/* A tensor name that moves from the output of a removed node to that of the node that stays. */
struct gift {
    inlay_value *to;
    const char *name;
};

/* The nodes met so far, by hash, with open addressing; SIZE is a power of two. Constants have a
 * table of their own. */
struct table {
    inlay_node **slots;
    uint64_t *hashes;
    size_t size;
    constant_table constants;
    struct gift *gifts;
    size_t n_gifts, cap_gifts;
};

/* Several numbers that are hashed at once, which is faster than one by one. */
struct numbers {
    uint64_t x[16];
    size_t n;
};

static void add_number(struct numbers *all, uint64_t x)
{
    if (all->n == sizeof all->x / sizeof all->x[0]) {
        all->x[0] = inlay_hash(all->x, sizeof all->x);
        all->n = 1;
    }
    all->x[all->n++] = x;
}

/* Sorts the numbers of commutative operands, so that the hash is the same in either order. */
static void sort_pair(uint64_t *x)
{
    uint64_t first = x[0];

    if (first > x[1]) {
        x[0] = x[1];
        x[1] = first;
    }
}

/* Equal nodes have equal hashes. Nodes of equal hashes are compared afterwards, so a collision only
 * costs time. */
static uint64_t hash_node(const inlay_node *n)
{
    struct numbers all = {.n = 0};

    inlay_count_node(n);
    for (int i = 0; i < n->n_in; i++)
        add_number(&all, (uint64_t)(uintptr_t)n->in[i].value);
    if ((n->op->flags & INLAY_COMMUTES) && n->n_in == 2)
        sort_pair(all.x);
    add_number(&all, (uint64_t)(uintptr_t)n->op);
    for (int i = 0; i < n->op->n_attrs; i++)
        add_number(&all, inlay_attr_hash(n->op->attrs[i].kind, inlay_node_attr_at(n, i)));
    return inlay_hash(all.x, all.n * sizeof all.x[0]);
}

static bool same_inputs(const inlay_node *a, const inlay_node *b)
{
    bool same = a->n_in == b->n_in;

    for (int i = 0; same && i < a->n_in; i++)
        same = a->in[i].value == b->in[i].value;
    if (same || !(a->op->flags & INLAY_COMMUTES) || a->n_in != 2 || b->n_in != 2)
        return same;
    return a->in[0].value == b->in[1].value && a->in[1].value == b->in[0].value;
}

static bool same_node(const inlay_node *a, const inlay_node *b)
{
    return a->op == b->op && a->n_out == b->n_out && same_inputs(a, b) &&
           inlay_node_same_attrs(a, b, NULL);
}

/* Two ReadValues of a variable with the same initial value are one: the state changes only after a
 * run. */
static bool may_merge(const inlay_node *n)
{
    unsigned flags = n->op->flags & (INLAY_EFFECT | INLAY_SINK | INLAY_HAS_BODY | INLAY_STAND_IN);

    return n->n_out > 0 && (flags == 0 || inlay_node_is(n, INLAY_OP_READ_VALUE));
}

static bool is_output(const inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++) {
        if (inlay_value_is_output(&n->out[i]))
            return true;
    }
    return false;
}

/* Returns an earlier node equal to N. If there is none, adds N to the table and returns NULL. */
static inlay_node *find_or_add(struct table *t, inlay_node *n)
{
    const inlay_attr *value = inlay_node_is(n, INLAY_OP_CONST) ? inlay_node_attr(n, "value") : NULL;
    uint64_t h;
    size_t i;

    if (value)
        return constants_find(&t->constants, n, value->as.tensor);
    h = hash_node(n);
    i = (size_t)h & (t->size - 1);
    while (t->slots[i]) {
        inlay_count_steps(n->graph, 1);
        if (t->hashes[i] == h && same_node(t->slots[i], n))
            return t->slots[i];
        i = (i + 1) & (t->size - 1);
    }
    t->slots[i] = n;
    t->hashes[i] = h;
    return NULL;
}

/* Gives the tensor names of output I of N to output I of KEPT, after all nodes are merged: a value
 * keeps its names sorted, so adding them one by one would be slow. */
static bool give_names(struct table *t, const inlay_node *n, inlay_node *kept, int i)
{
    for (int k = 0; k < n->out[i].n_names; k++) {
        if (t->n_gifts == t->cap_gifts) {
            size_t cap = t->cap_gifts ? t->cap_gifts * 2 : 16;
            struct gift *grown = inlay_retake(inlay_node_budget(n), t->gifts, cap * sizeof *grown);

            if (!grown)
                return false;
            t->gifts = grown;
            t->cap_gifts = cap;
        }
        t->gifts[t->n_gifts++] = (struct gift){&kept->out[i], n->out[i].names[k]};
    }
    return true;
}

static int by_value(const void *a, const void *b)
{
    const inlay_value *x = ((const struct gift *)a)->to, *y = ((const struct gift *)b)->to;

    if (x->node->id != y->node->id)
        return x->node->id < y->node->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool hand_out_names(struct table *t, inlay_diags *d)
{
    const char **names =
        inlay_take_raw(inlay_budget_of(t->slots), (t->n_gifts + 1) * sizeof *names);
    bool ok = names || inlay_fail_memory(d);

    if (t->n_gifts > 1)
        qsort(t->gifts, t->n_gifts, sizeof *t->gifts, by_value);
    for (size_t i = 0; ok && i < t->n_gifts;) {
        inlay_value *to = t->gifts[i].to;
        int n = 0;

        for (; i < t->n_gifts && t->gifts[i].to == to; i++)
            names[n++] = t->gifts[i].name;
        ok = inlay_value_add_names(to, names, n, d);
    }
    inlay_give(names);
    return ok;
}

/* More may be known of KEPT than of N, and a shape rule may refuse that. */
static bool readers_take(inlay_node *n, inlay_node *kept, bool *take, inlay_diags *d)
{
    inlay_value **by =
        inlay_take(inlay_node_budget(n), (size_t)n->n_out + 1, sizeof(inlay_value *));
    bool ok;

    for (int i = 0; by && i < n->n_out; i++)
        by[i] = &kept->out[i];
    ok = by ? pass_ask_readers_all(n, by, take, d) : inlay_fail_memory(d);
    inlay_give(by);
    return ok;
}

static bool merge(struct table *t, inlay_node *kept, inlay_node *n, bool *done, inlay_diags *d)
{
    *done = false;
    if (!readers_take(n, kept, done, d))
        return false;
    if (!*done)
        return true;
    for (int i = 0; i < n->n_out; i++) {
        if (!give_names(t, n, kept, i))
            return inlay_fail_memory(d);
        if (!inlay_value_replace(&n->out[i], &kept->out[i], d))
            return false;
    }
    return inlay_node_remove(n, d);
}

/* Whether an output of N has tensor names, which merging would give to another node's output. */
static bool has_names(const inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].n_names > 0)
            return true;
    }
    return false;
}

static bool merge_all(struct table *t, const inlay_order_list *order, pass_run *r)
{
    for (size_t i = 0; i < order->n; i++) {
        inlay_node *n = order->nodes[i], *kept;
        bool done = false;

        if (!may_merge(n))
            continue;
        kept = find_or_add(t, n);
        if (!kept || is_output(n) || (is_output(kept) && has_names(n)))
            continue;
        if (!inlay_pass_begin(r, n))
            continue;
        if (!merge(t, kept, n, &done, r->diags) || !inlay_pass_end(r, done))
            return false;
    }
    return hand_out_names(t, r->diags);
}

static bool begin(struct table *t, const inlay_order_list *order, const inlay_graph *g)
{
    size_t constants = 0;

    for (size_t i = 0; i < order->n; i++)
        constants += inlay_node_is(order->nodes[i], INLAY_OP_CONST);
    *t = (struct table){.size = 64};
    while (t->size < (order->n - constants) * 2)
        t->size *= 2;
    t->slots = inlay_take(inlay_graph_budget(g), t->size, sizeof(inlay_node *));
    t->hashes = inlay_take(inlay_graph_budget(g), t->size, sizeof *t->hashes);
    return constants_begin(&t->constants, g, constants) && t->slots && t->hashes;
}

static void end(struct table *t)
{
    constants_free(&t->constants);
    inlay_give(t->slots);
    inlay_give(t->hashes);
    inlay_give(t->gifts);
}

bool pass_eliminate_common(inlay_graph *g, pass_run *r)
{
    inlay_order_list order;
    struct table t;
    bool ok;

    if (!inlay_order(g, false, &order, r->diags))
        return false;
    ok = begin(&t, &order, g) ? merge_all(&t, &order, r) : inlay_fail_memory(r->diags);
    end(&t);
    inlay_order_free(&order);
    return ok;
}
