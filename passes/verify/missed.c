/* What trials did not cover: unusual choices that were not possible in any trial, because both
 * graphs refused them or because inputs are indices or counts; and choices without a bound. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void verify_add_missed(char *list, size_t size, const char *fmt, ...)
{
    size_t used = strlen(list);
    va_list args;

    if (used > 0 && used + 2 < size)
        used += (size_t)snprintf(list + used, size - used, ", ");
    va_start(args, fmt);
    vsnprintf(list + used, size - used, fmt, args);
    va_end(args);
}

/* Something unusual about a trial. It counts only for graphs where it is possible. */
static const struct feature {
    const char *words;
    enum { SIZE, INDICES, COUNTS, VALUES, TRUTH, NEAR } of;
    int which; /* the size, the number of the kind, the boolean, or the power of two */
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
                {"numbers that stand in the graphs", VALUES, VERIFY_LITERAL},
                {"booleans that are all true", TRUTH, 1},
                {"booleans that are all false", TRUTH, 0},
                {"integers near 2^24", NEAR, 24}, /* the last one that a float counts exactly */
                {"integers near 2^53", NEAR, 53}};

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
    case VALUES:
        return (int)t->values == f->which;
    default:
        return true;
    }
}

uint32_t verify_features(const verify_trial *t)
{
    uint32_t bits = 0;

    for (int i = 0; i < FEATURES; i++)
        bits |= (uint32_t)has_feature(t, &features[i]) << i;
    return bits;
}

/* Whether an open dim of Parameter N has SIZE in T. */
static bool is_long(const inlay_node *n, const inlay_tensor *t, int size)
{
    const inlay_fact *f = &n->out[0].fact;

    for (int k = 0; t && k < t->rank; k++) {
        if ((f->rank < 0 || !inlay_dim_is_static(f->dims[k])) && t->dims[k] == size)
            return true;
    }
    return false;
}

/* Is a boolean input T equal to F->which everywhere; does an integer input have a number near that
 * power of two? */
static bool holds(const inlay_tensor *t, const struct feature *f)
{
    int64_t n = t ? inlay_tensor_count(t) : 0, power = INT64_C(1) << (f->which % 63);
    bool all = n > 0 && t->type == INLAY_BOOLEAN, near = false;

    if (n == 0 || !(inlay_type_is_int(t->type) || t->type == INLAY_BOOLEAN))
        return false;
    for (int64_t i = 0; i < n && (all || (f->of == NEAR && !near)); i++) {
        int64_t x = inlay_tensor_get_i64(t, i);

        all = all && x == f->which;
        near = (x >= power - 1 && x <= power + 2) || (x <= 1 - power && x >= -power - 2);
    }
    return f->of == NEAR ? near : all;
}

uint32_t verify_features_of(const inlay_graph *g, inlay_tensor *const *in, const verify_trial *t,
                            bool fitted)
{
    uint32_t bits = 0;

    for (int i = 0; i < FEATURES; i++) {
        bool seen = features[i].of == SIZE || features[i].of == TRUTH || features[i].of == NEAR;
        bool has = !seen && (features[i].of == VALUES || !fitted) && has_feature(t, &features[i]);

        for (int k = 0; seen && !has && k < g->n_params; k++)
            has = features[i].of == SIZE ? is_long(g->params[k], in[k], features[i].which)
                                         : holds(in[k], &features[i]);
        bits |= (uint32_t)has << i;
    }
    return bits;
}

static bool is_open(const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK];

    return !inlay_fact_dims(f, dims);
}

/* Does G, or a body of it, convert integers to floats? */
static bool makes_floats(const inlay_graph *g)
{
    bool makes = false;

    for (const inlay_node *n = NULL; !makes && (n = inlay_graph_walk(g, n));)
        makes = (n->op->flags & INLAY_CONVERTS) && n->in[0].value &&
                inlay_type_is_int(n->in[0].value->fact.type) &&
                inlay_type_is_float(n->out[0].fact.type);
    return makes;
}

