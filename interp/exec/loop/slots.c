/* The slots of slots.h. */
#include "interp/exec/loop/slots.h"
#include "interp/call/kernel.h"
#include "ir/shared.h"

#include <stdlib.h>

void slots_point(inlay_tensor *t, const inlay_tensor *from, int64_t offset)
{
    int bits = inlay_type_info_of(from->type)->bits;
    int64_t at = from->offset + offset;

    t->data = bits % 8 == 0 ? (char *)from->data + at * (bits / 8) : from->data;
    t->offset = bits % 8 == 0 ? 0 : at;
    t->buffer = from->buffer;
}

inlay_tensor *slots_pointer(const inlay_tensor *t, const int64_t *dims, int64_t offset)
{
    inlay_tensor form = *t;
    inlay_tensor *p;

    form.buffer = NULL;
    p = inlay_tensor_window(&form, t->rank, dims, t->strides, 0);
    if (p)
        slots_point(p, t, offset);
    return p;
}

void slots_release_pointer(inlay_tensor *t)
{
    if (t)
        t->buffer = NULL;
    inlay_tensor_release(t);
}

static void drop(exec_slot *s)
{
    if (s->window)
        slots_release_pointer(s->t);
    else
        inlay_tensor_release(s->t);
    s->t = NULL;
}

void slots_free(exec_slots *s)
{
    for (size_t i = 0; i < s->n; i++)
        drop(&s->list[i]);
    inlay_give(s->list);
    *s = (exec_slots){0};
}

static bool same_strides(const inlay_tensor *a, const inlay_tensor *b)
{
    bool same = true;

    for (int i = 0; same && i < a->rank; i++)
        same = a->strides[i] == b->strides[i];
    return same;
}

/* Returns a free slot of this kind: one that fits, or else one whose tensor is released. */
static exec_slot *find_free(exec_slots *s, bool window, const inlay_tensor *form)
{
    exec_slot *any = NULL;

    for (size_t i = 0; i < s->n; i++) {
        exec_slot *e = &s->list[i];

        if (e->holders > 0 || e->window != window || e->lent)
            continue;
        if (e->t && tensor_same_form(e->t, form))
            return e;
        any = e->fixed ? any : e;
    }
    if (any)
        drop(any);
    return any;
}

static exec_slot *find_lent(exec_slots *s, const inlay_tensor *form)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->list[i].lent && s->list[i].holders == 0 && tensor_same_form(s->list[i].t, form))
            return &s->list[i];
    }
    return NULL;
}

static exec_slot *add(exec_slots *s, bool window, inlay_diags *d)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 4;
        exec_slot *list = inlay_retake(s->budget, s->list, cap * sizeof *list);

        if (!list) {
            inlay_fail_memory(d);
            return NULL;
        }
        s->list = list;
        s->cap = cap;
    }
    s->list[s->n] = (exec_slot){.window = window};
    return &s->list[s->n++];
}

inlay_tensor *slots_tensor_at(inlay_tensor *t, const inlay_tensor *form, char *at)
{
    inlay_buffer *buffer;

    if (t && t->data == at && tensor_same_form(t, form))
        return t;
    inlay_tensor_release(t);
    buffer = inlay_buffer_wrap(at, inlay_tensor_bytes(form), NULL, NULL);
    t = buffer ? inlay_tensor_over(buffer, at, form->type, form->rank, form->dims) : NULL;
    inlay_buffer_release(buffer);
    return t;
}

bool slots_assign(exec_slots *s, size_t k, const inlay_tensor *form, char *at)
{
    exec_slot *e = k < s->n ? &s->list[k] : add(s, false, NULL);

    if (!e)
        return false;
    if (!e->fixed)
        drop(e);
    *e = (exec_slot){.t = slots_tensor_at(e->t, form, at), .fixed = true};
    return e->t != NULL;
}

void slots_free_slot(exec_slots *s, size_t k)
{
    for (; k < s->n; k++) {
        if (s->list[k].fixed)
            drop(&s->list[k]);
        s->list[k].fixed = false;
    }
}

bool slots_lend(exec_slots *s, inlay_call *c, inlay_tensor *t)
{
    exec_slot *e = add(s, false, c->diags);

    if (!e)
        return false;
    e->t = inlay_tensor_retain(t);
    e->lent = true;
    return true;
}

void slots_return(exec_slots *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (s->list[i].lent)
            drop(&s->list[i]);
        else
            s->list[n++] = s->list[i];
    }
    s->n = n;
}

exec_slot *slots_take(exec_slots *s, const inlay_tensor *form, bool wanted, inlay_diags *d)
{
    exec_slot *e = wanted ? find_lent(s, form) : NULL;

    e = e ? e : find_free(s, false, form);
    return e ? e : add(s, false, d);
}

exec_slot *slots_take_window(exec_slots *s, inlay_call *c, const inlay_tensor *form,
                             const inlay_tensor *whole, int axis, int64_t at)
{
    exec_slot *e = find_free(s, true, form);

    e = e ? e : add(s, true, c->diags);
    if (e && e->t && !same_strides(e->t, whole))
        drop(e);
    if (e && e->t) {
        slots_point(e->t, whole, at * whole->strides[axis]);
    } else if (e) {
        e->t = slots_pointer(whole, form->dims, at * whole->strides[axis]);
        if (!e->t)
            inlay_fail_memory(c->diags);
    }
    return e && e->t ? e : NULL;
}
