/* Convolutions and poolings. Their result is an uninterpreted function of the elements under a
 * window: two results are equal if the same elements, or none, lie under both windows. For two that
 * may differ, the solver is given a position in the window where they do.
 *
 * A position outside of the data is empty. In a sum an empty position counts as a zero of either
 * sign, because the sum begins with +0, which adding a zero does not change; this needs finite
 * filters. A mean that counts its padding counts a zero there. In a maximum it counts as the least
 * number.
 *
 * How many positions a window has, and whether there is a window, depends only on the padded size
 * of the data and on the window. */
#include "passes/prove/rows.h"

#include <string.h>

/* Lists that are attributes are kept behind the operands. */
enum { STRIDES, DILATIONS, BEGIN, END, KERNEL, N_LISTS };
enum { EXPLICIT, SAME_UPPER, SAME_LOWER, VALID };

static bool is(const prove_node *n, const char *type)
{
    return strcmp(n->row->type, type) == 0;
}

static bool has_filters(const prove_node *n)
{
    return is(n, "Convolution") || is(n, "GroupConvolution");
}

static const prove_value *list_of(const prove_node *n, int list)
{
    return n->in[n->from->n_in + list];
}

/* A list of N numbers that the rule calls NAME, all left open; or all of them are ALL. */
static prove_value *new_list(prove_case *c, int n, int all)
{
    const smt *ints[PROVE_RANK];

    for (int i = 0; i < n; i++)
        ints[i] = all < 0 ? smt_constant(&c->pool, "int", "Int") : smt_int(&c->pool, all);
    return prove_ints_value(c, n, ints);
}

static prove_value *list_attr(prove_case *c, const prove_node *n, const char *attr, int length)
{
    const rule_attr *a = prove_attr(n, attr);
    prove_name *name = a && a->var >= 0 ? &c->names[a->var] : NULL;

    if (!a && strcmp(attr, "dilations") == 0)
        return new_list(c, length, 1);
    if (!name) {
        prove_unknown(c, "a window of pictures that the rule does not name");
        return new_list(c, length, -1);
    }
    if (!name->value)
        name->value = new_list(c, length, -1);
    prove_need(c, name->value->n_ints == length);
    return name->value;
}

/* The lists of N, for LENGTH axes. */
static void read_lists(prove_case *c, prove_node *n, int length)
{
    static const char *const modes[] = {"explicit", "same_upper", "same_lower", "valid"};
    static const char *const names[] = {"strides", "dilations", "pads_begin", "pads_end", "kernel"};
    int mode = prove_text_attr(c, n, "auto_pad", modes, 4);

    for (int i = 0; i < N_LISTS && !c->unknown; i++) {
        bool has = i != KERNEL || !has_filters(n), pads = i == BEGIN || i == END;
        prove_value *list = has ? list_attr(c, n, names[i], length) : NULL;

        if (pads && mode != EXPLICIT)
            list = new_list(c, length, mode == VALID ? 0 : -1);
        n->in[n->n_in++] = list;
    }
}

/* The length of the window along spatial axis I. */
static const smt *kernel_of(const prove_node *n, int i)
{
    return has_filters(n) ? n->in[1]->dim[n->in[1]->rank - n->in[0]->rank + 2 + i]
                          : list_of(n, KERNEL)->ints[i];
}

static const smt *padded_size(prove_case *c, const prove_node *n, int i)
{
    return smt_add(&c->pool, smt_add(&c->pool, n->in[0]->dim[2 + i], list_of(n, BEGIN)->ints[i]),
                   list_of(n, END)->ints[i]);
}

static const smt *of_window(prove_case *c, const prove_node *n, const char *function, int i)
{
    const smt *args[] = {padded_size(c, n, i), kernel_of(n, i), list_of(n, STRIDES)->ints[i],
                         list_of(n, DILATIONS)->ints[i]};

    return smt_apply(&c->pool, function, 4, args);
}

