/* Inputs that are filled as the caller asks: zeros, counting up, or from a range. */
#include "ir/shared.h"
#include "passes/verify/maker.h"

#include <math.h>
#include <string.h>

bool inlay_fill_by_name(const char *name, inlay_fill *fill)
{
    static const char *const names[] = {[INLAY_FILL_ZEROS] = "zeros",
                                        [INLAY_FILL_ONES] = "ones",
                                        [INLAY_FILL_IOTA] = "iota",
                                        [INLAY_FILL_RANDOM] = "random"};

    for (int i = INLAY_FILL_ZEROS; i <= INLAY_FILL_RANDOM; i++) {
        if (name && strcmp(names[i], name) == 0) {
            *fill = (inlay_fill)i;
            return true;
        }
    }
    return false;
}

static void fill_plainly(inlay_tensor *t, inlay_fill fill)
{
    for (int64_t i = 0; fill != INLAY_FILL_ZEROS && i < inlay_tensor_count(t); i++)
        inlay_store_i64(t->type, t->data, i, fill == INLAY_FILL_IOTA ? i : 1);
}

/* The ends of a range can be represented in the type. T, which has elements, is overwritten. */
static bool range_fits(verify_maker *m, const inlay_node *p, inlay_tensor *t, const inlay_range *r)
{
    const double ends[] = {r->lo, r->hi};

    for (int i = 0; i < 2; i++) {
        double end = ends[i];

        if (inlay_type_is_float(t->type))
            continue;
        if (floor(end) == end && fabs(end) < 0x1p63) {
            inlay_store_i64(t->type, t->data, 0, (int64_t)end);
            if ((double)inlay_tensor_get_i64(t, 0) == end)
                continue;
        }
        return inlay_fail_node(m->diags, p, "the range from %g to %g does not fit type %s", r->lo,
                               r->hi, inlay_type_info_of(t->type)->name);
    }
    return true;
}

static bool fill_range(verify_maker *m, const inlay_node *p, inlay_tensor *t, uint64_t state,
                       const inlay_range *r)
{
    int64_t n = inlay_tensor_count(t);

    if (n > 0 && !range_fits(m, p, t, r))
        return false;
    for (int64_t i = 0; i < n; i++) {
        double part = (double)(inlay_random(&state) >> 11) * 0x1p-53; /* in [0, 1) */
        double x = r->lo + part * (r->hi - r->lo);

        if (inlay_type_is_float(t->type))
            inlay_store_f64(t->type, t->data, i, x);
        else
            inlay_store_i64(t->type, t->data, i,
                            (int64_t)fmin(floor(r->lo + part * (r->hi - r->lo + 1)), r->hi));
    }
    return true;
}

bool verify_fill_as_asked(verify_maker *m, int i, inlay_tensor *t, uint64_t seed)
{
    inlay_fill fill = m->o->fills ? m->o->fills[i] : INLAY_FILL_RANDOM;

    if (fill == INLAY_FILL_RANDOM)
        return fill_range(m, m->g->params[i], t, seed, &m->o->ranges[i]);
    fill_plainly(t, fill);
    return true;
}
