/* Sizes and elements that the shape rules accept.
 *
 * A trial proposes open dimensions of 17, indices counted from the end, and so on. But the updates
 * of a SliceScatter must have exactly the sizes of the window that start and stop select from data;
 * the order of a Transpose must name every axis once; the lengths of a VariadicSplit must add up to
 * the axis. There is no list of such conditions here: the shape rules know all of them, and they
 * judge a partial choice (probe.c). So this is a search that chooses one unknown after another and
 * asks the rules each time:
 *
 *  - first the ranks and sizes of inputs that are data; then sizes and elements of those whose
 *    elements the rules may need (wants.c); then the sizes of what is written, which mostly follow
 *    from the rest;
 *  - each is what the trial proposes, if the rules accept it; else a number used elsewhere, because
 *    many rules demand equal sizes; else one found by bisection: an interval that the rules refuse
 *    contains no valid number, one that they accept is halved until one number is left;
 *  - if nothing is accepted, an earlier choice was bad. The search begins again, with the input
 *    where it failed as the first one, and with other proposals.
 *
 * It gives up after some rounds; then the trial is unchanged, and probably void. */
#include "ir/shared.h"
#include "passes/verify/maker.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 10,
    MAX_RULES = 1 << 15, /* calls of shape rules in one search */
    MAX_PROBES = 96,     /* for one unknown */
    MAX_ELEMENTS = 1 << 16
};

typedef struct search {
    verify_maker *m;
    int *order;           /* inputs in the order in which they are chosen */
    bool *listed;         /* by input: its elements are chosen, too */
    verify_dims *liked;   /* by input: the sizes that the trial proposes */
    int *hardest;         /* by input: the axis for which no size was found before */
    inlay_tensor **drawn; /* by input: the elements that were chosen */
    uint64_t state;
    int round, probes;
} search;

/* A size (AT is an axis) or an element of an input. */
typedef struct unknown {
    int input, at;
    bool is_element;
} unknown;

static bool accepted(search *s)
{
    verify_maker *m = s->m;

    return s->probes-- > 0 && m->probe.rules < MAX_RULES &&
           verify_probe_accepts(&m->probe, NULL, m->assumed);
}

static inlay_dim *place_of(const search *s, unknown u)
{
    verify_assumption *a = &s->m->assumed[u.input];

    return u.is_element ? &a->known[u.at] : &a->dims[u.at];
}

/* Sets an unknown; sizes with the same identity are set together. */
static void put(search *s, unknown u, int64_t lo, int64_t hi)
{
    const verify_maker *m = s->m;
    uint32_t id = place_of(s, u)->id;

    *place_of(s, u) = (inlay_dim){lo, hi, id};
    for (int i = 0; id != 0 && i < m->g->n_params; i++) {
        for (int k = 0; k < m->assumed[i].fact.rank; k++) {
            inlay_dim *d = &m->assumed[i].dims[k];

            if (d->id == id)
                *d = (inlay_dim){lo, hi, id};
        }
    }
}

/* Restricts U to [LO, HI], if the rules accept that. */
static bool try_interval(search *s, unknown u, int64_t lo, int64_t hi)
{
    inlay_dim before = *place_of(s, u);

    if (lo < before.lo || hi > before.hi || lo > hi)
        return false;
    put(s, u, lo, hi);
    if (accepted(s))
        return true;
    put(s, u, before.lo, before.hi);
    return false;
}

/* Finds a number for U in [LO, HI] by bisection. The recursion is as deep as the interval has bits.
 */
static bool halve(search *s, unknown u, int64_t lo, int64_t hi)
{
    inlay_dim before = *place_of(s, u);
    int64_t mid = lo + (hi - lo) / 2;
    bool found = try_interval(s, u, lo, hi);

    if (!found || lo == hi)
        return found;
    if (inlay_random(&s->state) % 2)
        found = halve(s, u, lo, mid) || halve(s, u, mid + 1, hi);
    else
        found = halve(s, u, mid + 1, hi) || halve(s, u, lo, mid);
    if (!found)
        put(s, u, before.lo, before.hi);
    return found;
}

/* The largest size for the unknown, so that its input stays small. */
static int64_t most_of(const search *s, unknown u)
{
    const verify_assumption *a = &s->m->assumed[u.input];
    int64_t others = 1;

    for (int k = 0; !u.is_element && k < a->fact.rank; k++) {
        if (inlay_dim_is_static(a->dims[k]) && a->dims[k].lo > 0 && others < MAX_ELEMENTS)
            others *= a->dims[k].lo;
    }
    return others < MAX_ELEMENTS ? MAX_ELEMENTS / others : 1;
}

/* Tries small numbers first, but not 0: a tensor without elements tests little. */
static bool find_number(search *s, unknown u)
{
    static const int64_t blocks[][2] = {{1, 1},    {2, 3},      {4, 7},       {8, 15},  {0, 0},
                                        {-1, -1},  {-3, -2},    {16, 63},     {-8, -4}, {64, 255},
                                        {-64, -9}, {256, 4095}, {4096, 65535}};
    inlay_dim all = *place_of(s, u);
    int64_t most = most_of(s, u);

    all.hi = all.hi < most ? all.hi : most;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        int64_t lo = blocks[i][0] > all.lo ? blocks[i][0] : all.lo;
        int64_t hi = blocks[i][1] < all.hi ? blocks[i][1] : all.hi;

        if (halve(s, u, lo, hi))
            return true;
    }
    return false;
}