/* Whether F is possible for Parameter N. */
static bool has_place(const inlay_node *n, const struct feature *f)
{
    const inlay_fact *fact = &n->out[0].fact;

    switch (f->of) {
    case SIZE:
        return is_open(fact);
    case VALUES:
        return inlay_type_is_float(fact->type);
    case TRUTH:
        return fact->type == INLAY_BOOLEAN;
    case NEAR:
        return inlay_type_is_int(fact->type) && inlay_type_info_of(fact->type)->bits > f->which + 1;
    default:
        return inlay_type_is_int(fact->type);
    }
}

static bool any_place(const inlay_graph *g, const struct feature *f)
{
    bool found = false;

    for (int i = 0; i < g->n_params && !found; i++)
        found = has_place(g->params[i], f);
    return found && (f->of != NEAR || makes_floats(g));
}

void verify_tell_missed(const inlay_graph *g, uint32_t tried, uint32_t counted, char *buf,
                        size_t size)
{
    buf[0] = '\0';
    for (int i = 0; i < FEATURES; i++) {
        if (((tried & ~counted) >> i & 1) && any_place(g, &features[i]))
            verify_add_missed(buf, size, "%s", features[i].words);
    }
}

/* What trials choose for Parameters without given or requested values. */
struct open_sizes {
    bool ranks, large, unequal, bits, strings, types;
    uint32_t id;
};

/* Are there more combinations of the bits of a Parameter than trials? */
static bool has_many_bits(const inlay_fact *f)
{
    int64_t dims[INLAY_MAX_RANK], n;

    return f->type == INLAY_BOOLEAN &&
           (!inlay_fact_dims(f, dims) || !inlay_count_elements(f->rank, dims, &n) || n > 6);
}

static void see_open(struct open_sizes *s, const inlay_fact *f, const inlay_shape *wish)
{
    s->bits = s->bits || has_many_bits(f);
    s->strings = s->strings || f->type == INLAY_STRING;
    s->types = s->types || f->type == INLAY_DYNAMIC;
    s->ranks = s->ranks || (f->rank < 0 && !wish);
    s->large = s->large || (f->rank < 0 && !wish);
    for (int k = 0; k < f->rank; k++) {
        if (inlay_dim_is_static(f->dims[k]) || (wish && inlay_dim_is_static(wish->dim[k])))
            continue;
        s->large = s->large || f->dims[k].hi > INLAY_VERIFY_LARGEST;
        s->unequal = s->unequal || (s->id != 0 && s->id != f->dims[k].id);
        s->id = f->dims[k].id;
    }
}

bool inlay_verify_untried(const inlay_graph *g, const inlay_verify_options *o, char *text,
                          size_t size)
{
    struct open_sizes s = {0};

    if (!g || !text || size == 0)
        return false;
    for (int i = 0; i < g->n_params; i++) {
        const inlay_shape *wish = o && o->shapes && o->shapes[i].rank >= 0 ? &o->shapes[i] : NULL;

        if (!(o && o->inputs && o->inputs[i]))
            see_open(&s, &g->params[i]->out[0].fact, wish);
    }
    text[0] = '\0';
    if (s.ranks)
        verify_add_missed(text, size, "more than %d axes", VERIFY_MOST_AXES);
    if (s.large)
        verify_add_missed(text, size, "open sizes above %d", INLAY_VERIFY_LARGEST);
    if (s.unequal)
        verify_add_missed(text, size, "most pairs of open sizes");
    if (s.bits)
        verify_add_missed(text, size, "most combinations of booleans");
    if (s.strings)
        verify_add_missed(text, size, "most strings");
    if (s.types)
        verify_add_missed(text, size, "element types other than f32");
    if (g->n_variables > 0)
        verify_add_missed(text, size, "states after step %d", VERIFY_STATE_STEPS);
    return *text != '\0';
}
