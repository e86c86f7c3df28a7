/* The loops behind every elementwise operation. */
#include "interp/kernels/elementwise.h"

#include "interp/kernels/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a loop over rows computes. */
struct walk {
    const row_block *k; /* the common part of all blocks of floats */
    bool to_integer;    /* integers that are computed as double are rounded */
    const unary_fn *unary;
    const binary_fn *binary;
    bool is_unsigned;
};

enum {
    WALK_COST = 4
}; /* cost of an element that is loaded and converted, where one of a block
                           costs 1 */

/* Computes one row after the other, through tiles if an operand or the output is not an array of T.
 */
#define DEFINE_WALK(T, suffix, round_to_integer)                                                   \
    static void walk_##suffix(void *ctx, row_walk *w)                                              \
    {                                                                                              \
        bool to_integer = ((const struct walk *)ctx)->to_integer;                                  \
        row_block k = *((const struct walk *)ctx)->k;                                              \
        T x[ROW_TILE], y[ROW_TILE], z[ROW_TILE];                                                   \
                                                                                                   \
        for (k.rows = 1; !w->done; rows_next(w)) {                                                 \
            for (int64_t at = 0; at < w->length; at += ROW_TILE) {                                 \
                int64_t n = k.length = rows_tile(w, at);                                           \
                T *to = rows_place_##suffix(&w->lane[0], at, z);                                   \
                                                                                                   \
                k.to = (char *)to;                                                                 \
                k.x = (const char *)rows_read_##suffix(&w->lane[1], at, n, x);                     \
                if (w->n > 2)                                                                      \
                    k.y = (const char *)rows_read_##suffix(&w->lane[2], at, n, y);                 \
                k.run(&k);                                                                         \
                for (int64_t i = 0; to_integer && i < n; i++)                                      \
                    to[i] = round_to_integer(to[i]);                                               \
                rows_write_##suffix(&w->lane[0], at, n, z);                                        \
            }                                                                                      \
        }                                                                                          \
    }

DEFINE_WALK(float, f32, roundf)
DEFINE_WALK(double, f64, round)

/* Announces that K computes rows of operands 0 and 1, which have these strides; SECOND NULL: there
 * is only one operand. OP is what the function for f32 computes. */
static void announce(inlay_call *c, inlay_domain domain, const row_block *k, row_op op,
                     const int64_t *first, const int64_t *second)
{
    row_form f = {.run = k->run, .a = k->a, .b = k->b, .n = second ? 2 : 1};
    size_t bytes = (size_t)c->out[0]->rank * sizeof *first;

    f.from[0] = f.from[1] = f.to = domain == DOMAIN_F32 ? INLAY_F32 : INLAY_F64;
    f.op = domain == DOMAIN_F32 ? op : ROW_OTHER;
    if (bytes > 0)
        memcpy(f.strides[0], first, bytes);
    if (bytes > 0 && second)
        memcpy(f.strides[1], second, bytes);
    call_form(c, &f);
}

row_fn *elementwise_int_rows(const int_rows *r, inlay_type type)
{
    return type == INLAY_I32       ? r->i32
           : type == INLAY_I64     ? r->i64
           : type == INLAY_U8      ? r->u8
           : type == INLAY_BOOLEAN ? r->boolean
           : type == INLAY_I8      ? r->i8
           : type == INLAY_U32     ? r->u32
           : type == INLAY_U64     ? r->u64
           : type == INLAY_I16     ? r->i16
           : type == INLAY_U16     ? r->u16
                                   : NULL;
}

bool elementwise_announce(inlay_call *c, row_fn *run, const int64_t *first, const int64_t *second)
{
    row_form f = {.run = run, .n = second ? 2 : 1, .to = c->out[0]->type};
    size_t bytes = (size_t)c->out[0]->rank * sizeof *first;

    for (int i = 0; i < f.n; i++) {
        f.from[i] = load_domain(c->in[i]->type) == DOMAIN_F32 ? INLAY_F32 : c->in[i]->type;
        if (bytes > 0)
            memcpy(f.strides[i], i == 0 ? first : second, bytes);
    }
    if (run)
        call_form(c, &f);
    return call_settle(c);
}

