/* Interpolate and Resize but for `nearest`. What lies behind a position of the outermost resized
 * axis is a slab. One of the result is a weighted sum of some of the data, which is resized along
 * the other axes while it is in the cache. If the last axis is resized, eight planes lie side by
 * side in a slab, or eight slabs of one plane, so that nothing is gathered:
 *
 *     planes  a0 a1 a2 ..     slab  a0 b0 c0 ..  a1 b1 c1 ..
 *             b0 b1 b2 ..
 *
 * Everything is computed in f64, in the order of the plain kernel. */
#include "inlay_ops.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/interpolate.h"
#include "interp/library/doubles.h"
#include "interp/library/library.h"
#include "interp/library/mover.h"

#include <math.h>
#include <string.h>

enum {
    FEW_SLOTS = 4,       /* that there are always, and more by what they cost: */
    SLOTS = 16,          /* rooms, each of which one thread uses at a time */
    SLOT_COST = 1000000, /* that is worth another one */
    LANES = 8, /* planes side by side; fewer numbers are too few for a loop of their own */
    FEW = 4    /* planes that are worth that, or numbers of each */
};

/* An axis: REAL elements become OUT, with AFTER numbers for each. If these are few, they are
 * gathered: tap K of number I of OUT * AFTER is the one at index[k * out * after + i]. */
typedef struct pass {
    taps t;
    int64_t real, out, after;
    bool gathers;
} pass;

/* A tensor's slabs: EACH numbers, FAR behind those of the plane before. */
typedef struct slabs {
    const inlay_tensor *t;
    int64_t each, far;
} slabs;

typedef struct work {
    slabs in, result;
    const void *x; /* NULL: slabs of the data are converted or turned when they are needed */
    double *y;     /* NULL: results are converted at once */
    pass pass[INLAY_MAX_RANK];
    int n;
    bool sums; /* slabs are sums of the data's, by the first pass; otherwise they are the data's */
    bool rounds;
    bool single;           /* the data are floats, which are summed as they are */
    int64_t planes;        /* what is before the slabs */
    int64_t lanes, beside; /* numbers side by side: of as many planes, or of results of one plane */
    int64_t items, slots, some; /* an item is a slab of the result; each slot has some */
    int64_t part;               /* numbers of the largest slab */
    int64_t places, room;       /* slabs of the data, and all numbers, in a room */
    double *rooms;
    int64_t *tags; /* which slab of the data each place of a room has */
} work;

/* Sets Y, or adds to it, U * A; then V * B. */
#define DEFINE_WEIGH(T)                                                                            \
    static INLAY_CLONES void weigh_two_##T(double *restrict y, bool adds, const T *a, double u,    \
                                           const T *b, double v, int64_t n)                        \
    {                                                                                              \
        if (adds)                                                                                  \
            for (int64_t i = 0; i < n; i++)                                                        \
                y[i] = y[i] + u * (double)a[i] + v * (double)b[i];                                 \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++)                                                        \
                y[i] = 0 + u * (double)a[i] + v * (double)b[i];                                    \
    }                                                                                              \
                                                                                                   \
    static INLAY_CLONES void weigh_one_##T(double *restrict y, bool adds, const T *a, double u,    \
                                           int64_t n)                                              \
    {                                                                                              \
        if (adds)                                                                                  \
            for (int64_t i = 0; i < n; i++)                                                        \
                y[i] = y[i] + u * (double)a[i];                                                    \
        else                                                                                       \
            for (int64_t i = 0; i < n; i++)                                                        \
                y[i] = 0 + u * (double)a[i];                                                       \
    }

DEFINE_WEIGH(float)
DEFINE_WEIGH(double)

/* A sum of rows of N numbers: two of them are added in one pass. */
struct sum {
    double *y;
    int64_t n;
    bool single; /* rows are floats */
    bool begun;
    const void *row; /* NULL: none waits for the next one */
    double weight;
};

