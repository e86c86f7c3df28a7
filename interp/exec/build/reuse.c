/* Results that reuse the memory of operands without a note: the result of a pointwise step
 * overwrites an operand of the same size that is read for the last time there. The two allocations
 * become one. */
#include "interp/exec/build/reuse.h"

/* For a smaller result it does not pay that addresses have to be filled in anew in each run because
 * the operand's memory varies. */
enum { LARGE_RESULT = 16 << 10 };

static exec_allocation *one_of(const exec_instance *x, size_t value)
{
    exec_allocation *u = &x->allocations[x->allocation[value]];

    while (u->same != (size_t)(u - x->allocations))
        u = &x->allocations[u->same];
    return u;
}

/* Returns the distance in bytes from the beginning of its allocation to VALUE. */
static size_t begins(const exec_instance *x, size_t value)
{
    return (size_t)((char *)x->meta[value]->data - x->allocations[x->allocation[value]].fake);
}

/* Returns whether each element of A, an operand whose memory OUT may overwrite, is read only when
 * the element of OUT at the same position is written. */
static bool reads_in_step(const exec_instance *x, size_t a, size_t out)
{
    const inlay_tensor *t = x->meta[a], *o = x->meta[out];

    return begins(x, a) == 0 && inlay_tensor_is_dense(t) && inlay_tensor_same_dims(t, o) &&
           inlay_type_info_of(t->type)->bits == inlay_type_info_of(o->type)->bits;
}

/* Returns whether the value of SLOT shares bytes with allocation V by its note. A value from an
 * earlier segment has an allocation of its own then:
 *
 *     %x = Slice(%d, %start, ...)      view of d, of any size: it has an allocation of its own
 *     a new segment begins
 *     %y = Subtract(%d, %x)            may not be written over d, though d dies here
 */
static bool stands_in(const exec_builder *b, size_t slot, const exec_allocation *v)
{
    const exec_instance *x = b->x;
    const exec_place *place = build_place(b, slot);
    bool stands = x->allocation[slot] != SIZE_MAX && one_of(x, slot) == v;

    while (!stands && place && place->kind != INLAY_FRESH) {
        stands = x->allocation[place->target] != SIZE_MAX && one_of(x, place->target) == v;
        place = place->target == slot ? NULL : build_place(b, slot = place->target);
    }
    return stands;
}

/* Returns whether S, or a step that S is fused with, may compute OUT over allocation V as far as
 * the operands of S are concerned. Rows that S selects may be anywhere, so their data may not be
 * overwritten. */
static bool leaves_room(const exec_builder *b, const exec_step *s, size_t out,
                        const exec_allocation *v)
{
    const exec_instance *x = b->x;
    bool may = true;

    for (int k = 0; may && k < s->step->node->n_in; k++) {
        size_t in = s->in[k];

        may =
            in == SIZE_MAX ||
            (x->meta[in] && (one_of(x, in) == v ? s->kind != EXEC_CHECK && reads_in_step(x, in, out)
                                                : !stands_in(b, in, v)));
    }
    return may;
}

/* Returns the step whose kernel's output group F reads part by part, or NULL. */
static const exec_step *kernel_before(const exec_instance *x, const exec_fused *f)
{
    return f && f->kind == FUSED_ROWS && f->follows > 0 ? &x->list[f->follows - 1] : NULL;
}

/* Returns whether group F may write over allocation V while the kernel runs whose output it reads
 * part by part, if there is one. */
static bool leaves_kernel(const exec_builder *b, const exec_fused *f, const exec_allocation *v)
{
    const exec_instance *x = b->x;
    const exec_step *s = kernel_before(x, f);
    bool leaves = true;

    for (int k = 0; leaves && s && k < s->step->node->n_in; k++)
        leaves = s->in[k] == SIZE_MAX ||
                 (x->meta[s->in[k]] && one_of(x, s->in[k]) != v && !stands_in(b, s->in[k], v));
    return leaves;
}

/* Returns whether output 0 of step number I may overwrite allocation V of one of its operands, or
 * of an operand of a step that it is fused with: no later step of the group may read V. */
