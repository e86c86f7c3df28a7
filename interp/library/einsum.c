/* Einsum-7. A product of two factors has labels that both keep (batch), that one of them keeps
 * (rows and columns), and that are summed over (depth). With a stride for each of the last three it
 * is a batch of matrix products, and computed by panels. Where a factor or the result has no such
 * strides it is copied. Sums that are not worth a tile are computed side by side, as lanes.
 *
 *     bhid,bhjd->bhij    batch bh, rows i, columns j, depth d
 *     bsd,dhk->bshk      rows bs, columns hk, depth d
 *     bhsd,hde->bse      rows bs, columns e, depth hd: the first factor is copied to bs(hd) */
#include "interp/kernels/einsum.h"
#include "inlay_ops.h"
#include "interp/kernels/clones.h"
#include "interp/library/library.h"
#include "interp/library/mover.h"
#include "interp/library/panel.h"

#include <math.h>
#include <string.h>

enum {
    FEW_COLS = 8,   /* of a tile */
    FEW_SUMS = 4,   /* fewer products for an element are no worth a tile */
    MANY = 32,      /* rows or columns of matrices that share nothing with others */
    LANES = 256,    /* sums that are computed side by side */
    SOME_DEPTH = 16 /* products of these whose factors are gathered at a time */
};

/* A label, and its strides; 0 where a factor lacks it. */
struct label {
    int64_t n, a, b, y;
};

struct labels {
    int n;
    struct label of[INLAY_MAX_RANK];
};

/* A contraction whose labels are as few as they can be. */
struct sums {
    struct labels kept, summed;
    const void *a, *b;
    void *y;
    inlay_type type; /* of all numbers: f32, f64 or u64 */
};

static int64_t size_of(const struct labels *l)
{
    int64_t n = 1;

    for (int i = 0; i < l->n; i++)
        n *= l->of[i].n;
    return n;
}

/* Leaves out labels of size 1, and merges neighbours that are one label everywhere. */
static void merge(struct labels *l)
{
    int n = 0;

    for (int i = 0; i < l->n; i++) {
        struct label x = l->of[i], *last = &l->of[n - (n > 0)];

        if (x.n == 1)
            continue;
        if (n > 0 && last->a == x.n * x.a && last->b == x.n * x.b && last->y == x.n * x.y) {
            x.n *= last->n;
            *last = x;
        } else {
            l->of[n++] = x;
        }
    }
    l->n = n;
}

static void read_sums(const contraction *k, struct sums *s)
{
    int64_t y[INLAY_MAX_RANK];

    strides_dense(k->n_kept, k->kept, y);
    s->kept.n = k->n_kept;
    for (int i = 0; i < k->n_kept; i++)
        s->kept.of[i] = (struct label){k->kept[i], k->a.kept[i], k->b.kept[i], y[i]};
    s->summed.n = k->n_summed;
    for (int i = 0; i < k->n_summed; i++)
        s->summed.of[i] = (struct label){k->summed[i], k->a.summed[i], k->b.summed[i], 0};
    merge(&s->kept);
    merge(&s->summed);
}

/* Lanes */

/* Sums side by side, as many as one label has; an item is a chunk of these. */
struct lanes {
    const struct sums *s;
    struct labels others; /* labels that are kept */
    struct label lane, depth;
    int64_t sizes[INLAY_MAX_RANK], depths[INLAY_MAX_RANK]; /* of the others, and of those that are
                                                              summed but for the last */
    int64_t chunks;
};

/* Copies N lanes of DEPTH elements, STEP apart, to rows of LANES. Lanes are LANE apart. */
static void gather(const void *x, size_t size, int64_t step, int64_t lane, int64_t depth, int64_t n,
                   void *to)
{
    if (size == sizeof(float))
        panel_move_f32(x, step, lane, depth, n, LANES, to);
    else /* or integers of 64 bits, which are only moved */
        panel_move_f64(x, step, lane, depth, n, LANES, to);
}

/* Returns the way to IT, a place in the space of L. */
static struct label place_of(const struct labels *l, const index_iter *it)
{
    struct label at = {0, 0, 0, 0};

    for (int i = 0; i < it->rank; i++) {
        at.a += it->at[i] * l->of[i].a;
        at.b += it->at[i] * l->of[i].b;
        at.y += it->at[i] * l->of[i].y;
    }
    return at;
}

#define LOOP "interp/library/einsum_loop.h"
#include "interp/kernels/each_domain.h"
#undef LOOP