/* Tries a size that some input has. */
static bool find_seen(search *s, unknown u)
{
    enum { TRIES = 6 };
    const verify_maker *m = s->m;

    for (int i = 0; i < TRIES; i++) {
        uint64_t r = inlay_random(&s->state);
        const verify_assumption *a = &m->assumed[r % (uint64_t)m->g->n_params];
        const inlay_dim *d = a->fact.rank > 0 ? &a->dims[(r >> 32) % (uint64_t)a->fact.rank] : NULL;

        if (d && inlay_dim_is_static(*d) && d->lo <= most_of(s, u) &&
            try_interval(s, u, d->lo, d->lo))
            return true;
    }
    return false;
}

static bool choose(search *s, unknown u, int64_t liked)
{
    s->probes = MAX_PROBES;
    return inlay_dim_is_static(*place_of(s, u)) || try_interval(s, u, liked, liked) ||
           find_seen(s, u) || find_number(s, u);
}

static bool try_rank(search *s, int input, int rank)
{
    verify_assumption *a = &s->m->assumed[input];
    inlay_dim dims[INLAY_MAX_RANK];

    for (int k = 0; k < rank; k++)
        dims[k] = inlay_dim_any();
    verify_assume_dims(a, a->fact.type, rank, dims);
    if (accepted(s))
        return true;
    verify_assume_dims(a, a->fact.type, -1, NULL);
    return false;
}

static bool choose_rank(search *s, int input)
{
    static const int ranks[] = {1, 2, 3, 4, 5, 0, 6, 7, 8};

    s->probes = MAX_PROBES;
    if (s->m->assumed[input].fact.rank >= 0 || try_rank(s, input, s->liked[input].rank))
        return true;
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
        if (try_rank(s, input, ranks[i]))
            return true;
    }
    return false;
}

/* The size that the trial proposes; in later rounds any small size instead, and in the last one 1.
 */
static int64_t liked_size(search *s, int input, int axis)
{
    const verify_dims *liked = &s->liked[input];
    uint64_t r = inlay_random(&s->state);

    if (s->round == ROUNDS - 1)
        return 1;
    if (s->round > 0 && r % 2)
        return 1 + (int64_t)((r >> 8) % 5);
    return liked->rank > 0 ? liked->dims[axis % liked->rank] : 1;
}

/* The axis that is chosen as number I: the one that failed before comes first. */
static int axis_at(const search *s, int input, int i)
{
    int first = s->hardest[input];

    if (first >= s->m->assumed[input].fact.rank)
        return i;
    return i == 0 ? first : i <= first ? i - 1 : i;
}

static bool choose_shape(search *s, int input)
{
    verify_maker *m = s->m;
    const verify_assumption *a = &m->assumed[input];

    if (!choose_rank(s, input))
        return false;
    m->dims[input].rank = a->fact.rank;
    for (int i = 0; i < a->fact.rank; i++) {
        int k = axis_at(s, input, i);

        if (!choose(s, (unknown){input, k, false}, liked_size(s, input, k))) {
            s->hardest[input] = k;
            return false;
        }
        m->dims[input].dims[k] = a->dims[k].lo;
    }
    return true;
}

/* Any number of the type, as far as shape rules can represent it. */
static inlay_dim any_element(inlay_type type)
{
    const inlay_type_info *info = inlay_type_info_of(type);
    inlay_dim d = inlay_dim_unknown_value();

    if (info->cls == INLAY_CLASS_UNSIGNED)
        d.lo = 0;
    if (info->bits < 64) {
        int bits = info->cls == INLAY_CLASS_SIGNED ? info->bits - 1 : info->bits;

        d.hi = (INT64_C(1) << bits) - 1;
        d.lo = info->cls == INLAY_CLASS_SIGNED ? -d.hi - 1 : 0;
    }
    return d;
}

/* The same within the constraints: a loop must end, and many repetitions would not be a small run.
 */
static inlay_dim wanted_element(const search *s, int input, inlay_type type)
{
    enum { MANY = 255 };
    const verify_want *w = &s->m->wants[input];
    inlay_dim d = any_element(type);

    if (w->bound == VERIFY_SPAN)
        return (inlay_dim){w->lo, w->hi, 0};
    if (w->bound == VERIFY_COUNT) {
        d.lo = 0;
        d.hi = d.hi < MANY ? d.hi : MANY;
    }
    return d;
}

