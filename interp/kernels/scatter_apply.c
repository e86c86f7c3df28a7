/* Writes scattered elements. Reductions go destination by destination, and the updates of each
 * destination in row-major order (where a number is stored as it is computed, all updates in that
 * order give the same): so the result depends only on the operands, is rounded once, and
 * elements without an update are not touched. Sums wrap in integers; the mean of integers divides
 * their sum in 64 bits and rounds toward minus infinity; min and max give NaN when either side is
 * one; boolean sum, prod and sub are OR, AND and XOR. */
#include "interp/call/bound.h"
#include "interp/call/halves.h"
#include "interp/kernels/clones.h"
#include "interp/kernels/moves.h"
#include "interp/kernels/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum reduction { SUM, SUB, PROD, MIN, MAX, MEAN };
enum { FEW = 16 /* places for each update: more are sorted by comparing */ };

struct pair {
    int64_t to, from;
};

static int by_place(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Sorts the pairs of S by counting those of each of PLACES destinations; NEXT has a 0 for each. */
static void place_pairs(const struct scatter *s, int64_t *next, int64_t places, struct pair *p)
{
    int64_t before = 0;

    for (int64_t i = 0; i < s->n; i++) {
        for (int64_t k = 0; k < s->run; k++)
            next[s->to[i] + k]++;
    }
    for (int64_t place = 0; place < places; place++) {
        int64_t n = next[place];

        next[place] = before;
        before += n;
    }
    for (int64_t i = 0; i < s->n; i++) {
        for (int64_t k = 0; k < s->run; k++)
            p[next[s->to[i] + k]++] = (struct pair){s->to[i] + k, scatter_from(s, i) + k};
    }
}

/* Returns every updated element, sorted by destination, and sets *N to their number. */
static struct pair *sorted_pairs(inlay_call *c, const struct scatter *s, int64_t *n)
{
    int64_t places = inlay_tensor_count(c->out[0]), *next = NULL;
    struct pair *p;

    *n = s->n * s->run;
    p = inlay_call_memory(c, *n, sizeof *p);
    if (p && places / FEW < *n && !(next = inlay_call_memory(c, places, sizeof *next)))
        return NULL;
    if (next) {
        memset(next, 0, (size_t)places * sizeof *next);
        place_pairs(s, next, places, p);
        return p;
    }
    for (int64_t i = 0; p && i < s->n; i++) {
        for (int64_t k = 0; k < s->run; k++)
            p[i * s->run + k] = (struct pair){s->to[i] + k, scatter_from(s, i) + k};
    }
    if (p && *n > 1)
        qsort(p, (size_t)*n, sizeof *p, by_place);
    return p;
}

#define DEFINE_FLOAT(T, suffix)                                                                    \
    static inline T combine_##suffix(enum reduction r, T a, T b)                                   \
    {                                                                                              \
        switch (r) {                                                                               \
        case SUB:                                                                                  \
            return a - b;                                                                          \
        case PROD:                                                                                 \
            return a * b;                                                                          \
        case MIN:                                                                                  \
            return isnan(a) || isnan(b) ? a + b : b < a ? b : a;                                   \
        case MAX:                                                                                  \
            return isnan(a) || isnan(b) ? a + b : a < b ? b : a;                                   \
        default:                                                                                   \
            return a + b;                                                                          \
        }                                                                                          \
    }                                                                                              \
    static void group_##suffix(inlay_tensor *out, const inlay_tensor *u, const struct pair *p,     \
                               int64_t n, enum reduction r, bool init)                             \
    {                                                                                              \
        int64_t at = inlay_tensor_index(out, p->to), first = init ? 0 : 1;                         \
        T x = init ? inlay_load_##suffix(out->type, out->data, at)                                 \
                   : inlay_load_##suffix(u->type, u->data, inlay_tensor_index(u, p->from));        \
                                                                                                   \
        for (int64_t i = first; i < n; i++)                                                        \
            x = combine_##suffix(                                                                  \
                r, x, inlay_load_##suffix(u->type, u->data, inlay_tensor_index(u, p[i].from)));    \
        if (r == MEAN)                                                                             \
            x /= (T)(n + init);                                                                    \
        inlay_store_##suffix(out->type, out->data, at, x);                                         \
    }

