/* Where versions of oneDNN differ: 2.x describes layouts and operations by structs, 3.x by
 * pointers, and without a step in between. */
#include "interp/onednn/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if DNNL_VERSION_MAJOR >= 3

typedef dnnl_memory_desc_t made;

static dnnl_status_t make_tagged(made *l, int rank, const int64_t *dims, dnnl_format_tag_t tag)
{
    return dnnl_memory_desc_create_with_tag(l, rank, dims, dnnl_f32, tag);
}

static dnnl_status_t make_strided(made *l, int rank, const int64_t *dims, const int64_t *strides)
{
    return dnnl_memory_desc_create_with_strides(l, rank, dims, dnnl_f32, strides);
}

api_layout api_copy(api_layout l)
{
    made copy = NULL;

    return dnnl_memory_desc_clone(&copy, l) == dnnl_success ? copy : NULL;
}

void api_free(api_layout l)
{
    if (l)
        dnnl_memory_desc_destroy((made)l);
}

/* Returns the numbers WHAT of L; NULL: it has none. */
static const int64_t *numbers(api_layout l, dnnl_query_t what)
{
    const dnnl_dims_t *found = NULL;

    return dnnl_memory_desc_query(l, what, (void *)&found) == dnnl_success && found ? *found : NULL;
}

bool api_read(api_layout l, api_blocks *b)
{
    *b = (api_blocks){.dims = numbers(l, dnnl_query_dims),
                      .filled = numbers(l, dnnl_query_padded_dims),
                      .strides = numbers(l, dnnl_query_strides),
                      .sizes = numbers(l, dnnl_query_inner_blks),
                      .axes = numbers(l, dnnl_query_inner_idxs)};
    return dnnl_memory_desc_query(l, dnnl_query_ndims_s32, &b->rank) == dnnl_success &&
           dnnl_memory_desc_query(l, dnnl_query_inner_nblks_s32, &b->n) == dnnl_success &&
           b->dims && b->filled && b->strides && (b->n == 0 || (b->sizes && b->axes));
}

static api_layout finish(dnnl_status_t status, made *l)
{
    return status == dnnl_success ? *l : NULL;
}

#define MADE(name) made name = NULL

static dnnl_status_t append_sum(dnnl_post_ops_t ops)
{
    return dnnl_post_ops_append_sum(ops, 1, 0, dnnl_data_type_undef);
}

static dnnl_status_t append_clamp(dnnl_post_ops_t ops, dnnl_alg_kind_t kind, float a, float b)
{
    return dnnl_post_ops_append_eltwise(ops, kind, a, b);
}

static dnnl_status_t describe_convolution(dnnl_primitive_desc_t *pd, dnnl_engine_t e,
                                          const module_node *n, const api_layout l[API_OPERANDS],
                                          const int64_t *dilation, const_dnnl_primitive_attr_t a)
{
    return dnnl_convolution_forward_primitive_desc_create(
        pd, e, dnnl_forward_inference, dnnl_convolution_direct, l[API_DATA], l[API_WEIGHTS],
        l[API_BIAS], l[API_RESULT], n->stride, dilation, n->before, n->behind, a);
}

static dnnl_status_t describe_product(dnnl_primitive_desc_t *pd, dnnl_engine_t e,
                                      const api_layout l[API_OPERANDS],
                                      const_dnnl_primitive_attr_t a)
{
    return dnnl_matmul_primitive_desc_create(pd, e, l[API_DATA], l[API_WEIGHTS], l[API_BIAS],
                                             l[API_RESULT], a);
}

static dnnl_status_t describe_pool(dnnl_primitive_desc_t *pd, dnnl_engine_t e, dnnl_alg_kind_t kind,
                                   const module_node *n, api_layout from, api_layout to,
                                   const int64_t *dilation, const_dnnl_primitive_attr_t a)
{
    return dnnl_pooling_forward_primitive_desc_create(pd, e, dnnl_forward_inference, kind, from, to,
                                                      n->stride, n->kernel, dilation, n->before,
                                                      n->behind, a);
}

static dnnl_status_t describe_add(dnnl_primitive_desc_t *pd, dnnl_engine_t e, api_layout a,
                                  api_layout b, api_layout to, const_dnnl_primitive_attr_t attr)
{
    return dnnl_binary_primitive_desc_create(pd, e, dnnl_binary_add, a, b, to, attr);
}

