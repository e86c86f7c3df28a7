/* Operations that move elements, as OpenVINO's specification has them, on tags. */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 22 }; /* elements of a tensor that is looked at one by one */

bool count_of(const shape *s, size_t *n)
{
    *n = 1;
    for (int i = 0; s && i < s->rank; i++) {
        if (s->dims[i] < 0 || s->dims[i] > MOST || (*n *= (size_t)s->dims[i]) > MOST)
            return false;
    }
    return s && s->rank >= 0;
}

tags *new_tags(word type, const shape *s)
{
    tags *t;
    size_t n;

    if (!count_of(s, &n))
        return NULL;
    t = scratch(sizeof *t);
    *t = (tags){type, *s, n, scratch((n + 1) * sizeof(tag))};
    return t;
}

/* The elements of T as integers. False: it is absent, or one of them is not known. */
static bool ints(const tags *t, int64_t *out, int *n)
{
    if (!t || t->n > MAX_RANK)
        return false;
    *n = (int)t->n;
    for (size_t i = 0; i < t->n; i++) {
        if (!number_of(t->at[i], &out[i]))
            return false;
    }
    return true;
}

/* The same of sizes, which can be added and multiplied. */
static bool sizes(const tags *t, int64_t *out, int *n)
{
    bool fit = ints(t, out, n);

    for (int i = 0; fit && i < *n; i++)
        fit = out[i] >= -MOST && out[i] <= MOST;
    return fit;
}

static bool one(const tags *t, int64_t otherwise, int64_t *out)
{
    int n;

    *out = otherwise;
    return !t || (t->n == 1 && ints(t, out, &n));
}

static bool axis_of(int64_t axis, int rank, int *out)
{
    *out = (int)(axis < 0 ? axis + rank : axis);
    return *out >= 0 && *out < rank;
}

static size_t place_of(const shape *s, const int64_t *at)
{
    size_t p = 0;

    for (int i = 0; i < s->rank; i++)
        p = p * (size_t)s->dims[i] + (size_t)at[i];
    return p;
}

/* The coordinates behind AT. */
static void advance(const shape *s, int64_t *at)
{
    for (int i = s->rank - 1; i >= 0 && ++at[i] == s->dims[i]; i--)
        at[i] = 0;
}

bool broadcast_of(tags *const *in, int n, shape *out)
{
    *out = (shape){0};
    for (int i = 0; i < n; i++)
        out->rank = in[i]->shape.rank > out->rank ? in[i]->shape.rank : out->rank;
    for (int a = 0; a < out->rank; a++) {
        out->dims[a] = 1;
        for (int i = 0; i < n; i++) {
            int own = a - out->rank + in[i]->shape.rank;
            int64_t size = own < 0 ? 1 : in[i]->shape.dims[own];

            if (size != 1 && out->dims[a] != 1 && size != out->dims[a])
                return false;
            out->dims[a] = size != 1 ? size : out->dims[a];
        }
    }
    return true;
}

size_t broadcast_at(const shape *from, const shape *to, size_t i)
{
    size_t p = 0, stride = 1;

    for (int a = to->rank - 1, b = from->rank - 1; b >= 0; a--, b--) {
        size_t at = i % (size_t)to->dims[a];

        i /= (size_t)to->dims[a];
        p += from->dims[b] == 1 ? 0 : at * stride;
        stride *= (size_t)from->dims[b];
    }
    return p;
}

/* The positions begin, begin + step, ... of each axis: COUNT of them. */
typedef struct window {
    int64_t begin[MAX_RANK], step[MAX_RANK];
    shape count;
} window;

static void whole(const shape *s, window *w)
{
    *w = (window){.count = *s};
    for (int i = 0; i < s->rank; i++)
        w->step[i] = 1;
}

