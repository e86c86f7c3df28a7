/* Tiles of integers for one vector width: whole.c includes it for each of them. VECTOR_BYTES and
 * ROWS give the size of a tile, TARGET the instruction set, PAIRS(a, b) multiplies pairs, and
 * BYTES(sum, a, b), if the processor has that, adds the products of signed and unsigned bytes. */

typedef uint32_t NAME(vector) __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

enum { NAME(width) = VECTOR_BYTES / sizeof(uint32_t), NAME(cols) = VECTORS * NAME(width) };

/* Adds to SUM the products of X and Y, which are of KIND, a constant where this is inlined. Bytes
 * are widened to pairs: those at even places, and those at odd ones. */
static inline TARGET __attribute__((always_inline)) NAME(vector)
    NAME(add)(NAME(vector) sum, NAME(vector) x, NAME(vector) y, whole_kind kind)
{
    if (kind == WHOLE_WORDS)
        return sum + x * y;
    if (kind == WHOLE_PAIRS)
        return sum + (NAME(vector))PAIRS(x, y);
#ifdef BYTES
    return (NAME(vector))BYTES(sum, x, y);
#else
    typedef int16_t halves __attribute__((vector_size(VECTOR_BYTES)));
    typedef uint16_t places __attribute__((vector_size(VECTOR_BYTES)));
    enum { BYTE = 8, LOW = 0xFF };

    return sum +
           (NAME(vector))PAIRS((halves)((places)x << BYTE) >> BYTE, (places)y & (uint16_t)LOW) +
           (NAME(vector))PAIRS((halves)x >> BYTE, (places)y >> BYTE);
#endif
}

/* Computes N rows from ROW on and the columns of two vectors from COL on, to C. N and KIND are
 * constants where this is inlined, so that sums are kept in registers. */
static inline TARGET __attribute__((always_inline)) void NAME(block)(const whole_tile *t,
                                                                     int64_t row, int64_t col,
                                                                     int n, whole_kind kind,
                                                                     uint32_t *c, int64_t c_row)
{
    const uint32_t *a = t->a + row * t->a_row, *b = t->b + col;
    const int64_t *at = t->b_at;
    const int64_t a_row = t->a_row, depth = t->depth;
    NAME(vector) sum[ROWS][VECTORS];

    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < VECTORS; j++)
            sum[i][j] = t->adds ? *(const NAME(vector) *)(c + i * c_row + j * NAME(width))
                                : (NAME(vector)){0};
    }
    for (int64_t k = 0; k < depth; k++) {
        const uint32_t *line = b + (at ? at[k] : k * WHOLE_COLS);

        FUSED_UNROLLED
        for (int i = 0; i < n; i++) {
            NAME(vector) x = FUSED_ALL(NAME(vector), a[i * a_row + k]);

            FUSED_UNROLLED
            for (int j = 0; j < VECTORS; j++) {
                NAME(vector) y = *(const NAME(vector) *)(line + j * NAME(width));

                sum[i][j] = kind == WHOLE_TURNED ? NAME(add)(sum[i][j], y, x, WHOLE_BYTES)
                                                 : NAME(add)(sum[i][j], x, y, kind);
            }
        }
    }
    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < VECTORS; j++)
            *(NAME(vector) *)(c + i * c_row + j * NAME(width)) = sum[i][j];
    }
}

#define BLOCK(name, n)                                                                             \
    static TARGET void NAME(rows_##name)(const whole_tile *t, int64_t row, int64_t col,            \
                                         uint32_t *c, int64_t c_row)                               \
    {                                                                                              \
        if (t->kind == WHOLE_TURNED)                                                               \
            NAME(block)(t, row, col, n, WHOLE_TURNED, c, c_row);                                   \
        else if (t->kind == WHOLE_BYTES)                                                           \
            NAME(block)(t, row, col, n, WHOLE_BYTES, c, c_row);                                    \
        else if (t->kind == WHOLE_PAIRS)                                                           \
            NAME(block)(t, row, col, n, WHOLE_PAIRS, c, c_row);                                    \
        else                                                                                       \
            NAME(block)(t, row, col, n, WHOLE_WORDS, c, c_row);                                    \
    }
BLOCK(1, 1)
BLOCK(2, 2)
BLOCK(4, 4)
BLOCK(all, ROWS)
#undef BLOCK

/* Computes as many of the remaining ROWS as one block has. Returns their number. */
static int64_t NAME(step)(const whole_tile *t, int64_t row, int64_t rows, int64_t col, uint32_t *c,
                          int64_t c_row)
{
    int64_t n = rows >= ROWS ? ROWS : rows >= 4 ? 4 : rows >= 2 ? 2 : 1;

    (n == 1   ? NAME(rows_1)
     : n == 2 ? NAME(rows_2)
     : n == 4 ? NAME(rows_4)
              : NAME(rows_all))(t, row, col, c, c_row);
    return n;
}

/* Incomplete vectors of columns are computed in a buffer beside C. */
static void NAME(narrow)(const whole_tile *t, int64_t rows, int64_t col, int64_t cols)
{
    uint32_t room[ROWS * NAME(cols)] = {0};
    size_t bytes = (size_t)cols * sizeof *room;

    for (int64_t row = 0, n; row < rows; row += n) {
        uint32_t *c = t->c + row * t->c_row + col;
        int64_t most = rows - row < ROWS ? rows - row : ROWS;

        for (int64_t i = 0; t->adds && i < most; i++)
            memcpy(room + i * NAME(cols), c + i * t->c_row, bytes);
        n = NAME(step)(t, row, rows - row, col, room, NAME(cols));
        for (int64_t i = 0; i < n; i++)
            memcpy(c + i * t->c_row, room + i * NAME(cols), bytes);
    }
}

static void NAME(tile)(const whole_tile *t, int64_t rows, int64_t cols)
{
    for (int64_t col = 0; col < cols; col += NAME(cols)) {
        if (cols - col < NAME(cols)) {
            NAME(narrow)(t, rows, col, cols - col);
            return;
        }
        for (int64_t row = 0; row < rows;)
            row += NAME(step)(t, row, rows - row, col, t->c + row * t->c_row + col, t->c_row);
    }
}
