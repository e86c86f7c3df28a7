/* Products with constant matrices. oneDNN has two calls for one: a product of matrices, and a
 * convolution of one place whose channels lie side by side. Both read and write the same bytes:
 *
 *     data [rows, depth]     =  data [1, depth, rows, 1], channels last
 *     matrix [depth, cols]   =  filters [cols, depth, 1, 1]
 *
 * Where oneDNN's products have no packed form of the matrix (version 2.6 has none without AVX-512),
 * they pack it in each run, but a convolution's filters are packed once. On a Zen 3 with AVX2, one
 * thread, such convolutions took 0.44 to 0.97 of the time of oneDNN's products in all of nine
 * shapes ([128,768] x [768,3072]: 6.5 ms and 14.9 ms; one row by [1024,1024]: 60 and 90 us). So a
 * product is computed as a convolution where only that has a packed form. */
#include "interp/onednn/make.h"

enum {
    MATRIX = 2,
    PLANE = 4,
    UNIT_ROWS = 8, /* rows of a part, which kernels compute together */
    UNIT_COLS = 64
};

/* A product, or some of its rows or columns. */
typedef struct product {
    int64_t rows, depth, cols;
    int64_t row, col; /* the first row and column */
    int64_t pitch;    /* columns of the whole matrix */
    bool turned;      /* the matrix is stored as [cols, depth] */
} product;

/* How a product is called. */
typedef struct way {
    int rank;
    api_layout l[API_OPERANDS]; /* the matrix in any layout */
    api_layout from;            /* its original layout */
    value_form bias;
    dnnl_primitive_desc_t pd;
} way;

static product product_of(const maker *m, const module_node *n)
{
    const module_value *x = &m->w->values[n->in[0]], *y = &m->w->values[n->out];
    product p = {.rows = 1,
                 .depth = x->dims[x->rank - 1],
                 .cols = y->dims[y->rank - 1],
                 .pitch = y->dims[y->rank - 1],
                 .turned = n->turned};

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
    const int64_t row = p->turned ? 1 : p->pitch, col = p->turned ? p->depth : 1;
    const int64_t strides[] = {row, col}, turned[] = {col, row, 1, 1};

    w->l[API_DATA] = form_own(m, api_plain(w->rank, plane ? seen : data, plane ? last : NULL));
    w->l[API_WEIGHTS] = form_own(m, api_any(w->rank, plane ? filters : matrix));
    w->l[API_RESULT] =
        form_own(m, api_plain(w->rank, plane ? filled : made, plane ? to_last : NULL));
    w->from = form_own(m, api_plain(w->rank, plane ? filters : matrix, plane ? turned : strides));
    if (!w->l[API_DATA] || !w->l[API_WEIGHTS] || !w->l[API_RESULT] || !w->from ||
        !make_bias(m, posts, plane ? 1 : MATRIX, p->col, p->cols, &w->bias))
        return false;
    w->l[API_BIAS] = posts->bias >= 0 ? w->bias.layout : NULL;
    return true;
}

/* Describes W; there is no description if oneDNN does not support it. False: out of memory. */
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

/* Returns whether W wants the matrix in a packed form, other than by rows or columns. */
static bool is_packed(maker *m, const product *p, const way *w)
{
    const int64_t dims[MODULE_ROOM] = {p->depth, p->cols}, columns[] = {1, p->depth};
    api_layout used = w->pd ? api_of(w->pd, dnnl_query_weights_md, 0) : NULL;
    api_layout by_rows = form_own(m, api_plain(MATRIX, dims, NULL)),
               by_columns = form_own(m, api_plain(MATRIX, dims, columns));

    return used && by_rows && by_columns &&
           (w->rank == PLANE || (!api_is_same(used, by_rows) && !api_is_same(used, by_columns)));
}

/* Sets *W to the better way. */
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

static api_layout packed_of(const way *w)
{
    return api_of(w->pd, dnnl_query_weights_md, 0);
}

