/* The part of oneDNN that this folder uses. Only api.c depends on its version. */
#ifndef INLAY_ONEDNN_API_H
#define INLAY_ONEDNN_API_H

#include "interp/library/module.h"

#include <dnnl.h>

/* The layout of elements in memory. */
#if DNNL_VERSION_MAJOR >= 3
typedef const_dnnl_memory_desc_t api_layout;
#else
typedef const dnnl_memory_desc_t *api_layout;
#endif

enum { API_POSTS = 4 };

/* An operation on each element of a result before it is stored. */
typedef struct api_post {
    bool sum; /* adds the old contents of the buffer; else it clamps */
    float low, high;
} api_post;

typedef struct api_posts {
    api_post list[API_POSTS];
    int n;
} api_posts;

/* Makes oneDNN compute in the calling thread alone. Returns the number of threads before. */
int api_alone(void);
/* Undoes that; WAS: the result of api_alone. */
void api_not_alone(int was);

/* The row-major layout, or that with STRIDES; NULL: out of memory. The caller frees it. */
api_layout api_plain(int rank, const int64_t *dims, const int64_t *strides);
/* Any layout, for oneDNN to choose. */
api_layout api_any(int rank, const int64_t *dims);
/* The order of the channels of images: adjacent at each position, in planes, or in blocks of so
 * many; the last two begin with the plane, or block, of the first channels. */
enum { API_UNKNOWN = -1, API_LAST, API_PLANES };
/* Returns the order of channels in L, which has DIMS: API_..., or the elements of a block. */
int api_block_of(api_layout l, int rank, const int64_t *dims);
/* Returns the layout in blocks of BLOCK; NULL: there is none, or out of memory. */
api_layout api_blocked(int rank, const int64_t *dims, int block);
api_layout api_copy(api_layout l);
void api_free(api_layout l); /* NULL is fine */
bool api_is_same(api_layout a, api_layout b);
size_t api_bytes(api_layout l);
/* The parts of a blocked layout. The position of an element is the sum of one number for each axis.
 */
typedef struct api_blocks {
    int rank;
    const int64_t *dims, *filled; /* elements along each axis; the same with padding to whole
                                     blocks */
    const int64_t *strides;       /* along each axis, from element to element outside of blocks, or
                                     from block to block */
    int n;                        /* number of nested blocks, the outermost first */
    const int64_t *sizes, *axes;  /* of each block: its elements, and their axis */
} api_blocks;
/* Reads L, which must not be freed meanwhile; false: it is not blocked. */
bool api_read(api_layout l, api_blocks *b);
/* Returns layout I for WHAT (a dnnl_query) in PD; it lives as long as PD. */
api_layout api_of(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int i);
/* Are A and B computed in the same way? */
bool api_is_alike(const_dnnl_primitive_desc_t a, const_dnnl_primitive_desc_t b);
dnnl_status_t api_memory(dnnl_memory_t *m, api_layout l, dnnl_engine_t e);

/* The operands of convolutions and products; the bias may be absent. */
enum { API_DATA, API_WEIGHTS, API_BIAS, API_RESULT, API_OPERANDS };

/* Each of these makes the description of an operation, with its scratch memory left to the caller.
 * NULL: oneDNN does not support it. */

dnnl_primitive_desc_t api_convolution(dnnl_engine_t e, const module_node *n,
                                      const api_layout l[API_OPERANDS], const api_posts *p);
dnnl_primitive_desc_t api_product(dnnl_engine_t e, const api_layout l[API_OPERANDS],
                                  const api_posts *p);
dnnl_primitive_desc_t api_pool(dnnl_engine_t e, const module_node *n, api_layout from,
                               api_layout to);
dnnl_primitive_desc_t api_add(dnnl_engine_t e, api_layout a, api_layout b, api_layout to,
                              const api_posts *p);
dnnl_primitive_desc_t api_clamp(dnnl_engine_t e, const module_node *n, api_layout l);
dnnl_primitive_desc_t api_reorder(dnnl_engine_t e, api_layout from, api_layout to);

#endif
