/* Tiles for one element type T and one vector width: tile.c includes it for each of them. TILE is
 * the product's type; VECTOR_BYTES, ROWS and VECTORS (of a row) give the size of a tile, TARGET the
 * instruction set. */

typedef T NAME(vector) __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(T)), may_alias));

enum { NAME(width) = VECTOR_BYTES / sizeof(T), NAME(cols) = VECTORS * NAME(width) };

#ifdef TAPS
typedef int32_t NAME(mask) __attribute__((vector_size(VECTOR_BYTES)));

/* Returns A where CONDITION is true, and else B. */
#define PICK(condition, a, b)                                                                      \
    ((NAME(vector))(((NAME(mask))(condition) & (NAME(mask))(a)) |                                  \
                    (~(NAME(mask))(condition) & (NAME(mask))(b))))
#define EACH_SUM(form)                                                                             \
    FUSED_UNROLLED                                                                                 \
    for (int i = 0; i < n; i++) {                                                                  \
        FUSED_UNROLLED                                                                             \
        for (int j = 0; j < wide; j++) {                                                           \
            const NAME(vector) x = sum[i][j];                                                      \
                                                                                                   \
            sum[i][j] = form;                                                                      \
        }                                                                                          \
    }

/* Does E to the sums of N rows, from row ROW on, and WIDE vectors. Numbers to add are by row or by
 * column. */
static inline TARGET __attribute__((always_inline)) void NAME(finish)(const tile_end *e,
                                                                      NAME(vector) (*sum)[VECTORS],
                                                                      int64_t row, int n, int wide,
                                                                      bool by_row)
{
    const NAME(vector) zero = {0}, low = FUSED_ALL(NAME(vector), e->low),
                       high = FUSED_ALL(NAME(vector), e->high);

    if (e->half) {
        EACH_SUM((NAME(vector))NAME(rounded)(x, e->half))
    }
    if (e->add && by_row) {
        EACH_SUM(FORM_ADD(x, FUSED_ALL(NAME(vector), e->add[row + i])))
    } else if (e->add) {
        EACH_SUM(FORM_ADD(x, *(const NAME(vector) *)(e->add + j * NAME(width))))
    }
    if (e->add && e->half) {
        EACH_SUM((NAME(vector))NAME(rounded)(x, e->half))
    }
    if (e->sum && by_row) {
        EACH_SUM(
            FORM_ADD(x, *(const NAME(vector) *)(e->sum + (row + i) * e->sum_row + j * NAME(width))))
    }
    if (e->relu) {
        EACH_SUM(FORM_RELU(x, zero))
    }
    if (e->clamps && e->low > e->high) {
        EACH_SUM(FORM_CLAMP(x, low, high))
    } else if (e->clamps) {
        EACH_SUM((NAME(vector))NAME(between)(x, low, high))
    }
}
#undef EACH_SUM
#undef PICK
#endif

/* Computes N rows and WIDE vectors of T's product, from row ROW on, to C. N, WIDE and LISTED (rows
 * of B are listed) are constants where this is inlined, so that sums are kept in registers. */
static inline TARGET __attribute__((always_inline)) void
NAME(block)(const TILE *t, int64_t row, int n, int wide, bool listed, T *c, int64_t c_row)
{
    const T *a = t->a + row * t->a_row, *b = t->b;
    const int64_t a_row = t->a_row, a_col = t->a_col, b_row = t->b_row, depth = t->depth;
    const int64_t *at = t->b_at;
    NAME(vector) sum[ROWS][VECTORS];

    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < wide; j++)
            sum[i][j] = t->adds ? *(const NAME(vector) *)(c + i * c_row + j * NAME(width))
                                : (NAME(vector)){0};
    }
    for (int64_t k = 0; k < depth; k++) {
        const T *u = b + (listed ? at[k] : k * b_row);

        FUSED_UNROLLED
        for (int i = 0; i < n; i++) {
            FUSED_UNROLLED
            for (int j = 0; j < wide; j++)
                FUSED_ADD(NAME(fused), sum[i][j], FUSED_ALL(NAME(vector), a[i * a_row + k * a_col]),
                          *(const NAME(vector) *)(u + j * NAME(width)));
        }
    }
    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < wide; j++)
            sum[i][j] = sum[i][j] + 0;
    }
#ifdef TAPS
    if (t->end)
        NAME(finish)(t->end, sum, row, n, wide, true);
#endif
    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < wide; j++)
            *(NAME(vector) *)(c + i * c_row + j * NAME(width)) = sum[i][j];
    }
}

