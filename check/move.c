/* Where elements come from: operations that move them, as OpenVINO's specification has them. */
#include "check/check.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* How an output is made of elements of operands: its shape, and what tells of an index of it which
 * one is meant. A window of positions begin, begin + step, ... of each axis is read or written. */
typedef struct plan {
    const struct movement *how;
    question *q;
    const node *n;
    int k, axis;
    shape to, count;
    const shape *in[3]; /* NULL: not known */
    size_t total;       /* elements of TO */
    int64_t begin[MAX_RANK], step[MAX_RANK], *list, *from;
} plan;

static jmp_buf *unknown; /* where to go on when something cannot be told */
#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            longjmp(*unknown, 1);                                                                  \
    } while (0)

size_t count_of(const shape *s)
{
    size_t n = 1;

    for (int i = 0; i < s->rank; i++) {
        if (s->dims[i] < 0 || s->dims[i] > MOST || (n *= (size_t)s->dims[i]) > MOST)
            return MOST + 1;
    }
    return s->rank < 0 ? MOST + 1 : n;
}

bool same_shape(const shape *a, const shape *b)
{
    return a->rank == b->rank && memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0;
}

/* The index AT of element number I. */
static void unravel(const shape *s, size_t i, int64_t *at)
{
    for (int a = s->rank - 1; a >= 0; i /= (size_t)s->dims[a--])
        at[a] = (int64_t)(i % (size_t)s->dims[a]);
}

/* The number of the element with index AT; behind S: there is none. */
static size_t ravel(const shape *s, const int64_t *at)
{
    size_t i = 0;

    for (int a = 0; a < s->rank; a++) {
        if (at[a] < 0 || at[a] >= s->dims[a])
            return MOST + 1;
        i = i * (size_t)s->dims[a] + (size_t)at[a];
    }
    return i;
}

/* The elements of operand INPUT as integers; none if it is absent. */
static int64_t *ints(const plan *p, int input, int *n)
{
    element e = operand_of(p->n, input);
    const shape *of = e.n ? shape_of(p->q, e) : NULL;
    int64_t *list;

    NEED(!e.n || (of && count_of(of) <= 1 << 16));
    *n = of ? (int)count_of(of) : 0;
    list = keep(((size_t)*n + MAX_RANK) * sizeof *list);
    for (; e.at < (size_t)*n; e.at++) {
        word type, text = number_of(p->q, e, &type);

        NEED(text && strchr("iu", *type) && strlen(text) < 20);
        list[e.at] = strtoll(text, NULL, 10);
        if (llabs(list[e.at]) > INT64_MAX / 4) /* up to the end of an axis */
            list[e.at] /= 4;
    }
    return list;
}

static int axis_of(int64_t axis, int rank)
{
    NEED(axis >= -rank && axis < rank);
    return (int)(axis < 0 ? axis + rank : axis);
}

/* The axis that operand INPUT says, or attribute `axis`. */
static int axis_at(const plan *p, int input)
{
    int n;
    const int64_t *axis = ints(p, input, &n);
    word text = attr_of(p->n, "axis");

    return axis_of(n ? *axis : text ? strtoll(text, NULL, 10) : 0, p->in[0]->rank);
}

/* What start:stop:step says of axis A. */
static void cut(plan *p, int a, int64_t start, int64_t stop, int64_t by)
{
    int64_t size = p->count.dims[a], low = by < 0 ? -1 : 0, high = by < 0 ? size - 1 : size;

    NEED(by != 0);
    start += start < 0 ? size : 0;
    stop += stop < 0 ? size : 0;
    start = start > high ? high : start < 0 && high >= 0 ? 0 : start;
    stop = stop < low ? low : stop > high ? high : stop;
    p->count.dims[a] = by > 0 ? (stop > start ? (stop - start - 1) / by + 1 : 0)
                              : (start > stop ? (start - stop - 1) / -by + 1 : 0);
    p->begin[a] = start;
    p->step[a] = by;
}

static void whole(plan *p)
{
    p->to = p->count = *p->in[0];
    for (int a = 0; a < p->to.rank; a++)
        p->step[a] = 1;
}

/* The window of operand 0 that the operands from FIRST on say. */
static void window_of(plan *p, int first)
{
    int n[4];
    int64_t *at[4];

    whole(p);
    for (int i = 0; i < 4; i++) {
        at[i] = ints(p, first + i, &n[i]);
        NEED(n[i] == n[0] || (i == 3 && n[i] == 0));
    }
    for (int i = 0; i < n[0]; i++)
        cut(p, axis_of(n[3] ? at[3][i] : i, p->to.rank), at[0][i], at[1][i], at[2][i]);
}

