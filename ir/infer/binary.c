/* Shape rules of elementwise operations, and what they say about known integer values: that is what
 * makes shape arithmetic (ShapeOf, Gather, Add, Concat, Reshape) infer statically. */
#include "ir/infer/values.h"

#include <string.h>

/* Row-major strides of an operand of shape S seen through numpy broadcasting to OUT. */
static void value_strides(const inlay_shape *s, const inlay_shape *out, int *strides)
{
    int step = 1, lead = out->rank - s->rank;

    for (int i = out->rank - 1; i >= 0; i--) {
        int64_t dim = i < lead ? 1 : s->dim[i - lead].lo;

        strides[i] = dim == 1 ? 0 : step;
        step *= (int)dim;
    }
}

/* Number of elements when S is static and small enough to follow, else -1. */
static int followed_count(const inlay_shape *s)
{
    int64_t n = 1;

    if (!inlay_shape_is_static(s))
        return -1;
    for (int i = 0; i < s->rank; i++) {
        if (s->dim[i].lo > INLAY_MAX_KNOWN)
            return -1;
        n *= s->dim[i].lo;
        if (n > INLAY_MAX_KNOWN)
            return -1;
    }
    return (int)n;
}

static bool set_known_pairs(inlay_infer *cx, const inlay_shape *out, value_fn *fn)
{
    inlay_dim values[INLAY_MAX_KNOWN];
    int n_a, n_b, n = followed_count(out), sa[INLAY_MAX_RANK], sb[INLAY_MAX_RANK];
    const inlay_dim *a = in_known(cx, 0, &n_a), *b = in_known(cx, 1, &n_b);
    const char *mode = inlay_node_string(cx->node, "auto_broadcast");
    inlay_shape shape_a, shape_b;

    if (!a || !b || n < 0 || !follows_values(cx->in[0]->type) || strcmp(mode, "pdpd") == 0)
        return true;
    in_shape(cx, 0, &shape_a);
    in_shape(cx, 1, &shape_b);
    if (followed_count(&shape_a) != n_a || followed_count(&shape_b) != n_b)
        return true;
    value_strides(&shape_a, out, sa);
    value_strides(&shape_b, out, sb);
    for (int k = 0; k < n; k++) {
        int i = 0, j = 0, rest = k;

        for (int axis = out->rank - 1; axis >= 0; axis--) {
            int at = rest % (int)out->dim[axis].lo;

            rest /= (int)out->dim[axis].lo;
            i += at * sa[axis];
            j += at * sb[axis];
        }
        values[k] = combine_values(fn, cx->out[0].type, a[i], b[j]);
    }
    return set_known(cx, 0, values, n);
}

/* The type that inputs 0 and 1 share, as far as it is known. */
static inlay_type shared_type(const inlay_infer *cx)
{
    return cx->in[0]->type != INLAY_DYNAMIC ? cx->in[0]->type : cx->in[1]->type;
}

/* FN NULL: nothing is said about values. */
static bool binary(inlay_infer *cx, inlay_type type, value_fn *fn)
{
    inlay_shape out;

    if (!broadcast_inputs(cx, 0, 1, inlay_node_string(cx->node, "auto_broadcast"), &out) ||
        !set_out(cx, 0, type, &out))
        return false;
    return !fn || set_known_pairs(cx, &out, fn);
}

bool infer_unary(inlay_infer *cx)
{
    return set_out_like(cx, 0, 0);
}

bool infer_unary_boolean(inlay_infer *cx)
{
    inlay_shape s;

    in_shape(cx, 0, &s);
    return set_out(cx, 0, INLAY_BOOLEAN, &s);
}

bool infer_binary(inlay_infer *cx)
{
    return binary(cx, shared_type(cx), NULL);
}

/* The exact result where both are known, which C's operators give; b is not 0. */
static bool exact(inlay_dim a, inlay_dim b)
{
    return inlay_dim_is_static(a) && inlay_dim_is_static(b) && b.lo != 0 && b.lo != -1;
}

static inlay_dim value_divide_floor(inlay_dim a, inlay_dim b)
{
    if (!inlay_dim_is_static(b) || b.lo <= 0)
        return exact(a, b) ? inlay_dim_of(a.lo / b.lo - (a.lo % b.lo > 0))
                           : inlay_dim_unknown_value();
    return inlay_dim_div_floor(a, b.lo);
}

