/* Makes the calls of a chain, node by node. oneDNN chooses the layouts for convolutions; other
 * nodes keep the layout of their operands. */
#include "interp/onednn/make.h"

#include <stdlib.h>
#include <string.h>

enum {
    STEPS_EACH = 6,   /* most calls for a part of a node: its own, and copies, */
    LAYOUTS_EACH = 24 /* and layouts and buffers for these */
};

static const module_value *value(const maker *m, int v)
{
    return &m->w->values[v];
}

/* Sets *RESULT to where the result of P is written if its addend is there already. */
static bool place_sum(maker *m, const make_posts *p, value_form *result)
{
    const value_form *other = &m->form[p->other];
    bool over = other->buffer >= 0 && m->uses[p->other] == 1 && !value(m, p->other)->leaves &&
                m->c->buffers[other->buffer].root == CALL_ROOM &&
                api_is_same(other->layout, result->layout) && !value(m, p->result)->leaves;
    value_form copy;

    if (over) {
        *result = *other;
        return true;
    }
    return form_result(m, p->result, result->layout, result) &&
           form_as(m, p->other, form_own(m, api_copy(result->layout)), &copy) &&
           form_copy(m, p->result, copy, *result);
}

bool make_place(maker *m, const make_posts *p, api_layout l, value_form *result)
{
    result->layout = l;
    return p->other >= 0 ? place_sum(m, p, result) : form_result(m, p->result, l, result);
}

bool make_call(maker *m, dnnl_primitive_desc_t pd, const value_form *in, const make_posts *p,
               value_form result, bool joins)
{
    static const int ids[] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS};
    call_step *s = form_step(m, pd);

    if (!s)
        return false;
    for (int i = 0; i < API_RESULT; i++) {
        if (i != API_BIAS || p->bias >= 0)
            form_arg(s, ids[i], in[i]);
    }
    form_arg(s, DNNL_ARG_DST, result);
    s->joins = joins;
    return true;
}

bool make_bias(maker *m, const make_posts *p, int rank, int64_t first, int64_t n, value_form *out)
{
    int64_t dims[MODULE_ROOM] = {n};
    api_layout l;

    if (p->bias < 0)
        return true;
    if (rank == 2) {
        dims[0] = 1;
        dims[1] = n;
    }
    l = form_own(m, api_plain(rank, dims, NULL));
    return l && form_constant(m, p->bias, first, l, l, out);
}

/* The layout of value V. */
static api_layout layout_of(maker *m, int v)
{
    return m->form[v].buffer < 0 ? form_plain(m, v) : m->form[v].layout;
}

/* Adds the pooling described by PD, which is taken over. */
static bool add_pool(maker *m, dnnl_primitive_desc_t pd, value_form from, value_form to, bool joins)
{
    call_step *s = form_step(m, pd);

    if (!s)
        return false;
    form_arg(s, DNNL_ARG_SRC, from);
    form_arg(s, DNNL_ARG_DST, to);
    s->joins = joins;
    return true;
}

/* Finds parts of the pooling N: channels and images. */
static void find_pool_parts(const maker *m, const module_node *n, int block, cut *c)
{
    const module_value *y = value(m, n->out);
    double cost = CUT_READ;

    for (int i = 0; i < y->rank; i++)
        cost *= (double)y->dims[i];
    for (int i = 0; i < n->axes; i++)
        cost *= (double)n->kernel[i];
    cut_find(m, y, block == API_LAST ? API_UNKNOWN : block, block > 1 ? block : 1, cost, c);
}

/* Adds the pooling N, described by WHOLE, which is taken over, in parts if that pays. */
static bool share_pool(maker *m, const module_node *n, dnnl_primitive_desc_t whole, value_form from,
                       value_form to)
{
    const module_value *x = value(m, n->in[0]), *y = value(m, n->out);
    int block = api_block_of(to.layout, y->rank, y->dims);
    bool ok = true;
    cut c;

    if (block != api_block_of(from.layout, x->rank, x->dims))
        block = API_UNKNOWN;
    find_pool_parts(m, n, block, &c);
    if (c.n == 1)
        return add_pool(m, whole, from, to, false);
    dnnl_primitive_desc_destroy(whole);
    for (int i = 0; ok && i < c.n; i++) {
        value_form read = {.buffer = from.buffer}, made = {.buffer = to.buffer};
        cut_part in = c.list[i];

        in.n[CUT_ROWS] = x->dims[CUT_ROWS];
        read.layout = cut_layout(m, x, block, &in, &read.offset);
        made.layout = cut_layout(m, y, block, &c.list[i], &made.offset);
        ok = read.layout && made.layout &&
             add_pool(m, api_pool(m->c->engine, n, read.layout, made.layout), read, made, i > 0);
    }
    return ok;
}

