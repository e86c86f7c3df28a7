/* Open sizes of inputs that a command makes up: one picture of 224 x 224, not three of 51 x 3. What
 * is an open size is told by its name, by the layout that the file gives, and by the axes beside it;
 * the shape rules judge each choice. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What is tried, one after the other: how high and wide a picture is, and its channels where they
 * are open. */
static const struct attempt {
    int64_t side, channels;
} attempts[] = {{224, 3}, {224, 1}, {256, 3}, {320, 3}, {299, 3}, {128, 3}, {64, 3},
                {64, 1},  {32, 3},  {32, 1},  {28, 1},  {227, 3}, {224, 4}};

/* Returns the letters of the layout that FILE gives the input N, such as "NCHW" or "[N,C,H,W]"; or
 * NULL. */
static const char *layout_of(const inlay_node *n)
{
    for (const inlay_meta *m = n->rt_info; m; m = m->next) {
        for (int i = 0; i < m->n_attrs; i++) {
            if (strcmp(m->attrs[2 * i], "layout") == 0)
                return m->attrs[2 * i + 1];
        }
    }
    return NULL;
}

/* Returns letter K of the layout of N: 'N', 'C', 'H', 'W' or 0. */
static char letter_of(const inlay_node *n, int k)
{
    const char *layout = layout_of(n);
    int seen = 0;

    for (; layout && *layout; layout++) {
        if (strchr("NCHWDT?", *layout) && seen++ == k)
            return *layout;
    }
    return 0;
}

static bool is_static(const inlay_fact *f, int k)
{
    return inlay_dim_is_static(f->dims[k]);
}

/* Does axis K of F have as many elements as a picture has channels? */
static bool has_channels(const inlay_fact *f, int k)
{
    return k >= 0 && is_static(f, k) &&
           (f->dims[k].lo == 1 || f->dims[k].lo == 3 || f->dims[k].lo == 4);
}

/* What axis K of a picture is, by the sizes of its axes; 0: F is none. */
static char axis_of_picture(const inlay_fact *f, int k)
{
    int first = f->rank - 3; /* of channels, height and width in some order */
    bool last, front, open;

    if (f->rank < 3 || f->rank > 4 || f->type == INLAY_BOOLEAN || f->type == INLAY_I64)
        return 0;
    last = has_channels(f, f->rank - 1) && !has_channels(f, first) &&
           (f->rank == 4 || f->type == INLAY_U8); /* boxes have four numbers, too */
    open = !is_static(f, f->rank - 2) && !is_static(f, f->rank - 1);
    front = f->rank == 4 ? has_channels(f, first) || open : has_channels(f, first) && open;
    if (!last && !front)
        return 0;
    if (k < first)
        return 'N';
    return (last ? "HWC" : "CHW")[k - first];
}

/* What the name of axis K of V says. */
static char axis_of_name(const inlay_value *v, int k)
{
    static const struct {
        const char *part;
        char axis;
    } words[] = {{"batch", 'N'}, {"height", 'H'}, {"width", 'W'}, {"channel", 'C'},
                 {"seq", 'T'},   {"length", 'T'}, {"token", 'T'}, {"time", 'T'}};
    const char *name = inlay_value_dim_name(v, k);

    for (size_t i = 0; name && i < sizeof words / sizeof *words; i++) {
        for (const char *p = name; *p; p++) {
            if (strncasecmp(p, words[i].part, strlen(words[i].part)) == 0)
                return words[i].axis;
        }
    }
    return 0;
}

static char axis_of(const inlay_node *n, int k)
{
    const inlay_value *v = &n->out[0];
    char axis = axis_of_name(v, k);

    axis = axis ? axis : letter_of(n, k);
    axis = axis ? axis : axis_of_picture(&v->fact, k);
    return axis || v->fact.rank < 2 || k > 0 ? axis : 'N';
}

/* Returns the size of such an axis; 0: nothing is usual there. */
static int64_t usual_size(char axis, const struct attempt *a)
{
    switch (axis) {
    case 'N':
        return 1;
    case 'C':
        return a->channels;
    case 'T':
        return 8;
    case 'H':
    case 'W':
        return a->side;
    default:
        return 0;
    }
}