/* N rows of WIDE vectors, which is a constant here. */
#define BLOCK_OF(n, wide)                                                                          \
    if (t->b_at)                                                                                   \
        NAME(block)(t, row, n, wide, true, c, c_row);                                              \
    else                                                                                           \
        NAME(block)(t, row, n, wide, false, c, c_row)

#define BLOCK(n)                                                                                   \
    static TARGET void NAME(rows_##n)(const TILE *t, int64_t row, int wide, T *c, int64_t c_row)   \
    {                                                                                              \
        if (wide == 2) {                                                                           \
            BLOCK_OF(n, 2);                                                                        \
        } else {                                                                                   \
            BLOCK_OF(n, 1);                                                                        \
        }                                                                                          \
    }
#define BLOCK_NAME(n) NAME(rows_##n),
EACH_HEIGHT(BLOCK)

/* Computes as many of the remaining ROWS as one block has. Returns their number. */
static int64_t NAME(step)(const TILE *t, int64_t row, int64_t rows, int wide, T *c, int64_t c_row)
{
    static void (*const blocks[])(const TILE *, int64_t, int, T *,
                                  int64_t) = {EACH_HEIGHT(BLOCK_NAME)};
    int64_t n = block_height(rows, ROWS);

    blocks[n - 1](t, row, wide, c, c_row);
    return n;
}
#undef BLOCK
#undef BLOCK_OF
#undef BLOCK_NAME

/* Moves COLS columns of ROWS rows. */
static void NAME(move)(T *to, int64_t to_row, const T *from, int64_t from_row, int64_t rows,
                       int64_t cols)
{
    for (int64_t i = 0; i < rows; i++)
        memcpy(to + i * to_row, from + i * from_row, (size_t)cols * sizeof(T));
}

/* Incomplete vectors of columns are computed in a buffer beside C. */
static void NAME(narrow)(const TILE *t, int64_t rows, int64_t cols)
{
    int wide = (int)((cols + NAME(width) - 1) / NAME(width));
    T room[ROWS * NAME(cols)] = {0};

    for (int64_t row = 0, n; row < rows; row += n) {
        T *c = t->c + row * t->c_row;

        n = block_height(rows - row, ROWS);
        if (t->adds)
            NAME(move)(room, NAME(cols), c, t->c_row, n, cols);
        NAME(step)(t, row, n, wide, room, NAME(cols));
        NAME(move)(c, t->c_row, room, NAME(cols), n, cols);
    }
}

static void NAME(tile)(const TILE *t, int64_t rows, int64_t cols)
{
    if (cols % NAME(width) != 0) {
        NAME(narrow)(t, rows, cols);
        return;
    }
    for (int64_t row = 0; row < rows;)
        row += NAME(step)(t, row, rows - row, (int)(cols / NAME(width)), t->c + row * t->c_row,
                          t->c_row);
}

#include "interp/library/row_loop.h"

#ifdef TAPS
/* Computes N rows of WIDE vectors, from row ROW on, to C: tile_taps_f32. */
static inline TARGET __attribute__((always_inline)) void
NAME(taps_block)(const TILE *t, int64_t row, int n, int wide, T *c, int64_t c_row)
{
    const T *b = t->b + row * t->b_row;
    NAME(vector) sum[TAPS_SUMS][VECTORS];

    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < wide; j++)
            sum[i][j] = (NAME(vector)){0};
    }
    for (int64_t k = 0; k < t->depth; k++) {
        const T *u = b + t->b_at[k];

        FUSED_UNROLLED
        for (int i = 0; i < n; i++) {
            FUSED_UNROLLED
            for (int j = 0; j < wide; j++)
                FUSED_ADD(NAME(fused), sum[i][j], FUSED_ALL(NAME(vector), t->a[k]),
                          *(const NAME(vector) *)(u + i * t->b_row + j * NAME(width)));
        }
    }
    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < wide; j++)
            *(NAME(vector) *)(c + i * c_row + j * NAME(width)) = sum[i][j] + 0;
    }
}

/* Wide rows, or more of half of their width: there are so many sums that they need not wait for
 * themselves. */
