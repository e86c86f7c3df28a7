/* Functions of maths.h for whole rows, with vectors that were chosen by hand. Private to interp/.
 */
#ifndef INLAY_MATHS_ROWS_H
#define INLAY_MATHS_ROWS_H

#include <stdint.h>

/* Sets each of the N elements of TO to maths_exp(x - less), for x of FROM. TO may be FROM. */
void maths_exp_row(float *to, const float *from, int64_t n, float less);

/* The same for one width of vectors, which gives the same bits; NULL: not on this processor. */
typedef enum maths_width { MATHS_PLAIN, MATHS_AVX2, MATHS_AVX512 } maths_width;
typedef void maths_exp_row_fn(float *to, const float *from, int64_t n, float less);
maths_exp_row_fn *maths_exp_row_of(maths_width width);

#endif
