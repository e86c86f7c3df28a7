/* Aligned copies of constants that are misaligned in their file. To copy all of them when a program
 * is compiled would take as long as reading the file, so the first instance that needs a copy makes
 * it. */
#include "interp/exec/plan/aligned.h"
#include "interp/exec/plan/packed.h"
#include "ir/shared.h"

#include <stdatomic.h>
#include <stdlib.h>

struct exec_aligned {
    const graph_steps *steps;
    atomic_uint_fast64_t bytes;     /* of all copies */
    _Atomic(inlay_tensor *) list[]; /* by slot: the copy of a constant, or NULL */
};

struct exec_aligned *aligned_new(const graph_steps *s)
{
    struct exec_aligned *a =
        inlay_take(inlay_graph_budget(s->graph), 1, sizeof *a + s->n_slots * sizeof a->list[0]);

    if (!a)
        return NULL;
    a->steps = s;
    atomic_init(&a->bytes, 0);
    for (size_t i = 0; i < s->n_slots; i++)
        atomic_init(&a->list[i], NULL);
    return a;
}

void aligned_free(struct exec_aligned *a)
{
    for (size_t i = 0; a && i < a->steps->n_slots; i++)
        inlay_tensor_release(atomic_load(&a->list[i]));
    inlay_give(a);
}

/* Returns whether some kernel computes with the elements of V, which are T, rather than only moving
 * them or reading a packed form of them. */
static bool is_computed_with(const exec_plan *p, const inlay_value *v, const inlay_tensor *t)
{
    const unsigned moves = INLAY_MOVES | INLAY_VIEW | INLAY_ADOPTS | INLAY_SINK;

    for (const inlay_use *u = v->uses; u; u = u->next) {
        if (!(u->node->op->flags & moves) && !exec_reads_packed(p, u, t))
            return true;
    }
    return false;
}

static bool is_misaligned(const inlay_tensor *t)
{
    size_t size = (size_t)inlay_type_info_of(t->type)->bits / 8;

    size = size > sizeof(int64_t) ? sizeof(int64_t) : size;
    return !inlay_type_refers(t->type) && size > 1 && (uintptr_t)t->data % size != 0;
}

/* Threads that come at the same time each make a copy; the first one that is ready is kept. */
const inlay_tensor *exec_plan_const(const exec_plan *p, const inlay_node *n, const inlay_tensor *t)
{
    _Atomic(inlay_tensor *) *at = &p->aligned->list[steps_slot(p->steps, &n->out[0])];
    inlay_tensor *copy, *there = NULL;

    if (!is_misaligned(t) || !is_computed_with(p, &n->out[0], t))
        return t;
    copy = atomic_load(at);
    if (copy)
        return copy;
    copy = inlay_tensor_copy(t);
    if (!copy)
        return NULL;
    if (atomic_compare_exchange_strong(at, &there, copy)) {
        atomic_fetch_add(&p->aligned->bytes, inlay_tensor_bytes(copy));
        inlay_tensor_unload(t);
        return copy;
    }
    inlay_tensor_release(copy);
    return there;
}

uint64_t exec_plan_aligned_bytes(const exec_plan *p)
{
    uint64_t bytes = atomic_load_explicit(&p->aligned->bytes, memory_order_relaxed);

    for (size_t i = 0; i < p->n_bodies; i++)
        bytes += exec_plan_aligned_bytes(p->bodies[i]);
    return bytes;
}

uint64_t exec_plan_misaligned_bytes(const exec_plan *p)
{
    const graph_steps *s = p->steps;
    uint64_t bytes = 0;

    for (size_t i = 0; i < s->n; i++) {
        const inlay_node *n = s->list[i].node;
        const inlay_attr *a = inlay_node_is(n, INLAY_OP_CONST) ? inlay_node_attr(n, "value") : NULL;

        if (a && a->as.tensor && is_misaligned(a->as.tensor) &&
            is_computed_with(p, &n->out[0], a->as.tensor))
            bytes += inlay_tensor_bytes(a->as.tensor);
    }
    for (size_t i = 0; i < p->n_bodies; i++)
        bytes += exec_plan_misaligned_bytes(p->bodies[i]);
    return bytes;
}
