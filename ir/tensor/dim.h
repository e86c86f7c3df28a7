/* Dimensions as text, and their arithmetic for shape rules. For the folders of this project, not
 * installed. */
#ifndef INLAY_IR_TENSOR_DIM_H
#define INLAY_IR_TENSOR_DIM_H

#include "ir/tensor.h"

bool inlay_shape_is_static(const inlay_shape *s);
/* Writes and reads one dimension like inlay_shape_text and inlay_shape_parse: "2", "?", "1..8". On
 * failure *WHY says what is wrong (a constant string). */
char *inlay_dim_text(inlay_dim d, char *buf, size_t size);
bool inlay_dim_parse(const char *text, size_t len, inlay_dim *out, const char **why);
/* Have A and B, N dimensions each, the same bounds? They need not be known as the same ones. */
bool inlay_dims_same_bounds(const inlay_dim *a, const inlay_dim *b, int n);
/* Returns the smallest interval that contains A and B, with their id if it is the same. */
inlay_dim inlay_dim_union(inlay_dim a, inlay_dim b);
/* Returns the number within D that is nearest to N. */
int64_t inlay_dim_clamp(inlay_dim d, int64_t n);
/* Interval arithmetic, saturating; x+0, x-0 and x*1 keep the id. Division by a positive number. */
inlay_dim inlay_dim_add(inlay_dim a, inlay_dim b);
inlay_dim inlay_dim_sub(inlay_dim a, inlay_dim b);
inlay_dim inlay_dim_mul(inlay_dim a, inlay_dim b);
inlay_dim inlay_dim_div_floor(inlay_dim a, int64_t by);
inlay_dim inlay_dim_div_ceil(inlay_dim a, int64_t by);
inlay_dim inlay_dim_min(inlay_dim a, inlay_dim b);
inlay_dim inlay_dim_max(inlay_dim a, inlay_dim b);

#endif