/* What start:stop:step says of an axis of SIZE. */
static bool cut(window *w, int axis, int64_t size, int64_t start, int64_t stop, int64_t step)
{
    int64_t low = step < 0 ? -1 : 0, high = step < 0 ? size - 1 : size,
            *count = w->count.dims + axis;

    if (step == 0 || step == INT64_MIN)
        return false;
    start += start < 0 ? size : 0;
    stop += stop < 0 ? size : 0;
    start = start > high ? high : start < 0 && high >= 0 ? 0 : start;
    stop = stop < low ? low : stop > high ? high : stop;
    *count = step > 0 ? (stop > start ? (stop - start - 1) / step + 1 : 0)
                      : (start > stop ? (start - stop - 1) / -step + 1 : 0);
    w->begin[axis] = start;
    w->step[axis] = step;
    return true;
}

static bool window_of(const shape *s, tags *const *in, int n, window *w)
{
    int64_t start[MAX_RANK], stop[MAX_RANK], step[MAX_RANK], axes[MAX_RANK];
    int count, same, axis;

    if (n < 3 || !ints(in[0], start, &count) || !ints(in[1], stop, &same) || same != count ||
        !ints(in[2], step, &same) || same != count)
        return false;
    whole(s, w);
    for (int i = 0; i < count; i++)
        axes[i] = i;
    if (n > 3 && in[3] && (!ints(in[3], axes, &same) || same != count))
        return false;
    for (int i = 0; i < count; i++) {
        if (!axis_of(axes[i], s->rank, &axis) ||
            !cut(w, axis, s->dims[axis], start[i], stop[i], step[i]))
            return false;
    }
    return true;
}

/* Calls for each position of W, in order, the one in S. */
static void walk(const shape *s, const window *w, const tag *from, tag *to, bool scatter)
{
    int64_t at[MAX_RANK] = {0}, there[MAX_RANK];
    size_t n;

    if (!count_of(&w->count, &n))
        return;
    for (size_t i = 0; i < n; i++, advance(&w->count, at)) {
        size_t p;

        for (int a = 0; a < s->rank; a++)
            there[a] = w->begin[a] + at[a] * w->step[a];
        p = place_of(s, there);
        if (scatter)
            to[p] = from[i];
        else
            to[i] = from[p];
    }
}

static tags *read_window(const tags *x, const window *w)
{
    tags *t = new_tags(x->type, &w->count);

    if (t)
        walk(&x->shape, w, x->at, t->at, false);
    return t;
}

static tags *copy(const tags *x, const shape *s)
{
    tags *t = new_tags(x->type, s);

    if (t && t->n != x->n)
        return NULL;
    if (t)
        memcpy(t->at, x->at, x->n * sizeof *x->at);
    return t;
}

typedef struct job {
    const node *n;
    tags *const *in;
    int n_in, k;
} job;

static tags *operand_at(const job *j, int i)
{
    return i < j->n_in ? j->in[i] : NULL;
}

static tags *slice(const job *j)
{
    window w;

    return window_of(&j->in[0]->shape, j->in + 1, j->n_in - 1, &w) ? read_window(j->in[0], &w)
                                                                   : NULL;
}

static tags *slice_scatter(const job *j)
{
    const tags *x = j->in[0], *u = operand_at(j, 1);
    tags *t;
    window w;
    size_t n;

    if (!u || !window_of(&x->shape, j->in + 2, j->n_in - 2, &w) || !count_of(&w.count, &n) ||
        u->shape.rank != x->shape.rank ||
        memcmp(u->shape.dims, w.count.dims, (size_t)x->shape.rank * sizeof(int64_t)) != 0)
        return NULL;
    t = copy(x, &x->shape);
    if (t)
        walk(&x->shape, &w, u->at, t->at, true);
    return t;
}

static bool mask(const node *n, const char *name, int i)
{
    const attr *a = attr_of(n, name);
    const char *p = a ? a->text + 1 : "";

    for (; i > 0 && *p; i--)
        p += strcspn(p, ",]") + 1;
    return *p && strtol(p, NULL, 10) != 0;
}