bool same_window(question *q, const node *a, int i, const node *b, int k, const shape *data)
{
    plan v = {.q = q, .n = a, .in = {data}}, w = {.q = q, .n = b, .in = {data}};
    jmp_buf here, *before = unknown;
    volatile bool same = false;

    unknown = &here;
    if (data && setjmp(here) == 0) {
        window_of(&v, i);
        window_of(&w, k);
        same = same_shape(&v.count, &w.count) && memcmp(v.begin, w.begin, sizeof v.begin) == 0 &&
               memcmp(v.step, w.step, sizeof v.step) == 0;
    }
    unknown = before;
    return same;
}

/* ---- what is read, and by which index ---- */

static void slice(plan *p)
{
    window_of(p, 1);
    p->to = p->count;
}

static void split(plan *p)
{
    int n, open = -1;
    int64_t *parts = ints(p, 2, &n), left, begin = 0;
    word splits = attr_of(p->n, "num_splits");

    whole(p);
    p->axis = axis_at(p, 1);
    left = p->to.dims[p->axis];
    if (splits) {
        n = (int)strtol(splits, NULL, 10);
        NEED(n > 0 && n <= MAX_RANK && left % n == 0);
        for (int i = 0; i < n; i++)
            parts[i] = p->to.dims[p->axis] / n;
    }
    NEED(p->k < n);
    for (int i = 0; i < n; i++) {
        open = parts[i] == -1 ? i : open;
        left -= parts[i] == -1 ? 0 : parts[i];
    }
    if (open >= 0)
        parts[open] = left;
    for (int i = 0; i < p->k; i++)
        begin += parts[i];
    NEED(left >= 0 && (open >= 0 || left == 0));
    p->begin[p->axis] = begin;
    p->to.dims[p->axis] = parts[p->k];
}

static int in_window(const plan *p, int64_t *at)
{
    for (int a = 0; a < p->to.rank; a++)
        at[a] = p->begin[a] + at[a] * p->step[a];
    return 0;
}

static void slice_scatter(plan *p)
{
    window_of(p, 2);
    NEED(p->in[1] && same_shape(&p->count, p->in[1]));
}

/* What lies in the window is of operand IN, at the place there; what does not, of OUTSIDE. */
static int by_window(const plan *p, int64_t *at, int in, int outside)
{
    int64_t of[MAX_RANK] = {0};

    for (int a = 0; a < p->to.rank; a++) {
        int64_t from = at[a] - p->begin[a];

        of[a] = from / p->step[a];
        if (from % p->step[a] != 0 || of[a] < 0 || of[a] >= p->count.dims[a])
            return outside;
    }
    memcpy(at, of, sizeof of);
    return in;
}

static int from_window(const plan *p, int64_t *at)
{
    return by_window(p, at, 1, 0);
}

static void pad(plan *p)
{
    int n, m;
    const int64_t *begin = ints(p, 1, &n), *end = ints(p, 2, &m);

    whole(p);
    NEED(attr_is(p->n, "pad_mode", "constant") && n == p->to.rank && m == n);
    for (int a = 0; a < n; a++) {
        p->begin[a] = begin[a];
        p->to.dims[a] += begin[a] + end[a];
        NEED(p->to.dims[a] >= 0);
    }
}

static int inside(const plan *p, int64_t *at)
{
    int from = by_window(p, at, 0, 3);

    memset(at, 0, from ? MAX_RANK * sizeof *at : 0);
    return from;
}

static void concat(plan *p)
{
    whole(p);
    p->axis = axis_at(p, p->n->n_in);
    p->to.dims[p->axis] = 0;
    p->list = keep((size_t)p->n->n_in * sizeof *p->list);
    for (int i = 0; i < p->n->n_in; i++) {
        const shape *s = shape_of(p->q, operand_of(p->n, i));

        NEED(s && s->rank == p->to.rank);
        for (int a = 0; a < s->rank; a++)
            NEED(a == p->axis || s->dims[a] == p->to.dims[a]);
        p->to.dims[p->axis] += p->list[i] = s->dims[p->axis];
    }
}

static int of_parts(const plan *p, int64_t *at)
{
    int i = 0;

    while (at[p->axis] >= p->list[i])
        at[p->axis] -= p->list[i++];
    return i;
}

