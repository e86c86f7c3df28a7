/* Products of one row for one element type T and one vector width: included by tile_loop.h. All
 * time is spent reading B, so the number of reads in flight matters. */

/* Computes the columns of SUMS vectors, a constant where this is inlined, so that sums are kept in
 * registers, of panels that are APART from each other. */
static inline TARGET __attribute__((always_inline)) void NAME(line_of)(const TILE *t, int64_t apart,
                                                                       int sums)
{
    const T *a = t->a, *b = t->b;
    const int64_t a_col = t->a_col, b_row = t->b_row, depth = t->depth;
    NAME(vector) sum[LINE_SUMS];

    FUSED_UNROLLED
    for (int j = 0; j < sums; j++)
        sum[j] =
            t->adds
                ? *(const NAME(vector) *)(t->c + j / VECTORS * t->c_row + j % VECTORS * NAME(width))
                : (NAME(vector)){0};
    for (int64_t k = 0; k < depth; k++) {
        FUSED_UNROLLED
        for (int j = 0; j < sums; j++)
            FUSED_ADD(NAME(fused), sum[j], FUSED_ALL(NAME(vector), a[k * a_col]),
                      *(const NAME(vector) *)(b + j / VECTORS * apart + k * b_row +
                                              j % VECTORS * NAME(width)));
    }
    FUSED_UNROLLED
    for (int j = 0; j < sums; j++)
        *(NAME(vector) *)(t->c + j / VECTORS * t->c_row + j % VECTORS * NAME(width)) = sum[j] + 0;
}

/* A group of panels: tile_line_f32. */
static TARGET void NAME(line)(const TILE *t, int panels, int64_t apart)
{
    if (panels == LINE_SUMS / VECTORS)
        NAME(line_of)(t, apart, LINE_SUMS);
    else if (panels == LINE_SUMS / VECTORS / 2)
        NAME(line_of)(t, apart, LINE_SUMS / 2);
    else
        NAME(line_of)(t, apart, VECTORS);
}

/* Computes ROWS rows, a constant where this is inlined, of FEW_PANELS panels. */
static inline TARGET __attribute__((always_inline)) void NAME(few_of)(const TILE *t, int64_t apart,
                                                                      int rows)
{
    const T *a = t->a, *b = t->b;
    const int64_t a_row = t->a_row, a_col = t->a_col, b_row = t->b_row, depth = t->depth;
    NAME(vector) sum[FEW][FEW_PANELS * VECTORS];

    FUSED_UNROLLED
    for (int i = 0; i < rows; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < FEW_PANELS * VECTORS; j++)
            sum[i][j] = t->adds ? *(const NAME(vector) *)(t->c + i * t->c_row + j * NAME(width))
                                : (NAME(vector)){0};
    }
    for (int64_t k = 0; k < depth; k++) {
        FUSED_UNROLLED
        for (int j = 0; j < FEW_PANELS * VECTORS; j++) {
            NAME(vector)
            v = *(const NAME(vector) *)(b + j / VECTORS * apart + k * b_row +
                                        j % VECTORS * NAME(width));

            FUSED_UNROLLED
            for (int i = 0; i < rows; i++)
                FUSED_ADD(NAME(fused), sum[i][j], FUSED_ALL(NAME(vector), a[i * a_row + k * a_col]),
                          v);
        }
    }
    FUSED_UNROLLED
    for (int i = 0; i < rows; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < FEW_PANELS * VECTORS; j++)
            *(NAME(vector) *)(t->c + i * t->c_row + j * NAME(width)) = sum[i][j] + 0;
    }
}

/* tile_few_f32 */
static TARGET void NAME(few)(const TILE *t, int64_t rows, int64_t apart)
{
    if (rows == 2)
        NAME(few_of)(t, apart, 2);
    else
        NAME(few_of)(t, apart, 3);
}

#ifdef TAPS
/* LANES columns are transposed at a time, four elements of each. A vector consists of quads of
 * columns J and J + 4, and pairs are interleaved twice within its halves:
 *
 *     a0 a1 a2 a3, c0 c1 c2 c3  ->  a0 c0 a1 c1, a2 c2 a3 c3  and with those of b and d
 *                                   a0 b0 c0 d0, a1 b1 c1 d1, .. */
typedef T NAME(quad) __attribute__((vector_size(4 * sizeof(T)), aligned(sizeof(T)), may_alias));