static tags *strided_slice(const job *j)
{
    const tags *x = j->in[0];
    int64_t begin[MAX_RANK], end[MAX_RANK], step[MAX_RANK];
    shape to = {0};
    int n, same, axis = 0, named = 0;
    window w;
    tags *t;

    if (j->n_in < 3 || !ints(j->in[1], begin, &n) || !ints(j->in[2], end, &same) || same != n)
        return NULL;
    for (int i = 0; i < n; i++)
        step[i] = 1;
    if (operand_at(j, 3) && (!ints(j->in[3], step, &same) || same != n))
        return NULL;
    for (int i = 0; i < n; i++)
        named += !mask(j->n, "ellipsis_mask", i) && !mask(j->n, "new_axis_mask", i);
    whole(&x->shape, &w);
    for (int i = 0; i < n && named <= x->shape.rank; i++) {
        if (mask(j->n, "ellipsis_mask", i)) {
            for (int more = x->shape.rank - named; more > 0; more--, axis++)
                to.dims[to.rank++] = x->shape.dims[axis];
        } else if (mask(j->n, "new_axis_mask", i)) {
            to.dims[to.rank++] = 1;
        } else {
            int64_t size = x->shape.dims[axis], at = begin[i] + (begin[i] < 0 ? size : 0);
            bool one_alone = mask(j->n, "shrink_axis_mask", i), back = step[i] < 0;

            if (one_alone && (at < 0 || at >= size))
                return NULL;
            if (!cut(&w, axis, size,
                     mask(j->n, "begin_mask", i) && !one_alone ? (back ? size : 0) : begin[i],
                     one_alone                   ? INT64_MAX
                     : mask(j->n, "end_mask", i) ? (back ? -size - 1 : size)
                                                 : end[i],
                     one_alone ? 1 : step[i]))
                return NULL;
            if (one_alone)
                w.count.dims[axis] = 1;
            else
                to.dims[to.rank++] = w.count.dims[axis];
            axis++;
        }
    }
    while (axis < x->shape.rank)
        to.dims[to.rank++] = x->shape.dims[axis++];
    t = read_window(x, &w);
    return t ? copy(t, &to) : NULL;
}

static tags *concat(const job *j)
{
    shape s = j->in[0]->shape;
    int axis;
    window w;
    tags *t;

    if (!axis_of(attr_int(j->n, "axis", 0), s.rank, &axis))
        return NULL;
    for (int i = 1; i < j->n_in; i++)
        s.dims[axis] += j->in[i]->shape.dims[axis];
    t = new_tags(j->in[0]->type, &s);
    whole(&s, &w);
    for (int i = 0; t && i < j->n_in; i++) {
        w.count = j->in[i]->shape;
        for (int a = 0; a < s.rank; a++) {
            if (w.count.rank != s.rank || (a != axis && w.count.dims[a] != s.dims[a]))
                return NULL;
        }
        walk(&s, &w, j->in[i]->at, t->at, true);
        w.begin[axis] += w.count.dims[axis];
    }
    return t;
}

static tags *split(const job *j)
{
    const tags *x = j->in[0];
    int64_t parts[MAX_RANK], axis64, left;
    int axis, n = (int)attr_int(j->n, "num_splits", 0), open = -1;
    bool even = is_op(j->n, "Split");
    window w;

    if (!one(operand_at(j, 1), 0, &axis64) || !axis_of(axis64, x->shape.rank, &axis) ||
        (!even && !sizes(operand_at(j, 2), parts, &n)) || j->k >= n || n > MAX_RANK)
        return NULL;
    left = x->shape.dims[axis];
    for (int i = 0; i < n; i++) {
        parts[i] = even ? x->shape.dims[axis] / n : parts[i];
        open = parts[i] == -1 ? i : open;
        left -= parts[i] == -1 ? 0 : parts[i];
    }
    if (open >= 0)
        parts[open] = left;
    if (left < 0 || (open < 0 && left != 0))
        return NULL;
    whole(&x->shape, &w);
    for (int i = 0; i < j->k; i++)
        w.begin[axis] += parts[i];
    w.count.dims[axis] = parts[j->k];
    return read_window(x, &w);
}