static inlay_dim value_divide_trunc(inlay_dim a, inlay_dim b)
{
    if (exact(a, b))
        return inlay_dim_of(a.lo / b.lo);
    return a.lo >= 0 ? value_divide_floor(a, b) : inlay_dim_unknown_value();
}

/* Of a number that is not negative by a positive one; both remainders agree there. */
static inlay_dim value_remainder(inlay_dim a, inlay_dim b)
{
    if (b.lo <= 0)
        return inlay_dim_unknown_value();
    if (a.lo >= 0 && a.hi < b.lo)
        return a;
    if (a.lo >= 0)
        return (inlay_dim){0, (a.hi < b.hi ? a.hi : b.hi - 1), 0};
    return (inlay_dim){b.hi == INT64_MAX ? INT64_MIN : 1 - b.hi, b.hi - 1, 0};
}

static inlay_dim value_mod(inlay_dim a, inlay_dim b)
{
    return exact(a, b) ? inlay_dim_of(a.lo % b.lo) : value_remainder(a, b);
}

static inlay_dim value_floor_mod(inlay_dim a, inlay_dim b)
{
    if (exact(a, b)) {
        int64_t r = a.lo % b.lo;

        return inlay_dim_of(r != 0 && (r < 0) != (b.lo < 0) ? r + b.lo : r);
    }
    if (a.lo < 0 && b.lo > 0)
        return (inlay_dim){0, b.hi - (b.hi != INT64_MAX), 0};
    return value_remainder(a, b);
}

/* One line an operation: how intervals of values combine. */
#define ARITHMETIC(name, fn)                                                                       \
    bool infer_##name(inlay_infer *cx)                                                             \
    {                                                                                              \
        return binary(cx, shared_type(cx), fn);                                                    \
    }

ARITHMETIC(add, inlay_dim_add)
ARITHMETIC(subtract, inlay_dim_sub)
ARITHMETIC(multiply, inlay_dim_mul)
ARITHMETIC(maximum, inlay_dim_max)
ARITHMETIC(minimum, inlay_dim_min)
ARITHMETIC(mod, value_mod)
ARITHMETIC(floor_mod, value_floor_mod)

bool infer_divide(inlay_infer *cx)
{
    bool down = inlay_node_bool(cx->node, "m_pythondiv");

    return binary(cx, shared_type(cx), down ? value_divide_floor : value_divide_trunc);
}

static inlay_dim truth(bool yes, bool no)
{
    return (inlay_dim){yes ? 1 : 0, no ? 0 : 1, 0};
}

static inlay_dim value_equal(inlay_dim a, inlay_dim b)
{
    return truth(inlay_dim_proven_equal(a, b), a.hi < b.lo || b.hi < a.lo);
}

static inlay_dim value_not(inlay_dim a)
{
    return (inlay_dim){1 - a.hi, 1 - a.lo, 0};
}

static inlay_dim value_not_equal(inlay_dim a, inlay_dim b)
{
    return value_not(value_equal(a, b));
}

static inlay_dim value_less(inlay_dim a, inlay_dim b)
{
    return truth(a.hi < b.lo, a.lo >= b.hi || inlay_dim_proven_equal(a, b));
}

static inlay_dim value_greater(inlay_dim a, inlay_dim b)
{
    return value_less(b, a);
}

static inlay_dim value_less_equal(inlay_dim a, inlay_dim b)
{
    return value_not(value_less(b, a));
}

static inlay_dim value_greater_equal(inlay_dim a, inlay_dim b)
{
    return value_not(value_less(a, b));
}

static inlay_dim value_and(inlay_dim a, inlay_dim b)
{
    return (inlay_dim){a.lo && b.lo, a.hi && b.hi, 0};
}

static inlay_dim value_or(inlay_dim a, inlay_dim b)
{
    return (inlay_dim){a.lo || b.lo, a.hi || b.hi, 0};
}

static inlay_dim value_xor(inlay_dim a, inlay_dim b)
{
    return value_not_equal(a, b);
}

