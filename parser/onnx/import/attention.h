/* What the imports of attention share: ONNX's own (attention.c), and com.microsoft's
 * (fused_attention.c). Q has [batch, heads, queries, size], K and V [batch, groups, keys, size]. A
 * NULL operand gives NULL. Private to parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_ATTENTION_H
#define INLAY_PARSER_ONNX_IMPORT_ATTENTION_H

#include "parser/onnx/import/make.h"

/* Reshapes X [batch, length, heads * size] and transposes the result to [batch, heads, length,
 * size]; and back. */
inlay_value *attention_split(onnx_node *n, inlay_value *x, int64_t heads);
inlay_value *attention_merge(onnx_node *n, inlay_value *x);
/* Multiplies A by B, or by the transpose of B, head by head; B has the heads of K and V, each of
 * which a group of heads of A shares. */
inlay_value *attention_product(onnx_node *n, inlay_value *a, inlay_value *b, bool transpose);
/* Probabilities of the last axis. */
inlay_value *attention_softmax(onnx_node *n, inlay_value *x);
/* Keys or values X [batch, groups, keys, size] of which batch b has ENDS[b], so that no result
 * depends on what stands behind: zeros, or with CUT as many keys only as the longest batch has. */
inlay_value *attention_valid(onnx_node *n, inlay_value *x, inlay_value *ends, bool cut);
bool attention_is_one_batch(const inlay_value *x);

/* CACHE with X written over it along AXIS (decoder.c), from STARTS [batch] on, or from START [1].
 */
inlay_value *cache_scattered(onnx_node *n, inlay_value *cache, inlay_value *x, inlay_value *starts,
                             int axis);
inlay_value *cache_window(onnx_node *n, inlay_value *cache, inlay_value *x, inlay_value *start,
                          int axis);

/* Rotary embedding (decoder.c). CAPACITY rows of cosines and sines for PAIRS of the elements of a
 * head. */
typedef struct rotary {
    onnx_node *n;
    inlay_value *cosines, *sines; /* [capacity, pairs]; without positions [batch, length, pairs] */
    inlay_value *positions;       /* [batch, length]; NULL: every element has rows of its own */
    int64_t dim;                  /* 0: all elements of a head */
    bool interleaved;             /* a pair is two neighbours; else one of each half */
} rotary;

/* Rotates the first DIM elements of X [batch, length, heads, size] by the angles of their
 * positions. / */
inlay_value *rotary_turned(const rotary *r, inlay_value *x);

#endif
