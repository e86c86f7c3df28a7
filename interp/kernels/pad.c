/* Pad: every element of the output comes from a place in data, or is the padding. */
#include "interp/kernels/moves.h"

#include <string.h>

enum mode { CONSTANT, EDGE, REFLECT, SYMMETRIC };

static enum mode mode_of(const char *name)
{
    static const char *const names[] = {"constant", "edge", "reflect", "symmetric"};
    int m = CONSTANT;

    while (m < SYMMETRIC && strcmp(names[m], name) != 0)
        m++;
    return (enum mode)m;
}

/* Returns the position on an axis of D elements that shows at X, which may lie outside of the axis;
 * -1: X shows the padding. The mirror of `reflect` stands in the middle of the outermost element,
 * that of `symmetric` behind it: around a b c, `reflect` shows c b | a b c | b a, and `symmetric` b
 * a | a b c | c b. */
static int64_t shown_at(enum mode mode, int64_t x, int64_t d)
{
    if (x >= 0 && x < d)
        return x;
    switch (mode) {
    case EDGE:
        return x < 0 ? 0 : d - 1;
    case REFLECT:
        return x < 0 ? -x : 2 * (d - 1) - x;
    case SYMMETRIC:
        return x < 0 ? -x - 1 : 2 * d - 1 - x;
    default:
        return -1;
    }
}

/* Returns AT - BEGIN; a difference that does not fit 64 bits lies behind any axis. */
static int64_t place_in_data(int64_t at, int64_t begin)
{
    int64_t x;

    return __builtin_sub_overflow(at, begin, &x) ? INT64_MAX : x;
}

bool eval_pad(inlay_call *c)
{
    const inlay_tensor *data = c->in[0], *value = call_has(c, 3) ? c->in[3] : NULL;
    enum mode mode = mode_of(inlay_node_string(c->node, "pad_mode"));
    int64_t n, out_size = inlay_tensor_count(c->out[0]);
    const int64_t *begin = load_ints(c, 1, &n);

    if (!begin)
        return false;
    if (out_size == 0)
        return true;
    for (index_iter it = index_begin(c->out[0]->rank, c->out[0]->dims); index_valid(&it);
         index_next(&it)) {
        int64_t from = data->offset;
        bool inside = true;

        for (int i = 0; i < data->rank && inside; i++) {
            int64_t x = shown_at(mode, place_in_data(it.at[i], begin[i]), data->dims[i]);

            inside = x >= 0;
            from += inside ? x * data->strides[i] : 0;
        }
        if (inside)
            tensor_move_element(c->out[0], tensor_at(c->out[0], it.at), data, from);
        else if (value)
            tensor_move_element(c->out[0], tensor_at(c->out[0], it.at), value, value->offset);
        else
            tensor_zero_run(c->out[0], it.linear, 1);
    }
    return true;
}
