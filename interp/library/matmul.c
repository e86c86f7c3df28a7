/* MatMul-1 in tiles. B is split into panels (panel.h); all rows of A are multiplied with a panel
 * before the next one. A is read in place. A constant B is packed once; 16-bit floats as such
 * (compressed.c). */
#include "interp/kernels/clones.h"
#include "interp/library/halves.h"
#include "interp/library/library.h"
#include "interp/library/panel.h"
#include "interp/library/whole.h"

#include <string.h>

enum {
    MANY_ROWS = 192, /* of A that are multiplied with one block of panels; fewer if there are few
                        panels */
    SOME_ROWS = 64,
    MANY_PANELS = 8, /* in a block */
    FEW_ROWS = 4,
    MANY_ITEMS = 16, /* enough for threads to share */
    THIN = 4,        /* columns that fill little of a tile, */
    LONG = 32,       /* and rows that fill one */
    PRODUCTS = 8     /* as many of these products take the time that call_split counts for one */
};

/* If B has few columns, the product is computed as its transpose, which has few rows: B^T A^T.
 * Multiplying two numbers is commutative, so the bits are the same. */
static void turn(product *p)
{
    matrices a = p->a;
    int64_t rows = p->rows;

    p->a.row_stride = p->b.col_stride;
    p->a.col_stride = p->b.row_stride;
    p->b.row_stride = a.col_stride;
    p->b.col_stride = a.row_stride;
    memcpy(p->a.batch, p->b.batch, sizeof a.batch);
    memcpy(p->b.batch, a.batch, sizeof a.batch);
    p->rows = p->cols;
    p->cols = p->y_row = rows;
}

/* Returns how many of N panels form a block if ROWS rows are multiplied with them: as many as keep
 * the rows in the cache, but not so many that threads get too few items. Few rows always stay in
 * the cache, and are multiplied with several panels at once. */
static int64_t block_panels(const panels *w, int64_t n, int64_t rows)
{
    int64_t most = n / MANY_ITEMS;

    if (rows == 1)
        return w->set->line;
    if (rows <= TILE_FEW)
        return w->set->few;
    return rows < FEW_ROWS || most < 1 ? 1 : panel_smaller(most, MANY_PANELS);
}

#define T float
#define NAME(name) name##_f32
#include "inlay_ops.h"
#include "interp/library/matmul_panels.h"
#undef T
#undef NAME

#define T double
#define NAME(name) name##_f64
#include "interp/library/matmul_panels.h"
#undef T
#undef NAME

void panel_product(inlay_call *c, inlay_type type, const product *p, const void *a, const void *b,
                   void *y)
{
    panels w = {p, tile_set_best(), NULL};

    if (type == INLAY_F32)
        split_f32(c, &(struct work_f32){.w = w, .a = a, .b = b, .y = y});
    else
        split_f64(c, &(struct work_f64){.w = w, .a = a, .b = b, .y = y});
}

static bool takes(const inlay_call *c)
{
    inlay_domain domain = load_domain(c->in[0]->type);

    return domain == DOMAIN_F32 || domain == DOMAIN_F64 || whole_takes(c->in[0]->type);
}

static int is_turned(const inlay_node *n)
{
    return inlay_node_bool(n, "transpose_b");
}

/* Sets *M to the second operand, if it is one matrix of the type that tiles read. */
static bool read_constant(const inlay_node *n, const inlay_tensor *t, matrices *m)
{
    return (t->type == INLAY_F32 || t->type == INLAY_F64 || call_is_half(t->type)) &&
           panel_read_constant(t, is_turned(n), m) && m->cols > THIN;
}

/* Is T a matrix of 16-bit floats, whose packed form stays as small as it is? */
static bool stays_half(const inlay_node *n, const inlay_tensor *t)
{
    return call_is_half(t->type) && t->rank == 2 && !inlay_node_bool(n, "transpose_a") &&
           t->dims[is_turned(n) ? 0 : 1] > THIN;
}

static int64_t tile_cols(inlay_type type)
{
    const tile_set *set = tile_set_best();

    return type == INLAY_F64 ? set->cols_f64 : set->cols_f32;
}

static size_t packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    size_t bytes = inlay_tensor_bytes(t) * (call_is_half(t->type) ? 2 : 1), panel;
    matrices m;

    if (whole_is_word(t->type))
        return whole_product_bytes(n, t);
    if (stays_half(n, t))
        return library_matmul_compressed.packed_bytes(n, t);
    if (!read_constant(n, t, &m) || bytes > SIZE_MAX / 2)
        return 0;
    panel = (size_t)tile_cols(t->type);
    return bytes / (size_t)m.cols * (((size_t)m.cols + panel - 1) / panel * panel);
}

static void pack(const inlay_node *n, const inlay_tensor *t, void *to)
{
    int64_t cols = tile_cols(t->type);
    matrices m;

    if (whole_is_word(t->type))
        whole_product_pack(n, t, to);
    if (stays_half(n, t))
        library_matmul_compressed.pack(n, t, to);
    if (stays_half(n, t) || !read_constant(n, t, &m))
        return;
    for (int64_t j = 0; j < m.cols; j += cols) {
        int64_t from = t->offset + j * m.col_stride, wide = panel_smaller(cols, m.cols - j);

        if (t->type == INLAY_F32)
            panel_pack_f32((const float *)t->data + from, m.row_stride, m.col_stride, m.rows, wide,
                           cols, (float *)to + j * m.rows);
        else if (call_is_half(t->type))
            halves_pack(t, from, m.row_stride, m.col_stride, m.rows, wide, cols,
                        (float *)to + j * m.rows);
        else
            panel_pack_f64((const double *)t->data + from, m.row_stride, m.col_stride, m.rows, wide,
                           cols, (double *)to + j * m.rows);
    }
}

static bool run(inlay_call *c, const void *packed)
{
    if (inlay_tensor_count(c->out[0]) == 0)
        return true;
    if (whole_takes(c->in[0]->type))
        return whole_product(c, packed);
    if (packed && stays_half(c->node, c->in[1]))
        return library_matmul_compressed.run(c, packed);
    return load_domain(c->in[0]->type) == DOMAIN_F32 ? multiply_f32(c, packed)
                                                     : multiply_f64(c, packed);
}

const library_kernel library_matmul = {.op = INLAY_OP_MAT_MUL,
                                       .name = "gemm",
                                       .takes = takes,
                                       .packs = 1,
                                       .replaces = true,
                                       .packed_bytes = packed_bytes,
                                       .form = is_turned,
                                       .pack = pack,
                                       .run = run};