static bool make_pool(maker *m, int i)
{
    const module_node *n = &m->w->nodes[i];
    const module_value *y = value(m, n->out);
    api_layout any = form_own(m, api_any(y->rank, y->dims));
    value_form from, to;
    dnnl_primitive_desc_t pd;

    if (!any || !form_as(m, n->in[0], layout_of(m, n->in[0]), &from))
        return false;
    pd = api_pool(m->c->engine, n, from.layout, any);
    if (!pd ||
        !form_result(m, n->out, form_own(m, api_copy(api_of(pd, dnnl_query_dst_md, 0))), &to)) {
        dnnl_primitive_desc_destroy(pd);
        return false;
    }
    return share_pool(m, n, pd, from, to) && form_made(m, n->out, to);
}

/* Sets *OUT to the second operand of the sum N. */
static bool take_addend(maker *m, const module_node *n, api_layout l, value_form *out)
{
    const module_value *v = value(m, n->in[1]), *y = value(m, n->out);
    int64_t dims[MODULE_ROOM];
    api_layout plain;

    if (n->axis < 0)
        return form_as(m, n->in[1], l, out);
    for (int i = 0; i < y->rank; i++)
        dims[i] = i == n->axis ? y->dims[i] : 1;
    plain = v->constant ? form_own(m, api_plain(y->rank, dims, NULL)) : NULL;
    return plain && form_constant(m, n->in[1], 0, plain, plain, out);
}

static bool make_sum(maker *m, int i)
{
    const module_node *n = &m->w->nodes[i];
    api_layout l = layout_of(m, n->in[0]);
    value_form a, b, to;
    call_step *s;

    if (!form_as(m, n->in[0], l, &a) || !take_addend(m, n, l, &b))
        return false;
    if (!form_result(m, n->out, l, &to))
        return false;
    s = form_step(m, api_add(m->c->engine, a.layout, b.layout, to.layout, NULL));
    if (!s)
        return false;
    form_arg(s, DNNL_ARG_SRC_0, a);
    form_arg(s, DNNL_ARG_SRC_1, b);
    form_arg(s, DNNL_ARG_DST, to);
    return form_made(m, n->out, to);
}

static bool make_clamp(maker *m, int i)
{
    const module_node *n = &m->w->nodes[i];
    api_layout l = layout_of(m, n->in[0]);
    value_form from, to;
    call_step *s;

    if (!form_as(m, n->in[0], l, &from) || !form_result(m, n->out, l, &to))
        return false;
    s = form_step(m, api_clamp(m->c->engine, n, l));
    if (!s)
        return false;
    form_arg(s, DNNL_ARG_SRC, from);
    form_arg(s, DNNL_ARG_DST, to);
    return form_made(m, n->out, to);
}

static bool make_node(maker *m, int i)
{
    switch (m->w->nodes[i].kind) {
    case MODULE_CONVOLUTION:
        return make_convolution(m, i);
    case MODULE_PRODUCT:
        return make_product(m, i);
    case MODULE_MAX_POOL:
    case MODULE_MEAN_POOL:
        return make_pool(m, i);
    case MODULE_SUM:
        return make_sum(m, i);
    case MODULE_CLAMP:
        break;
    }
    return make_clamp(m, i);
}

/* Counts the reads of node I: SIGN 1 before, -1 after they are done. */
static void count_uses(maker *m, int i, int sign)
{
    const module_node *n = &m->w->nodes[i];

    for (int k = 0; k < 2; k++) {
        if (n->in[k] >= 0)
            m->uses[n->in[k]] += sign;
    }
}

/* Nodes that became part of another call are done already. */
static bool make_nodes(maker *m)
{
    bool ok = true;

    for (int i = 0; i < m->w->n_nodes; i++)
        count_uses(m, i, 1);
    for (int i = 0; ok && i < m->w->n_nodes; i++) {
        bool part = m->done[i];

        m->done[i] = true;
        ok = part || make_node(m, i);
        count_uses(m, i, -1);
    }
    return ok;
}

module_chain *make_chain(module_store *s, const module_work *w)
{
    maker m = {.store = s, .w = w};
    int n = w->n_nodes, threads = api_alone(), each = n * cut_most(w->threads);
    bool ok;

    m.c = call_chain_new(each * STEPS_EACH, each * LAYOUTS_EACH, each * LAYOUTS_EACH);
    m.form = calloc((size_t)w->n_values + 1, sizeof *m.form);
    m.uses = calloc((size_t)w->n_values + 1, sizeof *m.uses);
    m.done = calloc((size_t)n + 1, sizeof *m.done);
    ok = m.c && m.form && m.uses && m.done;
    for (int i = 0; ok && i < w->n_values; i++)
        m.form[i].buffer = -1;
    ok = ok && make_nodes(&m);
    api_not_alone(threads);
    free(m.form);
    free(m.uses);
    free(m.done);
    if (ok) {
        call_chain_layout(m.c);
        return m.c;
    }
    call_chain_free(m.c);
    return NULL;
}
