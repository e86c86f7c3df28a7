/* Convolutions. oneDNN chooses the layouts; if threads are to share a convolution, it is made as
 * several calls that compute parts of the result, provided that oneDNN uses the same algorithm for
 * them. */
#include "interp/onednn/make.h"

#include <string.h>

/* What one call computes and reads. */
typedef struct part {
    module_node node;
    cut_part out, in;
    api_layout l[API_OPERANDS];
    size_t from, to; /* offsets of what is read and written */
    dnnl_primitive_desc_t pd;
} part;

typedef struct convolution {
    const module_node *n;
    const module_value *x, *f, *y;
    make_posts posts;
    api_layout data, result; /* of the whole values */
    int data_block, result_block;
    cut cut;
    part parts[CUT_MOST];
} convolution;

static bool own_all(const part *p, bool bias)
{
    return p->l[API_DATA] && p->l[API_WEIGHTS] && p->l[API_RESULT] && (p->l[API_BIAS] || !bias);
}

/* Describes P, with the layouts that were chosen for its data and result. */
static bool describe(maker *m, const convolution *c, part *p)
{
    int64_t filters[MODULE_ROOM], channels[MODULE_ROOM] = {p->out.n[CUT_CHANNELS]};

    memcpy(filters, c->f->dims, sizeof filters);
    filters[0] = c->n->groups > 1 ? p->node.groups : p->out.n[CUT_CHANNELS];
    p->l[API_WEIGHTS] = form_own(m, api_any(c->f->rank, filters));
    p->l[API_BIAS] = c->posts.bias >= 0 ? form_own(m, api_plain(1, channels, NULL)) : NULL;
    p->pd = own_all(p, c->posts.bias >= 0)
                ? api_convolution(m->c->engine, &p->node, p->l, &c->posts.posts)
                : NULL;
    return p->pd != NULL;
}

/* Describes all of C as one part, which chooses the layouts. */
static bool describe_whole(maker *m, convolution *c, part *p)
{
    p->node = *c->n;
    p->out = c->cut.list[0];
    p->l[API_DATA] = form_own(m, api_any(c->x->rank, c->x->dims));
    p->l[API_RESULT] = form_own(m, api_any(c->y->rank, c->y->dims));
    if (!describe(m, c, p))
        return false;
    c->data = form_own(m, api_copy(api_of(p->pd, dnnl_query_src_md, 0)));
    c->result = form_own(m, api_copy(api_of(p->pd, dnnl_query_dst_md, 0)));
    if (!c->data || !c->result)
        return false;
    c->data_block = api_block_of(c->data, c->x->rank, c->x->dims);
    c->result_block = api_block_of(c->result, c->y->rank, c->y->dims);
    return true;
}

/* Sets the rows that P reads: all, if P computes all. False: it reads nothing but padding. */
static bool find_rows(const convolution *c, part *p)
{
    const module_node *n = c->n;
    int64_t large = c->x->dims[CUT_ROWS],
            first = p->out.from[CUT_ROWS] * n->stride[0] - n->before[0];
    int64_t last =
        first + (p->out.n[CUT_ROWS] - 1) * n->stride[0] + (n->kernel[0] - 1) * n->dilation[0] + 1;

    if (p->out.n[CUT_ROWS] == c->y->dims[CUT_ROWS]) {
        p->in.n[CUT_ROWS] = large;
        return true;
    }
    p->node.before[0] = first < 0 ? -first : 0;
    p->node.behind[0] = last > large ? last - large : 0;
    p->in.from[CUT_ROWS] = first < 0 ? 0 : first;
    p->in.n[CUT_ROWS] = (last > large ? large : last) - p->in.from[CUT_ROWS];
    return p->in.n[CUT_ROWS] > 0;
}

static void find_channels(const convolution *c, part *p)
{
    int64_t groups = c->n->groups, made = c->y->dims[CUT_CHANNELS] / groups;
    int64_t read = c->x->dims[CUT_CHANNELS] / groups;

    p->in.from[CUT_CHANNELS] = 0;
    p->in.n[CUT_CHANNELS] = read;
    if (groups == 1)
        return;
    p->node.groups = (int)(p->out.n[CUT_CHANNELS] / made);
    p->in.from[CUT_CHANNELS] = p->out.from[CUT_CHANNELS] / made * read;
    p->in.n[CUT_CHANNELS] = p->node.groups * read;
}

/* Describes the part of C that computes OUT. */
static bool describe_part(maker *m, const convolution *c, const cut_part *out, part *p)
{
    *p = (part){.node = *c->n, .out = *out, .in = *out};
    find_channels(c, p);
    if (!find_rows(c, p) || (c->data_block > 1 && (p->in.n[CUT_CHANNELS] % c->data_block != 0 ||
                                                   p->in.from[CUT_CHANNELS] % c->data_block != 0)))
        return false;
    p->l[API_DATA] = cut_layout(m, c->x, c->data_block, &p->in, &p->from);
    p->l[API_RESULT] = cut_layout(m, c->y, c->result_block, &p->out, &p->to);
    return describe(m, c, p);
}