/* Sizes with one identity are one; those of inputs that are given are left alone. */
struct identities {
    int64_t *sizes; /* by identity; 0: none yet, -1: not to be chosen */
    uint32_t n;
};

static bool begin(struct identities *ids, const inlay_graph *g, const cli_inputs *in,
                  const inlay_shape *wished)
{
    ids->n = g->next_dim_id;
    ids->sizes = calloc((size_t)ids->n + 1, sizeof *ids->sizes);
    for (int i = 0; ids->sizes && i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;

        for (int k = 0; (in->tensors[i] || wished[i].rank >= 0) && k < f->rank; k++) {
            if (f->dims[k].id < ids->n && f->dims[k].id != 0)
                ids->sizes[f->dims[k].id] = -1;
        }
    }
    return ids->sizes != NULL;
}

static void choose_size(struct identities *ids, const inlay_node *n, int k, const struct attempt *a,
                        inlay_dim *out)
{
    inlay_dim d = n->out[0].fact.dims[k];
    int64_t *one = d.id != 0 && d.id < ids->n ? &ids->sizes[d.id] : NULL;
    int64_t size = one && *one ? *one : usual_size(axis_of(n, k), a);

    *out = d;
    if (inlay_dim_is_static(d) || size <= 0)
        return;
    size = size < d.lo ? d.lo : size > d.hi ? d.hi : size;
    if (one)
        *one = size;
    *out = inlay_dim_of(size);
}

/* Sets SHAPES to the sizes of attempt A, where a size is open and nobody asked for one. */
static bool choose(const inlay_graph *g, const cli_inputs *in, const inlay_shape *wished,
                   const struct attempt *a, inlay_shape *shapes)
{
    struct identities ids;
    bool ok = begin(&ids, g, in, wished);

    for (int i = 0; ok && i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;

        shapes[i] = wished[i];
        if (in->tensors[i] || wished[i].rank >= 0 || f->rank < 0)
            continue;
        shapes[i].rank = f->rank;
        for (int k = 0; k < f->rank; k++)
            choose_size(&ids, g->params[i], k, a, &shapes[i].dim[k]);
    }
    free(ids.sizes);
    return ok;
}

/* Do the shape rules accept them? */
static bool are_accepted(const inlay_graph *g, const inlay_shape *shapes)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *copy = inlay_graph_clone(g, d);
    bool ok = copy != NULL;

    for (int i = 0; ok && i < g->n_params; i++)
        ok = shapes[i].rank < 0 || inlay_node_set_shape(copy->params[i], "shape", &shapes[i], d);
    ok = ok && inlay_infer_graph(copy, d);
    inlay_graph_free(copy);
    inlay_diags_free(d);
    return ok;
}

/* Returns an input of G with open sizes that is a picture; or NULL. */
static const inlay_node *open_picture(const inlay_graph *g, const cli_inputs *in,
                                      const inlay_shape *wished)
{
    for (int i = 0; i < g->n_params; i++) {
        const inlay_node *n = g->params[i];

        for (int k = 0; !in->tensors[i] && wished[i].rank < 0 && k < n->out[0].fact.rank; k++) {
            char axis = is_static(&n->out[0].fact, k) ? 0 : axis_of(n, k);

            if (axis == 'H' || axis == 'W')
                return n;
        }
    }
    return NULL;
}

bool cli_choose_sizes(const inlay_graph *g, const cli_inputs *in, inlay_shape *shapes,
                      inlay_diags *d)
{
    size_t n = (size_t)g->n_params + 1, last = sizeof attempts / sizeof *attempts;
    inlay_shape *tried = calloc(n, sizeof *tried);
    const inlay_node *picture = open_picture(g, in, shapes);
    bool found = false;
    char shape[512];

    if (!tried)
        return inlay_fail_memory(d);
    for (size_t i = 0; picture && i < last && !found; i++)
        found = choose(g, in, shapes, &attempts[i], tried) && are_accepted(g, tried);
    if (found)
        memcpy(shapes, tried, (n - 1) * sizeof *shapes);
    free(tried);
    return found || !picture ||
           inlay_fail_node(d, picture, "no usual size of a picture fits %s: give --shape %s=DIMS",
                           inlay_value_shape_text(&picture->out[0], shape, sizeof shape),
                           picture->name);
}
