/* The operands of ScaledDotProductAttention-13. Private to the kernels. */
#ifndef INLAY_KERNELS_ATTENTION_H
#define INLAY_KERNELS_ATTENTION_H

#include "interp/call/kernel.h"

/* The strides of an operand as matrices: over the leading axes of the result, from row to row and
 * from column to column. Rows are queries, or keys and values; a mask has queries as rows and keys
 * as columns. */
typedef struct attention_operand {
    int64_t lead[INLAY_MAX_RANK], row, col;
} attention_operand;

typedef struct attention {
    int rank; /* leading axes of the result */
    const int64_t *dims;
    /* The numbers of queries and keys, and of elements of a key and of a value. */
    int64_t queries, keys, size, values;
    attention_operand q, k, v, mask;
    double scale;
    bool causal, masked, is_boolean;
} attention;

/* Sets A to C's operands, with STRIDES[i] those of operand i. The mask is operand 3. */
void attention_of_call(const inlay_call *c, int64_t strides[][INLAY_MAX_RANK], attention *a);
/* Has C a mask that has an effect? */
bool attention_is_masked(const inlay_call *c);

#endif