DEFINE_FLOAT(float, f32)
DEFINE_FLOAT(double, f64)

static int64_t combine_boolean(enum reduction r, int64_t a, int64_t b)
{
    switch (r) {
    case SUB:
        return a ^ b;
    case PROD:
    case MIN:
        return a & b;
    default:
        return a | b;
    }
}

static inline int64_t combine_int(enum reduction r, bool is_unsigned, int64_t a, int64_t b)
{
    bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;

    switch (r) {
    case SUB:
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case PROD:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case MIN:
        return less ? a : b;
    case MAX:
        return less ? b : a;
    default:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    }
}

static int64_t mean_of(int64_t sum, int64_t count, bool is_unsigned)
{
    if (is_unsigned)
        return (int64_t)((uint64_t)sum / (uint64_t)count);
    return sum / count - (sum % count < 0);
}

static int64_t load_int(const inlay_tensor *t, int64_t position)
{
    int64_t x = inlay_tensor_get_i64(t, position);

    return t->type == INLAY_BOOLEAN ? x != 0 : x; /* a byte may hold any number */
}

static void group_int(inlay_tensor *out, const inlay_tensor *u, const struct pair *p, int64_t n,
                      enum reduction r, bool init)
{
    bool boolean = out->type == INLAY_BOOLEAN;
    bool is_unsigned = inlay_type_info_of(out->type)->cls == INLAY_CLASS_UNSIGNED;
    int64_t x = init ? load_int(out, p->to) : load_int(u, p->from);

    for (int64_t i = init ? 0 : 1; i < n; i++) {
        int64_t y = load_int(u, p[i].from);

        x = boolean ? combine_boolean(r, x, y) : combine_int(r, is_unsigned, x, y);
    }
    inlay_tensor_set_i64(out, p->to, r == MEAN ? mean_of(x, n + init, is_unsigned) : x);
}

/* Combines each update of the elements FIRST <= i < END with its element, in order. It is right for
 * numbers T that are stored as they are computed, and needs the old elements. FORM is one of the
 * combined a and b. */
#define IN_ORDER(T, form)                                                                          \
    for (int64_t i = 0, run = s->run; i < s->n; i++) {                                             \
        T *to = out + s->to[i];                                                                    \
        const T *from = u + scatter_from(s, i);                                                    \
                                                                                                   \
        if (s->to[i] < first || s->to[i] >= end)                                                   \
            continue;                                                                              \
                                                                                                   \
        for (int64_t k = 0; k < run; k++) {                                                        \
            T a = to[k], b = from[k];                                                              \
                                                                                                   \
            to[k] = (T)(form);                                                                     \
        }                                                                                          \
    }
#define DEFINE_IN_ORDER(T, combine)                                                                \
    static INLAY_CLONES void T##_in_order(const struct scatter *s, enum reduction r, void *data,   \
                                          const void *updates, int64_t first, int64_t end)         \
    {                                                                                              \
        T *restrict out = data;                                                                    \
        const T *restrict u = updates;                                                             \
                                                                                                   \
        switch (r) {                                                                               \
        case SUB:                                                                                  \
            IN_ORDER(T, combine(SUB, a, b))                                                        \
            break;                                                                                 \
        case PROD:                                                                                 \
            IN_ORDER(T, combine(PROD, a, b))                                                       \
            break;                                                                                 \
        case MIN:                                                                                  \
            IN_ORDER(T, combine(MIN, a, b))                                                        \
            break;                                                                                 \
        case MAX:                                                                                  \
            IN_ORDER(T, combine(MAX, a, b))                                                        \
            break;                                                                                 \
        default:                                                                                   \
            IN_ORDER(T, combine(SUM, a, b))                                                        \
        }                                                                                          \
    }