#define TAPS_BLOCK(n)                                                                              \
    static TARGET void NAME(taps_##n)(const TILE *t, int64_t row, int wide, T *c, int64_t c_row)   \
    {                                                                                              \
        if (n * VECTORS <= TAPS_SUMS && wide == VECTORS)                                           \
            NAME(taps_block)(t, row, n, VECTORS, c, c_row);                                        \
        else                                                                                       \
            NAME(taps_block)(t, row, n, VECTORS / 2, c, c_row);                                    \
    }
#define TAPS_NAME(n) NAME(taps_##n),
EACH_TAPS(TAPS_BLOCK)

/* Incomplete vectors of columns are computed in a buffer beside C. */
static void NAME(taps)(const TILE *t, int64_t rows, int64_t cols)
{
    static void (*const blocks[])(const TILE *, int64_t, int, T *,
                                  int64_t) = {EACH_TAPS(TAPS_NAME)};
    bool whole = cols == NAME(cols) || cols == NAME(cols) / 2;
    int wide = cols <= NAME(cols) / 2 ? VECTORS / 2 : VECTORS;
    T room[TAPS_SUMS * NAME(cols)];

    for (int64_t row = 0, n; row < rows; row += n) {
        T *c = t->c + row * t->c_row, *to = whole ? c : room;
        int64_t to_row = whole ? t->c_row : NAME(cols);

        n = block_height(rows - row, TAPS_SUMS / wide);
        blocks[n - 1](t, row, wide, to, to_row);
        if (!whole)
            NAME(move)(c, t->c_row, room, NAME(cols), n, cols);
    }
}
#undef TAPS_BLOCK
#undef TAPS_NAME

/* Computes N rows and WIDE vectors of T, from row ROW on. If it ASKS, it asks meanwhile for what
 * lies at ASK, STEP bytes further each time. */
static inline TARGET __attribute__((always_inline)) void
NAME(positions_block)(const tile_positions *t, int64_t row, int n, int wide, bool asks,
                      const char *ask, ptrdiff_t step)
{
    const int64_t *at = t->col_at, depth = t->depth;
    const T *b = t->b, *a[ROWS];
    T *c = t->c + row * NAME(cols);
    NAME(vector) sum[ROWS][VECTORS];

    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        a[i] = t->a + t->row_at[row + i];
        FUSED_UNROLLED
        for (int j = 0; j < wide; j++)
            sum[i][j] = t->adds ? *(const NAME(vector) *)(c + i * NAME(cols) + j * NAME(width))
                                : (NAME(vector)){0};
    }
    for (int64_t k = 0; k < depth; k++, b += NAME(cols)) {
        if (asks) {
            __builtin_prefetch(ask, 0, 2);
            ask += step;
        }
        FUSED_UNROLLED
        for (int i = 0; i < n; i++) {
            FUSED_UNROLLED
            for (int j = 0; j < wide; j++)
                FUSED_ADD(NAME(fused), sum[i][j], FUSED_ALL(NAME(vector), a[i][at[k]]),
                          *(const NAME(vector) *)(b + j * NAME(width)));
        }
    }
    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < wide; j++)
            sum[i][j] = sum[i][j] + 0;
    }
    if (t->end)
        NAME(finish)(t->end, sum, 0, n, wide, false);
    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < wide; j++)
            *(NAME(vector) *)(c + i * NAME(cols) + j * NAME(width)) = sum[i][j];
    }
}

#define POSITIONS(n)                                                                               \
    static TARGET void NAME(positions_##n)(const tile_positions *t, int64_t row, int wide,         \
                                           const char *ask, ptrdiff_t step)                        \
    {                                                                                              \
        if (wide == 2 && ask)                                                                      \
            NAME(positions_block)(t, row, n, 2, true, ask, step);                                  \
        else if (wide == 2)                                                                        \
            NAME(positions_block)(t, row, n, 2, false, NULL, 0);                                   \
        else                                                                                       \
            NAME(positions_block)(t, row, n, 1, false, NULL, 0);                                   \
    }
#define POSITIONS_NAME(n) NAME(positions_##n),
EACH_HEIGHT(POSITIONS)

static void NAME(positions)(const tile_positions *t, int64_t rows, int64_t cols)
{
    static void (*const blocks[])(const tile_positions *, int64_t, int, const char *,
                                  ptrdiff_t) = {EACH_HEIGHT(POSITIONS_NAME)};
    int wide = (int)((cols + NAME(width) - 1) / NAME(width));
    const ptrdiff_t line = NAME(cols) * (ptrdiff_t)sizeof(T), all = line * (ptrdiff_t)t->depth;
    const char *next = (const char *)t->b + all;
    const ptrdiff_t each = all / rows, step = (ROWS * line + rows - 1) / rows;

    for (int64_t row = 0, n; row < rows; row += n) {
        n = block_height(rows - row, ROWS);
        if (t->then.rows > 0)
            ask_for(&t->then, row, row + n, rows);
        blocks[n - 1](t, row, wide, t->goes_on ? next + row * each : NULL, step);
    }
}
#undef POSITIONS
#undef POSITIONS_NAME
#endif