static void transpose(plan *p)
{
    int n;

    whole(p);
    p->list = ints(p, 1, &n);
    NEED(n == 0 || n == p->to.rank);
    for (int i = 0; i < p->to.rank; i++) {
        int a = n ? axis_of(p->list[i], p->to.rank) : p->to.rank - 1 - i;

        for (int k = 0; k < i; k++)
            NEED(p->list[k] != a);
        p->list[i] = a;
        p->to.dims[i] = p->in[0]->dims[a];
    }
}

static int turned(const plan *p, int64_t *at)
{
    int64_t of[MAX_RANK];

    memcpy(of, at, sizeof of);
    for (int i = 0; i < p->to.rank; i++)
        at[p->list[i]] = of[i];
    return 0;
}

/* Broadcast, whose sizes are operand 1, and Tile, where they are how often: each axis repeats. */
static void repeat(plan *p)
{
    const shape *x = p->in[0];
    int n;
    const int64_t *by = ints(p, 1, &n);
    bool tiles = is_op(p->n, "Tile"), both = attr_is(p->n, "mode", "bidirectional");

    NEED(tiles || both || !attr_of(p->n, "mode") || attr_is(p->n, "mode", "numpy"));
    NEED(n <= MAX_RANK && (tiles || both || n >= x->rank));
    p->to.rank = n > x->rank ? n : x->rank;
    for (int a = 0; a < p->to.rank; a++) {
        int own = a - p->to.rank + x->rank, its = a - p->to.rank + n;
        int64_t size = own < 0 ? 1 : x->dims[own], as = its < 0 ? 1 : by[its];

        NEED(as >= 0 && (tiles || size == 1 || size == as || (both && as == 1)));
        p->to.dims[a] = tiles ? size * as : size == 1 ? as : size;
    }
}

static int repeated(const plan *p, int64_t *at)
{
    int first = p->to.rank - p->in[0]->rank;

    for (int a = 0; a < p->in[0]->rank; a++)
        at[a] = at[a + first] % p->in[0]->dims[a];
    return 0;
}

static void reshape(plan *p)
{
    const shape *x = p->in[0];
    int open = -1;
    int64_t all = (int64_t)count_of(x), n = 1;
    const int64_t *as = ints(p, 1, &p->to.rank);

    NEED(p->n->n_in > 1 && p->to.rank <= MAX_RANK);
    for (int i = 0; i < p->to.rank; i++) {
        bool copied = as[i] == 0 && attr_is(p->n, "special_zero", "true");

        NEED(as[i] >= -1 && as[i] <= MOST && !(copied && i >= x->rank) && (as[i] >= 0 || open < 0));
        open = as[i] == -1 ? i : open;
        p->to.dims[i] = copied ? x->dims[i] : as[i];
        n *= as[i] == -1 ? 1 : p->to.dims[i];
    }
    NEED(open < 0 || (n > 0 && all % n == 0));
    if (open >= 0)
        p->to.dims[open] = all / n;
    NEED((int64_t)count_of(&p->to) == all);
}

/* Squeeze and Unsqueeze. */
static void axes_of_one(plan *p)
{
    const shape *x = p->in[0];
    bool adds = is_op(p->n, "Unsqueeze"), named[2 * MAX_RANK] = {false};
    int n;
    const int64_t *axes = ints(p, 1, &n);
    int rank = x->rank + (adds ? n : 0);

    NEED(rank <= MAX_RANK && (n > 0 || !adds));
    for (int i = 0; i < n; i++) {
        NEED(!named[axis_of(axes[i], rank)]);
        named[axis_of(axes[i], rank)] = true;
    }
    for (int i = 0, own = 0; i < rank; i++) {
        int64_t size = adds && named[i] ? 1 : x->dims[own++];

        if (adds || !(n ? named[i] : size == 1))
            p->to.dims[p->to.rank++] = size;
    }
    NEED(count_of(&p->to) == count_of(x));
}

/* ---- gathers and scatters ---- */

static void put_dims(shape *to, const int64_t *dims, int n)
{
    NEED(n >= 0 && to->rank + n <= MAX_RANK);
    for (int i = 0; i < n; i++)
        to->dims[to->rank++] = dims[i];
}

/* Index AT of what is gathered, or of updates, becomes that of the data: GatherElements replaces
 * one axis by the index that stands there, GatherND the first axes of the indices by a tuple, and
 * Gather all axes of the indices by one. */