/* Tries the random elements together; otherwise chooses one after the other. */
static bool choose_each(search *s, int input, inlay_tensor *t)
{
    verify_assumption *a = &s->m->assumed[input];
    int n = (int)inlay_tensor_count(t);

    a->fact.known = a->known;
    a->fact.n_known = n;
    for (int i = 0; i < n; i++)
        a->known[i] = inlay_dim_of(inlay_tensor_get_i64(t, i));
    s->probes = 1;
    if (accepted(s))
        return true;
    for (int i = 0; i < n; i++)
        a->known[i] = wanted_element(s, input, t->type);
    for (int i = 0; i < n; i++) {
        if (!choose(s, (unknown){input, i, true}, inlay_tensor_get_i64(t, i)))
            return false;
        inlay_tensor_set_i64(t, i, a->known[i].lo);
    }
    return true;
}

/* *OK is false if memory ran out. */
static bool choose_elements(search *s, int input, bool *ok)
{
    verify_maker *m = s->m;
    const verify_trial *trial = &m->r->trial;
    verify_trial now = verify_plainer(trial, s->round > 0 ? 2 : 0);
    int64_t n;

    if (!inlay_count_elements(m->dims[input].rank, m->dims[input].dims, &n) || n > INLAY_MAX_KNOWN)
        return true;
    inlay_tensor_release(s->drawn[input]);
    *ok = verify_want_inputs(m) &&
          (s->drawn[input] = verify_draw(m, input, &now, (uint64_t)s->round));
    return *ok && choose_each(s, input, s->drawn[input]);
}

/* Resets everything that was chosen. */
static void forget(search *s)
{
    verify_maker *m = s->m;

    verify_learn_sizes(m);
    for (int i = 0; i < m->g->n_params; i++) {
        if (m->given[i])
            verify_assume_tensor(&m->assumed[i], m->in[i]);
        else
            verify_assume_declared(m, i);
    }
}

/* Chooses all inputs but those that are given. *AT: how many of the order were chosen. */
static bool choose_all(search *s, int *at, bool *ok)
{
    verify_maker *m = s->m;

    forget(s);
    for (*at = 0; *at < m->g->n_params; ++*at) {
        int i = s->order[*at];

        if (m->given[i])
            continue;
        if (!choose_shape(s, i) || (s->listed[i] && !choose_elements(s, i, ok)))
            return false;
    }
    return true;
}

/* Shape rules may need its elements. */
static bool is_listed(const verify_maker *m, int i)
{
    return verify_is_random(m, i) && !m->given[i] && inlay_type_is_int(m->assumed[i].fact.type) &&
           m->wants[i].asked;
}

static void order_inputs(search *s)
{
    const verify_maker *m = s->m;
    int n = 0;

    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < m->g->n_params; i++) {
            if ((m->wants[i].late ? 2 : s->listed[i] ? 1 : 0) == turn)
                s->order[n++] = i;
        }
    }
}

/* Moves the input at AT of the order to the front. */
static void put_first(search *s, int at)
{
    int input = s->order[at];

    memmove(&s->order[1], &s->order[0], (size_t)at * sizeof *s->order);
    s->order[0] = input;
}

/* Releases inputs that were made before, perhaps with other sizes. */
static void take_found(search *s)
{
    verify_maker *m = s->m;

    for (int i = 0; i < m->g->n_params; i++) {
        if (m->given[i])
            continue;
        inlay_tensor_release(m->in[i]);
        m->in[i] = s->drawn[i];
        s->drawn[i] = NULL;
    }
}

static bool run_search(search *s, bool *found)
{
    verify_maker *m = s->m;
    size_t n = (size_t)m->g->n_params;
    bool ok = true;

    for (int i = 0; i < m->g->n_params; i++)
        s->listed[i] = is_listed(m, i);
    order_inputs(s);
    memcpy(s->liked, m->dims, n * sizeof *s->liked);
    s->state = m->o->seed + 1;
    m->probe.rules = 0;
    *found = false;
    for (s->round = 0; ok && !*found && s->round < ROUNDS; s->round++) {
        int at;

        *found = choose_all(s, &at, &ok);
        if (ok && m->probe.failed)
            ok = inlay_fail_memory(m->diags);
        if (!*found)
            put_first(s, at);
    }
    if (*found)
        take_found(s);
    else
        memcpy(m->dims, s->liked, n * sizeof *s->liked);
    return ok;
}

bool verify_fit(verify_maker *m, bool *found)
{
    size_t n = (size_t)m->g->n_params + 1;
    search s = {.m = m};
    bool ok;

    s.order = inlay_take(inlay_graph_budget(m->g), n, sizeof *s.order);
    s.listed = inlay_take(inlay_graph_budget(m->g), n, sizeof *s.listed);
    s.liked = inlay_take(inlay_graph_budget(m->g), n, sizeof *s.liked);
    s.hardest = inlay_take(inlay_graph_budget(m->g), n, sizeof *s.hardest);
    s.drawn = inlay_take(inlay_graph_budget(m->g), n, sizeof *s.drawn);
    ok = s.order && s.listed && s.liked && s.hardest && s.drawn;
    ok = ok ? run_search(&s, found) : inlay_fail_memory(m->diags);
    for (int i = 0; s.drawn && i < m->g->n_params; i++)
        inlay_tensor_release(s.drawn[i]);
    inlay_give(s.order);
    inlay_give(s.listed);
    inlay_give(s.liked);
    inlay_give(s.hardest);
    inlay_give(s.drawn);
    return ok;
}
