/* How ScaledDotProductAttention-13 reads its operands. This header is private to the kernels. */
#ifndef INLAY_KERNELS_ATTENTION_H
#define INLAY_KERNELS_ATTENTION_H

#include "interp/call/kernel.h"

/* An operand seen as matrices: over the leading axes of the result, and how far rows and columns
 * are apart. Rows are queries, or keys and values; a mask has queries and keys. */
typedef struct attention_operand {
    int64_t lead[INLAY_MAX_RANK], row, col;
} attention_operand;

typedef struct attention {
    int rank; /* leading axes of the result */
    const int64_t *dims;
    /* How many queries and keys there are, and elements of a key and of a value. */
    int64_t queries, keys, size, values;
    attention_operand q, k, v, mask;
    double scale;
    bool causal, masked, is_boolean;
} attention;

/* A receives what C's operands are, whose elements lie STRIDES[i] apart. The mask is operand 3. */
void attention_of_call(const inlay_call *c, int64_t strides[][INLAY_MAX_RANK], attention *a);
/* Returns whether C has a mask that counts. */
bool attention_is_masked(const inlay_call *c);

#endif
