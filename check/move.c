/* Where elements come from: operations that move them, as OpenVINO's specification has them. */
#include "check/check.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Of each element of an output the operand, from 1, and the place there; 0: that cannot be told. */
typedef struct plan {
    question *q;
    const node *n;
    int k;
    const shape *in[3]; /* NULL: not known */
    shape to;           /* by its operands */
    size_t total;       /* of its elements */
    uint64_t *from;
} plan;

/* Elements of a part: their places in a whole are on axis A at BEGIN and STEP times where they are
 * on axis OF of the part. */
typedef struct window {
    shape part;
    int64_t begin[MAX_RANK], step[MAX_RANK];
    int of[MAX_RANK];
} window;

static jmp_buf *unknown; /* where to go on when something cannot be told */

static void need(bool known)
{
    if (!known)
        longjmp(*unknown, 1);
}

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

/* Where element E of S is on each axis. */
static void position_of(const shape *s, size_t e, int64_t *at)
{
    for (int a = s->rank - 1; a >= 0; e /= (size_t)s->dims[a--])
        at[a] = (int64_t)(e % (size_t)s->dims[a]);
}

/* The elements of operand INPUT as integers; none if it is absent. */
static int64_t *ints(const plan *p, int input, int *n)
{
    element e = operand_of(p->n, input);
    const shape *of = e.n ? shape_of(p->q, e) : NULL;
    int64_t *list;

    need(!e.n || (of && count_of(of) <= 1 << 16));
    *n = of ? (int)count_of(of) : 0;
    list = keep(((size_t)*n + MAX_RANK) * sizeof *list);
    for (; e.at < (size_t)*n; e.at++) {
        word type, text = number_of(p->q, e, &type);

        need(text && strchr("iu", *type) && strlen(text) < 20);
        list[e.at] = strtoll(text, NULL, 10);
        if (llabs(list[e.at]) > INT64_MAX / 4) /* up to the end of an axis */
            list[e.at] /= 4;
    }
    return list;
}

