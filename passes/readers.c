/* Would the readers of a value accept another one in its place, of which more is known? A shape
 * rule may refuse what was open before. Here the shape of a Reshape becomes a constant:
 *
 *     %n = Negative(%m)           =>  a constant: [1]
 *     %s = Broadcast(%one, %n)        then this is of shape [1], and [1] itself
 *     %y = Reshape(%x, %s)            and this can be refused
 *
 * A program that reads the written file would infer the whole graph, so new facts are propagated
 * here as far as they change anything. If no rule refuses, they stay recorded, so no node is asked
 * twice about the same change. */
#include "ir/shared.h"
#include "passes/pass.h"

#include <stdlib.h>
#include <string.h>

/* Nodes that join more values than this into a list, and nodes whose bodies have more nodes than
 * this, are not asked: that would take too long for each value. */
enum { MOST_JOINED = 64, MOST_INSIDE = 2000 };

/* The fact of V before. */
struct before {
    inlay_value *v;
    inlay_fact fact;
};

struct asking {
    struct before *known; /* in the order in which they were replaced */
    size_t n_known, cap_known;
    inlay_node **queue; /* to be inferred again; may contain nodes for which nothing is new */
    size_t first, n_queue, cap_queue;
    inlay_diags *diags;
};

/* Returns LIST of N items of SIZE bytes with room for one more; NULL: out of memory, and LIST is
 * unchanged. */
static void *grown(inlay_budget *budget, void *list, size_t n, size_t *cap, size_t size,
                   inlay_diags *d)
{
    size_t more = *cap ? 2 * *cap : 16;
    void *out = n < *cap ? list : inlay_retake(budget, list, more * size);

    if (!out)
        inlay_fail_memory(d);
    else if (n == *cap)
        *cap = more;
    return out;
}

/* A rule that reads A instead of B finds nothing else. */
static bool says_the_same(const inlay_fact *a, const inlay_fact *b)
{
    return a->type == b->type && a->rank == b->rank && a->content == b->content &&
           !a->known == !b->known && inlay_dims_same_bounds(a->dims, b->dims, a->rank) &&
           (!a->known ||
            (a->n_known == b->n_known && inlay_dims_same_bounds(a->known, b->known, a->n_known)));
}

static bool is_asked(const inlay_use *u)
{
    const inlay_op *op = u->node->op;

    return !(op->flags & INLAY_STAND_IN) &&
           !(op->variadic_in && u->index >= op->n_in - 1 && u->node->n_in > MOST_JOINED);
}

/* The node that reads what U reads; for the Result of a body, the node with the body. NULL: it is
 * not asked. */
static inlay_node *reader_of(const inlay_use *u)
{
    inlay_node *owner = u->node->graph->owner;

    if (!inlay_node_is(u->node, INLAY_OP_RESULT))
        return is_asked(u) ? u->node : NULL;
    return owner && u->node->graph->n_nodes <= MOST_INSIDE ? owner : NULL;
}

static bool enqueue_readers(struct asking *a, const inlay_value *v)
{
    for (const inlay_use *u = v->uses; u; u = u->next) {
        inlay_node *n = reader_of(u), **queue;

        inlay_count_steps(v->node->graph, 1);
        if (!n)
            continue;
        queue = grown(inlay_graph_budget(v->node->graph), a->queue, a->n_queue, &a->cap_queue,
                      sizeof *queue, a->diags);
        if (!queue)
            return false;
        a->queue = queue;
        a->queue[a->n_queue++] = n;
    }
    return true;
}

static bool remember(struct asking *a, inlay_value *v)
{
    struct before *known = grown(inlay_graph_budget(v->node->graph), a->known, a->n_known,
                                 &a->cap_known, sizeof *known, a->diags);

    if (!known)
        return false;
    a->known = known;
    a->known[a->n_known++] = (struct before){v, v->fact};
    return true;
}

/* Infers N anew; if its outputs change, its readers come next. */
static bool ask(struct asking *a, inlay_node *n)
{
    size_t first = a->n_known;

    for (int i = 0; i < n->n_out; i++) {
        if (!remember(a, &n->out[i]))
            return false;
    }
    if (!inlay_check_node(n, a->diags) || !inlay_infer_node(n, a->diags))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (!says_the_same(&n->out[i].fact, &a->known[first + (size_t)i].fact) &&
            !enqueue_readers(a, &n->out[i]))
            return false;
    }
    return true;
}

/* Facts inside of bodies follow from those outside, so they are restored. */
static void take_back(struct asking *a)
{
    while (a->n_known > 0) {
        const struct before *b = &a->known[--a->n_known];
        inlay_node *n = b->v->node;

        b->v->fact = b->fact;
        n->settled = false;
        inlay_value_unsettle_readers(b->v);
    }
    for (size_t i = 0; i < a->first; i++) {
        if (a->queue[i]->n_bodies > 0)
            inlay_infer_node(a->queue[i], NULL);
    }
}

/* Lets the readers of V see the fact of BY. */
static bool pretend(struct asking *a, inlay_value *v, const inlay_value *by)
{
    if (says_the_same(&by->fact, &v->fact))
        return true;
    if (!remember(a, v))
        return false;
    v->fact = by->fact;
    inlay_value_unsettle_readers(v);
    return enqueue_readers(a, v);
}

/* Asks all nodes in the queue, and those that are added meanwhile. TAKE: no rule has refused yet.
 * OLD is the node that is replaced: if it is in a body that is inferred anew, it must keep the
 * facts that it was given for the test. */
static bool ask_all(struct asking *a, inlay_node *old, bool take)
{
    const inlay_op *op = old->op;
    inlay_op believed = *op;

    believed.flags |= INLAY_STAND_IN;
    while (take && a->first < a->n_queue) {
        inlay_node *next = a->queue[a->first++];

        old->op = next == old ? op : &believed;
        take = next->settled || ask(a, next);
    }
    old->op = op;
    if (!take)
        take_back(a);
    inlay_give(a->known);
    inlay_give(a->queue);
    return take;
}

/* Tests whether the N outputs of OLD from FIRST on may become BY. */
static bool takes(inlay_node *old, int first, int n, const inlay_value *const *by, inlay_diags *d)
{
    struct asking a = {.diags = d};
    bool take = true;

    for (int i = 0; take && i < n; i++)
        take = !by[i] || pretend(&a, &old->out[first + i], by[i]);
    return ask_all(&a, old, take);
}

/* Runs the test without its messages, except that memory ran out. */
static bool asks(inlay_node *old, int first, int n, const inlay_value *const *by, bool *take,
                 inlay_diags *d)
{
    inlay_diags *refused = inlay_diags_new();
    inlay_status status;

    *take = refused && takes(old, first, n, by, refused);
    status = refused ? inlay_diags_status(refused) : INLAY_NO_RESOURCE;
    inlay_diags_free(refused);
    return (*take && status == INLAY_OK) || status == INLAY_INVALID || inlay_fail_memory(d);
}

bool pass_readers_take_all(inlay_node *old, inlay_value *const *by, inlay_diags *d)
{
    return takes(old, 0, old->n_out, (const inlay_value *const *)by, d);
}

bool pass_ask_readers(inlay_value *old, const inlay_value *by, bool *take, inlay_diags *d)
{
    return asks(old->node, old->index, 1, &by, take, d);
}

bool pass_ask_readers_all(inlay_node *old, inlay_value *const *by, bool *take, inlay_diags *d)
{
    return asks(old, 0, old->n_out, (const inlay_value *const *)by, take, d);
}