static void free_parts(convolution *c, int n)
{
    for (int i = 0; i < n; i++)
        dnnl_primitive_desc_destroy(c->parts[i].pd);
}

/* Returns the number of which a part's channels are a multiple: whole blocks, and whole groups. */
static int64_t unit_of(const convolution *c)
{
    int64_t block = c->result_block > 1 ? c->result_block : 1;
    int64_t group = c->y->dims[CUT_CHANNELS] / c->n->groups;

    if (c->result_block == API_LAST)
        return 1;
    if (c->n->groups == 1 || group == 1)
        return block;
    return group % block == 0 ? group : c->y->dims[CUT_CHANNELS];
}

/* Divides C among threads, if possible, instead of computing it by WHOLE. */
static void share(maker *m, convolution *c, part whole, double cost)
{
    bool ok = c->data_block != API_UNKNOWN;
    int n = 0;

    cut_find(m, c->y, c->result_block, unit_of(c), cost, &c->cut);
    for (; ok && c->cut.n > 1 && n < c->cut.n; n++)
        ok = describe_part(m, c, &c->cut.list[n], &c->parts[n]) &&
             api_is_alike(c->parts[n].pd, whole.pd);
    if (ok && c->cut.n > 1) {
        dnnl_primitive_desc_destroy(whole.pd);
        return;
    }
    free_parts(c, n);
    c->cut.n = 1;
    c->parts[0] = whole;
    c->parts[0].l[API_DATA] = c->data;
    c->parts[0].l[API_RESULT] = c->result;
}

static double cost_of(const convolution *c)
{
    double products = 1;

    for (int i = 0; i < c->y->rank; i++)
        products *= (double)c->y->dims[i];
    for (int i = c->n->groups > 1 ? 2 : 1; i < c->f->rank; i++)
        products *= (double)c->f->dims[i];
    return products * CUT_PRODUCT;
}

/* Adds the call of P, which reads DATA and writes RESULT. The call takes over P's description. */
static bool add_part(maker *m, const convolution *c, const part *p, value_form data,
                     value_form result, bool joins)
{
    int64_t first = p->out.from[CUT_CHANNELS], n = 1;
    int64_t filters[MODULE_ROOM];
    value_form in[API_OPERANDS];
    api_layout plain;

    memcpy(filters, c->f->dims, sizeof filters);
    filters[0] = c->n->groups > 1 ? p->node.groups : p->out.n[CUT_CHANNELS];
    for (int i = 1; i < c->f->rank; i++)
        n *= c->f->dims[i];
    if (c->n->groups > 1)
        first = first / (c->y->dims[CUT_CHANNELS] / c->n->groups);
    plain = form_own(m, api_plain(c->f->rank, filters, NULL));
    in[API_DATA] = (value_form){data.buffer, p->l[API_DATA], p->from};
    result = (value_form){result.buffer, p->l[API_RESULT], p->to};
    if (!form_constant(m, c->n->in[1], first * n, plain,
                       form_own(m, api_copy(api_of(p->pd, dnnl_query_weights_md, 0))),
                       &in[API_WEIGHTS]) ||
        !make_bias(m, &c->posts, 1, p->out.from[CUT_CHANNELS], p->out.n[CUT_CHANNELS],
                   &in[API_BIAS])) {
        dnnl_primitive_desc_destroy(p->pd);
        return false;
    }
    return make_call(m, p->pd, in, &c->posts, result, joins);
}

static bool add_parts(maker *m, convolution *c)
{
    value_form data, result;
    bool ok =
        form_as(m, c->n->in[0], c->data, &data) && make_place(m, &c->posts, c->result, &result);

    for (int i = 0; i < c->cut.n; i++) {
        if (ok)
            ok = add_part(m, c, &c->parts[i], data, result, i > 0);
        else
            dnnl_primitive_desc_destroy(c->parts[i].pd);
    }
    return ok && form_made(m, c->posts.result, result);
}

bool make_convolution(maker *m, int i)
{
    const module_node *n = &m->w->nodes[i];
    convolution c = {.n = n,
                     .x = &m->w->values[n->in[0]],
                     .f = &m->w->values[n->in[1]],
                     .y = &m->w->values[n->out]};
    part whole = {.pd = NULL};

    posts_find(m, i, 1, &c.posts);
    cut_find(m, c.y, API_UNKNOWN, 1, 0, &c.cut);
    if (!describe_whole(m, &c, &whole)) {
        dnnl_primitive_desc_destroy(whole.pd);
        return false;
    }
    share(m, &c, whole, cost_of(&c));
    return add_parts(m, &c);
}
