/* Tiles of products of 32-bit integers. Integers wrap, so all orders of a sum give the same bits. A
 * word is an element, or elements that follow each other along the common dimension: a pair, if all
 * elements of both factors fit into 16 bits, or four, if those of A are signed and those of B
 * unsigned bytes, or the other way round. Processors multiply such words and add their products in
 * one instruction or two.
 *
 *     rows of A, pairs        panel of B, pairs of rows, 32 columns
 *       a00 a01 | a02 a03       b00 b10 | b01 b11 | ..
 *       a10 a11 | a12 a13       b20 b30 | b21 b31 | .. */
#ifndef INLAY_LIBRARY_WHOLE_H
#define INLAY_LIBRARY_WHOLE_H

#include "interp/kernels/convolution.h"
#include "interp/library/tile.h"

enum { WHOLE_COLS = 32 /* of a panel */ };

/* An element of an operand, at any address. */
typedef uint32_t whole_number __attribute__((aligned(1), may_alias));

typedef enum whole_kind {
    WHOLE_WORDS,
    WHOLE_PAIRS,
    WHOLE_BYTES, /* those of A are signed */
    WHOLE_TURNED /* those of B are */
} whole_kind;

/* DEPTH words of each row of A, and as many rows of a panel of B. */
typedef struct whole_tile {
    int64_t depth;
    const uint32_t *a;
    int64_t a_row;
    const uint32_t *b;
    const int64_t *b_at; /* where row k of B begins; NULL: the rows of a panel */
    uint32_t *c;
    int64_t c_row;
    whole_kind kind;
    bool adds; /* adds to C instead of to zeros */
} whole_tile;

/* Computes ROWS rows of COLS columns, at most WHOLE_COLS, with the vectors of SET. */
void whole_multiply(const tile_set *set, const whole_tile *t, int64_t rows, int64_t cols);

/* Are these integers that tiles multiply? */
bool whole_takes(inlay_type type);
/* Returns the first element of operand I, and sets STRIDES; NULL: it has no memory. */
const whole_number *whole_load(inlay_call *c, int i, int64_t *strides);
/* Returns 0 if all of N elements at X fit into pairs. */
uint32_t whole_beyond(const whole_number *x, int64_t n);
/* Writes N elements, STEP apart, to TO. */
void whole_copy(const whole_number *x, int64_t step, int64_t n, uint32_t *to);
/* Writes N pairs of the elements of X and Y, STEP apart; Y NULL: zeros. Returns 0 if all fit. */
uint32_t whole_pair(const whole_number *x, const whole_number *y, int64_t step, int64_t n,
                    uint32_t *to);
/* Writes a row of N elements, STEP apart, as words. Returns 0 if they fit, or PAIRS is false. */
uint32_t whole_pack_row(const whole_number *x, int64_t step, int64_t n, bool pairs, uint32_t *to);

/* Signed bytes as unsigned ones, or the other way round: what is added to each, and to the zero
 * point. */
enum { WHOLE_FLIP = 0x80, WHOLE_BYTE_WORD = 4 /* bytes of a word */ };
#define WHOLE_FLIPS UINT32_C(0x80808080)

static inline int64_t whole_words(int64_t n, bool pairs)
{
    return pairs ? (n + 1) / 2 : n;
}

/* matmul_whole.c: MatMul-1 of such integers, as the functions of library_kernel. */
size_t whole_product_bytes(const inlay_node *n, const inlay_tensor *t);
void whole_product_pack(const inlay_node *n, const inlay_tensor *t, void *to);
bool whole_product(inlay_call *c, const void *packed);
/* convolution_whole.c: a convolution of such integers whose images are small. */
bool whole_convolution(inlay_call *c, const convolution *v);

#endif