/* Of integers A and B as U, in which they wrap. */
#define COMBINE_AS(U, r, a, b)                                                                     \
    ((r) == SUB    ? (U)(a) - (U)(b)                                                               \
     : (r) == PROD ? (U)(a) * (U)(b)                                                               \
     : (r) == MIN  ? (U)((a) < (b) ? (a) : (b))                                                    \
     : (r) == MAX  ? (U)((a) < (b) ? (b) : (a))                                                    \
                   : (U)(a) + (U)(b))
#define COMBINE_32(r, a, b) COMBINE_AS(uint32_t, r, a, b)
#define COMBINE_64(r, a, b) COMBINE_AS(uint64_t, r, a, b)

DEFINE_IN_ORDER(float, combine_f32)
DEFINE_IN_ORDER(double, combine_f64)
DEFINE_IN_ORDER(int64_t, COMBINE_64)
DEFINE_IN_ORDER(int32_t, COMBINE_32)
DEFINE_IN_ORDER(int16_t, COMBINE_32)
DEFINE_IN_ORDER(int8_t, COMBINE_32)
DEFINE_IN_ORDER(uint64_t, COMBINE_64)
DEFINE_IN_ORDER(uint32_t, COMBINE_32)
DEFINE_IN_ORDER(uint16_t, COMBINE_32)
DEFINE_IN_ORDER(uint8_t, COMBINE_32)

typedef void in_order_fn(const struct scatter *s, enum reduction r, void *out, const void *u,
                         int64_t first, int64_t end);

static in_order_fn *in_order(inlay_type type)
{
    static in_order_fn *const of[INLAY_N_TYPES] = {
        [INLAY_F32] = float_in_order,    [INLAY_F64] = double_in_order,
        [INLAY_I64] = int64_t_in_order,  [INLAY_I32] = int32_t_in_order,
        [INLAY_I16] = int16_t_in_order,  [INLAY_I8] = int8_t_in_order,
        [INLAY_U64] = uint64_t_in_order, [INLAY_U32] = uint32_t_in_order,
        [INLAY_U16] = uint16_t_in_order, [INLAY_U8] = uint8_t_in_order};

    return of[type];
}

static bool is_array(const inlay_tensor *t)
{
    return inlay_tensor_is_dense(t) &&
           (uintptr_t)t->data % (uintptr_t)(inlay_type_info_of(t->type)->bits / 8) == 0;
}

enum { WIDE = 32, SHARES = 16 };

/* What threads share: each writes the runs that begin in its parts of the data, of PART elements,
 * so that those of one place stay in order. FN: NULL if runs are copied. */
struct share {
    const struct scatter *s;
    tensor_runs runs;
    in_order_fn *fn;
    enum reduction r;
    int64_t part;
};

static void write_part(void *ctx, int64_t from, int64_t to)
{
    const struct share *w = ctx;
    const struct scatter *s = w->s;
    int64_t first = from * w->part, end = to * w->part;

    if (w->fn) {
        w->fn(s, w->r, w->runs.dst->data, s->updates->data, first, end);
        return;
    }
    for (int64_t i = 0; i < s->n; i++) {
        if (s->to[i] >= first && s->to[i] < end)
            tensor_runs_copy(&w->runs, s->to[i], scatter_from(s, i), s->run);
    }
}

/* Returns whether runs are long, and begin at multiples of their length, so that they are the same
 * or apart. */
static bool are_slices(const struct scatter *s)
{
    bool slices = s->run >= WIDE;

    for (int64_t i = 0; slices && i < s->n; i++)
        slices = s->to[i] % s->run == 0;
    return slices;
}

static void write_shared(inlay_call *c, struct share *w)
{
    int64_t n = inlay_tensor_count(c->out[0]), run = w->s->run > 0 ? w->s->run : 1;

    w->part = (n / run / SHARES + 1) * run;
    if (are_slices(w->s))
        split_moves(c, SHARES, (double)w->s->n * (double)run / SHARES, write_part, w);
    else
        write_part(w, 0, SHARES);
}