/* Computes floats, and integers that are computed as floats: in blocks if the rows are contiguous.
 */
static bool run_walk(inlay_call *c, row_walk *w, inlay_domain domain, bool to_integer, row_block *k)
{
    bool ok = true;

    if (rows_are_blocks(w, domain, k)) {
        for (; ok && !w->done; rows_next(w)) {
            rows_block(w, k);
            ok = call_block(c, k);
        }
        return ok;
    }
    if (!call_settle(c))
        return false;
    k->single = NO_SINGLE;
    rows_split(c, w, WALK_COST, domain == DOMAIN_F32 ? walk_f32 : walk_f64,
               &(struct walk){.k = k, .to_integer = to_integer && domain != DOMAIN_F32});
    return true;
}

/* Can a row function of TYPE compute the rows of W as they are in memory? An operand may be one
 * number for a row. */
static bool are_own(const row_walk *w, inlay_type type)
{
    uintptr_t size = (uintptr_t)inlay_type_info_of(type)->bits / 8;
    int numbers = 0;

    for (int i = 0; i < w->n; i++) {
        const row_lane *l = &w->lane[i];
        bool number = i > 0 && l->step == 0;

        numbers += number;
        if (l->t->type != type || (uintptr_t)l->t->data % size != 0 ||
            (w->length > 1 && l->step != 1 && !number))
            return false;
    }
    return w->length == 1 || numbers == 0 || (numbers == 1 && w->n > 2);
}

static void own_rows(void *ctx, row_walk *w)
{
    row_block k = {.run = *(row_fn **)ctx, .rows = 1, .length = w->length};

    k.type = w->lane[0].t->type;
    k.size = (size_t)inlay_type_info_of(k.type)->bits / 8;
    for (; !w->done; rows_next(w)) {
        char *at[ROW_LANES] = {NULL};

        k.single = NO_SINGLE;
        k.one = NULL;
        for (int i = 0; i < w->n; i++) {
            at[i] = (char *)w->lane[i].t->data + w->lane[i].at * (int64_t)k.size;
            if (i > 0 && w->length > 1 && w->lane[i].step == 0) {
                k.single = i == 1 ? SINGLE_X : SINGLE_Y;
                k.one = at[i];
            }
        }
        k.to = at[0];
        k.x = at[1];
        k.y = at[2];
        row_block_read(&k);
        k.run(&k);
    }
}

static void unary_i64(void *ctx, row_walk *w)
{
    const struct walk *p = ctx;
    int64_t x[ROW_TILE], y[ROW_TILE];

    for (; !w->done; rows_next(w)) {
        for (int64_t k = 0; k < w->length; k += ROW_TILE) {
            int64_t n = rows_tile(w, k);
            const int64_t *from = rows_read_i64(&w->lane[1], k, n, x);
            int64_t *to = rows_place_i64(&w->lane[0], k, y);

            p->unary->i64(to, from, n, p->is_unsigned);
            rows_write_i64(&w->lane[0], k, n, y);
        }
    }
}

bool elementwise_unary(inlay_call *c, const unary_fn *fn, double a, double b)
{
    inlay_domain domain = load_domain(c->in[0]->type);
    bool as_integers = domain == DOMAIN_I64 && fn->i64;
    row_block k = {.run = domain == DOMAIN_F32 ? fn->f32 : fn->f64, .a = a, .b = b};
    row_walk w;

    rows_output(&w, c->out[0]);
    rows_operand(&w, c->in[0], c->in[0]->strides);
    rows_begin(&w, as_integers || domain == DOMAIN_F32 ? domain : DOMAIN_F64);
    if (as_integers && !elementwise_announce(c, elementwise_int_rows(&fn->rows, c->in[0]->type),
                                             c->in[0]->strides, NULL))
        return false;
    if (as_integers) {
        row_fn *own = elementwise_int_rows(&fn->rows, c->in[0]->type);

        if (own && are_own(&w, c->in[0]->type))
            rows_split(c, &w, 1, own_rows, &own);
        else
            rows_split(c, &w, WALK_COST, unary_i64,
                       &(struct walk){.unary = fn, .is_unsigned = c->in[0]->type == INLAY_U64});
        return true;
    }
    announce(c, domain, &k, fn->op, c->in[0]->strides, NULL);
    return run_walk(c, &w, domain, domain == DOMAIN_I64 && !fn->truncates, &k);
}