static dnnl_status_t describe_clamp(dnnl_primitive_desc_t *pd, dnnl_engine_t e,
                                    dnnl_alg_kind_t kind, float a, float b, api_layout l,
                                    const_dnnl_primitive_attr_t attr)
{
    return dnnl_eltwise_forward_primitive_desc_create(pd, e, dnnl_forward_inference, kind, l, l, a,
                                                      b, attr);
}

#else

typedef dnnl_memory_desc_t made;

static dnnl_status_t make_tagged(made *l, int rank, const int64_t *dims, dnnl_format_tag_t tag)
{
    return dnnl_memory_desc_init_by_tag(l, rank, dims, dnnl_f32, tag);
}

static dnnl_status_t make_strided(made *l, int rank, const int64_t *dims, const int64_t *strides)
{
    return dnnl_memory_desc_init_by_strides(l, rank, dims, dnnl_f32, strides);
}

api_layout api_copy(api_layout l)
{
    dnnl_memory_desc_t *copy = malloc(sizeof *copy);

    if (copy)
        *copy = *l;
    return copy;
}

void api_free(api_layout l)
{
    free((dnnl_memory_desc_t *)l);
}

bool api_read(api_layout l, api_blocks *b)
{
    const dnnl_blocking_desc_t *in = &l->format_desc.blocking;

    *b = (api_blocks){l->ndims,        l->dims,        l->padded_dims, in->strides,
                      in->inner_nblks, in->inner_blks, in->inner_idxs};
    return l->format_kind == dnnl_blocked;
}

static api_layout finish(dnnl_status_t status, const made *l)
{
    return status == dnnl_success ? api_copy(l) : NULL;
}

#define MADE(name) made name

static dnnl_status_t append_sum(dnnl_post_ops_t ops)
{
    return dnnl_post_ops_append_sum(ops, 1);
}

static dnnl_status_t append_clamp(dnnl_post_ops_t ops, dnnl_alg_kind_t kind, float a, float b)
{
    return dnnl_post_ops_append_eltwise(ops, 1, kind, a, b);
}

/* Makes *PD from D, a description that STATUS says was made. */
static dnnl_status_t describe(dnnl_status_t status, dnnl_primitive_desc_t *pd, dnnl_engine_t e,
                              const_dnnl_op_desc_t d, const_dnnl_primitive_attr_t a)
{
    return status == dnnl_success ? dnnl_primitive_desc_create(pd, d, a, e, NULL) : status;
}

static dnnl_status_t describe_convolution(dnnl_primitive_desc_t *pd, dnnl_engine_t e,
                                          const module_node *n, const api_layout l[API_OPERANDS],
                                          const int64_t *dilation, const_dnnl_primitive_attr_t a)
{
    dnnl_convolution_desc_t d;

    return describe(dnnl_dilated_convolution_forward_desc_init(
                        &d, dnnl_forward_inference, dnnl_convolution_direct, l[API_DATA],
                        l[API_WEIGHTS], l[API_BIAS], l[API_RESULT], n->stride, dilation, n->before,
                        n->behind),
                    pd, e, &d, a);
}

static dnnl_status_t describe_product(dnnl_primitive_desc_t *pd, dnnl_engine_t e,
                                      const api_layout l[API_OPERANDS],
                                      const_dnnl_primitive_attr_t a)
{
    dnnl_matmul_desc_t d;

    return describe(
        dnnl_matmul_desc_init(&d, l[API_DATA], l[API_WEIGHTS], l[API_BIAS], l[API_RESULT]), pd, e,
        &d, a);
}

static dnnl_status_t describe_pool(dnnl_primitive_desc_t *pd, dnnl_engine_t e, dnnl_alg_kind_t kind,
                                   const module_node *n, api_layout from, api_layout to,
                                   const int64_t *dilation, const_dnnl_primitive_attr_t a)
{
    dnnl_pooling_v2_desc_t d;

    return describe(dnnl_pooling_v2_forward_desc_init(&d, dnnl_forward_inference, kind, from, to,
                                                      n->stride, n->kernel, dilation, n->before,
                                                      n->behind),
                    pd, e, &d, a);
}

static dnnl_status_t describe_add(dnnl_primitive_desc_t *pd, dnnl_engine_t e, api_layout a,
                                  api_layout b, api_layout to, const_dnnl_primitive_attr_t attr)
{
    dnnl_binary_desc_t d;

    return describe(dnnl_binary_desc_init(&d, dnnl_binary_add, a, b, to), pd, e, &d, attr);
}

static dnnl_status_t describe_clamp(dnnl_primitive_desc_t *pd, dnnl_engine_t e,
                                    dnnl_alg_kind_t kind, float a, float b, api_layout l,
                                    const_dnnl_primitive_attr_t attr)
{
    dnnl_eltwise_desc_t d;

    return describe(dnnl_eltwise_forward_desc_init(&d, dnnl_forward_inference, kind, l, a, b), pd,
                    e, &d, attr);
}