static void sum_add(struct sum *s, const void *row, double weight)
{
    if (s->row) {
        if (s->single)
            weigh_two_float(s->y, s->begun, s->row, s->weight, row, weight, s->n);
        else
            weigh_two_double(s->y, s->begun, s->row, s->weight, row, weight, s->n);
        s->begun = true;
    }
    s->weight = weight;
    s->row = s->row ? NULL : row;
}

static void sum_end(const struct sum *s)
{
    if (s->row && s->single)
        weigh_one_float(s->y, s->begun, s->row, s->weight, s->n);
    else if (s->row)
        weigh_one_double(s->y, s->begun, s->row, s->weight, s->n);
    else if (!s->begun)
        memset(s->y, 0, (size_t)s->n * sizeof *s->y);
}

/* Sets Y to element O of the result: rows of N numbers, of which X has all. */
static void sum_rows(const taps *t, int64_t o, const double *x, int64_t n, double *y)
{
    struct sum s = {.y = y, .n = n};

    for (int64_t k = o * t->most; k < (o + 1) * t->most; k++) {
        if (t->weight[k] != 0)
            sum_add(&s, x + t->index[k] * n, t->weight[k]);
    }
    sum_end(&s);
}

/* A tap of weight 0 is no step. */
static inline double step_of(double weight, double x)
{
    double u = weight * x;

    return weight != 0 ? u : 0;
}

static INLAY_CLONES void gather(double *restrict y, const double *restrict x, const taps *t,
                                int64_t n)
{
    const int64_t *index = t->index;
    const double *weight = t->weight;
    int64_t k = t->most % 2;

    for (int64_t i = 0; i < n; i++)
        y[i] = k == 0 ? 0 : 0 + step_of(weight[i], x[index[i]]);
    for (; k < t->most; k += 2) {
        const int64_t *at = index + k * n, *next = at + n;
        const double *u = weight + k * n, *v = u + n;

        for (int64_t i = 0; i < n; i++)
            y[i] = y[i] + step_of(u[i], x[at[i]]) + step_of(v[i], x[next[i]]);
    }
}

typedef double half __attribute__((vector_size(LANES / 2 * sizeof(double)), aligned(1), may_alias));

/* Resizes an axis of elements of LANES numbers. */
static INLAY_CLONES void sum_lanes(double *y, const double *x, const taps *t, int64_t n)
{
    const int64_t *index = t->index;
    const double *weight = t->weight;
    half *to = (half *)(void *)y;

    for (int64_t o = 0; o < n; o++, index += t->most, weight += t->most) {
        half low = {0}, high = {0};

        for (int64_t k = 0; k < t->most; k++) {
            const half *from = (const half *)(const void *)(x + index[k] * LANES);

            if (weight[k] != 0) {
                low += weight[k] * from[0];
                high += weight[k] * from[1];
            }
        }
        *to++ = low;
        *to++ = high;
    }
}

/* Resizes N numbers along an axis. Returns how many they become. */
static int64_t run_pass(const pass *p, const double *x, int64_t n, double *y)
{
    int64_t from = p->real * p->after, to = p->out * p->after, before = n / from;

    for (int64_t i = 0; i < before; i++, x += from, y += to) {
        if (p->after == LANES)
            sum_lanes(y, x, &p->t, p->out);
        else if (p->gathers)
            gather(y, x, &p->t, to);
        else
            for (int64_t o = 0; o < p->out; o++)
                sum_rows(&p->t, o, x, p->after, y + o * p->after);
    }
    return before * to;
}

/* Copies N slabs, FAR apart, the first of them at number FIRST of T, to AT, where they lie side by
 * side; or BACK. */
