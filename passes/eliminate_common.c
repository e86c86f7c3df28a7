/* eliminate-common: of several nodes that compute the same from the same, the first stays.
 *
 *     a = Relu(x);  b = Relu(x)      =>      a = Relu(x), used for both
 *
 * Same means: the same row of the op table, the same attributes in force (a default that is written
 * out equals one that is not), the same operands (of a commutative operation in either order), and
 * for constants the same type, shape and bytes, NaN included. Nodes with effects, with state and
 * with bodies stay, and so does a node whose value is an output, because outputs are called by
 * names that must not change.
 */
#include "passes/pass.h"

#include <stdlib.h>
#include <string.h>

/* Nodes met so far, by hash; open addressing, a power of two large. */
struct table {
    inlay_node **slots;
    uint64_t *hashes;
    size_t size;
};

/* FNV-1a (Fowler, Noll, Vo). Equality is checked afterwards, a collision only costs time. */
static uint64_t mix(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t mix_tensor(uint64_t h, const inlay_tensor *t)
{
    int64_t n = inlay_tensor_count(t);

    h = mix(h, &t->type, sizeof t->type);
    h = mix(h, t->dims, (size_t)t->rank * sizeof *t->dims);
    if (t->type != INLAY_STRING && inlay_type_info_of(t->type)->bits >= 8 &&
        inlay_tensor_is_dense(t))
        return mix(h,
                   (const char *)t->data +
                       inlay_tensor_index(t, 0) * (inlay_type_info_of(t->type)->bits / 8),
                   n > 0 ? inlay_tensor_bytes(t) : 0);
    return h;
}

/* The attribute in force, or NULL. */
static const inlay_attr *attr_at(const inlay_node *n, int i)
{
    return inlay_node_attr(n, n->op->attrs[i].name);
}

static uint64_t hash_node(const inlay_node *n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325), sum = 0;

    h = mix(h, &n->op, sizeof n->op);
    for (int i = 0; i < n->n_in; i++) {
        uint64_t one = mix(UINT64_C(0xcbf29ce484222325), &n->in[i].value, sizeof n->in[i].value);

        if (n->op->flags & INLAY_COMMUTES)
            sum += one; /* the same in either order */
        else
            h = mix(h, &one, sizeof one);
    }
    for (int i = 0; i < n->op->n_attrs; i++) {
        const inlay_attr *a = attr_at(n, i);

        if (a && n->op->attrs[i].kind == INLAY_ATTR_TENSOR)
            h = mix_tensor(h, a->as.tensor);
        else if (a && n->op->attrs[i].kind == INLAY_ATTR_INT)
            h = mix(h, &a->as.i, sizeof a->as.i);
    }
    return mix(h, &sum, sizeof sum);
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
    if (a->op != b->op || a->n_out != b->n_out || !same_inputs(a, b))
        return false;
    for (int i = 0; i < a->op->n_attrs; i++) {
        if (!inlay_attr_equal(a->op->attrs[i].kind, attr_at(a, i), attr_at(b, i)))
            return false;
    }
    return true;
}

static bool is_pure(const inlay_node *n)
{
    return n->n_out > 0 &&
           !(n->op->flags & (INLAY_EFFECT | INLAY_SINK | INLAY_HAS_BODY | INLAY_STAND_IN));
}

static bool is_output(const inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++) {
        if (inlay_value_is_output(&n->out[i]))
            return true;
    }
    return false;
}

/* An equal node that came before N, or N's place in the table. */
static inlay_node *find_or_add(struct table *t, inlay_node *n)
{
    uint64_t h = hash_node(n);
    size_t i = (size_t)h & (t->size - 1);

    while (t->slots[i]) {
        if (t->hashes[i] == h && same_node(t->slots[i], n))
            return t->slots[i];
        i = (i + 1) & (t->size - 1);
    }
    t->slots[i] = n;
    t->hashes[i] = h;
    return NULL;
}

static bool merge(inlay_node *kept, inlay_node *n, pass_run *r)
{
    for (int i = 0; i < n->n_out; i++) {
        for (int k = 0; k < n->out[i].n_names; k++) {
            if (!inlay_value_add_name(&kept->out[i], n->out[i].names[k], r->diags))
                return false;
        }
        if (!inlay_value_replace(&n->out[i], &kept->out[i], r->diags))
            return false;
    }
    r->changes++;
    return inlay_node_remove(n, r->diags);
}

/* Would merging N give its name to the output that another node makes? */
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

        if (!is_pure(n))
            continue;
        kept = find_or_add(t, n);
        if (!kept || is_output(n) || (is_output(kept) && has_names(n)))
            continue;
        if (!merge(kept, n, r))
            return false;
    }
    return true;
}

static bool eliminate(inlay_graph *g, pass_run *r)
{
    struct table t = {.size = 64};
    inlay_order_list order;
    bool ok;

    if (!inlay_order(g, false, &order, r->diags))
        return false;
    while (t.size < order.n * 2)
        t.size *= 2;
    t.slots = calloc(t.size, sizeof(inlay_node *));
    t.hashes = calloc(t.size, sizeof *t.hashes);
    ok = t.slots && t.hashes ? merge_all(&t, &order, r) : inlay_fail_memory(r->diags);
    free(t.slots);
    free(t.hashes);
    inlay_order_free(&order);
    return ok;
}

bool pass_eliminate_common(inlay_graph *g, pass_run *r)
{
    return pass_each_graph(g, eliminate, r);
}