#define TRUTH(name, fn)                                                                            \
    bool infer_##name(inlay_infer *cx)                                                             \
    {                                                                                              \
        return binary(cx, INLAY_BOOLEAN, fn);                                                      \
    }

TRUTH(equal, value_equal)
TRUTH(not_equal, value_not_equal)
TRUTH(less, value_less)
TRUTH(less_equal, value_less_equal)
TRUTH(greater, value_greater)
TRUTH(greater_equal, value_greater_equal)
TRUTH(logical_and, value_and)
TRUTH(logical_or, value_or)
TRUTH(logical_xor, value_xor)

bool infer_logical_not(inlay_infer *cx)
{
    inlay_dim values[INLAY_MAX_KNOWN];
    int n;
    const inlay_dim *known = in_known(cx, 0, &n);

    if (!infer_unary_boolean(cx) || !known)
        return cx->out[0].type == INLAY_BOOLEAN;
    for (int i = 0; i < n; i++)
        values[i] = value_not(known[i]);
    return set_known(cx, 0, values, n);
}

/* Values that survive a conversion from TYPE in[0] to TYPE. */
static bool convert_known(inlay_infer *cx, inlay_type type)
{
    inlay_dim values[INLAY_MAX_KNOWN];
    int n;
    const inlay_dim *known = in_known(cx, 0, &n);

    if (!known || !follows_values(type) || !follows_values(cx->in[0]->type))
        return true;
    for (int i = 0; i < n; i++)
        values[i] = type == INLAY_BOOLEAN ? value_not(value_equal(known[i], inlay_dim_of(0)))
                                          : fit_value(type, known[i]);
    return set_known(cx, 0, values, n);
}

static bool convert(inlay_infer *cx, inlay_type type)
{
    inlay_shape s;

    in_shape(cx, 0, &s);
    return set_out(cx, 0, type, &s) && convert_known(cx, type);
}

bool infer_convert(inlay_infer *cx)
{
    inlay_type type = inlay_node_type(cx->node, "destination_type");
    inlay_type_class cls = inlay_type_info_of(type)->cls;

    if (cls == INLAY_CLASS_NONE || cls == INLAY_CLASS_STRING || cls == INLAY_CLASS_COMPLEX)
        return infer_fail(cx, "destination_type is %s, it must be a number or boolean type",
                          inlay_type_info_of(type)->name);
    return convert(cx, type);
}

bool infer_convert_like(inlay_infer *cx)
{
    return convert(cx, cx->in[1]->type);
}

/* PReLU-1: the slope is one number a channel, or broadcasts to data; data's shape comes out. */
bool infer_prelu(inlay_infer *cx)
{
    inlay_shape data, slope;

    if (!in_check_rank(cx, 1, 1, -1))
        return false;
    in_shape(cx, 0, &data);
    in_shape(cx, 1, &slope);
    if (data.rank < 0 || slope.rank < 0 ||
        (slope.rank == 1 && data.rank >= 2 && inlay_dim_compatible(slope.dim[0], data.dim[1])))
        return set_out_like(cx, 0, 0);
    if (!broadcasts_to(&slope, &data))
        return infer_fail(cx,
                          "input 1 \"slope\" has shape %s: it is neither one number a channel nor "
                          "does it broadcast to data %s",
                          in_text(cx, 1), in_text(cx, 0));
    return set_out_like(cx, 0, 0);
}

/* One number: a scalar, or where ONE_ELEMENT_OK a tensor with one element. */
static bool check_single(inlay_infer *cx, int i, int max_rank)
{
    const inlay_fact *f = in_has(cx, i) ? cx->in[i] : NULL;

    if (!f || f->rank <= 0)
        return true;
    if (f->rank <= max_rank && inlay_dim_compatible(f->dims[0], inlay_dim_of(1)))
        return true;
    return infer_fail(cx, "input %d \"%s\" has shape %s, it must be one number", i, in_name(cx, i),
                      in_text(cx, i));
}

/* Selu, HardSigmoid, Swish: data and one or two numbers. */
bool infer_unary_with_numbers(inlay_infer *cx)
{
    for (int i = 1; i < cx->n_in; i++) {
        if (!check_single(cx, i, 1))
            return false;
    }
    return set_out_like(cx, 0, 0);
}
