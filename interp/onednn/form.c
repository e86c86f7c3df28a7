/* Where values of a chain lie, and in which layouts. */
#include "interp/onednn/make.h"

api_layout form_own(maker *m, api_layout l)
{
    if (l)
        m->c->layouts[m->c->n_layouts++] = l;
    return l;
}

api_layout form_plain(maker *m, int v)
{
    return form_own(m, api_plain(m->w->values[v].rank, m->w->values[v].dims, NULL));
}

int form_buffer(maker *m, call_root root, size_t bytes)
{
    m->c->buffers[m->c->n_buffers] = (call_buffer){.root = root, .bytes = bytes};
    return m->c->n_buffers++;
}

call_step *form_step(maker *m, dnnl_primitive_desc_t pd)
{
    call_step *s = &m->c->steps[m->c->n_steps];
    api_layout scratch = pd ? api_of(pd, dnnl_query_scratchpad_md, 0) : NULL;

    if (!pd)
        return NULL;
    *s = (call_step){.pd = pd};
    m->c->n_steps++; /* frees PD, too */
    if (dnnl_primitive_create(&s->primitive, pd) != dnnl_success)
        return NULL;
    if (scratch && api_bytes(scratch) > 0)
        form_arg(s, DNNL_ARG_SCRATCHPAD,
                 (value_form){form_buffer(m, CALL_ROOM, api_bytes(scratch)), scratch});
    return s;
}

void form_arg(call_step *s, int id, value_form f)
{
    s->args[s->n_args++] = (call_arg){id, f.buffer, f.layout};
}

static bool reorder(maker *m, value_form from, value_form to)
{
    call_step *s = form_step(m, api_reorder(m->c->engine, from.layout, to.layout));

    if (!s)
        return false;
    form_arg(s, DNNL_ARG_FROM, from);
    form_arg(s, DNNL_ARG_TO, to);
    return true;
}

static value_form outside(maker *m, int v, api_layout l)
{
    value_form f = {form_buffer(m, CALL_OUTER, 0), l};

    m->c->buffers[f.buffer].value = v;
    return f;
}

/* Sets *OUT to V as it lies. */
static bool form_now(maker *m, int v, value_form *out)
{
    if (m->form[v].buffer < 0)
        m->form[v] = outside(m, v, form_plain(m, v));
    *out = m->form[v];
    return out->layout != NULL;
}

bool form_as(maker *m, int v, api_layout l, value_form *out)
{
    value_form from;

    if (!l || !form_now(m, v, &from))
        return false;
    *out = from;
    if (api_is_same(from.layout, l))
        return true;
    *out = (value_form){form_buffer(m, CALL_ROOM, api_bytes(l)), l};
    return reorder(m, from, *out);
}

bool form_constant(maker *m, int v, api_layout from, api_layout to, value_form *out)
{
    const void *data = NULL;

    if (!from || !to)
        return false;
    if (m->store)
        data = store_take(m->store, m->c->engine, m->w->values[v].constant, from, to);
    *out = (value_form){form_buffer(m, CALL_STORE, 0), to};
    m->c->buffers[out->buffer].data = data;
    return data || !m->store;
}

bool form_result(maker *m, int v, api_layout l, value_form *out)
{
    api_layout plain = l && m->w->values[v].leaves ? form_plain(m, v) : NULL;

    if (plain && api_is_same(plain, l))
        *out = outside(m, v, l);
    else if (l)
        *out = (value_form){form_buffer(m, CALL_ROOM, api_bytes(l)), l};
    return l && (plain || !m->w->values[v].leaves);
}

bool form_made(maker *m, int v, value_form f)
{
    m->form[v] = f;
    return !m->w->values[v].leaves || m->c->buffers[f.buffer].root == CALL_OUTER ||
           reorder(m, f, outside(m, v, form_plain(m, v)));
}
