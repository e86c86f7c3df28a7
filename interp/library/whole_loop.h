/* Tiles of integers for one vector width: whole.c includes it for each of them. VECTOR_BYTES and
 * ROWS give the size of a tile, TARGET the instruction set, and PAIRS(a, b) multiplies pairs. */

typedef uint32_t NAME(vector) __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

enum { NAME(width) = VECTOR_BYTES / sizeof(uint32_t), NAME(cols) = VECTORS * NAME(width) };

/* Computes N rows from ROW on and the columns of two vectors from COL on, to C. N and PAIRS are
 * constants where this is inlined, so that sums are kept in registers. */
static inline TARGET __attribute__((always_inline)) void NAME(block)(const whole_tile *t,
                                                                     int64_t row, int64_t col,
                                                                     int n, bool pairs, uint32_t *c,
                                                                     int64_t c_row)
{
    const uint32_t *a = t->a + row * t->a_row, *b = t->b + col;
    const int64_t a_row = t->a_row, depth = t->depth;
    NAME(vector) sum[ROWS][VECTORS];

    FUSED_UNROLLED
    for (int i = 0; i < n; i++) {
        FUSED_UNROLLED
        for (int j = 0; j < VECTORS; j++)
            sum[i][j] = t->adds ? *(const NAME(vector) *)(c + i * c_row + j * NAME(width))
                                : (NAME(vector)){0};
    }
    for (int64_t k = 0; k < depth; k++, b += WHOLE_COLS) {
        FUSED_UNROLLED
        for (int i = 0; i < n; i++) {
            NAME(vector) x = FUSED_ALL(NAME(vector), a[i * a_row + k]);

            FUSED_UNROLLED
            for (int j = 0; j < VECTORS; j++) {
                NAME(vector) y = *(const NAME(vector) *)(b + j * NAME(width));

                if (pairs)
                    sum[i][j] += (NAME(vector))PAIRS(x, y);
                else
                    sum[i][j] += x * y;
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
        if (t->pairs)                                                                              \
            NAME(block)(t, row, col, n, true, c, c_row);                                           \
        else                                                                                       \
            NAME(block)(t, row, col, n, false, c, c_row);                                          \
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
