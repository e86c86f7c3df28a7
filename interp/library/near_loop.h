/* Convolutions of 3 x 3 with vectors of VECTOR_BYTES: included by near.c. TARGET names the
 * instruction set; BACK and ON list the lanes of a vector shifted by one, with a zero in front or
 * at the end. */

typedef float NAME(vector)
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(float)), may_alias));

enum { NAME(width) = VECTOR_BYTES / sizeof(float) };

/* Sets V to the elements of row X that place K of the columns from AT on reads; zeros in the
 * padding. */
static inline TARGET __attribute__((always_inline)) void
NAME(see)(const near_field *w, const float *x, int64_t at, int k, NAME(vector) * v)
{
    const NAME(vector) zero = {0};
    int64_t first = at + k - w->left;

    if (k == 0 && first < 0)
        *v = __builtin_shufflevector(zero, *(const NAME(vector) *)x, BACK);
    else if (k == NEAR_PLACES - 1 && first + NAME(width) > w->width)
        *v = __builtin_shufflevector(*(const NAME(vector) *)(x + first - 1), zero, ON);
    else
        *v = *(const NAME(vector) *)(x + first);
}

/* Adds what the columns of N vectors, which begin at AT, see of row X of the data to the three rows
 * of the result that see it: as their first, second or third row of filters. */
static inline TARGET __attribute__((always_inline)) void
NAME(add_row)(const near_field *w, const float *x, const int64_t *at, int n, const NAME(vector) * f,
              NAME(vector) (*sums)[BESIDE])
{
    FUSED_UNROLLED
    for (int k = 0; k < NEAR_PLACES; k++) {
        FUSED_UNROLLED
        for (int j = 0; j < n; j++) {
            NAME(vector) v;

            NAME(see)(w, x, at[j], k, &v);
            FUSED_UNROLLED
            for (int i = NEAR_PLACES - 1; i >= 0; i--)
                FUSED_ADD(NAME(fused), sums[i][j], f[i * NEAR_PLACES + k], v);
        }
    }
}

/* Computes the columns of N vectors, which begin at AT. N is a constant where this is inlined, so
 * that sums are kept in registers: those of the row that begins, of the one before, and of the one
 * that ends. */
static inline TARGET __attribute__((always_inline)) void NAME(columns)(const near_field *w,
                                                                       const int64_t *at, int n)
{
    NAME(vector) sums[NEAR_PLACES][BESIDE], f[NEAR_PLACES * NEAR_PLACES];

    FUSED_UNROLLED
    for (int k = 0; k < NEAR_PLACES * NEAR_PLACES; k++)
        f[k] = FUSED_ALL(NAME(vector), w->f[k]);
    FUSED_UNROLLED
    for (int j = 0; j < n; j++)
        sums[0][j] = sums[1][j] = sums[2][j] = (NAME(vector)){0};
    for (int64_t row = 0; row < w->rows + NEAR_PLACES - 1; row++) {
        const float *x = w->x + (row - w->top) * w->width;
        bool there = row >= w->top && row - w->top < w->height;

        if (there)
            NAME(add_row)(w, x, at, n, f, sums);
        if (row >= NEAR_PLACES - 1) {
            FUSED_UNROLLED
            for (int j = 0; j < n; j++)
                *(NAME(vector) *)(w->y + (row - NEAR_PLACES + 1) * w->cols + at[j]) =
                    sums[2][j] + 0; /* of -0 */
        }
        FUSED_UNROLLED
        for (int j = 0; j < n; j++) {
            sums[2][j] = sums[1][j];
            sums[1][j] = sums[0][j];
            sums[0][j] = (NAME(vector)){0};
        }
    }
}

/* Computes all columns, BESIDE vectors at a time. The last vector begins early enough to be full:
 * columns that it shares with the one before are computed twice, with the same result. */
static TARGET void NAME(compute)(const near_field *w)
{
    const int64_t last = w->cols - NAME(width);

    for (int64_t from = 0; from < w->cols; from += BESIDE * NAME(width)) {
        int64_t at[BESIDE];
        int n = 0;

        for (int64_t i = from; n < BESIDE && i < w->cols; i += NAME(width))
            at[n++] = i < last ? i : last;
        if (n == 4)
            NAME(columns)(w, at, 4);
        else if (n == 3)
            NAME(columns)(w, at, 3);
        else if (n == 2)
            NAME(columns)(w, at, 2);
        else
            NAME(columns)(w, at, 1);
    }
}