static bool may_take(const exec_builder *b, size_t i, const exec_allocation *v)
{
    const exec_instance *x = b->x;
    const exec_fused *f = x->list[i].fused;
    size_t first = f ? f->first : i, end = f ? f->first + f->n : i + 1;
    bool may = leaves_kernel(b, f, v) && v->root == EXEC_ARENA && v->last == exec_read_time(x, i) &&
               !v->escapes && !v->handed;

    for (size_t k = first; may && k < end; k++) {
        const exec_step *s = &x->list[k];

        if (k <= i) {
            may = leaves_room(b, s, x->list[i].out[0], v);
            continue;
        }
        for (int j = 0; may && j < s->step->node->n_out; j++)
            may = x->allocation[s->out[j]] == SIZE_MAX || one_of(x, s->out[j]) != v;
        for (int j = 0; may && j < s->step->node->n_in; j++)
            may = s->in[j] == SIZE_MAX ||
                  (x->meta[s->in[j]] && one_of(x, s->in[j]) != v && !stands_in(b, s->in[j], v));
    }
    return may;
}

/* Makes output 0 of step number I overwrite an operand of step S, if it may, but not OTHER. */
static bool take_over(const exec_builder *b, const exec_step *s, size_t i,
                      const exec_allocation *other)
{
    exec_instance *x = b->x;
    exec_allocation *u = one_of(x, x->list[i].out[0]);

    for (int k = 0; k < s->step->node->n_in; k++) {
        exec_allocation *v = s->in[k] != SIZE_MAX && x->meta[s->in[k]] ? one_of(x, s->in[k]) : NULL;

        if (!v || v == u || v == other || v->bytes != u->bytes || !may_take(b, i, v) ||
            (u->escapes && (u->bytes < LARGE_RESULT || v->was != SIZE_MAX)))
            continue;
        u->same = (size_t)(v - x->allocations);
        v->last = u->last;
        v->escapes = u->escapes;
        v->slot = u->slot;
        x->list[i].zeroes = false;
        return true;
    }
    return false;
}

/* Does the same with the operands of all steps that step number I is fused with. What a kernel
 * hands over part by part is not written anywhere, so another operand comes first, as the residual
 * of a convolution does: its lines are in a cache when the result is written. */
static void take_over_fused(const exec_builder *b, size_t i)
{
    const exec_instance *x = b->x;
    const exec_fused *f = x->list[i].fused;
    const exec_step *kernel = kernel_before(x, f);
    bool done = false;

    for (int round = kernel ? 0 : 1; !done && round < 2; round++) {
        const exec_allocation *handed = round == 0 ? one_of(x, kernel->out[0]) : NULL;

        for (size_t k = f->first; !done && k <= i; k++)
            done = take_over(b, &x->list[k], i, handed);
    }
}

/* Returns whether S copies operand 0 to its output. Overwriting the operand would save that copy,
 * but only a note may allow this. */
static bool copies(const exec_instance *x, const exec_step *s)
{
    unsigned flags = s->step->node->op->flags;

    const inlay_tensor *from = x->meta[s->in[0]];

    return (flags & (INLAY_VIEW | INLAY_MOVES)) ||
           ((flags & INLAY_CONVERTS) && from && from->type == x->meta[s->out[0]]->type);
}

void build_reuse(const exec_builder *b)
{
    exec_instance *x = b->x;

    for (size_t i = 0; i < x->n; i++) {
        exec_step *s = &x->list[i];
        const inlay_node *n = s->step->node;
        const exec_allocation *u;

        if ((s->kind != EXEC_KERNEL && s->kind != EXEC_BLOCKS && s->kind != EXEC_FUSED) ||
            n->n_out != 1 || s->in_place || s->views || !(n->op->flags & INLAY_POINTWISE) ||
            copies(x, s))
            continue;
        u = &x->allocations[x->allocation[s->out[0]]];
        if (u->root != EXEC_ARENA || u->bytes == 0 || u->slot != s->out[0])
            continue;
        if (s->kind == EXEC_FUSED)
            take_over_fused(b, i);
        else if (u->first == exec_time(i))
            take_over(b, s, i, NULL);
    }
}
