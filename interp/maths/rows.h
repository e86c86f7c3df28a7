/* Functions of maths.h on whole rows, vectorized by hand. Private to interp/. */
#ifndef INLAY_MATHS_ROWS_H
#define INLAY_MATHS_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Sets each of the N elements of TO, which may be FROM, to a function of that of FROM, with the
 * parameters A and B. */
typedef void maths_row_fn(float *to, const float *from, int64_t n, double a, double b);

enum { MATHS_LANES = 16 };

/* For one vector width, with the same bits for each. */
typedef struct maths_rows {
/* exp of what A was taken from, as a float; gate: x sigmoid(x), rounded twice; the others are the
 * functions of rows.def. */
#define ROW(name, form) maths_row_fn *name;
#include "interp/maths/rows.def"
#undef ROW
    /* Returns the largest of N elements, or -INFINITY; a NaN is none. */
    float (*largest)(const float *from, int64_t n);
    /* The softmax of ROWS rows of N elements, from pitch to pitch in bytes: exp(x - the largest one),
     * each divided by their sum. Element I is added to lane I % MATHS_LANES, in order, and then the
     * lanes are, in order. */
    void (*softmax)(char *to, ptrdiff_t to_pitch, const char *from, ptrdiff_t from_pitch,
                    int64_t rows, int64_t n);
    /* Returns the sum of exp(x - most) less 1, where MOST is the largest x: those of other x are added
     * to lanes as in softmax, and then the lanes to how often there is MOST, less 1. */
    float (*exp_rest)(const float *from, int64_t n, float most);
    /* Divides each of the N elements of Y by BY, correctly rounded. */
    void (*divide)(float *y, int64_t n, float by);
} maths_rows;

typedef enum maths_width { MATHS_PLAIN, MATHS_AVX2, MATHS_AVX512 } maths_width;
/* Returns the rows of a width; NULL: not on this processor. */
const maths_rows *maths_rows_of(maths_width width);
/* Returns those of the largest width. */
const maths_rows *maths_best_rows(void);
#endif
