/* Where values of a chain lie, and in which layouts. */
#include "interp/onednn/make.h"
#include "interp/onednn/pack.h"

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

/* Makes a buffer. */
static int add_buffer(maker *m, call_root root, size_t bytes)
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
                 (value_form){add_buffer(m, CALL_ROOM, api_bytes(scratch)), scratch, 0});
    return s;
}

void form_arg(call_step *s, int id, value_form f)
{
    s->args[s->n_args++] = (call_arg){id, f.buffer, f.layout, f.offset};
}

static bool reorder(maker *m, value_form from, value_form to, bool joins)
{
    call_step *s = form_step(m, api_reorder(m->c->engine, from.layout, to.layout));

    if (!s)
        return false;
    form_arg(s, DNNL_ARG_FROM, from);
    form_arg(s, DNNL_ARG_TO, to);
    s->joins = joins;
    return true;
}

/* Finds parts of V, which has two layouts, such that both are known for each part. */
static void find_parts(const maker *m, const module_value *v, int a, int b, cut *c)
{
    double cost = CUT_ELEMENT;
    int block = a > b ? a : b;
    bool last = a == API_LAST || b == API_LAST;

    for (int i = 0; i < v->rank; i++)
        cost *= (double)v->dims[i];
    if (a == API_UNKNOWN || b == API_UNKNOWN || (last && block > 1))
        block = API_UNKNOWN;
    cut_find(m, v, last && block != API_UNKNOWN ? API_LAST : block, block > 1 ? block : 1, cost, c);
}

bool form_copy(maker *m, int v, value_form from, value_form to)
{
    const module_value *x = &m->w->values[v];
    int a = api_block_of(from.layout, x->rank, x->dims),
        b = api_block_of(to.layout, x->rank, x->dims);
    bool ok = true;
    cut c;

    if ((a == API_UNKNOWN && pack_fills_up(from.layout)) ||
        (b == API_UNKNOWN && pack_fills_up(to.layout)))
        return false;
    find_parts(m, x, a, b, &c);
    if (c.n == 1)
        return reorder(m, from, to, false);
    for (int i = 0; ok && i < c.n; i++) {
        value_form p = {.buffer = from.buffer}, q = {.buffer = to.buffer};

        p.layout = cut_layout(m, x, a, &c.list[i], &p.offset);
        q.layout = cut_layout(m, x, b, &c.list[i], &q.offset);
        ok = p.layout && q.layout && reorder(m, p, q, i > 0);
    }
    return ok;
}

static value_form outside(maker *m, int v, api_layout l)
{
    value_form f = {add_buffer(m, CALL_OUTER, 0), l, 0};

    m->c->buffers[f.buffer].value = v;
    return f;
}

/* Sets *OUT to the present form of V. */
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
    *out = (value_form){add_buffer(m, CALL_ROOM, api_bytes(l)), l, 0};
    return form_copy(m, v, from, *out);
}

bool form_constant(maker *m, int v, int64_t first, api_layout from, api_layout to, value_form *out)
{
    const char *elements = m->w->values[v].constant;
    const void *data = NULL;

    if (!from || !to)
        return false;
    if (m->store)
        data =
            store_take(m->store, m->c->engine, elements + first * (int64_t)sizeof(float), from, to);
    *out = (value_form){add_buffer(m, CALL_STORE, 0), to, 0};
    m->c->buffers[out->buffer].data = data;
    return data || !m->store;
}

bool form_result(maker *m, int v, api_layout l, value_form *out)
{
    api_layout plain = l && m->w->values[v].leaves ? form_plain(m, v) : NULL;

    if (plain && api_is_same(plain, l))
        *out = outside(m, v, l);
    else if (l)
        *out = (value_form){add_buffer(m, CALL_ROOM, api_bytes(l)), l, 0};
    return l && (plain || !m->w->values[v].leaves);
}

bool form_made(maker *m, int v, value_form f)
{
    m->form[v] = f;
    return !m->w->values[v].leaves || m->c->buffers[f.buffer].root == CALL_OUTER ||
           form_copy(m, v, f, outside(m, v, form_plain(m, v)));
}