static tags *transpose(const job *j)
{
    const tags *x = j->in[0];
    int64_t order[MAX_RANK], at[MAX_RANK] = {0}, from[MAX_RANK];
    int n = 0;
    shape s = {.rank = x->shape.rank};
    tags *t;

    if (operand_at(j, 1) && !ints(j->in[1], order, &n))
        return NULL;
    for (int i = n == 0 ? 0 : s.rank; i < s.rank; i++) /* none: all axes are turned round */
        order[i] = s.rank - 1 - i, n++;
    if (n != s.rank)
        return NULL;
    for (int i = 0; i < n; i++) {
        if (order[i] < 0 || order[i] >= n)
            return NULL;
        for (int k = 0; k < i; k++) {
            if (order[k] == order[i])
                return NULL;
        }
        s.dims[i] = x->shape.dims[order[i]];
    }
    t = new_tags(x->type, &s);
    for (size_t i = 0; t && i < t->n; i++, advance(&s, at)) {
        for (int a = 0; a < n; a++)
            from[order[a]] = at[a];
        t->at[i] = x->at[place_of(&x->shape, from)];
    }
    return t;
}

static tags *reshape(const job *j)
{
    const tags *x = j->in[0];
    shape s = {0};
    int open = -1;
    size_t n = 1;

    if (!sizes(operand_at(j, 1), s.dims, &s.rank))
        return NULL;
    for (int i = 0; i < s.rank; i++) {
        if (s.dims[i] == 0 && attr_is(j->n, "special_zero", "true"))
            s.dims[i] = i < x->shape.rank ? x->shape.dims[i] : -2;
        if (s.dims[i] < -1 || (s.dims[i] == -1 && open >= 0))
            return NULL;
        if (s.dims[i] == -1)
            open = i;
        else
            n *= (size_t)s.dims[i];
    }
    if (open >= 0) {
        if (n == 0 || x->n % n != 0)
            return NULL;
        s.dims[open] = (int64_t)(x->n / n);
    }
    return copy(x, &s);
}

/* Squeeze and Unsqueeze. */
static tags *axes_of_one(const job *j)
{
    const tags *x = j->in[0];
    int64_t axes[MAX_RANK];
    bool more = is_op(j->n, "Unsqueeze"), at[2 * MAX_RANK] = {false};
    int n = 0, axis, rank = x->shape.rank;
    shape s = {0};

    if (operand_at(j, 1) && !ints(j->in[1], axes, &n))
        return NULL;
    rank += more ? n : 0;
    if (rank > MAX_RANK || (more && n == 0))
        return NULL;
    for (int i = 0; i < n; i++) {
        if (!axis_of(axes[i], rank, &axis) || at[axis])
            return NULL;
        at[axis] = true;
    }
    for (int i = 0, own = 0; i < rank; i++) {
        int64_t size = more && at[i] ? 1 : x->shape.dims[own++];

        if (more || !(n == 0 ? size == 1 : at[i]))
            s.dims[s.rank++] = size;
    }
    return copy(x, &s);
}

static tags *identity(const job *j)
{
    return copy(j->in[0], &j->in[0]->shape);
}

static tags *broadcast(const job *j)
{
    tags *x = j->in[0], *both[2] = {x, NULL}, *t, wanted = {0};
    shape s = {0};

    if (!ints(operand_at(j, 1), wanted.shape.dims, &wanted.shape.rank) ||
        attr_is(j->n, "mode", "explicit") || attr_is(j->n, "mode", "pdpd"))
        return NULL;
    both[1] = &wanted;
    if (!broadcast_of(both, 2, &s) ||
        (!attr_is(j->n, "mode", "bidirectional") && memcmp(&s, &wanted.shape, sizeof s) != 0))
        return NULL;
    t = new_tags(x->type, &s);
    for (size_t i = 0; t && i < t->n; i++)
        t->at[i] = x->at[broadcast_at(&x->shape, &s, i)];
    return t;
}