/* Reduces without sorting, where that gives the same. Returns whether it has. */
static bool reduce_in_order(inlay_call *c, const struct scatter *s, enum reduction r, bool init)
{
    inlay_tensor *out = c->out[0];
    struct share w = {s, {out, s->updates, 0}, in_order(out->type), r, 0};

    if (!w.fn || !init || r == MEAN || !is_array(out) || !is_array(s->updates))
        return false;
    write_shared(c, &w);
    return true;
}

/* Loads all elements of T, which is dense, as floats; NULL after recording the error. */
static float *load_all(inlay_call *c, const inlay_tensor *t)
{
    int64_t n = inlay_tensor_count(t);
    float *x = call_raw_memory(c, n, sizeof *x);

    if (x)
        load_row_f32(x, t, t->offset, 1, n);
    return x;
}

/* Reduces halves in floats, which are rounded at the end, where there are as many updates that this
 * is less than sorting them. Sets *DONE to whether that is so. */
static bool reduce_halves(inlay_call *c, const struct scatter *s, enum reduction r, bool init,
                          bool *done)
{
    enum { SPARSE = 64 }; /* elements for an update */
    inlay_tensor *out = c->out[0];
    int64_t n = inlay_tensor_count(out);
    float *x, *u;

    *done = call_is_half(out->type) && init && r != MEAN && inlay_tensor_is_dense(out) &&
            s->updates->buffer && inlay_tensor_is_dense(s->updates) && s->n * s->run > n / SPARSE;
    if (!*done)
        return true;
    x = load_all(c, out);
    u = load_all(c, s->updates);
    if (!x || !u)
        return false;
    float_in_order(s, r, x, u, 0, n);
    for (int64_t i = 0; i < s->n; i++)
        store_row_f32(out, out->offset + s->to[i], 1, s->run, x + s->to[i]);
    return true;
}

static enum reduction reduction_of(const char *name)
{
    static const char *const names[] = {[SUM] = "sum", [SUB] = "sub", [PROD] = "prod",
                                        [MIN] = "min", [MAX] = "max", [MEAN] = "mean"};
    int r = SUM;

    while (r < MEAN && strcmp(names[r], name) != 0)
        r++;
    return (enum reduction)r;
}

static bool apply_reduction(inlay_call *c, const struct scatter *s, enum reduction r, bool init)
{
    inlay_tensor *out = c->out[0];
    inlay_domain domain = load_domain(out->type);
    int64_t n, end;
    struct pair *p;
    bool done;

    if (reduce_in_order(c, s, r, init))
        return true;
    if (!reduce_halves(c, s, r, init, &done) || done)
        return done;
    p = sorted_pairs(c, s, &n);
    if (!p)
        return false;
    for (int64_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && p[end].to == p[i].to;)
            end++;
        if (domain == DOMAIN_F64)
            group_f64(out, s->updates, p + i, end - i, r, init);
        else if (domain == DOMAIN_F32)
            group_f32(out, s->updates, p + i, end - i, r, init);
        else
            group_int(out, s->updates, p + i, end - i, r, init);
    }
    return true;
}

/* Returns the number of bytes of N elements that lie beside each other. */
static uint64_t bytes_of(inlay_type type, int64_t n)
{
    size_t bytes;

    return inlay_count_bytes(type, 1, &n, &bytes) ? bytes : 0;
}