/* Returns the label whose sums are lanes: the last one, unless it is short and another one not. */
static int lane_of(const struct labels *kept)
{
    int best = kept->n - 1;

    for (int i = 0; best >= 0 && kept->of[kept->n - 1].n < MANY && i < kept->n; i++) {
        if (kept->of[i].n > kept->of[best].n)
            best = i;
    }
    return best;
}

static void add_in_lanes(inlay_call *c, const struct sums *s)
{
    const struct label one = {1, 0, 0, 0};
    int lane = lane_of(&s->kept), deep = s->summed.n - 1;
    struct lanes w = {.s = s};
    double cost;

    w.lane = lane < 0 ? one : s->kept.of[lane];
    w.depth = deep < 0 ? one : s->summed.of[deep];
    for (int i = 0; i < s->kept.n; i++) {
        if (i != lane)
            w.others.of[w.others.n++] = s->kept.of[i];
    }
    for (int i = 0; i < w.others.n; i++)
        w.sizes[i] = w.others.of[i].n;
    for (int i = 0; i < deep; i++)
        w.depths[i] = s->summed.of[i].n;
    w.chunks = (w.lane.n + LANES - 1) / LANES;
    cost = (double)size_of(&s->summed) * (double)panel_smaller(LANES, w.lane.n) + 1;
    call_split(c, size_of(&w.others) * w.chunks, cost,
               s->type == INLAY_F32   ? add_items_f32
               : s->type == INLAY_F64 ? add_items_f64
                                      : add_items_u64,
               &w);
}

/* Matrix products */

/* The labels of matrix products. */
struct matrix_labels {
    struct labels batch, rows, cols, depth;
};

static void sort_labels(const struct sums *s, struct matrix_labels *m)
{
    m->batch.n = m->rows.n = m->cols.n = 0;
    m->depth = s->summed;
    for (int i = 0; i < s->kept.n; i++) {
        const struct label *x = &s->kept.of[i];
        struct labels *to = x->b == 0 ? &m->rows : x->a == 0 ? &m->cols : &m->batch;

        to->of[to->n++] = *x;
    }
}

static void swap_labels(struct labels *l)
{
    for (int i = 0; i < l->n; i++) {
        int64_t a = l->of[i].a;

        l->of[i].a = l->of[i].b;
        l->of[i].b = a;
    }
}

/* Exchanges the factors; multiplying two numbers is commutative. */
static void swap(struct sums *s, struct matrix_labels *m)
{
    const void *a = s->a;

    s->a = s->b;
    s->b = a;
    swap_labels(&s->kept);
    swap_labels(&s->summed);
    sort_labels(s, m);
}

/* Is S worth tiles? Makes the columns those labels that are last in the result, or many. */
static bool is_product(struct sums *s, struct matrix_labels *m)
{
    sort_labels(s, m);
    if (!s->b || size_of(&m->depth) < FEW_SUMS || s->kept.n == 0)
        return false;
    if (s->kept.of[s->kept.n - 1].b == 0)
        swap(s, m);
    if (size_of(&m->cols) < FEW_COLS && size_of(&m->rows) > size_of(&m->cols))
        swap(s, m);
    return size_of(&m->cols) >= FEW_COLS;
}

/* Where the strides of a label over one of the three tensors are. */
typedef int64_t *stride_fn(struct label *x);

static int64_t *in_a(struct label *x)
{
    return &x->a;
}

static int64_t *in_b(struct label *x)
{
    return &x->b;
}

static int64_t *in_y(struct label *x)
{
    return &x->y;
}

/* Returns whether one stride leads over all of L. */
static bool is_even(struct labels *l, stride_fn *in)
{
    for (int i = 1; i < l->n; i++) {
        if (*in(&l->of[i - 1]) != *in(&l->of[i]) * l->of[i].n)
            return false;
    }
    return true;
}

struct copy {
    inlay_tensor to, from;
    int axis;
};

static void copy_items(void *ctx, int64_t from, int64_t to)
{
    const struct copy *k = ctx;
    inlay_tensor x = k->to, y = k->from;
    int64_t dims[INLAY_MAX_RANK];

    memcpy(dims, x.dims, (size_t)x.rank * sizeof *dims);
    dims[k->axis] = to - from;
    x.dims = y.dims = dims;
    x.offset = from * x.strides[k->axis];
    y.offset = from * y.strides[k->axis];
    library_assign(&x, &y); /* cannot fail: these are no strings */
}

/* Makes the tensor whose axes are the labels of the lists G dense: DENSE gets its elements, or, if
 * BACK, gives them to X. Its strides become those of DENSE, if it is not given back. */