static int axis_of(int64_t axis, int rank)
{
    need(axis >= -rank && axis < rank);
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

static void add_axis(shape *s, int64_t size)
{
    need(s->rank < MAX_RANK);
    s->dims[s->rank++] = size;
}

/* Now the shape is known by the operands. What is stated must be the same. COPIES: all elements of
 * operand 0, in order. */
static void begin(plan *p, bool copies)
{
    const shape *stated = p->n->out[p->k].shape;

    p->total = count_of(&p->to);
    need(p->total <= MOST && (!stated || same_shape(stated, &p->to)));
    need(!copies || count_of(p->in[0]) == p->total);
    p->from = keep((p->total + 1) * sizeof *p->from);
    for (size_t i = 0; i < p->total && copies; i++)
        p->from[i] = (uint64_t)1 << 32 | i;
}

/* Element TO is element AT of operand FROM; before it may be that of one operand, BASE, or none. */
static void put(plan *p, size_t to, int from, size_t at, int base)
{
    need(to < p->total && (int)(p->from[to] >> 32) == base);
    p->from[to] = (uint64_t)(from + 1) << 32 | at;
}

/* From PLACE on the axes before to place AT on one of SIZE. */
static size_t further(size_t place, int64_t size, int64_t at)
{
    need(at >= 0 && at < size);
    return place * (size_t)size + (size_t)at;
}

static window window_like(const shape *part)
{
    window w = {.part = *part};

    for (int a = 0; a < MAX_RANK; a++)
        w.step[a] = 1, w.of[a] = a;
    return w;
}

/* Operand FROM is part W of the output, WRITES, which had elements of BASE; or the output is part W
 * of the operand. */
static void give(plan *p, int from, const window *w, bool writes, int base)
{
    const shape *whole = writes ? &p->to : p->in[0];
    size_t n = count_of(&w->part);
    int64_t at[MAX_RANK];

    for (size_t e = 0; e < n; e++) {
        size_t place = 0;

        position_of(&w->part, e, at);
        for (int a = 0; a < whole->rank; a++)
            place = further(place, whole->dims[a], w->begin[a] + w->step[a] * at[w->of[a]]);
        put(p, writes ? place : e, from, writes ? e : place, base);
    }
}

/* The window of DATA that the operands from FIRST on say. */
static window window_of(const plan *p, int first, const shape *data)
{
    window w = window_like(data);
    int n[4];
    int64_t *at[4];

    for (int i = 0; i < 4; i++) {
        at[i] = ints(p, first + i, &n[i]);
        need(n[i] == n[0] || (i == 3 && n[i] == 0));
    }
    for (int i = 0; i < n[0]; i++) {
        int a = axis_of(n[3] ? at[3][i] : i, data->rank);
        int64_t by = at[2][i], size = data->dims[a], low = by < 0 ? -1 : 0, high = size + low;
        int64_t start = at[0][i] + (at[0][i] < 0 ? size : 0);
        int64_t stop = at[1][i] + (at[1][i] < 0 ? size : 0);

        need(by != 0);
        start = start > high ? high : start < 0 && high >= 0 ? 0 : start;
        stop = stop < low ? low : stop > high ? high : stop;
        stop = by > 0 ? stop - start + by - 1 : start - stop - by - 1;
        w.part.dims[a] = stop > 0 ? stop / llabs(by) : 0;
        w.begin[a] = start;
        w.step[a] = by;
    }
    return w;
}

bool same_window(question *q, const node *a, int i, const node *b, int k, const shape *data)
{
    plan v = {.q = q, .n = a}, w = {.q = q, .n = b};
    jmp_buf here, *before = unknown;
    volatile bool same = false;

    unknown = &here;
    if (data && setjmp(here) == 0) {
        window x = window_of(&v, i, data), y = window_of(&w, k, data);

        same = memcmp(&x, &y, sizeof x) == 0;
    }
    unknown = before;
    return same;
}

/* Operand 0, or to it, is a window of the other one. */
static void slice(plan *p)
{
    bool writes = is_op(p->n, "SliceScatter");
    window w = window_of(p, 1 + writes, p->in[0]);

    need(!writes || (p->in[1] && same_shape(&w.part, p->in[1])));
    p->to = writes ? *p->in[0] : w.part;
    begin(p, writes);
    give(p, writes, &w, writes, writes);
}

static void split(plan *p)
{
    int n, axis = axis_at(p, 1);
    const int64_t *parts = ints(p, 2, &n);
    window w = window_like(p->in[0]);
    int64_t *size = &w.part.dims[axis], rest = *size;

    need(n ? n == p->n->n_out : rest % p->n->n_out == 0);
    for (int i = 0; i < n; i++)
        rest -= parts[i] == -1 ? 0 : parts[i];
    *size /= p->n->n_out;
    for (int i = 0; i <= p->k; i++) {
        w.begin[axis] += i ? *size : 0;
        *size = n == 0 ? *size : parts[i] == -1 ? rest : parts[i];
    }
    p->to = w.part;
    begin(p, false);
    give(p, 0, &w, false, 0);
}

static void concat(plan *p)
{
    int axis = axis_at(p, p->n->n_in), n = p->n->n_in;
    int64_t at = 0;

    p->to = *p->in[0];
    for (int i = 1; i < n; i++) {
        const shape *s = shape_of(p->q, operand_of(p->n, i));

        need(s && s->rank == p->to.rank);
        for (int a = 0; a < s->rank; a++)
            need(a == axis || s->dims[a] == p->to.dims[a]);
        p->to.dims[axis] += s->dims[axis];
    }
    begin(p, false);
    for (int i = 0; i < n; i++) {
        window w = window_like(shape_of(p->q, operand_of(p->n, i)));

        w.begin[axis] = at;
        at += w.part.dims[axis];
        give(p, i, &w, true, 0);
    }
}

static void pad(plan *p)
{
    int n, m;
    const int64_t *first = ints(p, 1, &n), *last = ints(p, 2, &m);
    window w = window_like(p->in[0]);

    need(attr_is(p->n, "pad_mode", "constant") && n == w.part.rank && m == n);
    for (int a = 0; a < n; a++) {
        need(first[a] >= 0 && last[a] >= 0);
        add_axis(&p->to, w.part.dims[a] + first[a] + last[a]);
        w.begin[a] = first[a];
    }
    begin(p, false);
    for (size_t i = 0; i < p->total; i++)
        put(p, i, 3, 0, 0);
    give(p, 0, &w, true, 4);
}

static void transpose(plan *p)
{
    int n, rank = p->in[0]->rank;
    const int64_t *order = ints(p, 1, &n);
    window w = window_like(p->in[0]);

    need(n == 0 || n == rank);
    for (int a = 0; a < rank; a++)
        w.of[a] = -1;
    for (int i = 0; i < rank; i++) {
        int a = n ? axis_of(order[i], rank) : rank - 1 - i;

        need(w.of[a] == -1);
        w.of[a] = i;
        w.part.dims[i] = p->in[0]->dims[a];
    }
    p->to = w.part;
    begin(p, false);
    give(p, 0, &w, false, 0);
}

/* Broadcast, whose sizes are operand 1, and Tile, where they are how often: each axis repeats. */
static void repeat(plan *p)
{
    const shape *x = p->in[0];
    int n;
    const int64_t *as = ints(p, 1, &n);
    bool tiles = is_op(p->n, "Tile"), both = attr_is(p->n, "mode", "bidirectional");
    int64_t at[MAX_RANK];

    need(tiles || both || !attr_of(p->n, "mode") || attr_is(p->n, "mode", "numpy"));
    for (int a = 0, rank = n > x->rank ? n : x->rank; a < rank; a++) {
        int own = a - rank + x->rank, its = a - rank + n;
        int64_t size = own < 0 ? 1 : x->dims[own], wanted = its < 0 ? 1 : as[its];

        need(tiles || (both && wanted == 1) || (its >= 0 && (size == 1 || size == wanted)));
        add_axis(&p->to, tiles ? size * wanted : size == 1 ? wanted : size);
    }
    begin(p, false);
    for (size_t e = 0; e < p->total; e++) {
        size_t place = 0;

        position_of(&p->to, e, at);
        for (int a = 0; a < x->rank; a++)
            place = further(place, x->dims[a], at[p->to.rank - x->rank + a] % x->dims[a]);
        put(p, e, 0, place, 0);
    }
}

static void reshape(plan *p)
{
    const shape *x = p->in[0];
    int n, open = -1;
    const int64_t *as = ints(p, 1, &n);

    for (int i = 0; i < n; i++) {
        bool copied = as[i] == 0 && i < x->rank && attr_is(p->n, "special_zero", "true");

        need(as[i] != -1 || open < 0);
        open = as[i] == -1 ? i : open;
        add_axis(&p->to, as[i] == -1 ? 1 : copied ? x->dims[i] : as[i]);
    }
    need(open < 0 || count_of(&p->to) > 0);
    if (open >= 0)
        p->to.dims[open] = (int64_t)(count_of(x) / count_of(&p->to));
    begin(p, true);
}

/* Squeeze and Unsqueeze. */
static void axes_of_one(plan *p)
{
    bool adds = is_op(p->n, "Unsqueeze"), named[MAX_RANK] = {false};
    const shape *x = p->in[0];
    int n, k = 0, rank;
    const int64_t *axes = ints(p, 1, &n);

    rank = x->rank + adds * n;
    need(rank <= MAX_RANK);
    for (int i = 0; i < n; i++)
        named[axis_of(axes[i], rank)] = true;
    for (int a = 0; a < rank; a++) {
        if (adds && named[a])
            add_axis(&p->to, 1);
        else if (adds || (n > 0 ? !named[a] : x->dims[a] != 1))
            add_axis(&p->to, x->dims[k++]);
        else
            need(x->dims[k++] == 1);
    }
    need(k == x->rank);
    begin(p, true);
}

static void identity(plan *p)
{
    p->to = *p->in[0];
    begin(p, true);
}

/* Gathers take from, and scatters put to, places of the data that indices name: ...Elements by an
 * index on one axis an element, ...ND by one on each of the first axes a block, and others by one
 * on an axis blocks, one for each element of the axes before. */
static void by_index(plan *p)
{
    bool elements = strstr(p->n->op, "Elements"), tuples = strstr(p->n->op, "ND");
    bool writes = strstr(p->n->op, "Scatter");
    const shape *x = p->in[0], *i = p->in[1];
    shape part = {0};
    int n, axis = tuples ? 0 : axis_at(p, writes ? 3 : elements ? p->n->n_in : 2), many = 1;
    const int64_t *index = ints(p, 1, &n);
    int head = i ? i->rank - tuples : -1; /* axes that the indices give */

    need(head >= 0 && (!elements || i->rank == x->rank));
    need(!attr_of(p->n, "batch_dims") || attr_is(p->n, "batch_dims", "0"));
    need(!attr_of(p->n, "reduction") || attr_is(p->n, "reduction", "none"));
    many = tuples ? (int)i->dims[head] : 1;
    need(many > 0 && axis + many <= x->rank);
    for (int a = 0; a < axis && !elements; a++)
        add_axis(&part, x->dims[a]);
    for (int a = 0; a < head; a++)
        add_axis(&part, i->dims[a]);
    for (int a = axis + many; a < x->rank && !elements; a++)
        add_axis(&part, x->dims[a]);
    need(!writes || (p->in[2] && same_shape(&part, p->in[2])));
    p->to = writes ? *x : part;
    begin(p, writes);
    for (size_t e = 0, k = 0; e < count_of(&part); e++, k = 0) {
        int64_t at[MAX_RANK];
        size_t place = 0;

        position_of(&part, e, at);
        for (int a = 0; a < head; a++)
            k = k * (size_t)i->dims[a] + (size_t)at[a + (elements ? 0 : axis)];
        for (int a = 0; a < x->rank; a++) {
            bool named = a >= axis && a < axis + many;
            int64_t is = named                  ? index[(int)k * many + a - axis]
                         : elements || a < axis ? at[a]
                                                : at[a - many + head];

            place = further(place, x->dims[a], named && is < 0 ? is + x->dims[a] : is);
        }
        put(p, writes ? place : e, 2 * writes, writes ? e : place, writes);
    }
}

static const struct {
    const char *ops[3];
    void (*plan)(plan *p);
} movements[] = {
    {{"Slice", "SliceScatter"}, slice},
    {{"Concat"}, concat},
    {{"Split", "VariadicSplit"}, split},
    {{"Transpose"}, transpose},
    {{"Reshape"}, reshape},
    {{"Squeeze", "Unsqueeze"}, axes_of_one},
    {{"Identity", "Result"}, identity},
    {{"Broadcast", "Tile"}, repeat},
    {{"Pad"}, pad},
    {{"Gather", "GatherElements", "GatherND"}, by_index},
    {{"ScatterUpdate", "ScatterElementsUpdate", "ScatterNDUpdate"}, by_index},
};

/* Do the operands of a pointwise operation broadcast to the shape that is claimed? */
static bool is_broadcast(question *q, const node *n, const shape *to)
{
    shape is = {.rank = to->rank};

    for (int a = 0; a < is.rank; a++)
        is.dims[a] = 1;
    for (int i = 0; i < n->n_in; i++) {
        const shape *x = shape_of(q, operand_of(n, i));

        if (!x || x->rank > to->rank)
            return false;
        for (int a = 0, b = to->rank - x->rank; a < x->rank; a++, b++) {
            if (x->dims[a] != 1 && is.dims[b] != 1 && x->dims[a] != is.dims[b])
                return false;
            is.dims[b] = x->dims[a] == 1 ? is.dims[b] : x->dims[a];
        }
    }
    return same_shape(&is, to);
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
    for (size_t i = 0; i < 3 * sizeof movements / sizeof *movements; i++) {
        const char *op = movements[i / 3].ops[i % 3];

        how = op && is_op(n, op) ? movements[i / 3].plan : how;
    }
    for (int a = 0; how && a < 3; a++)
        p->in[a] = shape_of(q, operand_of(n, a));
    unknown = &here;
    if (how && p->in[0] && setjmp(here) == 0) {
        how(p);
        v->plan = p;
        v->shape = &p->to;
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
    int64_t at[MAX_RANK];

    *from = operand_of(e.n, i);
    of = shape_of(q, *from);
    if (!to || !of || of->rank > to->rank)
        return false;
    position_of(to, e.at, at);
    for (int a = 0; a < of->rank; a++)
        from->at = from->at * (size_t)of->dims[a] +
                   (of->dims[a] == 1 ? 0 : (size_t)at[to->rank - of->rank + a]);
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
