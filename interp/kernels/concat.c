/* Concat, Split, VariadicSplit: join and split along one axis. */
#include "interp/kernels/axes.h"
#include "interp/kernels/moves.h"

/* Returns a view of the COUNT elements of AXIS from FIRST on. */
static struct view piece(const inlay_tensor *t, int axis, int64_t first, int64_t count)
{
    struct view v = view_all(t);

    v.dims[axis] = count;
    v.offset = count > 0 ? first * t->strides[axis] : 0;
    return v;
}

bool eval_concat(inlay_call *c)
{
    int64_t axis = inlay_node_int(c->node, "axis"), first = 0;

    axis += axis < 0 ? c->out[0]->rank : 0;
    for (int i = 0; i < c->n_in; i++) {
        struct view place = piece(c->out[0], (int)axis, first, c->in[i]->dims[axis]);

        if (!move_part(c, c->out[0], &place, c->in[i]))
            return false;
        first += c->in[i]->dims[axis];
    }
    return true;
}

/* The shape rule found the length of every piece; the pieces follow each other. */
static bool take_pieces(inlay_call *c)
{
    int64_t first = 0;
    int axis;

    if (!axis_of_operand(c, 1, c->in[0]->rank, &axis))
        return false;
    for (int i = 0; i < c->n_out; i++) {
        struct view from = piece(c->in[0], axis, first, c->out[i]->dims[axis]);

        if (!move_output(c, i, NULL, c->in[0], &from))
            return false;
        first += c->out[i]->dims[axis];
    }
    return true;
}

bool eval_split(inlay_call *c)
{
    return take_pieces(c);
}

/* If the axis has size 0, the shape rule knows the output sizes whatever the lengths are, so the
 * lengths are checked here: each equals its output's size, or is the only -1. */
static bool lengths_fit(inlay_call *c)
{
    const int64_t *length = load_i64(c, 2);
    int axis, rest = -1;

    if (!length || !axis_of_operand(c, 1, c->in[0]->rank, &axis))
        return false;
    for (int i = 0; i < c->n_out; i++) {
        if (length[i] == c->out[i]->dims[axis])
            continue;
        if (length[i] != -1 || rest >= 0)
            return inlay_call_fail(c, "split_lengths[%d] is %lld, for a piece of %lld element%s", i,
                                   (long long)length[i], (long long)c->out[i]->dims[axis],
                                   inlay_plural(c->out[i]->dims[axis], "", "s"));
        rest = i;
    }
    return true;
}

bool eval_variadic_split(inlay_call *c)
{
    return lengths_fit(c) && take_pieces(c);
}