static tags *tile(const job *j)
{
    const tags *x = j->in[0];
    int64_t times[MAX_RANK], at[MAX_RANK] = {0}, from[MAX_RANK] = {0};
    shape s = {0};
    tags *t;
    int n;

    if (!sizes(operand_at(j, 1), times, &n))
        return NULL;
    s.rank = n > x->shape.rank ? n : x->shape.rank;
    for (int i = 0; i < s.rank; i++) {
        int own = i - s.rank + x->shape.rank, rep = i - s.rank + n;

        s.dims[i] = (own < 0 ? 1 : x->shape.dims[own]) * (rep < 0 ? 1 : times[rep]);
    }
    t = new_tags(x->type, &s);
    for (size_t i = 0; t && i < t->n; i++, advance(&s, at)) {
        for (int a = 0; a < x->shape.rank; a++)
            from[a] = at[a + s.rank - x->shape.rank] % x->shape.dims[a];
        t->at[i] = x->at[place_of(&x->shape, from)];
    }
    return t;
}

/* Where position P of an axis of SIZE is in the data by MODE; -1: in the border. */
static int64_t behind_border(int64_t p, int64_t size, char mode)
{
    if (p >= 0 && p < size)
        return p;
    if (mode == 'e')
        return p < 0 ? 0 : size - 1;
    if (mode == 'r')
        return p < 0 ? -p : 2 * size - 2 - p;
    return mode == 's' ? (p < 0 ? -p - 1 : 2 * size - 1 - p) : -1;
}

static tags *pad(const job *j)
{
    const tags *x = j->in[0], *by = operand_at(j, 3);
    int64_t begin[MAX_RANK], end[MAX_RANK], at[MAX_RANK] = {0}, from[MAX_RANK];
    const attr *how = attr_of(j->n, "pad_mode");
    shape s = x->shape;
    int n, m;
    tags *t;

    if (!how || !sizes(operand_at(j, 1), begin, &n) || !sizes(operand_at(j, 2), end, &m) ||
        n != s.rank || m != n)
        return NULL;
    for (int i = 0; i < n; i++) {
        if ((s.dims[i] += begin[i] + end[i]) < 0)
            return NULL;
    }
    t = new_tags(x->type, &s);
    for (size_t i = 0; t && i < t->n; i++, advance(&s, at)) {
        bool inside = true;

        for (int a = 0; a < n; a++) {
            from[a] = behind_border(at[a] - begin[a], x->shape.dims[a], *how->text);
            if (from[a] >= x->shape.dims[a] || (from[a] < 0 && *how->text != 'c'))
                return NULL;
            inside = inside && from[a] >= 0;
        }
        t->at[i] = inside ? x->at[place_of(&x->shape, from)]
                   : by   ? by->at[0]
                          : number_tag(0, x->type);
    }
    return t;
}

static bool index_at(const tags *t, size_t i, int64_t size, int64_t *out)
{
    if (!number_of(t->at[i], out))
        return false;
    *out += *out < 0 ? size : 0;
    return *out >= 0 && *out < size;
}

static size_t product(const int64_t *dims, int n)
{
    size_t p = 1;

    for (int i = 0; i < n; i++)
        p *= (size_t)dims[i];
    return p;
}