void elementwise_strides(const inlay_call *c, int i, const int64_t *own, int64_t *strides)
{
    const inlay_tensor *t = c->in[i], *out = c->out[0];
    int lead = out->rank - t->rank;

    for (int k = 0; k < out->rank; k++)
        strides[k] = k < lead || t->dims[k - lead] == 1 ? 0 : own[k - lead];
}

void elementwise_pairs(const inlay_call *c, pairing *p)
{
    const inlay_tensor *out = c->out[0];
    int64_t own[INLAY_MAX_RANK];

    p->outer = out->rank > 0 ? out->rank - 1 : 0;
    p->dims = out->dims;
    p->length = out->rank > 0 ? out->dims[p->outer] : 1;
    p->count = inlay_tensor_count(out);
    for (int i = 0; i < 2; i++) {
        strides_dense(c->in[i]->rank, c->in[i]->dims, own);
        elementwise_strides(c, i, own, p->strides[i]);
        p->step[i] = out->rank > 0 ? p->strides[i][p->outer] : 0;
    }
}

static void binary_i64(void *ctx, row_walk *w)
{
    const struct walk *p = ctx;
    int64_t x[ROW_TILE], y[ROW_TILE], z[ROW_TILE];

    for (; !w->done; rows_next(w)) {
        for (int64_t k = 0; k < w->length; k += ROW_TILE) {
            int64_t n = rows_tile(w, k);
            const int64_t *a = rows_read_i64(&w->lane[1], k, n, x);
            const int64_t *b = rows_read_i64(&w->lane[2], k, n, y);
            int64_t *to = rows_place_i64(&w->lane[0], k, z);

            p->binary->i64(to, a, b, n, p->is_unsigned);
            rows_write_i64(&w->lane[0], k, n, z);
        }
    }
}

bool elementwise_binary_by_strides(inlay_call *c, const binary_fn *fn, const int64_t *second)
{
    inlay_domain domain = load_domain(c->in[0]->type);
    row_block k = {.run = domain == DOMAIN_F32 ? fn->f32 : fn->f64};
    row_fn *own = elementwise_int_rows(&fn->rows, c->in[0]->type);
    int64_t first[INLAY_MAX_RANK];
    row_walk w;

    elementwise_strides(c, 0, c->in[0]->strides, first);
    rows_output(&w, c->out[0]);
    rows_operand(&w, c->in[0], first);
    rows_operand(&w, c->in[1], second);
    rows_begin(&w, domain);
    if (domain != DOMAIN_I64) {
        announce(c, domain, &k, fn->op, first, second);
        return run_walk(c, &w, domain, false, &k);
    }
    if (!elementwise_announce(c, own, first, second))
        return false;
    if (own && are_own(&w, c->in[0]->type))
        rows_split(c, &w, 1, own_rows, &own);
    else
        rows_split(c, &w, WALK_COST, binary_i64,
                   &(struct walk){.binary = fn, .is_unsigned = c->in[0]->type == INLAY_U64});
    return true;
}

bool elementwise_binary(inlay_call *c, const binary_fn *fn)
{
    int64_t second[INLAY_MAX_RANK];

    elementwise_strides(c, 1, c->in[1]->strides, second);
    return elementwise_binary_by_strides(c, fn, second);
}