static void turn(const work *w, const slabs *s, int64_t first, int64_t far, int64_t n, void *at,
                 bool back)
{
    int64_t dims[] = {n, s->each}, apart[] = {far, 1}, beside[] = {1, w->lanes};
    inlay_tensor all = {s->t->type, 2, dims, apart, s->t->data, s->t->offset + first, s->t->buffer},
                 some = {s->t->type, 2, dims, beside, at, 0, NULL};

    library_assign(back ? &all : &some, back ? &some : &all);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns slab I of the data of some planes, from PLANE on, which ROOM gets if it has it not:
 * floats, if they are summed, else doubles. */
static const void *slab_of(const work *w, int64_t plane, int64_t i, double *room, int64_t *tags)
{
    int64_t at = plane * w->in.far + i * w->in.each, n = w->in.each * w->beside;
    int64_t size = w->single ? sizeof(float) : sizeof(double), place;
    void *to, *typed;

    if (w->x)
        return (const char *)w->x + at * size;
    place = i % w->places;
    to = (char *)room + place * n * size;
    typed = w->single ? to : room + w->room - w->part;
    if (tags[place] == at)
        return to;
    tags[place] = at;
    if (w->beside > 1)
        turn(w, &w->in, at, w->in.far, smaller(w->beside, w->planes - plane), typed, false);
    if (w->beside > 1 && !w->single)
        doubles_load(to, &(inlay_tensor){.type = w->in.t->type, .data = typed}, 0, n);
    else if (!w->single)
        doubles_load(to, w->in.t, at, n);
    return to;
}

/* Sets Y to the sum of slabs as which slab O of the result begins. */
static void sum_slabs(const work *w, int64_t plane, int64_t o, double *room, int64_t *tags,
                      double *y)
{
    const taps *t = &w->pass->t;
    struct sum s = {.y = y, .n = w->in.each * w->beside, .single = w->single};

    for (int64_t k = o * t->most; k < (o + 1) * t->most; k++) {
        if (t->weight[k] != 0)
            sum_add(&s, slab_of(w, plane, t->index[k], room, tags), t->weight[k]);
    }
    sum_end(&s);
}

/* Does the same for LANES slabs from O on, which Y gets side by side. */
static void sum_beside(const work *w, int64_t plane, int64_t o, double *room, int64_t *tags,
                       double *y, double *spare)
{
    int64_t n = w->in.each;
    slabs sums = {&(inlay_tensor){.type = INLAY_F64, .data = spare}, n, n};

    for (int64_t l = 0; l < LANES && o + l < w->pass->out; l++)
        sum_slabs(w, plane, o + l, room, tags, spare + l * n);
    turn(w, &sums, 0, n, LANES, y, false);
}

/* Stores Y as slab O of the result. */
static void keep(const work *w, int64_t plane, int64_t o, double *y, double *typed)
{
    int64_t at = plane * w->result.far + o * w->result.each, n = w->result.each * w->lanes;
    bool planes = w->beside > 1;

    for (int64_t i = 0; w->rounds && i < n; i++)
        y[i] = round(y[i]);
    if (w->y) {
        memcpy(w->y + at, y, (size_t)n * sizeof *y);
    } else if (w->lanes == 1) {
        doubles_store(w->result.t, at, n, y);
    } else {
        doubles_store(&(inlay_tensor){.type = w->result.t->type, .data = typed}, 0, n, y);
        turn(w, &w->result, at, planes ? w->result.far : w->result.each,
             smaller(w->lanes, planes ? w->planes - plane : w->pass->out - o), typed, true);
    }
}

static void resize_item(const work *w, int64_t item, double *room, int64_t *tags)
{
    bool rows = w->lanes > w->beside;
    int64_t each = rows ? (w->pass->out + LANES - 1) / LANES : w->sums ? w->pass->out : 1;
    int64_t plane = item / each * w->beside, o = item % each * (rows ? LANES : 1);
    int64_t n = w->in.each * w->lanes;
    double *typed = room + w->room - w->part, *other = typed - w->part, *side = other - w->part;
    const double *x = other;

    if (rows)
        sum_beside(w, plane, o, room, tags, other, side);
    else if (w->sums)
        sum_slabs(w, plane, o, room, tags, other);
    else
        x = slab_of(w, plane, 0, room, tags);
    for (int i = w->sums; i < w->n; i++) {
        double *to = i % 2 == w->sums ? side : other;

        n = run_pass(&w->pass[i], x, n, to);
        x = to;
    }
    keep(w, plane, o, x == side ? side : other, typed);
}

/* A slot has consecutive items, so that most slabs of the data are converted once. */
static void resize_items(void *ctx, int64_t from, int64_t to)
{
    const work *w = ctx;

    for (; from < to; from++) {
        int64_t *tags = w->tags + from * w->places, end = (from + 1) * w->some;

        for (int64_t i = 0; i < w->places; i++)
            tags[i] = -1;
        for (int64_t item = from * w->some; item < end && item < w->items; item++)
            resize_item(w, item, w->rooms + from * w->room, tags);
    }
}

/* Writes the taps of P down as they are gathered. */
static bool spread_taps(inlay_call *c, pass *p)
{
    int64_t n = p->out * p->after;
    taps t = {p->t.most, inlay_call_memory(c, n * p->t.most, sizeof *t.index),
              inlay_call_memory(c, n * p->t.most, sizeof *t.weight)};

    if (!t.index || !t.weight)
        return false;
    for (int64_t k = 0; k < t.most; k++) {
        for (int64_t i = 0; i < n; i++) {
            int64_t from = i / p->after * t.most + k;

            t.index[k * n + i] = p->t.index[from] * p->after + i % p->after;
            t.weight[k * n + i] = p->t.weight[from];
        }
    }
    p->t = t;
    return true;
}

/* Finds the slabs, of which those of the result have the dims of OUT. */
static void find_slabs(const resizing *r, const int64_t *in, const int64_t *out, int rank, work *w)
{
    int outer = rank - 1, last = 0;
    bool turns;

    for (int i = 0; i < r->n; i++) {
        outer = r->axis[i].axis < outer ? r->axis[i].axis : outer;
        last = r->axis[i].axis > last ? r->axis[i].axis : last;
    }
    w->planes = dims_product(in, outer);
    w->in.far = dims_product(in + outer, rank - outer);
    w->result.far = dims_product(out + outer, rank - outer);
    turns = dims_product(in + last + 1, rank - last - 1) < LANES &&
            inlay_tensor_is_dense(w->in.t) && inlay_tensor_is_dense(w->result.t);
    w->lanes = w->beside = turns && w->planes >= FEW ? LANES : 1;
    w->sums = r->axis[0].axis == outer && w->in.far / in[outer] >= (w->beside > 1 ? FEW : LANES);
    w->in.each = w->in.far / (w->sums ? in[outer] : 1);
    w->result.each = w->result.far / (w->sums ? out[outer] : 1);
    if (turns && w->sums && w->result.each >= w->in.each)
        w->lanes = LANES;
    w->items = w->sums ? out[outer] : 1;
    if (w->lanes > w->beside)
        w->items = (w->items + LANES - 1) / LANES;
    w->items *= (w->planes + w->beside - 1) / w->beside;
}

/* Finds the passes. Returns the cost of an item; negative: out of memory. */
static double find_passes(inlay_call *c, const resizing *r, work *w)
{
    int rank = c->in[0]->rank;
    int64_t dims[INLAY_MAX_RANK], n = w->in.far;
    double cost = 0;

    memcpy(dims, c->in[0]->dims, (size_t)rank * sizeof *dims);
    w->part = w->in.each > w->result.each ? w->in.each : w->result.each;
    for (w->n = 0; w->n < r->n; w->n++) {
        const resized *a = &r->axis[w->n];
        pass *p = &w->pass[w->n];
        int64_t after = dims_product(dims + a->axis + 1, rank - a->axis - 1) * w->lanes;

        *p = (pass){.real = a->real, .out = a->out, .after = after, .gathers = after < LANES};
        dims[a->axis] = a->out;
        n = n / a->real * a->out;
        if (!interpolate_taps(c, r, a, &p->t) || (p->gathers && !spread_taps(c, p)))
            return -1;
        cost += (double)p->t.most * (double)n;
        if (n / (w->sums ? w->pass->out : 1) > w->part)
            w->part = n / (w->sums ? w->pass->out : 1);
    }
    w->part *= w->lanes;
    return cost * (double)w->planes / (double)w->items;
}

/* Dense data and results are converted slab by slab, others as a whole. */
static bool make_room(inlay_call *c, work *w, double cost)
{
    int64_t most = w->sums ? w->pass->t.most : 1;
    bool dense = inlay_tensor_is_dense(w->in.t), wide = w->in.t->type == INLAY_F64;

    w->single = w->sums && w->in.t->type == INLAY_F32;
    if (w->beside == 1 && (w->single || wide || !dense)) {
        w->x = w->single ? (const void *)load_f32(c, 0) : load_f64(c, 0);
        if (!w->x)
            return false;
    }
    if (!inlay_tensor_is_dense(w->result.t) && !(w->y = place_f64(c, 0)))
        return false;
    cost = cost * (double)w->items / SLOT_COST;
    w->slots = cost < SLOTS - FEW_SLOTS ? FEW_SLOTS + (int64_t)cost : SLOTS;
    w->slots = w->slots < w->items ? w->slots : w->items;
    w->some = (w->items + w->slots - 1) / w->slots;
    w->places = w->x ? 0 : w->sums && w->pass->real < most ? w->pass->real : most;
    w->room = w->places * w->in.each * w->beside + 3 * w->part;
    w->rooms = inlay_call_memory(c, w->slots * w->room, sizeof *w->rooms);
    w->tags = inlay_call_memory(c, w->slots * w->places + 1, sizeof *w->tags);
    return w->rooms && w->tags;
}

/* Is each element of the result of axis A just that of the data? */
static bool is_same(inlay_call *c, const resizing *r, const resized *a)
{
    taps t;

    if (a->real != a->out || !interpolate_taps(c, r, a, &t))
        return false;
    for (int64_t x = 0; x < a->out; x++) {
        int own = 0;

        for (int64_t i = x * t.most; i < (x + 1) * t.most; i++) {
            if (t.weight[i] != 0 && (t.weight[i] != 1 || t.index[i] != x))
                return false;
            own += t.weight[i] != 0;
        }
        if (own != 1)
            return false;
    }
    return true;
}

/* Leaves out axes that stay the same, but for one: any pass makes +0 of -0, which is all that such
 * an axis does. */
static resizing resizing_of(inlay_call *c, const resizing *all)
{
    resizing r = *all;

    r.n = 0;
    for (int i = 0; i < all->n; i++) {
        if (!is_same(c, all, &all->axis[i]))
            r.axis[r.n++] = all->axis[i];
    }
    return r.n > 0 ? r : *all;
}

static bool resample(inlay_call *c, const resizing *all)
{
    work w = {.in.t = c->in[0], .result.t = c->out[0], .rounds = interpolate_rounds(c, all)};
    const resizing some = resizing_of(c, all), *r = &some;
    double cost;

    if (r->n == 0 || inlay_tensor_count(w.in.t) == 0 || inlay_tensor_count(w.result.t) == 0)
        return interpolate_weigh(c, r);
    find_slabs(r, w.in.t->dims, w.result.t->dims, w.in.t->rank, &w);
    cost = find_passes(c, r, &w);
    if (cost < 0 || !make_room(c, &w, cost))
        return false;
    call_split(c, w.slots, (double)w.some * cost, resize_items, &w);
    return !w.y || store_f64(c, 0, w.y);
}

static bool takes(const inlay_call *c)
{
    return load_domain(c->in[0]->type) != DOMAIN_NONE;
}

static bool run(inlay_call *c, const void *packed)
{
    (void)packed;
    return interpolate_by(c, resample);
}

const library_kernel library_interpolate = {.op = INLAY_OP_INTERPOLATE,
                                            .name = "resampling",
                                            .takes = takes,
                                            .packs = -1,
                                            .run = run},
                     library_resize = {.op = INLAY_OP_ONNX_RESIZE,
                                       .name = "resampling",
                                       .takes = takes,
                                       .packs = -1,
                                       .run = run};