static int named_place(const plan *p, int64_t *at)
{
    const shape *x = p->in[0], *i = p->in[1];
    bool elements = strstr(p->n->op, "Elements"), tuples = strstr(p->n->op, "ND");
    int axes = elements ? 0
               : tuples ? i->rank - 1
                        : i->rank,
        many = tuples ? (int)i->dims[axes] : 1;
    int64_t of[2 * MAX_RANK] = {0};
    const int64_t *index = p->list + (elements ? ravel(i, at) : 0);

    if (!elements) {
        shape s = {.rank = axes};

        memcpy(s.dims, i->dims, sizeof s.dims);
        index += ravel(&s, at + p->axis) * (size_t)many;
    }
    memcpy(of, at, (size_t)p->axis * sizeof *of);
    for (int a = 0; a < many; a++)
        of[p->axis + a] = index[a] + (index[a] < 0 ? x->dims[p->axis + a] : 0);
    for (int a = p->axis + many; a < x->rank; a++)
        of[a] = at[elements ? a : a - many + axes];
    memcpy(at, of, MAX_RANK * sizeof *at);
    return 0;
}

/* The shape of what is gathered, or of updates. */
static void gather(plan *p)
{
    const shape *x = p->in[0], *i = p->in[1];
    bool elements = strstr(p->n->op, "Elements"), tuples = strstr(p->n->op, "ND");
    bool scatters = strstr(p->n->op, "Scatter");
    int n, many = tuples && i ? (int)i->dims[i->rank - 1] : 1;
    word batch = attr_of(p->n, "batch_dims");

    NEED(i && (!batch || strcmp(batch, "0") == 0) && (!tuples || i->rank > 0));
    p->axis = tuples ? 0 : axis_at(p, scatters ? 3 : elements ? p->n->n_in : 2);
    p->list = ints(p, 1, &n);
    NEED(many > 0 && many <= x->rank && (!elements || i->rank == x->rank));
    if (elements) {
        p->to = *i;
        return;
    }
    put_dims(&p->to, x->dims, p->axis);
    put_dims(&p->to, i->dims, i->rank - tuples);
    put_dims(&p->to, x->dims + p->axis + many, x->rank - p->axis - many);
}

static void scatter(plan *p)
{
    size_t n = count_of(p->in[0]);
    int64_t at[MAX_RANK];

    gather(p);
    NEED(p->in[2] && same_shape(p->in[2], &p->to) && count_of(&p->to) <= MOST && n <= MOST);
    NEED(!attr_of(p->n, "reduction") || attr_is(p->n, "reduction", "none"));
    p->from = keep((n + 1) * sizeof *p->from);
    for (size_t k = 0; k < count_of(&p->to); k++) {
        size_t place;

        unravel(&p->to, k, at);
        named_place(p, at);
        place = ravel(p->in[0], at);
        NEED(place < n && p->from[place] == 0); /* else it is not said which comes last */
        p->from[place] = (int64_t)k + 1;
    }
    p->to = *p->in[0];
}

static int updated(const plan *p, int64_t *at)
{
    int64_t from = p->from[ravel(&p->to, at)];

    if (from > 0)
        unravel(p->in[2], (size_t)from - 1, at);
    return from > 0 ? 2 : 0;
}

/* INDEX makes an index of the output one of the operand that it returns; NULL: elements keep their
 * order. */
typedef struct movement {
    const char *op;
    void (*plan)(plan *p);
    int (*index)(const plan *p, int64_t *at);
} movement;

static const movement movements[] = {{"Slice", slice, in_window},
                                     {"Split", split, in_window},
                                     {"VariadicSplit", split, in_window},
                                     {"SliceScatter", slice_scatter, from_window},
                                     {"Pad", pad, inside},
                                     {"Concat", concat, of_parts},
                                     {"Transpose", transpose, turned},
                                     {"Broadcast", repeat, repeated},
                                     {"Tile", repeat, repeated},
                                     {"Reshape", reshape, NULL},
                                     {"Squeeze", axes_of_one, NULL},
                                     {"Unsqueeze", axes_of_one, NULL},
                                     {"Identity", whole, NULL},
                                     {"Result", whole, NULL},
                                     {"Gather", gather, named_place},
                                     {"GatherElements", gather, named_place},
                                     {"GatherND", gather, named_place},
                                     {"ScatterUpdate", scatter, updated},
                                     {"ScatterElementsUpdate", scatter, updated},
                                     {"ScatterNDUpdate", scatter, updated}};

