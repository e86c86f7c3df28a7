/* Products with constant matrices. oneDNN has two calls for one: a product of matrices, and a
 * convolution of one place whose channels lie side by side. Both read and write the same bytes:
 *
 *     data [rows, depth]     =  data [1, depth, rows, 1], channels last
 *     matrix [depth, cols]   =  filters [cols, depth, 1, 1]
 *
 * Where oneDNN has no packed form of the matrix for its products (it has none without AVX-512 in
 * version 2.6) it packs the matrix in each run, a convolution's filters once for all. On a Zen 3
 * with AVX2, one thread, such convolutions took 0.44 to 0.97 of the time of oneDNN's products in
 * all of nine shapes ([128,768] x [768,3072]: 6.5 ms and 14.9 ms; one row by [1024,1024]: 60 and 90
 * us). So a product is a convolution where only that one has a packed form. */
#include "interp/onednn/make.h"

enum { MATRIX = 2, PLANE = 4 };

typedef struct product {
    int64_t rows, depth, cols;
    bool turned; /* the matrix lies as [cols, depth] */
} product;

/* How a product is called. */
typedef struct way {
    int rank;
    api_layout l[API_OPERANDS]; /* the matrix: any */
    api_layout from;            /* how it lies at first */
    value_form bias;
    dnnl_primitive_desc_t pd;
} way;

static product product_of(const maker *m, const module_node *n)
{
    const module_value *x = &m->w->values[n->in[0]], *y = &m->w->values[n->out];
    product p = {1, x->dims[x->rank - 1], y->dims[y->rank - 1], n->turned};

    for (int k = 0; k < x->rank - 1; k++)
        p.rows *= x->dims[k];
    return p;
}

/* Sets the layouts of W and its bias. */
static bool lay_out(maker *m, const make_posts *posts, const product *p, way *w)
{
    bool plane = w->rank == PLANE;
    const int64_t data[MODULE_ROOM] = {p->rows, p->depth}, made[MODULE_ROOM] = {p->rows, p->cols};
    const int64_t seen[MODULE_ROOM] = {1, p->depth, p->rows, 1},
                  filled[MODULE_ROOM] = {1, p->cols, p->rows, 1};
    const int64_t last[] = {p->rows * p->depth, 1, p->depth, p->depth},
                  to_last[] = {p->rows * p->cols, 1, p->cols, p->cols};
    const int64_t matrix[MODULE_ROOM] = {p->depth, p->cols},
                  filters[MODULE_ROOM] = {p->cols, p->depth, 1, 1};
    const int64_t row = p->turned ? 1 : p->cols, col = p->turned ? p->depth : 1;
    const int64_t strides[] = {row, col}, turned[] = {col, row, 1, 1};

    w->l[API_DATA] = form_own(m, api_plain(w->rank, plane ? seen : data, plane ? last : NULL));
    w->l[API_WEIGHTS] = form_own(m, api_any(w->rank, plane ? filters : matrix));
    w->l[API_RESULT] =
        form_own(m, api_plain(w->rank, plane ? filled : made, plane ? to_last : NULL));
    w->from = form_own(m, api_plain(w->rank, plane ? filters : matrix, plane ? turned : strides));
    if (!w->l[API_DATA] || !w->l[API_WEIGHTS] || !w->l[API_RESULT] || !w->from ||
        !make_bias(m, posts, plane ? 1 : MATRIX, p->cols, &w->bias))
        return false;
    w->l[API_BIAS] = posts->bias >= 0 ? w->bias.layout : NULL;
    return true;
}

/* Describes W; where oneDNN has nothing for it there is no description. False: out of memory. */
static bool describe(maker *m, const make_posts *posts, const product *p, way *w)
{
    static const module_node once = {
        .groups = 1, .axes = PLANE - 2, .kernel = {1, 1}, .stride = {1, 1}, .dilation = {1, 1}};

    if (!lay_out(m, posts, p, w))
        return false;
    w->pd = w->rank == PLANE ? api_convolution(m->c->engine, &once, w->l, &posts->posts)
                             : api_product(m->c->engine, w->l, &posts->posts);
    return true;
}

/* Returns whether W has a form of the matrix that is not just its rows or columns. */
static bool is_packed(maker *m, const product *p, const way *w)
{
    const int64_t dims[MODULE_ROOM] = {p->depth, p->cols}, columns[] = {1, p->depth};
    api_layout used = w->pd ? api_of(w->pd, dnnl_query_weights_md, 0) : NULL;
    api_layout by_rows = form_own(m, api_plain(MATRIX, dims, NULL)),
               by_columns = form_own(m, api_plain(MATRIX, dims, columns));

    return used && by_rows && by_columns &&
           (w->rank == PLANE || (!api_is_same(used, by_rows) && !api_is_same(used, by_columns)));
}

/* Sets *W to the way that is to be taken. */
static bool choose(maker *m, const make_posts *posts, const product *p, way *w)
{
    way other = {.rank = PLANE};

    *w = (way){.rank = MATRIX};
    if (!describe(m, posts, p, w))
        return false;
    if (is_packed(m, p, w))
        return true;
    if (describe(m, posts, p, &other) && is_packed(m, p, &other)) {
        dnnl_primitive_desc_destroy(w->pd);
        *w = other;
    }
    return w->pd != NULL;
}

bool make_product(maker *m, int i)
{
    const module_node *n = &m->w->nodes[i];
    product p = product_of(m, n);
    value_form in[API_OPERANDS], result, made;
    make_posts posts;
    way w;

    posts_find(m, i, m->w->values[n->out].rank - 1, &posts);
    if (!form_as(m, n->in[0], form_plain(m, n->in[0]), &in[API_DATA]) ||
        !make_place(m, &posts, form_plain(m, n->out), &result) || !choose(m, &posts, &p, &w))
        return false;
    in[API_DATA].layout = w.l[API_DATA];
    in[API_BIAS] = w.bias;
    made = result;
    made.layout = w.l[API_RESULT];
    if (!form_constant(m, n->in[1], w.from,
                       form_own(m, api_copy(api_of(w.pd, dnnl_query_weights_md, 0))),
                       &in[API_WEIGHTS])) {
        dnnl_primitive_desc_destroy(w.pd);
        return false;
    }
    return make_call(m, w.pd, in, &posts, made) && form_made(m, posts.result, result);
}