/* Checks that the data has the filters' channels; returns the channels of the result. */
static const smt *check_channels(prove_case *c, prove_node *n)
{
    smt_pool *p = &c->pool;
    const prove_value *w = has_filters(n) ? n->in[1] : NULL;
    bool grouped = w && w->rank > n->in[0]->rank;

    if (!w)
        return n->in[0]->dim[1];
    prove_must(c, n,
               smt_eq(p, n->in[0]->dim[1], grouped ? smt_mul(p, w->dim[0], w->dim[2]) : w->dim[1]));
    return grouped ? smt_mul(p, w->dim[0], w->dim[1]) : w->dim[0];
}

static void shape_picture(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]);

    if (c->meanings.numbers == PROVE_REAL && has_filters(n)) {
        prove_shape_sliding(c, n);
        return;
    }
    prove_need(c, rank >= 3 && rank <= PROVE_PICTURE);
    if (c->cut)
        return;
    if (has_filters(n))
        prove_be_of_rank(c, n->in[1], rank + is(n, "GroupConvolution"));
    read_lists(c, n, rank - 2);
    if (!prove_goes_on(c))
        return;
    n->form = is(n, "AvgPool") && prove_flag_attr(c, n, "exclude-pad");
    sizes[0] = n->in[0]->dim[0];
    sizes[1] = check_channels(c, n);
    for (int i = 0; i < rank - 2; i++) {
        prove_must(c, n, of_window(c, n, "window_fits", i));
        sizes[2 + i] = of_window(c, n, "windows", i);
        prove_assume(c, smt_le(&c->pool, smt_int(&c->pool, 0), sizes[2 + i]));
    }
    for (int i = 0; i < n->n_out; i++)
        prove_set_sizes(c, n, i, rank, sizes);
}

static const smt *nothing(prove_case *c)
{
    return smt_apply(&c->pool, "nothing", 0, NULL);
}

/* How the element X counts under a window of N. */
static const smt *under(prove_case *c, const prove_node *n, const smt *x)
{
    return smt_apply1(&c->pool, is(n, "MaxPool") ? "as_most" : "as_term", x);
}

static const smt *empty_place(prove_case *c, const prove_node *n)
{
    bool is_zero = has_filters(n) ? n->in[1]->finite : is(n, "AvgPool") && !n->form;

    return is_zero ? smt_apply(&c->pool, "no_term", 0, NULL) : nothing(c);
}

/* The number of channels of a window. */
static const smt *channels_of(prove_case *c, const prove_node *n)
{
    return has_filters(n) ? n->in[1]->dim[n->in[1]->rank - n->in[0]->rank + 1]
                          : smt_int(&c->pool, 1);
}

/* The channel of the data that is channel K of the window, for channel AT of the result. */
static const smt *channel_of(prove_case *c, const prove_node *n, const smt *at, const smt *k)
{
    smt_pool *p = &c->pool;
    const smt *zero = smt_int(p, 0), *channel, *is_place;

    if (!has_filters(n))
        return at;
    if (is(n, "Convolution"))
        return k;
    channel = smt_apply(p, "channel_of", 4,
                        (const smt *const[]){at, k, n->in[1]->dim[1], n->in[1]->dim[2]});
    is_place = smt_and(p, smt_within(p, zero, at, n->out[0].dim[1]),
                       smt_within(p, zero, k, channels_of(c, n)));
    prove_assume(c, smt_implies(p, smt_and(p, n->valid, is_place),
                                smt_within(p, zero, channel, n->in[0]->dim[1])));
    return channel;
}

