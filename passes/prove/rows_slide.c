/* Convolutions of real numbers are sums of products of what lies under a window and of its weights.
 * Of the window, whose attributes the rule leaves open, nothing is asked but this: along each axis
 * of a picture, functions of the size of the data and of that of the filter say how many windows
 * there are, which element of the data lies at a place of a window, and whether there is one. So it
 * is for all strides, dilations and padding, also such as is found (auto_pad), and for transposed
 * convolutions. */
#include "passes/prove/rows.h"

#include <string.h>

struct prove_sliding {
    const char *fits, *windows, *there, *hits;
};

static bool is_transposed(const prove_node *n)
{
    return strcmp(n->row->type, "ConvolutionBackpropData") == 0;
}

static bool is_grouped(const prove_node *n)
{
    return n->in[1]->rank > n->in[0]->rank;
}

/* The size of the filter along axis I of the picture. */
static const smt *filter_size(const prove_node *n, int i)
{
    return n->in[1]->dim[n->in[1]->rank - n->in[0]->rank + 2 + i];
}

/* FUNCTION of the sizes along axis I, and of AT and K if these are there. */
static const smt *of_sizes(prove_case *c, const prove_node *n, const char *function, int i,
                           const smt *at, const smt *k)
{
    const smt *args[] = {n->in[0]->dim[2 + i], filter_size(n, i), at, k};

    return smt_apply(&c->pool, function, at ? 4 : 2, args);
}

/* Those of the left side's operation are those of the right side's, which has its attributes. */
static const struct prove_sliding *slides_of(prove_case *c, prove_node *n, int rank)
{
    const prove_node *like = prove_attr_node(c, n, "strides");
    struct prove_sliding *s;

    if (n->from->n_attrs > 0 || !prove_is_open(n) || (n->right && !like->slides)) {
        prove_unknown(c, "a window of pictures that the rule does not leave as it is");
        return NULL;
    }
    if (like->slides)
        return like->slides;
    s = prove_alloc(c, PROVE_RANK * sizeof *s);
    for (int i = 0; i < rank && !c->pool.no_memory; i++)
        s[i] = (struct prove_sliding){smt_function(&c->pool, "fits", 2, false, "Bool"),
                                      smt_function(&c->pool, "windows", 2, false, "Int"),
                                      smt_function(&c->pool, "there", 4, false, "Int"),
                                      smt_function(&c->pool, "hits", 4, false, "Bool")};
    return c->pool.no_memory ? NULL : s;
}

/* The channels of the data are those of the filters; the result's. */
static const smt *check_channels(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const smt *const *w = n->in[1]->dim, *of_data = is_transposed(n) ? w[0] : w[1];

    if (is_grouped(n))
        of_data = smt_mul(p, w[0], w[2]);
    prove_must(c, n, smt_eq(p, n->in[0]->dim[1], of_data));
    return is_grouped(n) ? smt_mul(p, w[0], w[1]) : is_transposed(n) ? w[1] : w[0];
}

void prove_shape_sliding(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK];
    int rank = c->meanings.numbers == PROVE_REAL ? prove_rank(c, n->in[0]) : 0;
    bool grouped = strcmp(n->row->type, "GroupConvolution") == 0;

    if (c->meanings.numbers != PROVE_REAL)
        prove_unknown(c, "ConvolutionBackpropData has no encoding");
    else
        prove_need(c, rank >= 3 && rank <= PROVE_PICTURE && n->n_in == 2);
    if (!prove_goes_on(c))
        return;
    prove_be_of_rank(c, n->in[1], rank + grouped);
    n->slides = slides_of(c, n, rank - 2);
    if (c->cut || !n->slides)
        return;
    sizes[0] = n->in[0]->dim[0];
    sizes[1] = check_channels(c, n);
    for (int i = 0; i < rank - 2; i++) {
        prove_must(c, n, of_sizes(c, n, n->slides[i].fits, i, NULL, NULL));
        sizes[2 + i] = of_sizes(c, n, n->slides[i].windows, i, NULL, NULL);
        prove_assume(c, smt_le(&c->pool, smt_int(&c->pool, 0), sizes[2 + i]));
    }
    prove_set_sizes(c, n, 0, rank, sizes);
}