/* Do the operands of a pointwise operation broadcast to the shape that is claimed? */
static bool is_broadcast(question *q, const node *n, const shape *to)
{
    int64_t most[MAX_RANK] = {0};

    for (int i = 0; i < n->n_in; i++) {
        const shape *x = shape_of(q, operand_of(n, i));

        if (!x || x->rank > to->rank)
            return false;
        for (int a = 0; a < x->rank; a++) {
            int64_t own = x->dims[a], *is = &most[a + to->rank - x->rank];

            if (own != 1 && own != to->dims[a + to->rank - x->rank])
                return false;
            *is = own == 1 && *is ? *is : own;
        }
    }
    return memcmp(most, to->dims, (size_t)to->rank * sizeof *most) == 0;
}

/* The plan of an output, looked for once. With it goes its shape, if that is only claimed. */
static const plan *plan_of(question *q, const node *n, int k)
{
    value *v = k < n->n_out ? &n->out[k] : NULL;
    plan *p;
    jmp_buf here, *before = unknown;

    if (!v || v->planned)
        return v ? v->plan : NULL;
    p = keep(sizeof *p);
    v->planned = true; /* what depends on itself has none */
    *p = (plan){.q = q, .n = n, .k = k};
    for (size_t i = 0; n->n_in > 0 && i < sizeof movements / sizeof *movements; i++)
        p->how = is_op(n, movements[i].op) ? &movements[i] : p->how;
    for (int a = 0; p->how && a < 3; a++)
        p->in[a] = shape_of(q, operand_of(n, a));
    unknown = &here;
    if (p->how && p->in[0] && setjmp(here) == 0) {
        p->how->plan(p);
        p->total = count_of(&p->to);
        NEED(p->total <= MOST);
        v->plan = p;
    }
    unknown = before;
    if (v->claimed && v->plan)
        v->shape = &p->to;
    v->claimed =
        v->claimed && !v->plan && !(v->shape && is_pointwise(n) && is_broadcast(q, n, v->shape));
    return v->plan;
}

bool moved(question *q, element *e)
{
    const plan *p = e->n ? plan_of(q, e->n, e->k) : NULL;
    int64_t at[MAX_RANK];
    const shape *of;
    element x;

    if (!p || q->steps-- <= 0 || e->at >= p->total)
        return false;
    unravel(&p->to, e->at, at);
    x = operand_of(e->n, p->how->index ? p->how->index(p, at) : 0);
    of = x.n ? shape_of(q, x) : NULL;
    x.at = !p->how->index ? e->at : of ? ravel(of, at) : 0;
    if (x.at > MOST || (x.n && !of))
        return false;
    *e = x;
    return true;
}

bool is_pointwise(const node *n)
{
    return n->n_in > 0 && !n->set && has_flag(n, "pointwise") &&
           (!attr_of(n, "auto_broadcast") || attr_is(n, "auto_broadcast", "numpy"));
}

bool pointwise_of(question *q, element e, int i, element *from)
{
    const shape *to = shape_of(q, e), *of;
    int64_t at[MAX_RANK];

    *from = operand_of(e.n, i);
    of = shape_of(q, *from);
    if (!to || !of || of->rank > to->rank)
        return false;
    unravel(to, e.at, at);
    for (int a = 0; a < of->rank; a++)
        at[a] = of->dims[a] == 1 ? 0 : at[a + to->rank - of->rank];
    from->at = ravel(of, at);
    return from->at <= MOST;
}

const shape *shape_of(question *q, element e)
{
    value *v = e.n && e.k < e.n->n_out ? &e.n->out[e.k] : NULL;

    if (v && v->claimed)
        plan_of(q, e.n, e.k);
    if (!v || !v->shape || count_of(v->shape) > MOST)
        return NULL;
    q->claimed |= v->claimed;
    return v->shape;
}

element operand_of(const node *n, int i)
{
    return i < n->n_in ? n->in[i] : (element){NULL, 0, 0};
}

word number_of(question *q, element e, word *type)
{
    char text[32];

    for (int i = 0; i < 64 && moved(q, &e); i++)
        ;
    if (e.n && e.n->elements) {
        *type = e.n->out[0].type;
        return e.n->elements[e.at];
    }
    if (e.n && is_op(e.n, "ShapeOf")) {
        const shape *x = shape_of(q, operand_of(e.n, 0));

        *type = attr_of(e.n, "output_type");
        *type = *type ? *type : word_of("i64", 3);
        if (x && e.at < (size_t)x->rank)
            return word_of(text,
                           (size_t)snprintf(text, sizeof text, "%lld", (long long)x->dims[e.at]));
    }
    return NULL;
}