#endif

/* What is the same in all versions */

#if DNNL_CPU_RUNTIME == DNNL_RUNTIME_OMP
/* Declared here because not every compiler finds OpenMP's header. The setting is per thread. */
int omp_get_max_threads(void);
void omp_set_num_threads(int n);

int api_alone(void)
{
    int was = omp_get_max_threads();

    omp_set_num_threads(1);
    return was;
}

void api_not_alone(int was)
{
    omp_set_num_threads(was);
}
#else
int api_alone(void)
{
    return 1;
}

void api_not_alone(int was)
{
    (void)was;
}
#endif

api_layout api_plain(int rank, const int64_t *dims, const int64_t *strides)
{
    int64_t dense[MODULE_ROOM];
    MADE(l);

    for (int i = rank; i-- > 0;)
        dense[i] = i == rank - 1 ? 1 : dense[i + 1] * dims[i + 1];
    return finish(make_strided(&l, rank, dims, strides ? strides : dense), &l);
}

api_layout api_any(int rank, const int64_t *dims)
{
    MADE(l);

    return finish(make_tagged(&l, rank, dims, dnnl_format_tag_any), &l);
}

/* By rank, from 3 on. */
static const struct {
    int block;
    dnnl_format_tag_t tag[3];
} orders[] = {{API_LAST, {dnnl_nwc, dnnl_nhwc, dnnl_ndhwc}},
              {API_PLANES, {dnnl_ncw, dnnl_nchw, dnnl_ncdhw}},
              {8, {dnnl_nCw8c, dnnl_nChw8c, dnnl_nCdhw8c}},
              {16, {dnnl_nCw16c, dnnl_nChw16c, dnnl_nCdhw16c}}};

enum { ORDERS = sizeof orders / sizeof orders[0] };

api_layout api_blocked(int rank, const int64_t *dims, int block)
{
    MADE(l);

    for (size_t i = 0; rank >= 3 && i < ORDERS; i++) {
        if (orders[i].block == block)
            return finish(make_tagged(&l, rank, dims, orders[i].tag[rank - 3]), &l);
    }
    return NULL;
}

int api_block_of(api_layout l, int rank, const int64_t *dims)
{
    int found = API_UNKNOWN;

    for (size_t i = 0; found == API_UNKNOWN && i < ORDERS; i++) {
        api_layout tagged = api_blocked(rank, dims, orders[i].block);

        found = tagged && api_is_same(tagged, l) ? orders[i].block : API_UNKNOWN;
        api_free(tagged);
    }
    return found;
}

bool api_is_same(api_layout a, api_layout b)
{
    return dnnl_memory_desc_equal(a, b) != 0;
}

size_t api_bytes(api_layout l)
{
    return dnnl_memory_desc_get_size(l);
}

api_layout api_of(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int i)
{
    return dnnl_primitive_desc_query_md(pd, what, i);
}

bool api_is_alike(const_dnnl_primitive_desc_t a, const_dnnl_primitive_desc_t b)
{
    const char *of_a = NULL, *of_b = NULL;

    return dnnl_primitive_desc_query(a, dnnl_query_impl_info_str, 0, &of_a) == dnnl_success &&
           dnnl_primitive_desc_query(b, dnnl_query_impl_info_str, 0, &of_b) == dnnl_success &&
           strcmp(of_a, of_b) == 0;
}

dnnl_status_t api_memory(dnnl_memory_t *m, api_layout l, dnnl_engine_t e)
{
    return dnnl_memory_create(m, l, e, DNNL_MEMORY_NONE);
}

/* oneDNN's name for a clamp from LOW to HIGH; ReLU is the fastest of them. */
static dnnl_alg_kind_t clamp_kind(float low, float high)
{
    return low == 0 && isinf(high) ? dnnl_eltwise_relu : dnnl_eltwise_clip;
}

static float clamp_alpha(float low, float high)
{
    return clamp_kind(low, high) == dnnl_eltwise_relu ? 0 : low;
}

static float clamp_beta(float low, float high)
{
    return clamp_kind(low, high) == dnnl_eltwise_relu ? 0 : high;
}

