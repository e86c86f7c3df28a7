/* Where elements come from: operations that move them, as OpenVINO's specification has them. */
#include "check/check.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Of each element of an output the operand, from 1, and the place there; 0: that cannot be told. */
typedef struct plan {
    question *q;
    const node *n;
    int k, base;        /* BASE: what a box may write over */
    const shape *in[3]; /* NULL: not known */
    shape to;
    size_t total; /* of its elements */
    uint64_t *from;
} plan;

/* Elements that one operand gives to the output: COUNT of each axis, from place AT on, BY apart. */
typedef struct box {
    int rank;
    int64_t count[2 * MAX_RANK], at, by[2 * MAX_RANK], to, to_by[2 * MAX_RANK];
} box;

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
static int64_t stride(const shape *s, int a)
{
    return product(s->dims + a + 1, s->rank - a - 1);
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

/* Fills in what box B of operand FROM gives. Nothing is written twice, but over the base. */
static void put(plan *p, int from, const box *b, int axis, int64_t at, int64_t to)
{
    if (axis < b->rank) {
        for (int64_t i = 0; i < b->count[axis]; i++)
            put(p, from, b, axis + 1, at + i * b->by[axis], to + i * b->to_by[axis]);
        return;
    }
    NEED(at >= 0 && at <= MOST && to >= 0 && (size_t)to < p->total);
    NEED((int)(p->from[to] >> 32) == p->base);
    p->from[to] = (uint64_t)(from + 1) << 32 | (uint64_t)at;
}

static void give(plan *p, int from, const box *b)
{
    put(p, from, b, 0, b->at, b->to);
}

/* All of S, which is a window of TO at the begin of each axis. */
static box all_of(const shape *s, const shape *to)
{
    box b = {.rank = s->rank};

    for (int a = 0; a < s->rank; a++) {
        b.count[a] = s->dims[a];
        b.by[a] = stride(s, a);
        b.to_by[a] = stride(to, a);
    }
    return b;
}

/* Elements in order. */
static void give_in_order(plan *p)
{
    box b = {.rank = 1, .count = {(int64_t)p->total}, .by = {1}, .to_by = {1}};

    NEED(count_of(p->in[0]) == p->total);
    give(p, 0, &b);
}

/* The window of DATA that the operands from FIRST on say: its sizes, and BEGIN and STEPS. */
static shape window_of(const plan *p, int first, const shape *data, int64_t *begin, int64_t *steps)
{
    shape count = *data;
    int n[4];
    int64_t *at[4];

    for (int i = 0; i < 4; i++) {
        at[i] = ints(p, first + i, &n[i]);
        NEED(n[i] == n[0] || (i == 3 && n[i] == 0));
    }
    for (int a = 0; a < count.rank; a++)
        begin[a] = 0, steps[a] = 1;
    for (int i = 0; i < n[0]; i++) {
        int a = axis_of(n[3] ? at[3][i] : i, count.rank);
        int64_t by = at[2][i], size = count.dims[a], low = by < 0 ? -1 : 0, high = size + low;
        int64_t start = at[0][i] + (at[0][i] < 0 ? size : 0);
        int64_t stop = at[1][i] + (at[1][i] < 0 ? size : 0);

        NEED(by != 0);
        start = start > high ? high : start < 0 && high >= 0 ? 0 : start;
        stop = stop < low ? low : stop > high ? high : stop;
        stop = by > 0 ? stop - start + by - 1 : start - stop - by - 1;
        count.dims[a] = stop > 0 ? stop / llabs(by) : 0;
        begin[a] = start;
        steps[a] = by;
    }
    return count;
}

bool same_window(question *q, const node *a, int i, const node *b, int k, const shape *data)
{
    plan v = {.q = q, .n = a}, w = {.q = q, .n = b};
    jmp_buf here, *before = unknown;
    volatile bool same = false;
    int64_t at[4][MAX_RANK] = {{0}};

    unknown = &here;
    if (data && setjmp(here) == 0) {
        shape s = window_of(&v, i, data, at[0], at[1]), t = window_of(&w, k, data, at[2], at[3]);

        same = same_shape(&s, &t) && memcmp(at[0], at[2], 2 * sizeof at[0]) == 0;
    }
    unknown = before;
    return same;
}

/* ---- has the output this shape, and what is given to it? ---- */

/* Operand 0, or to it, is a window of the other one. */
static void slice(plan *p)
{
    bool writes = is_op(p->n, "SliceScatter");
    int64_t begin[MAX_RANK], steps[MAX_RANK];
    shape count = window_of(p, 1 + writes, p->in[0], begin, steps);
    box b;

    NEED(!writes || p->in[1]);
    NEED(same_shape(&count, writes ? p->in[1] : &p->to));
    if (writes) {
        NEED(same_shape(p->in[0], &p->to));
        give_in_order(p);
        p->base = 1;
    }
    b = all_of(&count, writes ? p->in[0] : &count);
    for (int a = 0; a < count.rank; a++) {
        int64_t by = stride(p->in[0], a);

        *(writes ? &b.to : &b.at) += begin[a] * by;
        (writes ? b.to_by : b.by)[a] = steps[a] * by;
    }
    give(p, writes, &b);
}

static void split(plan *p)
{
    int n, axis = axis_at(p, 1);
    const int64_t *parts = ints(p, 2, &n);
    int64_t sum = 0;
    box b = all_of(&p->to, &p->to);

    NEED(n == 0 || n == p->n->n_out);
    for (int i = 0; i < p->n->n_out; i++) {
        const shape *s = p->n->out[i].shape;
        int64_t size = s && s->rank == p->to.rank ? s->dims[axis] : -1;

        NEED(size >= 0 && size == (n > 0 && parts[i] != -1 ? parts[i]
                                   : n > 0                 ? size
                                                           : p->to.dims[axis]));
        b.at += i < p->k ? size * stride(p->in[0], axis) : 0;
        sum += size;
    }
    for (int a = 0; a < p->to.rank; a++) {
        b.by[a] = stride(p->in[0], a);
        NEED(p->in[0]->dims[a] == (a == axis ? sum : p->to.dims[a]));
    }
    give(p, 0, &b);
}

static void concat(plan *p)
{
    int axis = axis_at(p, p->n->n_in);
    int64_t sum = 0;

    for (int i = 0; i < p->n->n_in; i++) {
        const shape *s = shape_of(p->q, operand_of(p->n, i));
        box b;

        NEED(s && s->rank == p->to.rank);
        for (int a = 0; a < s->rank; a++)
            NEED(a == axis || s->dims[a] == p->to.dims[a]);
        b = all_of(s, &p->to);
        b.to = sum * stride(&p->to, axis);
        give(p, i, &b);
        sum += s->dims[axis];
    }
    NEED(sum == p->to.dims[axis]);
}

static void pad(plan *p)
{
    int n, m;
    const int64_t *begin = ints(p, 1, &n), *end = ints(p, 2, &m);
    box b = all_of(p->in[0], &p->to);

    NEED(attr_is(p->n, "pad_mode", "constant") && n == p->to.rank && m == n);
    for (int a = 0; a < n; a++) {
        NEED(begin[a] >= 0 && end[a] >= 0 && p->to.dims[a] == b.count[a] + begin[a] + end[a]);
        b.to += begin[a] * b.to_by[a];
    }
    for (size_t i = 0; i < p->total; i++)
        p->from[i] = (uint64_t)4 << 32;
    p->base = 4;
    give(p, 0, &b);
}

static void transpose(plan *p)
{
    int n, rank = p->to.rank;
    const int64_t *order = ints(p, 1, &n);
    box b = all_of(&p->to, &p->to);

    NEED(rank == p->in[0]->rank && (n == 0 || n == rank));
    for (int i = 0; i < rank; i++) {
        int a = n ? axis_of(order[i], rank) : rank - 1 - i;

        NEED(p->to.dims[i] == p->in[0]->dims[a]);
        for (int k = 0; k < i && n; k++)
            NEED(axis_of(order[k], rank) != a);
        b.by[i] = stride(p->in[0], a);
    }
    give(p, 0, &b);
}

/* Broadcast, whose sizes are operand 1, and Tile, where they are how often: each axis repeats. */
static void repeat(plan *p)
{
    const shape *x = p->in[0];
    int n;
    const int64_t *as = ints(p, 1, &n);
    bool tiles = is_op(p->n, "Tile"), both = attr_is(p->n, "mode", "bidirectional");
    box b = {.rank = 2 * p->to.rank};

    NEED(tiles || both || !attr_of(p->n, "mode") || attr_is(p->n, "mode", "numpy"));
    NEED(p->to.rank == (n > x->rank ? n : x->rank) && (tiles || both || n >= x->rank));
    for (int a = 0; a < p->to.rank; a++) {
        int own = a - p->to.rank + x->rank, its = a - p->to.rank + n;
        int64_t size = own < 0 ? 1 : x->dims[own], wanted = its < 0 ? 1 : as[its];

        NEED(tiles || size == 1 || size == wanted || (both && wanted == 1));
        NEED(p->to.dims[a] == (tiles ? size * wanted : size == 1 ? wanted : size));
        b.count[2 * a] = size ? p->to.dims[a] / size : 0;
        b.to_by[2 * a] = size * stride(&p->to, a);
        b.count[2 * a + 1] = size;
        b.to_by[2 * a + 1] = stride(&p->to, a);
        b.by[2 * a + 1] = own < 0 ? 0 : stride(x, own);
    }
    give(p, 0, &b);
}

static void reshape(plan *p)
{
    int n, open = 0;
    const shape *x = p->in[0];
    const int64_t *as = ints(p, 1, &n);

    NEED(n == p->to.rank);
    for (int i = 0; i < n; i++) {
        bool copied = as[i] == 0 && i < x->rank && attr_is(p->n, "special_zero", "true");

        open += as[i] == -1;
        NEED(as[i] == -1 || p->to.dims[i] == (copied ? x->dims[i] : as[i]));
    }
    NEED(open == 0 || (open == 1 && p->total > 0));
    give_in_order(p);
}

/* Squeeze and Unsqueeze: without the axes of one that are named, both shapes are the same. */
static void axes_of_one(plan *p)
{
    bool adds = is_op(p->n, "Unsqueeze"), named[MAX_RANK] = {false};
    const shape *all = adds ? &p->to : p->in[0], *rest = adds ? p->in[0] : &p->to;
    int n, k = 0;
    const int64_t *axes = ints(p, 1, &n);

    for (int i = 0; i < n; i++)
        named[axis_of(axes[i], all->rank)] = true;
    for (int i = 0; i < all->rank; i++) {
        bool left_out = named[i] || (n == 0 && !adds && all->dims[i] == 1);

        NEED(left_out ? all->dims[i] == 1 : k < rest->rank && all->dims[i] == rest->dims[k]);
        k += !left_out;
    }
    NEED(k == rest->rank);
    give_in_order(p);
}

static void identity(plan *p)
{
    NEED(same_shape(&p->to, p->in[0]));
    give_in_order(p);
}

/* Gathers take from, and scatters put to, places of the data that indices name: ...Elements by an
 * index on one axis an element, ...ND by one on each of the first axes a block, and others by one
 * on an axis blocks, one for each element of the axes before. */
static void by_index(plan *p)
{
    bool elements = strstr(p->n->op, "Elements"), tuples = strstr(p->n->op, "ND");
    bool writes = strstr(p->n->op, "Scatter");
    const shape *x = p->in[0], *i = p->in[1], *s = writes ? p->in[2] : &p->to;
    int axis = tuples ? 0 : axis_at(p, writes ? 3 : elements ? p->n->n_in : 2), n;
    const int64_t *at = ints(p, 1, &n);
    int many = tuples && i && i->rank > 0 ? (int)i->dims[i->rank - 1] : 1;
    int64_t outer = elements ? 1 : product(x->dims, axis), block;

    NEED(s && i && (!tuples || i->rank > 0) && many > 0 && axis + many <= x->rank);
    NEED(!attr_of(p->n, "batch_dims") || attr_is(p->n, "batch_dims", "0"));
    NEED(!attr_of(p->n, "reduction") || attr_is(p->n, "reduction", "none"));
    block = elements ? 1 : stride(x, axis + many - 1);
    NEED(elements ? same_shape(s, i) && i->rank == x->rank
                  : s->rank == x->rank - many + i->rank - tuples);
    for (int a = 0; a < s->rank && !elements; a++) {
        int behind = axis + i->rank - tuples;

        NEED(s->dims[a] == (a < axis     ? x->dims[a]
                            : a < behind ? i->dims[a - axis]
                                         : x->dims[a - behind + axis + many]));
    }
    if (writes) {
        NEED(same_shape(x, &p->to));
        give_in_order(p);
        p->base = 1;
    }
    for (int64_t k = 0; k < n / many; k++) {
        int64_t place = 0, rest = k;
        box b = {2,         {outer, block},       0, {x->dims[axis] * block, 1},
                 k * block, {n / many * block, 1}};

        for (int a = 0; a < many; a++) {
            int64_t size = x->dims[axis + a], index = at[k * many + a];

            NEED(index >= -size && index < size);
            place += (index + (index < 0 ? size : 0)) * stride(x, axis + a);
        }
        for (int a = x->rank - 1; elements && a >= 0; rest /= i->dims[a--]) {
            NEED(a == axis || rest % i->dims[a] < x->dims[a]);
            place += a == axis ? 0 : rest % i->dims[a] * stride(x, a);
        }
        b.at = place;
        if (writes)
            b = (box){2, {outer, block}, b.to, {b.to_by[0], 1}, b.at, {b.by[0], 1}};
        give(p, writes ? 2 : 0, &b);
    }
}

static const struct {
    const char *op;
    void (*plan)(plan *p);
} movements[] = {{"Slice", slice},
                 {"SliceScatter", slice},
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
                 {"Gather", by_index},
                 {"GatherElements", by_index},
                 {"GatherND", by_index},
                 {"ScatterUpdate", by_index},
                 {"ScatterElementsUpdate", by_index},
                 {"ScatterNDUpdate", by_index}};

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

/* The plan of an output, looked for once. With it goes that its shape is only claimed. */
static const plan *plan_of(question *q, const node *n, int k)
{
    value *v = k < n->n_out ? &n->out[k] : NULL;
    static int depth;
    void (*volatile how)(plan *) = NULL;
    jmp_buf here, *before = unknown;
    plan *p;

    if (!v || v->planned || n->n_in == 0)
        return v ? v->plan : NULL;
    v->planned = true; /* what depends on itself has none, nor on too many before */
    if (depth == MOST_DEPTH)
        return NULL;
    depth++;
    p = keep(sizeof *p);
    *p = (plan){.q = q, .n = n, .k = k};
    for (size_t i = 0; i < sizeof movements / sizeof *movements; i++)
        how = is_op(n, movements[i].op) ? movements[i].plan : how;
    for (int a = 0; how && a < 3; a++)
        p->in[a] = shape_of(q, operand_of(n, a));
    unknown = &here;
    if (how && p->in[0] && setjmp(here) == 0) {
        p->to = v->shape ? *v->shape : *p->in[0];
        p->total = count_of(&p->to);
        NEED(p->total <= MOST);
        p->from = keep((p->total + 1) * sizeof *p->from);
        how(p);
        v->plan = p;
    }
    unknown = before;
    depth--;
    v->claimed &= !v->plan && !(v->shape && is_pointwise(n) && is_broadcast(q, n, v->shape));
    return v->plan;
}

bool moved(question *q, element *e)
{
    const plan *p = e->n ? plan_of(q, e->n, e->k) : NULL;
    const shape *of;
    element x;

    if (!p || q->steps-- <= 0 || e->at >= p->total || p->from[e->at] == 0)
        return false;
    x = operand_of(e->n, (int)(p->from[e->at] >> 32) - 1);
    x.at = (uint32_t)p->from[e->at];
    of = x.n ? shape_of(q, x) : NULL;
    if (x.n && (!of || x.at >= count_of(of)))
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
    size_t rest = e.at;

    *from = operand_of(e.n, i);
    of = shape_of(q, *from);
    if (!to || !of || of->rank > to->rank)
        return false;
    for (int a = to->rank - 1, b = of->rank - 1; b >= 0; rest /= (size_t)to->dims[a--], b--)
        from->at += of->dims[b] == 1 ? 0 : rest % (size_t)to->dims[a] * (size_t)stride(of, b);
    return from->at < count_of(of);
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
