/* CumSum-3, ONNX CumProd-26: running sums and products along one axis, forward or backward, with or
 * without the element itself. */
#include "interp/kernels/axes.h"
#include "interp/kernels/clones.h"

typedef struct running {
    axis_split s;
    bool exclusive, reverse, product;
} running;

#define LOOP "interp/kernels/cumulative_loop.h"
#include "interp/kernels/each_domain.h"
#undef LOOP

static bool cumulate(inlay_call *c, bool product)
{
    running r = {.exclusive = inlay_node_bool(c->node, "exclusive"),
                 .reverse = inlay_node_bool(c->node, "reverse"),
                 .product = product};
    int64_t n = inlay_tensor_count(c->in[0]);
    int64_t named = call_has(c, 1) ? inlay_tensor_get_i64(c->in[1], 0) : 0;
    inlay_domain domain = load_domain(c->in[0]->type);
    int axis;

    if (!axis_checked(c, "axis", named, c->in[0]->rank, &axis))
        return false;
    r.s = axis_split_of(c->in[0], axis);
    if (domain == DOMAIN_F32) {
        const float *x = load_f32(c, 0);
        float *y = inlay_call_memory(c, n, sizeof *y);

        return x && y && (run_f32(&r, x, y), store_f32(c, 0, y));
    }
    if (domain == DOMAIN_F64) {
        const double *x = load_f64(c, 0);
        double *y = inlay_call_memory(c, n, sizeof *y);

        return x && y && (run_f64(&r, x, y), store_f64(c, 0, y));
    }
    const int64_t *x = load_i64(c, 0);
    int64_t *y = inlay_call_memory(c, n, sizeof *y);

    if (!x || !y)
        return false;
    run_u64(&r, (const uint64_t *)x, (uint64_t *)y);
    return store_i64(c, 0, y);
}

bool eval_cumsum(inlay_call *c)
{
    return cumulate(c, false);
}

bool eval_cumprod(inlay_call *c)
{
    return cumulate(c, true);
}