static dnnl_status_t set_posts(dnnl_primitive_attr_t a, const api_posts *p)
{
    dnnl_post_ops_t ops;
    dnnl_status_t status = dnnl_post_ops_create(&ops);

    if (status != dnnl_success)
        return status;
    for (int i = 0; status == dnnl_success && i < p->n; i++) {
        float low = p->list[i].low, high = p->list[i].high;

        status = p->list[i].sum ? append_sum(ops)
                                : append_clamp(ops, clamp_kind(low, high), clamp_alpha(low, high),
                                               clamp_beta(low, high));
    }
    if (status == dnnl_success)
        status = dnnl_primitive_attr_set_post_ops(a, ops);
    dnnl_post_ops_destroy(ops);
    return status;
}

/* Makes attributes: scratch memory is the caller's, and P (NULL: nothing) is applied to results.
 * NULL: out of memory. */
static dnnl_primitive_attr_t make_attr(const api_posts *p)
{
    dnnl_primitive_attr_t a;

    if (dnnl_primitive_attr_create(&a) != dnnl_success)
        return NULL;
    if (dnnl_primitive_attr_set_scratchpad_mode(a, dnnl_scratchpad_mode_user) == dnnl_success &&
        (!p || p->n == 0 || set_posts(a, p) == dnnl_success))
        return a;
    dnnl_primitive_attr_destroy(a);
    return NULL;
}

/* oneDNN counts the elements between those that a dilated filter reads. */
static void count_gaps(const module_node *n, int64_t *gaps)
{
    for (int i = 0; i < n->axes; i++)
        gaps[i] = n->dilation[i] - 1;
}

/* Returns *PD, if STATUS, the result of the call that sets it, is success; frees A. */
static dnnl_primitive_desc_t finish_pd(dnnl_status_t status, const dnnl_primitive_desc_t *pd,
                                       dnnl_primitive_attr_t a)
{
    dnnl_primitive_attr_destroy(a);
    return status == dnnl_success ? *pd : NULL;
}

dnnl_primitive_desc_t api_convolution(dnnl_engine_t e, const module_node *n,
                                      const api_layout l[API_OPERANDS], const api_posts *p)
{
    dnnl_primitive_attr_t a = make_attr(p);
    dnnl_primitive_desc_t pd = NULL;
    int64_t gaps[MODULE_ROOM];

    count_gaps(n, gaps);
    return a ? finish_pd(describe_convolution(&pd, e, n, l, gaps, a), &pd, a) : NULL;
}

dnnl_primitive_desc_t api_product(dnnl_engine_t e, const api_layout l[API_OPERANDS],
                                  const api_posts *p)
{
    dnnl_primitive_attr_t a = make_attr(p);
    dnnl_primitive_desc_t pd = NULL;

    return a ? finish_pd(describe_product(&pd, e, l, a), &pd, a) : NULL;
}

dnnl_primitive_desc_t api_pool(dnnl_engine_t e, const module_node *n, api_layout from,
                               api_layout to)
{
    dnnl_alg_kind_t kind = n->kind == MODULE_MAX_POOL ? dnnl_pooling_max
                           : n->pad_counts            ? dnnl_pooling_avg_include_padding
                                                      : dnnl_pooling_avg_exclude_padding;
    dnnl_primitive_attr_t a = make_attr(NULL);
    dnnl_primitive_desc_t pd = NULL;
    int64_t gaps[MODULE_ROOM];

    count_gaps(n, gaps);
    return a ? finish_pd(describe_pool(&pd, e, kind, n, from, to, gaps, a), &pd, a) : NULL;
}

dnnl_primitive_desc_t api_add(dnnl_engine_t e, api_layout a, api_layout b, api_layout to,
                              const api_posts *p)
{
    dnnl_primitive_attr_t attr = make_attr(p);
    dnnl_primitive_desc_t pd = NULL;

    return attr ? finish_pd(describe_add(&pd, e, a, b, to, attr), &pd, attr) : NULL;
}

dnnl_primitive_desc_t api_clamp(dnnl_engine_t e, const module_node *n, api_layout l)
{
    dnnl_primitive_attr_t a = make_attr(NULL);
    dnnl_primitive_desc_t pd = NULL;

    return a ? finish_pd(describe_clamp(&pd, e, clamp_kind(n->low, n->high),
                                        clamp_alpha(n->low, n->high), clamp_beta(n->low, n->high),
                                        l, a),
                         &pd, a)
             : NULL;
}

dnnl_primitive_desc_t api_reorder(dnnl_engine_t e, api_layout from, api_layout to)
{
    dnnl_primitive_attr_t a = make_attr(NULL);
    dnnl_primitive_desc_t pd = NULL;

    return a ? finish_pd(dnnl_reorder_primitive_desc_create(&pd, from, e, to, e, a), &pd, a) : NULL;
}