/* Sets *W to how part P is called: in the same way as ALL. */
static bool describe_part(maker *m, const make_posts *posts, const product *p, const way *all,
                          way *w)
{
    *w = (way){.rank = all->rank};
    return describe(m, posts, p, w) && w->pd && api_is_alike(w->pd, all->pd) &&
           (p->cols < p->pitch || api_is_same(packed_of(w), packed_of(all)));
}

static void free_ways(way *w, int n)
{
    for (int i = 0; i < n; i++)
        dnnl_primitive_desc_destroy(w[i].pd);
}

/* Sets W to how parts of P, which ALL computes, are called, and LIST to these parts: ranges of
 * rows, or of columns if there is one row, so that each part of the result is contiguous. Returns
 * their number. */
static int find_parts(maker *m, const make_posts *posts, const product *p, way all, product *list,
                      way *w)
{
    const module_value y = {.rank = CUT_AXES, .dims = {1, p->cols, p->rows}};
    double cost = (double)p->rows * (double)p->cols * (double)p->depth * CUT_PRODUCT;
    bool one = p->rows == 1, ok = true;
    int n = 0;
    cut c;

    cut_find(m, &y, one ? API_PLANES : API_LAST, one ? UNIT_COLS : UNIT_ROWS, cost, &c);
    for (int i = 0; ok && c.n > 1 && i < c.n; i++) {
        const cut_part *q = &c.list[i];

        list[i] = *p;
        list[i].row = q->from[CUT_ROWS];
        list[i].rows = q->n[CUT_ROWS];
        list[i].col = q->from[CUT_CHANNELS];
        list[i].cols = q->n[CUT_CHANNELS];
        ok = describe_part(m, posts, &list[i], &all, &w[i]);
        n++;
    }
    if (ok && n > 0) {
        dnnl_primitive_desc_destroy(all.pd);
        return n;
    }
    free_ways(w, n);
    w[0] = all;
    list[0] = *p;
    return 1;
}

/* Adds the call of W, which is taken over, for part P of node N, from DATA to RESULT. */
static bool add_part(maker *m, const module_node *n, const make_posts *posts, const product *p,
                     const way *w, const value_form *data, const value_form *result, bool joins)
{
    int64_t first = p->turned ? p->col * p->depth : p->col;
    value_form in[API_OPERANDS], made = *result;

    in[API_DATA] =
        (value_form){data->buffer, w->l[API_DATA], (size_t)(p->row * p->depth) * sizeof(float)};
    in[API_BIAS] = w->bias;
    made.layout = w->l[API_RESULT];
    made.offset = (size_t)(p->row * p->pitch + p->col) * sizeof(float);
    if (!form_constant(m, n->in[1], first, w->from, form_own(m, api_copy(packed_of(w))),
                       &in[API_WEIGHTS])) {
        dnnl_primitive_desc_destroy(w->pd);
        return false;
    }
    return make_call(m, w->pd, in, posts, made, joins);
}

bool make_product(maker *m, int i)
{
    const module_node *n = &m->w->nodes[i];
    product p = product_of(m, n), list[CUT_MOST];
    value_form data, result;
    make_posts posts;
    way w, ways[CUT_MOST];
    bool ok = true;
    int parts;

    posts_find(m, i, m->w->values[n->out].rank - 1, &posts);
    if (!form_as(m, n->in[0], form_plain(m, n->in[0]), &data) ||
        !make_place(m, &posts, form_plain(m, n->out), &result) || !choose(m, &posts, &p, &w))
        return false;
    parts = find_parts(m, &posts, &p, w, list, ways);
    for (int k = 0; k < parts; k++) {
        if (ok)
            ok = add_part(m, n, &posts, &list[k], &ways[k], &data, &result, k > 0);
        else
            dnnl_primitive_desc_destroy(ways[k].pd);
    }
    return ok && form_made(m, posts.result, result);
}
