/* oneDNN as this room needs it. Only api.c knows how versions differ. */
#ifndef INLAY_ONEDNN_API_H
#define INLAY_ONEDNN_API_H

#include "interp/library/module.h"

#include <dnnl.h>

/* How elements lie in memory. */
#if DNNL_VERSION_MAJOR >= 3
typedef const_dnnl_memory_desc_t api_layout;
#else
typedef const dnnl_memory_desc_t *api_layout;
#endif

enum { API_POSTS = 4 };

/* What is done with each element of a result before it is stored. */
typedef struct api_post {
    bool sum; /* what stands there is added; else it is clamped */
    float low, high;
} api_post;

typedef struct api_posts {
    api_post list[API_POSTS];
    int n;
} api_posts;

/* Says how many threads compute what the calling thread asks for. Returns how many did before. */
int api_threads(int n);
#if DNNL_CPU_RUNTIME == DNNL_RUNTIME_OMP
/* Calls FN on N of these threads, the calling one among them. */
void api_team(int n, void (*fn)(void *ctx), void *ctx);
#else
#define api_team NULL /* oneDNN's threads are not OpenMP's */
#endif

/* Row-major, or, with STRIDES, these; NULL: out of memory. The caller frees it. */
api_layout api_plain(int rank, const int64_t *dims, const int64_t *strides);
/* Any layout, for oneDNN to choose. */
api_layout api_any(int rank, const int64_t *dims);
api_layout api_copy(api_layout l);
void api_free(api_layout l); /* NULL is fine */
bool api_is_same(api_layout a, api_layout b);
size_t api_bytes(api_layout l);
/* Returns the layout that PD says of WHAT (a dnnl_query), number I; it lives as long as PD. */
api_layout api_of(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int i);
dnnl_status_t api_memory(dnnl_memory_t *m, api_layout l, dnnl_engine_t e);

/* The operands of convolutions and products; there may be no bias. */
enum { API_DATA, API_WEIGHTS, API_BIAS, API_RESULT, API_OPERANDS };

/* Each of these makes what describes an operation, with its scratch memory left to the caller.
 * NULL: oneDNN has nothing for it. */

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
