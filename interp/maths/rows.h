/* Functions of maths.h on whole rows, vectorized by hand. Private to interp/. */
#ifndef INLAY_MATHS_ROWS_H
#define INLAY_MATHS_ROWS_H

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
    /* exp(x - less), and sets the MATHS_LANES numbers of LANE to sums: element I of TO is added to
     * lane I % MATHS_LANES, in order (maths_sums adds the lanes). Meanwhile divides each of the N
     * elements of WAS, which is none of these rows, by BY; WAS NULL: there are none. */
    void (*exp_lanes)(float *to, const float *from, int64_t n, float less, float *lane, float *was,
                      float by);
    /* Returns the sum of exp(x - most) less 1, where MOST is the largest x: those of other x are added
     * to lanes as in exp_lanes, and then the lanes to how often there is MOST, less 1. */
    float (*exp_rest)(const float *from, int64_t n, float most);
    /* Divides each of the N elements of Y by BY, correctly rounded. */
    void (*divide)(float *y, int64_t n, float by);
} maths_rows;

typedef enum maths_width { MATHS_PLAIN, MATHS_AVX2, MATHS_AVX512 } maths_width;
/* Returns the rows of a width; NULL: not on this processor. */
const maths_rows *maths_rows_of(maths_width width);
/* Returns those of the largest width. */
const maths_rows *maths_best_rows(void);
enum { MATHS_TOGETHER = 4 };
/* Sets SUM[R] to the sum of the lanes of row R, in order, for MATHS_TOGETHER rows. */
void maths_sums(float *sum, const float (*lane)[MATHS_LANES]);

#endif
