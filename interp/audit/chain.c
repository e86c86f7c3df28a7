/* Steps that a module computes together, in any order that their operands allow: what it writes,
 * its scratch memory included, must share no byte with what any of the steps reads from outside,
 * nor with what it writes otherwise. */
#include "interp/audit/auditor.h"
#include "interp/audit/border.h"

static const exec_fused *chain_of(const auditor *a)
{
    const exec_fused *f = a->s->fused;

    if (f && f->kind == FUSED_MODULE && f->first <= a->number && a->number < f->first + f->n)
        return f;
    audit_refuse(a, "a step of a chain is none of those that it is computed with", a->s->out[0]);
    return NULL;
}

/* Whether a step of F before this one makes VALUE. */
static bool is_made(const auditor *a, const exec_fused *f, size_t value)
{
    bool made = false;

    for (size_t i = f->first; i < a->number; i++)
        made = made || (a->x->list[i].kind == EXEC_CHAIN && a->x->list[i].out[0] == value);
    return made;
}

/* Whether the module gets the address of VALUE. */
static bool is_told(const exec_fused *f, size_t value)
{
    bool told = false;

    for (int i = 0; i < f->chain->n_values; i++)
        told = told || f->chain->value[i] == value;
    return told;
}

static bool check_operand(auditor *a, const exec_fused *f, size_t value)
{
    if (border_lost(a->x, value))
        return audit_refuse(a, "an operand has lost its place at the border", value);
    if (!is_seen(a, value))
        return audit_refuse(a, "a step of a chain reads what has no place", value);
    if (is_made(a, f, value) || root_of(a, value) == EXEC_CONST)
        return true;
    if (exec_in_register(a->x, value) || !tags_hold(&a->t, value))
        return audit_refuse(a, "an operand is gone when it is read", value);
    return is_told(f, value) ||
           audit_refuse(a, "the module is not told where an operand is", value);
}

static bool is_in_memory(const auditor *a, size_t value)
{
    return is_seen(a, value) && !exec_in_register(a->x, value) && root_of(a, value) != EXEC_CONST;
}

/* Whether VALUE, which is written, shares no byte with anything else that the steps of F read or
 * write. */
static bool lies_apart(auditor *a, const exec_fused *f, size_t value)
{
    bool apart = value == f->chain->room || f->chain->room == SIZE_MAX ||
                 !tags_meet(&a->t, value, f->chain->room);

    for (size_t i = f->first; apart && i < f->first + f->n; i++) {
        const exec_step *s = &a->x->list[i];

        if (s->kind != EXEC_CHAIN)
            continue;
        for (int k = 0; apart && k < s->step->node->n_in; k++)
            apart = s->in[k] == value || !is_in_memory(a, s->in[k]) ||
                    !tags_meet(&a->t, value, s->in[k]);
        apart = apart && (s->out[0] == value || !is_in_memory(a, s->out[0]) ||
                          !tags_meet(&a->t, value, s->out[0]));
    }
    return apart || audit_refuse(a, "what a chain writes meets what it uses", value);
}

/* Marks the scratch memory as written when the first step runs. */
static bool write_room(auditor *a, const exec_fused *f)
{
    size_t room = f->chain->room;

    if (a->number != f->first || room == SIZE_MAX)
        return true;
    return lies_apart(a, f, room) &&
           (tags_write(&a->t, room) ||
            audit_refuse(a, "the memory of a chain is outside of its allocation", room));
}

bool chain_step(auditor *a)
{
    const exec_fused *f = chain_of(a);
    size_t out = a->s->out[0];
    bool ok = f && write_room(a, f);

    for (int i = 0; ok && i < node_of(a)->n_in; i++)
        ok = a->s->in[i] == SIZE_MAX || check_operand(a, f, a->s->in[i]);
    if (!ok || exec_in_register(a->x, out))
        return ok;
    if (!is_told(f, out))
        return audit_refuse(a, "the module is not told where an output is", out);
    return lies_apart(a, f, out) && write_outputs(a);
}