static tags *gather(const job *j)
{
    const tags *x = j->in[0], *i = operand_at(j, 1);
    int64_t axis64, at, batch = attr_int(j->n, "batch_dims", 0);
    size_t outer, middle, inner, picks;
    shape s = {0};
    int axis;
    tags *t;

    if (!i || !one(operand_at(j, 2), 0, &axis64) || !axis_of(axis64, x->shape.rank, &axis))
        return NULL;
    batch += batch < 0 ? i->shape.rank : 0;
    if (batch < 0 || batch > axis || batch > i->shape.rank)
        return NULL;
    for (int a = 0; a < axis; a++)
        s.dims[s.rank++] = x->shape.dims[a];
    for (int a = (int)batch; a < i->shape.rank; a++)
        s.dims[s.rank++] = i->shape.dims[a];
    for (int a = axis + 1; a < x->shape.rank; a++)
        s.dims[s.rank++] = x->shape.dims[a];
    outer = product(x->shape.dims, (int)batch);
    middle = product(x->shape.dims + batch, axis - (int)batch);
    inner = product(x->shape.dims + axis + 1, x->shape.rank - axis - 1);
    picks = product(i->shape.dims + batch, i->shape.rank - (int)batch);
    t = new_tags(x->type, &s);
    for (size_t p = 0; t && p < t->n; p++) {
        size_t in = p % inner, pick = p / inner % picks, mid = p / inner / picks % middle,
               out = p / inner / picks / middle;

        if (out >= outer || !index_at(i, out * picks + pick, x->shape.dims[axis], &at))
            return NULL;
        t->at[p] =
            x->at[((out * middle + mid) * (size_t)x->shape.dims[axis] + (size_t)at) * inner + in];
    }
    return t;
}

static tags *gather_elements(const job *j)
{
    const tags *x = j->in[0], *i = operand_at(j, 1);
    int64_t at[MAX_RANK] = {0}, from[MAX_RANK];
    int axis;
    tags *t;

    if (!i || !axis_of(attr_int(j->n, "axis", 0), x->shape.rank, &axis) ||
        i->shape.rank != x->shape.rank)
        return NULL;
    t = new_tags(x->type, &i->shape);
    for (size_t p = 0; t && p < t->n; p++, advance(&i->shape, at)) {
        memcpy(from, at, sizeof from);
        if (!index_at(i, p, x->shape.dims[axis], &from[axis]))
            return NULL;
        t->at[p] = x->at[place_of(&x->shape, from)];
    }
    return t;
}

/* The place in S of the tuple that begins at P of I, and how many axes it has. */
static bool tuple_at(const shape *s, const tags *i, size_t p, size_t *out)
{
    int64_t at[MAX_RANK] = {0}, n = i->shape.rank > 0 ? i->shape.dims[i->shape.rank - 1] : 0;

    for (int a = 0; a < n; a++) {
        if (a >= s->rank || !index_at(i, p * (size_t)n + (size_t)a, s->dims[a], &at[a]))
            return false;
    }
    *out = place_of(s, at);
    return n > 0;
}

static tags *gather_nd(const job *j)
{
    const tags *x = j->in[0], *i = operand_at(j, 1);
    size_t inner, from;
    shape s = {0};
    int named;
    tags *t;

    if (!i || i->shape.rank == 0 || attr_int(j->n, "batch_dims", 0) != 0)
        return NULL;
    named = (int)i->shape.dims[i->shape.rank - 1];
    if (named > x->shape.rank)
        return NULL;
    for (int a = 0; a < i->shape.rank - 1; a++)
        s.dims[s.rank++] = i->shape.dims[a];
    for (int a = named; a < x->shape.rank; a++)
        s.dims[s.rank++] = x->shape.dims[a];
    inner = product(x->shape.dims + named, x->shape.rank - named);
    t = new_tags(x->type, &s);
    for (size_t p = 0; t && p < t->n; p += inner) {
        if (!tuple_at(&x->shape, i, p / inner, &from))
            return NULL;
        memcpy(t->at + p, x->at + from, inner * sizeof *t->at);
    }
    return t;
}

