/* Where elements come from: operations that move them, as OpenVINO's specification has them. */
#include "check/check.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* An output as axes, each with a table: the entries of an element add up to where it is in operand
 * FROM. If one is -1, it is in operand ELSE: at the same place if it is scattered, or the only
 * element, or, without an operand, 0. Without axes all elements keep their places. */
typedef struct plan {
    shape to;
    size_t count; /* of its elements */
    int n, from, otherwise;
    bool scattered;
    int64_t size[MAX_RANK], *table[MAX_RANK];
} plan;

/* The positions begin, begin + step, ... of each axis: COUNT of them. */
typedef struct window {
    int64_t begin[MAX_RANK], step[MAX_RANK];
    shape count;
} window;

typedef struct job {
    scope *s;
    const node *n;
    int k;
    const shape *in[3]; /* NULL: not known */
    plan *p;
} job;

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

static int64_t product(const int64_t *dims, int n)
{
    return n > 0 ? dims[0] * product(dims + 1, n - 1) : 1;
}

/* How far apart the elements beside each other on axis A are. */
static int64_t stride_of(const shape *s, int a)
{
    return product(s->dims + a + 1, s->rank - a - 1);
}

/* The elements of operand INPUT as integers; none if it is absent. */
static int64_t *ints(const job *j, int input, int *n)
{
    element e = operand_of(j->s, j->n, input);
    const shape *of = e.n ? shape_of(j->s, e) : NULL;
    int64_t *list;

    NEED(!e.n || (of && count_of(of) <= 1 << 16));
    *n = of ? (int)count_of(of) : 0;
    list = keep(((size_t)*n + MAX_RANK) * sizeof *list);
    for (; e.at < (size_t)*n; e.at++) {
        word type, text = number_of(j->s, e, &type);

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
static int axis_at(const job *j, int input)
{
    int n;
    const int64_t *axis = ints(j, input, &n);

    return axis_of(n ? *axis : attr_int(j->n, "axis"), j->in[0]->rank);
}

/* Another axis of the plan, with FIRST, FIRST + BY, ... in its table. */
static int64_t *add_axis(plan *p, int64_t size, int64_t first, int64_t by)
{
    int64_t *t;

    NEED(size >= 0 && size <= MOST && p->n < MAX_RANK);
    t = keep(((size_t)size + 1) * sizeof *t);
    for (int64_t i = 0; i < size; i++)
        t[i] = first + i * by;
    p->size[p->n] = size;
    return p->table[p->n++] = t;
}

/* What start:stop:step says of axis A. */
static void cut(window *w, int a, int64_t start, int64_t stop, int64_t by)
{
    int64_t size = w->count.dims[a], low = by < 0 ? -1 : 0, high = by < 0 ? size - 1 : size;

    NEED(by != 0);
    start += start < 0 ? size : 0;
    stop += stop < 0 ? size : 0;
    start = start > high ? high : start < 0 && high >= 0 ? 0 : start;
    stop = stop < low ? low : stop > high ? high : stop;
    w->count.dims[a] = by > 0 ? (stop > start ? (stop - start - 1) / by + 1 : 0)
                              : (start > stop ? (start - stop - 1) / -by + 1 : 0);
    w->begin[a] = start;
    w->step[a] = by;
}

/* The window of DATA that the operands from FIRST on say. */
static window window_of(const job *j, int first, const shape *data)
{
    window w = {.count = *data};
    int n[4];
    int64_t *at[4];

    for (int a = 0; a < data->rank; a++)
        w.step[a] = 1;
    for (int i = 0; i < 4; i++) {
        at[i] = ints(j, first + i, &n[i]);
        NEED(n[i] == n[0] || (i == 3 && n[i] == 0));
    }
    for (int i = 0; i < n[0]; i++)
        cut(&w, axis_of(n[3] ? at[3][i] : i, data->rank), at[0][i], at[1][i], at[2][i]);
    return w;
}

bool same_window(scope *s, const node *a, int i, const node *b, int k, const shape *data)
{
    const job one = {.s = s, .n = a}, two = {.s = s, .n = b};
    jmp_buf here, *before = unknown;
    volatile bool same = false;

    unknown = &here;
    if (data && setjmp(here) == 0) {
        window v = window_of(&one, i, data), w = window_of(&two, k, data);

        same = memcmp(&v, &w, sizeof v) == 0;
    }
    unknown = before;
    return same;
}

/* Reads window W of operand 0. */
static void read_window(const job *j, const window *w)
{
    for (int a = 0; a < w->count.rank; a++)
        add_axis(j->p, w->count.dims[a], w->begin[a] * stride_of(j->in[0], a),
                 w->step[a] * stride_of(j->in[0], a));
    j->p->to = w->count;
}

static void slice(const job *j)
{
    window w = window_of(j, 1, j->in[0]);

    read_window(j, &w);
}

/* What the axes do not say is from operand 0. */
static void scatter(const job *j, int updates)
{
    j->p->to = *j->in[0];
    j->p->from = updates;
    j->p->otherwise = 0;
    j->p->scattered = true;
}

static void slice_scatter(const job *j)
{
    window w = window_of(j, 2, j->in[0]);

    NEED(j->in[1] && same_shape(&w.count, j->in[1]));
    for (int a = 0; a < w.count.rank; a++) {
        int64_t *t = add_axis(j->p, j->in[0]->dims[a], -1, 0);

        for (int64_t i = 0; i < w.count.dims[a]; i++)
            t[w.begin[a] + i * w.step[a]] = i * stride_of(&w.count, a);
    }
    scatter(j, 1);
}

/* Axis 1 of 3 says of which operand an element is (FROM is -1), and where on its axis. */
static void concat(const job *j)
{
    plan *p = j->p;
    int axis = axis_at(j, j->n->n_in);
    int64_t *t;

    p->to = *j->in[0];
    p->from = -1;
    for (int i = 1; i < j->n->n_in; i++) {
        const shape *s = shape_of(j->s, operand_of(j->s, j->n, i));

        NEED(s && s->rank == p->to.rank && i < 1 << 12);
        for (int a = 0; a < s->rank; a++)
            NEED(a == axis || s->dims[a] == p->to.dims[a]);
        p->to.dims[axis] += s->dims[axis];
    }
    add_axis(p, product(p->to.dims, axis), 0, 1);
    t = add_axis(p, p->to.dims[axis], 0, 0);
    add_axis(p, stride_of(&p->to, axis), 0, 1);
    for (int i = 0; i < j->n->n_in; i++) {
        int64_t n = shape_of(j->s, operand_of(j->s, j->n, i))->dims[axis];

        for (int64_t c = 0; c < n; c++)
            *t++ = (i * (int64_t)MOST * 2 + n) * MOST * 2 + c;
    }
}

static void split(const job *j)
{
    int axis = axis_at(j, 1), n, open = -1;
    int64_t *parts = ints(j, 2, &n), left = j->in[0]->dims[axis];
    window w = {.count = *j->in[0]};

    if (is_op(j->n, "Split")) {
        n = (int)attr_int(j->n, "num_splits");
        NEED(n > 0 && n <= MAX_RANK && left % n == 0);
        for (int i = 0; i < n; i++)
            parts[i] = left / n;
    }
    NEED(j->k < n);
    for (int i = 0; i < n; i++) {
        open = parts[i] == -1 ? i : open;
        left -= parts[i] == -1 ? 0 : parts[i];
    }
    if (open >= 0)
        parts[open] = left;
    NEED(left >= 0 && (open >= 0 || left == 0));
    for (int a = 0; a < w.count.rank; a++)
        w.step[a] = 1;
    for (int i = 0; i < j->k; i++)
        w.begin[axis] += parts[i];
    w.count.dims[axis] = parts[j->k];
    read_window(j, &w);
}

static void transpose(const job *j)
{
    const shape *x = j->in[0];
    unsigned seen = 0;
    int n;
    const int64_t *order = ints(j, 1, &n);

    NEED(n == 0 || n == x->rank);
    for (int i = 0; i < x->rank; i++) {
        int a = n ? axis_of(order[i], x->rank) : x->rank - 1 - i;

        NEED(!(seen & 1u << a));
        seen |= 1u << a;
        j->p->to.dims[j->p->to.rank++] = x->dims[a];
        add_axis(j->p, x->dims[a], 0, stride_of(x, a));
    }
}

static void reshape(const job *j)
{
    const shape *x = j->in[0];
    shape *to = &j->p->to;
    int open = -1;
    int64_t all = (int64_t)count_of(x), n = 1;
    const int64_t *as = ints(j, 1, &to->rank);

    NEED(j->n->n_in > 1 && to->rank <= MAX_RANK);
    for (int i = 0; i < to->rank; i++) {
        bool copied = as[i] == 0 && attr_is(j->n, "special_zero", "true");

        NEED(as[i] >= -1 && as[i] <= MOST && !(copied && i >= x->rank) && (as[i] >= 0 || open < 0));
        open = as[i] == -1 ? i : open;
        to->dims[i] = copied ? x->dims[i] : as[i];
        n *= as[i] == -1 ? 1 : to->dims[i];
    }
    NEED(open < 0 || (n > 0 && all % n == 0));
    if (open >= 0)
        to->dims[open] = all / n;
    NEED((int64_t)count_of(to) == all);
}

/* Squeeze and Unsqueeze. */
static void axes_of_one(const job *j)
{
    const shape *x = j->in[0];
    bool more = is_op(j->n, "Unsqueeze"), named[2 * MAX_RANK] = {false};
    int n;
    const int64_t *axes = ints(j, 1, &n);
    int rank = x->rank + (more ? n : 0);

    NEED(rank <= MAX_RANK && (n > 0 || !more));
    for (int i = 0; i < n; i++) {
        NEED(!named[axis_of(axes[i], rank)]);
        named[axis_of(axes[i], rank)] = true;
    }
    for (int i = 0, own = 0; i < rank; i++) {
        int64_t size = more && named[i] ? 1 : x->dims[own++];

        if (more || !(n ? named[i] : size == 1))
            j->p->to.dims[j->p->to.rank++] = size;
    }
    NEED(count_of(&j->p->to) == count_of(x));
}

static void identity(const job *j)
{
    j->p->to = *j->in[0];
}

/* Broadcast, whose sizes are operand 1, and Tile, where they are how often: each axis repeats. */
static void repeat(const job *j)
{
    const shape *x = j->in[0];
    shape *to = &j->p->to;
    int n;
    const int64_t *by = ints(j, 1, &n);
    bool tiles = is_op(j->n, "Tile"), both = attr_is(j->n, "mode", "bidirectional");

    NEED(tiles || both || !attr_of(j->n, "mode") || attr_is(j->n, "mode", "numpy"));
    NEED(n <= MAX_RANK && (tiles || both || n >= x->rank));
    to->rank = n > x->rank ? n : x->rank;
    for (int a = 0; a < to->rank; a++) {
        int own = a - to->rank + x->rank, its = a - to->rank + n;
        int64_t size = own < 0 ? 1 : x->dims[own], as = its < 0 ? 1 : by[its], *t;

        NEED(tiles || size == 1 || size == as || (both && as == 1));
        to->dims[a] = tiles ? size * as : size == 1 ? as : size;
        t = add_axis(j->p, to->dims[a], 0, 0);
        for (int64_t i = 0; own >= 0 && i < to->dims[a]; i++)
            t[i] = i % size * stride_of(x, own);
    }
}

static void pad(const job *j)
{
    const shape *x = j->in[0];
    word mode = attr_of(j->n, "pad_mode");
    int n, m;
    const int64_t *begin = ints(j, 1, &n), *end = ints(j, 2, &m);

    NEED(mode && n == x->rank && m == n);
    j->p->to = *x;
    j->p->otherwise = operand_of(j->s, j->n, 3).n ? 3 : -1;
    for (int a = 0; a < n; a++) {
        int64_t size = x->dims[a], to = j->p->to.dims[a] += begin[a] + end[a],
                *t = add_axis(j->p, to, -begin[a], 1);

        for (int64_t i = 0; i < to; i++) {
            if (*mode == 'e') /* edge, reflect, symmetric, constant */
                t[i] = t[i] < 0 ? 0 : t[i] < size ? t[i] : size - 1;
            else if (*mode != 'c' && t[i] < 0)
                t[i] = -t[i] - (*mode == 's');
            else if (*mode != 'c' && t[i] >= size)
                t[i] = 2 * size - 1 - t[i] - (*mode == 'r');
            else if (t[i] < 0 || t[i] >= size)
                t[i] = -1;
            NEED(t[i] < size && (*mode == 'c' || t[i] >= 0));
            t[i] *= t[i] < 0 ? 1 : stride_of(x, a);
        }
    }
}

/* Places that indices name: N of them, each the begin of a block of elements, OUTER times. */
typedef struct places {
    int64_t *at, outer, n, block, apart; /* APART: elements of the data from one time to the next */
} places;

/* ScatterElementsUpdate and so on name elements by an index on one axis, ScatterNDUpdate and so on
 * blocks by one on each of the first, ScatterUpdate and so on blocks by one on an axis. */
static places places_of(const job *j, bool gathers)
{
    const shape *x = j->in[0], *i = j->in[1];
    bool elements = strstr(j->n->op, "Elements"), tuples = strstr(j->n->op, "ND");
    int axis = tuples ? 0 : axis_at(j, gathers ? (elements ? j->n->n_in : 2) : 3), count, named;
    int64_t *at = ints(j, 1, &count);
    places p = {at, 1, count, 1, 0};

    NEED(i && attr_int(j->n, "batch_dims") == 0 && (!tuples || i->rank > 0));
    named = tuples ? (int)i->dims[i->rank - 1] : 1;
    NEED(named > 0 && named <= x->rank && (!elements || i->rank == x->rank));
    if (!elements)
        p.block = stride_of(x, axis + named - 1);
    if (!elements && !tuples)
        p = (places){at, product(x->dims, axis), count, p.block, x->dims[axis] * p.block};
    p.n /= named;
    for (int64_t k = 0; k < count; k++) {
        int64_t on = tuples ? k % named : axis, rest = k, place = 0;

        NEED(at[k] >= -x->dims[on] && at[k] < x->dims[on]);
        place = (at[k] + (at[k] < 0 ? x->dims[on] : 0)) * stride_of(x, (int)on);
        for (int a = x->rank - 1; elements && a >= 0; rest /= i->dims[a--])
            place += a == axis ? 0 : rest % i->dims[a] * stride_of(x, a);
        at[k / named] = (on == 0 || !tuples ? 0 : at[k / named]) + place;
    }
    return p;
}

static void put_dims(shape *to, const int64_t *dims, int n)
{
    NEED(to->rank + n <= MAX_RANK);
    for (int i = 0; i < n; i++)
        to->dims[to->rank++] = dims[i];
}

static void gather(const job *j)
{
    places p = places_of(j, true);
    const shape *x = j->in[0], *i = j->in[1];
    bool elements = strstr(j->n->op, "Elements"), tuples = strstr(j->n->op, "ND");
    int axis = tuples || elements ? 0 : axis_at(j, 2);

    add_axis(j->p, p.outer, 0, p.apart);
    memcpy(add_axis(j->p, p.n, 0, 0), p.at, (size_t)p.n * sizeof *p.at);
    add_axis(j->p, p.block, 0, 1);
    put_dims(&j->p->to, x->dims, axis);
    put_dims(&j->p->to, i->dims, i->rank - tuples);
    if (!elements)
        axis += tuples ? (int)i->dims[i->rank - 1] : 1;
    put_dims(&j->p->to, x->dims + axis, elements ? 0 : x->rank - axis);
}

static void scatter_at(const job *j)
{
    places p = places_of(j, false);
    const shape *u = j->in[2];
    int64_t *t;

    NEED(u && (int64_t)count_of(u) == p.outer * p.n * p.block && p.block > 0);
    NEED(!strstr(j->n->op, "Elements") || same_shape(u, j->in[1]));
    NEED(!attr_of(j->n, "reduction") || attr_is(j->n, "reduction", "none"));
    add_axis(j->p, p.outer, 0, p.n * p.block);
    t = add_axis(j->p, (int64_t)count_of(j->in[0]) / p.block / (p.outer ? p.outer : 1), -1, 0);
    add_axis(j->p, p.block, 0, 1);
    for (int64_t k = 0; k < p.n; k++) {
        NEED(t[p.at[k] / p.block] < 0); /* else it is not said which comes last */
        t[p.at[k] / p.block] = k * p.block;
    }
    scatter(j, 2);
}

static const struct {
    const char *op;
    void (*plan)(const job *j);
} movements[] = {{"Slice", slice},
                 {"SliceScatter", slice_scatter},
                 {"Concat", concat},
                 {"Split", split},
                 {"VariadicSplit", split},
                 {"Transpose", transpose},
                 {"Reshape", reshape},
                 {"Squeeze", axes_of_one},
                 {"Unsqueeze", axes_of_one},
                 {"Identity", identity},
                 {"Result", identity},
                 {"Broadcast", repeat},
                 {"Tile", repeat},
                 {"Pad", pad},
                 {"Gather", gather},
                 {"GatherElements", gather},
                 {"GatherND", gather},
                 {"ScatterUpdate", scatter_at},
                 {"ScatterElementsUpdate", scatter_at},
                 {"ScatterNDUpdate", scatter_at}};

static const shape *broadcast_of(scope *s, const node *n);

/* The plan of an output, looked for once. With it goes its shape, if that is only claimed. */
static const plan *plan_of(scope *s, const node *n, int k)
{
    value *v = &n->out[k];
    job j = {s, n, k, {NULL}, NULL};
    jmp_buf here, *before = unknown;
    void (*volatile how)(const job *) = NULL;
    const shape *found;

    if (v->planned)
        return v->plan;
    v->planned = true; /* what depends on itself has none */
    for (size_t i = 0; n->n_in > 0 && i < sizeof movements / sizeof *movements; i++)
        how = is_op(n, movements[i].op) ? movements[i].plan : how;
    for (int a = 0; how && a < 3; a++)
        j.in[a] = shape_of(s, operand_of(s, n, a));
    unknown = &here;
    if (how && j.in[0] && setjmp(here) == 0) {
        j.p = keep(sizeof *j.p);
        how(&j);
        NEED(count_of(&j.p->to) <= MOST);
        j.p->count = count_of(&j.p->to);
        v->plan = j.p;
    }
    unknown = before;
    found = v->plan ? &v->plan->to : v->claimed && is_pointwise(n) ? broadcast_of(s, n) : NULL;
    if (v->claimed && found) {
        v->claimed = false;
        v->shape = found;
    }
    return v->plan;
}

bool moved(scope *s, element *e)
{
    const plan *p = e->n ? plan_of(s, e->n, e->k) : NULL;
    int64_t at = p && p->n == 0 ? (int64_t)e->at : 0, entry[MAX_RANK];
    size_t left = e->at, same = e->at;
    int from;

    if (!p || e->at >= p->count || s->steps-- <= 0)
        return false;
    from = p->from;
    for (int a = p->n - 1; a >= 0; left /= (size_t)p->size[a--]) {
        entry[a] = p->table[a][left % (size_t)p->size[a]];
        at = at < 0 || entry[a] < 0 ? -1 : at + entry[a];
    }
    if (from < 0) { /* Concat */
        from = (int)(entry[1] / (MOST * 2) / (MOST * 2));
        at =
            (entry[0] * (entry[1] / (MOST * 2) % (MOST * 2)) + entry[1] % (MOST * 2)) * p->size[2] +
            entry[2];
    }
    from = at < 0 ? p->otherwise : from;
    *e = from < 0 ? (element){NULL, 0, 0} : operand_of(s, e->n, from);
    e->at = at >= 0 ? (size_t)at : p->scattered ? same : 0;
    return true;
}

bool is_pointwise(const node *n)
{
    return n->n_in > 0 && !n->set && has_flag(n, "pointwise") &&
           (!attr_of(n, "auto_broadcast") || attr_is(n, "auto_broadcast", "numpy"));
}

size_t broadcast_at(const shape *from, const shape *to, size_t i)
{
    size_t p = 0, stride = 1;

    for (int a = to->rank - 1, b = from->rank - 1; b >= 0; i /= (size_t)to->dims[a--], b--) {
        p += from->dims[b] == 1 ? 0 : i % (size_t)to->dims[a] * stride;
        stride *= (size_t)from->dims[b];
    }
    return p;
}

/* The shape of operands that broadcast. */
static const shape *broadcast_of(scope *s, const node *n)
{
    shape *to = keep(sizeof *to);

    for (int i = 0; i < n->n_in; i++) {
        const shape *x = shape_of(s, operand_of(s, n, i)), was = *to;

        to->rank = x && x->rank > was.rank ? x->rank : was.rank;
        for (int a = 1; x && a <= to->rank; a++) {
            int64_t one = a <= x->rank ? x->dims[x->rank - a] : 1,
                    two = a <= was.rank ? was.dims[was.rank - a] : 1;

            x = one == 1 || two == 1 || one == two ? x : NULL;
            to->dims[to->rank - a] = one != 1 ? one : two;
        }
        if (!x)
            return NULL;
    }
    return to;
}

const shape *shape_of(scope *s, element e)
{
    value *v = e.n && e.k < e.n->n_out ? &e.n->out[e.k] : NULL;

    if (v && v->claimed)
        plan_of(s, e.n, e.k);
    if (!v || !v->shape || count_of(v->shape) > MOST)
        return NULL;
    s->claimed |= v->claimed;
    return v->shape;
}

element operand_of(const scope *s, const node *n, int i)
{
    operand o = i < n->n_in ? n->in[i] : (operand){NULL, 0};
    const node *from = find(s->g, o.name);

    return (element){from ? from : find(s->made, o.name), o.index, 0};
}

/* The sum, difference or product of known integers. */
static word computed(scope *s, element e, word *type)
{
    static const char *const sums[] = {"Add", "Subtract", "Multiply", "Convert", NULL};
    const shape *to = is_among(e.n, sums) && is_pointwise(e.n) ? shape_of(s, e) : NULL;
    int64_t x[2] = {0};

    for (int i = 0; to && i < e.n->n_in; i++) {
        element of = operand_of(s, e.n, i);
        const shape *as = shape_of(s, of);
        word text;

        of.at = as ? broadcast_at(as, to, e.at) : 0;
        text = as ? number_of(s, of, type) : NULL;
        if (!text || (strcmp(*type, "i64") != 0 && strcmp(*type, "i32") != 0) || strlen(text) > 9)
            return NULL;
        x[i] = strtoll(text, NULL, 10);
    }
    if (to && is_op(e.n, "Convert"))
        *type = attr_of(e.n, "destination_type");
    if (!to || strcmp(*type, "i64") != 0)
        return NULL;
    return word_of_number(is_op(e.n, "Multiply")   ? x[0] * x[1]
                          : is_op(e.n, "Subtract") ? x[0] - x[1]
                                                   : x[0] + x[1]);
}

word number_of(scope *s, element e, word *type)
{
    for (int i = 0; i < 64 && moved(s, &e); i++)
        ;
    if (e.n && e.n->elements) {
        const char *p = e.n->elements[e.at];

        *type = e.n->out[0].type;
        return word_of(p, strcspn(p, ",]"));
    }
    if (e.n && is_op(e.n, "ShapeOf")) {
        const shape *x = shape_of(s, operand_of(s, e.n, 0));

        *type = attr_of(e.n, "output_type");
        *type = *type ? *type : word_of("i64", 3);
        return x && e.at < (size_t)x->rank ? word_of_number(x->dims[e.at]) : NULL;
    }
    return e.n && s->steps-- > 0 ? computed(s, e, type) : NULL;
}
