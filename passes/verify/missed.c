/* What the schedule wanted to try, and no trial could: both graphs refused it each time. */
#include "passes/verify/verify.h"

#include <stdio.h>
#include <string.h>

/* Something unusual about trials. It counts as tried in graphs that have a place for it. */
static const struct feature {
    const char *words;
    enum { SIZE, INDICES, COUNTS, VALUES } of;
    int which; /* the size, or the number of the kind */
} features[] = {{"sizes of 0", SIZE, 0},
                {"sizes of 1", SIZE, 1},
                {"sizes of 2", SIZE, 2},
                {"sizes of 5", SIZE, 5},
                {"sizes of 17", SIZE, 17},
                {"indices counted from the end", INDICES, VERIFY_NEGATIVE},
                {"indices at the borders", INDICES, VERIFY_BORDER},
                {"indices outside", INDICES, VERIFY_OUTSIDE},
                {"counts of 0", COUNTS, VERIFY_NONE},
                {"large counts", COUNTS, VERIFY_MANY},
                {"numbers of any size", VALUES, VERIFY_WIDE},
                {"NaN, infinity and extremes", VALUES, VERIFY_SPECIAL},
                {"numbers that stand in the graphs", VALUES, VERIFY_LITERAL}};

enum { FEATURES = sizeof features / sizeof *features };

static bool has_size(const verify_trial *t, int size)
{
    for (int i = 0; i < t->n_sizes; i++) {
        if (t->sizes[i] == size)
            return true;
    }
    return false;
}

static bool has_feature(const verify_trial *t, const struct feature *f)
{
    switch (f->of) {
    case SIZE:
        return has_size(t, f->which);
    case INDICES:
        return (int)t->indices == f->which;
    case COUNTS:
        return (int)t->counts == f->which;
    default:
        return (int)t->values == f->which;
    }
}

uint32_t verify_features(const verify_trial *t)
{
    uint32_t bits = 0;

    for (int i = 0; i < FEATURES; i++)
        bits |= (uint32_t)has_feature(t, &features[i]) << i;
    return bits;
}

/* Whether an open dim of Parameter N is SIZE long in T. */
static bool is_long(const inlay_node *n, const inlay_tensor *t, int size)
{
    const inlay_fact *f = &n->out[0].fact;

    for (int k = 0; t && k < t->rank; k++) {
        if ((f->rank < 0 || !inlay_dim_is_static(f->dims[k])) && t->dims[k] == size)
            return true;
    }
    return false;
}

uint32_t verify_features_of(const inlay_graph *g, inlay_tensor *const *in, const verify_trial *t,
                            bool fitted)
{
    uint32_t bits = 0;

    for (int i = 0; i < FEATURES; i++) {
        bool has = features[i].of == VALUES || (features[i].of != SIZE && !fitted);

        has = has && has_feature(t, &features[i]);
        for (int k = 0; features[i].of == SIZE && k < g->n_params; k++)
            has = has || is_long(g->params[k], in[k], features[i].which);
        bits |= (uint32_t)has << i;
    }
    return bits;
}

static bool is_open(const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK];

    return !inlay_fact_dims(f, dims);
}

/* Whether F says something about Parameter N. */
static bool has_place(const inlay_node *n, const struct feature *f)
{
    const inlay_fact *fact = &n->out[0].fact;

    return f->of == SIZE     ? is_open(fact)
           : f->of == VALUES ? inlay_type_is_float(fact->type)
                             : inlay_type_is_int(fact->type);
}

static bool any_place(const inlay_graph *g, const struct feature *f)
{
    for (int i = 0; i < g->n_params; i++) {
        if (has_place(g->params[i], f))
            return true;
    }
    return false;
}

void verify_tell_missed(const inlay_graph *g, uint32_t tried, uint32_t counted, char *buf,
                        size_t size)
{
    size_t used = 0;

    buf[0] = '\0';
    for (int i = 0; i < FEATURES; i++) {
        if (!((tried & ~counted) >> i & 1) || !any_place(g, &features[i]) || used >= size)
            continue;
        used +=
            (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", features[i].words);
    }
}