static bool apply(inlay_call *c, const struct scatter *s, const char *reduction, bool init)
{
    struct share w = {.s = s};

    if (!inlay_call_copy(c, 0, 0) || !inlay_call_writes_runs(c, s->n, s->run, s->to))
        return false;
    if (reduction && strcmp(reduction, "none") != 0)
        return apply_reduction(c, s, reduction_of(reduction), init);
    if (call_computes(c, s->n, s->run, s->to))
        return true;
    w.runs = (tensor_runs){c->out[0], s->updates, tensor_runs_size(c->out[0], s->updates)};
    if (w.runs.size > 0 && s->run == 1 && !s->from)
        tensor_put(c->out[0], s->to, s->updates, 0, 1, s->n);
    else
        write_shared(c, &w);
    if (s->updates->buffer) /* not the number that an attribute says */
        call_copied(c, bytes_of(s->updates->type, s->n * s->run));
    return true;
}

/* The elements of a tensor along those axes that have several, the widest steps first: they are at
 * the distances a[0] steps[0] + a[1] steps[1] + .. from the lowest one in memory, be an axis shown
 * from its end or not. */
struct grid {
    int n;
    int64_t lowest; /* element index of that one */
    int64_t dims[INLAY_MAX_RANK], steps[INLAY_MAX_RANK];
};

/* Lists the axes of T. Returns whether each step is wider than all that the steps behind it reach,
 * so that an element is found one axis after the other. */
static bool grid_of(const inlay_tensor *t, struct grid *g)
{
    int64_t reach = 0;
    bool apart = true;

    g->n = 0;
    g->lowest = t->offset;
    for (int i = 0; i < t->rank; i++) {
        int64_t step = t->strides[i] < 0 ? -t->strides[i] : t->strides[i];
        int k = g->n;

        if (t->dims[i] == 1)
            continue;
        g->lowest += t->strides[i] < 0 ? (t->dims[i] - 1) * t->strides[i] : 0;
        for (; k > 0 && g->steps[k - 1] < step; k--) {
            g->dims[k] = g->dims[k - 1];
            g->steps[k] = g->steps[k - 1];
        }
        g->dims[k] = t->dims[i];
        g->steps[k] = step;
        g->n++;
    }
    for (int i = g->n; i-- > 0; reach += (g->dims[i] - 1) * g->steps[i])
        apart = apart && g->steps[i] > reach;
    return apart;
}

/* Returns whether an element of G is AT elements behind the lowest one. */
static bool grid_has(const struct grid *g, int64_t at)
{
    bool has = at >= 0;

    for (int i = 0; has && i < g->n; i++) {
        has = at / g->steps[i] < g->dims[i];
        at %= g->steps[i];
    }
    return has && at == 0;
}

/* Returns whether some element of the updates of S, or more than can be said, lies in OUT where
 * updates are written. */
static bool writes_updates(const struct scatter *s, const inlay_tensor *out)
{
    const inlay_tensor *u = s->updates;
    int64_t size = inlay_type_info_of(u->type)->bits / 8, distance;
    struct grid g;

    if (size == 0 || !grid_of(u, &g))
        return true;
    distance = (int64_t)((intptr_t)out->data - (intptr_t)u->data);
    if (distance % size != 0)
        return true;
    for (int64_t i = 0; i < s->n; i++) {
        for (int64_t k = 0; k < s->run; k++) {
            if (grid_has(&g, inlay_tensor_index(out, s->to[i] + k) + distance / size - g.lowest))
                return true;
        }
    }
    return false;
}

/* Updates that lie where others are written are read before any is. */
bool scatter_apply(inlay_call *c, const struct scatter *s, const char *reduction, bool init)
{
    const inlay_tensor *u = s->updates;
    struct scatter apart = *s;
    inlay_tensor *copy;
    bool ok;

    if (!u->buffer || !inlay_call_shares(c) || !bound_overlap(u, c->out[0]) ||
        !writes_updates(s, c->out[0]))
        return apply(c, s, reduction, init);
    copy = call_tensor(c, u->type, u->rank, u->dims);
    if (!copy)
        return false;
    apart.updates = copy;
    call_copied(c, inlay_tensor_bytes(copy));
    ok = (inlay_tensor_assign(copy, u) || inlay_fail_memory(c->diags)) &&
         apply(c, &apart, reduction, init);
    inlay_tensor_release(copy);
    return ok;
}