/* Which group channel AT of the result is of, and which of this group it is: OUT[0] and OUT[1]. */
static void find_group(prove_case *c, const prove_node *n, const smt *at, const smt **out)
{
    smt_pool *p = &c->pool;
    const smt *args[] = {at, n->in[1]->dim[1]}, *zero = smt_int(p, 0);
    const smt *is_channel = smt_within(p, zero, at, n->out[0].dim[1]);

    out[0] = smt_apply(p, "group_of", 2, args);
    out[1] = smt_apply(p, "in_group", 2, args);
    prove_assume(c, smt_eq(p, smt_add(p, smt_mul(p, out[0], args[1]), out[1]), at));
    for (int i = 0; i < 2; i++)
        prove_assume(c, smt_implies(p, is_channel, smt_within(p, zero, out[i], n->in[1]->dim[i])));
}

/* The place of the weights for channel AT of the result, at K of the window; and the channel of the
 * data. */
static const smt *place_of_weights(prove_case *c, const prove_node *n, const smt *at,
                                   const smt *const *k, const smt **out)
{
    smt_pool *p = &c->pool;
    int first = 2;

    out[0] = is_transposed(n) ? k[0] : at;
    out[1] = is_transposed(n) ? at : k[0];
    if (is_grouped(n)) {
        find_group(c, n, at, out);
        out[first++] = k[0];
    }
    for (int i = 0; i < n->in[0]->rank - 2; i++)
        out[first + i] = k[1 + i];
    return is_grouped(n) ? smt_add(p, smt_mul(p, out[0], n->in[1]->dim[2]), k[0]) : k[0];
}

/* The data at K of the window that makes AT, or 0. */
static const smt *under(prove_case *c, const prove_node *n, const smt *const *at,
                        const smt *const *k, const smt *channel)
{
    smt_pool *p = &c->pool;
    const smt *from[PROVE_RANK] = {at[0], channel}, *hits = smt_bool(true);

    for (int i = 0; i < n->in[0]->rank - 2; i++) {
        from[2 + i] = of_sizes(c, n, n->slides[i].there, i, at[2 + i], k[1 + i]);
        from[2 + i] = smt_ite(p, smt_eq(p, n->in[0]->dim[2 + i], smt_int(p, 1)), smt_int(p, 0),
                              from[2 + i]); /* where it hits */
        hits = smt_and(p, hits, of_sizes(c, n, n->slides[i].hits, i, at[2 + i], k[1 + i]));
    }
    return smt_ite(p, hits, prove_element(c, n->in[0], from), prove_zero(c));
}

const smt *prove_element_of_sliding(prove_case *c, const prove_node *n, int out,
                                    const smt *const *at)
{
    prove_total t = {.kind = prove_total_kind_of("ReduceSum"), .n = n->in[0]->rank - 1};
    const prove_value *w = n->in[1];
    const smt *place[PROVE_RANK], *channel;

    (void)out;
    for (int i = 0; i < n->out[0].rank; i++) {
        if (smt_is_open(at[i]))
            prove_unknown(c, "a window at every place");
    }
    if (c->unknown)
        return smt_bool(false);
    for (int i = 0; i < t.n; i++) {
        t.var[i] = smt_constant(&c->pool, "along", "Int");
        t.size[i] = i                  ? filter_size(n, i - 1)
                    : is_grouped(n)    ? w->dim[2]
                    : is_transposed(n) ? w->dim[0]
                                       : w->dim[1];
    }
    channel = place_of_weights(c, n, at[1], t.var, place);
    t.body = prove_product(c, under(c, n, at, t.var, channel), prove_element(c, w, place));
    return prove_total_of(c, t);
}

const prove_row prove_slide_rows[] = {
    {"ConvolutionBackpropData", prove_shape_sliding, prove_element_of_sliding, NULL,
     PROVE_ALONG_AXES | PROVE_HAS_PLACES | PROVE_KEEPS_RANK | PROVE_OF_PICTURES,
     " strides pads_begin pads_end dilations auto_pad output_padding "},
    {0},
};