/* The element at position K of the window that gives the result AT of N. */
static const smt *element_under(prove_case *c, const prove_node *n, const smt *const *at,
                                const smt *const *k)
{
    smt_pool *p = &c->pool;
    const smt *from[PROVE_RANK], *inside = smt_bool(true), *zero = smt_int(p, 0);

    from[0] = at[0];
    from[1] = channel_of(c, n, at[1], k[0]);
    for (int i = 0; i < n->in[0]->rank - 2; i++) {
        const smt *start[] = {at[2 + i], list_of(n, STRIDES)->ints[i]};
        const smt *reach[] = {k[1 + i], list_of(n, DILATIONS)->ints[i]};
        const smt *there =
            smt_add(p, smt_apply(p, "steps", 2, start), smt_apply(p, "steps", 2, reach));
        const smt *is_place = smt_and(p, smt_within(p, zero, at[2 + i], n->out[0].dim[2 + i]),
                                      smt_within(p, zero, k[1 + i], kernel_of(n, i)));

        /* A window reaches no further than the padding. */
        prove_assume(c, smt_implies(p, smt_and(p, n->valid, is_place),
                                    smt_within(p, zero, there, padded_size(c, n, i))));
        from[2 + i] = smt_sub(p, there, list_of(n, BEGIN)->ints[i]);
        inside = smt_and(p, inside, smt_within(p, zero, from[2 + i], n->in[0]->dim[2 + i]));
    }
    return smt_ite(p, inside, under(c, n, prove_element(c, n->in[0], from)), empty_place(c, n));
}

/* A and B are equal if the same elements lie under their windows, which have the same size. */
static void compare_pictures(prove_case *c, const struct prove_sum *a, const struct prove_sum *b)
{
    smt_pool *p = &c->pool;
    const smt *k[PROVE_RANK], *same, *at_one = smt_bool(true), *within = at_one;
    const prove_node *n = a->node, *m = b->node;

    if (n->row != m->row || n->in[0]->rank != m->in[0]->rank ||
        (has_filters(n) && n->in[1] != m->in[1]))
        return;
    for (int i = 0; i < n->in[0]->rank; i++)
        at_one = smt_and(p, at_one, smt_eq(p, a->at[i], b->at[i]));
    for (int i = 0; i < n->in[0]->rank - 1; i++)
        k[i] = smt_constant(p, "place", "Int");
    within = smt_within(p, smt_int(p, 0), k[0], channels_of(c, n));
    for (int i = 0; i < n->in[0]->rank - 2; i++) {
        at_one = smt_and(p, at_one, smt_eq(p, kernel_of(n, i), kernel_of(m, i)));
        within = smt_and(p, within, smt_within(p, smt_int(p, 0), k[1 + i], kernel_of(n, i)));
    }
    same = smt_eq(p, element_under(c, n, a->at, k), element_under(c, m, b->at, k));
    same = smt_and(p, at_one, smt_implies(p, within, same));
    prove_assume(c, smt_implies(p, same, smt_eq(p, a->made, b->made)));
}

static const smt *element_of_picture(prove_case *c, const prove_node *n, int out,
                                     const smt *const *at)
{
    struct prove_sum *made = &c->terms.pictures[c->terms.n_pictures];

    if (n->slides)
        return prove_element_of_sliding(c, n, out, at);
    for (int i = 0; i < n->out[0].rank; i++) {
        if (smt_is_open(at[i]) || out > 0 || c->terms.n_pictures == PROVE_SUMS)
            prove_unknown(c, "a window at every place, or where its greatest element stands");
    }
    if (c->unknown)
        return smt_bool(false);
    *made = (struct prove_sum){.node = n, .made = smt_constant(&c->pool, "made", "E")};
    memcpy(made->at, at, (size_t)n->out[0].rank * sizeof *at);
    for (int i = 0; i < c->terms.n_pictures; i++)
        compare_pictures(c, &c->terms.pictures[i], made);
    c->terms.n_pictures++;
    return made->made;
}

#define WINDOW " strides pads_begin pads_end dilations auto_pad "
enum { FLAGS = PROVE_ALONG_AXES | PROVE_HAS_PLACES | PROVE_KEEPS_RANK | PROVE_OF_PICTURES };

const prove_row prove_picture_rows[] = {
    {"Convolution", shape_picture, element_of_picture, NULL, FLAGS, WINDOW},
    {"GroupConvolution", shape_picture, element_of_picture, NULL, FLAGS, WINDOW},
    {"AvgPool", shape_picture, element_of_picture, NULL, FLAGS, WINDOW "kernel exclude-pad "},
    {"MaxPool", shape_picture, element_of_picture, NULL, FLAGS,
     WINDOW "kernel index_element_type axis "},
    {0},
};
