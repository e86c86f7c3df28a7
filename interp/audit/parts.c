/* Groups that read the output of a kernel part by part, while the kernel runs (call/parts.h): what
 * they write must be nothing that the kernel still reads, nor memory of others at that time. */
#include "interp/audit/auditor.h"
#include "interp/audit/border.h"

/* The step that group F follows, or NULL after a refusal: only steps with nothing to do are
 * between. */
static const exec_step *followed(const auditor *a, const exec_fused *f)
{
    const exec_step *s = f->follows <= f->first ? &a->x->list[f->follows - 1] : NULL;
    bool ok = s && s->kind == EXEC_KERNEL && s->kernel.follower == f;

    for (size_t i = f->follows; ok && i < f->first; i++)
        ok = a->x->list[i].kind == EXEC_NOTHING;
    if (!ok)
        audit_refuse(a, "a group reads parts of what no kernel hands over", a->s->out[0]);
    return ok ? s : NULL;
}

/* Whether OP, of the operations that a kernel hands VALUE to, reads just that in its lanes of
 * parts. */
static bool lanes_fit(const auditor *a, const exec_op *op, size_t value)
{
    const exec_step *s = &a->x->list[op->step];
    bool fit = !(op->parts & 1u);

    for (int i = 0; fit && i < s->step->node->n_in && i + 1 < FUSED_LANES; i++)
        fit = ((op->parts & 2u << i) != 0) == (s->in[i] == value);
    return fit;
}

/* Whether those operations of F that the kernel may do itself are the first ones, each made of the
 * one before, and the rest are all others. */
static bool rest_fits(const auditor *a, const exec_fused *f, size_t value)
{
    const exec_fused *r = f->rest;
    bool summed = false;
    bool fits = f->begun == f->n_ops || f->begun == 0 || (r && r->n_ops == f->n_ops - f->begun);

    for (int i = 0; fits && i < f->begun; i++) {
        const exec_step *s = &a->x->list[f->ops[i].step];
        bool adds = f->ops[i].computes == ROW_ADD, elements = adds && !f->ops[i].each;

        fits = (adds ? (elements ? !summed : i == 0) && (s->in[0] == value) != (s->in[1] == value)
                     : s->in[0] == value) &&
               (adds || ((f->ops[i].computes == ROW_RELU || f->ops[i].computes == ROW_CLAMP) &&
                         i + 1 == f->begun)) &&
               (f->ops[i].reg[0] >= 0 || i + 1 == f->n_ops);
        summed = summed || elements;
        value = s->out[0];
    }
    for (int i = 0; fits && f->begun > 0 && r && i < r->n_ops; i++)
        fits = r->ops[i].step == f->ops[f->begun + i].step && lanes_fit(a, &r->ops[i], value);
    return fits;
}

/* Whether the bytes of OUT are its own from step S on, and S does not read them. */
static bool leaves_kernel(auditor *a, const exec_step *s, size_t out)
{
    const exec_instance *x = a->x;
    const exec_allocation *u = &x->allocations[x->allocations[x->allocation[out]].same];
    bool leaves = u->root != EXEC_ARENA || u->first <= exec_time((size_t)(s - x->list));

    for (int i = 0; leaves && i < s->step->node->n_in; i++)
        leaves = s->in[i] == SIZE_MAX || !is_seen(a, s->in[i]) || !tags_meet(&a->t, out, s->in[i]);
    for (size_t i = s->copy; leaves && i < s->copy + s->n_copies; i++)
        leaves = !tags_meet(&a->t, out, x->copies[i].to);
    return leaves;
}

bool parts_check(auditor *a, const exec_op *op)
{
    const exec_fused *f = a->s->fused;
    const exec_step *s = f->follows > 0 ? followed(a, f) : NULL;

    if (f->follows == 0)
        return op->parts == 0 || audit_refuse(a, "a lane of parts of nothing", a->s->out[0]);
    if (!s)
        return false;
    if (f->part_dims != 1 || f->scatter > 0 || f->n_lists > 0 || !lanes_fit(a, op, s->out[0]) ||
        !rest_fits(a, f, s->out[0]))
        return audit_refuse(a, "a group reads other parts than a kernel hands over", a->s->out[0]);
    return op->reg[0] >= 0 || leaves_kernel(a, s, a->s->out[0]) ||
           audit_refuse(a, "a group writes over what a kernel still reads", a->s->out[0]);
}
