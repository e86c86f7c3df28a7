/* What the imports of com.microsoft's attention share: fused_attention.c, and packed_attention.c,
 * whose sequences stand behind one another. Private to parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_FUSED_ATTENTION_H
#define INLAY_PARSER_ONNX_IMPORT_FUSED_ATTENTION_H

#include "parser/onnx/import/attention.h"

enum { SCORES_NONE, SCORES_BEFORE, SCORES_AFTER }; /* softmax */

typedef struct fused {
    onnx_node *n;
    int64_t heads, groups;
    inlay_value *q, *k, *v; /* [batch, heads or groups, length, size] */
    inlay_value *own;       /* the number of keys of this call, behind those of the past: [1] */
    inlay_value *bias;      /* added to the scores; NULL: nothing */
    inlay_value *sink;      /* a score for each head, of a key without a value; NULL: none */
    double cap, filter;     /* of scores; what the score of padding is lowered by */
    int shown;              /* what output 3 is: SCORES_NONE and the like */
    double unseen;          /* what output 3 has for a key that a query does not see */
    inlay_type type, wide;
} fused;

/* Reads the attributes of A, whose first operand says the type. */
bool fused_read(fused *a);
/* Reads the sizes of queries, keys and values among the columns of the weights, operand 1. */
bool fused_widths(onnx_node *n, int64_t *widths);
/* Adds operand I, where it is there, to the scores; lowers those of keys that are not ALLOWED by
 * LOWER. */
bool fused_add(fused *a, int i);
bool fused_mask(fused *a, inlay_value *allowed, double lower);
/* 0, 1, ... for each key: [keys]. */
inlay_value *fused_keys(const fused *a);
/* The result [batch, queries, heads * size]. */
inlay_value *fused_result(const fused *a);

#endif
