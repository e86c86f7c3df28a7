/* Functions of maths.h on whole rows, vectorized by hand. Private to interp/. */
#ifndef INLAY_MATHS_ROWS_H
#define INLAY_MATHS_ROWS_H

#include <stdint.h>

/* Sets each of the N elements of TO to maths_exp(x - less), for x of FROM. TO may be FROM. */
void maths_exp_row(float *to, const float *from, int64_t n, float less);

/* The same, and returns the sum of TO, with the same bits for each vector width: element I is added
 * to lane I % MATHS_LANES, in order, and then the lanes are added in order. Meanwhile divides each
 * of the N elements of WAS, which is none of these rows, by BY, like maths_divide_row; WAS NULL:
 * there are none. */
enum { MATHS_LANES = 16 };
float maths_exp_sum_row(float *to, const float *from, int64_t n, float less, float *was, float by);

/* Divides each of the N elements of Y by BY, correctly rounded. */
void maths_divide_row(float *y, int64_t n, float by);

/* Sets each of the N elements of TO, which may be FROM, to maths_erf of that of FROM. */
void maths_erf_row(float *to, const float *from, int64_t n);

/* The same for one vector width, with the same bits; NULL: not on this processor. */
typedef enum maths_width { MATHS_PLAIN, MATHS_AVX2, MATHS_AVX512 } maths_width;
typedef void maths_exp_row_fn(float *to, const float *from, int64_t n, float less);
typedef struct maths_rows {
    maths_exp_row_fn *exp;
    float (*exp_sum)(float *to, const float *from, int64_t n, float less, float *was, float by);
    void (*divide)(float *y, int64_t n, float by);
    void (*erf)(float *to, const float *from, int64_t n);
} maths_rows;
const maths_rows *maths_rows_of(maths_width width);

#endif