#if VECTOR_BYTES == 16
enum { NAME(lanes) = 4 };
typedef NAME(quad) NAME(turned);
#define OF_TWO(p, q) (p)
#define FUSED_TURNED fused_f32_plain
#define LOWER 0, 4, 1, 5
#define UPPER 2, 6, 3, 7
#else
enum { NAME(lanes) = 8 };
typedef T NAME(turned) __attribute__((vector_size(8 * sizeof(T)), aligned(sizeof(T)), may_alias));
#define FUSED_TURNED fused_f32_avx2
#define OF_TWO(p, q) __builtin_shufflevector(p, q, 0, 1, 2, 3, 4, 5, 6, 7)
#define LOWER 0, 8, 1, 9, 4, 12, 5, 13
#define UPPER 2, 10, 3, 11, 6, 14, 7, 15
#endif

/* Loads the first four elements of the column at B, and of the one four columns behind it. */
static inline TARGET __attribute__((always_inline)) NAME(turned)
    NAME(two_columns)(const T *b, int64_t col)
{
    const T *other = b + (NAME(lanes) - 4) * col;

    (void)other;
    return OF_TWO(*(const NAME(quad) *)b, *(const NAME(quad) *)other);
}

/* Adds the products of four elements of A with those of columns that begin at B, COL apart, to SUM.
 */
static inline TARGET __attribute__((always_inline)) NAME(turned)
    NAME(add_four)(NAME(turned) sum, const T *a, int64_t a_col, const T *b, int64_t col)
{
    NAME(turned)
    p = NAME(two_columns)(b, col), q = NAME(two_columns)(b + col, col),
    r = NAME(two_columns)(b + 2 * col, col), s = NAME(two_columns)(b + 3 * col, col);
    NAME(turned)
    pr = __builtin_shufflevector(p, r, LOWER), qs = __builtin_shufflevector(q, s, LOWER),
    rp = __builtin_shufflevector(p, r, UPPER), sq = __builtin_shufflevector(q, s, UPPER);

    sum = FUSED_TURNED(FUSED_ALL(NAME(turned), a[0]), __builtin_shufflevector(pr, qs, LOWER), sum);
    sum = FUSED_TURNED(FUSED_ALL(NAME(turned), a[a_col]), __builtin_shufflevector(pr, qs, UPPER),
                       sum);
    sum = FUSED_TURNED(FUSED_ALL(NAME(turned), a[2 * a_col]),
                       __builtin_shufflevector(rp, sq, LOWER), sum);
    return FUSED_TURNED(FUSED_ALL(NAME(turned), a[3 * a_col]),
                        __builtin_shufflevector(rp, sq, UPPER), sum);
}
#undef OF_TWO
#undef FUSED_TURNED
#undef LOWER
#undef UPPER

/* Computes column J from element K on, and adds it to SUM. */
static inline TARGET __attribute__((always_inline)) T NAME(add_column)(const TILE *t, int64_t j,
                                                                       int64_t k, T sum)
{
    for (; k < t->depth; k++)
        sum = fmaf(t->a[k * t->a_col], t->b[j * t->b_row + k], sum);
    return sum + 0;
}

/* Computes N times LANES columns from J on, N being a constant where this is inlined: a step of one
 * sum waits for the one before, so several advance side by side. Hardware prefetches too little
 * when so many columns are read. */
static inline TARGET __attribute__((always_inline)) void NAME(dots_of)(const TILE *t, int64_t j,
                                                                       int n)
{
    enum { SIDE = 4 };
    const int64_t fours = t->depth / 4 * 4;
    const T *b = t->b + j * t->b_row, *next = b + ((n - 1) * NAME(lanes) + AHEAD) * t->b_row;
    NAME(turned) sum[SIDE] = {{0}};

    for (int i = 0; i < n * NAME(lanes); i++) {
        for (int64_t k = 0; k < t->depth; k += PREFETCH)
            __builtin_prefetch(next + i * t->b_row + k);
    }
    for (int64_t k = 0; k < fours; k += 4) {
        FUSED_UNROLLED
        for (int i = 0; i < n; i++)
            sum[i] = NAME(add_four)(sum[i], t->a + k * t->a_col, t->a_col,
                                    b + i * NAME(lanes) * t->b_row + k, t->b_row);
    }
    for (int i = 0; i < n * NAME(lanes); i++)
        t->c[j + i] = NAME(add_column)(t, j + i, fours, sum[i / NAME(lanes)][i % NAME(lanes)]);
}

/* Columns with contiguous elements: tile_dots_f32. */
static TARGET void NAME(dots)(const TILE *t, int64_t cols)
{
    int64_t j = 0;

    for (; j + 4 * NAME(lanes) <= cols; j += 4 * NAME(lanes))
        NAME(dots_of)(t, j, 4);
    for (; j + NAME(lanes) <= cols; j += NAME(lanes))
        NAME(dots_of)(t, j, 1);
    for (; j < cols; j++)
        t->c[j] = NAME(add_column)(t, j, 0, 0);
}
#endif