static tags *scatter_nd(const job *j)
{
    const tags *x = j->in[0], *i = operand_at(j, 1), *u = operand_at(j, 2);
    size_t inner, n, to;
    tags *t;

    if (!i || !u || i->shape.rank == 0 || i->shape.dims[i->shape.rank - 1] > x->shape.rank)
        return NULL;
    n = product(i->shape.dims, i->shape.rank - 1);
    inner = product(x->shape.dims + i->shape.dims[i->shape.rank - 1],
                    x->shape.rank - (int)i->shape.dims[i->shape.rank - 1]);
    t = u->n == n * inner ? copy(x, &x->shape) : NULL;
    for (size_t p = 0; t && p < n; p++) {
        if (!tuple_at(&x->shape, i, p, &to))
            return NULL;
        memcpy(t->at + to, u->at + p * inner, inner * sizeof *t->at);
    }
    return t;
}

static tags *scatter_update(const job *j)
{
    const tags *x = j->in[0], *i = operand_at(j, 1), *u = operand_at(j, 2);
    int64_t axis64, at;
    size_t inner;
    int axis;
    tags *t;

    if (!i || !u || !one(operand_at(j, 3), 0, &axis64) || !axis_of(axis64, x->shape.rank, &axis))
        return NULL;
    inner = product(x->shape.dims + axis + 1, x->shape.rank - axis - 1);
    t = u->n == product(x->shape.dims, axis) * i->n * inner ? copy(x, &x->shape) : NULL;
    for (size_t p = 0; t && p < u->n; p++) {
        if (!index_at(i, p / inner % i->n, x->shape.dims[axis], &at))
            return NULL;
        t->at[(p / inner / i->n * (size_t)x->shape.dims[axis] + (size_t)at) * inner + p % inner] =
            u->at[p];
    }
    return t;
}

static tags *scatter_elements(const job *j)
{
    const tags *x = j->in[0], *i = operand_at(j, 1), *u = operand_at(j, 2);
    int64_t axis64, at[MAX_RANK] = {0}, to[MAX_RANK];
    int axis;
    tags *t;

    if (!i || !u || u->n != i->n || i->shape.rank != x->shape.rank ||
        !one(operand_at(j, 3), 0, &axis64) || !axis_of(axis64, x->shape.rank, &axis))
        return NULL;
    t = copy(x, &x->shape);
    for (size_t p = 0; t && p < u->n; p++, advance(&i->shape, at)) {
        memcpy(to, at, sizeof to);
        if (!index_at(i, p, x->shape.dims[axis], &to[axis]))
            return NULL;
        t->at[place_of(&x->shape, to)] = u->at[p];
    }
    return t;
}

static const struct {
    const char *op;
    tags *(*moved)(const job *j);
} moved[] = {{"Slice", slice},
             {"SliceScatter", slice_scatter},
             {"StridedSlice", strided_slice},
             {"Concat", concat},
             {"Split", split},
             {"VariadicSplit", split},
             {"Transpose", transpose},
             {"Reshape", reshape},
             {"Squeeze", axes_of_one},
             {"Unsqueeze", axes_of_one},
             {"Identity", identity},
             {"Result", identity},
             {"Broadcast", broadcast},
             {"Tile", tile},
             {"Pad", pad},
             {"Gather", gather},
             {"GatherElements", gather_elements},
             {"GatherND", gather_nd},
             {"ScatterUpdate", scatter_update},
             {"ScatterElementsUpdate", scatter_elements},
             {"ScatterNDUpdate", scatter_nd}};

static int row_of(const node *n)
{
    int i = (int)(sizeof moved / sizeof *moved);

    while (--i >= 0 && !is_op(n, moved[i].op))
        ;
    return attr_of(n, "reduction") && !attr_is(n, "reduction", "none") ? -1 : i;
}

bool moves(const node *n)
{
    return n->n_in > 0 && row_of(n) >= 0;
}

tags *move(const node *n, tags *const *in, int k, const char **why)
{
    const job j = {n, in, n->n_in, k};
    tags *t = row_of(n) >= 0 && in[0] ? moved[row_of(n)].moved(&j) : NULL;

    if (!t)
        *why = "its operands are not known";
    return t;
}