static void copy_labels(inlay_call *c, inlay_type type, struct labels *const *g, stride_fn *in,
                        void *x, void *dense, bool back)
{
    int64_t dims[INLAY_MAX_RANK], own[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    inlay_tensor a = {.type = type, .dims = dims, .strides = own, .data = x}, b = a;
    struct copy k = {.axis = 0};

    for (; *g; g++) {
        for (int i = 0; i < (*g)->n; i++) {
            dims[a.rank] = (*g)->of[i].n;
            own[a.rank++] = *in(&(*g)->of[i]);
        }
    }
    strides_dense(a.rank, dims, strides);
    b = (inlay_tensor){
        .type = type, .rank = a.rank, .dims = dims, .strides = strides, .data = dense};
    k.to = back ? a : b;
    k.from = back ? b : a;
    for (int i = 1; i < a.rank; i++)
        k.axis = dims[i] > dims[k.axis] ? i : k.axis;
    if (a.rank > 0)
        call_split(c, dims[k.axis], (double)dims_product(dims, a.rank) / (double)dims[k.axis],
                   copy_items, &k);
}

static void set_dense(struct labels *const *g, stride_fn *in)
{
    int64_t n = 1;
    int k = 0;

    while (g[k])
        k++;
    while (k-- > 0) {
        for (int i = g[k]->n - 1; i >= 0; i--) {
            *in(&g[k]->of[i]) = n;
            n *= g[k]->of[i].n;
        }
    }
}

/* Replaces *X, a factor with the labels G, by a dense copy. */
static bool pack(inlay_call *c, inlay_type type, struct labels *const *g, stride_fn *in,
                 const void **x)
{
    int64_t n = size_of(g[0]) * size_of(g[1]) * size_of(g[2]);
    void *dense = inlay_call_memory(c, n, type == INLAY_F32 ? sizeof(float) : sizeof(double));

    if (!dense)
        return false;
    copy_labels(c, type, g, in, (void *)*x, dense, false);
    set_dense(g, in);
    *x = dense;
    return true;
}

static int largest(const struct labels *l)
{
    int best = 0;

    for (int i = 1; i < l->n; i++)
        best = l->of[i].n > l->of[best].n ? i : best;
    return best;
}

/* Returns whether the result can be computed in place: columns are contiguous, and what is not one
 * label of rows or columns leaves enough of them for a matrix. */
static bool is_direct(const struct matrix_labels *m)
{
    struct labels rows = m->rows, cols = m->cols;
    const struct label *last;

    merge(&rows);
    merge(&cols);
    last = &cols.of[cols.n - 1];
    return last->y == 1 && (cols.n == 1 || last->n >= MANY) &&
           (rows.n <= 1 || rows.of[largest(&rows)].n >= MANY);
}

/* Takes label I out of L and makes the others batches. */
static struct label take(struct labels *l, int i, struct labels *batch)
{
    struct label one = {1, 0, 0, 0};

    for (int k = 0; k < l->n; k++) {
        if (k == i)
            one = l->of[k];
        else
            batch->of[batch->n++] = l->of[k];
    }
    return one;
}

static void set_product(struct matrix_labels *m, product *p)
{
    struct label row, col, deep = m->depth.of[m->depth.n - 1];

    merge(&m->batch);
    merge(&m->rows);
    merge(&m->cols);
    row = take(&m->rows, largest(&m->rows), &m->batch);
    col = take(&m->cols, m->cols.n - 1, &m->batch);
    *p = (product){.rows = row.n, .cols = col.n, .depth = size_of(&m->depth), .y_row = row.y};
    p->a.row_stride = row.a;
    p->a.col_stride = deep.a;
    p->b.row_stride = deep.b;
    p->b.col_stride = col.b;
    p->batch_rank = m->batch.n;
    for (int i = 0; i < m->batch.n; i++) {
        p->batch_dims[i] = m->batch.of[i].n;
        p->a.batch[i] = m->batch.of[i].a;
        p->b.batch[i] = m->batch.of[i].b;
        p->y_batch[i] = m->batch.of[i].y;
    }
}

/* A product of integers; an item is a chunk of the columns of a batch. */
struct whole_product {
    const product *p;
    const uint64_t *a, *b;
    uint64_t *y;
    int64_t chunks;
};

static void multiply_whole(void *ctx, int64_t from, int64_t to)
{
    const struct whole_product *w = ctx;
    const product *p = w->p;
    _Alignas(64) uint64_t room[SOME_DEPTH * LANES];

    for (; from < to; from++) {
        index_iter it = index_from(p->batch_rank, p->batch_dims, from / w->chunks);
        int64_t first = from % w->chunks * LANES, n = panel_smaller(LANES, p->cols - first), some;
        const uint64_t *a = w->a + index_dot(it.rank, it.at, p->a.batch);
        const uint64_t *b = w->b + index_dot(it.rank, it.at, p->b.batch) + first * p->b.col_stride;
        uint64_t *y = w->y + index_dot(it.rank, it.at, p->y_batch) + first;

        for (int64_t i = 0; i < p->rows; i++)
            memset(y + i * p->y_row, 0, (size_t)n * sizeof *y);
        for (int64_t d = 0; d < p->depth; d += some) {
            some = panel_smaller(SOME_DEPTH, p->depth - d);
            gather(b + d * p->b.row_stride, sizeof *b, p->b.row_stride, p->b.col_stride, some, n,
                   room);
            for (int64_t i = 0; i < p->rows; i++) {
                struct vectors_u64 v = {a + i * p->a.row_stride + d * p->a.col_stride,
                                        room,
                                        p->a.col_stride,
                                        LANES,
                                        false,
                                        true};

                add_products_u64(&v, some, n, y + i * p->y_row);
            }
        }
    }
}

static void compute(inlay_call *c, inlay_type type, const product *p, const void *a, const void *b,
                    void *y)
{
    struct whole_product w = {p, a, b, y, (p->cols + LANES - 1) / LANES};
    double cost = (double)p->rows * (double)p->depth * (double)panel_smaller(LANES, p->cols);

    if (type == INLAY_U64)
        call_split(c, dims_product(p->batch_dims, p->batch_rank) * w.chunks, cost, multiply_whole,
                   &w);
    else
        panel_product(c, type, p, a, b, y);
}

static bool multiply(inlay_call *c, struct sums *s, struct matrix_labels *m)
{
    struct matrix_labels given;
    struct labels *const of_a[] = {&m->batch, &m->rows, &m->depth, NULL},
                         *const of_b[] = {&m->batch, &m->cols, &m->depth, NULL},
                         *const of_y[] = {&m->batch, &m->rows, &m->cols, NULL},
                         *const of_given[] = {&given.batch, &given.rows, &given.cols, NULL};
    bool direct;
    void *y = s->y;
    product p;

    if ((!is_even(&m->depth, in_a) && !pack(c, s->type, of_a, in_a, &s->a)) ||
        (!is_even(&m->depth, in_b) && !pack(c, s->type, of_b, in_b, &s->b)))
        return false;
    direct = is_direct(m);
    given = *m;
    if (!direct) {
        set_dense(of_y, in_y);
        y = inlay_call_memory(c, size_of(&s->kept),
                              s->type == INLAY_F32 ? sizeof(float) : sizeof(double));
        if (!y || (!is_even(&m->rows, in_a) && !pack(c, s->type, of_a, in_a, &s->a)) ||
            (!is_even(&m->cols, in_b) && !pack(c, s->type, of_b, in_b, &s->b)))
            return false;
    }
    set_product(m, &p);
    compute(c, s->type, &p, s->a, s->b, y);
    if (!direct)
        copy_labels(c, s->type, of_given, in_y, s->y, y, true);
    return true;
}

static bool contract(inlay_call *c, inlay_type type, const contraction *k, const void *a,
                     const void *b, void *y)
{
    struct sums s = {.a = a, .b = b, .y = y, .type = type};
    struct matrix_labels m;

    read_sums(k, &s);
    if (size_of(&s.kept) == 0)
        return true;
    if (is_product(&s, &m))
        return multiply(c, &s, &m);
    add_in_lanes(c, &s);
    return true;
}

static bool contract_f32(inlay_call *c, const contraction *k, const void *a, const void *b, void *y)
{
    return contract(c, INLAY_F32, k, a, b, y);
}

static bool contract_f64(inlay_call *c, const contraction *k, const void *a, const void *b, void *y)
{
    return contract(c, INLAY_F64, k, a, b, y);
}

static bool contract_u64(inlay_call *c, const contraction *k, const void *a, const void *b, void *y)
{
    return contract(c, INLAY_U64, k, a, b, y);
}

static bool run(inlay_call *c, const void *packed)
{
    (void)packed;
    return einsum_compute(c, &(einsum_ways){contract_f32, contract_f64, contract_u64});
}

const library_kernel library_einsum = {
    .op = INLAY_OP_EINSUM, .name = "products", .packs = -1, .run = run};
