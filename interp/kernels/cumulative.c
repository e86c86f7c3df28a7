/* CumSum-3, ONNX CumProd-26: running sums and products along one axis, forward or backward, with or
 * without the element itself. */
#include "interp/call/bound.h"
#include "interp/kernels/axes.h"
#include "interp/kernels/clones.h"
#include "interp/maths/double.h"

#include <stdint.h>

enum {
    LINES = 8,  /* that are computed side by side, */
    NARROW = 16 /* if fewer lie side by side */
};

typedef struct running {
    axis_split s;
    bool exclusive, reverse, product;
} running;

#define LOOP "interp/kernels/cumulative_loop.h"
#include "interp/kernels/each_domain.h"
#undef LOOP

#define T uint32_t
#define NAME(name) name##_u32
#include "interp/kernels/cumulative_loop.h"
#undef T
#undef NAME

/* What is exclusive reads elements behind those that it writes, so these must be others. */
static bool is_apart(const inlay_call *c, const running *r)
{
    return r->exclusive && bound_overlap(c->in[0], c->out[0]);
}

#define CUMULATE(T, U, suffix, run)                                                                \
    static bool cumulate_##suffix(inlay_call *c, const running *r)                                 \
    {                                                                                              \
        const T *x = load_##suffix(c, 0);                                                          \
        T *y = is_apart(c, r) ? inlay_call_memory(c, inlay_tensor_count(c->in[0]), sizeof *y)      \
                              : place_##suffix(c, 0);                                              \
                                                                                                   \
        if (!x || !y)                                                                              \
            return false;                                                                          \
        run(r, (const U *)x, (U *)y);                                                              \
        return store_##suffix(c, 0, y);                                                            \
    }

CUMULATE(float, float, f32, run_f32)
CUMULATE(double, double, f64, run_f64)
CUMULATE(int64_t, uint64_t, i64, run_u64)

/* Integers of 32 bits, which wrap, as they are in memory. */
static bool cumulate_narrow(inlay_call *c, const running *r)
{
    const inlay_tensor *t = c->in[0];
    uint32_t *y =
        is_apart(c, r) ? inlay_call_memory(c, inlay_tensor_count(t), sizeof *y) : place_u32(c, 0);

    if (!y)
        return false;
    run_u32(r, (const uint32_t *)t->data + t->offset, y);
    return store_u32(c, 0, y);
}

static bool is_narrow(const inlay_tensor *t)
{
    return (t->type == INLAY_I32 || t->type == INLAY_U32) && inlay_tensor_is_dense(t) &&
           (uintptr_t)t->data % sizeof(uint32_t) == 0;
}

static bool cumulate(inlay_call *c, bool product)
{
    running r = {.exclusive = inlay_node_bool(c->node, "exclusive"),
                 .reverse = inlay_node_bool(c->node, "reverse"),
                 .product = product};
    int64_t named = call_has(c, 1) ? inlay_tensor_get_i64(c->in[1], 0) : 0;
    inlay_domain domain = load_domain(c->in[0]->type);
    int axis;

    if (!axis_checked(c, "axis", named, c->in[0]->rank, &axis))
        return false;
    r.s = axis_split_of(c->in[0], axis);
    return is_narrow(c->in[0])    ? cumulate_narrow(c, &r)
           : domain == DOMAIN_F32 ? cumulate_f32(c, &r)
           : domain == DOMAIN_F64 ? cumulate_f64(c, &r)
                                  : cumulate_i64(c, &r);
}

bool eval_cumsum(inlay_call *c)
{
    return cumulate(c, false);
}

bool eval_cumprod(inlay_call *c)
{
    return cumulate(c, true);
}
